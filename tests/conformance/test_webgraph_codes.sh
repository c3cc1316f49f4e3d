#!/usr/bin/env bash
# Are BV-compressed graphs read as they were written?  An encoder in Python (tests/conformance/bvencode.py) goes through
# every code, window and interval length.
#   WEFT_BIN=build/weft tests/conformance/test_webgraph_codes.sh [--seeds N]
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "skipped test_webgraph_codes: $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 77
}

[[ -x $weft ]] || skip "there is no program at $weft"
command -v python3 > /dev/null || skip 'python3 is not here'
exec python3 "$source_dir/tests/conformance/bvencode.py" check "$weft" "$@"
