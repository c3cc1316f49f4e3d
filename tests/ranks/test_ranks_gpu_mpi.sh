#!/usr/bin/env bash
# Ranks on a GPU over MPI: 1, 2 and 4 of them that share one (2 of MPICH), staged through host memory and over NCCL: every algorithm has the bytes of one machine, in one launch for
# each number and way, and so has what the program writes.  And what is refused before anything is read.
set -euo pipefail
# shellcheck source=tests/ranks/mpi.sh
. "${WEFT_SOURCE_DIR:?}/tests/ranks/mpi.sh"

# WEFT_TEST_PART=1/2: staged alone; 2/2: NCCL.
case ${WEFT_TEST_PART:-} in 1/2) ways=staged ;; 2/2) ways=nccl ;; *) ways='staged nccl' ;; esac
unset WEFT_TEST_PART

gpu() { "$weft" doctor --json --quick 2> /dev/null | grep -q '"gpu": *{'; }
nccl() { "$weft" doctor --json --quick | tr -d '\n ' | grep -q '"nccl":{"usable":true'; }
export NCCL_SOCKET_IFNAME=lo NCCL_MAX_CTAS=2

# NCCL takes each rank for a machine of its own, and so lets them share a GPU.
launch() { # launcher, ranks, way, command...
    local start=$1 ranks=$2 way=$3
    shift 3
    # shellcheck disable=SC2016
    WEFT_DEVICE_TRANSPORT=$way "$start" -n "$ranks" sh -c 'NCCL_HOSTID=r${OMPI_COMM_WORLD_RANK:-$PMI_RANK} exec "$@"' x "$@" > said.txt 2>&1 || true
}

# The same command on a CPU alone and on ranks: the same file.
same() { # mpi, launcher, ranks, way, words...
    local mpi=$1 start=$2 ranks=$3 way=$4
    shift 4
    "$weft" "$@" --device cpu -o one.tsv -q
    launch "$start" "$ranks" "$way" "$weft" "$@" --device cuda -o ranks.tsv -q
    check "$mpi, $way: weft $* on $ranks ranks says nothing" '' "$(cat said.txt)"
    check "$mpi, $way: weft $* on $ranks ranks" same "$(cmp one.tsv ranks.tsv 2>&1 && echo same)"
    rm -f one.tsv ranks.tsv
}

"$weft" generate rmat --scale 11 --degree 8 --max-weight 50 -o arcs.weft -q > one.log
"$weft" generate rmat --scale 10 --undirected -o edges.weft -q > one.log

all_on() { # mpi, launcher
    local ranks way sizes=(1 2 4)
    [[ $1 == mpich ]] && sizes=(2)
    WEFT_DEVICE_TRANSPORT=pigeon fails "$1" "$2" 2 '*WEFT_DEVICE_TRANSPORT is "pigeon", but must be nccl or staged' degree arcs.weft
    if ! gpu; then
        echo "skipped $1 on GPUs: no GPU"
        skipped=$((skipped + 1))
        return
    fi
    for ranks in "${sizes[@]}"; do
        for way in $ways; do
            [[ $way == staged ]] || nccl || continue
            launch "$2" "$ranks" $way "$build/tests/test_ranks_gpu" launched
            check "$1, $way: $ranks ranks have the bytes of one machine" "$ranks" "$(grep -c '^1 passed, 0 failed, 0 skipped' said.txt || true)"
            [[ $failed == 0 ]] || grep -v '^1 passed' said.txt | head -20
            same "$1" "$2" "$ranks" $way pagerank arcs.weft --weights
            same "$1" "$2" "$ranks" $way sssp edges.weft
        done
    done
    WEFT_DEVICE_TRANSPORT=pigeon fails "$1" "$2" 2 '*WEFT_DEVICE_TRANSPORT is "pigeon", but must be nccl or staged' degree arcs.weft --device cuda
}
with_each_mpi all_on
