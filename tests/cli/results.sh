# Algorithms, neighbors, doctor: rows and ids.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

t_degree() {
    exits 0 degree "$karate" --top 3
    same "$(awk '$1 ~ /^[0-9]+$/ && NF == 4 { print $1, $4 }' <<< "$out" | paste -sd,)" '34 17,1 16,33 12'
    exits 0 degree "$karate"
    same "$(awk '$1 ~ /^[0-9]+$/ && NF == 4' <<< "$out" | wc -l)" 10
    says 'and 24 more'
    exits 0 degree "$karate" --top 100
    same "$(awk '$1 ~ /^[0-9]+$/ && NF == 4 { print $4, -$1 }' <<< "$out")" \
        "$(awk '$1 ~ /^[0-9]+$/ && NF == 4 { print $4, -$1 }' <<< "$out" | sort -k1,1nr -k2,2nr)"
    exits 0 degree "$karate" --top 0
    exits 0 degree "$karate" --plan
    says method
    says_not 'total'
    exits 0 degree "$karate" --plan --json
    json 'j["backend"]' cpu
}

t_degree_directed() {
    exits 0 degree "$data/weighted.txt" --by out --top 1 --json
    json 'j["rows"]' "[{'id': 10, 'in': 0, 'out': 2, 'total': 2}]"
    exits 0 degree "$data/weighted.txt" --by in --top 1 --json
    json 'j["rows"][0]["id"]' 30
}

t_degree_json() {
    exits 0 degree "$karate" --json
    is_json
    json 'len(j["rows"])' 34
    json '[r["id"] for r in j["rows"]] == list(range(1, 35))' True
    json 'j["rows"][33]["total"]' 17
    json 'sum(r["total"] for r in j["rows"])' 156
    json 'sum(t["degree"] * t["count"] for t in j["table"])' 156
    exits 0 degree "$karate" --json --top 2
    json '[r["id"] for r in j["rows"]]' '[34, 1]'
    exits 0 degree "$karate" --json --table
    json '"rows" in j' False
}

t_degree_table() {
    exits 0 degree "$karate" --table
    says_not 'total'
    same "$(awk 'NF == 2 && $1 ~ /^[0-9]+$/ { s += $1 * $2 } END { print s }' <<< "$out")" 156
    exits 0 degree "$karate" --distribution -o -
    same "$(awk 'NR > 1 { n += $2 } END { print n }' <<< "$out")" 34
}

t_neighbors() {
    exits 0 neighbors "$karate" --of 34
    says '34 has 17 neighbours'
    says '9 10 14 15 16 19 20 21 23 24 27 28 29 30 31 32 33'
    exits 0 neighbors "$karate" --of 12 --json
    is_json
    json 'j["lists"]' "[{'of': 12, 'direction': 'both', 'count': 1, 'neighbors': [1]}]"
    exits 0 neighbors "$karate" --of 12 1 --of 17 --json
    json '[l["of"] for l in j["lists"]]' '[12, 17, 1]'
    exits 0 neighbors --of 12 "$karate" --json
    json 'len(j["lists"])' 1
    exits 0 neighbors "$karate" --of 12 17 -o n.tsv
    same "$(tr '\t\n' ',;' < n.tsv)" 'of,direction,neighbor;12,both,1;17,both,6;17,both,7;'
    exits 0 neighbors "$karate" --of 34 --top 2
    says 'and 15 more'
}

t_path() {
    exits 0 path "$karate" 17 30
    says '5 hops'
    says '17 6 1 3 33 30'
    exits 0 path "$karate" 17 30 --k 3 --json
    is_json
    json '[p["hops"] for p in j["paths"]]' '[5, 5, 5]'
    json 'j["paths"][0]["vertices"]' '[17, 6, 1, 3, 33, 30]'
    printf '1\n' > closed.txt
    exits 1 path "$karate" 17 30 --avoid closed.txt
    says 'there is no path from 17 to 30'
    exits 3 path "$karate" 17 99
    complains "no vertex '99'"
    exits 2 path "$karate" 17
    printf 'a b 2.5\nb c 1\na c 9\n' > way.txt
    exits 0 path way.txt a c
    says 'length 3.5 (sum of weights), 2 hops'
    exits 0 path way.txt a c --hops
    says '1 hop (weights are not used)'
    exits 0 path way.txt a c --k 5 -o way.tsv
    same "$(tr '\t\n' ',;' < way.tsv)" 'path,vertex,distance;0,a,0;0,b,2.5;0,c,3.5;1,a,0;1,c,9;'
    exits 0 path way.txt a c --k 5 --hops -o way.tsv
    same "$(tr '\t\n' ',;' < way.tsv)" 'path,vertex,distance;0,a,0;0,c,1;1,a,0;1,b,1;1,c,2;'
    printf 'b\n' > closed.txt
    exits 0 path way.txt a c --avoid closed.txt
    says 'length 9 (sum of weights), 1 hop'
    printf 'a b 2\na c 10\nc b -9\n' > debt.txt
    exits 3 path debt.txt a b
    complains 'the edge from c to b has weight -9, but weights must be numbers of 0 or more; --hops counts hops'
    exits 0 path debt.txt a b --hops
    says '1 hop (weights are not used)'
}

