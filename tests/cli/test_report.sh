#!/usr/bin/env bash
# weft report: its figures, its page, and what happens to odd graphs and names.
#   WEFT_BIN=build/weft tests/cli/test_report.sh [PART OF A TITLE]
# shellcheck disable=SC2034,SC2154
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
karate=$source_dir/examples/karate.txt
wanted=${1:-}
unset OMP_NUM_THREADS NO_COLOR
export LC_ALL=C
if [[ ! -x $weft ]] || ! command -v python3 > /dev/null; then
    echo "skipped test_report: it needs $weft and python3"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"

# A Python expression over the figures of a page, f, its drawing, d, and its text, t.
page() { # file, expression, expected
    local got
    got=$(python3 -ISc '
import json, re, sys
t = open(sys.argv[1], encoding="utf-8").read()
f, d = (json.loads(re.search(f"<script type=\"application/json\" id=\"{name}\">(.*?)</script>", t, re.S)[1]) for name in ("figures", "drawing-data"))
print(eval(sys.argv[2]))' "$1" "$2" 2>&1)
    [[ $got == "$3" ]] || problem "$2 is '$got', expected '$3'"
}

t_karate() {
    exits 0 report "$karate" --undirected --json
    json '(j["vertices"], j["edges"], j["directed"])' '(34, 78, False)'
    json '[j["sections"]["cores"]["values"][k] for k in ("degeneracy", "innermost")]' '[4, 10]'
    json 'j["sections"]["clustering"]["values"]["triangles"]' 45
    json '"%.4f %.4f" % tuple(j["sections"]["clustering"]["values"][k] for k in ("average", "transitivity"))' '0.5706 0.2557'
    json '[j["sections"]["distances"]["values"][k] for k in ("diameter", "diameter_at_most", "radius", "radius_at_least")]' '[5, 5, 3, 3]'
    json 'j["sections"]["distances"]["tables"]["pairs"]["rows"][1][:2]' '[2, 265]'
    json 'j["sections"]["components"]["values"]["weak"]' "{'count': 1, 'largest': 34}"
    json 'sum(r[1] for r in j["sections"]["degrees"]["tables"]["degree"]["rows"])' 34
    json 'sum(r[2] for r in j["sections"]["degrees"]["tables"]["degree_bins"]["rows"])' 34
    json '[c for c in j["sections"]["top"]["tables"]["vertices"]["columns"]]' "['id', 'pagerank', 'betweenness', 'degree', 'hub', 'core', 'triangles']"
    json 'max(j["sections"]["top"]["tables"]["vertices"]["rows"], key=lambda r: r[1])[0]' 34
    json 'all(h["gives"] and h["exact"] and h["algorithm"] for s in j["sections"].values() for h in s["how"])' True
}
case_of 'the figures of the karate club' t_karate

t_communities() {
    exits 0 report "$karate" --undirected --json
    json '"%.4f" % j["sections"]["communities"]["values"]["modularity"]' 0.4198
    json '[j["sections"]["communities"]["values"][k] for k in ("count", "largest", "alone")]' '[4, 12, 0]'
    json 'j["sections"]["communities"]["tables"]["sizes"]["rows"]' '[[12, 1], [11, 1], [6, 1], [5, 1]]'
    json '[r[:2] + r[3:5] for r in j["sections"]["communities"]["tables"]["largest"]["rows"]]' '[[9, 12, 21, 14], [1, 11, 23, 14], [24, 6, 7, 10], [5, 5, 6, 4]]'
    json 'sum(r[2] for r in j["sections"]["communities"]["tables"]["between"]["rows"])' 21 # of 78 edges, 57 inside
    json '[r[1] for r in j["sections"]["communities"]["tables"]["members"]["rows"] if r[0] == 9]' '[34, 33, 9, 30, 31]'
    json 'max((a[3] + b[3]) / ((a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2) ** 0.5 for a in j["sections"]["communities"]["tables"]["circles"]["rows"] for b in j["sections"]["communities"]["tables"]["circles"]["rows"] if a != b) < 1' True # none overlap
    json 'round((j["sections"]["communities"]["tables"]["circles"]["rows"][0][3] / j["sections"]["communities"]["tables"]["circles"]["rows"][3][3]) ** 2 / 12 * 5, 2)' 1.0
    json '[r[1] for r in j["sections"]["drawing"]["tables"]["communities"]["rows"]]' '[12, 11, 6, 5]'
    printf '1 2\n2 1\n2 3\n4 5\n5 4\n5 6\n3 4\n7 8\n9 9\n' > arcs.txt # between 1 2 3 and 4 5 6 an arc; 7 8 stand below
    exits 0 report arcs.txt --directed --json
    json 'j["sections"]["communities"]["tables"]["between"]["rows"]' '[[1, 4, 1]]'
    json '[r[0] for r in j["sections"]["communities"]["tables"]["circles"]["rows"]]' '[1, 4, 7]'
    json 'all(j["sections"]["communities"]["tables"]["circles"]["rows"][2][2] > r[2] for r in j["sections"]["communities"]["tables"]["circles"]["rows"][:2])' True
    json 'j["sections"]["communities"]["values"]["alone"]' 1
}
case_of 'communities, and the graph of them' t_communities

t_same() {
    local threads
    "$weft" generate rmat --scale 9 -o g.weft -q
    for threads in 1 2 3; do
        "$weft" report g.weft --threads $threads --json -q | grep -v '_ms"\|"ms"\|"threads"\|"method"' > "f$threads" || problem "no figures"
    done
    { cmp f1 f2 && cmp f1 f3; } || problem 'the figures depend on the number of threads'
}
case_of 'the same figures on any number of threads' t_same

# Two stars joined at their middles; in the large one paths begin at some of its vertices.
stars() { awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) { print "a", "a" i; print "b", "b" i } print "a", "b" }'; }

