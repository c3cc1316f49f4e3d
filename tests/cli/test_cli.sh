#!/usr/bin/env bash
# The program as its users meet it: commands, flags, files, exit codes.
#   WEFT_BIN=build/weft tests/cli/test_cli.sh [PART OF A TITLE]
# Ends with "N passed, N failed, N skipped"; exit code 1 when something failed.
# shellcheck disable=SC2034,SC2154 # names shared with the parts in tests/cli
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
karate=$source_dir/examples/karate.txt
data=$source_dir/tests/data/cli
wanted=${1:-}
unset OMP_NUM_THREADS NO_COLOR
export LC_ALL=C

if [[ ! -x $weft ]]; then
    echo "skipped test_cli: there is no program at $weft"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"
# shellcheck source=/dev/null
for part in usage conditions hand_over graphs compare partition results joined sides answers features trouble targets bench dynamic predict checkpoints; do source "$source_dir/tests/cli/$part.sh"; done

if ! $have_python; then
    skipped=$((skipped + 1))
    echo 'skipped the content of JSON: no python3 here'
fi

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