t_run() {
    exits 0 run "$karate" bfs:source=17 sssp:source=17 pagerank pagerank:damping=0.5 --verify -o wide.tsv
    same "$(head -n 1 wide.tsv | tr '\t' ' ')" 'id level bfs.parent distance sssp.parent pagerank.rank pagerank2.rank'
    same "$(wc -l < wide.tsv)" 35
    exits 0 run "$karate" kcore degree --where 'core = 4 and total > 5' --sort total:asc,id:desc --head 3 --json
    json '[r["id"] for r in j["rows"]]' '[4, 2, 3]'
    json '[r["name"] for r in j["runs"]]' "['kcore', 'degree']"
    exits 2 run "$karate"
    printf 'a:b c\nc d\n' > colons.txt
    exits 0 run colons.txt bfs:source=a:b:no-parents --verify
    says 'reached 3, depth 2; verified: '
    exits 2 run colons.txt pagerank:damping=0.5:nonsense
    complains 'has no flag --nonsense'
    exits 2 run "$karate" bffs
    complains 'did you mean bfs?'
    exits 2 run "$karate" bfs --where 'rank > 1'
    complains "no column is called 'rank'; there are id, level, parent"
    exits 2 run "$karate" bfs --sort depth
    exits 3 run "$karate" bfs:source=99
}

t_rows_by_flags() {
    printf 'node\tname\n1\tMr. Hi\n34\tJohn A.\n' > names.tsv
    exits 0 degree "$karate" --labels names.tsv --bottom 2 -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,name,in,out,total;12,,1,1,1;10,,2,2,2;'
    exits 0 degree "$karate" --labels names.tsv:2 --where "name >= 'K' or total = 17" --json
    json '[[r["id"], r["name"]] for r in j["rows"]]' "[[1, 'Mr. Hi'], [34, 'John A.']]"
    exits 0 degree "$karate" --table --where 'count >= 6' --sort degree:desc -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'degree,count;4,6;3,6;2,11;'
    exits 0 bfs "$karate" --source 17 --where 'not level < 5' --json
    json '[r["level"] for r in j["rows"]]' '[5, 5, 5, 5, 5, 5, 5, 5]'
    exits 0 pagerank "$karate" --where 'rank > 0.09' -q
    says_not 'more'
    exits 2 degree "$karate" --top 1 --bottom 1
    exits 2 degree "$karate" --sort total:up
    exits 2 leiden "$karate" --sort size
    complains "leiden has no column 'size'; it has id, community"
    exits 2 leiden "$karate" --by size
    complains "leiden has no column 'size'; it has community"
    local condition
    for condition in '1 > 2' "'a' = 'a'" 'true = true' 'total > 3 or 2024-01-01 < 2025-01-01'; do
        exits 2 degree "$karate" --where "$condition"
        complains 'neither side is a column'
    done
    printf 'person,name\nann,Ann\n' > strangers.csv
    exits 3 degree "$karate" --labels strangers.csv
    complains 'strangers.csv: no row has a vertex of the graph: the ids are expected in column 1, person'
    exits 3 degree "$karate" --labels names.tsv:nam
    complains 'did you mean name?'
    exits 2 degree "$karate" --labels names.tsv -o names.tsv
    exits 2 components "$karate" --labels names.tsv --sizes names.tsv
    printf 'id,name\n1,"open\n2,b\n' > open.csv
    exits 3 degree "$karate" --labels open.csv
    complains 'open.csv:2: a quote is not closed'
    printf 'id,total\n1,x\n' > total.csv
    exits 2 degree "$karate" --labels total.csv
    complains "a column 'total' of its own"
    printf ',id,name\n0,1,x\n' > pandas.csv
    exits 0 degree "$karate" --labels pandas.csv:name --head 1 -o -
    same "$(tail -n 1 <<< "$out" | tr '\t' ' ')" '1 x 16 16 16'
    exits 0 bfs "$karate" --source 1 --source 34 --each --table -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'source,source_reached,source_depth,source_distances;1,34,3,58;34,34,4,60;'
    exits 0 bfs "$karate" --sources 1,34 --json
    json 'j["result"]["depth"]' 2
    exits 0 bfs "$karate" --sources 1,34 --together --no-parents --json
    json '[j["result"]["depth"], j["parameters"]["each"], j["parameters"]["parents"]]' '[2, False, False]'
    complains '--together is --each=no now'
    exits 0 run "$karate" bfs:sources=1,34:together:no_parents -o -
    same "$(head -n 1 <<< "$out" | tr '\t' ' ')" 'id level'
    printf '34\n' > 1
    exits 2 bfs "$karate" --sources 1
    complains "'1' is both a vertex and a file"
    exits 0 bfs "$karate" --sources @1 --each --table -o -
    rm 1
    exits 2 bfs "$karate" --source 1 --source 2 --sources 3
    exits 3 bfs "$karate" --sources 1,99
    complains "'1,99' lists '99'"
}

