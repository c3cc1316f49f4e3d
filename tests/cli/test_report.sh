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
    json '[c for c in j["sections"]["top"]["tables"]["vertices"]["columns"]]' "['id', 'pagerank', 'degree', 'hub', 'core', 'triangles']"
    json 'max(j["sections"]["top"]["tables"]["vertices"]["rows"], key=lambda r: r[1])[0]' 34
    json 'all(h["gives"] and h["exact"] and h["algorithm"] for s in j["sections"].values() for h in s["how"])' True
}
case_of 'the figures of the karate club' t_karate

t_same() {
    local threads
    "$weft" generate rmat --scale 9 -o g.weft -q
    for threads in 1 2 3; do
        "$weft" report g.weft --threads $threads --json -q | grep -v '_ms"\|"ms"\|"threads"' > "f$threads" || problem "no figures"
    done
    { cmp f1 f2 && cmp f1 f3; } || problem 'the figures depend on the number of threads'
}
case_of 'the same figures on any number of threads' t_same

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
    page both.html '[sorted((d["ids"][u], d["ids"][v]) for u, row in enumerate(d["targets"]) for v in row), f["sections"]["drawing"]["values"]["edges"]]' '[[(1, 2), (2, 3), (4, 3)], 3]'
}
case_of 'the drawing has every vertex and each edge once' t_drawing

t_backbone() {
    "$weft" generate rmat --scale 15 --degree 4 -o wide.weft -q
    exits 0 report wide.weft --quick -o wide.html
    page wide.html '(f["sections"]["drawing"]["values"]["kind"], f["sections"]["drawing"]["values"]["k"] == min(d["core"]))' "('core', True)"
    page wide.html 'sum(r[1] for r in f["sections"]["cores"]["tables"]["cores"]["rows"] if r[0] >= min(d["core"])) == len(d["ids"]) <= 6000' True
    page wide.html 'max(r[2] for r in f["sections"]["cores"]["tables"]["cores"]["rows"] if r[0] == min(d["core"]) - 1) > 6000' True
    "$weft" generate grid --rows 150 --columns 150 -o grid.weft -q
    exits 0 report grid.weft --quick -o grid.html
    page grid.html '(f["sections"]["drawing"]["values"]["kind"], len(d["ids"]), f["sections"]["drawing"]["values"]["around"] in d["ids"])' "('near', 3000, True)"
}
case_of 'of a large graph the densest cores are drawn, or what is near' t_backbone

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
    for graph in karate.txt hostile.csv empty.mtx one.mtx directed.weft; do exits 0 report $graph -o $graph.html; done
    said=$(python3 -B "$source_dir/tests/cli/report_page.py" "$browser" "$PWD" "$PWD"/{karate.txt,hostile.csv,empty.mtx,one.mtx,directed.weft}.html 2>&1)
    case $? in
    0) [[ -z $said ]] || problem "$said" ;;
    77) skip_reason="$browser does not start here" ;;
    *) problem "report_page.py: $said" ;;
    esac
}
case_of 'in a browser: no word on the console, tables as figures, search, zoom, hover' t_browser

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
        page $graph.html 'list(f["sections"])' "['degrees', 'components', 'cores', 'clustering', 'distances', 'top', 'drawing']"
    done
    page weighted.csv.html '(f["weighted"], f["columns"]["source"], f["min_weight"])' "(True, 'source', 0.5)"
    page one.mtx.html 'f["sections"]["degrees"]["values"]["in"]' "{'found': False}"
    exits 0 report "$karate" --quick --json
    json 'list(j["sections"]["clustering"])' "['how', 'left_out']"
    json 'j["sections"]["degrees"]["values"]["degree"]["replicates"]' 0
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
    exits 124 report "$karate" -o page.html --replicates 1000000 --timeout 0.2
    same "$(cat page.html)" old
    holds . page.html
}
case_of 'what fails leaves the old page' t_refused

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