t_brokers() {
    stars 9 > small.txt
    exits 0 report small.txt --undirected --json
    json '[h["exact"] for h in j["sections"]["top"]["how"] if h["algorithm"] == "betweenness"]' "['exact']"
    # of the 19 * 18 / 2 pairs of others, those with an end at a leaf of a: 9 * 10 and 9 * 8 / 2
    json '["%.6f" % r[2] for r in j["sections"]["top"]["tables"]["vertices"]["rows"] if r[0] == "a"] == ["%.6f" % ((90 + 36) / 171)]' True
    json 'j["sections"]["top"]["values"]["betweenness"]' "{'sources': 20}"
    stars 30000 > large.txt
    exits 0 report large.txt --undirected --json -o large.html
    json '[h["exact"].split(":")[0] for h in j["sections"]["top"]["how"] if h["algorithm"] == "betweenness"]' "['an estimate, from the paths that begin at 2,777 of 60,002 vertices, drawn at random']"
    json 'j["sections"]["top"]["values"]["betweenness"]' "{'sources': 2777}"
    json 'all(abs(r[2] - (30000 * 30001 + 30000 * 29999 / 2) / (60001 * 60000 / 2)) < 0.052 for r in j["sections"]["top"]["tables"]["vertices"]["rows"] if r[0] in "ab")' True
    page large.html 'f["sections"]["top"]["how"][1]["exact"].endswith("no value is off by more than 0.051")' True
    json '[a for a in j["alerts"] if a["kind"] == "estimate"]' '[]'
    "$weft" generate uniform --n 60000 --degree 4 --seed 3 -o flat.weft -q
    exits 0 report flat.weft --replicates 0 --json
    json '[a["text"].split(",")[0] + a["text"].split(",")[3] for a in j["alerts"] if a["kind"] == "estimate"]' "['betweenness is an estimate is larger than every value: this order is not certain']"
}
case_of 'who stands between others: exactly, or from a sample that says what it leaves open' t_brokers

t_page() {
    exits 0 report "$karate" -o page.html
    says 'wrote page.html'
    holds . page.html
    exits 0 report "$karate" -o again.html --json
    python3 -ISc '
import json, re, sys
t = open("again.html", encoding="utf-8").read()
f = json.loads(re.search("<script type=\"application/json\" id=\"figures\">(.*?)</script>", t, re.S)[1])
sys.exit(f != json.load(open(sys.argv[1])))' "$scratch/.out" || problem 'the page has other figures than --json'
    page page.html 're.findall(r"(?:src|href)=\"(?!#|data:)[^\"]*|@import|url\(", t)' '[]'
}
case_of 'a page that loads nothing has the figures that --json prints' t_page

