#!/usr/bin/env bash
# Ranks on a GPU over MPI: 1, 2 and 4 of them that share one, staged through host memory and over NCCL: the bytes of one process on its CPU.  And what is
# refused before anything is read.
set -euo pipefail
# shellcheck source=tests/ranks/mpi.sh
. "${WEFT_SOURCE_DIR:?}/tests/ranks/mpi.sh"

gpu() { "$weft" doctor --json --quick 2> /dev/null | grep -q '"gpu": *{'; }
nccl() { "$weft" doctor --json --quick | tr -d '\n ' | grep -q '"nccl":{"usable":true'; }
export NCCL_SOCKET_IFNAME=lo NCCL_MAX_CTAS=2

# The same command on a CPU alone and on ranks: the same file.
same() { # mpi, launcher, ranks, way, words...
    local mpi=$1 start=$2 ranks=$3 way=$4
    shift 4
    "$weft" "$@" --device cpu -o one.tsv -q
    # shellcheck disable=SC2016
    WEFT_DEVICE_TRANSPORT=$way "$start" -n "$ranks" sh -c 'NCCL_HOSTID=r${OMPI_COMM_WORLD_RANK:-$PMI_RANK} exec "$@"' x \
        "$weft" "$@" --device cuda -o ranks.tsv -q > said.txt 2>&1 || true
    check "$mpi, $way: weft $* on $ranks ranks says nothing" '' "$(cat said.txt)"
    check "$mpi, $way: weft $* on $ranks ranks" same "$(cmp one.tsv ranks.tsv 2>&1 && echo same)"
    rm -f one.tsv ranks.tsv
}

"$weft" generate rmat --scale 11 --degree 8 --max-weight 50 -o arcs.weft -q > one.log
"$weft" generate rmat --scale 10 --undirected -o edges.weft -q > one.log
"$weft" clustering arcs.weft -o x.npy -q

all_on() { # mpi, launcher
    local ranks way
    fails "$1" "$2" 2 'pagerank: *CPUs*; use --device cpu or auto' pagerank none.weft --precision f16 --device cuda
    if ! gpu; then
        echo "skipped $1 on GPUs: no GPU"
        skipped=$((skipped + 1))
        return
    fi
    for ranks in 1 2 4; do
        for way in staged nccl; do
            [[ $way == staged ]] || nccl || continue
            same "$1" "$2" $ranks $way degree arcs.weft
            same "$1" "$2" $ranks $way pagerank arcs.weft --weights
            same "$1" "$2" $ranks $way pagerank edges.weft --precision f64
            same "$1" "$2" $ranks $way bfs edges.weft
            same "$1" "$2" $ranks $way hits arcs.weft
            same "$1" "$2" $ranks $way components arcs.weft
            same "$1" "$2" $ranks $way bfs arcs.weft --source 7
            same "$1" "$2" $ranks $way sssp arcs.weft
            same "$1" "$2" $ranks $way sssp edges.weft --source 3
            same "$1" "$2" $ranks $way aggregate arcs.weft --features x.npy
            same "$1" "$2" $ranks $way aggregate arcs.weft --features x.npy --normalize gcn --backward
            same "$1" "$2" $ranks $way aggregate arcs.weft --features x.npy --forward x.npy --op max --backward
            same "$1" "$2" $ranks $way kcore arcs.weft --mode in
            same "$1" "$2" $ranks $way kcore edges.weft
            same "$1" "$2" $ranks $way labelprop arcs.weft
            same "$1" "$2" $ranks $way labelprop edges.weft --max-iterations 30
        done
    done
    WEFT_DEVICE_TRANSPORT=pigeon fails "$1" "$2" 2 '*WEFT_DEVICE_TRANSPORT is "pigeon", and not nccl or staged' degree arcs.weft --device cuda
}
with_each_mpi all_on
