#!/usr/bin/env bash
# A few cases of the harnesses for which the program is enough; README.md has them all, and `make slow` runs all.
#   WEFT_BIN=build/weft tests/hostile/test_hostile.sh
set -uo pipefail
cd "${WEFT_SOURCE_DIR:-$(dirname "$0")/../..}" || exit 1
if ! command -v python3 > /dev/null; then
    echo 'skipped test_hostile: no python3 here'
    exit 77
fi
export WEFT_HOSTILE_CROWD=1
failed=0
for run in 'kills 2' 'flips 20' 'crowd 1'; do
    python3 -B "tests/hostile/${run% *}.py" --cases "${run#* }" || failed=1
done
exit $failed
