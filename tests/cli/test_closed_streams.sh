#!/usr/bin/env bash
# Standard input, output or error closed (>&-): nothing of what a command says goes into a file, and the exit code tells if an answer could not be shown.
# Every command that `weft help` lists is run, once with all three open and then with each of them, and all three, closed: the files it leaves must be
# the same.
#   WEFT_BIN=build/weft tests/cli/test_closed_streams.sh [PART OF A TITLE]
# shellcheck disable=SC2034,SC2154 # names shared with harness.sh
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
wanted=${1:-}
export LC_ALL=C
if [[ ! -x $weft ]]; then
    echo "skipped test_closed_streams: there is no program at $weft"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"

# --- what is run -------------------------------------------------------------------------

# Lines of words after `weft`, for each command; they are run in a folder with the files that are made below.  Files that hold times are called timed.*: only their
# first and last line are compared, and a graph is verified.
declare -A runs=(
    [info]='info g.weft --json
        info crooked.txt
        info wrong.txt'
    [convert]='convert crooked.txt out.weft
        convert crooked.txt g.weft
        convert g.weft out.txt
        convert g.weft out.csv.gz
        convert g.weft out.sg
        convert g.weft out.npz
        convert g.weft out.dense'
    [generate]='generate rmat --scale 6 -o out.weft
        generate karate -o out.txt --json'
    [neighbors]='neighbors g.weft --of 1 -o out.tsv'
    [path]='path g.weft 17 34 -o out.tsv
        path g.weft 17 34'
    [subgraph]='subgraph g.weft --ego 1 --radius 1 -o out.weft'
    [project]='project pairs.txt --undirected -o out.weft
        project pairs.txt --undirected --plan'
    [compare]='compare g.weft old.weft --added out.tsv --by degree
        compare g.weft g.weft'
    [merge]='merge g.weft old.weft -o out.weft
        merge g.weft old.weft --mode difference'
    [quality]='quality g.weft --partition sides.tsv -o out.tsv
        quality g.weft --partition sides.tsv'
    [agreement]='agreement sides.tsv sides.tsv'
    [run]='run g.weft degree pagerank -o out.csv'
    [report]='report g.weft --quick -o timed.html'
    [dynamic]='dynamic new out.weft crooked.txt
        dynamic apply g.weft changes.txt
        dynamic apply g.weft changes.txt --json
        dynamic apply g.weft wrong.txt
        dynamic apply old.weft changes.txt changes.txt
        dynamic log g.weft
        dynamic snapshot g.weft -o out.txt
        dynamic compact g.weft
        dynamic info g.weft
        dynamic watch g.weft changes.txt --run degree --json
        dynamic bench --scale 6 --batches 10 --seconds 0.01 timed.weft'
    [doctor]='doctor --quick'
    [bench]='bench g.weft --algos degree --repeat 1 --quick -o timed.json'
    [predict]='predict pagerank --ranks 4 --machine h100-ib --scale 20'
    [lab]='lab degree g.weft --rungs 1 --repeat 1 --quick --json timed.json --report timed.html'
    [help]='help
        help convert'
    [wcc]='wcc g.weft -o out.tsv'
    [scc]='scc arcs.weft -o out.tsv'
    [stats]='stats g.weft'
    [similar]='similar arcs.weft -o out.tsv'
)
# What an algorithm needs beside a graph; all of them are run as ALGORITHM arcs.weft -o out.tsv.
declare -A needs=([bfs]='--source 1' [sssp]='--source 1' [aggregate]='--features ones.npy')
# Other files that commands write.
more='pagerank arcs.weft --checkpoint saved --every 0 -o out.npy -q
    components arcs.weft --sizes sizes.tsv -o out.jsonl
    layout arcs.weft -o out.svg
    layout arcs.weft -o out.png'

listed() { # heading of weft help
    "$weft" help --all | awk -v heading="$1" '/^[^ ]/ { inside = $0 == heading } inside && /^  [a-z]/ { print $1 }'
}

make_inputs() {
    "$weft" generate karate -o old.weft -q
    cp old.weft g.weft
    printf '+ 1 27\n\n- 1 2\n' > first.txt
    "$weft" dynamic apply g.weft first.txt -q > /dev/null # it has a log now
    printf '+ 1 15\n\n+ 1 16\n- 1 4\n' > changes.txt
    printf '1 2\n2 1\n1 2\n3 3\n' > crooked.txt # warnings
    printf '1 2\n2\n' > wrong.txt
    printf '1 11\n2 11\n2 12\n' > pairs.txt
    "$weft" labelprop g.weft -o sides.tsv -q
    "$weft" generate rmat --scale 5 --directed -o arcs.weft -q
    printf '\x93NUMPY\x01\x00v\x00%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 1), }" > ones.npy
    head -c 128 /dev/zero >> ones.npy
}

# --- running it --------------------------------------------------------------------------