t_hostile() {
    # shellcheck disable=SC2016
    printf '%s\n' 'source,target' '"</script><script>alert(1)</script>","<!-- "' '"<!-- ","it'"'"'s ""quoted"" & \back"' \
        '"it'"'"'s ""quoted"" & \back","{{figures}}"' > 'a<b>&".csv'
    exits 0 report 'a<b>&".csv' -o page.html
    page page.html 't.lower().count("</script"), t.count("<!--"), t.count("alert(1)<")' '(3, 0, 0)'
    page page.html 'sorted(r[0] for r in f["sections"]["top"]["tables"]["vertices"]["rows"])[1:3]' "['</script><script>alert(1)</script>', 'it\\'s \"quoted\" & \\\\back']"
    page page.html 'f["file"]' 'a<b>&".csv'
}
case_of 'names cannot leave their place in the page' t_hostile

t_drawing() {
    exits 0 report "$karate" -o page.html
    page page.html '(len(d["ids"]), sum(map(len, d["targets"])), f["sections"]["drawing"]["values"]["kind"])' "(34, 78, 'whole')"
    page page.html 'all(len(d[k]) == 34 for k in ("x", "y", "degree", "core", "pagerank", "community", "targets"))' True
    page page.html '(min(d["x"] + d["y"]), max(d["x"] + d["y"]))' '(0, 10000)'
    page page.html 'len(set(zip(d["x"], d["y"])))' 34
    page page.html '[d["degree"][d["ids"].index(v)] for v in (1, 17, 34)]' '[16, 2, 17]'
    printf '1 2\n2 1\n2 3\n3 3\n4 3\n' > both.txt
    exits 0 report both.txt -o both.html
    page both.html '[sorted((d["ids"][u], d["ids"][v]) for u, row in enumerate(d["targets"]) for v in row), f["sections"]["drawing"]["values"]["edges"], f["sections"]["drawing"]["values"]["lines"]]' '[[(1, 2), (2, 3), (4, 3)], 5, 3]'
    page both.html 'f["edges"]' 5 # the unit of both
}
case_of 'the drawing has every vertex and each edge once' t_drawing

t_backbone() {
    "$weft" generate rmat --scale 15 --degree 4 -o wide.weft -q
    exits 0 report wide.weft --quick -t 1 -o wide.html
    page wide.html '(f["sections"]["drawing"]["values"]["kind"], f["sections"]["drawing"]["values"]["k"] == min(d["core"]))' "('core', True)"
    page wide.html 'sum(r[1] for r in f["sections"]["cores"]["tables"]["cores"]["rows"] if r[0] >= min(d["core"])) == len(d["ids"]) <= 6000' True
    page wide.html 'max(r[2] for r in f["sections"]["cores"]["tables"]["cores"]["rows"] if r[0] == min(d["core"]) - 1) > 6000' True
    "$weft" generate grid --rows 150 --columns 150 -o grid.weft -q
    exits 0 report grid.weft --quick -t 1 -o grid.html
    page grid.html '(f["sections"]["drawing"]["values"]["kind"], len(d["ids"]), f["sections"]["drawing"]["values"]["around"] in d["ids"])' "('near', 3000, True)"
}
case_of 'of a large graph the densest cores are drawn, or what is near' t_backbone

# Too many vertices to be drawn one by one, and no dense part: 45 grids of 20 by 25.
grids() { awk 'BEGIN { for (i = 0; i < 22500; i++) { if (i % 25 != 24) print i, i + 1; if (i % 500 < 475) print i, i + 25 } }'; }

t_picture() {
    grids > grids.txt
    exits 0 report grids.txt --undirected -t 1 -o page.html
    page page.html '{k: f["sections"]["drawing"]["values"][k] for k in ("kind", "vertices", "edges", "lines", "share")}' "{'kind': 'picture', 'vertices': 22500, 'edges': 42975, 'lines': 42975, 'share': 1}"
    page page.html 'd["ids"] == [r[0] for r in f["sections"]["top"]["tables"]["vertices"]["rows"]]' True
    python3 -ISc '
import base64, json, re, struct, zlib
t = open("page.html", encoding="utf-8").read()
p = json.loads(re.search("id=\"drawing-data\">(.*?)</script>", t, re.S)[1])["picture"]
b, at, data = base64.b64decode(p["png"], validate=True), 8, b""
while at < len(b):
    length, kind = struct.unpack(">I4s", b[at:at + 8])
    if kind == b"IHDR": w, h = struct.unpack(">II", b[at + 8:at + 16])
    if kind == b"IDAT": data += b[at + 8:at + 8 + length]
    at += 12 + length
raw = zlib.decompress(data)
assert len(raw) == h * (w + 1) and max(w, h) <= 1600 and abs(p["width"] / p["height"] - w / h) < 0.01
marked = sum(x > 0 for x in raw)
assert w * h / 100 < marked < w * h, marked' 2> why || problem "the picture: $(tail -n 1 why)"
    "$weft" report grids.txt --undirected -q -t 2 -o two.html
    for f in page two; do grep -v '_ms"\|"ms"\|"threads"\|"method"' $f.html > $f.text; done
    cmp -s page.text two.text || problem 'another number of threads draws another picture'
}
case_of 'a large sparse graph is drawn whole, as pixels' t_picture

