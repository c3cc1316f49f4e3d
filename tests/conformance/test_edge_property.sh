#!/usr/bin/env bash
# Are columns of edges kept, merged and filtered as plain Python does it?  tests/conformance/edge_columns.py draws tables
# and compares; it needs nothing but Python.
#   WEFT_BIN=build/weft tests/conformance/test_edge_property.sh [--only CASE] [--duckdb]
# WEFT_EDGE_COLUMNS sets how many (12), WEFT_PROPERTY_SEED which.  With --duckdb, DuckDB has to answer the same, by the
# first of WEFT_PYTHON and python3 that has it.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-${WEFT_BINARY_DIR:-$source_dir/build}/weft}
export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "skipped test_edge_property: $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 77
}

[[ -x $weft ]] || skip "there is no program at $weft"
command -v python3 > /dev/null || skip 'python3 is not here'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || skip 'python3 is older than 3.8'
python=python3
if [[ " $* " == *' --duckdb '* ]]; then
    python=
    for candidate in "${WEFT_PYTHON:-}" python3; do
        if [[ -z $python ]] && "$candidate" -c 'import duckdb' 2> /dev/null; then python=$candidate; fi
    done
    [[ -n $python ]] || skip 'there is no duckdb for Python'
fi
exec "$python" "$source_dir/tests/conformance/edge_columns.py" "$weft" --cases "${WEFT_EDGE_COLUMNS:-12}" \
    --seed "${WEFT_PROPERTY_SEED:-14}" "$@"
