# info, convert, generate: graphs in and out.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

t_info() {
    exits 0 info "$karate"
    is_silent
    [[ $out =~ vertices\ +34$'\n' ]] || problem "no line 'vertices 34': $out"
    [[ $out =~ $'\n  'edges\ +78$'\n' ]] || problem "no line 'edges 78': $out"
    [[ $out =~ direction\ +undirected\ \(the\ file\ says\ so\) ]] || problem "not undirected: $out"
    says 'max 17, mean 4.59, median 3'
    says '###'
    LC_ALL=C.UTF-8 exits 0 info "$karate"
    says $'\xe2\x96\x88'
}

t_info_json() {
    exits 0 info --json "$karate"
    is_silent
    is_json
    local key
    for key in vertices:34 records:78 edges:78 arcs:156 directed:False weighted:False self_loops:0 \
        duplicates_dropped:0 isolated:0 max_degree:17 format:edgelist ids:dense id_base:1 median_degree:3; do
        json "j[\"${key%%:*}\"]" "${key#*:}"
    done
    json 'round(j["mean_degree"] * 34)' 156
    json 'j["load_ms"] > 0' True
    json 'sum(b["vertices"] for b in j["degree_histogram"])' 34
}

# The histogram is of the column `total` of weft degree, for arcs out of the centre, into it, both, and loops.
t_info_histogram() {
    local file flag
    printf '1 2\n1 3\n1 4\n' > out.txt
    printf '2 1\n3 1\n4 1\n' > in.txt
    printf '1 2\n2 1\n1 3\n1 4\n1 1\n4 4\n5 5\n' > loops.txt
    for file in out.txt in.txt loops.txt "$karate"; do
        for flag in --directed --undirected; do
            exits 0 degree "$file" "$flag" -o degrees.csv
            exits 0 info "$file" "$flag" --json
            printf '%s' "$out" > info.json
            python3 - <<'END' || problem "$file $flag: the histogram is not that of weft degree"
import csv, json
totals = [int(row["total"]) for row in csv.DictReader(open("degrees.csv"))]
for b in json.load(open("info.json"))["degree_histogram"]:
    assert b["vertices"] == sum(b["from"] <= d <= b["to"] for d in totals), (b, totals)
END
        done
    done
    exits 0 info out.txt --directed
    [[ $out =~ 'degree (in + out)'.*$'\n'\ +1\ +3\ .*'2 - 3 '\ +1\  ]] || problem "not 3 of degree 1 and 1 of degree 3: $out"
}

t_direction() {
    local may='may be an undirected list; --undirected reads each line both ways, --directed silences this' command
    for i in {1..40}; do echo "$i $((i + 1))"; done > ascending.txt
    for i in {1..4}; do printf '%s\n' "$i $((i + 1))" "$((i + 1)) $i"; done > twice.txt
    for command in 'info F' 'degree F' 'convert F up.weft' 'run F degree cycle' 'neighbors F --of 1' 'path F 1 40' 'subgraph F --core 1 -o up.txt'; do
        # shellcheck disable=SC2086 # words
        exits 0 ${command/F/ascending.txt}
        complains "$may"
    done
    exits 0 report ascending.txt --quick --json
    complains "$may"
    json '[j["direction"], j["direction_from"], j["read_as"]["direction"]]' "['directed', 'assumed', 'not given']"
    json 'any("may be an undirected list" in note for note in j["notes"])' True
    for command in toposort cycle; do
        exits 0 "$command" ascending.txt
        is_silent
    done
    exits 0 run ascending.txt toposort cycle
    is_silent
    exits 0 info ascending.txt --directed
    is_silent
    says 'directed (by flag)'
    exits 0 degree twice.txt --json
    complains 'twice.txt: each edge is listed twice; --undirected counts it once'
    json '[j["direction"], j["direction_from"], j["edges"]]' "['directed', 'assumed', 8]"
    exits 0 degree twice.txt --json --undirected
    is_silent
    json '[j["direction"], j["direction_from"], j["edges"]]' "['undirected', 'flag', 4]"
    exits 0 info up.weft --json
    json '[j["direction"], j["direction_from"]]' "['directed', 'file']"
    is_silent
    exits 1 path ascending.txt 40 1
    complains '--undirected traverses them both ways'
    exits 1 path ascending.txt 40 1 --directed
    is_silent
    exits 0 path ascending.txt 40 1 --undirected
    exits 0 dynamic new fresh.weft twice.txt --json
    complains 'each edge is listed twice'
    json '[j["direction"], j["direction_from"]]' "['directed', 'assumed']"
    exits 0 dynamic info fresh.weft --json
    json 'j["direction_from"]' file
}

