# --checkpoint: runs that are stopped, and gone on with.  Sourced by test_cli.sh; on ranks: tests/ranks/test_ranks_checkpoint.sh.
# shellcheck shell=bash disable=SC2034,SC2154

# Starts weft in the background as $job; what it says goes to said.txt.
begin_run() { # words...
    "$weft" "$@" > said.txt 2>&1 < /dev/null &
    job=$!
}

# Waits for a file, as long as the job runs.
wait_for() { # path
    while [[ ! -e $1 ]] && kill -0 "$job" 2> /dev/null; do sleep 0.01; done
}

end_run() { # signal
    [[ -z ${1:-} ]] || kill "-$1" "$job" 2> /dev/null
    wait "$job"
    code=$?
}

# Stopped after the first checkpoint, then at random until it is through.
t_stopped_at_random() {
    local words=(pagerank long.weft --iterations 1200 --weights) stops=0 tries
    exits 0 generate rmat --scale 13 --degree 8 --max-weight 9 -o long.weft -q
    exits 0 "${words[@]}" -o whole.tsv -q
    begin_run "${words[@]}" -o stopped.tsv --checkpoint saved --every 0.02
    wait_for saved/pagerank.checkpoint
    for ((tries = 0; tries < 1000; tries++)); do
        end_run TERM
        case $code in
            75)
                stops=$((stops + 1))
                [[ $(tail -n 1 said.txt) == 'weft: stopped by SIGTERM after iteration '*'; checkpoint in saved; the same command resumes it' ]] ||
                    problem "it said: $(cat said.txt)"
                ;;
            130) same "$(tail -n 1 said.txt)" 'weft: interrupted' ;; # the run had ended, and the result was being written
            *) break ;;
        esac
        there_is_no stopped.tsv
        holds saved pagerank.checkpoint
        begin_run "${words[@]}" -o stopped.tsv --checkpoint saved
        while [[ ! -s said.txt ]] && kill -0 "$job" 2> /dev/null; do sleep 0.01; done # before that a signal only ends it
        sleep "0.$((100 + RANDOM % 300))"
    done
    same "$code" 0
    ((stops > 0)) || problem 'it was never stopped'
    [[ $(head -n 1 said.txt) == 'weft: pagerank goes on after iteration '*', from saved/pagerank.checkpoint' ]] || problem "it said: $(cat said.txt)"
    cmp whole.tsv stopped.tsv || problem 'the result is another one'
    holds saved
}

# Interrupted it keeps the last one; so does a result that cannot be written.
t_checkpoint_stays() {
    exits 0 hits "$karate" -o whole.tsv -q
    begin_run hits "$karate" --iterations 1000000000 --checkpoint saved --every 0
    wait_for saved/hits.checkpoint
    end_run INT
    same "$code" 130
    same "$(tail -n 1 said.txt)" 'weft: interrupted'
    holds saved hits.checkpoint
    exits 3 hits "$karate" --checkpoint saved
    complains 'saved/hits.checkpoint is of a run with iterations=1000000000, and this one has iterations=0; remove it, or name another folder'
    rm -r saved
    exits 3 hits "$karate" --checkpoint saved --every 0 -o /dev/full
    holds saved hits.checkpoint
    "$weft" hits "$karate" --checkpoint saved -o - > /dev/full 2> said.txt && problem 'a full disk was not noticed'
    holds saved hits.checkpoint
    exits 0 hits "$karate" --checkpoint saved -o again.tsv --json
    json '[j["resumed_from_iteration"] == j["result"]["iterations"], j["checkpoints_written"]]' '[True, 0]'
    cmp whole.tsv again.tsv || problem 'the result is another one'
    holds saved
    exits 0 hits "$karate" --checkpoint saved --every 0 --json
    json '[j["resumed_from_iteration"], j["checkpoints_written"] == j["result"]["iterations"]]' '[0, True]'
    exits 0 labelprop "$karate" --checkpoint saved --every 0 -q
    holds saved
}

# With more time for each try, since the time is that of the program, not of the run: reading comes first.
t_timeout_saves() {
    local seconds=0.2 words=(pagerank long.weft --iterations 60000 --weights --threads 1) stops=0
    exits 0 generate rmat --scale 10 --degree 8 --max-weight 9 -o long.weft -q
    exits 0 "${words[@]}" -o whole.tsv -q
    while begin_run "${words[@]}" --checkpoint saved --timeout "$seconds" -o stopped.tsv && end_run && [[ $code == 124 ]]; do
        if [[ -e saved/pagerank.checkpoint ]]; then
            stops=$((stops + 1))
            [[ $(tail -n 1 said.txt) == 'weft: the time of --timeout was up after iteration '*'; checkpoint in saved; the same command resumes it' ]] ||
                problem "it said: $(cat said.txt)"
            ((stops == 1)) || [[ $(head -n 1 said.txt) == 'weft: pagerank goes on after iteration '* ]] || problem "it said: $(cat said.txt)"
        fi
        there_is_no stopped.tsv
        seconds=$(awk -v s="$seconds" 'BEGIN { print 2 * s }')
    done
    same "$code" 0
    ((stops > 0)) || problem 'it was never stopped'
    cmp whole.tsv stopped.tsv || problem 'the result is another one'
    holds saved
}

# Before the run there is nothing to save.
t_terminated_while_reading() {
    mkfifo slow
    begin_run pagerank slow --checkpoint saved
    exec 9<> slow
    has_settled "$job"
    end_run TERM
    exec 9>&-
    rm slow
    same "$code" 130
    same "$(cat said.txt)" 'weft: interrupted'
}

t_checkpoint_refused() {
    exits 2 bfs none.txt --checkpoint saved
    complains 'weft bfs has no flag --checkpoint'
    exits 2 pagerank none.txt --checkpoint saved --device cuda
    complains '--checkpoint works for runs on the CPU only'
    exits 2 pagerank none.txt --checkpoint saved --repeat 2
    exits 2 pagerank none.txt --checkpoint ''
    exits 2 pagerank none.txt --every 5
    complains '--every needs --checkpoint'
    exits 2 pagerank none.txt --checkpoint saved --every -1
    exits 3 pagerank "$karate" --checkpoint no/such
    complains 'no/such: cannot make the folder: No such file or directory'
    exits 0 pagerank "$karate" --checkpoint saved --plan
    there_is_no saved
    mkdir saved
    printf 'a table of mine' > saved/pagerank.checkpoint
    exits 3 pagerank "$karate" --checkpoint saved -o ranks.tsv
    complains "saved/pagerank.checkpoint is no checkpoint of Weft's"
    same "$(cat saved/pagerank.checkpoint)" 'a table of mine'
    there_is_no ranks.tsv
}

case_of 'a run that is stopped at random goes on' t_stopped_at_random
case_of 'a checkpoint stays until the result is written' t_checkpoint_stays
case_of '--timeout saves a checkpoint' t_timeout_saves
case_of 'SIGTERM before the run' t_terminated_while_reading
case_of 'checkpoints that are refused' t_checkpoint_refused
