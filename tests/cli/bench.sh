# weft bench: what is measured, skipped, refused; JSON; wrong answers.  Sourced by test_cli.sh.  No time is judged.
# shellcheck shell=bash disable=SC2034,SC2154

t_bench_table() {
    exits 0 bench "$karate" --algos degree,components,toposort --repeat 2 --quick --threads 1
    is_silent
    says '34 vertices, 78 undirected edges'
    says 'checksum 34df2489cd84682d'
    same "$(awk '$1 == "algorithm" { print $3, $4, $5 }' <<< "$out")" 'median fastest slowest'
    same "$(awk '$1 == "degree" && $2 == 1 && $3 ~ /^[0-9.]+$/ { print "measured" }' <<< "$out")" measured
    same "$(grep -c 'components  *1 ' <<< "$out")" 1
    says 'skipped: toposort needs a directed graph'
    says 'bytes of degree: '
    says 'fewer than 10 runs'
    says "$("$weft" --version)"
    says_not INCOMPLETE
}

t_bench_json() {
    exits 0 bench "$karate" --repeat 2 --sources 3 --threads 1,2 --json --quick
    is_json
    json 'j["complete"]' True
    json 'sorted(j)' "['ceilings', 'complete', 'graphs', 'protocol', 'provenance']"
    json 'set("date version build cpu cores governor load_average memory_bytes".split()) - set(j["provenance"])' 'set()'
    json 'j["protocol"]' "{'warm_up': 1, 'repeat': 2, 'sources': 3}"
    json 'j["ceilings"]' "[{'threads': 1, 'read_gbs': None}, {'threads': 2, 'read_gbs': None}]"
    json '[(g["file"][-10:], g["vertices"], g["edges"], g["checksum"]) for g in j["graphs"]]' \
        "[('karate.txt', 34, 78, '34df2489cd84682d')]"
    local rows='j["graphs"][0]["rows"]' algorithms
    json "sorted(set(r['status'] for r in $rows))" "['skipped', 'verified']"
    json "[r['algorithm'] for r in $rows if r['status'] == 'skipped' and 'directed' in r['message']]" "['toposort', 'cycle']"
    json "[r['algorithm'] for r in $rows if r['verified'] != (r['status'] == 'verified') or r['verified'] != ('run_ms' in r)]" '[]'
    json "[r['threads'] for r in $rows if r['algorithm'] == 'bfs']" '[1, 2]'
    json "set((r['runs'], r['sources']) for r in $rows if r['algorithm'] in ('bfs', 'sssp'))" '{(3, 3)}'
    json "set((r['runs'], r['sources']) for r in $rows if r['algorithm'] in ('pagerank', 'kcore'))" '{(2, 0)}'
    json "[r['result'] for r in $rows if r['algorithm'] == 'triangles'][1]" "{'triangles': 45}"
    json "[k for r in $rows if r['verified'] for k in 'backend method reason time_ms run_ms edges_per_second bytes_peak \
model effective_gbs ceiling_share digest'.split() if k not in r]" '[]'
    json "[len(set(r['digest'] for r in $rows if r['algorithm'] == a)) for a in ('bfs', 'pagerank', 'kcore')]" '[1, 1, 1]'
    json "len(set(r['digest'] for r in $rows if r['algorithm'] in ('bfs', 'pagerank', 'kcore')))" '3'
    json "[r['algorithm'] for r in $rows if r['verified'] and not 0 <= r['run_ms']['min'] <= r['run_ms']['median'] <= r['run_ms']['max']]" '[]'
    json "[sorted(r['time_ms']) for r in $rows if r['verified']][0]" "['first', 'load', 'prepare', 'run']"
    json "[r['algorithm'] for r in $rows if r['verified'] and r['bytes_peak'] < j['graphs'][0]['graph_bytes']]" '[]'
    json "[a for a in 'aggregate degree labelprop pagerank'.split() if not [r for r in $rows if r['algorithm'] == a and r.get('model')]]" '[]'
    json "[r['model'] for r in $rows if r['algorithm'] in ('bfs', 'kcore')]" '[None, None, None, None]'
    json "[r['result'] for r in $rows if r['algorithm'] == 'aggregate'][1]" "{'rows': 34, 'width': 16}"
    # Every algorithm that the program lists has a row: the registry is the only list.
    algorithms=$("$weft" help --all | awk '/^Algorithms/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' | sort | paste -sd' ')
    json "' '.join(sorted(set(r['algorithm'] for r in $rows)))" "$algorithms"
}

