#!/usr/bin/env bash
# Ranks that fail, over MPI: one is killed, also while it writes, stopped, has no memory, no disk, a damaged file or another one; the launcher is interrupted.  Each time one line of
# Weft's says which rank and why, the exit code is ours or the launcher's, and nothing is left behind: no file, no process.
set -euo pipefail
# shellcheck source=tests/ranks/mpi.sh
. "${WEFT_SOURCE_DIR:?}/tests/ranks/mpi.sh"

"$weft" generate rmat --scale 11 --degree 8 --max-weight 50 -o arcs.weft -q > one.log
"$weft" generate rmat --scale 10 --undirected -o edges.weft -q > one.log
# Too large to be verified when it is opened; its last target leads nowhere.
"$weft" generate uniform --n 300000 --degree 6 --undirected -o damaged.weft -q > one.log
printf '\377\377\377\377' | dd of=damaged.weft bs=1 seek=$(($(stat -c %s damaged.weft) - 4)) conv=notrunc status=none

"$weft" generate er --n 1048576 --degree 1 -o wide.weft -q > one.log # rows that take a while to pack

# Files of one name on two machines: the second half of the lines leads elsewhere, in as many bytes; one digit is another; one is no text.
mkdir here there
"$weft" generate uniform --n 20000 --degree 4 --undirected -o plain.txt -q > one.log
awk '!/^#/ { printf "%06d %06d\n", $1, $2 }' plain.txt > here/halves.txt
awk 'NR > 20000 { $2 = sprintf("%06d", ($2 + 1) % 20000) } { print }' here/halves.txt > there/halves.txt
cp here/halves.txt here/digit.txt
sed '30000s/.$/x/; 30000s/8x$/9/; 30000s/x$/8/' here/digit.txt > there/digit.txt
cp here/halves.txt here/kind.txt
cp edges.weft there/kind.txt

# Three ranks that run for years, and have met.
start_long() { # launcher, flags...
    local start=$1 tries process
    shift
    "$start" -n 3 "$weft" pagerank "$scratch/edges.weft" --iterations 1000000000 -o long.tsv "$@" < "$scratch/silence" > said.txt 2>&1 &
    pid=$!
    for ((tries = 0; tries < 600; tries++)); do
        [[ $(watching) != 3 ]] || break
        sleep 0.1
    done
    for process in $(ranks_of "$scratch/edges.weft"); do has_settled "$process" 10; done
}

# How many of them look after the others, and so have met.
watching() {
    local process count=0
    for process in $(ranks_of "$scratch/edges.weft"); do
        [[ $(find "/proc/$process/fd" -lname "*pidfd*" 2> /dev/null | wc -l) != 2 ]] || count=$((count + 1))
    done
    echo $count
}

# One of them: its process, and its rank by its environment.
pick_victim() {
    process=$(ranks_of "$scratch/edges.weft" | tail -1)
    victim=$(tr '\0' '\n' < "/proc/$process/environ" | sed -n 's/^OMPI_COMM_WORLD_RANK=//p; s/^PMI_RANK=//p' | head -1)
}

# Within 10 s.
leaves_nothing() { # title
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        [[ -n $(ranks_of "$scratch/edges.weft") ]] || break
        sleep 0.1
    done
    check "$1, no process is left" '' "$(ranks_of "$scratch/edges.weft")"
}

# All that Weft says, in one line.
says_of_rank() { # title, rank, words
    # shellcheck disable=SC2053
    [[ $(grep '^weft: ' said.txt) == "weft: rank $2 "$3 ]] || check "$1: is told once" "rank $2 $3" "$(cat said.txt)"
    passed=$((passed + 1))
}

