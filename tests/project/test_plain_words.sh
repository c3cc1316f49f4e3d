#!/usr/bin/env bash
# Idioms that docs/STYLE.md retires: in each room comments have no more of them than plain_words.tsv says.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 > /dev/null || { echo "skipped: there is no python3"; exit 77; }
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT

# The counter itself: a comment with an idiom is found over two lines, a string and code are not.
mkdir -p "$scratch/tests/project" "$scratch/src/core"
cp "$here/plain_words.py" "$scratch/tests/project"
printf '/* Takes so\n * many bytes. */\nconst char *so_many = "so many";\n' > "$scratch/src/core/a.c"
: > "$scratch/tests/project/plain_words.tsv"
if python3 "$scratch/tests/project/plain_words.py" > "$scratch/out"; then
    echo "an idiom that the table does not allow was not reported"; exit 1
fi
grep -qx 'src/core: "so many" stands in 1 comments, 0 before: docs/STYLE.md has plainer words' "$scratch/out" || { cat "$scratch/out"; exit 1; }
python3 "$scratch/tests/project/plain_words.py" --write
python3 "$scratch/tests/project/plain_words.py" > /dev/null || { echo "a count as in the table was reported"; exit 1; }

python3 "$here/plain_words.py"
