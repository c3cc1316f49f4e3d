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
def labels(): return [(t.text, t) for g in s.iter(f"{n}g") if g.get("class") == "labels" for t in g.iter(f"{n}text")]
def legend(): return [t.text for g in s.iter(f"{n}g") if g.get("class") == "legend" for t in g.iter(f"{n}text")]
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

more() { # number, than, what is wrong else
    if ! [[ $1 =~ ^[0-9]+$ ]] || (($1 <= $2)); then problem "$3: $1 is not more than $2"; fi
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
    same "$(python 'labels()[0][0]')" '<V&34>' # of the largest degree
    exits 0 layout "$karate" --undirected -o picture.svg --labels names.tsv:name --quiet
    same "$(python '[t[0] for t in labels()[:3]]')" "['<V&34>', '<V&1>', '<V&33>']" # by PageRank
    exits 0 layout "$karate" --undirected -o picture.svg --labels names.tsv:name --size names.tsv:id --quiet
    same "$(python '[t[0] for t in labels()[:3]]')" "['<V&34>', '<V&33>', '<V&32>']"
}
case_of 'colours, sizes and labels of a table' t_columns

t_communities() { # they become the layout's groups: the same places as from a file of them, and other ones than without
    exits 0 leiden "$karate" --undirected -o groups.tsv --quiet
    exits 0 layout "$karate" --undirected -o plain.tsv --quiet
    exits 0 layout "$karate" --undirected --groups groups.tsv -o given.tsv --quiet
    exits 0 layout "$karate" --undirected --colour community -o coloured.tsv
    complains 'communities: 4, modularity 0.4198, as weft leiden finds them'
    cmp -s given.tsv coloured.tsv || problem '--colour community is not --groups of leiden'
    cmp -s plain.tsv coloured.tsv && problem '--colour community changes no place'
    exits 0 layout "$karate" --undirected --colour core -o picture.svg --quiet
    mv picture.svg core.svg
    exits 0 layout "$karate" --undirected --colour community -o picture.svg --quiet
    same "$(python 'sorted(collections.Counter(x.get("fill") for x in s.iter(f"{n}circle")).values())[-4:]')" '[5, 6, 11, 12]'
    places='[(x.get("cx"), x.get("cy")) for x in s.iter(f"{n}circle")][:34]'
    coloured=$(python "$places")
    exits 0 layout "$karate" --undirected --groups groups.tsv --colour core -o picture.svg --quiet
    same "$(python "$places")" "$coloured"
    exits 0 layout "$karate" --undirected --colour community --plan --json
    json 'j["host_bytes"] > 0' True
    exits 2 layout "$karate" --undirected --colour core -o places.tsv
    complains 'but for community'
    printf 'id\tlabel\n1\tx\n' > few.tsv
    exits 3 layout "$karate" --undirected --groups few.tsv
    complains 'few.tsv'
}
case_of 'communities stand apart' t_communities

t_png() {
    exits 0 layout "$karate" --undirected -o picture.png --width 300 --quiet
    same "$(python 'w, c["0072b2"] > 300, c["ffffff"] > w * h / 2')" '(300, True, True)'
    exits 0 layout "$karate" --undirected -o picture.png --width 300 --dark --quiet
    same "$(python 'w, c["56b4e9"] > 300, c["14161a"] > w * h / 2')" '(300, True, True)'
    exits 0 layout "$karate" --undirected -o picture.png --json
    json 'j["output"], "output_rows" in j, "rows" in j' "('picture.png', False, False)"
}
case_of 'a PNG is whole, light or dark' t_png

t_edge() { # names that are longer than the way to the edge stay inside, whole or with dots
    printf 'id\tname\n' > names.tsv
    for i in {1..34}; do printf '%s\tMember number %s of the club\n' "$i" "$i"; done >> names.tsv
    exits 0 layout "$karate" --undirected -o picture.svg --width 500 --labels names.tsv --quiet
    same "$(python 'len(labels()) > 8, all(0 <= float(t.get("x")) - float(t.get("textLength", 150)) / 2 and float(t.get("x")) + float(t.get("textLength", 150)) / 2 <= 500 for _, t in labels())')" '(True, True)'
    same "$(python 'any(t.get("textLength") for _, t in labels())')" True
    printf 'id\tname\n34\t%0300d\n' 0 | tr 0 m > names.tsv
    exits 0 layout "$karate" --undirected -o picture.svg --width 500 --labels names.tsv:name --quiet
    same "$(python '[(len(t) < 40, t[-1]) for t, _ in labels()]')" "[(True, '…')]"
    printf '1 2\n2 3\n3 1\n' > three.txt # letters at all sides: no ink in the outermost pixels
    printf 'id\tname\n1\tWWWWWWWWWWWWWWWWWWWW\n2\tWWWWWWWWWWWWWWWWWWWW\n3\tgggggggggggggggggggg\n' > names.tsv
    exits 0 layout three.txt --undirected -o picture.png --width 300 --labels names.tsv --quiet
    same "$(python '{p[y][3 * x:3 * x + 3].hex() for y in range(h) for x in (0, w - 1)} | {p[y][3 * x:3 * x + 3].hex() for y in (0, h - 1) for x in range(w)}')" "{'ffffff'}"
}
case_of 'no letter is cut at the edge' t_edge

