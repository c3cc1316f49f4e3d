#!/usr/bin/env bash
# Ranks over MPI, Open MPI and MPICH where they are: the collective calls between processes.
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

for mpi in openmpi mpich; do
    start=$(launcher $mpi)
    if [[ -z $start ]]; then
        echo "skipped $mpi: it, or its plug-in, is not there"
        skipped=$((skipped + 1))
        continue
    fi
    collectives $mpi "$start"
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[[ $failed == 0 ]] || exit 1
[[ $passed != 0 ]] || exit 77
