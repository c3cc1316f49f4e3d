# aggregate: matrices read from .npy, shown as columns, written as 2-D arrays.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

# Writes an .npy file: FILE TYPE SHAPE NUMBER...
npy() { python3 -IS "$source_dir/tests/cli/write_npy.py" "$@" 2> .why || problem "$(cat .why)"; }

needs_python() {
    $have_python && return 0
    skip_reason='no python3 here'
    return 1
}

# 0 and 1 point at 2, and 2 at 0.
small_graph() { printf '0 2\n1 2\n2 0\n' > g.txt; }

t_aggregate() {
    needs_python || return
    small_graph
    npy x.npy '<f4' '(3, 2)' 1 10 2 20 4 40
    exits 0 aggregate g.txt --features x.npy -o - --verify
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,f0,f1;0,4,40;1,0,0;2,1.5,15;'
    complains 'verified: all 3 x 2 values'
    exits 0 aggregate g.txt --features x.npy --op sum -o s.csv -q --repeat 3
    same "$(paste -sd';' s.csv)" 'id,f0,f1;0,4,40;1,0,0;2,3,30'
    exits 0 aggregate g.txt --features=x.npy --op max --self-loop --json
    is_json
    json 'j["result"]' "{'rows': 3, 'width': 2}"
    json 'j["rows"][1]' "{'id': 1, 'f0': 2, 'f1': 20}"
    exits 0 aggregate g.txt --features x.npy --normalize gcn --self-loop --verify -o -
    same "$(awk 'NR == 4 { print ($2 > 2.8962 && $2 < 2.8964) }' <<< "$out")" 1 # 1/sqrt(6) + 2/sqrt(3) + 4/3
}

t_two_way_streets() {
    printf '1 2\n2 1\n2 3\n3 3\n' > streets.txt
    exits 0 bicomponents streets.txt --directed --json
    complains 'arcs in both directions between two vertices are a cycle, and no bridges; --undirected takes them for one edge'
    json 'j["result"]["bridges"]' 1
    exits 0 bicomponents streets.txt --undirected --json
    is_silent
    json 'j["result"]["bridges"]' 2
    printf '1 2\n2 3\n3 3\n' > one_way.txt
    exits 0 bicomponents one_way.txt --directed
    is_silent
}

t_betweenness_error() {
    local doubt='the error is larger than every value: this order is not certain' unit
    exits 0 generate uniform --n 3000 --degree 6 --seed 3 -o flat.weft -q
    exits 0 betweenness flat.weft --undirected --error 0.2 --json
    complains "$doubt"
    complains 'and then there is no error' # as long as all vertices take half a minute
    json '0 < j["result"]["error"] <= 0.2' True
    json 'abs(j["result"]["value_error"] / (j["result"]["error"] * 2999 * 2998 / 2) - 1) < 1e-12' True
    exits 0 betweenness flat.weft --error 0.2 --json
    json 'abs(j["result"]["value_error"] / (j["result"]["error"] * 2999 * 2998) - 1) < 1e-12' True
    exits 0 betweenness flat.weft --error 0.2 --normalized --json
    json 'abs(j["result"]["value_error"] / j["result"]["error"] - 1) < 1e-12' True
    exits 0 betweenness "$karate" --undirected --error 0.05
    complains_not "$doubt"
    [[ $out =~ value_error\ +[1-9] ]] || problem "no error in the column's unit: $out"
    exits 0 betweenness "$karate" --undirected --json
    json '"value_error" in j["result"]' False
}

t_aggregate_weights() {
    needs_python || return
    printf '0 2 5\n1 2 7\n2 0 9\n' > w.txt
    npy x.npy '<f4' '(3, 1)' 1 2 4
    exits 0 aggregate w.txt --features x.npy -o -
    complains 'aggregate: the weights of the graph are not used; every arc counts once'
    same "$(sed -n 4p <<< "$out")" "2	1.5"
    exits 0 aggregate w.txt --features x.npy --no-weights -o -
    complains_not 'weights of the graph'
    exits 2 aggregate w.txt --features x.npy --weights
    complains 'aggregate does not use weights'
}

