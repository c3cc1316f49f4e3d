#!/usr/bin/env bash
# Is what `make install` leaves whole?  The build folder is installed into a scratch folder, and used from there.
#   WEFT_BINARY_DIR=build tests/project/test_install.sh [PART OF A TITLE]
# shellcheck disable=SC2016,SC2034,SC2154 # names shared with tests/support/harness.sh
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=$(realpath "${WEFT_BINARY_DIR:-$source_dir/build}")
wanted=${1:-}
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"

root=$scratch/root
if ! cmake --install "$build" --prefix "$root/made" > "$scratch/install.log" 2>&1; then
    echo "FAILED  cmake --install: $(tail -n 3 "$scratch/install.log")"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
mv "$root/made" "$root/moved" # an installed tree can be moved
weft=$root/moved/bin/weft

files() {
    local name
    for name in bin/weft bin/weft-lab include/weft{,_algorithms,_experimental,_check,/base,/pagerank}.h \
        share/man/man1/weft.1 share/man/man1/weft-lab.1 \
        share/bash-completion/completions/weft share/bash-completion/completions/weft-lab; do
        there_is "$root/moved/$name"
    done
    for name in libweft.so libweft.a weft.pc weftConfig.cmake; do
        [[ -n $(find "$root/moved" -name "$name") ]] || problem "there is no $name"
    done
}
case_of 'programs, library, header, man pages and completions are there' files

programs() {
    exits 0 info "$source_dir/examples/karate.txt"
    says 34
    exits 0 lab degree --generate karate --quick --repeat 1 --device cpu --rungs engine
    says 'engine'
}
case_of 'weft runs, and finds its lab beside it' programs

sizes() {
    if [[ $("$weft" --version) != *'Release, no CUDA'* ]]; then skip_reason='README.md has the sizes of a release without CUDA'; return; fi
    if grep -qE '__(asan|tsan|gcov)_' "$weft"; then skip_reason='a sanitizer, or counters of coverage, are in them'; return; fi
    "$source_dir/scripts/claims" --size program "$weft" 2> .err || problem "$(cat .err)"
    "$source_dir/scripts/claims" --size library "$(find "$root/moved" -name libweft.so)" 2> .err || problem "$(cat .err)"
}
case_of 'program and library are as small as README.md says' sizes

own_program() {
    command -v pkg-config > /dev/null || { skip_reason='no pkg-config here'; return; }
    local lib
    lib=$(dirname "$(find "$root/moved" -name libweft.so)")
    if grep -qE '__(asan|tsan)_' "$lib/libweft.so"; then skip_reason='a sanitizer wants its own compiler'; return; fi
    printf '#include <stdio.h>\n#include <weft.h>\nint main(void) { return puts(weft_version()) < 0; }\n' > app.c
    # shellcheck disable=SC2046
    "${CC:-cc}" app.c -o app $(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --cflags --libs weft) 2> .err ||
        problem "it does not compile: $(cat .err)"
    same "$(LD_LIBRARY_PATH=$lib ./app 2>&1)" "$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --modversion weft)"
}
case_of 'a program of yours is compiled by pkg-config' own_program

components() {
    local made
    if grep -qE '__(asan|tsan)_' "$(find "$root/moved" -name libweft.so)"; then skip_reason='a sanitizer wants its own compiler'; return; fi
    printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(app C)' 'find_package(weft REQUIRED COMPONENTS check gpus)' > CMakeLists.txt
    made=$(cmake -S . -B made -DCMAKE_PREFIX_PATH="$root/moved" 2>&1) && problem 'it is found'
    [[ $made == *'component gpus: there is none of this name'* ]] || problem "it says: $made"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(app C)' 'find_package(weft COMPONENTS check OPTIONAL_COMPONENTS mpi gpus)' \
        'message("found ${weft_FOUND} ${weft_check_FOUND} ${weft_gpus_FOUND}")' > CMakeLists.txt
    made=$(cmake -S . -B made -DCMAKE_PREFIX_PATH="$root/moved" 2>&1) || problem "it fails: $made"
    grep -qE '^found (1|TRUE) (1|TRUE) FALSE$' <<< "$made" || problem "it says: $made"
}
case_of 'find_package has components, and says what is none' components

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
