# Vertices of two kinds: asked about, read, kept, shown.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

likes() { printf 'user_id,item_id,stars\n1,1,5\n1,2,3\n2,2,1\n' > likes.csv; }

t_sides_asked() {
    local pair
    for pair in user_id,item_id user,movie movieId,userId customer,product author,paper Author,Book actor_name,film_name; do
        printf '%s\n1,1\n1,2\n2,3\n' "$pair" > pair.csv
        exits 3 info pair.csv
        complains 'vertices of two kinds (--bipartite), or ids of one set'
        exits 0 info pair.csv --bipartite --json -q
        json '[j["vertices"], [s["name"] for s in j["sides"]]]' "[5, ['${pair%,*}', '${pair#*,}']]"
        exits 0 info pair.csv --one-set --json -q
        json '[j["vertices"], "sides" in j]' '[3, False]'
        exits 3 info pair.csv --source-col "${pair%,*}" --target-col "${pair#*,}"
        complains '--one-set'
    done
    printf 'author,paper\nann,p1\nbob,p1\n' > names.csv # words above words
    exits 3 info names.csv
    complains '--bipartite'
    exits 0 degree names.csv --bipartite -o - -q
    same "$(cut -f1,5 <<< "$out" | paste -sd ' ' | tr '\t' ,)" 'id,side ann,author bob,author p1,paper'
    printf 'source,target\n1,1\n1,2\n' > plain.csv
    exits 0 degree plain.csv --bipartite -o - -q
    same "$(cut -f1,4 <<< "$out" | paste -sd ' ' | tr '\t' ,)" 'id,total source:1,2 target:1,1 target:2,1'
    printf '{"author": 1, "paper": 7}\n{"author": 2, "paper": 7}\n' > lines.jsonl
    exits 3 info lines.jsonl
    complains '--bipartite'
    exits 0 degree lines.jsonl --bipartite -o - -q # ids are apart already
    same "$(cut -f1,5 <<< "$out" | paste -sd ' ' | tr '\t' ,)" 'id,side 1,author 2,author 7,paper'
}
case_of 'tables of two kinds of vertices are asked about' t_sides_asked

t_sides_kept() {
    likes
    exits 0 convert likes.csv likes.weft --bipartite --weight-col stars -q
    exits 0 info likes.weft --verify
    says 'item_id (2)'
    says_not 'each edge is listed twice'
    exits 0 neighbors likes.weft item_id:2
    says 'user_id:1 (3) user_id:2 (1)'
    exits 3 neighbors likes.weft 1
    local format
    for format in graphml gexf gml json cyjs; do
        exits 0 convert likes.weft "likes.$format" -q
        exits 0 degree "likes.$format" -o - -q --strength
        exits 0 info "likes.$format" --json
        json '[s["name"] + str(s["vertices"]) for s in j["sides"]], len(j["attributes"])' "(['user_id2', 'item_id2'], 0)"
        exits 0 compare likes.weft "likes.$format"
    done
    exits 0 convert likes.weft likes.mtx
    complains 'does not store that vertices are of two kinds'
    exits 0 subgraph likes.weft --where "side = 'user_id' or id = 'item_id:1'" -o part.weft -q
    exits 0 degree part.weft --sort side,id -o - -q
    same "$(cut -f1,4 <<< "$out" | paste -sd ' ' | tr '\t' ,)" 'id,total item_id:1,1 user_id:1,1 user_id:2,0'
    exits 0 run likes.weft degree components -o joined.weft -q
    exits 0 info joined.weft --json
    json 'len(j["sides"]), len(j["attributes"])' '(2, 4)'
    exits 0 convert joined.weft again.weft -q
    cmp -s joined.weft again.weft || problem 'a second conversion differs'
    exits 0 info joined.weft --one-set --json
    json '"sides" in j' False
    exits 0 dynamic new changes.weft likes.weft -q
    input=/dev/stdin exits 0 dynamic apply changes.weft -q <<< '+ user_id:9 item_id:1 5'
    exits 2 dynamic apply changes.weft nowhere.txt --bipartite
    printf '+ user_id:9 user_id:1 5\n' > within.txt
    exits 2 dynamic apply changes.weft within.txt
    complains "within.txt:1: an edge from 'user_id:9' to 'user_id:1' would be within the side user_id"
    exits 0 info changes.weft --json
    json '[s["vertices"] for s in j["sides"]]' '[3, 2]'
}
case_of 'sides stay with the graph' t_sides_kept