t_bench_graphs() {
    exits 0 bench "$data/weighted.txt" --generate dag:n=50 --generate path:n=9,undirected --algos toposort,sssp --repeat 1 \
        --quick --json
    json '[g.get("file", g.get("generator"))[-12:] for g in j["graphs"]]' "['weighted.txt', 'dag:n=50', '9,undirected']"
    json '[g["directed"] for g in j["graphs"]]' '[True, True, False]'
    json '[[r["status"] for r in g["rows"]] for g in j["graphs"]]' \
        "[['verified', 'verified'], ['verified', 'verified'], ['skipped', 'verified']]"
    json 'j["graphs"][1]["rows"][0]["result"]["acyclic"]' 1
    exits 0 generate dag -n 50 --json
    local checksum
    checksum=$(grep -oE '[0-9a-f]{16}' <<< "$out" | head -n 1)
    exits 0 bench --generate dag:n=50 --algos degree --repeat 1 --quick
    says "checksum $checksum, generated"
    says transposed
    exits 0 bench --algos degree --repeat 1 --quick
    says 'rmat:scale='
}

t_bench_params() {
    exits 0 bench "$karate" --algos pagerank:iterations=7:damping=0.5,pagerank,bfs:source=34 --repeat 1 --quick --json
    json '[r["asked"] for r in j["graphs"][0]["rows"]]' "['pagerank:iterations=7:damping=0.5', 'pagerank', 'bfs:source=34']"
    json 'j["graphs"][0]["rows"][0]["result"]["iterations"]' 7
    json 'j["graphs"][0]["rows"][2]["result"]' "{'reached': 34, 'depth': 4}"
    json 'j["graphs"][0]["rows"][2]["sources"]' 0
    exits 0 bench "$karate" --algos pagerank:weights,degree --repeat 1 --quick
    says 'skipped: pagerank: weights are asked for, but the graph has none'
}

t_bench_features() {
    exits 0 pagerank "$karate" -o f.npy -q
    exits 0 bench "$karate" --algos aggregate:features=f.npy:op=max,aggregate --repeat 1 --quick --json
    json '[(r["verified"], r["result"]["width"]) for r in j["graphs"][0]["rows"]]' '[(True, 1), (True, 16)]'
    exits 0 bench "$karate" --algos aggregate:features=f.npy:backward,aggregate:features=f.npy:backward:op=max:forward=f.npy --repeat 1 --quick --json
    json '[(r["verified"], r["result"]["width"]) for r in j["graphs"][0]["rows"]]' '[(True, 1), (True, 1)]'
    exits 3 bench "$data/weighted.txt" --algos aggregate:features=f.npy --quick
    complains f.npy
}

t_bench_saves() {
    exits 0 bench "$karate" --algos degree --repeat 1 --quick -o b.json
    says 'median'
    there_is b.json
    cp b.json "$scratch/.out"
    json 'j["graphs"][0]["rows"][0]["verified"]' True
    exits 0 bench "$karate" --algos degree --repeat 1 --quick -o -
    is_json
    echo 1 > ids.json
    exits 2 bench "$karate" --algos degree,pagerank:personalize=ids.json --repeat 1 --quick -o ids.json
    complains 'ids.json and ids.json are the same file'
    same "$(cat ids.json)" 1
}

t_bench_bad_words() {
    exits 2 bench "$karate" --algos pagerang
    complains 'did you mean pagerank'
    exits 2 bench "$karate" --algos pagerank:dampin=0.5
    complains 'did you mean --damping'
    exits 2 bench "$karate" --algos pagerank:damping=2
    complains '--damping must be a number from 0 to 1'
    exits 2 bench "$karate" --algos ,
    exits 2 bench --generate rmad:scale=3
    complains 'did you mean rmat'
    exits 2 bench --generate rmat:scal=3
    complains 'did you mean --scale'
    exits 2 bench "$karate" --threads 1,x
    exits 2 bench "$karate" --threads 1,
    exits 2 bench "$karate" --threads -1
    exits 2 bench "$karate" --repeat 0
    exits 2 bench "$karate" --sources 0
    exits 2 bench "$karate" -o b.tsv
    there_is_no b.tsv
    exits 3 bench nothing.txt --quick
    same "$out" ''
    exits 3 bench "$karate" --algos bfs:source=77 --quick
    complains "no vertex '77'"
    exits 4 bench --generate path:n=100000 --memory-limit 100K --quick
}

t_bench_memory() {
    exits 0 bench --generate path:n=100000,undirected --algos degree,kcore --memory-limit 3500K --repeat 1 --quick
    says 'skipped: degree (row lengths) would be over the memory limit'
}

t_bench_wrong() {
    printf '10 20\n20 30\n' > g.txt
    exits 1 bench g.txt --algos reach,ring,drift,wrong,heavy --repeat 2 --threads 1,2 --memory-limit 2T --quick --json
    is_json
    local rows='j["graphs"][0]["rows"]'
    json "[(r['algorithm'], r['status']) for r in $rows if r['threads'] == 1]" \
        "[('reach', 'verified'), ('ring', 'verified'), ('drift', 'skipped'), ('wrong', 'wrong'), ('heavy', 'verified')]"
    json "[r['message'] for r in $rows if r['algorithm'] == 'wrong']" "['vertex 7 is not as it should be']"
    json "['verifier' in r['message'] for r in $rows if r['algorithm'] == 'drift']" '[True]'
    json "[r['algorithm'] for r in $rows if ('run_ms' in r) != r['verified']]" '[]'
    exits 1 bench g.txt --algos wrong --quick
    says 'wrong: vertex 7 is not as it should be'
    exits 0 bench g.txt --algos heavy --memory-limit 1G --quick
    says 'skipped: heavy (by hand) would be over the memory limit'
    # A result that changes from run to run has no time, whatever its verifier says of the first.
    exits 1 bench g.txt --algos waver --repeat 2 --quick
    says 'NOT REPRODUCIBLE'
    exits 1 bench g.txt --algos waver --repeat 2 --quick --unverified
    says 'NOT REPRODUCIBLE'
}