t_parallel() {
    local choices='--duplicates min|max|mean|sum|count|keep|refuse' first='1 pair of vertices has parallel edges with different weights (the first from ann to ben, lines 2 and 3: 10.5, 2'
    printf 'from,to,weight\nann,ben,10.5\nann,ben,2\nben,cid,1\n' > pay.csv
    exits 0 info pay.csv
    complains "$first); the smallest was kept (--duplicates decides)"
    [[ $out =~ 'weights merged'\ +'1 pair' ]] || problem "info does not count: $out"
    exits 0 info pay.csv --json
    json '[j["weights_merged"], j["opposite_weights_merged"]]' '[1, 0]'
    exits 0 degree pay.csv
    exits 0 sssp pay.csv --source ann
    exits 0 sssp pay.csv --source ann --weights
    exits 0 path pay.csv ann cid --weights
    for command in betweenness closeness harmonic distances; do
        exits 0 "$command" pay.csv --weights -o least.tsv
        complains_not 'nobody said'
        exits 0 "$command" pay.csv --weights --duplicates min -o min.tsv
        same "$(< least.tsv)" "$(< min.tsv)"
    done
    for command in 'degree pay.csv --strength' 'pagerank pay.csv --weights' 'convert pay.csv pay.weft' 'subgraph pay.csv --core 1 -o pay.tsv' 'dynamic new pay.weft pay.csv'; do
        # shellcheck disable=SC2086 # words
        exits 2 $command
        complains "$first)"
        complains "$choices"
    done
    there_is_no pay.weft
    there_is_no pay.tsv
    gzip -k pay.csv
    exits 0 info pay.csv.gz
    complains "$first)"
    input=pay.csv exits 0 info -
    complains '(the first from ann to ben: 10.5, 2)'
    for pair in min:2 drop:2 max:10.5 mean:6.25 sum:12.5 count:2 keep:12.5; do
        exits 0 degree pay.csv --strength --duplicates "${pair%:*}" --where 'id = "ann"' -o - -q
        [[ $out == *$'\t'"${pair#*:}" ]] || problem "$pair: $out"
        exits 0 info pay.csv --duplicates "${pair%:*}" --json
        json 'j["weights_merged"]' 0
    done
    exits 3 info pay.csv --duplicates refuse
    complains 'pay.csv: 1 edge is listed more than once (the first from ann to ben: 10.5, 2)'
    printf 'a b 1\nb a 3\n' > ways.txt
    exits 0 info ways.txt --undirected --json
    json '[j["weights_merged"], j["opposite_weights_merged"]]' '[0, 1]'
    exits 2 degree ways.txt --undirected --strength
    complains '1 edge is listed in both directions with different weights (the first between a and b, lines 1 and 2: 1, 3)'
    printf 'from,to,amount\na,b,3\n' > amount.csv
    exits 0 info amount.csv --json
    complains 'passed over: amount; is amount the weight? --weight-col amount'
    json 'j["weighted"]' False
    printf 'source,target,rating,time\n6,2,4,1289241911\n6,5,2,1289241941\n' > otc.csv
    exits 0 info otc.csv
    complains 'passed over: rating, time; is rating the weight? --weight-col rating'
    for name in time date year timestamp; do
        printf 'source,target,%s\n6,2,2010\n' "$name" > when.csv
        exits 0 info when.csv
        complains "passed over: $name"
        [[ $err != *'the weight?'* ]] || problem "the weight is no $name: $err"
        printf 'source,target,%s,rating\n6,2,2010,4\n' "$name" > when.csv
        exits 0 info when.csv
        complains "is rating the weight? --weight-col rating"
    done
    exits 0 info amount.csv --weight-col amount --json
    json 'j["weighted"]' True
}

