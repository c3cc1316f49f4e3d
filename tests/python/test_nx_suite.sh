#!/usr/bin/env bash
# NetworkX's own tests with the backend weft (NETWORKX_TEST_BACKEND), in a virtual environment with NetworkX from PyPI.  While the
# backend answers, NetworkX's implementations of the same functions are forbidden (networkx_guard.py), and each function must have answered some
# test, of NetworkX or of networkx_more.py.  Here the files that are about functions of the backend, without the few tests that take as long as all others; --all: the whole suite.
# That is NetworkX 3.6.1 (venv.sh), which Python 3.11 can have.  With a Python of 3.12 or later, by PATH or pyenv, and after our own tests of the backend:
# --newer: the later release that is pinned here; --newest: the newest that pip has, be it a pre-release, and skipped where that is the pinned one.
#   WEFT_BINARY_DIR=build tests/python/test_nx_suite.sh [--newer | --newest] [--all] [PYTEST ARGUMENTS]
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"

[[ -e $build_dir/python/weftgraph/_weft.abi3.so ]] || skip "this build has no Python package (WEFT_PYTHON, Python 3.11 with headers)"
if [[ ${1-} == --newer || ${1-} == --newest ]]; then
    if [[ $1 == --newer ]]; then
        need_newer_python "$build_dir"
    else
        home=$build_dir/networkx-venv-newest
        need_newer_python "$build_dir" newest pytest numpy scipy pandas
        fetch "$home" "$home.log" --upgrade --pre networkx
        there=$("$python" -c 'import networkx; print(networkx.__version__)')
        [[ $there != "$newer" ]] || skip "the newest NetworkX that pip has is $there, that of --newer"
    fi
    shift
    echo "NetworkX $("$python" -c 'import networkx; print(networkx.__version__)'): our own tests of the backend"
    PYTHONPATH=$build_dir/python "$python" -m pytest -q -p no:cacheprovider "$source_dir"/tests/python/cases/test_nx_*.py || exit 1
else
    need_shared_python "$build_dir"
fi
folder=$("$python" -c 'import networkx, os; print(os.path.dirname(networkx.__file__))') || exit 1
tests=() which=()
export WEFT_ALL_DISPATCHED=1
if [[ ${1-} == --all ]]; then
    shift
    tests=("$folder")
else
    which=(-k 'not on_off_consistency and not arborescence_iterator')
    for name in assortativity bipartite centrality community/tests/test_quality components coloring connectivity/tests/test_edge_augmentation link_analysis operators \
        shortest_paths traversal tree \
        community/tests/test_{louvain,leiden} \
        tests/test_{asteroidal,boundary,chordal,cluster,core,cycles,dag,d_separation,distance_measures} \
        tests/test_{dominance,euler,isolate,link_prediction,reciprocity,richclub,simple_paths,structuralholes,summarization,swap,walks,wiener}; do
        path=$folder/algorithms/$name
        [[ -e $path.py ]] && path+=.py
        [[ -e $path ]] && tests+=("$path")
    done
    for name in tests/test_convert{,_numpy,_pandas,_scipy} readwrite/tests/test_{edgelist,adjlist} linalg/tests/test_graphmatrix \
        generators/tests/test_classic classes/tests/test_function; do
        [[ -e $folder/$name.py ]] && tests+=("$folder/$name.py")
    done
fi
cd "$build_dir" || exit 1
NETWORKX_TEST_BACKEND=weft NETWORKX_FALLBACK_TO_NX=True PYTHONPATH=$build_dir/python:$source_dir/tests/python \
    exec "$python" -m pytest -q -p networkx_guard -p no:cacheprovider "${tests[@]}" "$source_dir/tests/python/networkx_more.py" "${which[@]}" "$@"
