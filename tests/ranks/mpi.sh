#!/usr/bin/env bash
# Read by the tests of ranks over MPI, Open MPI and MPICH where they are: a scratch folder to work in, checks, launchers.
set -euo pipefail
build=${WEFT_BINARY_DIR:?}
export WEFT_PLUGINS=$build OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
# shellcheck source=tests/support/processes.sh
. "${WEFT_SOURCE_DIR:?}/tests/support/processes.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Launchers of Open MPI make and remove one folder of the user's: two at once, and one may find it half there.
mkdir "$scratch/session"
export OMPI_MCA_orte_tmpdir_base=$scratch/session
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

# A function for each MPI that is there: its name, its launcher, and what Weft calls that.  Then the sums of all checks.
# WEFT_TEST_PART=1/2: Open MPI alone; 2/2: MPICH.
with_each_mpi() { # function
    local mpi start name
    for mpi in openmpi mpich; do
        case ${WEFT_TEST_PART:-}:$mpi in 1/2:mpich | 2/2:openmpi) continue ;; esac
        start=$(launcher $mpi)
        if [[ -z $start ]]; then
            echo "skipped $mpi: it, or its plug-in, is not there"
            skipped=$((skipped + 1))
            continue
        fi
        case $mpi in openmpi) name='mpirun (Open MPI)' ;; *) name='mpiexec (MPICH)' ;; esac
        "$1" $mpi "$start" "$name"
    done
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [[ $failed == 0 ]] || exit 1
    [[ $passed != 0 ]] || exit 77
}

# Fails with this code, and says this (a pattern), once.
fails() { # mpi, launcher, code, message, words...
    local mpi=$1 start=$2 code=$3 message=$4
    shift 4
    fails_as "$mpi" "$code" "$message" "$start" -n 3 "$weft" "$@"
}

# The same of a whole command line.
fails_as() { # mpi, code, message, command...
    local mpi=$1 code=$2 message=$3 got=0
    shift 3
    "$@" > said.txt 2>&1 || got=$?
    check "$mpi: exit code of $*" "$code" "$got"
    # shellcheck disable=SC2053
    [[ $(grep '^weft: ' said.txt) == "weft: "$message ]] || check "$mpi: $* says why, once" "$message" "$(cat said.txt)"
}

# The launcher's exit code after kill -9 of a rank; MPICH's is a signal's number, mostly that one's.
check_killed() { # title, mpi, got
    local code=137
    [[ $2 != mpich ]] || case $3 in 6 | 15) code=$3 ;; *) code=9 ;; esac
    check "$1" "$code" "$3"
}

# The ranks that have this word on their command line: those processes that are the program.
ranks_of() { # word
    local pid
    for pid in $(pgrep -f "$1"); do
        [[ $(readlink "/proc/$pid/exe") != "$(realpath "$weft")" ]] || echo "$pid"
    done
}

weft=${WEFT_BIN:?}
# MPICH's launcher dies of SIGPIPE, and what was said is lost, if it has something to pass on to a rank that has ended, be it only
# the end of the file: its standard input is open, and silent.
mkfifo "$scratch/silence"
exec 0<> "$scratch/silence"
cd "$scratch"
