#!/usr/bin/env bash
# Ranks over MPI, Open MPI and MPICH where they are: the collective calls between processes, and the program under mpirun: the bytes of one
# process, and what it refuses.  How it fails: test_ranks_failure.sh.
set -euo pipefail
# shellcheck source=tests/ranks/mpi.sh
. "${WEFT_SOURCE_DIR:?}/tests/ranks/mpi.sh"

# Of those that this shell may use.
first_core() { taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/'; }

collectives() { # mpi, launcher
    local said
    said=$("$2" -n 3 "$build/tests/test_comm" launched 2>&1 | grep -c '^1 passed, 0 failed, 0 skipped' || true)
    check "$1: three ranks, all calls right" 3 "$said"
    # Not bound, ranks have the launcher's core; some versions of Open MPI bind them elsewhere, or not at all, when there are too few.
    said=$(WEFT_TEST_CORES=1 OMPI_MCA_hwloc_base_binding_policy=none taskset -c "$(first_core)" "$2" -n 3 "$build/tests/test_comm" launched 2>&1 | grep -c '^1 passed, 0 failed, 0 skipped' || true)
    check "$1: three ranks on one core know it" 3 "$said"
}

"$weft" generate rmat --scale 11 --degree 8 --max-weight 50 -o arcs.weft -q > one.log
"$weft" generate rmat --scale 10 --undirected -o edges.weft -q > one.log
"$weft" generate dag --n 2000 --depth 20 --degree 3 -o dag.weft -q > one.log
"$weft" convert edges.weft edges.txt -q
"$weft" convert arcs.weft arcs.mtx -q
"$weft" convert edges.weft edges.gml -q
gzip -k edges.txt
{ cat edges.txt; printf '17 4\n5 x\n6 y\n'; } > bad.txt
"$weft" degree bad.txt 2>&1 | sed 's/^weft: //' > bad_line.txt || true
"$weft" pagerank arcs.weft --memory-limit 20k 2>&1 | sed 's/^weft: //' > limit.txt || true
printf '1 2 5\n2 3 1\n3 1 2\n4 5 1\n' > few.txt # so few that a rank has none
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

# The same graph alone and by ranks: the same .weft.
same_graph() { # mpi, launcher, ranks, words...
    local mpi=$1 start=$2 ranks=$3
    shift 3
    "$weft" "$@" -o one.weft -q > one.log
    "$start" -n "$ranks" "$weft" "$@" -o ranks.weft -q > said.txt 2>&1 || true
    check "$mpi: weft $* on $ranks ranks says nothing" '' "$(cat said.txt)"
    check "$mpi: weft $* on $ranks ranks" same "$(cmp one.weft ranks.weft 2>&1 && echo same)"
    rm -f one.weft ranks.weft
}

# With standard streams closed neither what ranks say nor what they send each other gets into files.
closed() { # mpi, launcher
    local words got
    "$weft" pagerank arcs.weft -o one.tsv -q
    "$weft" generate rmat --scale 8 -o one.weft -q > one.log
    for words in 'pagerank arcs.weft -o ranks.tsv' 'generate rmat --scale 8 -o ranks.weft'; do
        got=0
        # shellcheck disable=SC2016,SC2086 # words
        "$2" -n 2 bash -c 'exec "$@" <&- >&- 2>&-' - "$weft" $words > said.txt 2>&1 || got=$?
        check "$1: exit code of weft $words, with nowhere to say how it went" 3 "$got"
    done
    check "$1: results with streams closed" same "$(cmp one.tsv ranks.tsv 2>&1 && echo same)"
    check "$1: a graph with streams closed" same "$(cmp one.weft ranks.weft 2>&1 && echo same)"
    rm -f one.tsv ranks.tsv one.weft ranks.weft
}

# --grid: the same file in 1-D and in 2-D, of a .weft and of text; what is sent is what the plan says.
grids() { # mpi, launcher
    local grid words
    for words in 'arcs.weft --weights' edges.txt; do
        # shellcheck disable=SC2086
        "$weft" pagerank $words -o one.tsv -q
        for grid in 2x2 4x1; do
            # shellcheck disable=SC2086
            "$2" -n 4 "$weft" pagerank $words --grid $grid -o ranks.tsv -q --json > said.json || true
            check "$1: pagerank $words in $grid" same "$(cmp one.tsv ranks.tsv 2>&1 && echo same)"
            check "$1: it says so" "$grid" "$(sed -n 's/.*"grid_rows": \([0-9]*\),/\1/p' said.json)x$(sed -n 's/.*"grid_columns": \([0-9]*\),/\1/p' said.json)"
            check "$1: what is sent in $grid is what the plan says" "$(sed -n 's/.*"rank_planned_bytes": //p' said.json)" "$(sed -n 's/.*"rank_sent_bytes": //p' said.json)"
            rm -f ranks.tsv
        done
        rm -f one.tsv
    done
    fails "$1" "$2" 2 '--grid 3x2 is for 6 ranks, and there are 3' pagerank none.weft --grid 3x2
    fails "$1" "$2" 2 "--grid: '3y1' is not a grid; expected rows x columns, such as 4x2" pagerank none.weft --grid 3y1
    fails "$1" "$2" 2 '--grid 1x3: ranks share bfs in one column only, 3x1' bfs none.weft --grid 1x3
    fails "$1" "$2" 2 '--grid 1x3: ranks share a grid of several columns on CPUs; use --device cpu or auto' pagerank none.weft --grid 1x3 --device cuda
}

# The ranks of a machine share what the memory control group leaves; half of a group as small as this is for the process itself.
memory_group() { # mpi, launcher
    local program=$build/tests/weft_made_up
    [[ -x $program ]] || return 0
    mkdir groups
    echo 0::/ > groups/self
    echo $((3 << 20)) > groups/memory.max
    MADE_UP_GROUPS=$PWD/groups fails_as "$1" 4 '*over the memory limit of 512.0 KiB that the memory control group leaves: *' \
        "$2" -n 3 "$program" generate rmat --scale 16 -o x.weft -q
    rm -r groups
}

# --parts: a file for each rank, with all rows once.
parts() { # mpi, launcher
    "$weft" pagerank arcs.weft -o one.tsv -q
    "$2" -n 3 "$weft" pagerank arcs.weft -o part.tsv --parts -q
    check "$1: three parts" 'part.00000.tsv part.00001.tsv part.00002.tsv' "$(echo part.*)"
    check "$1: they have the rows of one file" same "$(tail -qn +2 part.*.tsv | sort -n | cmp - <(tail -n +2 one.tsv) 2>&1 && echo same)"
    rm -f one.tsv part.*
    mkdir part.00001.tsv
    fails "$1" "$2" 3 'rank 1: cannot write part.00001.tsv: *' degree arcs.weft -o part.tsv --parts
    check "$1: if one cannot be written, none is" part.00001.tsv "$(echo part.*)"
    rmdir part.00001.tsv
}

program() { # mpi, launcher, its name
    local many=16 # more than cores; those of MPICH never sleep
    [[ $1 != mpich ]] || many=7
    same "$1" "$2" 3 pagerank arcs.weft --weights
    same "$1" "$2" 2 degree arcs.weft
    same "$1" "$2" 3 components names.weft
    same "$1" "$2" 3 bfs arcs.weft --source 17
    same "$1" "$2" 2 hits edges.weft
    same "$1" "$2" 3 hits few.txt
    same "$1" "$2" 3 sssp few.txt --source 1
    same "$1" "$2" 3 kcore arcs.weft
    same "$1" "$2" 3 labelprop arcs.weft
    same "$1" "$2" 3 components --strong arcs.weft
    same "$1" "$2" 3 sssp arcs.weft
    same "$1" "$2" 2 clustering arcs.weft
    same "$1" "$2" 3 toposort dag.weft
    same "$1" "$2" 3 pagerank edges.txt
    same "$1" "$2" 2 sssp arcs.mtx
    same "$1" "$2" $many components names.txt
    same_graph "$1" "$2" 3 generate rmat --scale 12 --max-weight 30 --hang-timeout 600
    same_graph "$1" "$2" 2 generate er --n 3000
    same_graph "$1" "$2" $many generate karate
    same_graph "$1" "$2" 3 convert arcs.mtx --hang-timeout 600
    same_graph "$1" "$2" 5 convert names.txt --undirected
    check "$1: the checksum of a graph that ranks make" "$("$weft" generate uniform --n 500 | grep checksum)" \
        "$("$2" -n 3 "$weft" generate uniform --n 500 | grep checksum)"
    "$2" -n 3 "$weft" pagerank edges.weft --json --top 1 > said.json
    check "$1: JSON is printed once, with figures of each rank" '1 3' \
        "$(grep -c '"algorithm"' said.json) $(sed -n 's/.*"rank_sent_bytes": \[\(.*\)\].*/\1/p' said.json | tr ',' '\n' | wc -l)"
    check "$1: what is sent is what the plan says" "$(sed -n 's/.*"rank_planned_bytes": //p' said.json)" "$(sed -n 's/.*"rank_sent_bytes": //p' said.json)"
    memory_group "$1" "$2"
    parts "$1" "$2"
    grids "$1" "$2"
    closed "$1" "$2"
    check "$1: --version is said once" 1 "$("$2" -n 3 "$weft" --version | grep -c '^weft ')"
    fails "$1" "$2" 2 '3 ranks cannot share distances; they can share pagerank,*' distances arcs.weft
    fails "$1" "$2" 2 'components: components are put in order on one rank only, and 3 were started' components --order arcs.weft
    fails "$1" "$2" 2 'weft info runs on one rank, and 3 were started; start it by itself' info arcs.weft
    # shellcheck disable=SC2016 # the first is late, and yet it is heard
    fails_as "$1" 2 'weft info runs on one rank, and 3 were started; start it by itself' \
        "$2" -n 1 bash -c '. "$1"; until [[ $(cat came.* 2> /dev/null | wc -l) == 2 ]]; do sleep 0.02; done
            for process in $(cat came.*); do has_settled "$process" 20; done; shift; exec "$@"' - \
        "$WEFT_SOURCE_DIR/tests/support/processes.sh" "$weft" info arcs.weft \
        : -n 2 bash -c 'echo $$ > came.$$; exec "$@"' - "$weft" info arcs.weft
    rm -f came.*
    fails "$1" "$2" 2 'edges.gml: ranks share .weft files, edge lists and Matrix Market files, and this is GML*; convert it first' pagerank edges.gml
    fails "$1" "$2" 2 'edges.txt.gz: ranks read parts of a plain file, and this is packed; convert it first' pagerank edges.txt.gz
    fails "$1" "$2" 2 '--verify: this graph is distributed over ranks, but all of it is needed on one; convert it to .weft first' pagerank edges.txt --verify
    fails "$1" "$2" 3 "$(cat bad_line.txt)" degree bad.txt
    fails "$1" "$2" 3 "$(cat bad_line.txt)" convert bad.txt bad.weft
    fails "$1" "$2" 2 'x.txt: ranks write .weft files only; convert one afterwards' generate rmat -o x.txt
    fails "$1" "$2" 2 'x.weft.gz: ranks write a plain file together, not a packed one or a pipe' convert edges.txt x.weft.gz
    fails "$1" "$2" 2 '--both-directions: ranks write a graph without its incoming rows; *' convert edges.txt x.weft --both-directions
    fails "$1" "$2" 2 'arcs.weft: ranks convert text files, and this is .weft; start weft convert by itself' convert arcs.weft x.weft
    check "$1: nothing is left of graphs that are not written" '' "$(find . -name 'x.*' -o -name 'bad.weft*')"
    fails "$1" "$2" 3 'none.txt: cannot open: No such file or directory' degree none.txt
    fails "$1" "$2" 3 'none.weft: cannot open: No such file or directory' degree none.weft
    fails "$1" "$2" 4 "$(cat limit.txt)" pagerank arcs.weft --memory-limit 20k
    WEFT_PLUGINS=$scratch fails "$1" "$2" 2 "$3 started 3 ranks, but they cannot communicate: libweft_mpi_$1.so was not found" degree arcs.weft
    guest "$1" "$2"
    check "$1: no file is left behind" '' "$(find . -name '*.tsv*')"
}

collectives_and_program() { # mpi, launcher, its name
    collectives "$1" "$2"
    program "$@"
}

with_each_mpi collectives_and_program