t_rules() {
    exits 0 info --json "$data/messy.txt"
    json '[j[k] for k in ("vertices", "records", "edges", "arcs", "self_loops", "duplicates_dropped", "ids")]' \
        "[4, 6, 5, 5, 1, 1, 'sparse']"
    exits 0 info --json --undirected "$data/messy.txt"
    json '[j[k] for k in ("edges", "arcs", "duplicates_dropped")]' '[4, 7, 2]'
    exits 0 info --json --duplicates keep --loops drop "$data/messy.txt"
    json '[j[k] for k in ("edges", "self_loops", "self_loops_dropped")]' '[5, 0, 1]'
    exits 0 info --json --vertices 50 "$data/messy.txt"
    json '[j["vertices"], j["isolated"]]' '[50, 46]'
    exits 3 info --require-weights "$data/messy.txt"
    exits 0 info --json --require-weights "$data/weighted.txt"
    json '[j["weighted"], j["min_weight"], j["max_weight"]]' '[True, 0.5, 4]'
    # What --weights was is understood in this version, with a note.
    exits 3 info --weights "$data/messy.txt"
    exits 0 info --json --weights require "$data/weighted.txt"
    complains '--weights here is called --require-weights now'
    exits 0 info --json --weights ignore "$data/weighted.txt"
    complains '--weights here is called --no-weights now'
    json 'j["weighted"]' False
    exits 0 info --json --no-weights "$data/weighted.txt"
    json 'j["weighted"]' False
}

t_stdin() {
    input=$karate
    exits 0 info --json -
    json 'j["edges"]' 78
    exits 0 degree --json -
    json 'len(j["rows"])' 34
    exits 0 convert - k.weft
    there_is k.weft
}

t_verify() {
    exits 0 convert "$karate" k.weft
    exits 0 info --verify k.weft
    says good
    local size
    size=$(stat -c %s k.weft)
    printf '\377' | dd of=k.weft bs=1 seek=$((size - 3)) conv=notrunc status=none
    exits 3 info --verify k.weft
    complains k.weft
}

t_convert() {
    exits 0 convert "$karate" k.weft
    says '78 records'
    says '78 undirected edges'
    exits 0 convert k.weft k.mtx
    exits 0 convert k.mtx k.txt.gz --json
    is_json
    json '[j["output_format"], j["edges"], j["format"]]' "['edgelist', 78, 'mtx']"
    exits 0 info --json k.txt.gz
    json '[j["vertices"], j["edges"], j["directed"]]' '[34, 78, False]'
    exits 0 convert k.weft copy.weft --both-directions --quiet
    same "$out" ''
    is_silent
    exits 0 convert --directed "$karate" d.txt
    exits 3 convert --directed "$karate" d.graph
    there_is_no d.graph
    exits 2 convert "$karate" k.ldbc --to ldcb
    exits 0 convert "$karate" odd.name --to metis
    exits 0 info --format metis --json odd.name
    json 'j["edges"]' 78
    holds . k.weft k.mtx k.txt.gz copy.weft d.txt odd.name
}

t_convert_weights() {
    printf '0 1 0.5\n1 2 4\n' > w.el
    exits 0 convert w.el w.mtx
    says '2 directed edges with f32 weights,'
    exits 0 convert w.el w.csr
    says '2 directed edges,'
    complains 'weights are not stored in the csr format'
}

t_convert_documents() {
    printf 'Zo\303\253 "a & b" 2.5\n"a & b" 7 1\n' > names.txt
    local to
    for to in gml graphml graphml.gz gexf json; do
        exits 0 convert names.txt "names.$to"
        exits 0 convert "names.$to" back.txt
        exits 0 info --json "names.$to"
        json '[j["vertices"], j["edges"], j["directed"], j["format"]]' "[3, 2, True, '${to%.gz}']"
        exits 0 neighbors "names.$to" --of 'a & b'
    done
    exits 0 convert names.txt names.net
    exits 0 info --json names.net
    json '[j["vertices"], j["format"]]' "[3, 'pajek']"
    exits 0 convert names.txt names.cyjs
    exits 0 info --json names.cyjs
    json '[j["vertices"], j["weighted"]]' '[3, True]'
}

