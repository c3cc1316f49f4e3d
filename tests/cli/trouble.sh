# Result files; a full disk, a closed pipe, Ctrl-C: whole files or none.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

t_out_text() {
    exits 0 degree "$karate" -o d.tsv
    same "$(head -n 2 d.tsv | tr '\t\n' ',;')" 'id,in,out,total;1,16,16,16;'
    same "$(wc -l < d.tsv)" 35
    exits 0 degree "$karate" -o d.csv --top 2
    same "$(paste -sd';' d.csv)" 'id,in,out,total;34,17,17,17;1,16,16,16'
    exits 0 degree "$karate" -o -
    same "$out" "$(cat d.tsv)"
    exits 0 degree "$karate" -o d.tsv --quiet
    same "$out" ''
    is_silent
    exits 2 degree "$karate" -o d.xls
    complains .npy
    exits 3 degree "$karate" -o no/such/folder/d.tsv
    complains no/such/folder
    holds . d.tsv d.csv
    same "$(stat -c %a d.csv)" "$(touch x && stat -c %a x)"
}

t_out_json() {
    exits 0 degree "$karate" -o d.json --json
    json '[j["output"], j["output_rows"], "rows" in j]' "['d.json', 34, False]"
    cp d.json "$scratch/.out"
    is_json
    json 'len(j["rows"])' 34
    exits 0 degree "$karate" -o - --json
    json 'len(j["rows"])' 34
}

t_out_npy() {
    if ! $have_python; then
        skip_reason='no python3 here'
        return
    fi
    exits 0 degree "$karate" -o d.npy
    exits 0 degree "$karate" --table -o table.npy
    exits 0 neighbors "$data/weighted.txt" --of 10 -o n.npy
    exits 0 degree "$data/names.csv" -o names.npy
    complains 'names'
    local got
    got=$(python3 "$source_dir/tests/cli/read_npy.py" d.npy:-1 table.npy:-1 n.npy:1 names.npy:0 2>&1) || problem "$got"
    same "$(sed -n 1p <<< "$got")" "d.npy 34 id,in,out,total (34, 17, 17, 17)"
    same "$(sed -n 2p <<< "$got")" "table.npy 11 degree,count (17, 1)"
    same "$(sed -n 3p <<< "$got")" "n.npy 2 of,direction,neighbor,weight (10, b'out', 30, 0.5)"
    same "$(sed -n 4p <<< "$got")" "names.npy 4 in,out,total (0, 2, 2)"
}

t_out_link() {
    echo old > real.tsv
    ln -s real.tsv link.tsv
    exits 0 degree "$karate" -o link.tsv
    [[ -L link.tsv ]] || problem 'the link was replaced'
    same "$(wc -l < real.tsv)" 35
    mkdir folder
    ln -s ../new.csv folder/link.csv
    exits 0 degree "$karate" -o folder/link.csv
    [[ -L folder/link.csv ]] || problem 'a link to nothing yet was replaced'
    same "$(wc -l < new.csv)" 35
    ln -s round.tsv round.tsv
    exits 3 degree "$karate" -o round.tsv
    complains round.tsv
}

# Before the graph is read, which is not there either.
t_out_nowhere() {
    local words
    mkdir folder.json
    echo text > file
    for words in 'degree nothing -o' 'neighbors nothing 1 -o' 'bench nothing -o' 'convert nothing' 'generate karate -o'; do
        # shellcheck disable=SC2086 # words
        case $words in
            convert* | generate*) exits 3 $words nowhere/x.json --to csv ;;
            *) exits 3 $words nowhere/x.json ;;
        esac
        complains 'cannot write nowhere/x.json: there is no folder nowhere'
        if [[ $words == convert* ]]; then complains 'weft: cannot write'; fi
    done
    exits 3 degree nothing -o file/x.tsv
    complains 'file is not a folder'
    exits 2 degree nothing -o folder.json
    complains 'folder.json is a directory'
    exits 2 degree nothing -o ''
    complains 'the name of the file is empty'
    echo '1 2' > pairs.tsv
    exits 2 neighbors pairs.tsv 1 -o pairs.tsv
    complains 'are the same file'
    ((EUID)) || return
    mkdir -m 500 closed
    exits 3 degree nothing -o closed/x.tsv
    complains 'no file can be created in the folder closed'
}

