#!/usr/bin/env bash
# The virtual environment that tests of the Python package share (venv.sh): NumPy, tables, NetworkX and the tools for packages and pages can be
# imported.  It runs first, and those that need them wait for it (cmake/WeftTests.cmake).
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"

[[ -e $build_dir/python/weftgraph/_weft.abi3.so ]] || skip "this build has no Python package (WEFT_PYTHON, Python 3.11 with headers)"
need_shared_python "$build_dir"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
check 'they can be imported' "$python" -c 'import numpy, scipy, pandas, polars, pyarrow, networkx, pytest, build, scikit_build_core, pdoc'
echo "$((1 - failed)) passed, $failed failed"
exit $((failed > 0))
