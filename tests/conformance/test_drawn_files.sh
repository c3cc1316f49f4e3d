#!/usr/bin/env bash
# Do attributes and columns of edges of drawn files come back through .weft (tests/conformance/drawn_files.py)?
#   WEFT_BIN=build/weft WEFT_BINARY_DIR=build tests/conformance/test_drawn_files.sh [FIRST]
# WEFT_DRAWN_FILES sets how many (7: one of each layout).
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
weft=${WEFT_BIN:-$build_dir/weft}
# shellcheck source=tests/conformance/venv.sh
source "$source_dir/tests/conformance/venv.sh"

[[ -x $weft ]] || skip "there is no program at $weft"
# shellcheck disable=SC2154
exec "$python" "$source_dir/tests/conformance/drawn_files.py" "$weft" "${WEFT_DRAWN_FILES:-7}" "$@"