# A signal to the launcher, or kill -9 to one rank: all end, with this code, and leave nothing behind.
ends() { # mpi, launcher, signal, code (of KILL the launcher's own)
    local pid got=0 victim
    start_long "$2"
    if [[ $3 == KILL ]]; then
        pick_victim
        kill -KILL "$process"
    else
        kill "-$3" "$pid"
    fi
    wait "$pid" || got=$?
    # MPICH's launcher does not always wait for the codes of ranks that a signal to itself has ended.
    if [[ $3 == KILL ]]; then
        check_killed "$1: SIG$3, exit code" "$1" "$got"
    elif [[ $1 != mpich || $got != 0 ]]; then
        check "$1: SIG$3, exit code" "$4" "$got"
    fi
    leaves_nothing "$1: SIG$3"
    if [[ $3 == KILL ]]; then
        # MPICH's launcher ends the others before they can say anything.
        [[ $1 == mpich ]] || says_of_rank "$1: a rank is killed" "$victim" 'is gone: it was killed, or ended without notice'
    else
        check "$1: SIG$3 is told once" 'weft: interrupted' "$(grep '^weft: ' said.txt)"
    fi
}

# Those that have a file open in the folder `new`.
writing() {
    local process
    for process in $(ranks_of "$scratch/wide.weft"); do
        [[ -z $(find "/proc/$process/fd" -lname "$scratch/new/*" 2> /dev/null) ]] || echo "$process"
    done
}

# kill -9 to a rank that writes.
killed_writing() { # mpi, launcher, name of the file, flags...
    local pid process='' got=0 tries title="$1: killed while it writes $3 ${*:4}"
    mkdir new
    "$2" -n 3 "$weft" degree "$scratch/wide.weft" -o "new/$3" "${@:4}" -q < "$scratch/silence" > said.txt 2>&1 &
    pid=$!
    for ((tries = 0; tries < 3000; tries++)); do
        process=$(writing | tail -1)
        [[ -z $process ]] || break
        sleep 0.01
    done
    kill -KILL "${process:?no rank writes}"
    wait "$pid" || got=$?
    check_killed "$title, exit code" "$1" "$got"
    # MPICH's launcher may end the others before they can say it.
    [[ $1 == mpich && -z $(grep '^weft: ' said.txt) ]] ||
        check "$title, is told once" 'is gone: it was killed, or ended without notice' "$(sed -n 's/^weft: \(rank . \|\)//p' said.txt)"
    for ((tries = 0; tries < 100; tries++)); do
        [[ -n $(ranks_of "$scratch/wide.weft") ]] || break
        sleep 0.1
    done
    check "$title, no process is left" '' "$(ranks_of "$scratch/wide.weft")"
    check "$title, no file is left" '' "$(ls -A new)"
    rm -rf new
}

# Open MPI can do without room in /dev/shm, and so can we.
no_shared_memory() { # mpi, launcher
    [[ $1 == openmpi ]] || return 0 # MPICH cannot
    if ! unshare --mount mount -t tmpfs none /dev/shm 2> /dev/null; then
        echo "skipped $1 without shared memory: nothing can be mounted here"
        return
    fi
    # shellcheck disable=SC2016
    unshare --mount bash -c 'mount -t tmpfs -o size=4k none /dev/shm; echo > /dev/shm/full; exec "$@"' - \
        "$2" -n 3 "$weft" degree edges.weft -o full.tsv -q > said.txt 2>&1 || true
    "$weft" degree edges.weft -o one.tsv -q
    check "$1: /dev/shm is full: the bytes of one process" same "$(cmp one.tsv full.tsv 2>&1 && echo same)"
    rm -f one.tsv full.tsv
}

# A rank that stops without a word.
hangs() { # mpi, launcher
    local pid process victim got=0
    start_long "$2" --hang-timeout 3
    pick_victim
    kill -STOP "$process"
    wait "$pid" || got=$?
    [[ $1 == mpich && $got == 9 ]] || check "$1: a rank that hangs, exit code" 124 "$got" # that of the ranks which it ends
    says_of_rank "$1: a rank that hangs" "$victim" 'hangs: its process is stopped, and rank ? has waited 3 s for it'
    leaves_nothing "$1: a rank that hangs"
}

