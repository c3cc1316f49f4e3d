#!/usr/bin/env bash
# The second half of fresh_root.sh, run in the root, where /given has the packages, a graph and two programs in C.
# shellcheck disable=SC2016,SC2317 # words for an inner shell; functions that check and gives call
set -uo pipefail
failed=0
cd /given || exit 1
# shellcheck source=/dev/null
source /given/checks.sh

# --- the image ---------------------------------------------------------------------------------------------
gives 'weft reads a graph' '*34*78*' weft info karate.txt
gives 'weft doctor finds the MPI' '*Open MPI*' weft doctor --quick
check 'a .weft file' weft convert karate.txt karate.weft
weft degree karate.weft -q -o alone.tsv
check 'mpirun -n 2 weft degree' mpirun --oversubscribe -n 2 weft degree karate.weft -o shared.tsv
check 'the same bytes as alone' cmp alone.tsv shared.tsv
check 'sshd takes its settings' /usr/sbin/sshd -t

# --- all packages ------------------------------------------------------------------------------------------
check 'apt lists' apt update
check 'all packages install, with what they depend on' apt install ./*.deb
gives 'man page, packed' '*weft*' sh -c 'zcat /usr/share/man/man1/weft.1.gz | head -5'
for file in /usr/share/bash-completion/completions/weft /usr/share/fish/vendor_completions.d/weft.fish /usr/share/zsh/vendor-completions/_weft; do
    check "completions: $file" test -s "$file"
done
gives 'the lab' '*engine*' weft lab degree --generate karate --quick --repeat 1 --device cpu --rungs engine
gives 'Python' '34 78 0.1.0' python3 -c 'import weftgraph as wg, importlib.metadata as m; g = wg.read("karate.txt"); print(g.vertices, g.edges, m.version("weftgraph"))'
check 'Python: an algorithm' python3 -c 'import weftgraph as wg; assert len(wg.read("karate.txt").pagerank()) == 34'

bash /given/slurm.sh || failed=1 # installs MPICH beside Open MPI
check 'mpiexec -n 2 weft degree' mpiexec.mpich -n 2 weft degree karate.weft -o mpich.tsv
check 'the same bytes as alone' cmp alone.tsv mpich.tsv

# --- programs of one's own -----------------------------------------------------------------------------------
check 'a compiler, pkg-config, CMake, zlib and zstd' apt install gcc libc6-dev pkg-config cmake make zlib1g-dev libzstd-dev
gives 'pkg-config' '34*' sh -c 'gcc rank.c -o rank $(pkg-config --cflags --libs weft) && ./rank karate.txt'
project() { # target, source, components
    rm -rf project
    mkdir project
    printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(app C)' "find_package(weft 0.1 REQUIRED $3)" "add_executable(app ../$2)" \
        "target_link_libraries(app PRIVATE $1)" > project/CMakeLists.txt
    cmake -S project -B project/made && cmake --build project/made
}
check 'CMake' project weft::weft rank.c ''
gives 'CMake: it runs' '34*' project/made/app karate.txt
# With CUDA it asks for the toolkit, which is no part of Debian.
if [[ $(weft --version) == *', no CUDA,'* ]]; then
    gives 'pkg-config, the static library' '34*' sh -c \
        'gcc rank.c -o rank $(pkg-config --cflags weft) -Wl,-Bstatic -lweft -Wl,-Bdynamic $(pkg-config --static --libs weft | sed s/-lweft//) && ./rank karate.txt'
    check 'CMake, the static library' project weft::weft_static rank.c 'COMPONENTS static check'
    gives 'CMake, the static library: it runs' '34*' project/made/app karate.txt
else
    gives 'CMake, the static library: what is missing' '*component static: not found: CUDAToolkit*' \
        project weft::weft_static rank.c 'COMPONENTS static check'
fi
gives 'CMake: a component that is none' '*component gpus: there is none of this name*' project weft::weft rank.c 'COMPONENTS gpus'
check 'Open MPI for C' apt install libopenmpi-dev
check 'CMake, a program over MPI' project weft::mpi ranks.c 'COMPONENTS mpi'
gives 'CMake, a program over MPI: it runs' '2 ranks, 34 vertices' mpirun --oversubscribe -n 2 project/made/app karate.weft

# --- and away ------------------------------------------------------------------------------------------------
mapfile -t names < <(for file in ./*.deb; do dpkg-deb -f "$file" Package; done)
dpkg -L "${names[@]}" | sort -u > owned
check 'weft-mpi goes alone' apt purge weft-mpi
gives 'then ranks are refused' '*libweft_mpi_openmpi.so was not found*' mpirun --oversubscribe -n 2 weft degree karate.weft
gives 'CMake then says what is missing' '*component mpi: there is no libweft_mpi_*weft-mpi*' project weft::mpi ranks.c 'COMPONENTS mpi'
check 'all packages are removed' apt purge "${names[@]}"
gives 'dpkg knows none of them' '' sh -c 'dpkg-query -W -f "\${Package} \${Status}\n" | grep weft'
left() {
    while read -r path; do if [[ -e $path || -L $path ]] && ! dpkg -S "$path" > /dev/null 2>&1; then echo "$path"; fi; done < owned
    find / -xdev -path /given -prune -o -path /proc -prune -o -name '*weft*' -print
}
gives 'nothing is left' '' left
exit $failed