# An extension that a command does not write is refused, with those that it does; nothing is written.
t_other_extensions() {
    exits 2 convert "$karate" k.unheard-of
    complains 'no format is known by this extension; graphs are written as .weft, '
    complains '.gexf, .net, '
    exits 2 convert "$karate" k.parquet
    complains 'Parquet table is read, but not written; graphs are written as .weft, '
    exits 2 generate path -n 4 -o k
    complains 'the name has no extension'
    exits 2 subgraph "$karate" --core 2 -o k.pdf
    complains 'graphs are written as .weft, '
    exits 2 report "$karate" -o k.pdf
    complains 'name the page .html or .htm'
    exits 2 layout "$karate" -o k.pdf
    complains '.npy, pictures as .svg or .png'
    exits 2 pagerank "$karate" -o k.pdf
    complains 'results are written as .tsv, .txt, .csv, .json, .jsonl or .npy, and text'
    exits 0 report "$karate" --quick -o k.HTM -q
    there_is k.HTM
    there_is_no k.pdf
    there_is_no k.unheard-of
    there_is_no k.parquet
    there_is_no k
}

t_convert_stdout() {
    exits 0 convert "$karate" - --to edgelist
    same "$(grep -vc '#' <<< "$out")" 78
    complains '78 records'
    exits 2 convert "$karate" -
    complains --to
    exits 2 convert "$karate" - --to edgelist --json
}

t_convert_same() {
    cp "$karate" k.txt
    exits 2 convert k.txt ./k.txt
    complains 'same file'
    ln -s k.txt link.txt
    exits 2 convert k.txt link.txt
    cmp -s k.txt "$karate" || problem 'the file has changed'
}

t_convert_keeps_old() {
    echo precious > old.graph
    exits 3 convert --directed "$karate" old.graph
    same "$(cat old.graph)" precious
    holds . old.graph
}

# A folder of part files is one table, and nothing is written into it.
t_folder() {
    mkdir -p out.csv/deep=1 parts
    printf '1,2\n2,3\n' > parts/part-00000.csv
    printf '3,4\n' > parts/part-00001.csv
    touch parts/_SUCCESS
    exits 0 info --json parts/
    json '[j["edges"], j["records"], j["file"]]' "[3, 3, 'parts/']"
    complains 'parts/: read 2 part files as one table'
    exits 0 info --json --quiet parts
    is_silent
    exits 2 convert parts parts/part-00002.csv
    complains 'parts/part-00002.csv lies in the folder parts, which is read'
    exits 2 degree parts -o parts/../parts/x.tsv
    complains 'lies in the folder parts'
    exits 0 convert parts all.weft
    exits 0 convert parts - --to csv
    printf '5,\n' > parts/part-00001.csv
    exits 3 info parts
    complains 'parts/part-00001.csv:1:3: '
    exits 3 info out.csv
    complains 'out.csv: is a directory, and there are no part files of a table in it'
}

# What is read with a graph is not written over either.
t_beside() {
    printf '1\n2\n9\n' > g.v
    printf '1 2\n' > g.e
    exits 2 convert g g.e --to edgelist
    complains 'g.e is read with g'
    exits 2 convert g.e g.v --to edgelist
    complains 'g.v is read with g.e'
    cp "$source_dir/tests/data/golden/webgraph/java.graph" "$source_dir/tests/data/golden/webgraph/java.properties" .
    exits 2 convert java java.graph
    complains 'java.graph is read with java'
    exits 0 info --json java
    json '[j["format"], j["edges"]]' "['webgraph', 49]"
    exits 0 convert java java.metis --undirected --loops drop
}

