#!/usr/bin/env bash
# README.md: what a newcomer needs on one page, in this order, with figures that were measured.  Its commands are run by test_docs.sh,
# the sizes in it compared with what was built by test_install.sh and test_wheel.sh.
#   tests/project/test_readme.sh [PART OF A TITLE]
# shellcheck disable=SC2034,SC2154 # names shared with tests/support/harness.sh
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
wanted=${1:-}
export LC_ALL=C.UTF-8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"
readme=$source_dir/README.md
claims=$source_dir/scripts/claims

figures() {
    local difference
    difference=$("$claims" --check 2>&1) || problem "scripts/claims --write puts right: $difference"
    sed 's/ ms,/1 ms,/' "$readme" > other.md
    cmp -s "$readme" other.md && problem 'there is no figure to change'
    "$claims" --check "$PWD/other.md" > /dev/null 2>&1 && problem 'another figure is not noticed'
    sed '/^<!-- speeds -->$/d' "$readme" > other.md
    "$claims" --check "$PWD/other.md" > /dev/null 2>&1 && problem 'that there are no figures is not noticed'
}
case_of 'its speeds are those of bench/results' figures

missing() {
    mkdir -p scripts bench && cp "$claims" scripts && cp -r "$source_dir/bench/results" bench && cp "$readme" .
    sed -i '/| rmat22 | kcore |/d' bench/results/cugraph-h200.md
    scripts/claims --write 2> .err && problem 'a figure that is nowhere is written'
    grep -qF 'cugraph-h200.md has not one row "rmat22|kcore"' .err || problem "it says: $(cat .err)"
    cmp -s "$readme" README.md || problem 'README.md was changed all the same'
}
case_of 'a figure that bench/results does not have is not claimed' missing

sizes() {
    local claimed
    claimed=$(grep -oE 'program [0-9.]+ MB' "$readme" | awk '{ print $2 * 1e6 }')
    truncate -s "$claimed" as_claimed
    truncate -s $((claimed * 13 / 10)) larger
    truncate -s $((claimed * 7 / 10)) smaller
    "$claims" --size program "$PWD/as_claimed" || problem 'the size that it claims is refused'
    "$claims" --size program "$PWD/larger" 2> .err && problem 'three tenths more are accepted'
    "$claims" --size program "$PWD/smaller" 2>> .err && problem 'three tenths less are accepted'
    "$claims" --size teapot "$PWD/larger" 2>> .err && problem 'a size that it does not claim is accepted'
    same "$(grep -c 'README.md' .err)" 3
}
case_of 'a size more than a quarter off is found' sizes

page() {
    local lines before call
    lines=$(wc -l < "$readme")
    ((lines <= 120)) || problem "it has $lines lines; 120 are enough for ten minutes"
    same "$(grep -c '^!\[' "$readme")" 1 # picture
    before=$(sed '/^## Reading a result$/,$d' "$readme")
    [[ $before != "$(cat "$readme")" ]] || problem 'it does not say how to read a result'
    grep -nwE 'CUDA|C|C11|nvcc' <<< "$before" && problem 'it speaks of how Weft is made before how to read a result'
    same "$(awk '/^```/ { on = $0 == "```sh"; next } on && /^build\/weft/ && /\?/' "$readme" | wc -l)" 10 # questions
    same "$(awk '/^```/ { on = $0 == "```sh"; next } on && /^make/ { print $2 }' "$readme" | xargs)" 'run test'
    call=$(awk '/^```/ { on = $0 == "```c"; next } on { sub(/ *\/\*.*/, ""); print }' "$readme")
    grep -qF -- "${call:-none}" "$source_dir/examples/c/rank.c" || problem "rank.c has no such line: $call"
}
case_of 'one page: a picture, two commands, ten questions, a result, then the rest' page

# The places that a page links to, relative to its folder; anchors as headings are turned into them.
links() {
    local page link file anchor
    for page in README.md docs/commands.md docs/c.md; do
        while read -r link; do
            file=$source_dir/$(dirname "$page")/${link%%#*} anchor=${link#*#}
            [[ -e $file ]] || problem "$page links to $link, which is not there"
            [[ $link == *'#'* && -f $file ]] || continue
            sed -n 's/^##* //p' "$file" | tr '[:upper:] ' '[:lower:]-' | tr -cd 'a-z0-9\n-' | grep -qxF -- "$anchor" ||
                problem "$page links to $link, but there is no such heading"
        done < <(grep -oE '\]\([^)]+\)' "$source_dir/$page" | sed 's/^](//; s/)$//' | grep -v '^https\?:')
    done
}
case_of 'what it and its pages link to is there' links

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
