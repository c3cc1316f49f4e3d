#!/usr/bin/env bash
# Do attributes of vertices that NetworkX, yEd, igraph, Gephi, Cytoscape and tables write come to NetworkX through .weft
# and every format that keeps them (tests/conformance/attributes.py)?
#   WEFT_BIN=build/weft WEFT_BINARY_DIR=build tests/conformance/test_networkx_attributes.sh
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
weft=${WEFT_BIN:-$build_dir/weft}
# shellcheck source=tests/conformance/venv.sh
source "$source_dir/tests/conformance/venv.sh"

[[ -x $weft ]] || skip "there is no program at $weft"
exec "$python" "$source_dir/tests/conformance/attributes.py" "$weft"