# Where the verifier takes too long: times without it, and rows that say so.
t_bench_unverified() {
    exits 0 bench "$karate" --algos bfs,kcore,toposort --repeat 1000000 --seconds 0.01 --sources 2 --unverified --quick --json
    is_json
    local rows='j["graphs"][0]["rows"]'
    json "[(r['status'], r['verified'], 'run_ms' in r) for r in $rows]" \
        "[('measured', False, True), ('measured', False, True), ('skipped', False, False)]"
    json "[3 <= r['runs'] < 1000000 and r['runs'] % max(1, r['sources']) == 0 for r in $rows if 'runs' in r]" '[True, True]'
    json 'j["protocol"]["seconds"]' 0.01
    exits 0 bench "$karate" --algos kcore --repeat 4 --unverified --quick
    says 'an UNVERIFIED warm-up'
    # A second is enough for all runs; what is verified has the same bytes.
    exits 0 bench "$karate" --algos bfs,kcore --repeat 4 --sources 2 --seconds 1000 --quick --json
    json "[(r['status'], r['runs']) for r in $rows]" "[('verified', 4), ('verified', 4)]"
    exits 2 bench "$karate" --seconds -1
}

t_bench_interrupt() {
    timeout --foreground --preserve-status -k 20 -s INT 2 "$weft" bench --generate rmat:scale=10 --algos degree,triangles \
        --repeat 1000000 --quick > "$scratch/.out" 2> "$scratch/.err"
    same $? 130
    same "$(cat "$scratch/.err")" 'weft: interrupted: nothing was measured'
    same "$(cat "$scratch/.out")" ''
    timeout --foreground --preserve-status -k 20 -s INT 3 "$weft" bench --generate path:n=2,undirected \
        --generate rmat:scale=12 --algos toposort,triangles --repeat 100000 --quick --json -o b.json \
        > "$scratch/.out" 2> "$scratch/.err"
    same $? 130
    is_json
    json 'j["complete"]' False
    json 'j["graphs"][0]["rows"][0]["status"]' skipped
    there_is_no b.json
}

# Asked for the GPU, it does not skip everything and call that done.
t_bench_no_gpu() {
    exits 0 doctor --quick --json
    if [[ $out != *'"gpus": 0'* ]]; then
        skip_reason='there is a GPU here'
        return
    fi
    exits 5 bench "$karate" --device cuda --quick --json -o b.json
    same "$out" ''
    complains 'no GPU: '
    there_is_no b.json
    $have_python || return 0
    echo kept > table.md
    "$source_dir/bench/gpu-table" --weft "$weft" --save table.md "$karate" > said 2> why && problem 'gpu-table: exit code 0'
    same "$(cat said table.md)" kept
    grep -q 'gpu-table: no GPU: ' why || problem "gpu-table said: $(cat why)"
}

t_bench_not_served() {
    printf '10 20\n20 30\n' > g.txt
    MADE_UP_GPU=well exits 0 bench g.txt --algos shaky,reach --device cuda --repeat 1 --quick --json
    json 'j["complete"]' False
    json "[r['status'] for r in j['graphs'][0]['rows']]" "['verified', 'skipped']"
    MADE_UP_GPU=well exits 0 bench g.txt --algos shaky,reach --device cuda --repeat 1 --quick
    says 'INCOMPLETE: --device cuda cannot run'
    MADE_UP_GPU=well exits 0 bench g.txt --algos shaky --device cuda --repeat 1 --quick --json
    json 'j["complete"]' True
}

case_of 'bench shows a table' t_bench_table
case_of 'bench without the GPU that was asked for fails' t_bench_no_gpu
made_up_case 'bench tells what the GPU does not serve' t_bench_not_served
case_of 'bench has everything in its JSON' t_bench_json
case_of 'bench takes files and generated graphs' t_bench_graphs
case_of 'bench takes parameters of algorithms' t_bench_params
case_of 'bench takes features, or makes them' t_bench_features
case_of 'bench saves JSON' t_bench_saves
case_of 'bench refuses words it does not know' t_bench_bad_words
case_of 'bench skips what is over the memory limit' t_bench_memory
made_up_case 'bench has no time for a wrong answer' t_bench_wrong
case_of 'bench does without the verifier when asked to, and says so' t_bench_unverified
case_of 'an interrupted bench shows what it has' t_bench_interrupt
