#!/usr/bin/env bash
# examples/c: compiled without a warning against an installed tree, as a user would (pkg-config, and CMake), and run.
set -euo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
binary_dir=${WEFT_BINARY_DIR:-$source_dir/build}
skip() {
    echo "skipped test_examples: $1"
    exit 77
}
for tool in cc cmake pkg-config; do command -v "$tool" > /dev/null || skip "no $tool here"; done
grep -qE '__(asan|tsan)_' "$binary_dir/libweft.so" && skip 'the libraries are built with a sanitizer'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
expect() { # title, expected, got
    # shellcheck disable=SC2053 # what is expected is a pattern
    if [[ $3 == $2 ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\nexpected: %s\ngot: %s\n' "$1" "$2" "$3" >&2
    fi
}

cmake --install "$binary_dir" --prefix "$folder/usr" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
pc=$(dirname "$(find "$folder/usr" -name weft.pc)")
export PKG_CONFIG_PATH=$pc
LD_LIBRARY_PATH=$(dirname "$pc") && export LD_LIBRARY_PATH
for file in "$source_dir"/examples/c/*.c; do
    name=$(basename "$file" .c)
    read -ra flags <<< "$(pkg-config --cflags --libs weft-check weft)"
    expect "$name compiles" '' "$(cc -std=c99 -Wall -Wextra -pedantic -Werror "$file" "${flags[@]}" -o "$folder/$name" 2>&1)"
done

karate=$source_dir/examples/karate.txt
expect 'rank: the head of the list' $'34\t0.*' "$("$folder/rank" "$karate" | head -1)"
expect 'rank: ten of them' 10 "$("$folder/rank" "$karate" | wc -l)"
expect 'rank: no file, a sentence and no crash' 'rank: *nowhere*' "$("$folder/rank" nowhere 2>&1 || true)"
expect 'arrays: the way, and the release' $'4 miles\nthe rows are the program\'s again' "$("$folder/arrays")"
expect 'components: sizes' $'4 components\nthat of vertex 0: 3\nthat of vertex 3: 3\nthat of vertex 6: 1\nthat of vertex 7: 1' \
    "$("$folder/components")"
expect 'plan: three runs with one digest' 1 "$("$folder/plan" 2> /dev/null | sed -n 's/^run .*digest //p' | sort -u | wc -l)"
expect 'plan: a limit that is too small' 4 "$("$folder/plan" 100000 > /dev/null 2>&1; echo $?)"
expect 'distances' $'1 reaches 34 vertices*\n17 reaches 34 vertices*\nverified: *' "$("$folder/distances" "$karate" 1 17)"
expect 'distances: no such vertex' "distances: no vertex '99'*" "$("$folder/distances" "$karate" 1 99 2>&1 || true)"

# The same by CMake.
mkdir "$folder/project"
cat > "$folder/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(weft REQUIRED)
add_executable(distances $source_dir/examples/c/distances.c)
target_link_libraries(distances PRIVATE weft::check weft::weft)
END
if cmake -S "$folder/project" -B "$folder/made" -DCMAKE_PREFIX_PATH="$folder/usr" > "$folder/log" 2>&1 &&
    cmake --build "$folder/made" >> "$folder/log" 2>&1; then
    expect 'CMake: distances' '1 reaches 34*' "$("$folder/made/distances" "$karate" 1)"
else
    expect 'CMake finds and links weft::check' '' "$(tail -20 "$folder/log")"
fi

# A page shows one of them.
expect 'docs/c.md shows rank.c' yes "$(python3 - "$source_dir" <<'END' 2>&1 || true
import sys
folder = sys.argv[1]
code = open(folder + "/examples/c/rank.c").read().split("\n", 1)[1].strip()
print("yes" if code in open(folder + "/docs/c.md").read() else "no")
END
)"
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[[ $failed == 0 ]]