t_aggregate_npy() {
    needs_python || return
    small_graph
    npy x.npy '<f4' '(3, 2)' 1 10 2 20 4 40
    exits 0 aggregate g.txt --features x.npy --op sum -o y.npy -q
    exits 0 aggregate g.txt --features y.npy --op sum -o z.npy -q # what was written is read again
    exits 0 aggregate g.txt --features x.npy --op sum --by f1 --top 1 -o top.npy -q
    npy one.npy '<f4' '(3,)' 1 2 4
    exits 0 aggregate g.txt --features one.npy -o one_out.npy -q
    local got
    got=$(python3 "$source_dir/tests/cli/read_npy.py" y.npy:2 z.npy:2 top.npy:0 one_out.npy:2 2>&1) || problem "$got"
    same "$(sed -n 1p <<< "$got")" 'y.npy 3 *2 (3.0, 30.0)'
    same "$(sed -n 2p <<< "$got")" 'z.npy 3 *2 (4.0, 40.0)'
    same "$(sed -n 3p <<< "$got")" 'top.npy 1 id,f*2 (0, 4.0, 40.0)'
    same "$(sed -n 4p <<< "$got")" 'one_out.npy 3 *1 (1.5,)'
}

t_matrix_types() {
    needs_python || return
    small_graph
    local kind got
    for kind in '<f8' '<f4' '<f2' '|V2' '<V2'; do
        VERSION=2 npy x.npy "$kind" '(3, 1)' -0.5 64 1e-7
        exits 0 aggregate g.txt --features x.npy --op sum -o - --verify
        same "$(awk 'NR == 4 { print $2 }' <<< "$out")" 63.5
        same "$(awk 'NR == 2 { print ($2 > 0.9e-7 && $2 < 1.3e-7) }' <<< "$out")" 1
    done
    npy x.npy '<f2' '(3, 1)' inf nan -2
    exits 0 aggregate g.txt --features x.npy --op max -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,f0;0,-2;1,0;2,nan;'
    npy x.npy '<f2' '(3, 2)' 0.1 1 0.2 2 0.3 3
    exits 0 aggregate g.txt --features x.npy --op sum -o y.npy -q --repeat 2
    exits 0 aggregate g.txt --features y.npy --op sum -o z.npy -q
    npy x.npy '|V2' '(3, 1)' 1 256 3
    exits 0 aggregate g.txt --features x.npy --op sum -o b.npy -q
    got=$(python3 "$source_dir/tests/cli/read_npy.py" y.npy:2 z.npy:2 b.npy:2 2>&1) || problem "$got"
    same "$(sed -n 1p <<< "$got")" 'y.npy 3 *2<f2 (0.2998046875, 3.0)'
    same "$(sed -n 2p <<< "$got")" 'z.npy 3 *2<f2 (0.300048828125, 3.0)'
    same "$(sed -n 3p <<< "$got")" 'b.npy 3 *1|V2 (17280,)' # 257 is between 256 and 258, and 256 is even
    exits 0 aggregate g.txt --features x.npy --op sum --json
    json 'j["rows"][0]["f0"], j["rows"][2]["f0"]' '(3, 256)'
    npy x.npy '<u2' '(3, 1)' 1 2 3
    exits 3 aggregate g.txt --features x.npy
    complains "x.npy: numbers of type '<u2'; if they are the bits of bf16, save x.view('V2')"
    npy x.npy '>V2' '(3, 1)' 1 2 3
    exits 3 aggregate g.txt --features x.npy
    complains 'byte order'
    npy x.npy '<i8' '(3, 1)' 1 2 3
    exits 3 aggregate g.txt --features x.npy
    complains "x.npy: numbers of type '<i8'"
    npy x.npy '>f4' '(3, 1)' 1 2 3
    exits 3 aggregate g.txt --features x.npy
    complains 'byte order'
    npy x.npy '<f4' '+(3, 2)' 1 2 3 4 5 6
    exits 3 aggregate g.txt --features x.npy
    complains 'x.npy: in Fortran order'
    npy x.npy '<f4' '(3, 1, 1)' 1 2 3
    exits 3 aggregate g.txt --features x.npy
    complains 'x.npy: an array of 3 dimensions'
    npy x.npy '<f4' '(3, 0)'
    exits 3 aggregate g.txt --features x.npy
    complains 'no columns'
}