t_mixing() {
    exits 0 report "$karate" --undirected --json
    json '"%.6f" % j["sections"]["mixing"]["values"]["assortativity"]' -0.475613 # NetworkX and igraph
    json '"reciprocity" in j["sections"]["mixing"]["values"]' False
    printf '1 2\n2 1\n2 3\n3 3\n4 3\n3 1\n' > g.txt
    exits 0 report g.txt --json
    json '[j["sections"]["mixing"]["values"][k] for k in ("reciprocity", "mutual")]' '[0.4, 2]'
    json '"%.6f" % j["sections"]["mixing"]["values"]["assortativity"]' 0.316228 # (2/3) / sqrt(4/3 * 10/3), by hand
    printf '1 2\n2 3\n3 1\n' > ring.txt
    exits 0 report ring.txt --json
    json '[j["sections"]["mixing"]["values"][k] for k in ("reciprocity", "assortativity")]' '[0, None]'
}
case_of 'reciprocity and degree assortativity' t_mixing

t_weights() {
    printf 'source,target,weight\na,b,-1.5\nb,c,2\nc,a,2\nc,b,0\n' > g.csv
    exits 0 report g.csv --json
    json 'j["sections"]["weights"]["tables"]["weights"]["rows"]' '[[-1.5, -1.5, 1], [0, 0, 1], [2, 2, 2]]'
    json 'j["sections"]["weights"]["values"]' "{'mean': 0.625, 'sum': 2.5, 'negative': 1, 'zero': 1}"
    json '[n for n in j["notes"] if "--weights" in n]' '[]' # a flag that a report has not
    exits 0 report g.csv --undirected --json # an edge counts once
    json 'sum(r[2] for r in j["sections"]["weights"]["tables"]["weights"]["rows"]) == j["edges"] == 3' True
    { echo source,target,weight; for ((i = 1; i <= 300; i++)); do echo "$i,$((i + 1)),$((i * i))"; done; } > many.csv
    exits 0 report many.csv --json
    json '(lambda r: (r[0][:2], r[-1][1], sum(x[2] for x in r), all(a[1] + 1 == b[0] for a, b in zip(r, r[1:]))))(j["sections"]["weights"]["tables"]["weights"]["rows"])' '([1, 1], 90000, 300, True)'
    { echo source,target,weight; for ((i = 1; i <= 300; i++)); do echo "$i,$((i + 1)),$((i - 150)).5"; done; } > even.csv
    exits 0 report even.csv --json
    json '(lambda r: (len(r), r[0][0], r[-1][1], sum(x[2] for x in r), max(x[2] for x in r) - min(x[2] for x in r) <= 2))(j["sections"]["weights"]["tables"]["weights"]["rows"])' '(30, -149.5, 150.5, 300, True)'
}
case_of 'the histogram of weights' t_weights

t_cores() { # the 2-core of the karate club has 33 members: nobody but one has fewer than two friends
    exits 0 report "$karate" --undirected --json
    json '[r[2] for r in j["sections"]["cores"]["tables"]["cores"]["rows"]]' '[34, 33, 22, 10]'
    printf '1 2\n2 3\n3 4\n4 1\n1 3\n2 4\n' > four.txt # nobody has core number 1 or 2
    exits 0 report four.txt --undirected --json
    json 'j["sections"]["cores"]["tables"]["cores"]["rows"]' '[[1, 0, 4], [2, 0, 4], [3, 4, 4]]'
}
case_of 'cores: what is left at each k' t_cores

