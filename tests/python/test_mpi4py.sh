#!/usr/bin/env bash
# weftgraph on ranks: a communicator of mpi4py's, given to runs as comm=, on 1 to 4 processes of Open MPI.  Skipped where Open MPI, its plug-in or mpi4py is not there.
set -uo pipefail
source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${WEFT_BINARY_DIR:-$source_dir/build}
# shellcheck source=tests/python/venv.sh
source "$source_dir/tests/python/venv.sh"

[[ -e $build_dir/python/weftgraph/_weft.abi3.so ]] || skip "this build has no Python package (WEFT_PYTHON, Python 3.11 with headers)"
[[ ! -e $build_dir/python/preload ]] || skip 'the extension has sanitizers, and MPI has not'
[[ -e $build_dir/libweft_mpi_openmpi.so ]] || skip 'there is no plug-in for Open MPI'
command -v mpiexec.openmpi > /dev/null || skip 'there is no mpiexec.openmpi'
need_package "$build_dir" mpi4py
# shellcheck source=tests/ranks/mpi.sh
. "$source_dir/tests/ranks/mpi.sh"
set +e
export PYTHONPATH=$build_dir/python
"$python" -c 'from mpi4py import MPI; exit("Open MPI" not in MPI.Get_library_version())' > said.txt 2>&1 ||
    skip "mpi4py does not find Open MPI: $(tail -n 1 said.txt)"

"$weft" generate rmat --scale 9 --degree 8 -o g.weft -q > one.log
for ranks in 1 3 4; do
    code=0
    mpiexec.openmpi -n $ranks "$python" "$source_dir/tests/python/ranks.py" g.weft > said.txt 2>&1 || code=$?
    check "$ranks ranks: exit code" 0 "$code"
    check "$ranks ranks: all is tried" "$(printf '%s\n' 7 "done on $ranks")" "$(grep -c '^same' said.txt; tail -n 1 said.txt)"
done
WEFT_PLUGINS=$scratch mpiexec.openmpi -n 2 "$python" -c '
import weftgraph, sys
from mpi4py import MPI
try:
    weftgraph.read("g.weft").pagerank(comm=MPI.COMM_WORLD)
except weftgraph.Error as e:
    sys.exit("libweft_mpi_openmpi.so was not found" not in str(e))
sys.exit(1)' > said.txt 2>&1 && code=0 || code=$?
check 'without a plug-in it is said' 0 "$code"
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[[ $failed == 0 ]]
