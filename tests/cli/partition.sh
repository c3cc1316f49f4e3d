# quality, agreement: partitions from files, and planted ones.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

two_triangles() { # in two communities, and one of them torn
    printf '1 2\n2 3\n1 3\n4 5\n5 6\n4 6\n3 4\n' > pair.txt
    printf 'id\tlabel\n1\tleft\n2\tleft\n3\tleft\n4\tright\n5\tright\n6\tright\n' > sides.tsv
    printf '6,1\n5,1\n4,2\n3,2\n2,2\n1,1\n' > torn.csv
}

t_quality() {
    two_triangles
    exits 0 quality pair.txt --undirected --partition sides.tsv
    is_silent
    says 'quality of sides.tsv on pair.txt: 6 vertices, 7 undirected edges'
    [[ $out =~ left\ +3\ +3\ +1\ +0.14285714285714285\ +1 ]] || problem "no row of left: $out"
    [[ $out =~ modularity\ +0.3571 ]] || problem "no modularity: $out"
    exits 0 quality pair.txt --undirected --partition sides.tsv --json --resolution 2
    json '[j["result"]["modularity"], j["result"]["cpm"], j["resolution"], j["measure"]]' '[-0.14285714285714285, -6, 2, '"'edges'"']'
    exits 0 quality pair.txt --undirected --partition torn.csv --json
    json '[j["result"]["disconnected"], j["table"][0]["community"], j["table"][0]["pieces"]]' '[1, 1, 2]'
    exits 0 quality pair.txt --undirected --partition torn.csv --top 1 -o one.csv
    same "$(< one.csv)" $'community,size,internal,cut,conductance,pieces\n1,3,1,4,0.6666666666666666,2'
    exits 0 quality pair.txt --undirected --partition torn.csv -o - --threads 3
    same "$out" $'community\tsize\tinternal\tcut\tconductance\tpieces\n1\t3\t1\t4\t0.6666666666666666\t2\n2\t3\t2\t4\t0.6666666666666666\t1'
}

# One partition has one modularity: that of a run is at resolution 1, and its quality is what it optimised.
t_quality_of_a_run() {
    local algorithm set of
    for algorithm in leiden louvain; do
        for set in --undirected --directed; do
            for of in '--resolution 2' '--resolution 0.5' '--objective cpm --resolution 0.2' ''; do
                # shellcheck disable=SC2086 # words
                exits 0 $algorithm "$karate" "$set" $of -o found.csv --json
                printf '%s' "$out" > run.json
                exits 0 quality "$karate" "$set" --partition found.csv --json
                printf '%s' "$out" > plain.json
                # shellcheck disable=SC2086 # words
                exits 0 quality "$karate" "$set" --partition found.csv --json --resolution "$([[ $of ]] && echo ${of##* } || echo 1)"
                printf '%s' "$out" > asked.json
                python3 - "$of" <<'END' || problem "$algorithm $set $of: another modularity than weft quality's"
import json, sys
run, plain, asked = (json.load(open(name))["result"] for name in ("run.json", "plain.json", "asked.json"))
assert abs(run["modularity"] - plain["modularity"]) < 1e-12, (run, plain)
assert abs(run["quality"] - asked["cpm" if "cpm" in sys.argv[1] else "modularity"]) < 1e-12, (run, asked)
END
            done
        done
    done
}

# What labelprop writes is read: as text, compressed, as .npy, and by a column of a wide table.
t_quality_files() {
    local file
    for file in l.tsv l.csv.gz l.npy; do
        exits 0 labelprop "$karate" --max-iterations 3 -q -o "$file"
        exits 0 quality "$karate" --partition "$file" -o "$file.out.tsv" -q
        is_silent
        same "$(< "$file.out.tsv")" "$(< l.tsv.out.tsv)"
    done
    exits 0 run "$karate" labelprop:max_iterations=3 degree -o wide.csv -q
    exits 0 quality "$karate" --partition wide.csv -o wide.out.tsv
    complains "wide.csv: labels are in the column 'label'"
    same "$(< wide.out.tsv)" "$(< l.tsv.out.tsv)"
    exits 0 quality "$karate" --partition wide.csv:total -o wide.out.tsv
    is_silent
    [[ $(< wide.out.tsv) != "$(< l.tsv.out.tsv)" ]] || problem 'the column total was not taken'
    input=l.tsv exits 0 quality "$karate" --partition - -o stdin.tsv
    same "$(< stdin.tsv)" "$(< l.tsv.out.tsv)"
}

