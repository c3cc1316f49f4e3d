#!/usr/bin/env bash
# Are random tables read as they were written?  tests/conformance/table_property.py writes and compares them; it needs
# nothing but Python.
#   WEFT_BIN=build/weft tests/conformance/test_table_property.sh [--only CASE]
# WEFT_PROPERTY_CASES sets how many (1000), WEFT_PROPERTY_SEED which.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-${WEFT_BINARY_DIR:-$source_dir/build}/weft}
export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "skipped test_table_property: $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 77
}

[[ -x $weft ]] || skip "there is no program at $weft"
command -v python3 > /dev/null || skip 'python3 is not here'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || skip 'python3 is older than 3.8'
exec python3 "$source_dir/tests/conformance/table_property.py" "$weft" --cases "${WEFT_PROPERTY_CASES:-1000}" \
    --seed "${WEFT_PROPERTY_SEED:-14}" "$@"