alerts() { json '[a["kind"] for a in j["alerts"]]' "$1"; }
t_alerts() {
    exits 0 report "$karate" --undirected --json
    alerts '[]'
    printf '1 2\n2 3\n3 4\n4 1\n1 3\n2 4\n' > four.txt # complete: nothing tells its vertices apart
    exits 0 report four.txt --undirected --json
    json '[a["kind"] for a in j["alerts"] if a["kind"] == "one_group"]' "['one_group']"
    printf '1 2\n2 1\n3 1\n1 3\n' > both.txt
    exits 0 report both.txt --directed --json
    json '"reciprocated" in [a["kind"] for a in j["alerts"]]' True
    exits 0 report both.txt --undirected --json
    json '"reciprocated" in [a["kind"] for a in j["alerts"]]' False
    printf 'source,target,weight\na,b,-1\nb,c,2\nb,c,3\n' > signed.csv
    exits 0 report signed.csv --json
    json '[a["text"][:28] for a in j["alerts"] if a["kind"] in ("negative_weights", "parallel_edges")]' "['1 of 2 edges has a negative ', '1 pair of vertices had paral']"
    { for ((i = 1; i <= 150; i++)); do echo "$i $((i % 150 + 1))"; done; for ((i = 2; i < 40; i++)); do echo "0 $i"; done; } > hub.txt
    exits 0 report hub.txt --vertices 200 --json
    json '[a["text"][:40] for a in j["alerts"] if a["kind"] in ("hub", "isolated")]' "['one vertex, 0, is an end of 20.2 % of th', '24.5 % of the vertices have no edges (49']"
    "$weft" generate uniform --n 500 --degree 6 --seed 3 -o plain.txt -q
    exits 0 report plain.txt --directed --json
    json '[a for a in j["alerts"] if a["kind"] != "one_group"]' '[]'
}
case_of 'alerts' t_alerts

t_unconverged() { # a path: the two largest eigenvalues are too near to each other
    "$weft" generate grid --rows 1 --columns 1500 -o path.weft -q
    exits 0 report path.weft -t 1 --json
    complains 'hits: after'
    json '[(h["algorithm"], h.get("converged")) for h in j["sections"]["top"]["how"]]' "[('pagerank', True), ('betweenness', None), ('hits', False)]"
    json 'j["sections"]["top"]["how"][2]["exact"].startswith("not converged: after 2,000 iterations the values still change by ")' True
    json '[a["text"] for a in j["alerts"] if a["kind"] == "warning"] == [n for n in j["notes"] if n.startswith("hits: after 2000 iterations")]' True
    json 'len([n for n in j["notes"] if n.startswith("hits: ")])' 1
}
case_of 'what did not converge says so' t_unconverged

t_tail() {
    "$weft" generate rmat --scale 9 -o g.weft -q
    exits 0 report g.weft --replicates 0 --json
    json '[(max(r[0] for r in j["sections"]["degrees"]["tables"][k]["rows"]) >= 50) == v["found"] for k, v in j["sections"]["degrees"]["values"].items()]' '[True, True]'
    for i in {1..49}; do echo "0 $i"; done > star.txt
    exits 0 report star.txt --undirected --json
    json 'j["sections"]["degrees"]["values"]["degree"]' "{'found': False}"
    json '[h["algorithm"] for h in j["sections"]["degrees"]["how"]]' "['degree']"
    echo '0 50' >> star.txt
    exits 0 report star.txt --undirected --json
    json 'j["sections"]["degrees"]["values"]["degree"]["found"]' True
}
case_of 'no power law where no degree is 50 or more' t_tail

t_browser() {
    local browser said
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
    [[ -n $browser ]] || { skip_reason='no Chromium here'; return; }
    cp "$karate" karate.txt
    printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > empty.mtx
    printf '%%%%MatrixMarket matrix coordinate pattern general\n1 1 0\n' > one.mtx
    printf '"</script><script>alert(1)</script>",b\nb,c\n' > hostile.csv
    "$weft" generate rmat --scale 8 -o directed.weft -q
    local graph
    "$weft" generate grid --rows 1 --columns 1500 -o path.weft -q
    grids > grids.txt
    awk -v OFS=, 'BEGIN { print "source,target,weight"; for (i = 0; i < 500; i++) print i % 60, i * 7 % 61, i * i - 9 }' > weighted.csv
    for graph in karate.txt hostile.csv empty.mtx one.mtx directed.weft path.weft weighted.csv grids.txt; do exits 0 report $graph -t 1 --replicates 20 -o $graph.html; done
    said=$(python3 -B "$source_dir/tests/cli/report_page.py" "$browser" "$PWD" "$PWD"/{karate.txt,hostile.csv,empty.mtx,one.mtx,directed.weft,path.weft,weighted.csv,grids.txt}.html 2>&1)
    case $? in
    0) [[ -z $said ]] || problem "$said" ;;
    77) skip_reason="$browser does not start here" ;;
    *) problem "report_page.py: $said" ;;
    esac
}
case_of 'in a browser: no word on the console, tables as figures, search, zoom, hover' t_browser

