# Answers of algorithms: vertices, what is not there, verdicts, --verify, --repeat, plans.  Sourced by test_cli.sh.
# The cases about made-up algorithms run the program that is linked with tests/cli/made_up.c instead of the registry.
# shellcheck shell=bash disable=SC2034,SC2154

made_up=${WEFT_BINARY_DIR:-$(dirname "$weft")}/tests/weft_made_up

# Runs a case with the made-up algorithms.
made_up_case() { # title, function
    local weft=$made_up
    if [[ -x $made_up ]]; then
        case_of "$1" "$2"
    else
        case_of "$1" t_no_made_up
    fi
}
t_no_made_up() { skip_reason="there is no program at $made_up"; }

t_json_keys() {
    exits 0 degree "$karate" --json --repeat 3 --verify --threads 2
    is_silent
    is_json
    json '[j[k] for k in ("algorithm", "backend", "method", "threads", "verified", "repeat")]' \
        "['degree', 'cpu', 'row lengths', 2, True, 3]"
    json 'sorted(j["time_ms"])' "['load', 'prepare', 'run']"
    json 'j["run_ms"]["min"] <= j["run_ms"]["median"] <= j["run_ms"]["max"]' True
    json 'j["time_ms"]["run"] == j["run_ms"]["median"]' True
    json 'j["edges_per_second"] > 0 and j["bytes_peak"] > 0 and len(j["reason"]) > 0' True
    json '[s["name"] for s in j["stages"]]' "['read', 'plan', 'run']"
    json 'abs(sum(s["ms"] for s in j["stages"]) - j["whole_ms"]) < 0.01 and len(j["backend_reason"]) > 0' True
    json 'sorted(j["result"])' "['count', 'degree', 'max_degree']"
    json 'sum(d * c for d, c in zip(j["result"]["degree"], j["result"]["count"]))' 156
    json '[j["result"]["max_degree"], len(j["rows"]), "recounted" in j["verify_message"]]' '[17, 34, True]'
    exits 0 degree "$karate" --json
    json '["verified" in j, j["repeat"]]' '[False, 1]'
}

t_verify_repeat() {
    exits 0 degree "$karate" --verify
    same "$(grep -c '^ *verified: all 34' <<< "$out")" 1
    exits 0 degree "$karate" --verify -o -
    complains 'verified: all 34'
    same "$(wc -l <<< "$out")" 35
    exits 0 degree "$karate" --repeat 5
    says 'median of 5 runs'
    exits 2 degree "$karate" --repeat 0
    complains 'from 1 to'
    exits 0 convert "$karate" k.weft -q
    exits 0 degree k.weft --verify
    local size
    size=$(stat -c %s k.weft)
    printf '\377' | dd of=k.weft bs=1 seek=$((size - 3)) conv=notrunc status=none
    exits 3 degree k.weft --verify
    complains k.weft
}

t_plan() {
    exits 0 degree "$karate" --plan
    local word
    for word in backend method reason 'host memory'; do says "$word"; done
    exits 0 degree "$karate" --plan --json
    # 34 vertices have three columns of 8 bytes; tests/run/test_plan_memory.c looks at every byte.
    json '[j["backend"], 34 * 24 < j["host_bytes"] < 10000, j["bytes_in_use"] > 0, "result" in j]' "['cpu', True, True, False]"
}

# A name may hold a #.  A packed file is checked like a plain one.
t_verify_restarts() {
    printf 'a#b c\nc a#b\nc d\n' > hashes.txt
    printf '# where\na#b 2 # twice\n' > restarts.txt
    exits 0 pagerank hashes.txt --ids string --personalize restarts.txt --verify
    gzip -k restarts.txt
    exits 0 pagerank hashes.txt --ids string --personalize restarts.txt.gz --verify
}