t_labels_refused() {
    two_triangles
    refuses() { # message, content of the table
        printf '%b' "$2" > wrong.tsv
        rm -f out.tsv
        exits 3 quality pair.txt --undirected --partition wrong.tsv -o out.tsv
        complains "$1"
        there_is_no out.tsv
    }
    refuses "wrong.tsv: vertex '6' of the graph has no label" 'id\tlabel\n1\ta\n2\ta\n3\ta\n4\tb\n5\tb\n'
    refuses "wrong.tsv:4: vertex '1' is in line 2 already" 'id\tlabel\n1\ta\n2\ta\n1\ta\n4\tb\n5\tb\n6\tb\n'
    refuses "wrong.tsv:1: the graph has no vertex '99'" '99\ta\n1\ta\n2\ta\n3\ta\n4\tb\n5\tb\n6\tb\n'
    refuses "wrong.tsv:8: the graph has no vertex 'x'" 'id\tlabel\n1\ta\n2\ta\n3\ta\n4\tb\n5\tb\n6\tb\nx\tb\n'
    refuses "wrong.tsv:3: vertex '2' has no label" 'id\tlabel\n1\ta\n2\t\n3\ta\n4\tb\n5\tb\n6\tb\n'
    refuses 'wrong.tsv:1: expected an id and a label' '1\n2\n3\n'
    refuses 'wrong.tsv:1: 3 columns, and none has a name: write wrong.tsv:2' '1\ta\tb\n2\ta\tb\n'
    refuses 'wrong.tsv:2: expected 2 fields' '1\ta\n2\ta\tb\n'
    exits 3 quality pair.txt --undirected --partition sides.tsv:colour
    complains "has no column 'colour'"
    exits 3 quality pair.txt --undirected --partition sides.tsv:id
    complains 'another column than the ids'
    exits 3 quality pair.txt --undirected --partition none.tsv
    exits 2 quality pair.txt
    complains 'needs --partition LABELS'
    for value in 0 -1 inf nan; do
        exits 2 quality pair.txt --partition sides.tsv --resolution "$value"
        complains '--resolution'
    done
    exits 3 quality pair.txt --undirected --partition sides.tsv --weights
    complains 'weights were asked for'
    printf '1 2 -1\n' > negative.txt
    exits 3 quality negative.txt --weights --partition <(printf '1\ta\n2\ta\n')
    complains 'weights must be finite numbers of 0 or more'
    exits 2 quality pair.txt --partition sides.tsv -o sides.tsv
    exits 0 labelprop pair.txt --undirected -o six.npy
    exits 3 quality "$karate" --partition six.npy
    complains 'six.npy has 6 labels, but'
}

t_agreement() {
    two_triangles
    exits 0 agreement sides.tsv torn.csv
    is_silent
    says 'agreement of sides.tsv and torn.csv: 6 vertices'
    [[ $out =~ ari\ +-0.1111 ]] || problem "no adjusted Rand index: $out"
    exits 0 agreement torn.csv sides.tsv --json
    json '[round(j["result"][k], 4) for k in ("nmi", "ami", "ari", "vi")]' '[0.0817, -0.1111, -0.1111, 1.273]'
    exits 0 agreement sides.tsv sides.tsv --json
    json '[j["result"]["ami"], j["result"]["vi"], j["vertices"]]' '[1, 0, 6]'
    exits 0 labelprop pair.txt --undirected -o six.npy
    exits 0 agreement six.npy six.npy --json
    json 'j["result"]["nmi"]' 1
    printf 'a\tx\nb\tx\nc\ty\n' > names.tsv # names without a header, unless one is said to be there
    exits 0 agreement names.tsv names.tsv --json
    json 'j["vertices"]' 3
    exits 0 agreement names.tsv names.tsv --json --header
    json 'j["vertices"]' 2
}

