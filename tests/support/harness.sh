# A small harness for tests of the program; sourced by test_cli.sh, which sets weft, scratch and wanted.
# shellcheck shell=bash disable=SC2034,SC2154

passed=0 failed=0 skipped=0
problems=()
out='' err='' code=0

problem() { problems+=("$1"); }

# Runs weft; what it said is in $out and $err, its exit code in $code.
weft_says() {
    "$weft" "$@" > "$scratch/.out" 2> "$scratch/.err" < "${input:-/dev/null}"
    code=$?
    { out=$(< "$scratch/.out"); } 2> /dev/null # which has no use for bytes that are 0
    err=$(< "$scratch/.err")
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
complains_not() { [[ $err != *"$1"* ]] || problem "standard error has '$1'"; }
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

# shellcheck source=/dev/null
source "${BASH_SOURCE[0]%/*}/processes.sh"

# Starts weft, waits as one of the two above says, sends the signal; the exit code is in $code, what it said in .out and .err.
signalled() { # INT TERM or HUP, "has_worked TICKS" or "has_settled", words...
    local signal=$1 until job
    read -ra until <<< "$2"
    shift 2
    "$weft" "$@" > "${to_stdout:-$scratch/.out}" 2> "$scratch/.err" < "${input:-/dev/null}" &
    job=$!
    "${until[0]}" "$job" "${until[@]:1}"
    kill "-$signal" "$job"
    ends_soon "$job"
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

# WEFT_TEST_PART=2/3: every third case, from the second on.  WEFT_TEST_TIMES=1: how long each takes.
share=${WEFT_TEST_PART:-1/1} cases=0
case_of() { # title, function
    [[ $1 == *"$wanted"* ]] || return 0
    ((cases++ % ${share#*/} == ${share%/*} - 1)) || return 0
    local begun=${EPOCHREALTIME/./}
    problems=()
    input=/dev/null
    skip_reason=''
    mkdir -p "$scratch/t" && cd "$scratch/t" || exit 1
    "$2"
    cd "$scratch" && rm -rf t
    [[ -z ${WEFT_TEST_TIMES:-} ]] || echo "$(((${EPOCHREALTIME/./} - begun) / 1000)) ms  $1"
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
