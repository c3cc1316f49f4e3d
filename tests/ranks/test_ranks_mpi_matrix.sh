#!/usr/bin/env bash
# Every algorithm on ranks over MPI, in equal and unequal parts and with a rank that has none: the bytes of one machine.  One launch for each number of ranks runs them
# all: 1, 3 and 16 of Open MPI and 2 of MPICH; with WEFT_RANKS_MATRIX=all 1, 2, 3, 5, 8 and 16 of both, on every graph of the matrix.
set -euo pipefail
# shellcheck source=tests/ranks/mpi.sh
. "${WEFT_SOURCE_DIR:?}/tests/ranks/mpi.sh"

matrix() { # mpi, launcher
    local ranks sizes=(1 3 16)
    [[ $1 == mpich ]] && sizes=(2)
    [[ ${WEFT_RANKS_MATRIX:-} == all ]] && sizes=(1 2 3 5 8 16)
    for ranks in "${sizes[@]}"; do
        "$2" -n "$ranks" "$build/tests/test_ranks_matrix" launched > said.txt 2>&1 || true
        check "$1: $ranks ranks have the bytes of one machine" "$ranks" "$(grep -c '^1 passed, 0 failed, 0 skipped' said.txt || true)"
        [[ $failed == 0 ]] || grep -v '^1 passed' said.txt | head -20
    done
}

with_each_mpi matrix
