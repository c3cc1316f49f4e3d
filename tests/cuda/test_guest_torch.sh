#!/usr/bin/env bash
# PyTorch and Weft in one process (tests/cuda/guest_torch.py).
#   WEFT_BINARY_DIR=build tests/cuda/test_guest_torch.sh
# Where there is no PyTorch or no GPU the test is skipped (exit code 77) and says why.  WEFT_TORCH_PYTHON: a Python that has it.
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
library=${WEFT_BINARY_DIR:-$source_dir/build}/libweft.so
python=${WEFT_TORCH_PYTHON:-python3}

if [[ ! -r $library ]]; then
    echo "skipped: there is no library at $library"
    exit 77
fi
if ! command -v "$python" > /dev/null; then
    echo "skipped: no $python"
    exit 77
fi
exec "$python" "$source_dir/tests/cuda/guest_torch.py" "$library"