# One line of words in a folder that has the inputs: what it leaves is in $folder, the exit code in $code.
run_in() { # folder, redirections, words
    folder=$scratch/$1
    rm -rf "$folder"
    cp -r "$scratch/inputs" "$folder"
    (
        cd "$folder" || exit 99
        # shellcheck disable=SC2086 # words
        eval 'exec "$weft" $3' "$2"
    )
    code=$?
}

# Files of which only the first and the last line are the same each time.
cut_times() { # folder
    local file
    for file in "$1"/timed.*; do
        [[ -e $file ]] || continue
        if [[ $file == *.weft ]]; then
            "$weft" info --verify "$file" > /dev/null || problem "${file##*/} is damaged"
        else
            sed -n '1p;$p' "$file" | tr -d '0-9.' > "$file.ends"
        fi
        rm "$file"
    done
}

check_line() { # words
    local closed said
    run_in usual '> "$scratch/.out" 2> "$scratch/.err" < /dev/null' "$1"
    local usual=$code
    said=$(wc -c < "$scratch/.out")
    [[ $usual == [01] || $1 == *wrong.txt ]] || problem "weft $1: exit code $usual: $(cat "$scratch/.err")"
    cut_times "$scratch/usual"
    for closed in '>&-' '2>&-' '<&-' '>&- 2>&- <&-'; do
        local want=$usual others='> "$scratch/.out" 2> "$scratch/.err" < /dev/null'
        [[ $closed != *'>&-'* || $closed == '2>&-' || $usual -gt 1 || $said == 0 ]] || want=3
        run_in closed "$others $closed" "$1"
        [[ $code == "$want" ]] || problem "weft $1 $closed: exit code $code, expected $want: $(cat "$scratch/.err")"
        cut_times "$scratch/closed"
        diff -r "$scratch/usual" "$scratch/closed" > "$scratch/.why" ||
            problem "weft $1 $closed: $(head -c 300 "$scratch/.why")"
    done
}

check_lines() { # text
    local line
    while IFS= read -r line; do
        read -r line <<< "$line"
        check_line "$line"
    done <<< "$1"
}

t_command() { check_lines "${runs[$command]}"; }
t_algorithm() { check_lines "$command arcs.weft ${needs[$command]-} -o out.tsv"; }

mkdir inputs && (cd inputs && make_inputs) || exit 1

have_lab=true
[[ -x ${weft%/*}/weft-lab ]] || have_lab=false
commands=$(listed Commands)
algorithms=$(listed Algorithms)
words=$(listed 'Other words')

t_all_are_run() {
    [[ $(wc -w <<< "$commands $algorithms $words") -gt 30 ]] || problem "weft help lists too little: $commands $algorithms $words"
    local name action
    for name in $commands $words; do [[ -n ${runs[$name]-} ]] || problem "weft $name is not run here"; done
    for name in "${!runs[@]}"; do [[ " ${commands//$'\n'/ } ${words//$'\n'/ } " == *" $name "* ]] || problem "weft help has no $name"; done
    for action in $("$weft" help dynamic | sed -nE 's/^  ([a-z]+) \[?FILE.*/\1/p'); do
        [[ ${runs[dynamic]} == *"dynamic $action "* ]] || problem "weft dynamic $action is not run here"
    done
}
case_of 'every command of weft help is run' t_all_are_run

for command in $commands $words; do
    [[ -n ${runs[$command]-} ]] || continue
    if [[ $command == lab ]] && ! $have_lab; then
        skipped=$((skipped + 1))
        echo 'skipped weft lab: there is no weft-lab beside the program'
        continue
    fi
    case_of "weft $command" t_command
done
for command in $algorithms; do case_of "weft $command" t_algorithm; done
t_more() { check_lines "$more"; }
case_of 'checkpoints, sizes, drawings' t_more

# --- what is asked of a descriptor that is closed --------------------------------------------

t_standard_streams() {
    local words
    for words in 'info -' 'dynamic apply g.weft' 'convert - out.txt'; do
        run_in closed '<&- > /dev/null 2> "$scratch/.err"' "$words"
        same "$words: $code" "$words: 3"
        err=$(cat "$scratch/.err") complains 'cannot read: Bad file descriptor'
        diff -r "$scratch/inputs" "$scratch/closed" > /dev/null || problem "weft $words <&- left something"
    done
    for words in 'convert g.weft - --to csv' 'convert g.weft /dev/stdout --to csv' 'degree g.weft -o -' 'degree g.weft -o /dev/stdout'; do
        run_in closed '>&- 2> "$scratch/.err"' "$words"
        same "$words: $code" "$words: 3"
        err=$(cat "$scratch/.err") complains 'Bad file descriptor'
        diff -r "$scratch/inputs" "$scratch/closed" > /dev/null || problem "weft $words >&- left something"
    done
}
case_of 'a stream that is closed cannot be read or written' t_standard_streams

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