# Lines "id [weight]": what adds up, and each mistake with its place.
t_restarts() {
    printf 'ann bob\nbob cat\ncat ann\ncat dan\n' > people.txt
    printf '# where to restart\ncat 2 # half\n\n  ann\t2.5e-1\ncat\n' > some.txt
    exits 0 pagerank people.txt --precision f64 --tolerance 1e-12 --personalize some.txt -o a.tsv -q
    printf 'ann 0.25\ncat 3\n' | "$weft" pagerank people.txt --precision f64 --tolerance 1e-12 --personalize - -o b.tsv -q
    same "$(cat a.tsv)" "$(cat b.tsv)"
    local text place
    while IFS='|' read -r text place; do
        printf %b "$text" > bad.txt
        exits 3 pagerank people.txt --personalize bad.txt
        complains "$place"
    done <<< 'ann 1\n  eve 2\n|bad.txt:2:3: no vertex of the graph is called '"'eve'"'
ann\nbob x1\n|bad.txt:2:5: expected a weight, a number of 0 or more, found '"'x1'"'
ann -1\n|bad.txt:1:5: expected a weight
ann nan|bad.txt:1:5: expected a weight
ann 1 2\n|bad.txt:1:7: expected nothing
ann 0\n# none\n|bad.txt: the weights sum to 0
|bad.txt: the weights sum to 0'
    exits 3 pagerank people.txt --personalize nowhere.txt
}

# A file of ids, or random:K: what is passed over, and each mistake with its place.
t_source_lists() {
    printf 'a b\nb c\nc d\n' > names.txt
    printf '# two\na\n\n c \r' > ids.txt
    exits 0 bfs names.txt --sources ids.txt --verify --json
    json '[j["result"]["reached"], j["result"]["depth"]]' '[4, 1]'
    exits 0 bfs names.txt --sources ids.txt --each --verify --json
    json '[j["result"]["reached"], j["result"]["depth"]]' '[2, 1]'
    gzip -k ids.txt
    exits 0 bfs names.txt --sources ids.txt.gz --verify
    printf 'a\n  x\n' > ids.txt
    exits 3 bfs names.txt --sources ids.txt
    complains "ids.txt:2:3: the graph has no vertex 'x'"
    printf '# none\n' > ids.txt
    exits 3 bfs names.txt --sources ids.txt
    complains 'no vertex in the file'
    exits 3 bfs names.txt --sources nowhere.txt
    printf 'say "x",b\nb,"c,d"\n"c,d",id\n' > odd.csv
    local table
    for table in two.tsv two.csv two.tsv.gz; do # what the program writes
        exits 0 degree odd.csv --ids string --top 2 --where "id != 'b'" -o "$table" -q
        exits 0 harmonic odd.csv --ids string --of "@$table" --where 'harmonic > 0' -o - -q
        same "$(cut -f1 <<< "$out" | paste -sd ' ')" 'id c,d id'
    done
    exits 0 run names.txt degree kcore -o wide.csv -q
    exits 0 subgraph names.txt --ids wide.csv
    says '4 of 4 vertices'
    exits 0 pagerank names.txt --directed -o ranks.tsv -q
    exits 0 pagerank names.txt --directed --personalize ranks.tsv -q
    exits 3 pagerank names.txt --directed --personalize wide.csv
    complains 'wide.csv:1: '
    printf 'id\tweight\na\t-1\n' > ranks.tsv
    exits 3 pagerank names.txt --personalize ranks.tsv
    complains "ranks.tsv:2: expected a weight, a number of 0 or more, found '-1'"
    printf 'Id,x\na,1\ne,2\n' > ids.csv
    exits 3 bfs names.txt --sources ids.csv
    complains "ids.csv:3: the graph has no vertex 'e'"
    printf 'id\n' > ids.csv
    exits 3 bfs names.txt --sources ids.csv
    complains 'no vertex in the file'
    printf 'source,target\na,b\n' > ids.csv
    exits 3 bfs names.txt --sources ids.csv
    complains "ids.csv:1:1: the graph has no vertex 'source,target' (a list has an id a line, a table a column called id)"
    printf 'id\nb\n' > ids.csv # a vertex of that name
    exits 0 harmonic odd.csv --ids string --of ids.csv -o - --where 'harmonic >= 0' -q
    same "$(cut -f1 <<< "$out" | paste -sd ' ')" 'id b id'
    exits 0 bfs "$karate" --table --sources random:4 --each -o - -q # the same in each flag
    table=$(cut -f1 <<< "$out" | tail -n +2)
    exits 0 ppr "$karate" --seeds random:4 --per-seed 1 -o - -q
    same "$(cut -f1 <<< "$out" | tail -n +2)" "$table"
    local k
    for k in 0 '' x 1x -1 9999999999; do
        exits 2 bfs names.txt --sources "random:$k"
        complains "random:$k"
    done
    exits 2 bfs names.txt --source a --sources random:2
    complains '--source and --sources exclude each other'
    exits 3 bfs names.txt --sources a,x,y
    complains "'a,x,y' lists 'x', which is no vertex of the graph"
    exits 2 bfs names.txt --sources @
    complains '@ is followed by the name of a file'
    printf '' > empty.el
    exits 0 bfs empty.el --sources random:3
}