# What holds for results holds for graphs, and a private file does not become everybody's.
t_graph_link() {
    local extension
    for extension in txt weft; do
        echo old > "real.$extension"
        chmod 600 "real.$extension"
        ln -s "real.$extension" "link.$extension"
        exits 0 convert "$karate" "link.$extension"
        [[ -L link.$extension ]] || problem 'the link was replaced'
        same "$(stat -c %a "real.$extension")" 600
        exits 0 info "real.$extension" --json
        json 'j["edges"]' 78
    done
    holds . link.txt link.weft real.txt real.weft
    mkdir folder
    ln -s ../new.weft folder/link.weft
    exits 0 convert "$karate" folder/link.weft
    [[ -L folder/link.weft ]] || problem 'a link to nothing yet was replaced'
    there_is new.weft
}

# Once a file has its name, no failure of memory makes the run one that failed.
t_placed() {
    local shim=${WEFT_BINARY_DIR:-$source_dir/build}/tests/fail_after_place.so words
    if [[ ! -e $shim ]]; then
        skip_reason="there is no $shim"
        return
    fi
    exits 0 convert "$karate" k.txt
    while read -r words; do
        rm -f o.*
        # shellcheck disable=SC2086 # words
        LD_PRELOAD=$shim "$weft" $words > "$scratch/.out" 2> "$scratch/.err"
        same "$words: $?" "$words: 0"
        err=$(< "$scratch/.err")
        complains placed
        mv o.* placed
        # shellcheck disable=SC2086 # words
        exits 0 $words
        if [[ $words != *html* ]]; then cmp -s o.* placed || problem "$words: the file is another"; fi
    done << 'RUNS'
convert k.txt o.weft
convert k.txt o.weft --json
convert k.txt o.txt.gz
convert k.txt o.csv
convert k.txt o.npz
convert k.txt o.gexf
convert k.txt o.jsonl
degree k.txt -o o.tsv
pagerank k.txt -o o.csv.gz --json
leiden k.txt -o o.gexf
layout k.txt -o o.svg
layout k.txt -o o.png
subgraph k.txt --core 2 -o o.weft
generate rmat --scale 5 -o o.weft
merge k.txt k.txt -o o.weft
neighbors k.txt 1 -o o.tsv
path k.txt 1 34 -o o.tsv
run k.txt degree pagerank -o o.tsv
report k.txt --quick -o o.html
RUNS
}

t_out_pipe() {
    same "$("$weft" degree "$karate" -o /dev/stdout -q | wc -l)" 35
    same "$("$weft" convert "$karate" /dev/stdout --to csv -q | wc -l)" 79
}

# A name may have 255 bytes; the temporary beside it must not need more.
t_long_name() {
    local name
    name=$(printf 'n%.0s' {1..250})
    exits 0 convert "$karate" "$name.csv"
    exits 0 degree "$karate" -o "$name.tsv"
    holds . "$name.csv" "$name.tsv"
}

t_full_disk() {
    if [[ ! -w /dev/full ]]; then
        skip_reason='no /dev/full here'
        return
    fi
    "$weft" info "$karate" > /dev/full 2> "$scratch/.err"
    same $? 3
    err=$(cat "$scratch/.err")
    complains 'No space left'
    "$weft" convert "$karate" - --to edgelist > /dev/full 2> "$scratch/.err"
    same $? 3
    "$weft" degree "$karate" --json > /dev/full 2> /dev/null
    same $? 3
    exits 3 degree "$karate" -o /dev/full
    complains 'No space left'
    exits 3 convert "$karate" /dev/full --to edgelist
    (trap '' XFSZ; ulimit -f 8; exec "$weft" report "$karate" --quick -o page.html) > /dev/null 2> "$scratch/.err"
    same "$(cat "$scratch/.err")" 'weft: cannot write page.html: File too large'
    there_is_no page.html
    [[ -c /dev/full ]] || problem '/dev/full is gone'
}

# A limit on the size of files is the full disk that every user can make.
t_file_limit() {
    if [[ -n ${TSAN_OPTIONS-} ]]; then
        skip_reason='ThreadSanitizer itself fails under a limit on file sizes'
        return
    fi
    exits 0 generate path -n 100000 -o big.weft
    echo precious > d.tsv
    (
        ulimit -f 16
        "$weft" degree big.weft -o d.tsv 2> "$scratch/.err"
    )
    same $? 3
    err=$(cat "$scratch/.err")
    complains d.tsv
    same "$(cat d.tsv)" precious
    (
        ulimit -f 16
        "$weft" convert big.weft big.txt 2> "$scratch/.err"
    )
    same $? 3
    (
        ulimit -f 16
        "$weft" generate path -n 100000 -o other.weft 2> "$scratch/.err"
    )
    same $? 3
    holds . big.weft d.tsv
}

