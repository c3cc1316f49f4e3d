#!/usr/bin/env bash
# NetworkX and the backend side by side: WEFT_HOSTILE_CALLS calls of nx_fuzz.py, and as many questions of nx_stale.py.
#   WEFT_BINARY_DIR=build tests/hostile/nx.sh [--newer] [ARGUMENTS OF THE SCRIPTS]
# --newer: with a Python of 3.12 or later, for which there are later versions of NetworkX.
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"

[[ -e $build_dir/python/weftgraph/_weft.abi3.so ]] || skip 'this build has no Python package (WEFT_PYTHON)'
if [[ ${1-} == --newer ]]; then
    shift
    need_newer_python "$build_dir"
else
    need_shared_python "$build_dir"
fi
export WEFT_HOSTILE_CALLS=${WEFT_HOSTILE_CALLS:-1000} PYTHONHASHSEED=1
export PYTHONPATH=$build_dir/python:$source_dir/tests/python/cases
failed=0
for script in nx_fuzz nx_stale; do
    "$python" -B "$source_dir/tests/hostile/$script.py" "$@" || failed=1
done
exit $failed
