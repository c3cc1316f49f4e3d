#!/usr/bin/env bash
# Do weft and NetworkX read each other's files?  40 random graphs (WEFT_NETWORKX_GRAPHS=N; 5,000 in `make slow`)
# through every format that both know (tests/conformance).
#   WEFT_BIN=build/weft WEFT_BINARY_DIR=build tests/conformance/test_networkx_formats.sh [--first GRAPH] [--only GRAPH] [--form NAME] [--all]
# --all fails where weft lacks a format that is compared; otherwise such formats are named and passed over.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
weft=${WEFT_BIN:-$build_dir/weft}
# shellcheck source=tests/conformance/venv.sh
source "$source_dir/tests/conformance/venv.sh"

[[ -x $weft ]] || skip "there is no program at $weft"
exec "$python" "$source_dir/tests/conformance/formats.py" "$weft" --graphs "${WEFT_NETWORKX_GRAPHS:-40}" "$@"
