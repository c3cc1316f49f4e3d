# compare, merge: two graphs and more.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

two_days() {
    printf '1 2 5\n2 3 6\n3 1 7\n4 5 1\n' > monday.txt
    printf '1 2 5\n2 3 60\n3 7 7\n7 2 1\n' > tuesday.txt
}

t_compare() {
    two_days
    exits 1 compare monday.txt tuesday.txt --directed
    is_silent
    says 'directed edges, with their weights'
    [[ $out =~ vertices\ +5\ +4\ +2\ +1 && $out =~ edges\ +4\ +4\ +2\ +2 ]] || problem "no figures: $out"
    says 'removed vertices: 4, 5'
    says '2 removed edges'
    [[ $out =~ $'before  after\n'\ +2\ +3\ +6\ +60 ]] || problem "no changed weight: $out"
    exits 1 compare monday.txt tuesday.txt --directed --json
    json '[j["equal"], j["weights_compared"], j["result"]["edges_added"], j["vertices_added"], j["weights_changed"]]' \
        "[False, True, 2, [7], [{'source': 2, 'target': 3, 'before': 6, 'after': 60}]]"
    exits 0 compare monday.txt monday.txt --directed
    says 'monday.txt and monday.txt are equal: 5 vertices, 4 directed edges, with their weights'
    exits 1 compare monday.txt tuesday.txt --directed --no-weights
    says 'directed edges'
    says_not 'weight'
    exits 0 convert monday.txt monday.weft -q --directed
    exits 0 convert monday.txt monday.csv -q --directed
    exits 0 compare monday.weft monday.csv --directed -q
    printf 'a b\nb c\n' > names.txt
    printf 'c b\n"a b" b\n' > others.txt
    exits 1 compare names.txt others.txt --undirected --json
    json '[j["vertices_removed"], j["edges_removed"]]' "[['a'], [{'source': 'a', 'target': 'b'}]]"
    input=tuesday.txt exits 1 compare monday.txt - --directed
    says 'B: -'
}

# Lists go to files in every form of results, and are edge lists; more than ten rows are cut short on the screen.
t_compare_files() {
    two_days
    exits 1 compare monday.txt tuesday.txt --directed --removed gone.tsv --added new.csv.gz --changed changed.json
    says 'wrote 2 removed edges to gone.tsv'
    says_not '2 removed edges'$'\n'
    same "$(< gone.tsv)" $'source\ttarget\tweight\n3\t1\t7\n4\t5\t1'
    same "$(zcat new.csv.gz)" $'source,target,weight\n3,7,7\n7,2,1'
    same "$(tr -d ' \n' < changed.json)" '{"weights_changed":[{"source":2,"target":3,"before":6,"after":60}]}'
    exits 1 compare monday.txt tuesday.txt --directed --added - -q
    same "$out" $'source\ttarget\tweight\n3\t7\t7\n7\t2\t1'
    exits 1 compare monday.txt tuesday.txt --directed --added new.jsonl -q
    same "$out" ''
    same "$(head -1 new.jsonl)" '{"source": 3, "target": 7, "weight": 7}'
    exits 1 compare monday.txt tuesday.txt --directed --added new.jsonl --json
    json '["edges_added" in j, j["added"], len(j["edges_removed"])]' "[False, 'new.jsonl', 2]"
    seq 1 30 | sed 's/$/ 0/' > many.txt
    exits 1 compare <(printf '1 0\n') many.txt --directed
    says '29 added edges'
    says '... and 19 more (--added FILE saves all)'
    says 'and 19 more (--json lists all)'
}

t_compare_places() {
    two_days
    exits 1 compare monday.txt tuesday.txt --directed --by degree.in --top 2 --json
    json 'j["by"]' degree.in
    json '[[r[k] for k in ("id", "before", "after", "value_before", "value_after")] for r in j["places"]]' \
        '[[2, 1, 1, 1, 2], [3, 1, 2, 1, 1], [1, 1, 4, 1, 0]]'
    exits 1 compare monday.txt tuesday.txt --directed --by bfs:source=1 --top 1 --json # what was not reached has no place
    json '[[r[k] for k in ("id", "before", "after")] for r in j["places"]]' '[[7, None, 1], [3, 1, 2]]'
    exits 0 compare monday.txt monday.txt --directed --by pagerank:damping=0.5 -q
    says 'places by pagerank:damping=0.5'
    exits 1 compare <(printf 'a b\nb c\n') <(printf 'a b\nd b\n') --directed --by degree.in
    [[ $out =~ c\ +1\ +-1 ]] || problem "the vertex that is gone has a place: $out"
    exits 2 compare monday.txt tuesday.txt --by components
    complains '--by components: components has no number for each vertex'
    exits 2 compare monday.txt tuesday.txt --by betweenness:edges
    complains '--by betweenness:edges asks for values of edges, but vertices are ranked'
    exits 2 compare monday.txt tuesday.txt --by degree.up
    complains 'it has in, out, total'
    exits 2 compare monday.txt tuesday.txt --by pagerang
    complains 'did you mean pagerank'
    exits 2 compare monday.txt tuesday.txt --top 3
    complains '--top needs --by'
}

