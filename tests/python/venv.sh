# Virtual environments for the tests of the Python package.  Sourced, with $build_dir set; need_python FOLDER PACKAGES... leaves $python, and need_shared_python BUILD the one
# of several tests.  skip REASON ends a test with exit code 77.
# shellcheck shell=bash disable=SC2034

skip() {
    echo "skipped $(basename "$0" .sh): $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 77
}

# A Python of 3.11 or later; WEFT_TEST_PYTHON names others to try.
find_python() {
    local candidate
    for candidate in ${WEFT_TEST_PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if "$candidate" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

is_ready() { # folder, packages...
    local home=$1
    shift
    [[ -e $home/ready && $(cat "$home/ready") == "$*" ]] && "$home/bin/python" -c pass 2> /dev/null
}

need_python() { # folder, packages...
    python=$1/bin/python
    is_ready "$@" && return
    exec 9> "$1.lock" # tests run side by side
    ! command -v flock > /dev/null || flock 9
    is_ready "$@" || make_python "$@" # another test was faster
    exec 9>&-
}

# Numbers, tables and NetworkX take most of the time of an installation: once for all that use them, and with the tools for packages and pages.
need_shared_python() { # build folder
    need_python "$1/python-venv" pytest numpy scipy pandas polars pyarrow networkx==3.6.1 tqdm mypy build scikit-build-core pdoc
}

# A Python that runs NetworkX after 3.6.1, with the pinned release; or, given a name and packages, with these packages.
newer=3.7
need_newer_python() { # build folder [name packages...]
    local name=${2:-newer}
    local kept=("${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python3) # pyenv does not put them all on PATH
    export WEFT_TEST_PYTHON=${WEFT_TEST_PYTHON:-python3.14 python3.13 python3.12 ${kept[*]}}
    if ! "$(find_python)" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2> /dev/null; then
        skip "NetworkX after 3.6.1 needs a Python of 3.12 or later (WEFT_TEST_PYTHON)"
    fi
    if [[ $# -gt 2 ]]; then
        need_python "$1/networkx-venv-$name" "${@:3}"
    else
        need_python "$1/networkx-venv-$name" pytest==9.2.0 numpy==2.5.5 scipy==1.18.1 pandas==3.1.1 "networkx==$newer"
    fi
}

# One more package in the shared environment, which does without if it cannot be had.
need_package() { # build folder, package
    need_shared_python "$1"
    exec 9> "$1/python-venv.lock"
    ! command -v flock > /dev/null || flock 9
    if [[ ! -e $1/python-venv/ready-$2 ]]; then
        fetch "$1/python-venv" "$1/python-venv-$2.log" "$2"
        touch "$1/python-venv/ready-$2"
    fi
    exec 9>&-
}

# Byte code is made of what is imported, not of all that comes.
fetch() { # folder, log, packages...
    timeout 300 "$1/bin/pip" install --quiet --no-compile --disable-pip-version-check --retries 1 --timeout 20 "${@:3}" > "$2" 2>&1 ||
        skip "PyPI cannot be reached, or lacks one of ${*:3}: $(tail -n 1 "$2")"
}

make_python() { # folder, packages...
    local home=$1 log=$1.log base
    shift
    base=$(find_python) || skip 'there is no Python 3.11 or later that can make virtual environments'
    rm -rf "$home"
    "$base" -m venv "$home" > "$log" 2>&1 || skip "$base -m venv failed: $(tail -n 1 "$log")"
    if [[ $# -gt 0 ]]; then
        fetch "$home" "$log" "$@"
    fi
    echo "$*" > "$home/ready"
}

# Byte code is kept in the build folder, and not beside the sources.  Whoever sources this has said where that is.
PYTHONPYCACHEPREFIX=$(realpath -m "${build_dir:?}")/pycache
export PYTHONPYCACHEPREFIX

# Runs a command; what it prints is shown if it fails.  Needs $scratch, a folder; counts in $failed.
failed=0
check() { # title, command...
    local title=$1
    shift
    if "$@" > "$scratch/log" 2>&1; then
        echo "passed  $title"
    else
        failed=$((failed + 1))
        echo "FAILED  $title"
        tail -n 20 "$scratch/log"
    fi
}