t_labels_of_the_graph() {
    printf 'source,target\n7,9\n9,12\n' > edges.csv
    printf 'id,label,age,twice\n7,Ann,31,x\n9,Bob,,x\n12,"Cid, C.",-5,x\n' > people.csv
    exits 0 convert edges.csv people.weft --nodes people.csv -q
    exits 0 degree people.weft # by itself, as no two have the same
    says '  9  Bob '
    exits 0 degree people.weft -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,in,out,total,label,age,twice;7,0,1,1,Ann,31,x;9,1,1,2,Bob,,x;12,1,0,1,Cid, C.,-5,x;'
    exits 0 degree people.weft --label age --where 'total = 1' -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'id,age,in,out,total,label,twice;7,31,0,1,1,Ann,x;12,-5,1,0,1,Cid, C.,x;'
    exits 0 run people.weft degree components --label label --json
    json '[r["label"] for r in j["rows"]]' "['Ann', 'Bob', 'Cid, C.']"
    exits 3 degree people.weft --label none
    complains "no attribute 'none' in this graph"
    exits 2 degree people.weft --label age --labels people.csv
    complains '--label and --labels exclude each other'
    exits 2 degree people.weft --label age --table
    exits 0 info people.weft
    says 'label (text)'
    says 'age (i64, 1 missing)'
    exits 0 info people.weft --no-attributes
    says_not 'label (text)'
    exits 0 neighbors people.weft 9
    says '  label: Bob'
    says_not 'age:'
    exits 0 neighbors people.weft 12 --json
    json 'j["lists"][0]["attributes"]' "{'label': 'Cid, C.', 'age': -5, 'twice': 'x'}"
    exits 0 subgraph people.weft --ego 7 -o part.graphml -q
    [[ $(< part.graphml) == *'<data key="v0">Bob</data>'* ]] || problem 'the label of 9 is not in part.graphml'
    printf 'source,target,since\n7,9,1990\n' > since.csv
    exits 0 convert since.csv since.weft --keep since -q
    printf '+ 9 7\n' > changes.txt
    exits 3 dynamic apply since.weft changes.txt
    complains 'columns of edges, which batches of changes do not keep'
    complains 'weft convert FILE NEW.weft --keep ""'
    exits 0 convert since.weft bare.weft --keep '' -q
    exits 0 dynamic apply bare.weft changes.txt -q
}