t_pipe() {
    exits 0 generate path -n 300000 -o big.weft
    local codes
    "$weft" degree big.weft -o - 2> "$scratch/.err" | head -n 1 > /dev/null
    codes=${PIPESTATUS[0]}
    same "$codes" 0
    same "$(cat "$scratch/.err")" ''
    "$weft" convert big.weft - --to edgelist --quiet 2> "$scratch/.err" | head -n 1 > /dev/null
    codes=${PIPESTATUS[0]}
    same "$codes" 0
    same "$(cat "$scratch/.err")" ''
}

# --foreground: otherwise timeout signals the whole group as well, and a second signal ends the program at once.
t_interrupt() {
    local signal signals='INT TERM'
    [[ $(trap -p HUP) ]] || signals+=' HUP' # under nohup it is ignored
    for signal in $signals; do
        signalled $signal 'has_worked 10' generate rmat --scale 24 --degree 32 -o big.weft
        same "$code" 130
        same "$(cat "$scratch/.err")" 'weft: interrupted'
        holds .
    done
}

# A run that would last for hours: the program says that it was interrupted and leaves no result.
t_interrupt_run() {
    exits 0 generate rmat --scale 14 -o graph.weft
    signalled INT 'has_worked 20' pagerank graph.weft --iterations 100000000 -o ranks.tsv
    same "$code" 130
    same "$(cat "$scratch/.err")" 'weft: interrupted'
    same "$(cat "$scratch/.out")" ''
    holds . graph.weft
}

t_interrupt_writing() {
    exits 0 generate path -n 3000000 -o big.weft
    # The graph is written to a pipe that nobody empties, so that the signal comes in the middle of the work.
    mkfifo slow
    exec 3<> slow
    to_stdout=slow signalled INT has_settled convert big.weft - --to edgelist
    same "$code" 130
    exec 3>&-
    holds . big.weft slow
}

# What the C library prints goes to a pipe that nobody empties: one signal, or --timeout, ends that too.
t_interrupt_printing() {
    local signal words limit=()
    exits 0 generate path -n 100000 -o big.weft
    mkfifo slow
    exec 3<> slow
    while read -r signal words; do
        # shellcheck disable=SC2086 # words
        to_stdout=slow signalled "$signal" has_settled $words
        same "$code" 130
        same "$(cat "$scratch/.err")" 'weft: interrupted'
    done << 'RUNS'
TERM degree big.weft --json
INT pagerank big.weft --top 90000
TERM neighbors big.weft 5 --json
INT help flags
RUNS
    command -v timeout > /dev/null && limit=(timeout -k 5 300)
    "${limit[@]}" "$weft" degree big.weft --json --timeout 1 > slow 2> "$scratch/.err"
    same $? 124
    same "$(cat "$scratch/.err")" 'weft: the time of --timeout is up'
    exec 3>&-
    holds . big.weft slow
}

t_interrupt_reading() {
    mkfifo slow
    exec 3<> slow
    input=slow signalled INT has_settled info -
    same "$code" 130
    exec 3>&-
}

# A length beyond the largest double is no missing path; nor is what is made of tiny ones infinite.
t_beyond() {
    local name
    printf '1 2 1e308\n2 3 1e308\n' > far.txt
    printf '1 2 1e308\n2 3 1e300\n1 3 1.5e308\n' > near.txt
    printf '1 2 1e-310\n2 3 1e-310\n' > tiny.txt
    for name in sssp closeness harmonic distances betweenness; do
        exits 3 "$name" far.txt --directed --weight-type f64 --weights
        [[ $err == *"$name: lengths of paths, their sum or their reciprocals are beyond 1.8e+308"* || $err == *'too large for a double'* ]] ||
            problem "$name: $err"
        same "$out" ''
    done
    exits 3 path far.txt 1 3 --weight-type f64 --weights
    complains 'path: lengths of paths'
    exits 0 path near.txt 1 3 --weight-type f64 --weights
    says 'length 1.00000001e+308'
    exits 0 sssp near.txt --directed --weight-type f64 --weights --source 1 --verify
    exits 3 distances near.txt --directed --weight-type f64 --weights
    for name in closeness harmonic; do
        exits 3 "$name" tiny.txt --directed --weight-type f64 --weights
        complains "$name: lengths of paths, their sum or their reciprocals are beyond"
    done
    exits 0 distances tiny.txt --directed --weight-type f64 --weights
}