# The third rank has other words; or the first one a limit on the length of files.
differs() { # mpi, launcher
    local others=(-n 2 "$weft" pagerank arcs.weft -o ranks.tsv -q) third=(: -n 1 "$weft" pagerank)
    fails_as "$1" 4 'rank 2: over the memory limit of 20.0 KiB: *' "$2" "${others[@]}" "${third[@]}" arcs.weft --memory-limit 20k -q
    fails_as "$1" 3 'ranks have opened different graphs: *' "$2" "${others[@]}" "${third[@]}" edges.weft -q
    fails_as "$1" 3 'rank 2: none.weft: cannot open: *' "$2" "${others[@]}" "${third[@]}" none.weft -q
    [[ $1 == openmpi ]] || return 0 # MPICH has longer files of its own
    # shellcheck disable=SC2016
    fails_as "$1" 3 'cannot write ranks.tsv: File too large' "$2" -n 1 bash -c 'ulimit -f 1; exec "$@"' - "$weft" pagerank arcs.weft -o ranks.tsv -q \
        : -n 2 "$weft" pagerank arcs.weft -o ranks.tsv -q
    # shellcheck disable=SC2016
    fails_as "$1" 3 'rank 2: made.weft: cannot write: File too large' "$2" -n 2 "$weft" generate rmat --scale 10 -o made.weft -q \
        : -n 1 bash -c 'ulimit -f 1; exec "$@"' - "$weft" generate rmat --scale 10 -o made.weft -q
    check "$1: no graph is left that one rank could not write" '' "$(find . -name 'made.weft*')"
}

# The third rank is on a machine where the file of that name is another one.
other_files() { # mpi, launcher
    # shellcheck disable=SC2016
    local here=(bash -c 'cd here; exec "$@"' - "$weft") there=(bash -c 'cd there; exec "$@"' - "$weft") words say
    say='*.txt: ranks have opened different files: rank 2 has %s than rank 0; all machines need the same file'
    for words in 'degree halves.txt' 'convert halves.txt x.weft' 'degree digit.txt --verify-files' 'convert digit.txt x.weft --verify-files'; do
        # shellcheck disable=SC2059,SC2086
        fails_as "$1" 3 "$(printf "$say" 'other bytes')" "$2" -n 2 "${here[@]}" $words -q : -n 1 "${there[@]}" $words -q
    done
    # shellcheck disable=SC2059
    fails_as "$1" 3 "$(printf "$say" 'another format')" timeout 60 "$2" -n 2 "${here[@]}" degree kind.txt -q : -n 1 "${there[@]}" degree kind.txt -q
    check "$1: nothing is made of different files" '' "$(find . -name 'x.weft*')"
    "$weft" degree here/digit.txt -o one.tsv -q
    "$2" -n 3 "$weft" degree here/digit.txt -o ranks.tsv --verify-files -q > said.txt 2>&1
    check "$1: --verify-files of the same file" same "$(cmp one.tsv ranks.tsv 2>&1 && echo same)"
    rm -f one.tsv ranks.tsv
}

failures() { # mpi, launcher
    local codes
    other_files "$1" "$2"
    differs "$1" "$2"
    fails "$1" "$2" 3 'cannot write /dev/full: No space left on device' pagerank edges.weft -o /dev/full -q
    fails "$1" "$2" 3 'rank 2: damaged.weft: wrong at vertex 29???? of section "*": rows must follow *' degree damaged.weft -o ranks.tsv -q
    # Launchers have codes of their own for this.
    case $1 in openmpi) codes=(1 1) ;; *) codes=(130 130) ;; esac
    ends "$1" "$2" INT "${codes[0]}"
    ends "$1" "$2" TERM "${codes[1]}"
    ends "$1" "$2" KILL
    hangs "$1" "$2"
    killed_writing "$1" "$2" x.tsv.gz
    killed_writing "$1" "$2" x.tsv.gz --parts
    no_shared_memory "$1" "$2"
    check "$1: no file is left behind" '' "$(find . -name '*.tsv*')"
}

with_each_mpi failures