# Rows of neither vertices nor edges: in their own order, and chosen from like any others.
t_list() {
    exits 0 ppr "$karate" --undirected --seeds 17,1 --verify
    says 'and 10 more (--head K shows K rows, -o FILE saves all)'
    says 'ranks of all 2 seeds computed again'
    exits 0 ppr "$karate" --undirected --seeds 17,1 --per-seed 2 --json
    json '[(r["seed"], r["vertex"]) for r in j["rows"]]' '[(17, 17), (17, 6), (1, 1), (1, 2)]'
    json 'sorted(j["result"]), "table" in j' "(['error', 'iterations', 'residual', 'seeds'], False)"
    exits 0 ppr "$karate" --undirected --seeds 17,1 --per-seed 2 -o list.csv --json
    json 'j["output_rows"], j["result"]["seeds"]' '(4, 2)'
    same "$(cut -d, -f1,2 list.csv | paste -sd ';')" 'seed,vertex;17,17;17,6;1,1;1,2'
    exits 0 ppr "$karate" --undirected --seeds 17,1 --top 2 -o -
    same "$(cut -f1,2 <<< "$out" | tr '\t\n' ',;')" 'seed,vertex;1,1;17,17;'
    exits 0 ppr "$karate" --undirected --seeds 17,1 --head 2 -o -
    same "$(cut -f1,2 <<< "$out" | tr '\t\n' ',;')" 'seed,vertex;17,17;17,6;'
    exits 0 ppr "$karate" --undirected --seeds 17,1 --where 'seed = 1' --sort vertex:desc --head 1 -o -
    same "$(cut -f1,2 <<< "$out" | tr '\t\n' ',;')" 'seed,vertex;1,34;'
    exits 0 ppr "$karate" --undirected --seeds 1,1 --by vertex --bottom 2 -o -
    same "$(cut -f1,2 <<< "$out" | tr '\t\n' ',;')" 'seed,vertex;1,1;1,1;'
    exits 0 ppr "$karate" --undirected --seeds 17 --top 40 --per-seed 34 -o -
    complains_not 'has at most'
    exits 0 ppr "$karate" --undirected --seeds 17 --top 12 -o -
    complains '--top 12: ppr has at most 10 rows for each seed; --per-seed 12 has more'
    exits 0 similarity "$karate" --undirected --per-vertex 5 --top 6 -o -
    complains '--top 6: similarity has at most 5 rows for each source; --per-vertex 6 has more'
    exits 0 similarity "$karate" --undirected --edges --top 60 -o -
    complains_not 'has at most'
    exits 0 ppr "$karate" --undirected --seeds random:3 -o list.npy -q
    there_is list.npy
    printf '# two\n17 1\n\n1\t2 # and a comment\n' > pairs.txt
    exits 0 similar "$karate" --undirected --pairs pairs.txt --measure common --verify -q -o -
    same "$out" $'source\ttarget\tsimilarity\n17\t1\t2\n1\t2\t7'
    for wrong in '17' '17 1 1' '17 17' '17 99'; do
        printf '1 2\n%s\n' "$wrong" > pairs.txt
        exits 3 similarity "$karate" --undirected --pairs pairs.txt
        complains 'pairs.txt:2:'
    done
    printf '# none\n' > pairs.txt
    exits 3 similarity "$karate" --undirected --pairs pairs.txt
    complains 'pairs.txt: no pair in the file'
    printf 'source,target\n#1,"a b"\n"a b",c d\nc d,e\n#1,"say ""x"""\n' > names.csv
    printf '"#1"\te # odd names\na b\tc d\n"a b" "c d"\n"say ""x""" e\n' > pairs.txt
    exits 0 similarity names.csv --ids string --undirected --comments no --pairs pairs.txt --measure common -q -o -
    same "$(cut -f1,2 <<< "$out" | tail -n +2)" $'#1\te\na b\tc d\na b\tc d\nsay "x"\te'
    printf '"a b" "c d\n' > pairs.txt
    exits 3 similarity names.csv --ids string --comments no --pairs pairs.txt
    complains 'pairs.txt:1:7: a quote that does not end with the word'
    printf '"a b"\t#1\n' > pairs.txt
    exits 3 similarity names.csv --ids string --comments no --pairs pairs.txt
    complains 'expected a second id (one that begins with # stands in quotes)'
    printf '1 2\n' > pairs.txt
    exits 2 similarity "$karate" --undirected --pairs pairs.txt --edges
    complains '--pairs and --edges exclude each other'
    exits 2 ppr "$karate" --undirected --table
    complains 'the rows of ppr are its table: leave out --table'
    exits 2 ppr "$karate" --undirected --by nothing
    complains "ppr has no column 'nothing'"
    printf 'id,name\n1,a\n' > names.csv
    exits 2 ppr "$karate" --undirected --labels names.csv
    complains 'the rows are a list'
    exits 2 run "$karate" --undirected ppr degree
    complains 'ppr gives a list, and the rows of weft run are vertices; use weft ppr'
    exits 3 ppr "$karate" --undirected --seeds 1,99
    complains "lists '99', which is no vertex of the graph"
    exits 2 ppr "$karate" --undirected --per-seed 0
}

