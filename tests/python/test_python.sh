#!/usr/bin/env bash
# The Python package as the build folder has it: tests/python/cases with pytest, in a virtual environment with NumPy, SciPy, pandas,
# polars, pyarrow and NetworkX from PyPI.  Where there is none, the tests are skipped by name.
#   WEFT_BINARY_DIR=build tests/python/test_python.sh [PYTEST ARGUMENTS]
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"

[[ -e $build_dir/python/weftgraph/_weft.abi3.so ]] || skip "this build has no Python package (WEFT_PYTHON, Python 3.11 with headers)"
need_shared_python "$build_dir"
if [[ -e $build_dir/python/preload ]]; then # an extension with sanitizers: their run-time first, and Python's memory where it sees it
    # What was freed is kept for 16 MB, so that a test of growing memory soon has it full.
    export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
        PYTHONMALLOC=malloc OMP_WAIT_POLICY=passive
    LD_PRELOAD=$(cat "$build_dir/python/preload")
fi
PYTHONPATH=$build_dir/python exec "$python" -m pytest -q -p no:cacheprovider "$source_dir/tests/python/cases" "$@"