case_of 'lengths beyond the largest double are refused' t_beyond
case_of 'results as tsv and csv' t_out_text
case_of 'results as json' t_out_json
case_of 'results as npy' t_out_npy
case_of 'a symbolic link stays one' t_out_link
case_of 'a graph written to a link keeps the link, and the mode of the file' t_graph_link
case_of 'a file that cannot be written is refused before anything is read' t_out_nowhere
case_of 'results go through a pipe that has a name' t_out_pipe
case_of 'a file that is in its place is a success' t_placed
case_of 'the longest names can be written' t_long_name
case_of 'a full disk exits 3' t_full_disk
case_of 'a limit on file sizes leaves the old file' t_file_limit
case_of 'a reader that leaves is no failure' t_pipe
# Cut off while its edges are written to a pipe that is not emptied yet.
t_file_cut_off() {
    exits 0 generate rmat --scale 15 -o graph.weft
    mkfifo slow
    "$weft" convert graph.weft - --to edgelist > slow 2> "$scratch/.err" &
    local writer=$!
    exec 3< slow
    has_settled "$writer"
    truncate -s 8192 graph.weft
    cat <&3 > /dev/null
    exec 3<&-
    wait "$writer"
    same $? 3
    same "$(cat "$scratch/.err")" 'weft: graph.weft changed or became shorter while it was in use'
}

# Threads that cannot be made: fewer do the work.  Root may make any number of processes, but has no more room than others.
t_no_threads() {
    if ! (ulimit -v 400000 && "$weft" --version) > /dev/null 2>&1; then
        skip_reason='the program needs more room than a limit leaves it (a sanitizer?)'
        return
    fi
    exits 0 generate rmat --scale 12 -o graph.el
    exits 0 bfs graph.el --source 1 -o all.tsv --threads 2
    (ulimit -v 400000 && exec "$weft" bfs graph.el --source 1 -o few.tsv --threads 64) > "$scratch/.out" 2> "$scratch/.err"
    same $? 0
    err=$(cat "$scratch/.err")
    complains 'of 64 threads could be started'
    same "$(cksum < few.tsv)" "$(cksum < all.tsv)"
    if [[ $(id -u) == 0 ]] && command -v setpriv prlimit > /dev/null && chmod 777 . && setpriv --reuid 65534 test -x "$weft" -a -r graph.el; then
        setpriv --reuid 65534 prlimit --nproc=8:8 "$weft" bfs graph.el --source 1 -o less.tsv --threads 64 > "$scratch/.out" 2> "$scratch/.err"
        same $? 0
        err=$(cat "$scratch/.err")
        complains 'of 64 threads could be started'
        same "$(cksum < less.tsv)" "$(cksum < all.tsv)"
    fi
}

t_no_addresses() {
    if ! (ulimit -v 400000 && "$weft" --version) > /dev/null 2>&1; then
        skip_reason='the program needs more room than a limit leaves it (a sanitizer?)'
        return
    fi
    exits 0 generate karate -o graph.weft
    truncate -s 2G graph.weft
    (ulimit -v 400000 && exec "$weft" info graph.weft) > "$scratch/.out" 2> "$scratch/.err"
    same $? 4
    same "$(cat "$scratch/.err")" 'weft: graph.weft: no memory to map its 2147483648 bytes'
}

t_no_newline() {
    head -c 100000000 /dev/zero | tr '\0' 7 > digits
    exits 3 info digits
    complains 'digits:1:1: this line is longer than 16 MiB'
    input=digits exits 3 info -
    complains '(standard input):1:1: this line is longer'
    gzip -1 digits
    exits 3 info digits.gz
    complains 'digits.gz:1:1: this line is longer'
}

t_weights_as_written() {
    printf '1 2 0.7\n2 3 1e-8\n' > reals.el
    exits 0 info reals.el
    says '1e-08 to 0.7 (32-bit reals)'
    exits 0 info reals.el --json
    says '"min_weight": 1e-08'
    says '"max_weight": 0.7'
    exits 0 neighbors reals.el 1 --json
    says '"weight": 0.7'
    printf '1 2 1\n1 3 1e39\n' > large.el
    exits 3 info large.el
    complains 'large.el:2:5: the weight is too large for a 32-bit weight'
}

# An interrupt may reach another thread than the one that waits for the pipe.
t_interrupt_waiting() {
    mkfifo slow
    exec 3<> slow
    printf '1 2\n' >&3
    input=slow signalled INT has_settled info - --threads 8
    same "$code" 130
    exec 3>&-
}

case_of 'an interrupted generate leaves nothing' t_interrupt
case_of 'an interrupted run says so and writes nothing' t_interrupt_run
case_of 'an interrupted writer stops' t_interrupt_writing
case_of 'an interrupted run whose answer nobody reads stops' t_interrupt_printing
case_of 'an interrupted reader stops' t_interrupt_reading
case_of 'a reader that waits for a pipe stops' t_interrupt_waiting
case_of 'a mapped file that is cut off gives a sentence' t_file_cut_off
case_of 'threads that cannot be made do not end the program' t_no_threads
case_of 'no room to map a graph is out of memory' t_no_addresses
case_of 'a file without newlines is refused' t_no_newline
case_of 'weights are said as they were written' t_weights_as_written
