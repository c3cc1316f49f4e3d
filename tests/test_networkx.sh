#!/usr/bin/env bash
# Does weft answer as NetworkX does?  500 random graphs of every shape through every algorithm (tests/conformance).
#   WEFT_BIN=build/weft WEFT_BINARY_DIR=build tests/test_networkx.sh [--only GRAPH] [--algorithm NAME]
# NetworkX comes from PyPI into a virtual environment in the build folder, once.  Where that cannot be made the test is
# skipped (exit code 77) and says why.  WEFT_NETWORKX_GRAPHS takes fewer graphs, for builds with a slow program.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
weft=${WEFT_BIN:-$build_dir/weft}
home=$build_dir/networkx
python=$home/bin/python
log=$build_dir/networkx.log
wanted=('networkx>=3,<4' numpy scipy)
export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "skipped test_networkx: $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 77
}

has_networkx() {
    "$1" -c 'import sys, numpy, scipy, networkx; sys.exit(not networkx.__version__.startswith("3."))' 2> /dev/null
}

[[ -x $weft ]] || skip "there is no program at $weft"
if ! has_networkx "$python"; then
    command -v python3 > /dev/null || skip 'python3 is not here'
    python3 -c 'import ensurepip, venv' 2> /dev/null || skip 'python3 cannot make virtual environments (python3-venv)'
    rm -rf "$home"
    python3 -m venv "$home" > "$log" 2>&1 || skip "python3 -m venv failed: $(tail -n 1 "$log")"
    timeout 300 "$home/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
        "${wanted[@]}" > "$log" 2>&1 || skip "PyPI cannot be reached, or has no ${wanted[*]} for us: $(tail -n 1 "$log")"
    has_networkx "$python" || skip "what PyPI gave cannot be used: $(tail -n 1 "$log")"
fi
exec "$python" "$source_dir/tests/conformance/compare.py" "$weft" --graphs "${WEFT_NETWORKX_GRAPHS:-500}" "$@"
