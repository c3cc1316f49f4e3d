# Results and attributes together: -o FILE.graphml and the like, in tables, conditions and order.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

people() {
    printf 'source,target\n7,9\n9,12\n12,7\n12,13\n' > edges.csv
    # shellcheck disable=SC2016
    printf 'id,label,born,member,rank\n7,<A&"nn">,1990-01-02,true,1\n9,=1+1,,false,2\n12,"C,id",2001-12-31,,\n' > people.csv
    exits 0 convert edges.csv people.weft --nodes people.csv -q
}

t_joined_tables() {
    people
    exits 0 run people.weft degree components -o -
    same "$(sed -n 1,2p <<< "$out" | tr '\t\n' ',;')" 'id,in,out,total,component,label,born,member,rank;7,1,1,2,7,<A&"nn">,1990-01-02,true,1;'
    exits 0 degree people.weft -o - --no-attributes
    same "$(head -1 <<< "$out" | tr '\t' ,)" 'id,in,out,total'
    exits 0 degree people.weft -o d.jsonl -q
    same "$(tail -1 d.jsonl)" '{"id": 13, "in": 1, "out": 0, "total": 1, "label": null, "born": null, "member": null, "rank": null}'
    exits 0 degree people.weft -o d.csv --no-formulas -q
    same "$(sed -n 3p d.csv)" "9,1,1,2,'=1+1,,false,2"
    exits 0 degree people.weft -o d.csv -q
    same "$(sed -n 3,4p d.csv | paste -sd ';')" '9,1,1,2,=1+1,,false,2;12,1,2,3,"C,id",2001-12-31,,'
    exits 2 degree people.weft --no-formulas -o d.json
    complains '--no-formulas is for tables'
    exits 2 degree people.weft --no-formulas
}
case_of 'attributes stand beside the columns of results' t_joined_tables

t_joined_names() {
    people
    exits 0 pagerank people.weft -o p.csv
    same "$(head -1 p.csv)" 'id,pagerank.rank,label,born,member,rank'
    complains "'rank' is an attribute of the graph: the column of pagerank is pagerank.rank"
    exits 0 pagerank people.weft -o p.graphml -q
    exits 0 pagerank p.graphml -o again.tsv -q
    same "$(head -1 again.tsv | tr '\t' ,)" 'id,pagerank.rank.2,label,born,member,rank,pagerank.rank'
    same "$(cut -f2 again.tsv | tail -n +2)" "$(cut -f7 again.tsv | tail -n +2)"
    exits 0 pagerank people.weft --top 1 -o - -q # the result's, not the attribute's
    same "$(tail -1 <<< "$out" | cut -f1)" 12
    printf 'id,rank\n7,x\n' > labels.csv
    exits 2 degree people.weft --labels labels.csv -o d.csv
    complains "the graph has an attribute 'rank'"
    printf '<graphml><key id="k" for="node" attr.name="id" attr.type="string"/><graph edgedefault="directed"><node id="a"><data key="k">x</data></node></graph></graphml>' > id.graphml
    exits 0 degree id.graphml -o d.csv -q
    same "$(paste -sd ';' d.csv)" 'id,in,out,total,attribute.id;a,0,0,0,x'
}
case_of 'names that an attribute and a result both have' t_joined_names

t_joined_conditions() {
    people
    local kept
    while IFS='|' read -r condition kept; do
        exits 0 degree people.weft --where "$condition" -o - -q
        same "$(cut -f1 <<< "$out" | tail -n +2 | paste -sd ' ')" "$kept"
    done <<< "born > 1995-01-01|12
born < '1995-01-01T00:00:00Z' or total = 1|7 13
member = false|9
not member = true|9 12 13
rank >= 2 and out = 1|9
label = 'C,id' or label < '='|7 12
1990-01-02 = born|7
born != 1990-01-02|12"
    for wrong in 'born > 5' "born = 'soon'" 'label > 1' 'born = label' '1990-01-02 = 5' 'member = yes'; do
        exits 2 degree people.weft --where "$wrong"
        complains '--where: character'
    done
    exits 0 degree people.weft --sort born -o - -q
    same "$(cut -f1 <<< "$out" | paste -sd ' ')" 'id 7 12 9 13'
    exits 0 degree people.weft --by rank -o - -q
    same "$(cut -f1 <<< "$out" | paste -sd ' ')" 'id 9 7 12 13'
    exits 0 subgraph people.weft --where "born > 1980-01-01 and label != 'x'" -o - --to edgelist -q
    same "$(tail -1 <<< "$out")" '12	7'
    printf 'id,score\n7,1\n9,2\n12,3\n' > scores.csv
    exits 0 subgraph people.weft --table scores.csv --where 'score > 1 and rank > 0' --json -q
    json 'j["vertices"]' 1
    exits 2 subgraph people.weft --table scores.csv
    complains '--table needs --where'
}
case_of 'conditions and order by attributes and results alike' t_joined_conditions