t_loop() {
    printf '1 1\n1 2\n' > loop.txt
    exits 2 project loop.txt
    complains 'not bipartite: an edge leads from 1 to itself'
}
case_of 'a loop is no odd cycle to show' t_loop

t_sides_beside_attributes() {
    printf 'author,paper\n1,10\n2,10\n' > apart.csv
    printf 'id,side,bipartite\n1,left,5\n2,x,6\n10,y,7\n' > nodes.csv
    exits 0 convert apart.csv apart.weft --bipartite --nodes nodes.csv -q
    local format
    for format in graphml gexf gml json cyjs; do
        exits 0 convert apart.weft "apart.$format"
        complains "$format: attribute 'side' is written as side_, because 'side' holds the sides"
        complains "attribute 'bipartite' is written as bipartite_"
        exits 0 degree "apart.$format" -o - --sort id:asc -q
        same "$(head -2 <<< "$out" | cut -f1,5- | paste -sd ';' | tr '\t' ,)" 'id,side,bipartite_,side_;1,author,5,left'
    done
}
case_of 'attributes that are called as the sides are' t_sides_beside_attributes

t_sides_in_tables() {
    printf 'user,item,film\nann,z,1\nzoe,b,2\nann,b,3\n' > apart.csv
    exits 0 convert apart.csv apart.weft --bipartite --source-col user --target-col item -q
    exits 0 convert apart.weft - --to csv
    same "$(paste -sd ';' <<< "$out")" 'user,item;ann,b;ann,z;zoe,b'
    complains 'two kinds: user and item, in this order: read it with --bipartite'
    exits 0 convert apart.weft back.csv -q
    exits 3 info back.csv
    exits 0 convert back.csv again.weft --bipartite -q
    exits 0 compare apart.weft again.weft
    exits 0 convert apart.weft - --to jsonl -q
    same "$(tail -1 <<< "$out")" '{"source":"zoe","target":"b"}'
    exits 0 convert apart.csv kept.weft --bipartite --source-col user --target-col item --keep film -q
    exits 0 convert kept.weft - --to csv -q # user,item,film could be two pairs
    same "$(head -1 <<< "$out")" source,target,film
}
case_of 'each side has its column in a table of edges' t_sides_in_tables

t_sides_said() {
    printf '%% bip weighted\n1 1 5\n1 2 3\n2 2 1\n' > konect.txt
    exits 0 info konect.txt --json
    json '[j["vertices"], j["directed"], j["sides"][1]["name"]]' "[4, False, 'target']"
    exits 0 info konect.txt --one-set --json
    json 'j["vertices"]' 2
    printf '{"nodes":[{"id":"a","bipartite":0},{"id":"b","bipartite":0},\n{"id":"c","bipartite":1}],"links":[{"source":"a","target":"c"},\n{"source":"a","target":"b"}]}' > bad.json
    exits 3 info bad.json
    complains "bad.json:3:1: the edge between 'a' and 'b' is within one side"
    exits 0 info bad.json --one-set --json
    json '[a["name"] for a in j["attributes"]]' "['bipartite']"
    printf '<graphml><key id="t" for="node" attr.name="type" attr.type="boolean"/><graph edgedefault="undirected"><node id="n0"><data key="t">false</data></node><node id="n1"><data key="t">true</data></node><edge source="n0" target="n1"/></graph></graphml>' > igraph.graphml
    exits 0 info igraph.graphml --json
    json '"sides" in j' False
    exits 0 info igraph.graphml --bipartite --json
    json '[s["vertices"] for s in j["sides"]]' '[1, 1]'
    printf 'p edge 2 1\ne 1 2\n' > two.col
    exits 3 info two.col --bipartite
    complains 'does not say which vertices are on which side'
    printf 'graph [ node [ id 1 bipartite 0 ] node [ id 2 bipartite 0 ] node [ id 3 bipartite 1 ] edge [ source 1 target 3 ]\nedge [ source 2 target 1 ] ]' > bad.gml
    exits 3 info bad.gml
    complains "bad.gml:2:"
}
case_of 'files that say of two kinds of vertices' t_sides_said

