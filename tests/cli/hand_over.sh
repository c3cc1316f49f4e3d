# weft lab becomes weft-lab: which one, with which words, streams, signals and exit code.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

# A weft in a folder of its own, and a made-up weft-lab that says how it was called.
move_weft() { # folder
    mkdir -p "$1" && cp "$weft" "$1/weft"
}
make_lab() { # folder, its name for itself
    mkdir -p "$1"
    cat > "$1/weft-lab" << END
#!/bin/bash
echo "$2: \$# words"
printf '<%s>' "\$@"
cat
echo "to standard error" >&2
exit "\${LAB_EXIT:-0}"
END
    chmod +x "$1/weft-lab"
}

t_passed_on() {
    move_weft bin
    make_lab bin own
    local weft=$PWD/bin/weft exit_code
    printf 'from standard input' > words
    input=words exits 0 lab pagerank 'a b' '' --rungs=1,2 -- --odd '*'
    same "$out" $'own: 7 words\n<pagerank><a b><><--rungs=1,2><--><--odd><*>from standard input'
    same "$err" 'to standard error'
    for exit_code in 0 1 2 3 4 5 130; do LAB_EXIT=$exit_code exits "$exit_code" lab; done
    exits 0 --threads 2 --quiet lab degree --json x # flags before the command are the lab's as well
    says '6 words'
    says '<--threads><2><--quiet><degree><--json><x>'
    exits 0 lab --help
    says '<--help>'
    # What is weft's own is not handed over.
    exits 0 help lab
    says 'weft lab [LADDER [FILE]] [flags]'
    exits 0 --version lab
    says 'weft '
    says_not own
}

t_which() {
    move_weft bin
    make_lab bin own
    make_lab elsewhere 'on PATH'
    mkdir links && ln -s ../bin/weft links/weft
    local weft=$PWD/links/weft
    PATH=$PWD/elsewhere:$PATH exits 0 lab
    says 'own: 0 words' # not the one beside the link, of which there is none, nor that on PATH
    rm bin/weft-lab
    PATH=$PWD/elsewhere:$PATH exits 0 lab a
    says 'on PATH: 1 words'
}

t_absent() {
    move_weft bin
    local weft=$PWD/alone folder
    folder=$(realpath bin)
    printf '#!/bin/bash\nPATH=/nowhere:%q/weft exec %q/weft "$@"\n' "$folder" "$folder" > alone # a weft-lab may be installed here
    chmod +x alone
    exits 2 lab pagerank
    same "$out" ''
    same "$err" "weft: this command is a separate program, weft-lab, which is neither in $folder/ nor on PATH (make programs builds it)"
    exits 0 help lab
    exits 0 help --all
    says '  lab '
    touch bin/weft-lab # a file, and no program
    exits 3 lab
    complains "$folder/weft-lab cannot be run: Permission denied"
}

# One process, so that a signal to weft's number reaches the lab.
t_same_process() {
    move_weft bin
    mkdir -p bin
    # shellcheck disable=SC2016
    printf '#!/bin/bash\ntrap "exit 42" TERM\necho $$ > number\nwhile :; do sleep 0.05; done\n' > bin/weft-lab
    chmod +x bin/weft-lab
    bin/weft lab > /dev/null 2>&1 &
    local job=$! waited=0
    while [[ ! -s number ]] && ((waited++ < 200)); do sleep 0.05; done
    same "$(cat number)" "$job"
    kill -TERM "$job"
    wait "$job"
    same $? 42
}

case_of 'weft lab hands words, standard input and the exit code to weft-lab' t_passed_on
case_of 'weft-lab is the one in the folder of weft, or else on PATH' t_which
case_of 'without weft-lab there is a sentence, and help all the same' t_absent
case_of 'weft-lab is the same process, and gets its signals' t_same_process