t_d3() {
    local browser said
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
    [[ -n $browser ]] || { skip_reason='no Chromium here'; return; }
    printf 'id,label\n34,John <b>A</b>\n1,</script><script>alert(1)</script>\n' > names.csv
    exits 0 run "$karate" layout degree --labels names.csv --to json -o d3.json -q
    said=$(python3 -B "$source_dir/tests/cli/d3_page.py" "$browser" "$PWD" d3.json 2>&1)
    case $? in
    0) [[ -z $said ]] || problem "$said" ;;
    77) skip_reason="$browser does not start here" ;;
    *) problem "d3_page.py: $said" ;;
    esac
}
case_of 'in a browser: a page draws the results that joined a graph' t_d3

t_labels() {
    printf 'id,name\n34,John <A>\n1,Mr. Hi\n' > names.csv
    exits 0 report "$karate" --labels names.csv -o page.html
    page page.html '[r[1] for r in f["sections"]["top"]["tables"]["vertices"]["rows"] if r[0] in (1, 34)]' "['Mr. Hi', 'John <A>']"
    exits 2 report "$karate" --labels names.csv -o names.csv
    complains 'are the same file'
}
case_of 'names from a table' t_labels

t_odd() {
    printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > empty.mtx
    printf '%%%%MatrixMarket matrix coordinate pattern general\n1 1 0\n' > one.mtx
    printf '1 1\n' > loop.txt
    printf 'source,target,weight\na,b,0.5\nb,c,2\n' > weighted.csv
    local graph
    for graph in empty.mtx one.mtx loop.txt weighted.csv; do
        exits 0 report $graph -o "$graph.html"
        exits 0 report $graph --undirected --json
        is_json
        page $graph.html '[s for s in f["sections"] if s != "weights"]' "['degrees', 'mixing', 'components', 'cores', 'clustering', 'distances', 'top', 'communities', 'drawing']"
        page $graph.html '("weights" in f["sections"]) == f["weighted"]' True
    done
    page weighted.csv.html '(f["weighted"], f["columns"]["source"], f["min_weight"])' "(True, 'source', 0.5)"
    page one.mtx.html 'f["sections"]["degrees"]["values"]["in"]' "{'found': False}"
    exits 0 report "$karate" --quick --json -o quick.html
    json '[h["algorithm"] for s in j["sections"].values() for h in s["how"]]' "['degree', 'mixing', 'components', 'kcore', 'distances', 'pagerank', 'leiden', 'counting', 'layout', 'layout']"
    json '[a["text"] for a in j["alerts"] if a["kind"] == "quick"][0][:71]' '--quick left out betweenness, hubs and authorities (HITS), triangles an'
    json 'list(j["sections"]["top"]["values"])' "['pagerank']"
    page quick.html '[a["kind"] for a in f["alerts"]]' "['quick']"
    json 'list(j["sections"]["clustering"])' "['how', 'left_out']"
    json 'j["sections"]["degrees"]["values"]["degree"]' "{'found': False}"
}
case_of 'empty, one vertex, a loop, weights, --quick' t_odd

t_refused() {
    exits 2 report "$karate"
    complains '-o report.html'
    exits 2 report "$karate" --json -o -
    exits 3 report nowhere.txt -o page.html
    exits 3 report "$karate" -o nowhere/page.html
    echo old > page.html
    exits 4 report "$karate" -o page.html --memory-limit 1K
    "$weft" generate rmat --scale 9 -o g.weft -q
    exits 124 report g.weft -o page.html --replicates 1000000 --timeout 0.2
    same "$(cat page.html)" old
    holds . page.html g.weft
}
case_of 'what fails leaves the old page' t_refused

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