t_inputs_stay() {
    printf '1 2\n2 1\n' > g.txt
    printf '1\n' > ids.tsv
    exits 2 pagerank g.txt --personalize ids.tsv -o ./ids.tsv
    complains 'ids.tsv and ./ids.tsv are the same file'
    exits 2 bfs g.txt --sources ids.tsv -o ids.tsv
    complains 'ids.tsv and ids.tsv are the same file'
    exits 0 bfs g.txt --sources random:1 -o ids.csv -q
    same "$(cat ids.tsv)" 1
}

t_order() {
    printf '1 2\n7 1\n2 5\n' > dag.txt
    exits 0 toposort dag.txt -o - -q
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,level,position;1,1,1;2,2,2;5,3,3;7,0,0;'
    exits 0 toposort dag.txt --levels --verify -o - -q
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,level;1,1;2,2;5,3;7,0;'
    exits 0 toposort dag.txt --order --verify -o - -q
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,position;7,0;1,1;2,2;5,3;'
    exits 0 toposort dag.txt --order --top 2 -o - -q
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,position;7,0;1,1;'
    exits 0 toposort dag.txt --levels --order -o - -q
    same "$(head -1 <<< "$out" | tr '\t' ',')" 'id,level,position'
    printf '5 2\n2 1\n3 7\n1 2\n' > cyclic.txt
    exits 1 toposort cyclic.txt --order --verify -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,position;3,0;5,1;7,2;1,-1;2,-1;'
    complains 'not acyclic'
    complains '1 -> 2 -> 1'
}

t_vertex_flag() {
    printf '10 20\n10 30\n40 10\n' > g.txt
    exits 0 reach g.txt --source 10 -o -
    same "$(tr '\t\n' ',;' <<< "$out")" \
        'id,level,distance,parent;10,0,0,-1;20,1,0.5,10;30,1,0.5,10;40,-1,inf,-1;'
    exits 0 reach g.txt --source=40 -o r.csv -q
    same "$(paste -sd';' r.csv)" 'id,level,distance,parent;10,1,0.5,40;20,-1,inf,-1;30,-1,inf,-1;40,0,0,-1'
    exits 3 reach g.txt --source 11
    complains --source
    complains 11
    exits 2 reach g.txt --source
    exits 0 help reach --all
    says '--source ID'
    says 'id   per vertex'
    exits 0 reach g.txt --source 10 --json
    is_json
    json 'j["rows"][3]' "{'id': 40, 'level': None, 'distance': None, 'parent': None}"
    json 'j["rows"][1]["parent"]' 10
    json 'j["result"]' "{'reached': 3}"
    exits 0 reach g.txt --source 10 --top 2 --json # what was not reached does not head the list
    json '[r["id"] for r in j["rows"]]' '[20, 30]'
    exits 0 reach g.txt --source 10 --by distance --top 4 --json
    json '[r["id"] for r in j["rows"]]' '[20, 30, 10, 40]'
    exits 0 reach g.txt --source 10
    same "$(awk '$1 == 40 { print $2, $3, $4 }' <<< "$out")" '-1 inf -1'
    printf -- '-5 3\n' > negative.txt
    exits 0 reach negative.txt --source -5 --json
    json 'j["rows"][1]["parent"]' -5
}

