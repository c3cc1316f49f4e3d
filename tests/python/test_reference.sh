#!/usr/bin/env bash
# The API reference: a page for each module, every algorithm and parameter on it, and no link that leads nowhere.
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"

[[ -e $build_dir/python/weftgraph/_weft.abi3.so ]] || skip "this build has no Python package (WEFT_PYTHON, Python 3.11 with headers)"
need_shared_python "$build_dir"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
make_site() { BUILD=$build_dir WEFT_PYTHON_TOOLS=$build_dir/python-venv bash "$source_dir/scripts/reference" "$scratch/site"; }
has_everything() {
    local name site=$scratch/site
    for name in weftgraph weftgraph/generate weftgraph/torch; do [[ -s $site/$name.html ]] || return 1; done
    PYTHONPATH=$build_dir/python "$python" - "$site" << 'END'
import pathlib, sys
from weftgraph import _weft
site, registry = pathlib.Path(sys.argv[1]), _weft.registry()
graphs, makers = (site / "weftgraph.html").read_text(), (site / "weftgraph/generate.html").read_text()
missing = [a["name"] for a in registry["algorithms"] if f'id="Graph.{a["name"]}"' not in graphs]
missing += [g["name"] for g in registry["generators"] if f'id="{g["name"]}"' not in makers]
missing += [w for w in ("from_edges", "read", "Result.top", "InputError.line", "Dynamic.apply") if f'id="{w}"' not in graphs]
sys.exit(", ".join(missing) or 0)
END
}
finds_broken_links() {
    mkdir "$scratch/bad"
    echo '<a href="#here" id="here">x</a><a href="gone.html">y</a><a href="#nowhere">z</a>' > "$scratch/bad/index.html"
    ! "$python" "$source_dir/scripts/make_reference.py" --check "$scratch/bad" > "$scratch/said" &&
        grep -q 'gone.html: there is no such file' "$scratch/said" && grep -q '#nowhere: there is no such place' "$scratch/said" &&
        ! grep -q '#here' "$scratch/said"
}

check 'the site is made, and its links lead somewhere' make_site
check 'every algorithm, generator and maker is on it' has_everything
check 'links that lead nowhere are found' finds_broken_links
echo "$((3 - failed)) passed, $failed failed"
exit $((failed > 0))
