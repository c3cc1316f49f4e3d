#!/usr/bin/env bash
# What the Makefile and CMake decide about CUDA: when it is compiled, for which architecture, and that adding it to a folder
# compiles no other C again; that programs of tests are not linked through links.  Configures in scratch folders and builds nothing.
#   tests/project/test_build.sh [PART OF A TITLE]
# shellcheck disable=SC2034,SC2154 # names shared with tests/support/harness.sh
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
wanted=${1:-}
export LC_ALL=C
unset MAKEFLAGS MAKELEVEL CMAKE_ARGS BUILD
for program in make cmake ninja; do
    if ! command -v "$program" > /dev/null; then
        echo "skipped test_build: no $program here"
        echo "0 passed, 0 failed, 1 skipped"
        exit 77
    fi
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"

# An nvidia-smi that tells of GPUs of these compute capabilities, or of none.
gpus() { # capabilities...
    printf '#!/bin/sh\n' > smi
    if (($#)); then printf 'echo %s\n' "$@" >> smi; else printf 'echo "No devices were found"\nexit 6\n' >> smi; fi
    chmod +x smi
}

# Configures the folder and leaves in $cuda what the summary says of CUDA.
configure() { # folder, flags...
    cuda=$(cmake -G Ninja -S "$source_dir" -B "$1" -DWEFT_TESTS=OFF -DWEFT_BENCH=OFF -DWEFT_NVIDIA_SMI="$PWD/smi" "${@:2}" 2> .err |
        sed -n 's/^-- weft .*, CUDA \(.*\), MPI .*/\1/p')
    [[ -n $cuda ]] || problem "cmake fails: $(cat .err)"
}

have_nvcc=false
if command -v nvcc > /dev/null || [[ -x /usr/local/cuda/bin/nvcc || -x /opt/cuda/bin/nvcc ]]; then have_nvcc=true; fi
have_gpu_files=false
if compgen -G '/dev/nvidia[0-9]*' > /dev/null; then have_gpu_files=true; fi

# The arguments that make gives to cmake in a folder of which the cache says this.
asked_of_cmake() { # make's target, line of the cache
    rm -rf folder
    if [[ -n $2 ]]; then
        mkdir folder
        echo "$2" > folder/CMakeCache.txt
        touch folder/build.ninja
    fi
    make -C "$source_dir" -n "$1" BUILD="$PWD/folder" 2>&1 | grep -oE -e '-DWEFT_CUDA=[A-Z]*|--target .*' | paste -sd' ' | sed 's/ *$//'
}

folders() {
    same "$(asked_of_cmake run '')" '-DWEFT_CUDA=GPU --target weft'
    same "$(asked_of_cmake programs '')" '-DWEFT_CUDA=GPU --target weft weft-lab'
    same "$(asked_of_cmake build '')" '--target all weft_bench'
    same "$(asked_of_cmake test '')" '-DWEFT_CUDA=CHECK'
    same "$(asked_of_cmake run 'WEFT_CUDA:STRING=GPU')" '--target weft'
    same "$(asked_of_cmake run 'WEFT_CUDA:STRING=AUTO')" '--target weft'
    same "$(asked_of_cmake build 'WEFT_CUDA:STRING=GPU')" '-DWEFT_CUDA=AUTO --target all weft_bench'
    same "$(asked_of_cmake build 'WEFT_CUDA:STRING=CHECK')" '-DWEFT_CUDA=AUTO --target all weft_bench'
    same "$(asked_of_cmake test 'WEFT_CUDA:STRING=GPU')" '-DWEFT_CUDA=CHECK'
    for kept in AUTO CHECK ON OFF; do same "$(asked_of_cmake test "WEFT_CUDA:STRING=$kept")" ''; done
}
case_of 'make run builds the program alone; make adds CUDA to its folder, and nothing takes it away' folders

no_gpu() {
    if $have_gpu_files; then skip_reason='there is a GPU'; return; fi
    gpus
    configure folder -DWEFT_CUDA=GPU
    same "$cuda" 'off (no GPU here)'
}
case_of 'WEFT_CUDA=GPU does without CUDA where there is no GPU' no_gpu

wrong_value() {
    gpus
    cmake -G Ninja -S "$source_dir" -B folder -DWEFT_CUDA=MAYBE > /dev/null 2> .err && problem 'it is taken'
    grep -q "WEFT_CUDA is 'MAYBE'; it can be AUTO, GPU, CHECK, ON or OFF" .err || problem "it says: $(cat .err)"
}
case_of 'WEFT_CUDA takes five words' wrong_value

architectures() {
    $have_nvcc || { skip_reason='no nvcc here'; return; }
    gpus 8.0 9.0 8.0
    configure folder -DWEFT_CUDA=GPU
    same "${cuda#* }" '(80,90)'
    configure folder -DWEFT_CUDA_ARCHS=portable
    same "${cuda#* }" '(75-real,80-real,90)'
    gpus 999.9 # of a time to come
    configure folder -DWEFT_CUDA=AUTO -DWEFT_CUDA_ARCHS=
    same "${cuda#* }" '(90)'
    if $have_gpu_files; then return; fi
    gpus
    configure folder -DWEFT_CUDA=CHECK
    same "${cuda#* }" '(75-virtual)'
    configure folder -DWEFT_CUDA=AUTO
    same "${cuda#* }" '(90)'
}
case_of 'CUDA is compiled for the GPUs that there are, for 90 if nvcc does not know them, for a list, or in a hurry' architectures

# The commands that compile C, one a line, without the folder's name.
commands_of() { # folder
    python3 -IS - "$PWD/$1" "$source_dir" << 'END'
import json, os, sys
folder, source = map(os.path.realpath, sys.argv[1:])
for entry in json.load(open(os.path.join(folder, "compile_commands.json"))):
    file = os.path.relpath(os.path.realpath(entry["file"]), source)
    if file.endswith(".c") and not file.startswith(".."):
        print(file, entry["command"].replace(sys.argv[1], "").replace(folder, ""))
END
}

compiled_once() {
    $have_nvcc || { skip_reason='no nvcc here'; return; }
    $have_python || { skip_reason='no python3 here'; return; }
    gpus
    configure folder -DWEFT_CUDA_ARCHS= -DWEFT_CUDA=OFF # the compilers are known there
    commands_of folder | sort > one
    configure folder -DWEFT_CUDA=ON
    commands_of folder | sort > other
    [[ $(wc -l < one) -gt 200 ]] || problem "there are $(wc -l < one) files"
    # Twice there: compiled in both, by other commands.
    (cd "$source_dir" && grep -rlE '^WFI_(STEPS|KERNELS)\(' src --include='*.c') > steps
    same "$(comm -3 one other | awk '{ print $1 }' | sort | uniq -d | grep -vE '^src/algo/([^/]+)/\1\.c$' | grep -vxFf steps)" ''
    [[ -n $(comm -3 one other) ]] || problem 'CUDA makes no difference'
}
case_of 'C is compiled alike with CUDA and without, but for descriptors and steps' compiled_once

in_a_hurry() {
    $have_nvcc || { skip_reason='no nvcc here'; return; }
    if $have_gpu_files; then skip_reason='there is a GPU'; return; fi
    gpus
    configure folder -DWEFT_CUDA_ARCHS= -DWEFT_CUDA=CHECK
    python3 -IS - "$PWD/folder" > archs << 'END'
import json, re, sys
for entry in json.load(open(sys.argv[1] + "/compile_commands.json")):
    found = sorted(set(re.findall("arch=compute_([0-9]+)", entry["command"])))
    if found:
        print(entry["file"].rsplit("/", 1)[1], *found)
END
    [[ -s archs ]] || problem 'no device code is compiled'
    same "$(grep -v ' 75\( 90\)\?$' archs)" ''
    same "$(grep -x 'kahn_rows.cu .*' archs)" 'kahn_rows.cu 75 90' # has code for clusters of blocks
    same "$(grep -x 'kahn_cuda.cu .*\|device_code_2.cu .*' archs)" 'device_code_2.cu 75' # files in one, without
}
case_of 'in a hurry, device code is compiled for the oldest GPU of packages, and for the newest where it has code for it' in_a_hurry

# A test that is part of a program in one configuration and a program in the next one.
links() {
    mkdir -p linked/tests
    echo 'a program of many tests' > linked/tests/tests_all
    ln -s tests_all linked/tests/test_place
    configure linked -DWEFT_TESTS=ON -DWEFT_PYTHON=OFF -DWEFT_MPI=OFF -DWEFT_CUDA=OFF
    ! [[ -L linked/tests/test_place ]] || problem 'the linker would write through the link'
    same "$(cat linked/tests/tests_all)" 'a program of many tests'
    [[ $(readlink linked/tests/test_guest_gpu) == tests_* ]] || problem 'without CUDA, test_guest_gpu is no link'
    $have_nvcc || return 0
    configure linked -DWEFT_TESTS=ON -DWEFT_CUDA=ON
    ! [[ -L linked/tests/test_guest_gpu ]] || problem 'with CUDA, test_guest_gpu is still a link'
}
case_of 'no program is linked in the place of a link of another configuration' links

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
