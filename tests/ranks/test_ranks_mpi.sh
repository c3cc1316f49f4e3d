#!/usr/bin/env bash
# Ranks over MPI, Open MPI and MPICH where they are: the collective calls between processes, and the program under mpirun: the bytes of one
# process, what it refuses, how it fails.
set -euo pipefail
build=${WEFT_BINARY_DIR:?}
export WEFT_PLUGINS=$build OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0

check() { # title, expected, got
    if [[ $2 == "$3" ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\nexpected: %s\ngot: %s\n' "$1" "$2" "$3" >&2
    fi
}

# The launcher of an MPI whose plug-in was built; nothing if it is not there.
launcher() { # openmpi or mpich
    [[ -e $build/libweft_mpi_$1.so ]] || return 0
    command -v "mpiexec.$1" || true
}

collectives() { # mpi, launcher
    local said
    said=$("$2" -n 3 "$build/tests/test_comm" launched 2>&1 | grep -c '^1 passed, 0 failed, 0 skipped' || true)
    check "$1: three ranks, all calls right" 3 "$said"
}

weft=${WEFT_BIN:?}
cd "$scratch"
"$weft" generate rmat --scale 11 --degree 8 --max-weight 50 -o arcs.weft -q > one.log
"$weft" generate rmat --scale 10 --undirected -o edges.weft -q > one.log
"$weft" convert edges.weft edges.txt -q
"$weft" pagerank arcs.weft --memory-limit 20k 2>&1 | sed 's/^weft: //' > limit.txt || true
printf 'anna bert\nbert carl\ndora emil\n' > names.txt
"$weft" convert names.txt names.weft --undirected -q

# A program that calls Weft from an MPI program of its own.
guest() { # mpi, launcher
    local flags=(-I"${WEFT_SOURCE_DIR:?}/include" -L"$build" -lweft "-Wl,-rpath,$build")
    if ! command -v "mpicc.$1" > /dev/null || ! "mpicc.$1" "$WEFT_SOURCE_DIR/tests/ranks/own_mpi.c" "${flags[@]}" -o own_mpi 2> own.log; then
        check "$1: a program of one's own compiles" '' "$(cat own.log)"
        return
    fi
    "$2" -n 3 ./own_mpi arcs.weft > own.txt 2>&1 || true
    check "$1: two ranks of three share a run, the third runs alone: the same digest" '2 digest' "$(sort own.txt | uniq -c | awk '{print $1, $2}')"
}

# The ranks of a run, which ends by itself in years: those processes that are the program.
ranks_of() { # file
    for pid in $(pgrep -f "$1"); do
        [[ $(readlink "/proc/$pid/exe") != "$(realpath "$weft")" ]] || echo "$pid"
    done
}

# A signal to the launcher, or kill -9 to one rank: all end, with this code, and leave nothing behind.
ends() { # mpi, launcher, signal, code
    local pid got=0 tries
    "$2" -n 3 "$weft" pagerank "$scratch/edges.weft" --iterations 1000000000 -o long.tsv > said.txt 2>&1 &
    pid=$!
    for ((tries = 0; tries < 600; tries++)); do
        [[ $(ranks_of "$scratch/edges.weft" | wc -l) != 3 ]] || break
        sleep 0.1
    done
    sleep 2 # they have met
    if [[ $3 == KILL ]]; then
        kill -KILL "$(ranks_of "$scratch/edges.weft" | tail -1)"
    else
        kill "-$3" "$pid"
    fi
    wait "$pid" || got=$?
    check "$1: SIG$3, exit code" "$4" "$got"
    for ((tries = 0; tries < 600; tries++)); do
        [[ -n $(ranks_of "$scratch/edges.weft") ]] || break
        sleep 0.1
    done
    check "$1: SIG$3, no process is left" '' "$(ranks_of "$scratch/edges.weft")"
    [[ $3 == KILL ]] || check "$1: SIG$3 is told once" 'weft: interrupted' "$(grep '^weft: ' said.txt)"
}

# The same command alone and on ranks: the same file.
same() { # mpi, launcher, ranks, words...
    local mpi=$1 start=$2 ranks=$3
    shift 3
    "$weft" "$@" -o one.tsv -q
    "$start" -n "$ranks" "$weft" "$@" -o ranks.tsv -q > said.txt 2>&1 || true
    check "$mpi: weft $* on $ranks ranks says nothing" '' "$(cat said.txt)"
    check "$mpi: weft $* on $ranks ranks" same "$(cmp one.tsv ranks.tsv 2>&1 && echo same)"
    rm -f one.tsv ranks.tsv
}

# Fails with this code, and says this (a pattern), once.
fails() { # mpi, launcher, code, message, words...
    local mpi=$1 start=$2 code=$3 message=$4 got=0
    shift 4
    "$start" -n 3 "$weft" "$@" > said.txt 2>&1 || got=$?
    check "$mpi: exit code of weft $*" "$code" "$got"
    # shellcheck disable=SC2053
    [[ $(grep '^weft: ' said.txt) == "weft: "$message ]] || check "$mpi: weft $* says why, once" "$message" "$(cat said.txt)"
}

program() { # mpi, launcher
    same "$1" "$2" 3 pagerank arcs.weft --weights
    same "$1" "$2" 2 degree arcs.weft
    same "$1" "$2" 3 components names.weft
    same "$1" "$2" 3 bfs arcs.weft --source 17
    same "$1" "$2" 2 hits edges.weft
    same "$1" "$2" 3 kcore arcs.weft
    same "$1" "$2" 3 labelprop arcs.weft
    "$2" -n 3 "$weft" pagerank edges.weft --json --top 1 > said.json
    check "$1: JSON is printed once, with figures of each rank" '1 3' \
        "$(grep -c '"algorithm"' said.json) $(sed -n 's/.*"rank_sent_bytes": \[\(.*\)\].*/\1/p' said.json | tr ',' '\n' | wc -l)"
    check "$1: --version is said once" 1 "$("$2" -n 3 "$weft" --version | grep -c '^weft ')"
    fails "$1" "$2" 2 '3 ranks cannot share clustering; they can share pagerank,*' clustering arcs.weft
    fails "$1" "$2" 2 'components: strong components are found on one rank only, and 3 were started' components --strong arcs.weft
    fails "$1" "$2" 2 'weft info runs on one rank, and 3 were started; start it by itself' info arcs.weft
    fails "$1" "$2" 2 'edges.txt: ranks share .weft files, and this is edge list*; convert it first' pagerank edges.txt
    fails "$1" "$2" 3 'none.weft: cannot open: No such file or directory' degree none.weft
    fails "$1" "$2" 4 "$(cat limit.txt)" pagerank arcs.weft --memory-limit 20k
    WEFT_PLUGINS=$scratch fails "$1" "$2" 2 "$3 started 3 ranks, but there is no way between them: libweft_mpi_$1.so was not found" degree arcs.weft
    guest "$1" "$2"
    # Launchers have codes of their own for this.
    case $1 in openmpi) codes=(1 1 137) ;; *) codes=(130 130 9) ;; esac
    ends "$1" "$2" INT "${codes[0]}"
    ends "$1" "$2" TERM "${codes[1]}"
    ends "$1" "$2" KILL "${codes[2]}"
    check "$1: no file is left behind" '' "$(find . -name '*.tsv*')"
}

for mpi in openmpi mpich; do
    start=$(launcher $mpi)
    if [[ -z $start ]]; then
        echo "skipped $mpi: it, or its plug-in, is not there"
        skipped=$((skipped + 1))
        continue
    fi
    collectives $mpi "$start"
    case $mpi in openmpi) name='mpirun (Open MPI)' ;; *) name='mpiexec (MPICH)' ;; esac
    program $mpi "$start" "$name"
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[[ $failed == 0 ]] || exit 1
[[ $passed != 0 ]] || exit 77
