# A Python with NetworkX, from PyPI into a virtual environment in the build folder, once: the one of the Python package's tests where these are run.
# Sourced, with $build_dir and $source_dir set; leaves $python.  skip REASON ends a test with exit code 77.
# shellcheck shell=bash disable=SC2034
# shellcheck disable=SC2154

skip() {
    echo "skipped $(basename "$0" .sh): $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 77
}

has_networkx() {
    "$1" -c 'import sys, numpy, scipy, networkx; sys.exit(not networkx.__version__.startswith("3."))' 2> /dev/null
}

make_networkx() {
    local home=$1 log=$2 wanted=('networkx>=3,<4' numpy scipy)
    has_networkx "$home/bin/python" && return # another test was faster
    command -v python3 > /dev/null || skip 'python3 is not here'
    python3 -c 'import ensurepip, venv' 2> /dev/null || skip 'python3 cannot make virtual environments (python3-venv)'
    rm -rf "$home"
    python3 -m venv "$home" > "$log" 2>&1 || skip "python3 -m venv failed: $(tail -n 1 "$log")"
    timeout 300 "$home/bin/pip" install --quiet --no-compile --disable-pip-version-check --retries 1 --timeout 20 \
        "${wanted[@]}" > "$log" 2>&1 || skip "PyPI cannot be reached, or has no ${wanted[*]} for us: $(tail -n 1 "$log")"
    has_networkx "$home/bin/python" || skip "what PyPI gave cannot be used: $(tail -n 1 "$log")"
}

# The shared one, if it can be made.
share_networkx() {
    # shellcheck source=tests/python/venv.sh
    [[ -e $build_dir/python/weftgraph/_weft.abi3.so ]] && (source "$source_dir/tests/python/venv.sh" && need_shared_python "$build_dir") > /dev/null &&
        python=$build_dir/python-venv/bin/python && has_networkx "$python"
}

PYTHONPYCACHEPREFIX=$(realpath -m "$build_dir")/pycache # not beside the sources
export PYTHONPYCACHEPREFIX
share_networkx || python=$build_dir/networkx/bin/python
if ! has_networkx "$python"; then
    exec 9> "$build_dir/networkx.lock" # tests run side by side
    ! command -v flock > /dev/null || flock 9
    make_networkx "$build_dir/networkx" "$build_dir/networkx.log"
    exec 9>&-
fi