# Values of edges: the rows are these.
t_rows_of_edges() {
    exits 0 triangles "$karate" --edges --verify
    says '33      34       10'
    says 'and 68 more'
    says 'and 78 edges recounted'
    exits 0 triangles "$karate" --edges --top 4 -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'source,target,support;33,34,10;1,2,7;1,3,5;1,4,5;'
    exits 0 triangles "$karate" --edges --bottom 1 -o -
    same "$(tail -n 1 <<< "$out" | tr '\t' ' ')" '1 12 0'
    exits 0 triangles "$karate" --edges --where 'support >= 5 and source = 1' --sort target:desc -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'source,target,support;1,4,5;1,3,5;1,2,7;'
    exits 0 triangles "$karate" --edges --json
    json 'len(j["rows"]), sum(r["support"] for r in j["rows"]), j["result"]' "(78, 135, {'triangles': 45})"
    json 'j["rows"] == sorted(j["rows"], key=lambda r: (r["source"], r["target"]))' True
    json 'all(r["source"] < r["target"] for r in j["rows"])' True
    exits 0 triangles "$karate" --edges -o edges.npy -q
    exits 0 triangles "$karate" --edges -o edges.csv --json
    json 'j["output_rows"]' 78
    same "$(head -n 2 edges.csv | paste -sd ';')" 'source,target,support;1,2,7'
    printf 'b a\na c\nc b\nb a\na a\n' > pairs.txt
    exits 0 triangles pairs.txt --directed --duplicates keep --edges -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'source,target,support;a,a,0;a,c,1;b,a,1;b,a,1;c,b,1;'
    exits 0 triangles pairs.txt --undirected --duplicates keep --edges -o -
    same "$(tr '\t\n' ',;' <<< "$out")" 'source,target,support;a,a,0;a,b,1;a,b,1;a,c,1;b,c,1;'
    exits 2 triangles "$karate" --edges --table
    complains 'has no table'
    printf '1\tMr. Hi\n' > hi.tsv
    exits 2 triangles "$karate" --edges --labels hi.tsv
    complains 'the rows are edges'
    exits 2 triangles "$karate" --edges --by triangles
    complains "no column 'triangles'"
    exits 2 run "$karate" triangles:edges=yes degree
    complains 'the rows of weft run are vertices'
}

t_timeout() {
    exits 0 generate rmat --scale 16 -o long.weft
    exits 124 clustering long.weft --repeat 100000 --timeout 0.2 -o never.tsv
    complains 'the time of --timeout is up'
    there_is_no never.tsv
    exits 0 degree "$karate" --timeout 60
}

t_subgraph() {
    exits 0 subgraph "$karate" --core 4 --largest-component -o four.weft --json
    is_json
    json '[j["vertices"], j["edges"], j["left_out"]["vertices_by_core"], j["left_out"]["edges_by_ends"]]' '[10, 25, 24, 53]'
    exits 0 info four.weft --json
    json '[j["vertices"], j["ids"], j["directed"]]' "[10, 'sparse', False]"
    exits 0 subgraph "$karate" --ego 17 --radius 2 --ego 12
    says '18 of 34 vertices, 36 of 78 undirected edges'
    says '16 vertices by --ego'
    printf '1\n2\n3\n' > three.txt
    exits 0 subgraph "$karate" --ids three.txt -o - --to edgelist -q
    same "$(grep -v '#' <<< "$out" | tr '\t\n' ' ;')" '1 2;1 3;2 3;'
    exits 0 subgraph "$karate" --ids string --ids three.txt -o named.weft -q # the word is how ids are read
    exits 0 info named.weft --json
    json '[j["vertices"], j["ids"]]' "[3, 'string']"
    exits 0 subgraph "$karate" --ids=1,2 --ids integer
    says '32 vertices by --ids'
    says_not '--where'
    exits 2 subgraph "$karate" --ids random:5
    complains '--sample-vertices P chooses at random'
    exits 2 subgraph "$karate" --radius 2 --core 2
    complains '--radius needs --ego'
    exits 2 subgraph "$karate" --largest-component any
    exits 0 info named.weft --ids integer
    complains '--ids integer has no effect: the ids of named.weft are names'
    exits 3 subgraph "$karate" --ids strng
    complains "'strng' is neither a list of vertices of the graph"
    printf 'id,score,kind\n1,0.5,"a ""b"""\n2,7,a\n3,,a\n99,1,a\n34,12,c\n' > scores.csv
    exits 0 subgraph "$karate" --table scores.csv --where 'score > 0.5 or kind = "a ""b"""' --json
    json 'j["vertices"]' 3
    complains '1 row of vertices that the graph does not have'
    exits 0 subgraph "$karate" --ids three.txt --table scores.csv --where "not score >= 7 and kind != 'c'" -q --json
    json '[j["vertices"], j["left_out"]["vertices_by_list"]]' '[2, 32]'
    for wrong in 'scre > 1' 'score >' 'score > 1 1' "score = 'x'" '(score > 1' 'score > 1x' "kind = 'x"; do
        exits 2 subgraph "$karate" --table scores.csv --where "$wrong"
        complains '--where: character'
    done
    exits 2 subgraph "$karate" --where 'a > 1'
    complains "no column is called 'a'"
    printf 'id,score\n1,0.5\n1,7\n' > twice.csv
    exits 3 subgraph "$karate" --table twice.csv --where 'score > 1'
    complains "twice.csv:3: vertex '1' is in line 2 already"
    exits 3 subgraph "$karate" --ego 99
    complains "no vertex '99'"
    exits 2 subgraph "$karate" --min-weight 1
    complains 'has none'
    exits 0 subgraph "$karate" --undirected --community 5 --json
    complains 'communities: 4, modularity 0.4198, as weft leiden finds them'
    json '[j["vertices"], j["edges"], j["left_out"]["vertices_by_list"]]' '[5, 6, 29]'
    exits 0 leiden "$karate" --undirected --where 'community = 5 or community = 24' -o - -q
    cut -f 1 <<< "$out" | tail -n +2 > members.txt
    exits 0 subgraph "$karate" --undirected --ids members.txt -o listed.weft -q
    exits 0 subgraph "$karate" --undirected --community 24 --community 5 -o named.weft -q
    cmp -s listed.weft named.weft || problem "--community is not what --ids of its members is"
    exits 0 subgraph "$karate" --undirected --community 5 --ids 1,5,7 --core 1
    says '2 of 34 vertices, 1 of 78 undirected edges' # 5 and 7
    says '32 vertices by --ids and --community'
    exits 0 subgraph "$karate" --undirected --community 1 --ids three.txt --table scores.csv --where 'score > 0'
    says '2 of 34 vertices'
    says 'by --ids, --community and --where'
    exits 3 subgraph "$karate" --undirected --community 7
    complains "'7' names no community"
    complains 'this one is in that of 5, of 5 vertices: --community 5'
    exits 3 subgraph "$karate" --undirected --community 99
    complains "--community: no vertex '99'"
    exits 2 degree "$karate" --community 5
    exits 2 subgraph "$karate" -o "$karate"
}