t_vertex_names() {
    printf 'ann bob\nann cid\ndan ann\n' > g.txt
    exits 0 reach g.txt --source ann -o -
    same "$(tr '\t\n' ',;' <<< "$out")" \
        'id,level,distance,parent;ann,0,0,-1;bob,1,0.5,ann;cid,1,0.5,ann;dan,-1,inf,-1;'
    exits 0 reach g.txt --source dan --json
    json 'j["rows"][0]["parent"]' dan
    exits 3 reach g.txt --source eve
    complains eve
    $have_python || return 0
    exits 0 reach g.txt --source bob -o r.npy
    exits 0 reach g.txt --source dan -o r.npy
    complains "column 'id' is left out"
    complains "column 'parent' has vertex numbers"
    exits 0 reach g.txt --source dan --top 1 -o top.npy
    complains "column 'id' has vertex numbers"
    printf '10 20\n10 30\n40 10\n' > n.txt
    exits 0 reach n.txt --source 40 -o n.npy
    local got
    got=$(python3 "$source_dir/tests/cli/read_npy.py" r.npy:0 r.npy:1 top.npy:0 n.npy:0 n.npy:1 2>&1) || problem "$got"
    same "$(sed -n 1p <<< "$got")" 'r.npy 4 level,distance,parent (1, 0.5, 3)'
    same "$(sed -n 2p <<< "$got")" 'r.npy 4 level,distance,parent (-1, inf, -1)'
    same "$(sed -n 3p <<< "$got")" 'top.npy 1 id,level,distance,parent (0, 1, 0.5, 3)'
    same "$(sed -n 4p <<< "$got")" 'n.npy 4 id,level,distance,parent (10, 1, 0.5, 40)'
    same "$(sed -n 5p <<< "$got")" 'n.npy 4 id,level,distance,parent (20, -1, inf, -1)'
}

t_verdict() {
    printf '10 20\n20 30\n30 10\n' > g.txt
    exits 1 ring g.txt
    is_silent
    says $'\nno: not acyclic\n'
    says 'cycle: 10 -> 20 -> 30 -> 10'
    same "$(grep -cx ' *cycle' <<< "$out")" 0
    exits 1 ring g.txt --length 1
    says 'cycle: 10 -> 10'
    exits 1 ring g.txt --json
    is_json
    json 'j["result"]' "{'acyclic': False, 'cycle': [10, 20, 30]}"
    json '[j["rows"], j["result"]["acyclic"]]' '[[], False]'
    exits 0 ring g.txt --length 0
    says $'\nyes: acyclic\n'
    exits 0 ring g.txt --length 0 --json
    json 'j["result"]' "{'acyclic': True, 'cycle': []}"
    exits 1 ring g.txt -o -
    same "$(paste -sd, <<< "$out")" cycle,10,20,30
    complains 'no: not acyclic'
    exits 1 ring g.txt -o c.tsv -q
    same "$out$err" ''
    there_is c.tsv
    exits 1 ring g.txt --table
    same "$(grep -cx ' *[123]0' <<< "$out")" 3
    exits 2 ring g.txt --by cycle
    printf 'id,name\n10,a\n' > names.csv
    exits 2 ring g.txt --labels names.csv
    complains 'ring has no rows of vertices: --labels has no use here'
    for flag in --where='cycle>10' --sort=cycle --top=1 --bottom=1 --head=1; do
        exits 2 ring g.txt "$flag" -q
        complains "ring has no rows of vertices: ${flag%%=*} has no use here without --table"
        exits 1 ring g.txt "$flag" --table
        is_silent
    done
    exits 0 generate path -n 100 -o p.txt -q
    exits 1 ring p.txt --length 100
    says '... 60 more ...'
    says '99 -> 0'
}

t_wrong_result() {
    printf '10 20\n' > g.txt
    exits 0 wrong g.txt
    exits 1 wrong g.txt --verify
    complains 'NOT VERIFIED: vertex 7'
    same "$out" ''
    exits 1 wrong g.txt --verify -o w.tsv
    there_is_no w.tsv
    exits 1 wrong g.txt --verify --json
    is_json
    json '[j["verified"], j["verify_message"]]' "[False, 'vertex 7 is not as it should be']"
    exits 2 drift g.txt --verify
    complains 'no verifier'
    exits 0 drift g.txt
    exits 1 drift g.txt --repeat 2
    complains 'NOT REPRODUCIBLE'
    complains "run 2 of drift differs from the first in 'value'"
    same "$out" ''
    exits 0 reach g.txt --repeat 4
}

t_heavy_plan() {
    printf '10 20\n' > g.txt
    exits 0 heavy g.txt --plan --memory-limit 0
    says '1.00 TiB more'
    exits 0 heavy g.txt --memory-limit 0
    exits 4 heavy g.txt --memory-limit 1G --plan
    complains 'heavy (by hand) would be over the memory limit of 1.0 GiB: it needs 1.0 TiB more'
    exits 4 heavy g.txt --memory-limit 1G --json
    same "$out" ''
    exits 0 heavy g.txt --memory-limit 2T
    exits 0 heavy g.txt --memory-limit 2T --plan
    same "$(line_of 'memory limit' "$out")" 'memory limit limited by --memory-limit: 2.00 TiB'
}