t_nodes() {
    printf 'Id,Label\n1,a\n2,b\n7,c\n' > nodes.csv
    printf '1,2\n2,3\n' > e.csv
    exits 0 info --json e.csv --nodes nodes.csv
    json '[j["vertices"], j["isolated"]]' '[4, 1]'
    complains 'nodes.csv: vertices by column Id'
    complains '1 of the vertices is only in the edges'
    exits 0 info --json e.csv --nodes nodes.csv:1 --quiet
    is_silent
    exits 3 info e.csv --nodes nodes.csv:Label
    complains 'nodes.csv:2:3: the ids of the edges are whole numbers'
    exits 3 info e.csv --nodes gone.csv
    complains 'gone.csv: cannot open'
    exits 2 convert e.csv nodes.csv --nodes nodes.csv:Id
    complains 'nodes.csv and nodes.csv are the same file'
}

t_generate_kinds() {
    local kind kinds
    exits 0 help generate
    kinds=$(awk '/^Kinds/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<< "$out")
    same "$(wc -w <<< "$kinds")" 15
    for kind in $kinds; do
        case $kind in
        rmat) exits 0 generate rmat --scale 8 --json ;;
        grid) exits 0 generate grid --rows 20 --json ;;
        karate) exits 0 generate karate --json ;;
        *) exits 0 generate "$kind" -n 100 --json ;;
        esac
        is_json
        json "j['kind'] == '$kind' and j['edges'] > 0 and len(j['checksum'])" 16
    done
    holds .
}

t_generate_threads() {
    local one
    exits 0 generate rmat --scale 12 --degree 8 --threads 1
    one=$(grep checksum <<< "$out")
    [[ -n $one ]] || problem 'no checksum'
    exits 0 generate rmat --scale 12 --degree 8 --threads 3
    same "$(grep checksum <<< "$out")" "$one"
    exits 0 generate --threads 2 --seed 7 rmat --scale 12 --degree 8
    [[ $(grep checksum <<< "$out") != "$one" ]] || problem 'another seed gives the same graph'
}

t_generate_files() {
    exits 0 generate karate -o k.txt
    says 'wrote k.txt'
    exits 0 generate karate -o - --to edgelist
    same "$(grep -vc '#' <<< "$out")" 78
    exits 2 generate karate -o -
    exits 2 generate karate -o - --to edgelist --json
    exits 0 generate -o star --to edgelist cycle -n 5 --json # a file may be called like a kind
    json '[j["kind"], j["edges"], j["output"]]' "['cycle', 5, 'star']"
    exits 2 generate karate -o star
    complains --to
    exits 0 generate grid --rows 3 --columns 4 --torus -o g.weft --json
    json '[j["vertices"], j["edges"], j["output"]]' "[12, 24, 'g.weft']"
    exits 0 generate path -n 10 --directed --json
    json '[j["edges"], j["directed"]]' '[9, True]'
}

# What an error proposes to type is typed, for all tables that are refused.
t_advice_works() {
    $have_python || return 0
    local said
    said=$(python3 -IS "$source_dir/tests/cli/advice.py" "$weft" "$source_dir"/tests/data/{tables,bad/edgelist,bad/adjlist,bad/dense}/* 2>&1) ||
        problem "$said"
}

case_of 'an extension that is not written is refused with those that are' t_other_extensions
case_of 'advice that is printed works' t_advice_works
case_of 'info shows the karate club' t_info
case_of 'direction is said, and doubted where a file looks undirected' t_direction
case_of 'parallel edges with different weights are asked about where it matters' t_parallel
case_of 'info --json has the promised keys' t_info_json
case_of "the histogram of info is of weft degree's total" t_info_histogram
case_of 'rules for duplicates, loops, vertices and weights' t_rules
case_of 'a dash is standard input' t_stdin
case_of 'info --verify finds a changed byte' t_verify
case_of 'convert' t_convert
case_of 'convert to standard output' t_convert_stdout
case_of 'convert refuses to overwrite its input' t_convert_same
case_of 'a failed convert leaves the old file' t_convert_keeps_old
case_of 'a folder of parts is one table' t_folder
case_of 'files beside the input are not written over' t_beside
case_of 'a table of vertices beside the edges' t_nodes
case_of 'every kind of graph is generated' t_generate_kinds
case_of 'the checksum does not depend on threads' t_generate_threads
case_of 'generate writes files' t_generate_files