t_aggregate_backward() {
    needs_python || return
    small_graph
    npy x.npy '<f4' '(3, 1)' 5 5 1
    npy y.npy '<f4' '(3, 1)' 10 20 40
    exits 0 aggregate g.txt --features y.npy --backward --op sum -o - --verify
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,f0;0,40;1,40;2,10;'
    exits 0 aggregate g.txt --features y.npy --backward -o - --verify
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,f0;0,20;1,20;2,10;'
    exits 0 aggregate g.txt --features y.npy --backward --op max --forward x.npy -o - --verify
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,f0;0,40;1,0;2,10;'
    exits 0 aggregate g.txt --features y.npy --backward --op max --forward x.npy --plan
    says 'winners, then row sums in blocks'
    exits 2 aggregate g.txt --features y.npy --backward --op max
    complains 'needs forward'
    exits 2 aggregate g.txt --features y.npy --forward x.npy
    complains 'only for the gradient of a maximum'
    npy x.npy '<f4' '(3, 2)' 1 2 3 4 5 6
    exits 2 aggregate g.txt --features y.npy --backward --op max --forward x.npy
    complains 'the forward features have 2 columns, but their gradient has 1'
    npy x.npy '<f4' '(2, 1)' 1 2
    exits 3 aggregate g.txt --features y.npy --backward --op max --forward x.npy
    complains 'x.npy has 2 rows, but g.txt has 3 vertices'
    exits 0 generate path -n 200000 -o p.weft -q
    exits 0 pagerank p.weft -o p.npy -q
    exits 0 aggregate p.weft --features p.npy --backward --op max --forward p.npy --plan --json
    local needed
    needed=$(python3 -c 'import json, sys; j = json.load(sys.stdin); print(j["host_bytes"] + j["bytes_in_use"])' <<< "$out")
    exits 0 aggregate p.weft --features p.npy --backward --op max --forward p.npy --memory-limit "$needed" -o a.npy -q
    exits 4 aggregate p.weft --features p.npy --backward --op max --forward p.npy --memory-limit $((needed - 1))
    complains 'the features take 1.53 MiB'
}

t_features_stay() {
    needs_python || return
    small_graph
    npy x.npy '<f4' '(3, 1)' 5 5 1
    npy y.npy '<f4' '(3, 1)' 10 20 40
    cp x.npy x.kept
    cp y.npy y.kept
    ln -s y.npy link.npy
    local out_file
    for out_file in y.npy ./y.npy link.npy; do
        exits 2 aggregate g.txt --features y.npy -o $out_file
        complains "y.npy and $out_file are the same file"
    done
    exits 2 aggregate g.txt --features y.npy --backward --op max --forward x.npy -o x.npy
    complains 'x.npy and x.npy are the same file'
    cmp -s x.npy x.kept && cmp -s y.npy y.kept || problem 'an input was written over'
}

t_matrix_damage() {
    needs_python || return
    small_graph
    npy x.npy '<f4' '(3, 2)' 1 2 3 4 5
    exits 3 aggregate g.txt --features x.npy
    complains 'x.npy: ends after 5 of 6 numbers'
    npy x.npy '<f4' '(3, 99999999999999999)' 1
    exits 3 aggregate g.txt --features x.npy
    npy x.npy '<f4' '(3, 4611686018427387904)' 1
    exits 3 aggregate g.txt --features x.npy
    npy x.npy '<f4' '(3, 2)' 1 2 3 4 5 6
    local bytes
    for bytes in 0 5 9 20 70 130; do
        head -c $bytes x.npy > cut.npy
        exits 3 aggregate g.txt --features cut.npy
        complains cut.npy
    done
    exits 3 aggregate g.txt --features g.txt
    complains 'g.txt: not a .npy file'
    exits 3 aggregate g.txt --features nowhere.npy
    complains 'cannot open nowhere.npy'
    exits 3 aggregate g.txt --features .
    exits 0 degree g.txt -o d.npy -q
    exits 3 aggregate g.txt --features d.npy
    complains 'a structured array'
    exits 0 aggregate g.txt --features <(cat x.npy) -o -
    same "$(sed -n 2p <<< "$out" | tr '\t' ,)" 0,5,6
}