t_sides_beside_nodes() {
    likes
    printf 'id,name\n1,x\n' > nodes.csv
    exits 3 info likes.csv --bipartite --nodes nodes.csv --no-weights
    complains 'does not determine the side'
    printf 'author,paper\n1,10\n2,10\n' > apart.csv
    printf 'id,name\n1,Ann\n10,P\n' > nodes.csv
    exits 0 degree apart.csv --bipartite --nodes nodes.csv -o - -q
    same "$(paste -sd ';' <<< "$out" | tr '\t' ,)" 'id,in,out,total,side,name;1,1,1,1,author,Ann;2,1,1,1,author,;10,2,2,2,paper,P'
    printf 'id,name\n1,Ann\n11,Q\n' > nodes.csv
    exits 3 info apart.csv --bipartite --nodes nodes.csv
    complains "vertex '11' has no edge and therefore no side"
    exits 2 info likes.csv --bipartite --vertices 9
}
case_of 'a table of vertices beside two kinds of them' t_sides_beside_nodes

t_project() {
    likes
    exits 0 project likes.csv --bipartite -o users.tsv
    says 'projection of likes.csv, side user_id: 2 vertices, 1 edge'
    says 'other side: 2 vertices, with 2 paths over them'
    same "$(grep -v '^#' users.tsv | tr '\t' ,)" 'user_id:1,user_id:2,1'
    exits 0 project likes.csv --bipartite --side item_id --weigh jaccard --json -q
    json '[j[k] for k in ("side", "weigh", "vertices", "edges")]' "['item_id', 'jaccard', 2, 1]"
    exits 0 project likes.csv --bipartite --plan --json -q
    json '[j["projection"]["edges"], "checksum" in j]' '[1, False]'
    exits 2 project likes.csv --bipartite --plan -o users.tsv
    complains '--plan and --output exclude each other'
    exits 5 project likes.csv --bipartite --device cuda -o users.tsv
    complains 'project: there is no implementation for the GPU'
    exits 2 project likes.csv --bipartite --side stars
    complains 'the sides of this graph are user_id, the first, and item_id'
    printf '1 11\n2 11\n3 13\n' > pairs.txt
    exits 2 project pairs.txt --undirected --side left
    complains 'it is first or second'
    exits 0 project pairs.txt --undirected -o seconds.txt
    complains 'the smallest vertex of each of its 2 components is put on the first side'
    printf '1 2\n2 3\n3 1\n' > ring.txt
    exits 2 project ring.txt --undirected -o none.txt
    complains 'an odd cycle of 3 goes 1 - 2 - 3'
    there_is_no none.txt
    exits 2 project "$karate" --undirected --weigh much
    exits 1 bipartite ring.txt --undirected
    says 'cycle: 1 -> 2 -> 3 -> 1'
}
case_of 'one side is joined by what its vertices share' t_project

t_sides_compared() {
    printf 'user_id,item_id\n1,11\n2,11\n2,12\n' > apart.csv
    exits 0 convert apart.csv two.weft --bipartite -q
    exits 0 convert apart.csv one.weft --one-set --undirected -q
    sed 's/user_id/item_id/; s/,item_id/,user_id/' apart.csv > turned.csv
    exits 0 convert turned.csv turned.weft --bipartite -q
    exits 0 compare two.weft two.weft
    [[ $err != *'sides of'* ]] || problem "the same sides: $err"
    local other
    for other in one turned; do
        exits 0 compare two.weft $other.weft
        complains 'sides of bipartite graphs are not compared'
    done
}
case_of 'sides are not compared, and where they differ that is said' t_sides_compared

t_groups_of_attributes() {
    printf 'id,team,mark\n1,red,1\n2,red,\n3,blue,2\n' > teams.csv
    printf '1 2\n2 3\n' > chain.txt
    exits 0 mixing chain.txt --undirected --groups teams.csv:team --json -q
    json '"%.6f" % j["result"]["group_assortativity"]' -0.333333
    exits 0 mixing chain.txt --undirected --nodes teams.csv --groups team --json -q
    json '"%.6f" % j["result"]["group_assortativity"]' -0.333333
    exits 3 mixing chain.txt --undirected --nodes teams.csv --groups mark
    complains "vertex '2' of the graph has no value of 'mark'"
    exits 3 mixing chain.txt --undirected --nodes teams.csv --groups town
    complains 'town: cannot open'
}
case_of 'groups are a file, or an attribute of the graph' t_groups_of_attributes
