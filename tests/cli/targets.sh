# Where output goes when its name is that of something open: descriptors, files without a name, standard output under
# another name, pipes that nobody reads.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

# Of the karate club: 35 lines of degrees, 79 of edges (a header each).
t_unnamed_file() {
    exec 3> gone.tsv
    exec 4< gone.tsv
    rm gone.tsv
    exits 0 degree "$karate" -q -o /dev/fd/3
    same "$(wc -l <&4)" 35
    exits 0 convert "$karate" /dev/fd/3 --to csv -q
    same "$(wc -l <&4)" 79 # behind the first, not over it
    exits 3 degree nothing -q -o /dev/fd/4
    complains 'it is open for reading only'
    exec 3>&- 4<&-
    exec 3> gone.txt
    exec 4< gone.txt
    rm gone.txt
    "$weft" degree "$karate" -o /dev/stdout >&3 2> "$scratch/.err" || problem 'standard output into a deleted file fails'
    same "$(wc -l <&4)" 35
    "$weft" convert "$karate" /dev/stdout --to csv -q >&3 || problem 'a graph into a deleted file fails'
    same "$(wc -l <&4)" 79
    exec 3>&- 4<&-
    holds .
}

t_memory_file() {
    $have_python || { skip_reason='no python3 here'; return; }
    local got
    got=$(python3 -IS - "$weft" "$karate" << 'END' 2>&1
import os, subprocess, sys, tempfile
weft, graph = sys.argv[1:]
def lines(f):
    f.seek(0)
    return len(f.read().splitlines())
def run(f, *words):
    subprocess.run([weft, *words, "-q"], stdout=f, check=True)
for make in (tempfile.TemporaryFile, lambda: os.fdopen(os.memfd_create("x"), "w+b")):
    with make() as f:
        run(f, "degree", graph, "-o", "/dev/stdout")
        print(lines(f))
    with make() as f:
        run(f, "convert", graph, "/dev/stdout", "--to", "csv")
        print(lines(f))
    with make() as f:
        subprocess.run([weft, "degree", graph, "-q", "-o", f"/dev/fd/{f.fileno()}"], pass_fds=[f.fileno()], check=True)
        print(lines(f))
END
    )
    same "$(paste -sd' ' <<< "$got")" '35 79 35 35 79 35'
    holds .
    there_is_no '/memfd:x (deleted)'
}

t_append() {
    echo before > app.txt
    "$weft" degree "$karate" -q -o /dev/stdout >> app.txt || problem 'appending fails'
    "$weft" convert "$karate" /dev/stdout --to csv -q >> app.txt || problem 'appending a graph fails'
    same "$(head -n 1 app.txt)" before
    same "$(wc -l < app.txt)" 115
    echo before > app.txt
    exec 3>> app.txt
    exits 0 degree "$karate" -q -o /dev/fd/3
    echo after >&3
    exec 3>&-
    same "$(sed -n '1p;37p' app.txt | paste -sd' ')" 'before after'
    holds . app.txt
}

t_stdout_names() {
    ln -s /dev/stdout so.csv
    "$weft" degree "$karate" -o so.csv > out.csv 2> "$scratch/.err"
    same "$(wc -l < out.csv)" 35
    "$weft" convert "$karate" so.csv > out.csv 2> "$scratch/.err"
    same "$(wc -l < out.csv)" 79
    exits 2 convert nothing so.csv --json
    complains 'both want standard output'
    exits 2 lab degree --json /dev/../dev/stdout --report -
    complains 'both want standard output'
    exits 2 lab degree --json so.csv --report -
    complains 'both want standard output'
    local words
    for words in 'degree nothing -o same.csv' 'convert nothing same.csv' 'lab degree --json same.csv'; do
        # shellcheck disable=SC2086 # words
        "$weft" $words > same.csv 2> "$scratch/.err"
        same $? 2
        err=$(cat "$scratch/.err")
        complains 'standard output goes to same.csv as well'
    done
    "$weft" generate path -n 300000 --to csv -o so.csv 2> "$scratch/.err" | head -n 1 > /dev/null
    same "${PIPESTATUS[0]}" 0
    same "$(grep -c 'Broken pipe' "$scratch/.err")" 0
    holds . so.csv out.csv same.csv
    [[ -L so.csv ]] || problem 'the link was replaced'
}

t_devices() {
    exits 0 lab degree --generate karate --quick --repeat 1 --rungs engine --device cpu --json /dev/null --report /dev/null
    exits 0 bench --generate karate --algos degree --quick --repeat 1 -o /dev/null
    "$weft" convert "$karate" /dev/null --to csv --json > /dev/null 2> "$scratch/.err"
    same $? 0
    mkfifo pipe
    exits 2 lab degree --json pipe --report ./pipe
    complains 'need a file each'
    [[ -w /dev/full ]] || return
    local flag
    for flag in --json --report; do
        "$weft" lab degree --generate karate --quick --repeat 1 --rungs engine --device cpu "$flag" - > /dev/full 2> "$scratch/.err"
        same $? 3
        err=$(cat "$scratch/.err")
        complains 'No space left on device'
    done
}

# One signal, and the program must be gone within seconds.
ends_on_one_signal() { # words...; to_stdout: the file that is its standard output
    signalled INT has_settled "$@"
    same "$*: $code" "$*: 130"
    same "$(cat "$scratch/.err")" 'weft: interrupted'
}

t_stalled_pipe() {
    exits 0 generate path -n 300000 -o big.weft
    mkfifo p
    exec 3<> p # open, and nobody reads
    ends_on_one_signal degree big.weft -q -o p
    ends_on_one_signal convert big.weft p --to csv -q
    to_stdout=p ends_on_one_signal degree big.weft -q -o -
    to_stdout=p ends_on_one_signal degree big.weft -q -o /dev/stdout
    exec 3>&-
    ends_on_one_signal degree big.weft -q -o p # it waits for a reader
    ends_on_one_signal convert big.weft p --to csv -q
    holds . big.weft p
}

t_folder_gone() {
    mkdir gone
    (
        cd gone && rmdir ../gone || exit
        "$weft" degree nothing -o d.tsv 2> "$scratch/.err"
    )
    same $? 3
    err=$(cat "$scratch/.err")
    complains 'the folder . has been removed'
}

# Only root can be somebody else.
t_sticky() {
    if ((EUID)) || ! command -v setpriv > /dev/null; then
        skip_reason='it needs root and setpriv'
        return
    fi
    cp "$weft" weft
    chmod 755 weft "$scratch" .
    mkdir -m 1777 shared
    echo precious > shared/d.tsv
    chmod 666 shared/d.tsv
    setpriv --reuid=65534 --clear-groups ./weft degree nothing -o shared/d.tsv 2> "$scratch/.err"
    local was=$?
    err=$(cat "$scratch/.err")
    if ((was > 125)); then
        skip_reason="the program does not run as another user here: $err"
        return
    fi
    same $was 3
    complains 'it belongs to another user'
    same "$(cat shared/d.tsv)" precious
}

case_of 'a descriptor of a deleted file is written to' t_unnamed_file
case_of 'files that never had a name are written to' t_memory_file
case_of 'what is appended to is kept' t_append
case_of 'standard output under another name is standard output' t_stdout_names
case_of 'devices take any output, a full one says so' t_devices
case_of 'one signal ends a write that nobody reads' t_stalled_pipe
case_of 'a folder that is gone is refused before anything is read' t_folder_gone
case_of "another user's file in a sticky folder is refused before anything is read" t_sticky