t_sizes() {
    printf '1 2\n2 1\n2 3\n3 4\n4 3\n4 5\n6 6\n' > groups.txt
    exits 0 scc groups.txt
    says '1     2  0.33333334'
    says_not '  id'
    exits 0 scc groups.txt --top 1
    says '1     2  0.33333334'
    says_not '3     2  0.33333334'
    exits 0 components groups.txt --sizes sizes.csv -o vertices.tsv -q
    same "$(tr '\n' ';' < sizes.csv)" 'component,size,share;1,5,0.8333333;6,1,0.16666667;'
    same "$(head -n 2 vertices.tsv | tr '\t\n' ',;')" 'id,component;1,1;'
    exits 0 labelprop groups.txt --undirected --sizes sizes.json
    says 'wrote 3 rows to sizes.json'
    same "$(python3 -c 'import json; print(json.load(open("sizes.json"))["sizes"][2])')" "{'label': 6, 'size': 1, 'share': 0.16666667}"
    exits 0 components groups.txt --sizes -
    same "$(head -n 1 <<< "$out" | tr '\t' ' ')" 'component size share'
    says_not 'read in'
    exits 0 components groups.txt --where 'id > 4' # vertices, as soon as a flag chooses among them
    says '  id'
    exits 0 components groups.txt --json
    json '[len(j["rows"]), len(j["sizes"])]' '[6, 2]'
    exits 0 generate path --n 500 --directed -o line.txt -q
    exits 0 scc line.txt
    says '490 more (--top K shows K rows, --sizes FILE saves all)'
    exits 0 scc line.txt --json
    json 'len(j["sizes"])' 100
    exits 2 components groups.txt --sizes x.tsv -o x.tsv
    complains 'name the same file'
    exits 2 components groups.txt --sizes - --json
    complains 'both mean standard output'
    exits 2 components groups.txt --sizes groups.txt
    complains groups.txt
    exits 2 pagerank groups.txt --sizes x.tsv
    complains 'has no flag --sizes'
}

t_neighbors_directed() {
    exits 0 neighbors "$data/weighted.txt" --of 20 --json
    json 'j["lists"][0]' "{'of': 20, 'direction': 'out', 'count': 1, 'neighbors': [{'id': 30, 'weight': 4}]}"
    json 'j["lists"][1]' "{'of': 20, 'direction': 'in', 'count': 1, 'neighbors': [{'id': 10, 'weight': 1.5}]}"
    exits 0 neighbors "$data/weighted.txt" --of 20
    says '20 has 1 out-neighbour (weight)'
    says '30 (4)'
}