t_joined_graphs() {
    people
    local format
    for format in graphml gexf gml cyjs weft; do
        exits 0 run people.weft degree components -o "out.$format" -q
        exits 0 degree "out.$format" -o - --where 'component = 7' -q
        same "$(cut -f1 <<< "$out" | paste -sd ' ')" 'id 7 9 12 13'
    done
    exits 0 run people.weft degree components --to json -o d3.json -q
    exits 0 info d3.json --json
    json '[a["name"] for a in j["attributes"]]' "['label', 'born', 'member', 'rank', 'in', 'out', 'total', 'component']"
    exits 0 pagerank people.weft -o r.gexf --colour label --size pagerank.rank -q
    same "$(grep -c '<viz:color r="[0-9]*" g="[0-9]*" b="[0-9]*"/><viz:size value="[0-9.]*"/></node>' r.gexf)" 4
    exits 0 layout people.weft -o place.gexf -q
    same "$(grep -c '<viz:position x="[-0-9.e]*" y="[-0-9.e]*" z="0"/></node>' place.gexf)" 4
    exits 0 degree place.gexf -o - -q
    exits 0 run people.weft degree layout -o place.gexf -q
    same "$(grep -c '<viz:position x="[-0-9.e]*" y="[-0-9.e]*" z="0"/></node>' place.gexf)" 4
    exits 0 degree people.weft -o - --to graphml -q
    same "$(grep -c '<data key="v6">' <<< "$out")" 4
    printf 'a b\nb c\n' > names.txt
    exits 0 run names.txt bfs:source=b components -o n.weft -q
    exits 0 neighbors n.weft a --json
    json 'j["lists"][0]["attributes"]["component"]' a
}
case_of 'results join the graph in each format that keeps attributes' t_joined_graphs

# What one sees in Gephi and NetworkX, and what comes back.
t_joined_names_of_columns() {
    people
    printf ':ID,id,Node ID\n7,x,1\n9,y,2\n' > ids.csv
    exits 0 convert edges.csv ids.weft --nodes ids.csv -q
    exits 0 convert ids.weft - --to nodes -q
    same "$(head -2 <<< "$out" | paste -sd ';')" ':ID,id,Node ID;7,x,1'
    exits 0 convert ids.weft ids.out --to nodes -q
    exits 0 convert edges.csv again.weft --nodes ids.out -q
    cmp -s ids.weft again.weft || problem 'a table of vertices does not come back'
    exits 0 convert people.weft people.gml # not each has a label
    complains "gml: attribute 'label' is written as label_"
    same "$(grep -c 'label "[0-9]*" label_ "' people.gml)" 3
    exits 0 neighbors people.gml 12
    says 'label: C,id'
}
case_of 'names of columns that formats have for something else' t_joined_names_of_columns

t_losses() {
    local wrong
    wrong=$(python3 -IS "$source_dir/tests/cli/losses.py" "$weft" 2>&1) || problem "$wrong"
}
case_of 'each type of each column comes back from each format, or a warning names it' t_losses

t_joined_flags() { # a flag is used or refused
    people
    local flag
    for flag in '--weight-col rank' '--source-col a' '--target-col a' --header '--separator ;' '--decimal comma' '--comments no' '--vertices 9'; do
        # shellcheck disable=SC2086
        exits 2 info people.weft $flag
        complains "${flag% *} goes with"
    done
    printf '1: 2 3\n2: 3\n' > rows.adjlist
    exits 2 info rows.adjlist --weight-col 3
    complains '--weight-col goes with'
    printf 'source,target,amount,note\n1,2,5,x\n1,2,7,y\n' > paid.csv
    exits 0 convert paid.csv paid.weft --keep amount,note --duplicates keep -q
    exits 0 convert paid.weft bare.weft --no-attributes -q
    exits 0 info bare.weft --json
    json '[j["edges"], j["edge_columns"]]' '[1, []]'
    exits 2 info paid.csv --no-attributes --keep amount
    complains '--no-attributes leaves out what --keep keeps'
    exits 2 merge paid.csv paid.csv -o out.weft --keep amount --merge amount:sum
    complains '--keep: weft merge has no use for columns of edges (but for --weight-from)'
    local command
    for command in 'pagerank paid.csv' 'report paid.csv -o page.html' 'run paid.csv degree -o wide.csv' 'path paid.csv a b' \
        'compare paid.csv paid.csv' 'pagerank paid.csv -o ranks.csv'; do
        # shellcheck disable=SC2086 # words
        exits 2 $command --keep amount --duplicates keep
        complains 'has no use for columns of edges'
    done
    there_is_no page.html
    exits 0 pagerank paid.csv --keep amount --duplicates keep -o ranks.graphml -q
    grep -q 'attr.name="amount"' ranks.graphml || problem 'the graph with ranks lacks the column'
    exits 0 pagerank paid.csv --keep amount --weight-from amount --weights --duplicates keep -q
    exits 0 pagerank paid.weft --keep '' -q
    exits 2 merge paid.csv paid.csv -o out.weft --keep amount --weight-from amount --merge amount:sum --duplicates sum
    complains '--merge applies to the edges of each file alone'
    says_not '--duplicates keep'
    exits 0 merge paid.csv paid.csv -o out.weft --keep amount --weight-from amount --merge amount:sum
}
case_of 'flags of tables, and of columns that are left out' t_joined_flags

t_joined_refused() {
    people
    local line
    while IFS='|' read -r line why; do
        # shellcheck disable=SC2086
        exits 2 $line
        complains "$why"
    done <<< "degree people.weft -o d.graphml --top 1|--top is about rows
degree people.weft -o d.graphml --label born|--label is about rows
degree people.weft -o d.graphml --table|--table is about rows
run people.weft degree -o d.gexf --where id=7|--where is about rows
degree people.weft -o d.mtx --to mtx|results are attributes in
degree people.weft --to gexf|name the file with -o
degree people.weft -o d.graphml --size total|for Gephi
degree people.weft -o d.gexf --size totl|'totl' is none of these
degree people.weft -o d.gexf --size label|--size is by numbers
cycle people.weft -o d.gml|no values of vertices
betweenness people.weft --edges -o d.gml|no values of vertices"
    [[ ! -e d.gml && ! -e d.gexf && ! -e d.graphml ]] || problem 'a file was written'
}
case_of 'what cannot be a graph with results' t_joined_refused
