#!/usr/bin/env bash
# Does weft answer as NetworkX does?  25 random graphs (WEFT_NETWORKX_GRAPHS=N; 5,000 in `make slow`), one of every shape at least, through every algorithm (tests/conformance).
#   WEFT_BIN=build/weft WEFT_BINARY_DIR=build tests/conformance/test_networkx.sh [--first GRAPH] [--only GRAPH] [--algorithm NAME]
# Where NetworkX cannot be had the test is skipped (exit code 77) and says why.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
weft=${WEFT_BIN:-$build_dir/weft}
# shellcheck source=tests/conformance/venv.sh
source "$source_dir/tests/conformance/venv.sh"

[[ -x $weft ]] || skip "there is no program at $weft"
exec "$python" "$source_dir/tests/conformance/compare.py" "$weft" --graphs "${WEFT_NETWORKX_GRAPHS:-25}" "$@"