t_edge() {
    exits 0 neighbors "$karate" --edge 1 2
    says yes
    exits 1 neighbors "$karate" --edge 1 34
    says 'no such edge'
    is_silent
    exits 1 neighbors "$karate" --edge 1 34 --json
    is_json
    json 'j["exists"]' False
    exits 0 neighbors "$data/weighted.txt" --edge 10 30 --json
    json '[j["exists"], j["weight"], j["count"]]' '[True, 0.5, 1]'
    exits 1 neighbors "$data/weighted.txt" --edge 30 10
    exits 2 neighbors "$data/weighted.txt" --edge 30
}

t_names() {
    exits 0 info --json "$data/names.csv"
    json 'j["ids"]' string
    exits 0 degree "$data/names.csv" --top 1 --by out
    says 'Ada, Countess'
    exits 0 degree "$data/names.csv" -o d.csv
    same "$(sed -n 2p d.csv)" '"Ada, Countess",0,2,2'
    exits 0 neighbors "$data/names.csv" --of 'Ada, Countess' --json
    json 'j["lists"][0]["neighbors"]' "['Blaise', 'Charles']"
    exits 0 neighbors "$data/names.csv" --edge Blaise Charles
    exits 3 neighbors "$data/names.csv" --of Ada
    exits 0 convert "$data/names.csv" n.weft
    exits 0 neighbors n.weft --of 'Ada, Countess' --json
    json 'j["lists"][0]["count"]' 2
}

# Names may hold any byte: JSON stays valid, the terminal is not steered.
t_odd_names() {
    printf 'a"b back\\slash\n\377\376 caf\303\251\nesc\033[2J a"b\n' > odd.txt
    exits 0 degree odd.txt --ids string --json
    is_json
    json 'sorted(r["id"] for r in j["rows"])[0]' 'a"b'
    json '"caf\u00e9" in [r["id"] for r in j["rows"]]' True
    json '"\udcff\udcfe" in [r["id"] for r in j["rows"]]' True
    exits 0 degree odd.txt --ids string
    says_not $'\033'
    exits 0 info --ids string --json "$karate"
    json 'j["ids"]' string
}

# The same with a thousand names that files find hard (WEFT_NAMES for more), by Python's own csv and json.
t_names_are_read_back() {
    $have_python || return 0
    local said
    said=$(python3 -IS "$source_dir/tests/cli/names.py" "$weft" "${WEFT_NAMES:-1000}" 2>&1) || problem "$said"
}