# Without --memory-limit, whatever the groups are like.
limited_by_group() { # GiB that are left
    exits 4 heavy g.txt
    complains "heavy (by hand) would be over the memory limit of $1.0 GiB that the memory control group leaves: it needs 1.0 TiB more"
    exits 0 heavy g.txt --memory-limit 0
    exits 0 heavy g.txt --memory-limit 2T
    exits 0 shaky g.txt --device cpu --plan
    [[ $(line_of 'memory limit' "$out") == "memory limit limited by the memory control group: $(($1 - 1)).9"?' GiB' ]] ||
        problem "$out" # some is set aside for the program itself
    exits 0 shaky g.txt --device cpu --plan --json
    json '[j["memory_limit_bytes"] >> 30, j["memory_limit_of"]]' "[$(($1 - 1)), 'memory control group']"
}

# In a memory control group of its own, where one can be made (root, version 1 or 2): what does not fit is refused, not killed.
t_fresh_memory_group() {
    local group='' folder limit mib
    if [[ -n ${UBSAN_OPTIONS-}${TSAN_OPTIONS-} ]]; then
        skip_reason='a sanitizer needs memory of its own'
        return
    fi
    for folder in /sys/fs/cgroup/memory /sys/fs/cgroup; do
        mkdir "$folder/weft-test-$$" 2> /dev/null || continue
        group=$folder/weft-test-$$
        for limit in "$group/memory.limit_in_bytes" "$group/memory.max"; do [[ ! -w $limit ]] || break; done
        if [[ -w $limit && -w $group/cgroup.procs ]]; then break; fi
        rmdir "$group"
        group=''
    done
    if [[ -z $group ]]; then
        skip_reason='no memory control group can be made here'
        return
    fi
    yes '1 2' | head -n 60000000 | gzip -1 > packed.txt.gz
    for mib in 64 100 150; do
        echo $((mib << 20)) > "$limit"
        (echo $BASHPID > "$group/cgroup.procs" && exec "$weft" info packed.txt.gz) > "$scratch/.out" 2> "$scratch/.err"
        same "$mib MiB: $?" "$mib MiB: 4"
        err=$(< "$scratch/.err")
        complains 'that the memory control group leaves'
    done
    rmdir "$group"
}

t_memory_groups() {
    local -x MADE_UP_GROUPS=$PWD/groups
    local gib=$((1 << 30)) step=groups/job/step
    printf '10 20\n' > g.txt
    mkdir -p $step groups/memory/box
    echo 0::/job/step > groups/self # version 2: 4 GiB are left here, and 3 in the group above
    echo $((6 * gib)) > $step/memory.max
    echo $((4 * gib)) > $step/memory.current
    printf 'anon 5\ninactive_file %s\n' $((2 * gib)) > $step/memory.stat
    echo $((8 * gib)) > groups/job/memory.max
    echo $((5 * gib)) > groups/job/memory.current
    limited_by_group 3
    echo max > groups/job/memory.max
    limited_by_group 4
    echo 4:memory:/box > groups/self # version 1
    echo $((7 * gib)) > groups/memory/box/memory.limit_in_bytes
    echo $((3 * gib)) > groups/memory/box/memory.usage_in_bytes
    printf 'inactive_file 0\ntotal_inactive_file %s\n' $gib > groups/memory/box/memory.stat
    limited_by_group 5
    echo $((1 << 20)) > groups/memory/box/memory.limit_in_bytes # all of it is used
    exits 4 generate rmat --scale 10 -o x.weft
    complains 'over the memory limit of 1 bytes that the memory control group leaves'
    there_is_no x.weft
    echo 9223372036854771712 > groups/memory/box/memory.limit_in_bytes # none
    exits 0 heavy g.txt
    exits 0 shaky g.txt --device cpu --plan --json
    json '"memory_limit_bytes" in j' False
}

