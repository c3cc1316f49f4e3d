#!/usr/bin/env bash
# weft lab as its users meet it: lists, tables, JSON, the report, exit codes, Ctrl-C; the rules that its files keep.
#   WEFT_BIN=build/weft tests/lab/test_lab.sh [PART OF A TITLE]
# The report is read by tests/lab/page.py (python3), and loaded by a headless Chromium where there is one.
# shellcheck disable=SC2034,SC2154 # names shared with tests/support/harness.sh
set -uo pipefail

source_dir=${WEFT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
weft=${WEFT_BIN:-$source_dir/build/weft}
crooked=${WEFT_BINARY_DIR:-$source_dir/build}/tests/weft_crooked
wanted=${1:-}
export LC_ALL=C

if [[ ! -x $weft ]]; then
    echo "skipped test_lab: there is no program at $weft"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
# shellcheck source=/dev/null
source "$source_dir/tests/support/harness.sh"

# Rungs on the GPU, where there is one, are test_lab_ladders' matter.
small=(--quick --repeat 1 --device cpu --generate 'rmat:scale=7,degree=8')

lists() {
    exits 0 lab
    says 'pagerank: PageRank'
    says ' 1  naive'
    [[ $(awk 'length > most { most = length } END { print most }' <<< "$out") -le 80 ]] || problem 'the list is wider than 80 columns'
    exits 0 lab --json list.json
    there_is list.json
    exits 0 lab --json -
    is_json
    json '[r["name"] for r in j["ladders"][0]["rungs"]][:2]' "['naive', 'transposed']"
    json 'all(r["against"] is None or r["against"] in [q["name"] for q in l["rungs"]] for l in j["ladders"] for r in l["rungs"])' True
}
case_of 'weft lab lists ladders and rungs, each against one that there is' lists

# weft lab is weft-lab: the same words give the same, whichever is called.
alone() {
    local lab=${weft%/*}/weft-lab want words version
    for words in '' '--help' 'pagerang' 'degree --rungs 99' 'degree one too many' '--version'; do
        # shellcheck disable=SC2086
        weft_says lab $words
        want="$code|$out|$err"
        # shellcheck disable=SC2086
        weft=$lab weft_says $words
        same "$code|$out|$err" "$want"
    done
    weft=$lab exits 0 --version
    version=$("$weft" --version | cut -d' ' -f2 | tr -d ,)
    [[ $out == "weft-lab $version"[,\ ]* ]] || problem "it is not the version of weft: $out"
    weft=$lab exits 0 --version --json
    json 'j["version"]' "$version"
    exits 0 help lab --all
    want=$out
    weft=$lab exits 0 --help
    same "$out" "$want"
}
case_of 'weft-lab alone does what weft lab does, with the same exit codes' alone

# On a graph so small that no rung is too slow; and on its own, which are made though few rungs have the patience.  The rungs of
# communities are about undirected graphs, and pass over theirs so often that it is a smaller one.
every_ladder() {
    exits 0 lab all --quick --repeat 1 --patience 60 --device cpu --generate rmat:scale=9,degree=8 --json -
    is_json
    json 'j["complete"]' True
    json 'sorted({(r["backend"], r["status"]) for t in j["tables"] for r in t["rows"] if "undirected" not in r["message"]})' "[('cpu', 'verified'), ('cuda', 'skipped')]"
    json 'all(r["message"] for t in j["tables"] for r in t["rows"])' True
    exits 0 lab all --quick --repeat 1 --patience 0.01 --device cpu --json -
    json 'j["complete"]' True
    json 'all(r["status"] in ("verified", "skipped") and r["message"] for t in j["tables"] for r in t["rows"])' True
    json 'min(t["arcs"] for t in j["tables"] if t["ladder"] not in ("leiden", "betweenness")) > 900000' True
}
case_of 'every ladder runs on the CPU, and names the rungs for the GPU as skipped' every_ladder

pagerank_rungs() {
    exits 0 lab pagerank "${small[@]}" --json -
    is_json
    json '" ".join(r["rung"] for r in j["tables"][0]["rows"] if r["verified"] and r["backend"] == "cpu")' \
        'naive transposed threaded contributions early-stop f64 engine'
    json 'max(r["max_difference"] for r in j["tables"][0]["rows"] if r["verified"] and r["rung"] != "early-stop") < 1e-6' True
    json '[(r["max_difference"], r["nan_apart"]) for r in j["tables"][0]["rows"] if r["rung"] == "early-stop"]' '[(None, False)]'
    json '[r["max_difference"] < 1e-15 for r in j["tables"][0]["rows"] if r["rung"] == "f64"]' '[True]'
    json 'all(abs(sum(r["part_ms"].values()) - r["run_ms"]["median"]) < 1e-9 for r in j["tables"][0]["rows"] if r["verified"])' True
    json '[r["rung"] for r in j["tables"][0]["rows"] if r["verified"] and r["other_work"]]' "['early-stop']"
    json '[(r["against"], r["against_by"]) for r in j["tables"][0]["rows"] if r["rung"] in ("f64", "naive")]' "[(None, None), ('contributions', 'kernels')]"
    exits 0 lab pagerank:iterations=0 "${small[@]}" --rungs early-stop,engine --json -
    json '[r["other_work"] for r in j["tables"][0]["rows"] if r["verified"]]' '[False, False]'
}
case_of 'the rungs of PageRank are verified' pagerank_rungs

# The library's offsets take 8 bytes and targets 4; two arrays of 8 n and three more for the answer, and what counts each degree.
held() {
    exits 0 lab degree --generate er:n=200,degree=5,directed --quick --repeat 1 --device cpu --json -
    json '[r["held_bytes"]["graph"] == w * (8 * 201 + 4 * j["tables"][0]["arcs"]) for r, w in zip(j["tables"][0]["rows"], (0, 0, 1, 2, 2))]' \
        '[True, True, True, True, True]'
    json '[r["held_bytes"]["host"] >= b for r, b in zip(j["tables"][0]["rows"], (4 * 200 * 200, 16 * j["tables"][0]["arcs"]))]' '[True, True]'
    json 'all(h["all"] == h["host"] + h["graph"] + h["gpu"] for h in (r["held_bytes"] for r in j["tables"][0]["rows"] if r["verified"]))' True
    exits 0 lab degree --generate er:n=200,degree=5 --quick --repeat 1 --device cpu --rungs csr-offsets --json -
    json '[r["held_bytes"]["graph"] == 8 * 201 + 4 * j["tables"][0]["arcs"] for r in j["tables"][0]["rows"]]' '[True]'
}
case_of 'every rung says what it holds, with the CSR that it reads' held

first() {
    exits 0 lab pagerank "${small[@]}" --rungs 3,4,6 --json - --report r.html
    json '[r["first"] for r in j["tables"][0]["rows"]]' "[None, 'threaded', 'threaded']"
    grep -q '[ns] 3 threaded, the first with a time' r.html || problem 'the report does not say what is first'
    grep -Eq 'Did it\?</dt><dd>Its kernels are .* (as|than) 4 contributions, on rmat:' r.html || problem 'what was said beforehand is not answered'
    grep -q '128 vertices' r.html || problem 'the number of vertices is not there'
    exits 0 lab pagerank "${small[@]}" --rungs 3,4
    says 'first: 3 threaded'
}
case_of 'a speed-up names the rung it is against' first

odd_graphs() {
    printf '1 2\n1 2\n1 2\n2 2\n2 3\n1 1\n' > odd.txt
    exits 0 lab pagerank odd.txt --duplicates keep --quick --repeat 1 --device cpu --json -
    json 'sum(r["verified"] for r in j["tables"][0]["rows"])' 7
    printf '# nothing\n' > empty.txt
    exits 0 lab pagerank empty.txt --vertices 1 --quick --repeat 1 --device cpu --report r.html --json -
    json 'sum(r["verified"] for r in j["tables"][0]["rows"])' 7
    printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > none.mtx
    exits 0 lab pagerank none.mtx --quick --repeat 1 --device cpu --report r.html --json -
    json 'j["tables"][0]["vertices"]' 0
    json 'sum(r["verified"] for r in j["tables"][0]["rows"])' 7
}
case_of 'loops, repeated arcs, one vertex and none are served' odd_graphs

chosen() {
    exits 0 lab pagerank "${small[@]}" --rungs 2,4-5,engine --json -
    json '[r["number"] for r in j["tables"][0]["rows"]]' '[2, 4, 5, 7]'
    exits 2 lab pagerank --rungs 99
    complains "pagerank has no '99'"
    exits 2 lab pagerank --rungs nave
    exits 2 lab all --rungs 1
}
case_of '--rungs takes numbers, ranges and names' chosen

sizes() {
    exits 0 lab pagerank "${small[@]}" --rungs 1,2 --sizes 7,100 --json -
    json '[t["vertices"] for t in j["tables"]]' '[128, 7, 100]'
    json '[[r["document_said_ms"] for r in t["rows"]] for t in j["tables"]]' '[[None, None], [1, 0.5], [50, 23]]'
    json '{r["document_said_of"] for t in j["tables"][1:] for r in t["rows"]}' "{'kernels'}"
    json '[s[k] for s in j["sweeps"] for k in ("break_even_outcome", "break_even_brought_outcome")]' "['not measured', 'not measured']"
    json '[s[k] for s in j["sweeps"] for k in ("break_even_words", "break_even_brought_words")]' "['not measured here', 'not measured here']"
    json '[t["reference_limit_s"] >= 10 for t in j["tables"]]' '[True, True, True]'
    json '[r["other_steps"] for r in j["tables"][0]["rows"]]' '[False, False]'
    exits 2 lab pagerank "${small[@]}" --sizes 7,x
    exits 0 lab pagerank "${small[@]}" --rungs 1 --patience 0
    says 'skipped: every arc for every node'
    exits 0 lab pagerank "${small[@]}" --rungs transposed --sizes 100 --report r.html
    grep -q '<p class="source">Yadav' r.html && problem 'the document said nothing of this input'
    grep -q 'said: 23 ms<br>kernels: ' r.html || problem 'kernels are not beside the time of kernels'
    exits 0 lab pagerank:iterations=100 --generate er:n=100,degree=5,directed "${small[@]:0:5}" --rungs transposed --report r.html
    grep -q 'Complete CUDA Implementation.*: <b>23 ms</b> (kernels), beside .* here' r.html || problem 'the card names no source'
}
case_of '--sizes sweeps, beside what the document said' sizes

thesis() {
    local data=${WEFT_SHARED_DATA:-}/ego-facebook
    local file
    file=$(find "$data" -name 'facebook_combined*' 2> /dev/null | head -n 1)
    [[ -n $file ]] || { skip_reason='no ego-Facebook here'; return; }
    exits 0 lab pagerank:iterations=1000 "$file" --undirected --quick --repeat 1 --rungs transposed --json -
    json '[r["document_said_ms"] for r in j["tables"][0]["rows"]]' '[657.086]'
}
case_of 'ego-Facebook, a thousand times over, stands beside the thesis' thesis

parameters() {
    exits 0 lab pagerank:iterations=3 "${small[@]}" --rungs transposed,engine --json -
    json 'len(j["tables"][0]["rows"])' 2
    json 'j["tables"][0]["parameters"] == {"damping": 0.85, "tolerance": 1e-06, "max-iterations": 100, "iterations": 3, "personalize": None, "weights": False, "dangling": "redistribute", "precision": "f32", "nstart": None, "dangling-to": None}' True
    json '[j["provenance"][k] for k in ("repeat", "patience_s")]' '[1, 5]'
    exits 0 lab pagerank:damping=0.5 "${small[@]}" --rungs transposed --sizes 20 --report r.html
    says 'edges; damping 0.5, iterations 20'
    says 'edges; damping 0.5, iterations 100'
    says 'then 1 timed run;'
    grep -q 'Parameters: damping 0.5, iterations 20\.' r.html || problem 'the report does not say with what parameters'
    grep -q 'Parameters: damping 0.5, iterations 100\.' r.html || problem 'nor with which the sizes were run'
    exits 2 lab pagerank:iterations=x "${small[@]}"
    exits 2 lab pagerank:itertions=3 "${small[@]}"
    exits 0 lab pagerank:dangling=drop "${small[@]}" --rungs transposed,engine
    says 'only the engine can drop it'
    exits 0 lab pagerank:precision=f64 "${small[@]}" --json -
    json 'sum(r["verified"] for r in j["tables"][0]["rows"])' 7
}
case_of 'parameters of the algorithm follow a colon; a rung says which it does not serve' parameters

blocks() {
    [[ -x $crooked ]] || { skip_reason="no $crooked"; return; }
    local weft=$crooked
    exits 0 crooked --quick --repeat 1 --rungs right,swept --blocks 64,256,1024 --report r.html --json -
    is_json
    json '[b["block_threads"] for b in j["tables"][0]["rows"][1]["blocks"]]' '[64, 256, 1024]'
    json '[b["occupancy"] for b in j["tables"][0]["rows"][1]["blocks"]]' '[0.0625, 0.25, 1]'
    json '[b["runs"] for b in j["tables"][0]["rows"][1]["blocks"]]' '[1, 1, 1]'
    json '"blocks" in j["tables"][0]["rows"][0]' False
    json '[r["document_said_of"] for r in j["tables"][0]["rows"]]' "['kernels', 'not said']"
    grep -q 'made up too.*: <b>7 ms</b> (of what is not said), beside .* for a whole run and 256 ms for the kernels here' r.html ||
        problem 'a time of unknown kind is not beside both of ours'
    grep -q 'id="crooked-blocks"' r.html || problem 'the report has no chart of block sizes'
    exits 1 crooked --quick --repeat 1 --rungs narrow --blocks 1024
    exits 0 crooked --quick --repeat 1 --rungs swept --blocks 64,1024
    says '1024: '
    says '7.00 ms ?'
    for list in 0 33 2048 128,x 128x; do exits 2 crooked --rungs swept --blocks "$list"; done
    complains '--blocks must be multiples of 32'
}
case_of '--blocks runs the rungs that name a kernel with every block size' blocks

trouble() {
    exits 2 lab pagerang
    complains 'did you mean pagerank?'
    exits 3 lab pagerank nowhere.txt
    exits 2 lab pagerank a.txt --generate karate
    exits 3 lab pagerank "${small[@]}" --rungs 2 --report nowhere/report.html
    exits 4 lab pagerank "${small[@]}" --memory-limit 1k
    holds .
}
case_of 'mistakes have their exit codes' trouble

no_gpu() {
    if "$weft" doctor --quick --json 2> /dev/null | grep -q '"gpus": [1-9]'; then skip_reason='there is a GPU'; return; fi
    exits 5 lab pagerank --quick --repeat 1 --generate rmat:scale=7,degree=8 --device cuda
}
case_of '--device cuda without a GPU is exit code 5' no_gpu

broken() {
    [[ -x $crooked ]] || { skip_reason="no $crooked"; return; }
    local weft=$crooked
    exits 0 crooked --quick --repeat 2 --rungs right
    exits 1 crooked --quick --repeat 4 --patience 0.1 --json - --report r.html
    complains '4 rungs are wrong or failed'
    json '[r["rung"] for r in j["tables"][0]["rows"] if r["status"] in ("wrong", "failed")]' "['wrong', 'drifts', 'silent', 'fails']"
    json 'any("run_ms" in r for r in j["tables"][0]["rows"] if not r["verified"])' False
    there_is r.html
    grep -q 'it serves &lt;nobody&gt; &amp; nothing' r.html || problem 'the report does not quote a reason'
}
case_of 'a broken rung makes the lab fail, and has no time' broken

names() {
    local odd=$'a\xff\x7f<b>.txt' long
    long=$(printf 'd%.0s' {1..200})
    printf '1 2\n2 3\n' > "$odd"
    exits 0 lab degree "$odd" --quick --repeat 1 --device cpu --rungs matrix --report r.html
    python3 -c 'import sys; sys.exit("a\ufffd\ufffd&lt;b&gt;.txt" not in open("r.html", encoding="utf-8").read())' ||
        problem 'the report is no UTF-8, or does not have the name'
    mkdir -p "$long/$long"
    cp "$odd" "$long/$long/k.txt"
    exits 0 lab degree "$long/$long/k.txt" --quick --repeat 1 --device cpu --rungs matrix --json -
    json 'len(j["tables"][0]["input"])' 407
    rm -r "$long" "$odd"
}
case_of 'names of files may be long and hold any bytes' names

# The matrix takes 67 MB.
address_space() {
    (ulimit -v 85000 && "$weft" version > /dev/null 2>&1) || { skip_reason='this program does not start in 85 MB'; return; }
    (ulimit -v 85000 && "$weft" lab degree --generate er:n=4096,degree=4 --quick --repeat 1 --device cpu --rungs matrix > out 2> err)
    same $? 0
    grep -q 'skipped: needs 67.* MB, and .* MB of memory are free' out || problem 'it does not say what it needs'
}
case_of 'a bounded address space is memory that is not free' address_space

interrupted() {
    [[ -x $crooked ]] || { skip_reason="no $crooked"; return; }
    "$crooked" crooked --quick --repeat 1 --rungs right,endless --patience 1e6 --report r.html > out 2> err &
    local job=$!
    has_worked "$job" 50 # the endless rung does, and nothing else for so long
    kill -INT "$job"
    wait "$job"
    same $? 130
    there_is_no r.html
    grep -q 'INCOMPLETE' out || problem 'it does not say that the table is incomplete'
    local flag
    for flag in --report --json; do
        "$crooked" crooked --quick --repeat 1 --rungs right,endless --patience 1e6 "$flag" - > "$scratch/.out" 2> err &
        job=$!
        has_worked "$job" 50
        kill -INT "$job"
        wait "$job"
        same $? 130
        if [[ $flag == --report ]]; then same "$(wc -c < "$scratch/.out")" 0; fi
    done
    json '(j["complete"], [t["complete"] for t in j["tables"]])' '(False, [False])'
}
case_of 'Ctrl-C ends it: what was measured is shown, no report is left' interrupted

# An iteration of the naive rung takes about a minute here.
within_an_iteration() {
    "$weft" lab pagerank --generate er:n=60000,degree=40,directed --quick --device cpu --rungs naive --patience 1e6 > out 2> err &
    local job=$!
    has_worked "$job" 150
    kill -INT "$job"
    ends_soon "$job"
    same "$code" 130
}
case_of 'Ctrl-C does not wait for the end of an iteration' within_an_iteration

patience() {
    exits 0 lab degree --generate er:n=300000,degree=10,directed --quick --repeat 2 --device cpu --rungs list,csr-offsets --patience 0.02 --json -
    json '[r["status"] for r in j["tables"][0]["rows"]][0]' skipped
    json '[r["out_of_patience"] for r in j["tables"][0]["rows"]][0]' True
    json '"--patience allows" in j["tables"][0]["rows"][0]["message"]' True
    exits 0 lab degree --generate er:n=3000,degree=4,directed --quick --repeat 1 --device cpu --rungs matrix --patience 1e-6 --json -
    json '[(r["message"][:6], r["out_of_patience"]) for r in j["tables"][0]["rows"]]' "[('about ', True)]"
    [[ -x $crooked ]] || { skip_reason="no $crooked"; return; }
    local weft=$crooked
    exits 0 crooked --quick --repeat 3 --rungs right,endless,deaf --patience 0.1 --report r.html
    says 'endless  skipped: its first run was not done after the 0.1 s that --patience allows'
    says 'deaf: 1 timed run, not more: one took longer than --patience allows'
    grep -q 'run 1 time and not 3' r.html || problem 'the report does not say that a rung was not repeated'
    exits 0 crooked --quick --repeat 3 --rungs right,deaf --patience 0.1 --json -
    json '[(r["runs"], r["out_of_patience"], r["verified"]) for r in j["tables"][0]["rows"]]' '[(3, False, True), (1, True, True)]'
}
case_of '--patience stops a rung in its first run, and one that cannot be stopped is not repeated' patience

limited() {
    exits 0 lab pagerank --generate 'rmat:scale=7,degree=8' --repeat 1 --device cpu --rungs 2,engine --memory-limit 8m --json -
    json '[r["verified"] for r in j["tables"][0]["rows"]]' '[True, True]'
    json 'j["provenance"]["read_gbs"] > 0' True
}
case_of '--memory-limit is for graphs and rungs: measuring the machine does not count' limited

# 3e38 twice and -3e38 twice: 0 if added in double, beyond f32 on the way if not, as in the library.
overflow() {
    $have_python || { skip_reason='no python3 here'; return; }
    printf '0 4\n1 4\n2 4\n3 4\n' > four.txt
    python3 -IS - << 'END'
import struct
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 2), }".ljust(117) + "\n"
open("far.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + head.encode() + struct.pack("<10f", *[3e38] * 4, *[-3e38] * 4, 0, 0))
END
    exits 0 lab aggregate:features=far.npy four.txt --directed --quick --repeat 1 --device cpu --rungs columns,engine --json far.json --report far.html
    says ' overflow'
    grep -q '<b>overflow</b>largest difference' far.html || problem 'the report does not say that it overflows'
    says_not ' inf'
    grep -q '<b>inf' far.html && problem 'the report says inf'
    cp far.json "$scratch/.out"
    json '[(r["max_difference"], r["inf_apart"], r["nan_apart"]) for r in j["tables"][0]["rows"]]' '[(None, True, False), (0, False, False)]'
    printf '0 1\n' > one.txt
    exits 0 lab degree one.txt --directed --quick --repeat 1 --device cpu --rungs csr-count
    says ': 2 vertices, 1 edge'
}
case_of 'what overflows is told in words, and one edge is no edges' overflow

make_report() {
    exits 0 lab pagerank "${small[@]}" --sizes 7,50 --report r.html
    complains 'the report is in r.html'
}

report_is_sound() {
    make_report
    $have_python || { skip_reason='no python3 here'; return; }
    local wrong
    wrong=$(python3 -IS "$source_dir/tests/lab/page.py" r.html 4 2>&1) || problem "$wrong"
    grep -q 'arcs_between(' r.html || problem 'there is no code in it'
    for rung in naive transposed threaded contributions early-stop f64 engine engine-gpu; do
        grep -q "id=\"pagerank-$rung\"" r.html || problem "$rung has no section"
    done
}
case_of 'the report is one sound page with its charts' report_is_sound

report_in_browser() {
    local browser log dom
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
    [[ -n $browser ]] || { skip_reason='no Chromium here'; return; }
    make_report
    dom=$(HOME=$PWD timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$PWD/profile" \
        --dump-dom "file://$PWD/r.html" 2> log) || { skip_reason="$browser does not start here"; return; }
    grep 'CONSOLE' log && problem 'the page writes to the console'
    same "$(grep -o 'class="dot cpu"' <<< "$dom" | wc -l)" 14
    same "$(grep -o '<svg' <<< "$dom" | wc -l)" "$(grep -o '<svg' r.html | wc -l)"
    same "$(grep -o '<polyline class="series' <<< "$dom" | wc -l)" 7 # a line a rung that was measured
}
case_of 'a headless Chromium loads the report without a word on its console' report_in_browser

rules() {
    local file lines
    for file in "$source_dir"/lab/*/*.c "$source_dir"/lab/*/*.cu; do
        [[ -e $file && $file != */lab/program/* ]] || continue
        lines=$(wc -l < "$file")
        ((lines < 200)) || problem "$file has $lines lines"
    done
    weft_says lab --json -
    $have_python || return
    for file in $(python3 -ISc 'import json, sys
for l in json.load(sys.stdin)["ladders"]:
    for r in l["rungs"]: print(r["source_file"])' < "$scratch/.out" 2> /dev/null || true); do
        grep -q -e '--- excerpt ---' "$source_dir/$file" || problem "$file has no excerpt"
    done
}
case_of 'a rung has under 200 lines, and an excerpt' rules

markdown() {
    $have_python || { skip_reason='no python3 here'; return; }
    exits 0 lab pagerank "${small[@]}" --rungs 1,2,gpu-naive --sizes 7,100 --json lab.json
    python3 -IS "$source_dir/bench/lab_table.py" lab.json > table.md || problem 'bench/lab_table.py fails'
    grep -q '^| 2 `transposed` |.*(0\.5) |.*(23) |$' table.md || problem "what the document said is missing: $(cat table.md)"
    grep -q '^| 8 `gpu-naive` | skipped (1.2) | skipped (20) |$' table.md || problem 'a skipped rung has no row'
    # As on a machine with a GPU: its rungs have times, one of them from a single run, another was swept over blocks; a second input; Nsight's kernels.
    python3 -IS - > gpu.json << 'END' || problem 'the JSON is not as expected'
import json
book = json.load(open("lab.json"))
book["provenance"]["gpu"] = {"name": "made up", "read_gbs": None}
point = {"vertices": 7, "cpu_rung": "naive", "gpu_rung": "gpu-naive", "speedup": 0.5, "kernel_speedup": 2, "limit": None}
sweep = book["sweeps"][0]
sweep.update(points=[point], points_brought=[point], break_even_vertices=1000.5, break_even_outcome="crosses")
sweep.update(break_even_words="the GPU is ahead from about 1000 vertices on")
sweep.update(break_even_brought_outcome="not ahead at the largest", break_even_brought_words="the GPU is ahead at some sizes, not at the largest")
for table in book["tables"]:
    model = next(r for r in table["rows"] if r["verified"])
    for at, row in enumerate(table["rows"]):
        if row["backend"] == "cuda":
            row.update({k: v for k, v in model.items() if k not in row}, status="verified", verified=True, out_of_patience=True)
            row.update(kernel_event_ms=0.25, occupancy=1, blocks=[{"block_threads": 128, "occupancy": 0.5, "kernel_ms": {"median": 0.75}, "run_ms": {"median": 1}}])
book["tables"].append(dict(book["tables"][0], input="/somewhere/other.weft"))
print(json.dumps(book))
END
    printf '%s\n' '==PROF== words' '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"' '"0","step(int)","gpu__time_duration.sum","ns","1,500"' \
        '"1","step(int)","gpu__time_duration.sum","us","2.5"' > kernels.csv
    python3 -IS "$source_dir/bench/lab_table.py" gpu.json kernels.csv > table.md || problem 'bench/lab_table.py fails on rungs of the GPU'
    grep -q '^| 8 `gpu-naive` | 0.25 / .*\\\*.* | 0.25 / .*\\\* \[1 run\] (20) |$' table.md || problem "rungs of the GPU are missing: $(cat table.md)"
    grep -q '^| 8 `gpu-naive` | 0.75 (50 %) |$' table.md || problem 'the sweep over blocks is missing'
    grep -q '^| rung | rmat:scale=7,degree=8 | other.weft |$' table.md || problem 'several inputs have no table'
    grep -q '^| `step` | 2 | 2 | 1.5 | 2.5 |$' table.md || problem 'the kernels are missing'
    grep -q '^Break-even, graph already there: the GPU is ahead from about 1,000 vertices on.$' table.md || problem 'the break-even is missing'
    grep -q '^Break-even, graph brought along in each run: the GPU is ahead at some sizes, not at the largest.$' table.md ||
        problem 'the break-even with the graph brought along is missing'
}
case_of 'bench/lab_table.py sets what was measured beside what the documents said' markdown

documents() {
    $have_python || { skip_reason='no python3 here'; return; }
    local wrong
    wrong=$(python3 -IS "$source_dir/tests/lab/tables.py" "$source_dir" 2>&1) || problem "$wrong"
}
case_of "bench/lab_table.py reckons every table of the documents right, on a made-up run" documents

notebook() {
    $have_python || { skip_reason='no python3 here'; return; }
    local wrong
    wrong=$(python3 -IS "$source_dir/tests/lab/notebook.py" "$source_dir/examples/weft_lab.ipynb" "$weft" 2>&1) || problem "$wrong"
}
case_of 'the notebook is valid, and its cells run as on Colab, from an uploaded archive' notebook

inputs() {
    printf '0 1\n1 2\n2 0\n' > ring.tsv
    cp ring.tsv kept
    exits 0 lab all <(cat ring.tsv) --quick --repeat 1 --patience 0.2 --device cpu --json -
    json '{t["vertices"] for t in j["tables"]}' '{3}'
    exits 0 lab all ring.tsv --undirected --quick --repeat 1 --patience 0.2 --device cpu --json ring.json
    complains 'kahn is skipped: toposort needs a directed graph'
    exits 2 lab bfs ring.tsv "${small[@]:0:5}" --report ring.tsv
    complains 'are the same file'
    exits 2 lab bfs ring.tsv --json same --report same
    complains 'need a file each'
    exits 2 lab bfs --sizes 10,x
    exits 2 degree ring.tsv -o ring.tsv
    complains 'are the same file'
    cmp -s ring.tsv kept || problem 'the input was written over'
}
case_of 'an input is read once for all ladders and never written over; what a graph cannot serve is skipped' inputs

features() {
    $have_python || { skip_reason='no python3 here'; return; }
    printf '0 1\n1 2\n2 0\n' > ring.txt
    python3 -IS - << 'END' || problem 'no features'
import struct
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }".ljust(117) + "\n"
open("f.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + head.encode() + struct.pack("<6f", *range(6)))
END
    cp f.npy kept
    for flag in --json --report; do
        exits 2 lab aggregate:features=f.npy ring.txt "${small[@]:0:5}" --rungs engine "$flag" f.npy
        complains 'are the same file'
    done
    cmp -s f.npy kept || problem 'the features were written over'
    exits 0 lab aggregate:features=f.npy ring.txt "${small[@]:0:5}" --rungs engine --sizes 100 --json -
    json '[(t["vertices"], t["rows"][0]["status"]) for t in j["tables"]]' "[(3, 'verified'), (100, 'skipped')]"
    json '"each vertex needs a row" in j["tables"][1]["rows"][0]["message"]' True
    exits 0 lab aggregate:op=max "${small[@]}" --rungs engine
}
case_of 'features are not written over, skip sizes that they do not fit, and are made where none are given' features

late() {
    exits 0 lab pagerank "${small[@]}" --rungs 2,engine --sizes 100,4000000000,10 --json - --report r.html
    json '[t["vertices"] for t in j["tables"]]' '[128, 10, 100, 4000000000]'
    json '[r["status"] for r in j["tables"][3]["rows"]]' "['skipped', 'skipped']"
    json '"need" in j["tables"][3]["rows"][0]["message"] and "not generated" in j["tables"][3]["input"]' True
    there_is r.html
    exits 0 lab bfs:source=50 "${small[@]}" --rungs engine --sizes 10,100 --json -
    json '[t["rows"][0]["status"] for t in j["tables"]]' "['verified', 'skipped', 'verified']"
    exits 4 lab all --quick --repeat 1 --device cpu --patience 0.05 --memory-limit 16m --report late.html
    says 'PageRank on'
    says 'INCOMPLETE: it ended before every graph was measured'
    there_is_no late.html
    exits 4 lab all --quick --repeat 1 --device cpu --patience 0.05 --memory-limit 16m --json -
    json '(j["complete"], len(j["tables"]) > 0)' '(False, True)'
}
case_of 'a size that cannot be served is skipped with its reason; a late failure shows what was measured' late

outputs() {
    mkdir folder
    echo text > file
    ln -s folder/new.json link.json
    exits 3 lab degree --report nowhere/r.html
    complains '--report: cannot write nowhere/r.html: there is no folder nowhere'
    exits 3 lab degree --json file/x
    complains 'file is not a folder'
    exits 2 lab degree --json folder
    complains '--json: folder is a directory'
    exits 2 lab degree --json ''
    complains '--json: the name of the file is empty'
    exits 2 lab degree --json a.x --report ./a.x
    complains 'need a file each'
    exits 2 lab degree --json link.json --report folder/../folder/new.json
    complains 'need a file each'
    exits 2 lab degree --json - --report /dev/stdout
    complains 'both want standard output'
    holds . folder file link.json
    exits 0 lab degree "${small[@]}" --rungs engine --report -
    same "$(head -c 15 "$scratch/.out")" '<!doctype html>'
    same "$(tail -c 8 "$scratch/.out")" '</html>'
    same "$err" ''
    exits 0 lab --json link.json
    [[ -L link.json ]] || problem 'the link was replaced'
    there_is folder/new.json
}
case_of 'files that cannot be written are refused before anything is measured; standard output has one thing' outputs

ranks() {
    exits 0 lab ranks "${small[@]}" --json -
    json '[(t["ladder"], t["ranks"]) for t in j["tables"]]' "[('ranks-pagerank', 4), ('ranks-bfs', 4)]"
    json 'all(r["verified"] and r["sent_bytes"] > 0 and r["network_ms"] > 0 for t in j["tables"] for r in t["rows"])' True
    json '{r["rung"]: r["sent_bytes"] for r in j["tables"][0]["rows"]}["1d-pull"] == 20 * 4 * 128 * 3' True
    exits 0 lab ranks-pagerank:iterations=5 "${small[@]}" --ranks 3 --rungs 1d-pull,2d
    says 'sent'
    says 'over network'
    says '3 ranks'
    exits 0 lab ranks-bfs "${small[@]}" --ranks 1 --json -
    json '{r["sent_bytes"] for r in j["tables"][0]["rows"]}' '{0}'
    exits 0 lab degree "${small[@]}" --json -
    json '"ranks" in j["tables"][0] or "sent_bytes" in j["tables"][0]["rows"][0]' False
    exits 2 lab ranks:iterations=5
    complains 'ranks takes no parameters'
    exits 2 lab ranks --rungs 1
    complains 'needs one ladder, not ranks'
    exits 2 lab ranks-bfs --ranks 65
    complains '--ranks'
    exits 2 lab rank
    complains 'did you mean'
    exits 0 lab ranks-pagerank "${small[@]}" --ranks 2 --report ranks.html
    grep -q 'sent between ranks' ranks.html || problem 'the report does not say what was sent'
    grep -q 'Shared by 2 ranks' ranks.html || problem 'the report does not say how many ranks'
}
case_of 'ladders on ranks say what was sent' ranks

# Every rung has its own answer: how good it is stands in the table, in the JSON and in the report.
communities() {
    local graph=(--quick --repeat 1 --patience 60 --device cpu --generate 'rmat:scale=8,degree=8,undirected')
    exits 0 lab leiden "${graph[@]}" --json communities.json --report communities.html
    says 'modularity'
    says ' 2 one-class does other work than was asked for'
    says 'verified: quality recounted, single vertices that move would still gain 0.'
    says_not 'difference'
    grep -q '</b>modularity</li>' communities.html || problem 'the report has no modularity'
    exits 0 lab leiden "${graph[@]}" --json -
    json 'sorted({k for r in j["tables"][0]["rows"] if r["verified"] for k in r["shown"]})' "['modularity']"
    json '[r["rung"] for r in j["tables"][0]["rows"] if r["verified"] and not r["other_work"]]' "['refined', 'engine']"
    json '(lambda q: q["one-class"] + 0.05 < min(q["sequential"], q["eight-classes"], q["refined"], q["engine"]))({r["rung"]: r["shown"]["modularity"] for r in j["tables"][0]["rows"] if r["verified"]})' True
    exits 0 lab leiden:resolution=2 "${graph[@]}" # modularity is at 1, and quality at 2, as the engine has them
    says_not 'difference'
    exits 0 lab leiden:weights --quick --repeat 1 --device cpu --generate 'rmat:scale=8,degree=8,undirected,max-weight=5'
    says 'this rung is about modularity without weights'
    exits 0 lab leiden --quick --repeat 1 --device cpu --generate 'rmat:scale=8,degree=8'
    says 'this rung is about undirected graphs'
}
case_of 'rungs with answers of their own show how good these are' communities

words() {
    exits 0 lab pagerank:iterations=3,damping=0.5 "${small[@]}" --rungs engine
    exits 2 lab all:iterations=2
    complains 'all takes no parameters'
    exits 2 lab pagerank:iterations=3,nosuch=1
    complains "the ladder pagerank has no parameter 'nosuch'"
    complains 'weft help pagerank'
    exits 2 lab kahn:nosuch=1
    complains 'weft help toposort'
    exits 2 lab pagerank --sizes 100,0
    complains '--sizes must be whole numbers from 1 to 4294967294'
    local flag
    for flag in --rungs --sizes --blocks; do
        exits 2 lab pagerank "$flag" ,64
        complains "$flag has an empty item"
        exits 2 lab pagerank "$flag" ''
        complains "$flag is empty"
    done
    exits 2 lab pagerank --rungs 1,
    exits 2 lab pagerank --sizes 100,
    exits 2 lab pagerank --blocks 128,
    exits 2 lab pagerank --rungs 2-1
    complains "the range '2-1' is reversed"
    exits 0 lab pagerank "${small[@]:0:5}" --rungs engine --undirected --sizes 100,10,100 --json -
    json '[t["directed"] for t in j["tables"]]' '[False, False, False]'
    json '[t["input"] for t in j["tables"]][1:]' "['er:n=10,degree=5,undirected', 'er:n=100,degree=5,undirected']"
    exits 2 lab pagerank --patience 0x10
}
case_of 'lists keep one rule, parameters may stand between commas, --undirected wins over a ladder of its own' words

narrow() {
    $have_python || { skip_reason='no python3 here'; return; }
    same "$(python3 -IS "$source_dir/tests/lab/terminal.py" 30 "$weft" lab pagerank "${small[@]}" --rungs transposed)" '0 29'
}
case_of 'the progress line is cut to the width of the terminal' narrow

pages() {
    weft_says lab
    local ladder
    while read -r ladder; do
        ladder=${ladder%%-*} # ranks-bfs is in ranks.md
        there_is "$source_dir/docs/lab/$ladder.md"
        grep -q 'Exercise' "$source_dir/docs/lab/$ladder.md" || problem "docs/lab/$ladder.md has no exercise"
    done < <(sed -n 's/^\([a-z-]*\): .*rungs$/\1/p' "$scratch/.out")
}
case_of 'every ladder has its page' pages

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
