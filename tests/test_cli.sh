#!/usr/bin/env bash
# The program as its users meet it: commands, flags, files, exit codes.
#   WEFT_BIN=build/weft tests/test_cli.sh [PART OF A TITLE]
# Ends with "N passed, N failed, N skipped"; exit code 1 when something failed.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
karate=$source_dir/examples/karate.txt
data=$source_dir/tests/data/cli
wanted=${1:-}
unset OMP_NUM_THREADS NO_COLOR
export LC_ALL=C

if [[ ! -x $weft ]]; then
    echo "skipped test_cli: there is no program at $weft"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

passed=0 failed=0 skipped=0
problems=()
out='' err='' code=0

# --- a small harness ------------------------------------------------------------------------------------------

problem() { problems+=("$1"); }

# Runs weft; what it said is in $out and $err, its exit code in $code.
weft_says() {
    "$weft" "$@" > "$scratch/.out" 2> "$scratch/.err" < "${input:-/dev/null}"
    code=$?
    out=$(tr -d '\0' < "$scratch/.out")
    err=$(cat "$scratch/.err")
}

exits() { # code, words...
    local want=$1
    shift
    weft_says "$@"
    [[ $code == "$want" ]] || problem "weft $*: exit code $code, expected $want; it said: $err"
}

says() { [[ $out == *"$1"* ]] || problem "standard output lacks '$1': ${out:0:400}"; }
says_not() { [[ $out != *"$1"* ]] || problem "standard output has '$1'"; }
complains() { [[ $err == *"$1"* ]] || problem "standard error lacks '$1': ${err:0:400}"; }
is_silent() { [[ -z $err ]] || problem "standard error is not empty: $err"; }
same() { [[ $1 == "$2" ]] || problem "got '$1', expected '$2'"; }
there_is() { [[ -s $1 ]] || problem "$1 is missing or empty"; }
there_is_no() { [[ ! -e $1 ]] || problem "$1 should not be there"; }

# The only files in a folder, by name.
holds() { # folder, names...
    local folder=$1
    shift
    same "$(find "$folder" -mindepth 1 -printf '%f\n' | sort)" "$( (($#)) && printf '%s\n' "$@" | sort)"
}

have_python=false
if command -v python3 > /dev/null; then have_python=true; fi

is_json() {
    $have_python || return 0
    python3 -IS -m json.tool < "$scratch/.out" > /dev/null 2> "$scratch/.why" && return
    problem "not JSON: $(cat "$scratch/.why")"
}