t_gpu_in_trouble() {
    printf '10 20\n20 30\n' > g.txt
    exits 0 shaky g.txt --device cpu -o cpu.tsv -q
    MADE_UP_GPU=well exits 0 shaky g.txt --plan
    says 'cuda: about'
    says 'by magic'
    MADE_UP_GPU=well exits 0 shaky g.txt --json
    json '[j["backend"], j["stages"][0]["name"], j["stages"][1]["name"]]' "['cuda', 'read', 'plan']"
    for kind in lost full; do
        code=5
        [[ $kind == full ]] && code=4
        MADE_UP_GPU=$kind exits $code shaky g.txt --device cuda -o gpu.tsv
        complains 'the GPU failed in cuda'
        there_is_no gpu.tsv
        MADE_UP_GPU=$kind exits $code shaky g.txt --device cuda --json
        same "$out" ''
        MADE_UP_GPU=$kind exits 0 shaky g.txt --device auto -o gpu.tsv
        complains 'it runs on the CPU instead'
        same "$(< gpu.tsv)" "$(< cpu.tsv)"
        rm gpu.tsv
        MADE_UP_GPU=$kind exits 0 shaky g.txt --repeat 3 --json -q
        same "$err" ''
        json '[j["backend"], j["method"], j["backend_reason"][:14]]' "['cpu', 'by hand', 'the GPU failed']"
    done
}

t_gpu_too_small() {
    printf '10 20\n' > g.txt
    MADE_UP_GPU=well exits 0 shaky g.txt --device-memory-limit 1K --plan
    says 'cpu: it would need 1.0 MiB of GPU memory, and there are 1.0 KiB'
    MADE_UP_GPU=well exits 4 shaky g.txt --device-memory-limit 1K --device cuda
    complains 'GPU memory limit'
}

# A line of a table as its words: "read 4000 GB/s".
line_of() { awk -v label="$1" 'index($0, "  " label " ") == 1 { sub(/^ +/, ""); gsub(/ +/, " "); print }' <<< "$2"; }

t_doctor_with_gpus() {
    local -x MADE_UP_MACHINE=1
    exits 0 doctor
    same "$(line_of model "$out")" $'model Abacus\nmodel Loom 9000'
    same "$(line_of caches "$out")" 'caches L1 32.0 KiB, L2 1.00 MiB, L3 unknown'
    same "$(line_of visible "$out")" 'visible 2, the first is used'
    same "$(line_of 'compute capability' "$out")" 'compute capability 9.0, 132 SMs'
    same "$(line_of CUDA "$out")" 'CUDA driver 13.1, runtime 12.8'
    same "$(line_of read "$out")" $'read 123 GB/s\nread 4000 GB/s'
    same "$(line_of upload "$out")" 'upload 55.5 GB/s, pinned'
    same "$(line_of 'kernel launch' "$out")" 'kernel launch 2.25 us'
    same "$(line_of download "$out")" '' # was not measured
    exits 0 doctor --quick --device cuda
    same "$(line_of read "$out")" ''
    says 'Loom 9000'
    exits 0 doctor --json
    is_json
    json '[j["gpus"], j["gpu"]["name"], j["gpu"]["sms"], j["gpu"]["driver"]]' "[2, 'Loom 9000', 132, 13010]"
    json '[j["measured"], j["l3_bytes"], j["gpu"]["read_gbs"], j["gpu"]["download_gbs"]]' '[True, 0, 4000.0, None]'
    json '"gpu_reason" in j' False
}

case_of 'restarts are verified from their file' t_verify_restarts
case_of 'weights of vertices are read from a file' t_restarts
case_of 'lists of vertices are read from a file' t_source_lists
case_of 'a file that a parameter names is never written over' t_inputs_stay
case_of 'every answer has the promised keys' t_json_keys
case_of 'a run is verified and repeated' t_verify_repeat
case_of '--plan says how it would go' t_plan
case_of 'toposort gives levels, an order, or both' t_order
made_up_case 'a flag names a vertex; nothing there is -1, null or inf' t_vertex_flag
made_up_case 'vertices of results are names; in .npy they are numbers' t_vertex_names
made_up_case 'the answer no has a witness and exits 1' t_verdict
made_up_case 'wrong and drifting results exit 1' t_wrong_result
made_up_case 'a GPU that fails: exit 5 or 4 and no output, or the CPU goes on' t_gpu_in_trouble
made_up_case 'a GPU that is too small: exit 4, or the CPU' t_gpu_too_small
made_up_case 'a plan over the memory limit exits 4' t_heavy_plan
made_up_case 'without --memory-limit the memory control group is the limit' t_memory_groups
case_of 'in a fresh memory control group what does not fit is refused' t_fresh_memory_group
made_up_case 'doctor tells of GPUs what was measured' t_doctor_with_gpus