# A row stays a line of the terminal: names lose their middle there, and nowhere else.
t_long_names() {
    local long
    long=http://example.org/$(printf 'caf\303\251/%.0s' {1..40})
    printf '%sa %sb\n%sb %sc\nshort %sa\n' "$long" "$long" "$long" "$long" "$long" > long.txt
    exits 0 pagerank long.txt --ids string
    says "${long}a"
    $have_python || return 0
    for columns in 40 60 100; do # in bytes: a line, six characters of two, an ellipsis of three
        # shellcheck disable=SC2016 # the inner shell expands it
        out=$(python3 -IS "$source_dir/tests/lab/terminal.py" $columns /bin/sh -c 'exec "$0" bfs long.txt --source short --ids string -q >&2' "$weft")
        [[ $out == '0 '* && ${out#0 } -gt $((columns / 2)) && ${out#0 } -le $((columns + columns / 5 + 5)) ]] || problem "a terminal of $columns columns gets: $out"
    done
}

t_negative_ids() {
    printf -- '-5 3\n3 -7\n' > negative.txt
    exits 0 neighbors negative.txt --of -5 --json
    json 'j["lists"][0]["neighbors"]' '[3]'
    exits 0 neighbors negative.txt --edge 3 -7
}

t_doctor() {
    exits 0 doctor --quick
    says CPU
    says GPU
    exits 0 doctor --quick --json
    is_json
    json 'j["cores"] >= 1 and j["memory_bytes"] > 0' True
    json 'j["version"]' "$(version_of_header)"
}

# Result files by extension: .jsonl, .txt, and text packed.
t_result_files() {
    exits 0 degree "$data/weighted.txt" -o r.jsonl -q
    same "$(head -1 r.jsonl)" '{"id": 10, "in": 0, "out": 2, "total": 2}'
    exits 0 degree "$data/weighted.txt" -o r.tsv -q
    exits 0 degree "$data/weighted.txt" -o r.txt -q
    same "$(< r.txt)" "$(< r.tsv)"
    same "$(wc -l < r.jsonl)" "$(($(wc -l < r.tsv) - 1))"
    for form in tsv csv jsonl; do
        exits 0 degree "$data/weighted.txt" -o "r.$form" -q
        exits 0 degree "$data/weighted.txt" -o "r.$form.gz" -q
        same "$(gzip -dc "r.$form.gz")" "$(< "r.$form")"
        exits 0 degree "$data/weighted.txt" -o "r.$form.zst" -q
        if command -v zstd > /dev/null; then same "$(zstd -qdc "r.$form.zst")" "$(< "r.$form")"; fi
    done
    exits 0 degree "$karate" -o r.json.gz -q
    same "$(gzip -dc r.json.gz | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["rows"]))')" 34
    exits 0 neighbors "$data/weighted.txt" --of 10 -o n.jsonl.gz -q
    same "$(gzip -dc n.jsonl.gz | head -1)" "$("$weft" neighbors "$data/weighted.txt" --of 10 -o /dev/stdout -q | sed -n 2p |
        awk -F '\t' '{ printf "{\"of\": %s, \"direction\": \"%s\", \"neighbor\": %s, \"weight\": %s}", $1, $2, $3, $4 }')"
    exits 2 degree "$karate" -o r.npy.gz
    complains 'does not read a compressed .npy'
    exits 2 degree "$karate" -o r.xls.gz
    complains '.jsonl'
    there_is_no r.xls.gz
    printf '"a b" c\n' > names.txt
    exits 0 degree names.txt -o names.jsonl -q
    same "$(head -1 names.jsonl)" '{"id": "a b", "in": 0, "out": 1, "total": 1}'
}

# What cannot be written whole is not there, packed or not.
t_packed_files_are_whole() {
    if [[ -n ${TSAN_OPTIONS-} ]]; then
        skip_reason='ThreadSanitizer itself fails under a limit on file sizes'
        return
    fi
    exits 0 generate er -n 20000 -m 40000 -o g.weft -q
    printf 'before' > r.tsv.gz
    (ulimit -f 8; trap '' XFSZ; "$weft" degree g.weft -o r.tsv.gz -q > .out 2> .err) && problem 'a full disk went by'
    grep -q 'cannot write r.tsv.gz' .err || problem "$(cat .err)"
    same "$(< r.tsv.gz)" before
    same "$(find . -name '.r.tsv.gz*' | wc -l)" 0
}

case_of 'degree shows the largest rows' t_degree
case_of 'degree sorts by any column' t_degree_directed
case_of 'degree --json has all rows' t_degree_json
case_of 'degree --table shows the distribution' t_degree_table
case_of 'neighbors lists' t_neighbors
case_of 'paths' t_path
case_of 'parts of a graph' t_subgraph
case_of 'components and communities by their sizes' t_sizes
case_of 'several algorithms in one table' t_run
case_of 'rows chosen and ordered by flags' t_rows_by_flags
case_of 'attributes of the graph name vertices' t_labels_of_the_graph
case_of 'rows of a list' t_list
case_of 'rows of edges, where values are theirs' t_rows_of_edges
case_of 'time runs out' t_timeout
case_of 'neighbors of a directed graph with weights' t_neighbors_directed
case_of 'neighbors --edge answers with the exit code' t_edge
case_of 'ids may be names' t_names
case_of 'ids may be any bytes' t_odd_names
case_of 'names of result files are read back' t_names_are_read_back
case_of 'long ids are cut on a terminal only' t_long_names
case_of 'ids may be negative' t_negative_ids
t_parts() {
    exits 0 degree "$karate" -o d.csv.gz --parts
    says 'wrote 34 rows to d.00000.csv.gz'
    exits 0 degree "$karate" -o d.csv -q
    same "$(gzip -dc d.00000.csv.gz)" "$(cat d.csv)"
    holds . d.00000.csv.gz d.csv
    exits 2 degree "$karate" --parts
    complains '--parts needs --output'
    exits 2 degree "$karate" --parts -o -
    exits 2 degree "$karate" --parts -o d.json
    complains '.json has more than these'
    for flag in --table --verify --labels=x --top=3 --by=in --sort=in; do
        exits 2 degree "$karate" --parts -o e.tsv "$flag"
        complains 'saves all rows as the ranks have them'
    done
    exits 2 cycle "$karate" --directed --parts -o e.tsv
    complains 'cycle has no rows of vertices'
    there_is_no e.00000.tsv
}

case_of 'doctor' t_doctor
case_of 'a rank writes a part of the rows' t_parts
case_of 'result files by their extension, packed or not' t_result_files
case_of 'packed result files are whole or not there' t_packed_files_are_whole