t_agreement_refused() {
    two_triangles
    head -6 sides.tsv > short.tsv
    exits 3 agreement sides.tsv short.tsv
    complains "sides.tsv:7: vertex '6' is not in short.tsv"
    exits 3 agreement short.tsv sides.tsv
    complains "sides.tsv:7: vertex '6' is not in short.tsv"
    printf '6,1\n' >> torn.csv
    exits 3 agreement sides.tsv torn.csv
    complains "torn.csv:7: vertex '6' is in line 1 already"
    exits 3 agreement torn.csv sides.tsv
    complains "torn.csv:7: vertex '6' is in line 1 already"
    exits 0 labelprop pair.txt --undirected -o six.npy
    exits 3 agreement six.npy sides.tsv
    complains 'six.npy has labels alone'
    exits 0 labelprop "$karate" -o many.npy
    exits 3 agreement six.npy many.npy
    complains 'six.npy has 6 labels and many.npy has 34'
    printf 'not an array' > odd.npy
    exits 3 agreement odd.npy six.npy
    complains 'odd.npy: not a .npy file'
    exits 0 pagerank pair.txt -o ranks.npy
    exits 3 agreement six.npy ranks.npy
    complains 'ranks.npy: labels are integers'
    exits 2 agreement sides.tsv
    exits 2 agreement - -
}

# A planted graph and its truth fit each other, whatever the ids are; the file is the same for any number of threads.
t_planted() {
    exits 0 generate planted --n 2000 --communities 20 --mixing 0.1 -o p.txt --truth truth.tsv --seed 7 --threads 3
    says 'wrote the communities to truth.tsv'
    same "$(head -1 truth.tsv)" $'id\tlabel'
    same "$(tail -n +2 truth.tsv | cut -f 2 | sort -n | uniq -c | awk '{ print $1 }' | sort -u)" 100
    exits 0 quality p.txt --partition truth.tsv --json
    json '[round(j["result"]["coverage"], 1), j["result"]["communities"], j["result"]["disconnected"]]' '[0.9, 20, 0]'
    exits 0 generate planted --n 2000 --communities 20 --mixing 0.1 --truth again.tsv --seed 7 --threads 1 -q
    same "$(< again.tsv)" "$(< truth.tsv)"
    same "$out" ''
    exits 0 generate planted --n 2000 --communities 20 --truth other.npy --seed 8 --json
    json 'j["truth"]' other.npy
    exits 0 generate planted --n 200 --power-law --truth - --degree 4
    same "$(wc -l <<< "$out")" 201
    [[ $err == *checksum* ]] || problem "the summary is not on standard error: $err"
    exits 2 generate rmat --truth truth.tsv
    complains '--truth is for generate planted'
    exits 2 generate planted -o same.tsv --to edgelist --truth same.tsv
    exits 2 generate planted --truth truth.json
    exits 2 generate planted --truth - --json
    exits 2 generate planted --n 50 --truth none.tsv
    complains 'the smallest community has 5 of the vertices'
    there_is_no none.tsv
}

case_of 'communities of a run have the modularity that quality says' t_quality_of_a_run
case_of 'quality judges a partition' t_quality
case_of 'quality reads what other commands write' t_quality_files
case_of 'labels that do not fit the graph are refused' t_labels_refused
case_of 'agreement compares two partitions' t_agreement
case_of 'agreement refuses files about other vertices' t_agreement_refused
case_of 'a planted graph and its truth' t_planted
