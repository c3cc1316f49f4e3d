#!/usr/bin/env bash
# Structs can grow: programs compiled with older headers run against this library (tests/project/abi/growth.py).  And no pointer may
# crash it by being NULL (tests/project/abi/nulls.py).
set -euo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
binary_dir=${WEFT_BINARY_DIR:-$source_dir/build}
skip() {
    echo "skipped test_abi: $1"
    exit 77
}
command -v python3 > /dev/null || skip 'no python3 here'
command -v cc > /dev/null || skip 'no cc here'
[[ -e $binary_dir/libweft.so && -e $binary_dir/libweft_check.a ]] || skip "no libraries in $binary_dir"
grep -qE '__(asan|tsan)_' "$binary_dir/libweft.so" && skip 'the libraries are built with a sanitizer'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$source_dir/tests/project/abi/growth.py" cc "$source_dir/include" "$binary_dir" "$folder"
python3 "$source_dir/tests/project/abi/nulls.py" cc "$source_dir/include" "$binary_dir" "$folder"
