#!/usr/bin/env bash
# Checkpoints over MPI: a run on 3 ranks is stopped at random, by SIGTERM to the launcher, to one rank or by SIGKILL, and goes on on 5 ranks or in one process, with the
# bytes of a run that was never stopped.
set -euo pipefail
# shellcheck source=tests/ranks/mpi.sh
. "${WEFT_SOURCE_DIR:?}/tests/ranks/mpi.sh"

# Long iterations rather than many: on cores that others use too, ranks wait for each other in each of them, 30 ms and more.
"$weft" generate rmat --scale 15 --degree 8 --max-weight 50 -o arcs.weft -q > one.log
words=(pagerank "$scratch/arcs.weft" --weights --iterations 400)
"$weft" "${words[@]}" -o one.tsv -q

# Three ranks, with a checkpoint after each iteration; returns at random after the first, again if they were done before.
start_run() { # launcher
    local tries
    for ((tries = 0; tries < 10; tries++)); do
        rm -rf saved ranks.tsv
        "$1" -n 3 "$weft" "${words[@]}" -o ranks.tsv --checkpoint saved --every 0 > said.txt 2>&1 < "$scratch/silence" &
        job=$!
        while [[ ! -e saved/pagerank.checkpoint ]] && kill -0 "$job" 2> /dev/null; do sleep 0.01; done
        sleep "0.0$((10 + RANDOM % 40))"
        [[ -n $(ranks_of "$scratch/arcs.weft") ]] && return
        wait "$job" || true
    done
}

# Such a run and a signal; again if it was done before the signal had come to all ranks.
stop_run() { # launcher, signal, "launcher" or "rank"
    local tries
    for ((tries = 0; tries < 5; tries++)); do
        start_run "$1"
        case $3 in launcher) kill "$2" "$job" ;; *) kill "$2" "$(ranks_of "$scratch/arcs.weft" | tail -n 1)" ;; esac || true
        got=0
        wait "$job" || got=$?
        [[ -e ranks.tsv ]] || return 0
    done
}

# Ended, and nothing but the checkpoint is left.
stopped() { # title, code of the launcher or "killed"
    local tries
    # MPICH's launcher does not always wait for the codes of ranks that a signal to itself has ended.
    if [[ $2 == killed ]]; then
        check_killed "$1: exit code" "${1%%:*}" "$got"
    elif [[ $1 != 'mpich: SIGTERM to the launcher' || $got != 0 ]]; then
        check "$1: exit code" "$2" "$got"
    fi
    for ((tries = 0; tries < 100; tries++)); do
        [[ -n $(ranks_of "$scratch/arcs.weft") ]] || break
        sleep 0.1
    done
    check "$1: no process is left" '' "$(ranks_of "$scratch/arcs.weft")"
    check "$1: no result yet" '' "$(find . -name 'ranks.tsv*')"
}

# Says after which iteration, once.
tells() { # title
    local said
    said=$(grep '^weft: stopped' said.txt || true)
    # shellcheck disable=SC2053
    [[ $said == 'weft: stopped by SIGTERM after iteration '+([0-9])'; checkpoint in saved; the same command resumes it' ]] ||
        check "$1: is told once" 'stopped by SIGTERM' "$(cat said.txt)"
    check "$1: a checkpoint, and nothing beside it" pagerank.checkpoint "$(ls saved)"
}

# To the end: the bytes of a run that was never stopped, and no checkpoint.
goes_on() { # title, launcher...
    local title=$1
    shift
    "$@" "$weft" "${words[@]}" -o ranks.tsv --checkpoint saved > said.txt 2>&1 || true
    [[ $(cat said.txt) == *'weft: pagerank goes on after iteration '*', from saved/pagerank.checkpoint'* ]] ||
        check "$title: it goes on" 'goes on after iteration' "$(cat said.txt)"
    check "$title: the same bytes" same "$(cmp one.tsv ranks.tsv 2>&1 && echo same)"
    check "$title: the checkpoint is gone" '' "$(find saved -name '*.checkpoint')"
    rm -rf saved ranks.tsv
}

# --timeout saves it too; with more time for each try, since starting ranks counts.
runs_out_of_time() { # mpi, launcher
    local seconds got endless=(hits "$scratch/arcs.weft" --weights --iterations 1000000000 --checkpoint saved)
    for seconds in 1 2 4 8 16 32; do
        got=0
        "$2" -n 3 "$weft" "${endless[@]}" --timeout $seconds > said.txt 2>&1 || got=$?
        check "$1: --timeout, exit code" 124 "$got"
        [[ ! -e saved/hits.checkpoint ]] || break
    done
    # shellcheck disable=SC2053
    [[ $(grep '^weft: ' said.txt) == 'weft: the time of --timeout was up after iteration '+([0-9])'; checkpoint in saved; the same command resumes it' ]] ||
        check "$1: --timeout is told once" 'the time of --timeout was up after iteration' "$(cat said.txt)"
    "$weft" "${endless[@]}" --timeout $seconds > said.txt 2>&1 || true
    check "$1: one process goes on after --timeout" 1 "$(grep -c '^weft: hits goes on after iteration [1-9]' said.txt)"
    rm -rf saved
}

checkpoints() { # mpi, launcher
    local code
    case $1 in openmpi) code=1 ;; *) code=75 ;; esac # Open MPI's launcher has a code of its own
    stop_run "$2" -TERM launcher
    stopped "$1: SIGTERM to the launcher" $code
    tells "$1: SIGTERM to the launcher"
    goes_on "$1: SIGTERM to the launcher, then 5 ranks" "$2" -n 5

    stop_run "$2" -TERM rank
    stopped "$1: SIGTERM to one rank" 75
    tells "$1: SIGTERM to one rank"
    goes_on "$1: SIGTERM to one rank, then one process" env

    stop_run "$2" -KILL rank
    stopped "$1: SIGKILL to one rank" killed
    goes_on "$1: SIGKILL to one rank, then 2 ranks" "$2" -n 2

    runs_out_of_time "$1" "$2"

    mkdir saved
    fails "$1" "$2" 2 'weft bfs has no flag --checkpoint; see: weft help bfs' bfs arcs.weft --checkpoint saved
    "$weft" generate rmat --scale 10 -o saved/hits.checkpoint --to weft -q > one.log
    fails "$1" "$2" 3 "saved/hits.checkpoint is no checkpoint of Weft's" hits arcs.weft --weights --checkpoint saved
    rm -r saved
}

shopt -s extglob
with_each_mpi checkpoints
