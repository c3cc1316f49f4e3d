#!/usr/bin/env bash
# Are columns of Parquet and Arrow what was written there (tests/conformance/typed_tables.py)?
#   WEFT_BIN=build/weft WEFT_BINARY_DIR=build tests/conformance/test_typed_tables.sh [FIRST]
# WEFT_TYPED_TABLES sets how many (10).
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
weft=${WEFT_BIN:-$build_dir/weft}
# shellcheck source=tests/conformance/venv.sh
source "$source_dir/tests/conformance/venv.sh"

[[ -x $weft ]] || skip "there is no program at $weft"
# shellcheck disable=SC2154
"$python" -c "import pyarrow" 2> /dev/null || skip "there is no pyarrow"
exec "$python" "$source_dir/tests/conformance/typed_tables.py" "$weft" "${WEFT_TYPED_TABLES:-10}" "$@"
