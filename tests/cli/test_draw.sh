#!/usr/bin/env bash
# weft layout -o picture: what is drawn, the same bytes whatever the threads, and what is refused.
#   WEFT_BIN=build/weft tests/cli/test_draw.sh [PART OF A TITLE]
# shellcheck disable=SC2034,SC2154
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
karate=$source_dir/examples/karate.txt
wanted=${1:-}
unset OMP_NUM_THREADS NO_COLOR
export LC_ALL=C
if [[ ! -x $weft ]] || ! command -v python3 > /dev/null; then
    echo "skipped test_draw: it needs $weft and python3"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"

python() { # expression over s, the SVG; p, rows of pixels of the PNG; c, how many pixels have each colour
    python3 -ISc '
import collections, os, struct, sys, xml.etree.ElementTree as xml, zlib
n = "{http://www.w3.org/2000/svg}"
s = xml.parse("picture.svg").getroot() if os.path.exists("picture.svg") else None
if os.path.exists("picture.png"):
    b = open("picture.png", "rb").read()
    assert b[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(b):
        length, = struct.unpack(">I", b[at:at + 4])
        kind, body = b[at + 4:at + 8], b[at + 8:at + 8 + length]
        assert struct.unpack(">I", b[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR": w, h = struct.unpack(">II", body[:8])
        if kind == b"IDAT": data += body
        at += 12 + length
    raw = zlib.decompress(data)
    assert len(raw) == h * (3 * w + 1) and kind == b"IEND"
    p = [raw[i * (3 * w + 1) + 1:(i + 1) * (3 * w + 1)] for i in range(h)]
    c = collections.Counter(row[i:i + 3].hex() for row in p for i in range(0, 3 * w, 3))
print(eval(sys.argv[1]))' "$1" 2>&1
}

t_svg() {
    exits 0 layout "$karate" --undirected -o picture.svg --colour core --size rank --quiet
    same "$(python 'len(s.findall(f".//{n}circle")), sum(p.get("d").count("M") for p in s.iter(f"{n}path"))')" '(34, 78)'
    same "$(python 'sorted((t.text for t in s.iter(f"{n}title")), key=int) == [str(i) for i in range(1, 35)]')" True
    # The larger the later; the innermost core, 10 vertices, at the end of the scale.
    same "$(python '(lambda r: r == sorted(r) and r[0] < r[-1])([float(x.get("r")) for x in s.iter(f"{n}circle")])')" True
    same "$(python 'sum(x.get("fill") == "#fde725" for x in s.iter(f"{n}circle"))')" 10
    same "$(python 's.get("width")')" 1200
    mv picture.svg first.svg
    exits 0 layout "$karate" --undirected -o picture.svg --color core --size rank --quiet -t 1
    cmp -s first.svg picture.svg || problem 'one thread draws another picture'
}
case_of 'an SVG has every vertex and edge' t_svg

t_columns() {
    printf 'id\tname\tside\n' > names.tsv
    for i in {1..34}; do printf '%s\t%s\t%s\n' "$i" "<V&$i>" "$((i % 3 ? 1 : 0))x"; done >> names.tsv
    exits 0 layout "$karate" --undirected -o picture.svg --labels names.tsv:name --colour names.tsv:side --size degree --quiet
    same "$(python 'collections.Counter(x.get("fill") for x in s.iter(f"{n}circle")).most_common()')" "[('#0072b2', 23), ('#e69f00', 11)]"
    same "$(python 'next(s.iter(f"{n}text")).text')" '<V&34>' # of the largest degree
}
case_of 'colours, sizes and labels of a table' t_columns

t_png() {
    exits 0 layout "$karate" --undirected -o picture.png --width 300 --quiet
    same "$(python 'w, c["0072b2"] > 300, c["ffffff"] > w * h / 2')" '(300, True, True)'
    exits 0 layout "$karate" --undirected -o picture.png --width 300 --dark --quiet
    same "$(python 'w, c["56b4e9"] > 300, c["14161a"] > w * h / 2')" '(300, True, True)'
    exits 0 layout "$karate" --undirected -o picture.png --json
    json 'j["output"], "output_rows" in j, "rows" in j' "('picture.png', False, False)"
}
case_of 'a PNG is whole, light or dark' t_png

t_odd() {
    : > nothing.txt
    printf '1 1\n' > loop.txt
    printf '1 2\n3 4\n3 3\n' > pairs.txt
    for f in nothing loop pairs; do
        exits 0 layout $f.txt --format edgelist --vertices 5 -o picture.svg --colour component --quiet
        exits 0 layout $f.txt --format edgelist --vertices 5 -o picture.png --size rank --quiet
        python 'len(c)' | grep -q '^[0-9]' || problem "$f.png cannot be read"
    done
}
case_of 'graphs with next to nothing in them' t_odd

t_refused() {
    exits 2 layout "$karate" -o xy.tsv --colour core
    complains '-o FILE.svg'
    exits 2 layout "$karate" -o picture.png --labels "$karate"
    exits 2 layout "$karate" -o no.svg --colour nonsense
    complains 'component, community, core'
    exits 2 layout "$karate" -o no.svg --size component
    exits 2 pagerank "$karate" -o no.svg
    exits 2 pagerank "$karate" -o ranks.tsv --dark
    [[ ! -e no.svg ]] || problem 'a picture was left'
}
case_of 'what cannot be drawn' t_refused

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