t_letters() {
    printf '1 2\n' > two.txt
    local before
    exits 0 layout two.txt --undirected -o picture.png --width 1200 --quiet
    before=$(python 'c["1b1d21"]')
    same "$before" 0
    printf 'id\tname\n1\tGdańsk\n2\tÅrhus\n' > names.tsv
    exits 0 layout two.txt --undirected -o picture.png --width 1200 --labels names.tsv
    is_silent
    more "$(python 'c["1b1d21"]')" 10 'a .png has no letters'
    mv picture.png names.png
    printf 'id\tname\n1\t東京\n2\tÅrhus\n' > names.tsv
    exits 0 layout two.txt --undirected -o picture.png --width 1200 --labels names.tsv
    complains '1 label has letters'
    cp picture.png first.png
    printf 'id\tname\n1\t1\n2\tÅrhus\n' > names.tsv
    exits 0 layout two.txt --undirected -o picture.png --width 1200 --labels names.tsv --quiet
    cmp -s first.png picture.png || problem 'a name that cannot be written is not the id'
    exits 0 layout two.txt --undirected -o picture.svg --labels id --quiet
    same "$(python '[t[0] for t in labels()]')" "['1', '2']"
}
case_of 'letters in a PNG' t_letters

t_bytes() { # ids that are no UTF-8, and a character that XML does not have
    printf 'a\xffb c\nc <d\xef\xbf\xbfe\n' > bytes.txt
    exits 0 layout bytes.txt -o picture.svg --labels id --quiet
    same "$(python 'ascii(sorted(t[0] for t in labels()))')" "['<d\ufffde', 'a\ufffdb', 'c']"
}
case_of 'an SVG of names that are any bytes' t_bytes

t_legend() {
    printf 'id\tside\n' > sides.tsv
    for i in {1..34}; do printf '%s\t%s\n' "$i" "$((i % 3 ? 1 : 0)) & x"; done >> sides.tsv
    exits 0 layout "$karate" --undirected -o picture.svg --quiet
    same "$(python 'legend()')" '[]'
    local plain
    plain=$(python 'int(s.get("height"))')
    exits 0 layout "$karate" --undirected -o picture.svg --colour sides.tsv:side --size core --title 'The <club>' --quiet
    same "$(python 'legend()')" "['The <club>', 'colour: side', '1 & x: 23', '0 & x: 11', 'size: core', '1', '4']"
    more "$(python 'int(s.get("height"))')" $((plain + 40)) 'the title and the legend have no room'
    exits 0 layout "$karate" --undirected -o picture.svg --colour degree --quiet
    same "$(python 'legend()')" "['colour: degree', '1', '17']"
    exits 0 layout "$karate" --undirected -o picture.png --colour sides.tsv:side --title Club --quiet
    more "$(python 'c["1b1d21"]')" 100 'a .png has no legend'
}
case_of 'a title and a legend' t_legend

t_lines() {
    printf 'source,target,weight\na,b,1\nb,c,-100\nc,d,30\nb,a,2\n' > g.csv
    exits 0 layout g.csv -o picture.svg --quiet
    same "$(python 'legend()')" "['line width: weight, regardless of sign', '1', '100']"
    same "$(python 'sorted((float(g.get("stroke-width")), sum(x.get("d").count("M") for x in g)) for g in s.iter(f"{n}g") if g.get("stroke-width") and g.find(f"{n}path") is not None)')" '[(0.72, 1), (2.5, 1), (4.3, 1)]'
    exits 0 layout g.csv -o picture.svg --line-width even --arrows --quiet
    same "$(python 'legend()')" '[]'
    same "$(python '[x.get("d").count("Z") for g in s.iter(f"{n}g") if g.get("class") == "arrows" for x in g]')" '[4]' # a and b point at each other
    exits 0 layout g.csv -o picture.png --line-width even --quiet
    cp picture.png plain.png
    exits 0 layout g.csv -o picture.png --line-width even --arrows --quiet
    ! cmp -s plain.png picture.png || problem 'a .png has no arrows'
}
case_of 'widths by weight, and arrows' t_lines

t_alone() { # vertices without edges: a grid apart from the rest, no chain along it
    for i in {1..199}; do echo "$i $((i + 1))"; done > path.txt
    exits 0 layout path.txt --undirected --vertices 220 --format edgelist -o xy.tsv --quiet
    python3 -ISc '
rows = [list(map(float, line.split())) for line in open("xy.tsv").readlines()[1:]]
path, alone = [r for r in rows if 1 <= r[0] <= 200], [r for r in rows if not 1 <= r[0] <= 200]
assert len(alone) == 20 and max(r[2] for r in alone) < min(r[2] for r in path)
columns, lines = {r[1] for r in alone}, {r[2] for r in alone}
assert len(columns) * len(lines) < 30 and min(len(columns), len(lines)) >= 3, (len(columns), len(lines))' 2> why || problem "$(tail -n 1 why)"
}
case_of 'vertices without edges are a grid apart' t_alone

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
    exits 2 layout "$karate" -o xy.tsv --title Club
    exits 2 layout "$karate" -o xy.tsv --arrows
    exits 2 layout "$karate" -o no.svg --undirected --arrows
    complains 'undirected'
    exits 2 layout "$karate" -o no.svg --line-width weight
    complains 'no weights'
    exits 2 layout "$karate" -o no.svg --line-width thick
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
