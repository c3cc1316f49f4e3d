#!/usr/bin/env bash
# Do the pages say what the program does?  Every example of docs/algo/*.md, docs/lab/*.md, docs/DEVICE.md, docs/dynamic.md,
# docs/where.md, docs/report.md, docs/communities.md, docs/attributes.md, docs/compare.md and README.md is run in an empty folder, with
# the built weft on PATH, and must print what the page shows.
#   WEFT_BIN=build/weft tests/project/test_docs.sh [PART OF A TITLE]
# A block ```console has commands after "$ " (a backslash at the end goes on in the next line), each followed by what it
# prints on both outputs; the blocks of a page share a folder.  "…" stands for anything: times, paths, what depends on
# the machine.  A block ```sh of README.md and docs/commands.md has commands alone; they must succeed.  Each algorithm must have a page with
# the parts listed below, all its parameters, and an example that runs it.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
wanted=${1:-}
unset OMP_NUM_THREADS NO_COLOR
export LC_ALL=C

if [[ ! -x $weft ]]; then
    echo "skipped test_docs: there is no program at $weft"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" && ln -s "$(realpath "$weft")" "$scratch/bin/weft"
export PATH=$scratch/bin:$PATH

passed=0 failed=0
verdict() { # title, what is wrong ("" when nothing is)
    if [[ -z $2 ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\n%s\n' "$1" "$2"
    fi
}

# Is $2 what $1 shows?  Everything but "…" is meant as it stands.
is_shown_by() {
    local pattern
    pattern=$(sed 's/[][\\*?]/\\&/g; s/…/*/g' <<< "$1")
    # shellcheck disable=SC2053 # a pattern it is
    [[ $2 == $pattern ]]
}

# The examples of a page, one a record that ends with a NUL: line number, command, expected output, each on lines of
# its own, apart by a line of \1.
examples_of() { # file
    awk '
        function flush() { if (command != "") printf "%d\n%s\n\1\n%s%c", at, command, expected, 0; command = "" }
        /^```/ { flush(); inside = $0 == "```console"; next }
        !inside { next }
        more { command = command "\n" $0; more = $0 ~ /\\$/; next }
        /^\$ / { flush(); at = NR; command = substr($0, 3); expected = ""; more = $0 ~ /\\$/; next }
        command == "" { printf "%d\nfalse # output without a command\n\1\n%c", NR, 0; next }
        { expected = expected $0 "\n" }' "$1"
}

run_page() { # file, relative to the source tree
    local page=$1 record at rest command expected got
    local folder=$scratch/${page//\//_}
    mkdir "$folder"
    while IFS= read -r -d '' record; do
        at=${record%%$'\n'*} rest=${record#*$'\n'}
        command=${rest%%$'\n\1\n'*} expected=${rest#*$'\n\1\n'}
        [[ "$page:$at $command" == *"$wanted"* ]] || continue
        got=$(cd "$folder" && bash -c "$command" 2>&1 < /dev/null)
        if is_shown_by "${expected%$'\n'}" "$got"; then
            verdict "$page:$at" ''
        else
            verdict "$page:$at: $command" "$(printf -- '-- the page shows\n%s\n-- weft says\n%s' "${expected%$'\n'}" "$got")"
        fi
    done < <(examples_of "$source_dir/$page")
}

# Commands of a page's ```sh blocks, on files of the names it uses; the large graph is made smaller.
run_commands() { # file, relative to the source tree
    local line command code page=$1
    local folder=$scratch/commands_${page//\//_}
    mkdir -p "$folder/build" && ln -s "$(realpath "$weft")" "$folder/build/weft"
    (cd "$folder" && weft generate rmat --scale 8 --seed 1 -q -o web.txt.gz && printf 'a b\nb c\n' > deps.txt &&
        printf '+ 42 7\n- 42 8\n' > changes.txt)
    while IFS= read -r line; do
        command=${line%%  #*}
        [[ "$page $command" == *"$wanted"* ]] || continue
        case $command in
        make* | mpirun*) # the second: test_ranks_mpi
            echo "not run here: $command"
            continue
            ;;
        *' doctor') command+=' --quick' ;;
        *' lab '*) command+=' --quick --repeat 1 --generate rmat:scale=7' ;;
        *' generate '*) command=${command/--scale 22/--scale 8} ;;
        esac
        got=$(cd "$folder" && bash -c "$command" 2>&1 < /dev/null)
        code=$?
        verdict "$page: $command" "$( ((code == 0)) || echo "exit code $code: $got")"
    done < <(awk '/^```/ { inside = $0 == "```sh"; next } inside && NF' "$source_dir/$page")
}

# What every page of an algorithm must have, in this order; a pattern each, for awk.
parts=(
    '^weft NAME FILE'           # how it is called; what it computes stands above it
    '^\\*\\*When to use it\\.\\*\\*'
    '^## Example$'
    '^## Results$'
    '^## Options$'
    '^## How it works$'
    '^\\*\\*Method'
    '^\\*\\*Cost\\.\\*\\*'
    '^\\*\\*Check\\.\\*\\*'
)
# Lines that an editor cannot show: tables and code may be wider.
long_lines() { # file
    awk '/^```/ { code = !code } !code && !/^\|/ && !/^    / { gsub(/[\200-\277]/, ""); if (length > 120) print FILENAME ":" FNR ": " length " characters" }' "$1"
}
check_page() { # algorithm
    local name=$1 page=docs/algo/$1.md part flag missing=()
    if [[ ! -f $source_dir/$page ]]; then
        verdict "$page" 'there is no such page'
        return
    fi
    local from=1 at
    for part in "${parts[@]}"; do
        at=$(awk -v from="$from" -v part="${part/NAME/$name}" 'NR >= from && $0 ~ part { print NR; exit }' "$source_dir/$page")
        if [[ -n $at ]]; then from=$at; else missing+=("no line with ${part/NAME/$name} from line $from on"); fi
    done
    grep -qE '(19|20)[0-9][0-9]' "$source_dir/$page" || missing+=('no year: which paper is it from?')
    mapfile -t -O "${#missing[@]}" missing < <(long_lines "$source_dir/$page")
    while read -r flag; do
        grep -qF -- "$flag" "$source_dir/$page" || missing+=("nothing about $flag")
    done < <("$weft" "$name" --help | awk '
        /^weft generate / { exit } # a generator of the same name comes after the algorithm
        /^Parameters$/ { on = 1; next }
        /^$/ { on = 0 }
        on && /^  (-., |    )--/ { match($0, /--[a-z-]+/); print substr($0, RSTART, RLENGTH) }')
    examples_of "$source_dir/$page" | tr '\0' '\n' | grep -qE "weft $name( |\$)" || missing+=("no example runs weft $name")
    verdict "$page" "$(printf '%s\n' "${missing[@]}")"
}

mapfile -t algorithms < <("$weft" help --all | awk '/^Algorithms$/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }')
verdict 'weft help lists algorithms' "$( ((${#algorithms[@]} >= 11)) || echo "only: ${algorithms[*]}")"
for name in "${algorithms[@]}"; do check_page "$name"; done
for page in "$source_dir"/docs/algo/*.md; do run_page "${page#"$source_dir/"}"; done
for page in "$source_dir"/docs/lab/*.md; do run_page "${page#"$source_dir/"}"; done
run_page docs/DEVICE.md
run_page docs/dynamic.md
run_page docs/where.md
run_page docs/report.md
run_page docs/communities.md
run_page docs/attributes.md
run_page docs/compare.md
run_page README.md
run_commands README.md
run_commands docs/commands.md

echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
