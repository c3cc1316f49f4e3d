# Version, help, the man page, completion; words and values that are wrong.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

version_of_header() {
    sed -nE 's/^#define WEFT_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' "$source_dir/include/weft/base.h" | paste -sd.
}

t_version() {
    exits 0 --version
    same "${out%%[ ,]*}" weft
    says "weft $(version_of_header)"
    is_silent
    exits 0 --version --json
    json 'j["version"]' "$(version_of_header)"
}

# Threads that wait sleep soon, unless the caller says how long they should look.  GCC's OpenMP runtime shows what it was loaded with.
t_short_waits() {
    local set
    for set in '' OMP_WAIT_POLICY=active GOMP_SPINCOUNT=7; do
        # shellcheck disable=SC2086
        env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=VERBOSE $set "$weft" --version > "$scratch/out" 2> "$scratch/err"
        grep -q GOMP_SPINCOUNT "$scratch/err" || return 0 # another runtime
        case $set in
        '') grep -qE "GOMP_SPINCOUNT = '(10000|100000)'" "$scratch/err" ;;
        GOMP*) grep -q "GOMP_SPINCOUNT = '7'" "$scratch/err" ;;
        *) grep -qE "GOMP_SPINCOUNT = '[0-9]{8,}'" "$scratch/err" ;;
        esac || problem "with '$set': $(grep SPIN "$scratch/err")"
    done
}

t_alone() {
    exits 2
    complains Commands
    same "$out" ''
}