t_compare_refused() {
    two_days
    exits 3 compare monday.txt none.txt
    exits 2 compare monday.txt
    exits 2 compare monday.txt tuesday.txt monday.txt
    exits 2 compare - -
    complains 'the first graph and the second graph both ask for it'
    printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n' > two.mtx
    exits 2 compare two.mtx monday.txt
    complains 'the first graph is undirected, and the second graph is not: --directed or --undirected reads all alike'
    printf 'a b\n' > names.txt
    exits 2 compare monday.txt names.txt --directed
    complains '--ids string reads all as names'
    exits 1 compare monday.txt names.txt --directed --ids string
    printf '1 2 5\n1 2 6\n' > twice.txt
    exits 2 compare twice.txt monday.txt --directed
    complains 'the first graph: 1 pair of vertices has parallel edges with different weights'
    exits 1 compare twice.txt monday.txt --directed --duplicates min
    complains 'twice.txt: 1 parallel edge became one with others; --duplicates keep compares how many there are'
    exits 1 compare twice.txt monday.txt --directed --duplicates keep --json -q
    json '[r["weight"] for r in j["edges_removed"]]' '[6]'
    exits 1 compare monday.txt <(cut -d ' ' -f 1,2 monday.txt) --directed
    complains 'the first graph has weights, the second has none: edges are compared without them'
    exits 2 compare monday.txt tuesday.txt --added monday.txt
    exits 2 compare monday.txt tuesday.txt --added tuesday.txt
    exits 2 compare monday.txt tuesday.txt --added x.tsv --removed x.tsv
    complains 'name the same file'
    exits 2 compare monday.txt tuesday.txt --added x.npy
    exits 2 compare monday.txt tuesday.txt --added x.weft
    exits 3 compare monday.txt tuesday.txt --added none/x.tsv
    complains '--added: cannot write none/x.tsv'
    exits 2 compare monday.txt tuesday.txt --added - --json
    exits 2 compare monday.txt tuesday.txt --added - --removed -
    there_is_no x.tsv
}

t_merge() {
    two_days
    exits 0 merge monday.txt tuesday.txt --directed --duplicates sum -o both.txt
    says 'union of 2 graphs: 6 vertices, 6 directed edges with u32 weights'
    says 'wrote both.txt'
    cat monday.txt tuesday.txt > joined.txt
    local rule
    for rule in sum min max mean count keep; do # as if the files were one
        exits 0 merge monday.txt tuesday.txt --directed --duplicates $rule -o merged.weft -q
        exits 0 convert joined.txt read.weft --directed --duplicates $rule -q
        exits 0 compare merged.weft read.weft --duplicates keep -q
        exits 0 merge joined.txt tuesday.txt --directed --duplicates $rule -o merged.weft -q
        exits 0 convert <(cat joined.txt tuesday.txt) read.weft --directed --duplicates $rule -q
        exits 0 compare merged.weft read.weft --duplicates keep -q
    done
    exits 0 merge monday.txt tuesday.txt --directed --mode intersection --duplicates max -o - --to edgelist -q
    same "$(grep -v '#' <<< "$out")" $'1\t2\t5\n2\t3\t60'
    exits 0 merge monday.txt tuesday.txt --directed --mode difference --json
    json '[j["mode"], j["vertices"], j["edges"], j["files"]]' "['difference', 5, 2, ['monday.txt', 'tuesday.txt']]"
    exits 2 merge monday.txt tuesday.txt --directed -o none.weft
    complains '(the first from 2 to 3: 6, 60); choose the weight that counts: --duplicates min|max|mean|sum|count|keep|refuse'
    exits 3 merge monday.txt tuesday.txt --directed -o none.weft --duplicates refuse
    complains 'listed more than once (the first from 1 to 2: 5, 5)'
    exits 2 merge monday.txt <(printf '1 2\n') --directed -o none.weft
    complains 'graph 1 has weights, graph 2 has none: --no-weights leaves them out, --duplicates count counts edges'
    exits 2 merge monday.txt -o none.weft
    exits 2 merge monday.txt tuesday.txt -o tuesday.txt
    exits 2 merge monday.txt tuesday.txt -o none.tar
    exits 2 merge monday.txt tuesday.txt --mode both
    exits 2 merge - monday.txt - -o none.weft
    there_is_no none.weft
}

# What Python's sets say of the same graphs; more of them in make slow.
t_random_pairs() {
    $have_python || { skip_reason='no python3 here'; return; }
    local wrong
    wrong=$(python3 -IS "$source_dir/tests/cli/random_pairs.py" "$weft" "${WEFT_PAIRS:-40}" 2>&1) || problem "$wrong"
}

case_of 'compare says what changed' t_compare
case_of 'compare writes edges to files' t_compare_files
case_of 'compare shows places in a ranking' t_compare_places
case_of 'compare refuses what is not alike' t_compare_refused
case_of 'merge joins graphs' t_merge
case_of 'compare and merge on random pairs' t_random_pairs