# A Python expression over the JSON on standard output, called j.
json() { # expression, expected
    $have_python || return 0
    local got
    got=$(python3 -ISc 'import json, sys; j = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1" \
        < "$scratch/.out" 2>&1)
    [[ $got == "$2" ]] || problem "$1 is '$got', expected '$2'"
}

case_of() { # title, function
    [[ $1 == *"$wanted"* ]] || return 0
    problems=()
    input=/dev/null
    skip_reason=''
    mkdir -p "$scratch/t" && cd "$scratch/t" || exit 1
    "$2"
    cd "$scratch" && rm -rf t
    if ((${#problems[@]})); then
        failed=$((failed + 1))
        echo "FAILED  $1"
        printf '        %s\n' "${problems[@]}"
    elif [[ -n $skip_reason ]]; then
        skipped=$((skipped + 1))
        echo "skipped $1: $skip_reason"
    else
        passed=$((passed + 1))
    fi
}

# --- version, help --------------------------------------------------------------------------------------------

version_of_header() {
    sed -nE 's/^#define WEFT_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' "$source_dir/include/weft.h" | paste -sd.
}

t_version() {
    exits 0 --version
    same "${out%%[ ,]*}" weft
    says "weft $(version_of_header)"
    is_silent
    exits 0 --version --json
    json 'j["version"]' "$(version_of_header)"
}

t_alone() {
    exits 2
    complains Commands
    same "$out" ''
}

t_help() {
    exits 0 help
    local topic topics
    topics=$(awk '/^  [a-z]/ && $1 != "weft" { print $1 }' <<< "$out")
    exits 0 help generate
    topics+=" $(awk '/^Kinds/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<< "$out")"
    for topic in $topics; do
        exits 0 help "$topic"
        [[ ${#out} -gt 60 ]] || problem "help $topic says too little"
    done
    for topic in info convert generate neighbors doctor help degree formats exit-codes ids rmat er karate; do
        [[ " ${topics//$'\n'/ } " == *" $topic "* ]] || problem "help does not list $topic"
    done
    exits 0 info --help
    says 'weft info FILE'
    exits 0 generate grid -h
    says --rows
    exits 0 help formats --json
    json 'j["topic"]' formats
    json '"edgelist" in j["text"]' True
    exits 2 help infp
    complains 'did you mean info'
}

t_manual() {
    local manual=$source_dir/docs/man/weft.1 plain topic flag number
    plain=$(sed 's/\\-/-/g; s/\\f[A-Z]//g' "$manual")
    for topic in info convert generate neighbors doctor degree; do
        weft_says help "$topic"
        while read -r flag; do
            [[ $plain == *"$flag"* ]] || problem "the man page lacks $flag"
        done < <(grep -oE '^ +(-[a-z], )?--[a-z][a-z-]*' <<< "$out" | grep -oE -- '--[a-z-]+')
    done
    weft_says help exit-codes
    while read -r number; do
        grep -qxF ".B $number" "$manual" || problem "the man page lacks exit code $number"
    done < <(grep -oE '^ +[0-9]+ ' <<< "$out")
}

t_completion() {
    # shellcheck source=/dev/null
    source "$source_dir/completions/weft.bash"
    complete_words() {
        COMP_WORDS=("$weft" "$@")
        COMP_CWORD=$#
        _weft
    }
    complete_words in
    same "${COMPREPLY[*]}" info
    complete_words info --und
    same "${COMPREPLY[*]}" --undirected
    complete_words convert a b --to mt
    same "${COMPREPLY[*]}" mtx
    complete_words generate rm
    same "${COMPREPLY[*]}" rmat
    complete_words generate rmat --sc
    same "${COMPREPLY[*]}" --scale
    complete_words info --ids st
    same "${COMPREPLY[*]}" string
    touch graph.txt
    complete_words info gra
    same "${COMPREPLY[*]}" graph.txt
}

# --- usage ----------------------------------------------------------------------------------------------------

t_unknown() {
    exits 2 inof "$karate"
    complains 'did you mean info'
    exits 2 info --undirectd "$karate"
    complains 'did you mean --undirected'
    exits 2 info --top 3 "$karate"
    complains 'no flag --top'
    exits 2 info -x "$karate"
    complains 'no flag -x'
    exits 2 neighbors "$karate" -of 34
    complains 'did you mean --of'
    exits 2 generate rmta
    complains 'did you mean rmat'
    exits 2 generate
    complains KIND
    exits 2 info --format edgelst "$karate"
    complains 'did you mean edgelist'
    exits 2 "$karate"
    complains 'weft info'
    exits 2 degree "$karate" --by totl
    complains 'did you mean total'
    there_is_no f
}

t_operands() {
    exits 2 info
    complains FILE
    exits 2 info "$karate" "$karate"
    complains 'one word too many'
    exits 2 convert "$karate"
    complains OUT
    exits 2 neighbors "$karate"
    complains --of
    exits 2 neighbors "$karate" --of 1 --edge 1 2
}

t_values() {
    exits 2 info --threads 99999 "$karate"
    complains 'from 0 to 4096'
    exits 2 info --threads two "$karate"
    complains 'whole number'
    exits 2 info --threads
    complains 'needs a value'
    exits 2 info --threads --json "$karate"
    complains 'needs a value'
    exits 2 degree --top -1 "$karate"
    exits 2 degree --top 99999999999999999999 "$karate"
    exits 2 info --memory-limit 5X "$karate"
    complains 512M
    exits 2 info --device tpu "$karate"
    complains 'auto|cpu|cuda'
    exits 2 info --json=yes "$karate"
    complains 'takes no value'
    exits 2 generate rmat --scale 99
    complains 'from 1 to 31'
    exits 2 generate er --p 1.5
    complains 'from 0 to 1'
    exits 2 generate er --p nan
}

t_flag_places() {
    local form
    exits 0 info --json "$karate"
    json 'j["vertices"]' 34
    exits 0 info "$karate" --json
    json 'j["vertices"]' 34
    exits 0 --json --threads 2 info "$karate"
    json 'j["vertices"]' 34
    for form in --threads=1 '--threads 1' '-t 1' -t1; do
        # shellcheck disable=SC2086
        exits 0 info $form "$karate"
    done
    cp "$karate" ./--odd.txt
    exits 0 info --json -- --odd.txt
    json 'j["edges"]' 78
    exits 0 info --memory-limit 1.5GiB "$karate"
}

# --- info -----------------------------------------------------------------------------------------------------

t_info() {
    exits 0 info "$karate"
    is_silent
    [[ $out =~ vertices\ +34$'\n' ]] || problem "no line 'vertices 34': $out"
    [[ $out =~ $'\n  'edges\ +78$'\n' ]] || problem "no line 'edges 78': $out"
    [[ $out =~ directed\ +no ]] || problem "not undirected: $out"
    says 'max 17, mean 4.59, median 3'
    says '###'
    LC_ALL=C.UTF-8 exits 0 info "$karate"
    says $'\xe2\x96\x88'
}

t_info_json() {
    exits 0 info --json "$karate"
    is_silent
    is_json
    local key
    for key in vertices:34 records:78 edges:78 arcs:156 directed:False weighted:False self_loops:0 \
        duplicates_dropped:0 isolated:0 max_degree:17 format:edgelist ids:dense id_base:1 median_degree:3; do
        json "j[\"${key%%:*}\"]" "${key#*:}"
    done
    json 'round(j["mean_degree"] * 34)' 156
    json 'j["load_ms"] > 0' True
    json 'sum(b["vertices"] for b in j["degree_histogram"])' 34
}

t_rules() {
    exits 0 info --json "$data/messy.txt"
    json '[j[k] for k in ("vertices", "records", "edges", "arcs", "self_loops", "duplicates_dropped", "ids")]' \
        "[4, 6, 5, 5, 1, 1, 'sparse']"
    exits 0 info --json --undirected "$data/messy.txt"
    json '[j[k] for k in ("edges", "arcs", "duplicates_dropped")]' '[4, 7, 2]'
    exits 0 info --json --duplicates keep --loops drop "$data/messy.txt"
    json '[j[k] for k in ("edges", "self_loops", "self_loops_dropped")]' '[5, 0, 1]'
    exits 0 info --json --vertices 50 "$data/messy.txt"
    json '[j["vertices"], j["isolated"]]' '[50, 46]'
    exits 3 info --weights "$data/messy.txt"
    exits 0 info --json --weights "$data/weighted.txt"
    json '[j["weighted"], j["min_weight"], j["max_weight"]]' '[True, 0.5, 4]'
    exits 0 info --json --weights ignore "$data/weighted.txt"
    json 'j["weighted"]' False
    exits 0 info --json --no-weights "$data/weighted.txt"
    json 'j["weighted"]' False
}

t_stdin() {
    input=$karate
    exits 0 info --json -
    json 'j["edges"]' 78
    exits 0 degree --json -
    json 'len(j["rows"])' 34
    exits 0 convert - k.weft
    there_is k.weft
}

t_verify() {
    exits 0 convert "$karate" k.weft
    exits 0 info --verify k.weft
    says good
    local size
    size=$(stat -c %s k.weft)
    printf '\377' | dd of=k.weft bs=1 seek=$((size - 3)) conv=notrunc status=none
    exits 3 info --verify k.weft
    complains k.weft
}

# --- bad input ------------------------------------------------------------------------------------------------

t_bad_input() {
    exits 3 info nowhere.txt
    complains nowhere.txt
    same "$out" ''
    printf '1 2\n2 3\n3 99999999999999999999\n' > bad.txt
    exits 3 info bad.txt
    complains bad.txt:3:3
    exits 3 info --json bad.txt
    same "$out" ''
    exits 3 neighbors "$karate" --of 99
    complains 99
    exits 3 neighbors "$karate" --edge 1 x
    exits 3 info .
}

t_memory_limit() {
    exits 4 generate rmat --scale 16 --memory-limit 1M
    same "$out" ''
    exits 4 degree "$karate" --memory-limit 100
}

t_device() {
    exits 0 doctor --quick --json
    is_json
    if [[ $out != *'"gpus": 0'* ]]; then
        skip_reason='there is a GPU here'
        return
    fi
    exits 5 doctor --quick --device cuda
    exits 5 degree "$karate" --device cuda
    exits 5 degree "$karate" --device gpu
    exits 0 degree "$karate" --device cpu
    exits 0 degree "$karate" --device auto
}

# --- convert --------------------------------------------------------------------------------------------------

t_convert() {
    exits 0 convert "$karate" k.weft
    says '78 records'
    says '78 undirected edges'
    exits 0 convert k.weft k.mtx
    exits 0 convert k.mtx k.txt.gz --json
    is_json
    json '[j["output_format"], j["edges"], j["format"]]' "['edgelist', 78, 'mtx']"
    exits 0 info --json k.txt.gz
    json '[j["vertices"], j["edges"], j["directed"]]' '[34, 78, False]'
    exits 0 convert k.weft copy.weft --both-directions --quiet
    same "$out" ''
    is_silent
    exits 0 convert --directed "$karate" d.txt
    exits 3 convert --directed "$karate" d.graph
    there_is_no d.graph
    exits 2 convert "$karate" k.ldbc --to ldcb
    exits 0 convert "$karate" odd.name --to metis
    exits 0 info --format metis --json odd.name
    json 'j["edges"]' 78
    holds . k.weft k.mtx k.txt.gz copy.weft d.txt odd.name
}

t_convert_stdout() {
    exits 0 convert "$karate" - --to edgelist
    same "$(grep -vc '#' <<< "$out")" 78
    complains '78 records'
    exits 2 convert "$karate" -
    complains --to
    exits 2 convert "$karate" - --to edgelist --json
}

t_convert_same() {
    cp "$karate" k.txt
    exits 2 convert k.txt ./k.txt
    complains 'same file'
    ln -s k.txt link.txt
    exits 2 convert k.txt link.txt
    cmp -s k.txt "$karate" || problem 'the file has changed'
}

t_convert_keeps_old() {
    echo precious > old.graph
    exits 3 convert --directed "$karate" old.graph
    same "$(cat old.graph)" precious
    holds . old.graph
}

# --- generate -------------------------------------------------------------------------------------------------

t_generate_kinds() {
    local kind kinds
    exits 0 help generate
    kinds=$(awk '/^Kinds/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<< "$out")
    same "$(wc -w <<< "$kinds")" 14
    for kind in $kinds; do
        case $kind in
        rmat) exits 0 generate rmat --scale 8 --json ;;
        grid) exits 0 generate grid --rows 20 --json ;;
        karate) exits 0 generate karate --json ;;
        *) exits 0 generate "$kind" -n 100 --json ;;
        esac
        is_json
        json "j['kind'] == '$kind' and j['edges'] > 0 and len(j['checksum'])" 16
    done
    holds .
}

t_generate_threads() {
    local one
    exits 0 generate rmat --scale 12 --degree 8 --threads 1
    one=$(grep checksum <<< "$out")
    [[ -n $one ]] || problem 'no checksum'
    exits 0 generate rmat --scale 12 --degree 8 --threads 3
    same "$(grep checksum <<< "$out")" "$one"
    exits 0 generate --threads 2 --seed 7 rmat --scale 12 --degree 8
    [[ $(grep checksum <<< "$out") != "$one" ]] || problem 'another seed gives the same graph'
}

t_generate_files() {
    exits 0 generate karate -o k.txt
    says 'wrote k.txt'
    exits 0 generate karate -o - --to edgelist
    same "$(grep -vc '#' <<< "$out")" 78
    exits 2 generate karate -o -
    exits 2 generate karate -o - --to edgelist --json
    exits 0 generate -o star --to edgelist cycle -n 5 --json # a file may be called like a kind
    json '[j["kind"], j["edges"], j["output"]]' "['cycle', 5, 'star']"
    exits 2 generate karate -o star
    complains --to
    exits 0 generate grid --rows 3 --columns 4 --torus -o g.weft --json
    json '[j["vertices"], j["edges"], j["output"]]' "[12, 24, 'g.weft']"
    exits 0 generate path -n 10 --directed --json
    json '[j["edges"], j["directed"]]' '[9, True]'
}

# --- algorithms -----------------------------------------------------------------------------------------------

t_degree() {
    exits 0 degree "$karate" --top 3
    same "$(awk '$1 ~ /^[0-9]+$/ && NF == 4 { print $1, $4 }' <<< "$out" | paste -sd,)" '34 17,1 16,33 12'
    exits 0 degree "$karate"
    same "$(awk '$1 ~ /^[0-9]+$/ && NF == 4' <<< "$out" | wc -l)" 10
    says 'and 24 more'
    exits 0 degree "$karate" --top 100
    same "$(awk '$1 ~ /^[0-9]+$/ && NF == 4 { print $4, -$1 }' <<< "$out")" \
        "$(awk '$1 ~ /^[0-9]+$/ && NF == 4 { print $4, -$1 }' <<< "$out" | sort -k1,1nr -k2,2nr)"
    exits 0 degree "$karate" --top 0
    exits 0 degree "$karate" --plan
    says method
    says_not 'total'
    exits 0 degree "$karate" --plan --json
    json 'j["device"]' cpu
}

t_degree_directed() {
    exits 0 degree "$data/weighted.txt" --by out --top 1 --json
    json 'j["rows"]' "[{'id': 10, 'in': 0, 'out': 2, 'total': 2}]"
    exits 0 degree "$data/weighted.txt" --by in --top 1 --json
    json 'j["rows"][0]["id"]' 30
}

t_degree_json() {
    exits 0 degree "$karate" --json
    is_json
    json 'len(j["rows"])' 34
    json '[r["id"] for r in j["rows"]] == list(range(1, 35))' True
    json 'j["rows"][33]["total"]' 17
    json 'sum(r["total"] for r in j["rows"])' 156
    json 'sum(t["degree"] * t["count"] for t in j["table"])' 156
    exits 0 degree "$karate" --json --top 2
    json '[r["id"] for r in j["rows"]]' '[34, 1]'
    exits 0 degree "$karate" --json --table
    json '"rows" in j' False
}

t_degree_table() {
    exits 0 degree "$karate" --table
    says_not 'total'
    same "$(awk 'NF == 2 && $1 ~ /^[0-9]+$/ { s += $1 * $2 } END { print s }' <<< "$out")" 156
    exits 0 degree "$karate" --distribution -o -
    same "$(awk 'NR > 1 { n += $2 } END { print n }' <<< "$out")" 34
}

# --- result files ---------------------------------------------------------------------------------------------

t_out_text() {
    exits 0 degree "$karate" -o d.tsv
    same "$(head -n 2 d.tsv | tr '\t\n' ',;')" 'id,in,out,total;1,16,16,16;'
    same "$(wc -l < d.tsv)" 35
    exits 0 degree "$karate" -o d.csv --top 2
    same "$(paste -sd';' d.csv)" 'id,in,out,total;34,17,17,17;1,16,16,16'
    exits 0 degree "$karate" -o -
    same "$out" "$(cat d.tsv)"
    exits 0 degree "$karate" -o d.tsv --quiet
    same "$out" ''
    is_silent
    exits 2 degree "$karate" -o d.xls
    complains .npy
    exits 3 degree "$karate" -o no/such/folder/d.tsv
    complains no/such/folder
    holds . d.tsv d.csv
    same "$(stat -c %a d.csv)" "$(touch x && stat -c %a x)"
}

t_out_json() {
    exits 0 degree "$karate" -o d.json --json
    json '[j["output"], j["output_rows"], "rows" in j]' "['d.json', 34, False]"
    cp d.json "$scratch/.out"
    is_json
    json 'len(j["rows"])' 34
    exits 0 degree "$karate" -o - --json
    json 'len(j["rows"])' 34
}

t_out_npy() {
    if ! $have_python; then
        skip_reason='no python3 here'
        return
    fi
    exits 0 degree "$karate" -o d.npy
    exits 0 degree "$karate" --table -o table.npy
    exits 0 neighbors "$data/weighted.txt" --of 10 -o n.npy
    exits 0 degree "$data/names.csv" -o names.npy
    complains 'names'
    local got
    got=$(python3 "$source_dir/tests/cli/read_npy.py" d.npy:-1 table.npy:-1 n.npy:1 names.npy:0 2>&1) || problem "$got"
    same "$(sed -n 1p <<< "$got")" "d.npy 34 id,in,out,total (34, 17, 17, 17)"
    same "$(sed -n 2p <<< "$got")" "table.npy 11 degree,count (17, 1)"
    same "$(sed -n 3p <<< "$got")" "n.npy 2 of,direction,neighbor,weight (10, b'out', 30, 0.5)"
    same "$(sed -n 4p <<< "$got")" "names.npy 4 in,out,total (0, 2, 2)"
}

t_out_link() {
    echo old > real.tsv
    ln -s real.tsv link.tsv
    exits 0 degree "$karate" -o link.tsv
    [[ -L link.tsv ]] || problem 'the link was replaced'
    same "$(wc -l < real.tsv)" 35
}

t_full_disk() {
    if [[ ! -w /dev/full ]]; then
        skip_reason='no /dev/full here'
        return
    fi
    "$weft" info "$karate" > /dev/full 2> "$scratch/.err"
    same $? 3
    err=$(cat "$scratch/.err")
    complains 'No space left'
    "$weft" convert "$karate" - --to edgelist > /dev/full 2> "$scratch/.err"
    same $? 3
    "$weft" degree "$karate" --json > /dev/full 2> /dev/null
    same $? 3
    exits 3 degree "$karate" -o /dev/full
    complains 'No space left'
    exits 3 convert "$karate" /dev/full --to edgelist
    [[ -c /dev/full ]] || problem '/dev/full is gone'
}

# A limit on the size of files is the full disk that every user can make.
t_file_limit() {
    exits 0 generate path -n 100000 -o big.weft
    echo precious > d.tsv
    (
        ulimit -f 16
        "$weft" degree big.weft -o d.tsv 2> "$scratch/.err"
    )
    same $? 3
    err=$(cat "$scratch/.err")
    complains d.tsv
    same "$(cat d.tsv)" precious
    (
        ulimit -f 16
        "$weft" convert big.weft big.txt 2> "$scratch/.err"
    )
    same $? 3
    (
        ulimit -f 16
        "$weft" generate path -n 100000 -o other.weft 2> "$scratch/.err"
    )
    same $? 3
    holds . big.weft d.tsv
}

t_pipe() {
    exits 0 generate path -n 300000 -o big.weft
    local codes
    "$weft" degree big.weft -o - 2> "$scratch/.err" | head -n 1 > /dev/null
    codes=${PIPESTATUS[0]}
    same "$codes" 0
    same "$(cat "$scratch/.err")" ''
    "$weft" convert big.weft - --to edgelist --quiet 2> "$scratch/.err" | head -n 1 > /dev/null
    codes=${PIPESTATUS[0]}
    same "$codes" 0
    same "$(cat "$scratch/.err")" ''
}

# --- Ctrl-C ---------------------------------------------------------------------------------------------------

t_interrupt() {
    local signal
    for signal in INT TERM; do
        timeout --preserve-status -k 20 -s $signal 0.4 "$weft" generate rmat --scale 24 --degree 32 -o big.weft \
            > "$scratch/.out" 2> "$scratch/.err"
        same $? 130
        same "$(cat "$scratch/.err")" 'weft: interrupted'
        holds .
    done
}

t_interrupt_writing() {
    exits 0 generate path -n 3000000 -o big.weft
    # The graph is written to a pipe that nobody empties, so that the signal comes in the middle of the work.
    mkfifo slow
    { exec 3< slow; sleep 3; } &
    local reader=$!
    timeout --preserve-status -k 20 -s INT 0.6 "$weft" convert big.weft - --to edgelist > slow 2> "$scratch/.err"
    same $? 130
    kill "$reader" 2> /dev/null
    wait "$reader" 2> /dev/null
    holds . big.weft slow
}

t_interrupt_reading() {
    mkfifo slow
    sleep 3 > slow &
    local writer=$!
    timeout --preserve-status -k 20 -s INT 0.4 "$weft" info - < slow > "$scratch/.out" 2> "$scratch/.err"
    same $? 130
    kill "$writer" 2> /dev/null
    wait "$writer" 2> /dev/null
}

# --- neighbors, ids -------------------------------------------------------------------------------------------

t_neighbors() {
    exits 0 neighbors "$karate" --of 34
    says '34 has 17 neighbours'
    says '9 10 14 15 16 19 20 21 23 24 27 28 29 30 31 32 33'
    exits 0 neighbors "$karate" --of 12 --json
    is_json
    json 'j["lists"]' "[{'of': 12, 'direction': 'both', 'count': 1, 'neighbors': [1]}]"
    exits 0 neighbors "$karate" --of 12 1 --of 17 --json
    json '[l["of"] for l in j["lists"]]' '[12, 17, 1]'
    exits 0 neighbors --of 12 "$karate" --json
    json 'len(j["lists"])' 1
    exits 0 neighbors "$karate" --of 12 17 -o n.tsv
    same "$(tr '\t\n' ',;' < n.tsv)" 'of,direction,neighbor;12,both,1;17,both,6;17,both,7;'
    exits 0 neighbors "$karate" --of 34 --top 2
    says 'and 15 more'
}

t_neighbors_directed() {
    exits 0 neighbors "$data/weighted.txt" --of 20 --json
    json 'j["lists"][0]' "{'of': 20, 'direction': 'out', 'count': 1, 'neighbors': [{'id': 30, 'weight': 4}]}"
    json 'j["lists"][1]' "{'of': 20, 'direction': 'in', 'count': 1, 'neighbors': [{'id': 10, 'weight': 1.5}]}"
    exits 0 neighbors "$data/weighted.txt" --of 20
    says '20 has 1 out-neighbour (weight)'
    says '30 (4)'
}

t_edge() {
    exits 0 neighbors "$karate" --edge 1 2
    says yes
    exits 1 neighbors "$karate" --edge 1 34
    says 'no such edge'
    is_silent
    exits 1 neighbors "$karate" --edge 1 34 --json
    is_json
    json 'j["exists"]' False
    exits 0 neighbors "$data/weighted.txt" --edge 10 30 --json
    json '[j["exists"], j["weight"], j["count"]]' '[True, 0.5, 1]'
    exits 1 neighbors "$data/weighted.txt" --edge 30 10
    exits 2 neighbors "$data/weighted.txt" --edge 30
}

t_names() {
    exits 0 info --json "$data/names.csv"
    json 'j["ids"]' string
    exits 0 degree "$data/names.csv" --top 1 --by out
    says 'Ada, Countess'
    exits 0 degree "$data/names.csv" -o d.csv
    same "$(sed -n 2p d.csv)" '"Ada, Countess",0,2,2'
    exits 0 neighbors "$data/names.csv" --of 'Ada, Countess' --json
    json 'j["lists"][0]["neighbors"]' "['Blaise', 'Charles']"
    exits 0 neighbors "$data/names.csv" --edge Blaise Charles
    exits 3 neighbors "$data/names.csv" --of Ada
    exits 0 convert "$data/names.csv" n.weft
    exits 0 neighbors n.weft --of 'Ada, Countess' --json
    json 'j["lists"][0]["count"]' 2
}

# Names may hold any byte: JSON stays valid, the terminal is not steered.
t_odd_names() {
    printf 'a"b back\\slash\n\377\376 caf\303\251\nesc\033[2J a"b\n' > odd.txt
    exits 0 degree odd.txt --ids string --json
    is_json
    json 'sorted(r["id"] for r in j["rows"])[0]' 'a"b'
    json '"caf\u00e9" in [r["id"] for r in j["rows"]]' True
    json '"\u00ff\u00fe" in [r["id"] for r in j["rows"]]' True
    exits 0 degree odd.txt --ids string
    says_not $'\033'
    exits 0 info --ids string --json "$karate"
    json 'j["ids"]' string
}

t_negative_ids() {
    printf -- '-5 3\n3 -7\n' > negative.txt
    exits 0 neighbors negative.txt --of -5 --json
    json 'j["lists"][0]["neighbors"]' '[3]'
    exits 0 neighbors negative.txt --edge 3 -7
}

t_doctor() {
    exits 0 doctor --quick
    says CPU
    says GPU
    exits 0 doctor --quick --json
    is_json
    json 'j["cores"] >= 1 and j["memory_bytes"] > 0' True
    json 'j["version"]' "$(version_of_header)"
}


# --------------------------------------------------------------------------------------------------------------

case_of 'the version is the header'"'"'s' t_version
case_of 'weft alone shows the overview and exits 2' t_alone
case_of 'every topic has help' t_help
case_of 'the man page has every flag and exit code' t_manual
case_of 'completion offers commands, flags, formats, kinds and files' t_completion
case_of 'unknown words are answered with the nearest name' t_unknown
case_of 'operands are counted' t_operands
case_of 'values are checked against their range' t_values
case_of 'flags stand anywhere' t_flag_places
case_of 'info shows the karate club' t_info
case_of 'info --json has the promised keys' t_info_json
case_of 'rules for duplicates, loops, vertices and weights' t_rules
case_of 'a dash is standard input' t_stdin
case_of 'info --verify finds a changed byte' t_verify
case_of 'bad input exits 3' t_bad_input
case_of 'over the memory limit exits 4' t_memory_limit
case_of 'a GPU that is not there exits 5' t_device
case_of 'convert' t_convert
case_of 'convert to standard output' t_convert_stdout
case_of 'convert refuses to overwrite its input' t_convert_same
case_of 'a failed convert leaves the old file' t_convert_keeps_old
case_of 'every kind of graph is generated' t_generate_kinds
case_of 'the checksum does not depend on threads' t_generate_threads
case_of 'generate writes files' t_generate_files
case_of 'degree shows the largest rows' t_degree
case_of 'degree sorts by any column' t_degree_directed
case_of 'degree --json has all rows' t_degree_json
case_of 'degree --table shows the distribution' t_degree_table
case_of 'results as tsv and csv' t_out_text
case_of 'results as json' t_out_json
case_of 'results as npy' t_out_npy
case_of 'a symbolic link stays one' t_out_link
case_of 'a full disk exits 3' t_full_disk
case_of 'a limit on file sizes leaves the old file' t_file_limit
case_of 'a reader that leaves is no failure' t_pipe
case_of 'an interrupted generate leaves nothing' t_interrupt
case_of 'an interrupted writer stops' t_interrupt_writing
case_of 'an interrupted reader stops' t_interrupt_reading
case_of 'neighbors lists' t_neighbors
case_of 'neighbors of a directed graph with weights' t_neighbors_directed
case_of 'neighbors --edge answers with the exit code' t_edge
case_of 'ids may be names' t_names
case_of 'ids may be any bytes' t_odd_names
case_of 'ids may be negative' t_negative_ids
case_of 'doctor' t_doctor
if ! $have_python; then
    skipped=$((skipped + 1))
    echo 'skipped the content of JSON: no python3 here'
fi

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