t_help() {
    exits 0 help --all
    local topic topics
    topics=$(awk '/^  [a-z]/ && $1 != "weft" { print $1 }' <<< "$out")
    exits 0 help generate
    topics+=" $(awk '/^Kinds/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<< "$out")"
    for topic in $topics; do
        exits 0 help "$topic"
        [[ ${#out} -gt 60 ]] || problem "help $topic says too little"
    done
    for topic in info convert generate neighbors path compare merge quality agreement dynamic doctor bench predict lab help degree formats exit-codes ids rmat er karate; do
        [[ " ${topics//$'\n'/ } " == *" $topic "* ]] || problem "help does not list $topic"
    done
    exits 0 info --help
    says 'weft info FILE'
    exits 0 generate grid -h
    says --rows
    exits 0 help formats --json
    json 'j["topic"]' formats
    json '"edgelist" in j["text"]' True
    exits 2 help infp
    complains 'did you mean info'
}

# Characters of the longest line of $out, not counting lines that are to be typed.
longest_line() {
    tr -d '\200-\277' <<< "$out" | LC_ALL=C awk '!/^  weft / && length > most { most = length } END { print most + 0 }'
}

# Help wraps at COLUMNS: 40 at least, 80 when COLUMNS is no width.
t_help_width() {
    local topic pair names
    exits 0 help --all
    for topic in '' --all $(awk '/^  [a-z]/ && $1 != "weft" { print $1 }' <<< "$out") rmat er; do
        for pair in :80 0:80 wide:80 12x:80 99999:80 80:80 100:100 40:40 3:40; do
            # shellcheck disable=SC2086
            COLUMNS=${pair%:*} exits 0 help $topic
            [[ $(longest_line) -le ${pair#*:} ]] ||
                problem "help $topic with COLUMNS='${pair%:*}' has a line of $(longest_line)"
        done
    done
    COLUMNS=100 exits 0 info --help
    [[ $(longest_line) -gt 80 ]] || problem "COLUMNS=100 leaves lines at $(longest_line)"
    if $have_python; then # a terminal's width counts up to 80
        for pair in 50:50 200:80; do
            # shellcheck disable=SC2016 # the inner shell expands it
            out=$(python3 -IS "$source_dir/tests/lab/terminal.py" "${pair%:*}" /bin/sh -c 'exec "$0" info --help >&2' "$weft")
            [[ $out == '0 '* && ${out#0 } -le ${pair#*:} && ${out#0 } -gt $((${pair#*:} - 10)) ]] ||
                problem "a terminal of ${pair%:*} columns gets: $out"
        done
    fi
    exits 0 help formats
    names=$(awk '/^  [a-z]/ { print $1 }' <<< "$out" | paste -sd' ')
    COLUMNS=40 exits 0 help formats
    same "name $(awk '/^  [a-z]/ { print $1 }' <<< "$out" | paste -sd' ')" "$names"
    COLUMNS=60 exits 0 help formats
    same "$(awk '/^  [a-z]/ { print $1 }' <<< "$out" | paste -sd' ')" "$names"
    [[ $(longest_line) -le 60 ]] || problem "wider than 60: $(longest_line)"
    # Columns stand below each other: a format has one line, or goes on below its title and its extensions.
    COLUMNS=80 exits 0 help formats
    awk '/^  name / { title = index($0, "what"); last = index($0, "extensions"); next }
         !title { next }
         substr($0, title - 1, 1) != " " || (length >= last && (substr($0, last - 2, 2) != "  " || substr($0, last, 1) != ".")) { print }' \
        <<< "$out" > crooked
    [[ ! -s crooked ]] || problem "columns run into each other: $(cat crooked)"
}

t_json_page() {
    local wrong
    $have_python || { skip_reason='no python3 here'; return; }
    wrong=$(python3 -IS "$source_dir/tests/cli/json_keys.py" "$weft" "$source_dir/docs/json.md" "$source_dir/tests/data/golden/csr" 2>&1) ||
        problem "$wrong"
}

t_manual() {
    local manual=$source_dir/docs/man/weft.1 plain topic flag number
    plain=$(sed 's/\\-/-/g; s/\\f[A-Z]//g' "$manual")
    for topic in info convert generate neighbors path compare merge quality agreement dynamic doctor bench predict lab degree; do
        weft_says help "$topic" --all
        while read -r flag; do
            [[ $plain == *"$flag"* ]] || problem "the man page lacks $flag"
        done < <(grep -oE '^  (-[a-z], |    )--[a-z][a-z-]*' <<< "$out" | grep -oE -- '--[a-z-]+')
    done
    weft_says help exit-codes
    while read -r number; do
        grep -qxF ".B $number" "$manual" || problem "the man page lacks exit code $number"
    done < <(grep -oE '^ +[0-9]+ ' <<< "$out")
}

t_completion() {
    # shellcheck source=/dev/null
    source "$source_dir/completions/weft.bash"
    complete_words() {
        COMP_WORDS=("$weft" "$@")
        COMP_CWORD=$#
        _weft
    }
    complete_words in
    same "${COMPREPLY[*]}" info
    complete_words info --und
    same "${COMPREPLY[*]}" --undirected
    complete_words convert a b --to mt
    same "${COMPREPLY[*]}" mtx
    complete_words generate rm
    same "${COMPREPLY[*]}" rmat
    complete_words generate rmat --sc
    same "${COMPREPLY[*]}" --scale
    complete_words info --ids st
    same "${COMPREPLY[*]}" string
    printf '1\n' > strong.ids # of a subgraph it is a file first
    complete_words subgraph some.txt --ids st
    same "${COMPREPLY[*]}" strong.ids
    complete_words lab page
    same "${COMPREPLY[*]}" pagerank
    complete_words lab pagerank --rep
    same "${COMPREPLY[*]}" '--report --repeat'
    local weft=${weft%/*}/weft-lab
    complete_words page
    same "${COMPREPLY[*]}" pagerank
    complete_words pagerank --ru
    same "${COMPREPLY[*]}" --rungs
    complete_words --device cu
    same "${COMPREPLY[*]}" cuda
    weft=${weft%-lab}
    touch graph.txt
    complete_words info gra
    same "${COMPREPLY[*]}" graph.txt
}

# The functions of zsh that a completion calls print what they are given.
t_completion_zsh() {
    command -v zsh > /dev/null || { skip_reason='no zsh here'; return; }
    complete_words() {
        zsh -fc '_describe() { print -rl -- ${(P)2} }; compadd() { print -rl -- ${(P)2} }; _files() { print files }
                 words=("${@:2}"); CURRENT=$#words; source $1' zsh "$source_dir/completions/_weft" "$weft" "$@"
    }
    same "$(complete_words '' | grep -E '^(info|pagerank|scc):' | cut -d: -f1 | tr '\n' ' ')" 'info pagerank scc '
    same "$(complete_words info --und | grep -x -- --undirected)" --undirected
    same "$(complete_words generate rm | grep -o '^rmat:')" rmat:
    same "$(complete_words generate rmat --sc | grep -x -- --scale)" --scale
    same "$(complete_words help wh | grep -o '^where:')" where:
    same "$(complete_words info gra)" files
}

t_completion_fish() {
    command -v fish > /dev/null || { skip_reason='no fish here'; return; }
    complete_words() {
        HOME=$PWD PATH=${weft%/*}:$PATH fish -c 'source $argv[1]; complete -C $argv[2]' "$source_dir/completions/weft.fish" "$1" | cut -f 1
    }
    same "$(complete_words 'weft inf' | grep -x info)" info
    same "$(complete_words 'weft sc' | grep -x scc)" scc
    same "$(complete_words 'weft info --undi')" --undirected
    same "$(complete_words 'weft generate rma')" rmat
    same "$(complete_words 'weft help wher')" where
    touch graph.txt
    same "$(complete_words 'weft info grap')" graph.txt
}

t_aliases() {
    printf '1 2\n2 3\n' > chain.txt
    exits 0 wcc chain.txt --json
    json 'j["sizes"]' "[{'component': 1, 'size': 3, 'share': 1}]"
    json 'j["algorithm"], j["result"]["count"]' "('components', 1)"
    exits 0 scc chain.txt --json
    json 'j["algorithm"], j["result"]["count"]' "('components', 3)"
    exits 0 -q scc -- chain.txt
    exits 0 stats chain.txt --json
    json 'j["vertices"]' 3
    exits 0 help scc
    says 'connected components'
}

t_unknown() {
    exits 2 inof "$karate"
    complains 'did you mean info'
    exits 2 info --undirectd "$karate"
    complains 'did you mean --undirected'
    exits 2 info --top 3 "$karate"
    complains 'no flag --top'
    exits 2 degree "$karate" --tpo 3
    complains 'did you mean --top?'
    exits 2 pagerank "$karate" --limit=3
    complains 'no flag --limit; --top K shows K rows'
    exits 2 pagerank "$karate" -n 3
    complains 'no flag -n; --top K shows K rows'
    exits 0 truss "$karate" -k 3
    exits 2 -v
    complains '--version, shows its version'
    exits 2 info -x "$karate"
    complains 'no flag -x'
    exits 2 neighbors "$karate" -of 34
    complains 'did you mean --of'
    exits 2 generate rmta
    complains 'did you mean rmat'
    exits 2 generate
    complains KIND
    exits 2 info --format edgelst "$karate"
    complains 'did you mean edgelist'
    exits 2 "$karate"
    complains 'weft info'
    exits 2 degree "$karate" --by totl
    complains 'did you mean total'
    there_is_no f
}

t_operands() {
    exits 2 info
    complains FILE
    exits 2 info "$karate" "$karate"
    complains 'one argument too many'
    exits 2 doctor x
    same "$err" "weft: 'x' is one argument too many for: weft doctor"
    exits 2 convert "$karate"
    complains OUT
    exits 0 convert "$karate" -o by_flag.weft -q
    there_is by_flag.weft
    exits 2 convert "$karate" one.weft -o other.weft
    complains 'one.weft and -o other.weft'
    exits 0 convert "$karate" - --to metis
    complains 'wrote  standard output: metis'
    exits 2 generate rmat 16
    complains 'weft generate rmat --scale 16'
    input=$karate exits 2 info - --nodes -
    complains 'the graph and --nodes both ask for it'
    input=$karate exits 2 bfs - --sources @-
    complains 'the graph and --sources both ask for it'
    exits 2 degree "$karate" --table --labels "$karate"
    complains '--labels is about vertices'
    exits 2 neighbors "$karate"
    complains --of
    exits 2 neighbors "$karate" --of 1 --edge 1 2
}

t_values() {
    exits 2 info --threads 99999 "$karate"
    complains 'from 0 to 4096'
    exits 2 info --threads two "$karate"
    complains 'whole number'
    exits 2 info --threads
    complains 'needs a value'
    exits 2 info --threads --json "$karate"
    complains 'needs a value'
    exits 2 degree --top -1 "$karate"
    exits 2 degree --top 99999999999999999999 "$karate"
    exits 2 info --memory-limit 5X "$karate"
    complains 512M
    exits 2 info --device tpu "$karate"
    complains 'auto|cpu|cuda'
    exits 2 info --json=yes "$karate"
    complains 'takes no value'
    exits 2 generate rmat --scale 99
    complains 'from 1 to 31'
    exits 2 generate er --p 1.5
    complains 'from 0 to 1'
    exits 2 generate er --p nan
}

t_flag_places() {
    local form
    exits 0 info --json "$karate"
    json 'j["vertices"]' 34
    exits 0 info "$karate" --json
    json 'j["vertices"]' 34
    exits 0 --json --threads 2 info "$karate"
    json 'j["vertices"]' 34
    for form in --threads=1 '--threads 1' '-t 1' -t1; do
        # shellcheck disable=SC2086
        exits 0 info $form "$karate"
    done
    cp "$karate" ./--odd.txt
    exits 0 info --json -- --odd.txt
    json 'j["edges"]' 78
    exits 0 info --memory-limit 1.5GiB "$karate"
}

t_bad_input() {
    exits 3 info nowhere.txt
    complains nowhere.txt
    same "$out" ''
    printf '1 2\n2 3\n3 99999999999999999999\n' > bad.txt
    exits 3 info bad.txt
    complains bad.txt:3:3
    exits 3 info --json bad.txt
    same "$out" ''
    exits 3 neighbors "$karate" --of 99
    complains 99
    exits 3 neighbors "$karate" --edge 1 x
    exits 3 info .
}

# What is wrong with the command line is said before anything is read or made.
t_sentences() {
    exits 2 --bogus
    complains "no command is given, only '--bogus'"
    exits 2 generate --scale 5
    complains 'needs a KIND'
    exits 2 generate rmatt --scale 5
    complains 'did you mean rmat'
    exits 2 generate karate --n 5
    complains 'weft generate karate has no flag --n; see: weft help karate'
    exits 0 generate --help
    exits 2 info ''
    complains 'name of the file is empty'
    exits 2 convert no-such-file x.bogus
    complains 'name one with --to'
    exits 2 convert no-such-file .
    complains 'is a directory'
    exits 2 generate complete -n 4000000000 -o x.bogus
    complains 'name one with --to'
    exits 2 degree "$karate" --by foo
    complains "degree has no column 'foo'; it has in, out, total"
    exits 2 neighbors "$karate" --edge 1 2 -o yes.tsv
    complains '--edge'
    holds .
}

# The names of files come from anywhere, and must not steer the terminal.
t_control_characters() {
    local name=$'a\e[31m\nb'
    exits 3 info "$name"
    complains 'a?[31m?b: cannot open'
    cp "$karate" "$name.txt"
    exits 0 info "$name.txt"
    says 'a?[31m?b.txt'
    exits 0 convert "$name.txt" "$name.weft"
    says 'read   a?[31m?b.txt'
    says 'wrote  a?[31m?b.weft'
    exits 0 degree "$name.txt" -o "$name.tsv"
    says 'rows to a?[31m?b.tsv'
    exits 0 generate karate -o "$name.csv"
    says 'wrote a?[31m?b.csv'
    exits 0 info "$name.txt" --json
    json 'j["file"]' "$name.txt"
}

# U+009B begins a command to a terminal, U+202E and others turn text around, and a byte that is no UTF-8 is no character.
t_steering_characters() {
    local odd=$'n\302\233m\342\200\256o\342\201\246p\330\234q\342\200\217\233\377\303\251\342\200\231' clean=$'n?m?o?p?q???\303\251\342\200\231'
    printf '1 2\n2 %s 5 6 7\n' "$odd" > mixed.txt
    exits 3 info mixed.txt
    complains "2 ${clean%$'\342\200\231'}??..." # cut within the last character
    exits 3 info "$odd"
    complains "weft: $clean: cannot open"
    printf '%s a\na b\n' "$odd" > "$odd.txt"
    exits 0 degree "$odd.txt" --ids string
    says "$clean "
    exits 0 info "$odd.txt" --ids string
    says "$clean.txt"
    exits 0 neighbors "$odd.txt" a --ids string
    says "$clean"
    exits 3 neighbors "$odd.txt" "x$odd" --ids string
    complains "x$clean"
    exits 0 degree "$odd.txt" --ids string -o -
    says "$odd"
    exits 0 convert "$odd.txt" - --to csv --ids string
    says "$odd"
}

t_memory_limit() {
    exits 4 generate rmat --scale 16 --memory-limit 1M
    same "$out" ''
    exits 4 degree "$karate" --memory-limit 100
    complains 'over the memory limit of 100 bytes'
    exits 4 generate path -n 1000000 --memory-limit 4M
    complains 'over the memory limit of 4.0 MiB'
}

# A flag's file is no graph, and a table without rows tells what it needs.
t_sources() {
    exits 3 bfs "$karate" --sources .
    complains '.: is a directory'
    [[ $err != *graph* ]] || problem "it is called a graph: $err"
    exits 0 bfs "$karate" --table
    says '(no rows; source: the sources in order, with --each'
    exits 0 bfs "$karate" --table --sources random:2 --each
    says_not 'no rows'
}

t_device() {
    exits 0 doctor --quick --json
    is_json
    if [[ $out != *'"gpus": 0'* ]]; then
        skip_reason='there is a GPU here'
        return
    fi
    exits 5 doctor --quick --device cuda
    exits 5 degree "$karate" --device cuda
    exits 5 degree "$karate" --device gpu
    exits 0 degree "$karate" --device cpu
    exits 0 degree "$karate" --device auto
}

# pagerank has a parameter weights of its own: --weights there is not the reader's, --no-weights is.
t_weights_twice() {
    printf '0 1 nan\n1 2 2\n' > nan.txt
    exits 3 pagerank nan.txt
    complains '(to do without: --no-weights)'
    exits 0 pagerank nan.txt --no-weights
    exits 2 pagerank nan.txt --weights --no-weights
    exits 0 help pagerank --all
    says '--weights  '
    says_not 'auto|require|ignore'
    exits 0 help bfs --all
    says_not '--weights '
    says_not 'auto|require|ignore'
    exits 2 pagerank nan.txt --max_iterations 0
    complains '--max-iterations must be'
}

# --weights means: use them.
t_weights_used() {
    printf 'a b 2\nb c 3\nc a 1\na c 9\n' > money.txt
    local name
    for name in bfs components kcore triangles toposort cycle layout; do
        exits 2 "$name" money.txt --weights
        complains "$name does not use weights"
        same "$out" ''
    done
    exits 2 degree money.txt --weights
    complains 'degree uses weights with --strength'
    exits 2 mst money.txt --weights
    complains 'mst takes the weights that there are without --weights'
    printf 'a b 2\nb c -3\n' > below.txt
    for name in betweenness sssp pagerank closeness; do
        exits 3 "$name" below.txt --weights
        complains 'the edge from b to c has weight -3, but'
    done
    exits 2 clustering money.txt --weights
    complains 'weights of a directed graph need --directed-mode fagiolo'
    exits 0 clustering money.txt --weights --directed-mode fagiolo --verify --json
    json 'j["parameters"]["weights"]' True
    exits 0 labelprop money.txt --weights --verify --json
    json 'j["parameters"]["weights"]' True
    exits 0 distances money.txt --weights --verify --json
    json '[j["result"]["weighted_diameter"], j["rows"][0]["weighted_eccentricity"]]' '[5, 5]'
    exits 2 run money.txt pagerank,labelprop
    complains 'blanks are between algorithms, as in: weft run FILE pagerank labelprop'
    exits 2 run money.txt pagerank --weights
    complains 'pagerank:weights'
    exits 0 run money.txt pagerank:weights --json
    json 'j["runs"][0]["parameters"]["weights"]' True
    exits 0 pagerank money.txt --json
    complains 'pagerank: the weights of the graph are not used; --weights makes them count'
    same "$(grep -c 'not used' <<< "$err")" 1
    exits 0 pagerank money.txt --weights --json
    [[ $err != *'not used'* ]] || problem "weights are used, and said not to be"
    json 'j["parameters"]["weights"], j["parameters"]["damping"], j["parameters"]["dangling"]' "(True, 0.85, 'redistribute')"
    exits 0 sssp money.txt --weights --source a
    says 'measure             weights'
    exits 2 sssp "$karate" --weights
    exits 0 sssp "$karate" --source 1 --json
    json 'j["measure"]' hops
    for command in '' --weights --require-weights; do
        exits 0 path money.txt a c --json $command
        json 'j["measure"], j["paths"][0]["length"]' "('weights', 5)"
    done
    for command in --hops --no-weights '--hops --no-weights'; do
        # shellcheck disable=SC2086 # words
        exits 0 path money.txt a c --json $command
        json 'j["measure"], j["paths"][0]["length"]' "('hops', 1)"
    done
    exits 0 path "$karate" 1 34 --json
    json 'j["measure"]' hops
    exits 2 path money.txt a c --weights --hops
    complains '--hops'
    exits 3 path "$karate" 1 2 --weights
    exits 2 path money.txt a c --weights --no-weights
    exits 0 help path --all
    says_not 'auto|require|ignore'
}

# A search that was given no source says where it began.
t_search_says() {
    exits 0 bfs "$karate"
    says 'source              34: none was given'
    exits 0 bfs "$karate" --source 3
    says_not 'none was given'
    exits 0 bfs "$karate" --plan
    says 'source              34: none was given'
    exits 0 sssp "$karate" --json
    json 'j["parameters"]["source"]' 34
    exits 0 bfs "$karate" --sources 1,2 --json
    json 'j["parameters"]["sources"], j["parameters"]["source"]' "('1,2', None)"
}

t_personalize() {
    printf '17\n5\n' > two.txt
    exits 0 pagerank "$karate" --personalize two.txt -o by_file.tsv
    exits 0 pagerank "$karate" --personalize 17,5 -o by_ids.tsv
    same "$(< by_ids.tsv)" "$(< by_file.tsv)"
    exits 0 pagerank "$karate" --personalize @two.txt -o by_at.tsv
    same "$(< by_at.tsv)" "$(< by_file.tsv)"
    exits 3 pagerank "$karate" --personalize 17,99
    complains "'17,99' lists '99', which is no vertex"
}

# Words that are no commands point to one that is.
t_words() {
    local word
    for word in communities modularity centrality diameter shortest-path ego draw plot diff jaccard top filter view; do
        exits 2 "$word" "$karate"
        complains "no command is called '$word': "
        complains 'weft '
        exits 2 help "$word"
        complains 'weft '
    done
    # What they point to is there.
    sed -n '/^} rows/,/^};/p' "$source_dir/cli/help/words.c" | grep -oE 'weft [a-z]+' | sort -u > commands
    there_is commands
    while read -r _ word; do exits 0 help "$word"; done < commands
    # No word is a command already.
    for word in $(sed -n '/^} rows/,/^};/s/^    {"\([^"]*\)".*/\1/p' "$source_dir/cli/help/words.c"); do exits 2 "$word" "$karate"; done
}

# Help on a command fits a screen; --all has every flag.
t_help_screen() {
    local topic
    COLUMNS=80 exits 0 help
    says 'Who matters?'
    [[ $(wc -l <<< "$out") -le 36 ]] || problem "help has $(wc -l <<< "$out") lines"
    local names=" $(tr -s ' \n' '  ' <<< "$out") "
    exits 0 help --all
    for topic in $(awk '/^(Commands|Algorithms)/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<< "$out"); do
        [[ $names == *" $topic "* ]] || problem "help has no question for $topic"
        COLUMNS=80 exits 0 help "$topic"
        [[ $(wc -l <<< "$out") -le 60 ]] || problem "help $topic has $(wc -l <<< "$out") lines"
        says "weft help $topic --all explains every flag"
        exits 0 help "$topic" --all
        says_not 'explains every flag'
    done
    exits 2 info "$karate" --all
}

# What a flag needs, and what it excludes, in any order and whatever its value: also its default.
t_company() {
    local pair
    printf '1 2 3.5\n2 3 1\n3 1 2\n' > ring.txt
    for pair in 'info --bipartite --one-set' 'info --directed --undirected' 'info --header --no-header' 'bfs --parents --no-parents' \
        'info --require-weights --no-weights' 'info --no-weights --weight-type=auto' 'degree --top=3 --bottom=3' 'degree --label=a --labels=b' \
        'layout --colour=degree --color=degree' 'similarity --edges --per-vertex=10' 'similarity --pairs=p --per-vertex=10' \
        'similarity --edges --pairs=p' 'betweenness --edges --endpoints' 'report --quick --replicates=100' 'project --plan --output=x' \
        'pagerank --plan --output=x' 'truss --plan --verify'; do
        # shellcheck disable=SC2086
        set -- $pair
        set -- "$@" ring.txt
        exits 2 "$@"
        complains "${2%%=*}"
        complains "${3%%=*}"
        complains 'exclude each other'
        exits 2 "$1" "$3" "$2" "${@:4}"
        complains 'exclude each other'
    done
    for pair in 'closeness --registers=256 --estimate' 'betweenness --seed=1 --error' 'subgraph --seed=42 --sample-vertices or --sample-edges' \
        'subgraph --radius=1 --ego' 'compare --top=10 --by' 'pagerank --every=600 --checkpoint' 'degree --parts --output' 'predict --quick --calibrate'; do
        # shellcheck disable=SC2086
        set -- $pair
        exits 2 "$1" "$2" ring.txt ring.txt
        complains "weft: ${2%%=*} needs ${*:3}"
    done
    exits 2 closeness ring.txt --registers 256 --no-estimate
    complains '--registers needs --estimate'
    exits 0 closeness ring.txt --registers 256 --estimate
    exits 0 closeness ring.txt --no-estimate
    exits 0 degree ring.txt --table --distribution
    exits 0 info ring.txt --directed --directed
    exits 0 distances ring.txt --searches 7 -q
    exits 0 distances ring.txt --searches 7
    complains '--searches has no effect: the largest component'
    exits 0 distances ring.txt --searches 7 --all-pairs 2
    [[ $err != *effect* ]] || problem "it has one: $err"
    exits 2 mixing ring.txt --groups ''
    complains '--groups: the name of the file is empty'
    exits 2 mst ring.txt --colour degree
    complains 'the rows of mst are no vertices'
    exits 2 betweenness ring.txt --edges --size degree
    complains 'the rows of betweenness are edges'
    exits 2 similarity ring.txt --table
    complains 'the rows of similarity are its table'
    exits 2 layout ring.txt -o x.svg --top 2
    complains '--top is about rows'
    exits 2 predict --arcs 1e6
    complains 'does not take --arcs'
    exits 2 predict bfs --scale 10 --iterations 20
    complains '--iterations is a flag for pagerank only'
}

# What is about a file needs a file that has a use for it.
t_flags_of_files() {
    exits 0 convert "$karate" k.weft -q
    local flag
    for flag in '--source-col 2' '--weight-col 3' '--vertices 40' '--header' '--separator ;' '--decimal comma' '--comments no'; do
        # shellcheck disable=SC2086
        exits 2 info k.weft $flag
        complains "k.weft: ${flag% *} goes with"
    done
    for flag in '--level 0' '--both-directions' '--to gml'; do
        # shellcheck disable=SC2086
        exits 2 subgraph "$karate" $flag
        complains "${flag% *} is about the file that -o names"
    done
    exits 2 convert "$karate" k.gml --both-directions
    complains '--both-directions is of .weft files, and k.gml is none'
    exits 2 convert "$karate" k.gml --level 0
    complains '--level is of .gz and .zst files, and k.gml is none'
    exits 0 convert "$karate" k.gml.gz --level 9 -q
    printf '# nothing\n' > none.txt
    printf 'id\na\n' > names.csv
    exits 0 info none.txt --ids string --nodes names.csv --json
    json '[j["vertices"], j["ids"]]' "[1, 'string']"
}

t_window() {
    printf 'source,target,date\n1,2,\n2,3,\n' > dates.csv
    exits 3 convert dates.csv out.weft --window date:month
    complains "no edge has a value in 'date', so there is no month to write"
    printf 'source,target,date\n1,2,""\n2,3,\n' > dates.csv
    exits 3 convert dates.csv out.weft --window date:month
    complains "no edge has a value in 'date', so there is no month to write"
    printf 'source,target,date\n1,2,2024-01-02\n2,3,2024-02-03\n' > dates.csv
    exits 3 convert dates.csv out.weft --window date:day --edges-where 'date > 2025-01-01'
    complains "no edge that meets --edges-where has a value in 'date', so there is no day to write"
    printf 'source,target,date,day\n1,2,2024-01-02T03:04:05,x\n2,3,9999-12-31,2024-01-02\n' > odd.csv
    exits 3 convert odd.csv out.weft --window day:day
    exits 3 convert odd.csv out.weft --window date:day # of two forms
    complains "the column 'date' does not hold times"
    holds . dates.csv odd.csv
    printf 'source,target,date,t\n1,2,2024-01-02,1704164645\n2,3,,\n3,4,9999-12-31,1000000000000\n' > odd.csv
    local form
    for form in csv graphml gexf gml json; do
        exits 0 convert odd.csv "as.$form" --keep date --undirected -q
        exits 0 convert "as.$form" w.jsonl --window date:month
        complains "'date' selects the windows, and is not written (--keep date writes it)"
        complains "1 edge without a value in 'date' is in no file"
        same "$(< w-2024-01.jsonl)" '{"source":1,"target":2}'
        same "$(< w-9999-12.jsonl)" '{"source":3,"target":4}'
    done
    exits 0 convert as.graphml w.csv --window date:year --keep date
    [[ $err != *'selects the windows'* ]] || problem "date is written: $err"
    same "$(< w-2024.csv)" $'source,target,date\n1,2,2024-01-02'
    exits 0 convert odd.csv u.csv --window t:year
    complains "--window: the whole numbers in 't' are taken for Unix times"
    same "$(ls u-*)" $'u-2001.csv\nu-2024.csv'
    printf 'source,target,t\n1,2,9223372036854775807\n' > odd.csv
    exits 3 convert odd.csv u.csv --window t:year
    complains "the column 't' has times that are not of the years 1 to 9999"
    printf 'source,target,t\n1,2,1709251200\n2,3,2024\n' > odd.csv
    exits 3 convert odd.csv years.csv --window t:year
    complains "the column 't' holds 2024: whole numbers below 100000000 are years, dates or days"
    [[ ! -e years-2024.csv ]] || problem 'a window was written'
    printf 'source,target,date,amount\n1,2,2024-01-02,5\n2,3,,\n' > dates.csv
    exits 0 convert dates.csv d.weft --keep date,amount --undirected -q
    exits 0 info d.weft --json # an undirected edge is one, of two arcs
    json '[c["missing"] for c in j["edge_columns"]]' '[1, 1]'
    exits 0 convert d.weft d.csv --window date:year
    complains "1 edge without a value in 'date' is in no file"
    exits 2 info d.weft --weight-from amount
    complains "column 'amount': the edge between 2 and 3 has no value, and every edge needs a weight"
}

# All files of --window, or none.
t_window_whole() {
    mkdir in out
    printf 'source,target,date,w\n1,2,2024-01-02,1\n1,2,2024-03-02,1\n1,2,2024-03-03,2\n' > in/t.csv
    printf 'before\n' > out/m-2024-01.csv
    chmod 600 out/m-2024-01.csv
    exits 2 convert in/t.csv out/m.csv --window date:month # no rule for those of March
    complains 'out/m-2024-03.csv: 1 pair of vertices has parallel edges'
    same "$out" ''
    holds out m-2024-01.csv
    same "$(< out/m-2024-01.csv)" before
    mkdir out/n-2024-03.csv
    exits 2 convert in/t.csv out/n.csv --window date:month --duplicates sum
    complains 'weft: out/n-2024-03.csv is a directory'
    rmdir out/n-2024-03.csv
    holds out m-2024-01.csv
    mv in/t.csv in/t-2024-03.csv
    exits 2 convert in/t-2024-03.csv in/t.csv --window date:month --duplicates sum
    complains 'in/t-2024-03.csv and in/t-2024-03.csv are the same file'
    holds in t-2024-03.csv
    exits 0 convert in/t-2024-03.csv out/m.csv --window date:month --duplicates sum
    same "$out" $'wrote  out/m-2024-01.csv: 1 edge\nwrote  out/m-2024-03.csv: 1 edge'
    holds out m-2024-01.csv m-2024-03.csv
    same "$(stat -c %a out/m-2024-01.csv)" 600
}

t_flags() {
    $have_python || { skip_reason='no python3 here'; return; }
    local told
    told=$(python3 -IS "$source_dir/tests/cli/flags.py" "$weft" 2>&1) || problem "$told"
}

t_flags_twice() {
    local told
    if ! $have_python; then
        skip_reason='no python3 here'
        return
    fi
    told=$(PYTHONPATH="$source_dir/tests/cli" python3 -SB "$source_dir/tests/cli/twice.py" "$weft" 2>&1) || problem "$told"
}

# Tables of vertices, columns, conditions and ids are added together.
t_added_flags() {
    printf 'source,target,a,b\n1,2,5,x\n2,9,7,y\n' > e.csv
    printf 'id,name,age\n1,Ann,30\n2,Bob,\n3,Cy,7\n' > people.csv
    printf 'id,title,age\n9,Speed,\n2,,40\n' > films.csv
    exits 0 convert e.csv - --to nodes --nodes people.csv --nodes films.csv
    same "$out" $'id,name,age,title\n1,Ann,30,\n2,Bob,40,\n3,Cy,7,\n9,,,Speed'
    printf 'id,name\n1,Anna\n' > other.csv
    exits 3 convert e.csv - --to nodes --nodes people.csv --nodes other.csv
    complains "other.csv: column 'name' of vertex '1' is 'Anna', and 'Ann' in a table of vertices before"
    exits 2 convert e.csv films.csv --to nodes --nodes people.csv --nodes films.csv
    complains 'the same file'
    exits 2 info e.csv --nodes - --nodes=-:id
    complains 'standard input can be read once, but --nodes and --nodes'
    exits 0 convert e.csv - --to csv --keep a --keep b --edges-where 'a = 5 or a = 7' --edges-where 'a > 5' --edges-where 'a < 8'
    same "$out" $'source,target,a,b\n2,9,7,y'
    exits 2 info e.csv --edges-where 'a > 5) or (a < 3' --edges-where 'a = 5'
    complains "'a > 5) or (a < 3' has a parenthesis or a quote without its other half"
    exits 0 degree e.csv --where 'in > 0 or out > 0' --where 'id != 2' -o -
    same "$out" $'id\tin\tout\ttotal\n1\t0\t1\t1\n9\t1\t0\t1'
    exits 0 bfs e.csv --sources 9 --sources 1,2 -o - --where 'level = 0'
    same "$(cut -f 1 <<< "$out" | paste -sd,)" id,1,2,9
    exits 0 pagerank e.csv --personalize 1 --personalize 2 -o one.tsv
    printf '1\n2\n' > ids.txt
    exits 0 pagerank e.csv --personalize @ids.txt -o other.tsv
    cmp -s one.tsv other.tsv || problem 'personalize given twice is not the list of both'
    exits 0 subgraph e.csv --ids 1 --ids @ids.txt -o s.csv
    same "$(< s.csv)" $'source,target\n1,2'
    exits 2 info e.csv -t 1 --threads=2
    complains "--threads is given twice, with different values: '1' and '2'"
    exits 0 info e.csv -t 1 --threads=1
    exits 2 info e.csv --keep '' --keep a
    complains "--keep is given twice, with different values: '' and 'a'"
}

case_of '--window writes all files or none' t_window_whole
case_of 'every flag of every command is used or refused' t_flags
case_of 'a flag given twice adds, says the same, or is refused' t_flags_twice
case_of 'what is added together' t_added_flags
case_of 'a flag has the company it needs, and none that it excludes' t_company
case_of 'windows: of which columns, and what is said' t_window
case_of 'a flag about a file needs a file that has a use for it' t_flags_of_files
case_of '--weights uses weights, or is refused' t_weights_used
case_of 'a search says where it began' t_search_says
case_of '--personalize takes ids as --sources does' t_personalize
case_of 'words that people try point to commands' t_words
case_of 'help fits a screen' t_help_screen
case_of 'pagerank reads without weights; flags are named as they are typed' t_weights_twice
case_of 'the version is the header'"'"'s' t_version
case_of 'weft alone shows the overview and exits 2' t_alone
case_of 'every topic has help' t_help
case_of 'help wraps at COLUMNS, 80 by default' t_help_width
case_of 'docs/json.md lists every JSON key, and no other' t_json_page
case_of 'threads that wait sleep soon' t_short_waits
case_of 'the man page has every flag and exit code' t_manual
case_of 'completion offers commands, flags, formats, kinds and files' t_completion
case_of 'so does zsh' t_completion_zsh
case_of 'so does fish' t_completion_fish
case_of 'wcc, scc and stats are other words for components and info' t_aliases
case_of 'unknown words are answered with the nearest name' t_unknown
case_of 'operands are counted' t_operands
case_of 'values are checked against their range' t_values
case_of 'flags stand anywhere' t_flag_places
case_of 'bad input exits 3' t_bad_input
case_of 'wrong usage gets a sentence, before any work' t_sentences
case_of 'control characters in names of files are not shown' t_control_characters
case_of 'nor is what steers a terminal otherwise, in names and in files' t_steering_characters
case_of 'over the memory limit exits 4' t_memory_limit
case_of 'a GPU that is not there exits 5' t_device
case_of 'sources are no directory, and without them the table says so' t_sources
