#!/usr/bin/env bash
# Rows of ranks in one file, over MPI: the bytes of one process in every format and with every flag that chooses rows, and no more memory on the first rank than on the
# others, which have a part of the rows each.
set -euo pipefail
# shellcheck source=tests/ranks/mpi.sh
. "${WEFT_SOURCE_DIR:?}/tests/ranks/mpi.sh"

"$weft" generate rmat --scale 16 --degree 2 -o arcs.weft -q > one.log # of two windows
"$weft" generate rmat --scale 10 --degree 1 --undirected -o edges.weft -q > one.log
awk 'BEGIN { for (i = 0; i < 65536; i += 3) print i "\tL" i % 97 }' > labels.tsv

# The file, and what is printed but for times and figures of ranks.
same() { # mpi, launcher, name of the file, words...
    local mpi=$1 start=$2 file=$3
    shift 3
    mkdir -p one many
    "$weft" "$@" --device cpu -o "one/$file" > one.txt
    "$start" -n 3 "$weft" "$@" --device cpu -o "many/$file" > many.txt 2> said.txt || true
    check "$mpi: weft $* says no more" '' "$(cat said.txt)"
    check "$mpi: weft $* -o $file" same "$(cmp "one/$file" "many/$file" 2>&1 && echo same)"
    check "$mpi: what weft $* -o $file prints" "$(facts one.txt one)" "$(facts many.txt many)"
    rm -rf one many
}

facts() { # file, folder
    sed "s:$2/:FOLDER/:" "$1" | grep -v ' read in \|^ *ranks '
}

# The table of people, with the largest rows or groups.
same_table() { # mpi, launcher, words...
    local mpi=$1 start=$2
    shift 2
    "$weft" "$@" --device cpu > one.txt
    "$start" -n 3 "$weft" "$@" --device cpu > many.txt 2>&1 || true
    check "$mpi: weft $*" "$(facts one.txt -)" "$(facts many.txt -)"
}

# VmHWM of each rank in MiB, in files hwm.0, hwm.1, ...
cat > high_water.py << 'PY'
import os, resource, subprocess, sys
code = subprocess.call(sys.argv[1:], close_fds=False)  # MPICH has one open
rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"]
with open("hwm." + rank, "w") as f:
    f.write("%d\n" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(code)
PY

# 24 bytes for each of 2^20 vertices: a rank that had all of them would have 16 MiB more than the others, and twice that while it gathers.
memory() { # mpi, launcher, words...
    local mpi=$1 start=$2 rank most=0
    shift 2
    "$start" -n 3 python3 high_water.py "$weft" degree wide.weft "$@" > said.txt 2>&1
    for rank in 1 2; do [[ $(cat hwm.$rank) -le $most ]] || most=$(cat hwm.$rank); done
    [[ $(cat hwm.0) -le $((most + 8)) ]] || check "$mpi: the first rank holds no more than others with $*" "$most MiB" "$(cat hwm.0) MiB"
    passed=$((passed + 1))
}

# All of it with one MPI: to the other, rows are bytes like any.
seen=
rows() { # mpi, launcher
    same "$1" "$2" x.tsv degree arcs.weft
    same_table "$1" "$2" components edges.weft --top 20
    [[ -z $seen ]] || return 0
    seen=$1
    same "$1" "$2" x.npy degree arcs.weft --labels labels.tsv
    same "$1" "$2" x.jsonl bfs arcs.weft
    same "$1" "$2" x.csv.gz pagerank arcs.weft --tolerance 1e-3
    same "$1" "$2" x.npy components edges.weft
    same "$1" "$2" x.tsv degree arcs.weft --by in
    same "$1" "$2" x.tsv degree arcs.weft --top 50 --sort in:asc,id --head 7
    same "$1" "$2" x.tsv degree arcs.weft --labels labels.tsv --where 'label == "L5" and out > 2'
    same_table "$1" "$2" degree arcs.weft
    same_table "$1" "$2" degree arcs.weft --where 'out > 20'
    same_table "$1" "$2" bfs arcs.weft --table
    "$weft" degree arcs.weft --json | sed -n '/"rows"/,$p' > one.txt
    "$2" -n 3 "$weft" degree arcs.weft --json | sed -n '/"rows"/,$p' > many.txt
    check "$1: rows of JSON" same "$(cmp one.txt many.txt 2>&1 && echo same)"
    fails_as "$1" 3 'cannot write /dev/full: No space left on device' "$2" -n 3 "$weft" degree arcs.weft -o /dev/full
    check "$1: a pipe that nobody reads to the end" 'id	in	out	total' "$("$2" -n 3 sh -c "'$weft' degree arcs.weft -o - | head -1")"
    if [[ -z ${WEFT_SANITIZED:-} ]] && command -v python3 > /dev/null; then
        memory "$1" "$2" -o wide.tsv -q
        memory "$1" "$2" --top 5
    fi
}

"$weft" generate er --n 1048576 --degree 1 -o wide.weft -q > one.log
with_each_mpi rows