t_matrix_rows() {
    needs_python || return
    small_graph
    npy x.npy '<f4' '(5, 1)' 1 2 4 8 16
    exits 2 aggregate g.txt
    complains 'needs --features'
    exits 2 aggregate g.txt --features
    exits 3 aggregate g.txt --features x.npy
    complains 'x.npy has 5 rows, but g.txt has 3 vertices; --vertices 5 adds those without edges'
    npy vast.npy '<f4' '(18446744073709551615, 1)' 1
    exits 3 aggregate g.txt --features vast.npy
    complains 'each vertex needs a row'
    exits 0 aggregate g.txt --features x.npy --vertices 5 -o -
    is_silent
    same "$(wc -l <<< "$out")" 6
    npy x.npy '<f4' '(2, 1)' 1 2
    exits 3 aggregate g.txt --features x.npy
    complains 'x.npy has 2 rows, but g.txt has 3 vertices: each vertex needs a row'
    exits 2 aggregate g.txt --features x.npy --op median
    printf 'zoe ann\nbob ann\n' > names.txt
    npy x.npy '<f4' '(3, 1)' 1 2 4
    exits 0 aggregate names.txt --features x.npy --op sum -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,f0;ann,6;bob,0;zoe,0;'
    complains 'x.npy: the first row is for vertex ann, the last for zoe'
}

t_matrix_wide() {
    needs_python || return
    small_graph
    # shellcheck disable=SC2046 # one word a number
    npy x.npy '<f4' '(3, 100)' $(seq 300)
    exits 0 aggregate g.txt --features x.npy
    says f10
    says_not f11
    says '(89 more columns; -o FILE saves all)'
    exits 0 aggregate g.txt --features x.npy --by f99 --top 1 --json
    json 'j["rows"][0]["id"], j["rows"][0]["f99"], len(j["rows"][0])' '(0, 300, 101)'
    exits 2 aggregate g.txt --features x.npy --by f100
    exits 0 aggregate g.txt --features x.npy --plan
    says 'row sums in blocks'
    exits 4 aggregate g.txt --features x.npy --memory-limit 1K
    exits 0 generate path -n 200000 -o p.weft -q
    exits 0 pagerank p.weft -o p.npy -q
    exits 0 aggregate p.weft --features p.npy --memory-limit 8M -o a.npy -q
    exits 4 aggregate p.weft --features p.npy --memory-limit 1M
    complains 'memory limit'
    exits 4 aggregate p.weft --features p.npy --memory-limit 700K
    complains 'p.npy would be over the memory limit'
    exits 0 aggregate p.weft --features p.npy --plan --json
    local needed
    needed=$(python3 -c 'import json, sys; j = json.load(sys.stdin); print(j["host_bytes"] + j["bytes_in_use"])' <<< "$out")
    exits 0 aggregate p.weft --features p.npy --memory-limit "$needed" -o a.npy -q
    exits 4 aggregate p.weft --features p.npy --memory-limit $((needed - 1))
    complains 'the features take 781 KiB'
}

case_of 'aggregate takes features and gives columns' t_aggregate
case_of 'arcs both ways are said to be no bridge' t_two_way_streets
case_of 'an error above every value is said, and in the unit of the column' t_betweenness_error
case_of 'aggregate says that weights are not used' t_aggregate_weights
case_of 'aggregate writes 2-D .npy' t_aggregate_npy
case_of 'matrices may be f8, f4, f2 or bf16, and results are of their type' t_matrix_types
case_of 'aggregate takes a gradient back' t_aggregate_backward
case_of 'features are never written over' t_features_stay
case_of 'a damaged matrix is refused' t_matrix_damage
case_of 'a matrix has a row for each vertex' t_matrix_rows
case_of 'wide matrices are cut on a terminal; memory is limited' t_matrix_wide
