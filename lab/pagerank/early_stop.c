/* Rung 5: rung 4 that stops when the ranks no longer move, instead of after a fixed number of iterations.
 * The document lists it as future work ("30-50 % time savings").  The test is a pass over the nodes each iteration: the L1 norm
 * of the change, against the engine's default tolerance.  Should win: whenever it stops before the fixed number.  Should lose:
 * when it does not, and then also the cost of the test; slowly mixing graphs need more than twenty. */
#include "pagerank.h"
#include "weft/pagerank.h"

#include <math.h>

/* --- excerpt --- */
static double change(const pagerank_state *s) {
    double sum = 0;
#pragma omp parallel for num_threads(s->threads) reduction(+ : sum)
    for (weft_vid v = 0; v < s->n; v++) sum += fabs((double)s->rank[v] - (double)s->next[v]);
    return sum;
}

static uint64_t iterate(pagerank_state *s, double tolerance, uint64_t most) {
    uint64_t done = 0;
    double moved = INFINITY;
    while (done < most && moved > tolerance && !lab_stopped(s->run)) {
        pagerank_advance(s, pagerank_contributions_step);
        moved = change(s);
        done++;
    }
    return done;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    const weft_pagerank_params *p = pagerank_params(r);
    pagerank_state s;
    weft_status st = pagerank_begin(r, &s, r->threads);
    lab_reads(r, &r->in);
    if (st) return st;
    uint64_t done = iterate(&s, p->tolerance, p->max_iterations);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    lab_turn(r, LAB_UNTIMED);
    pagerank_answer(&s, done);
    r->bytes = (double)done * (pagerank_contributions_bytes(r) + 8.0 * (double)s.n);
    return WEFT_OK;
}

/* The tolerance decides, not the number; rounded sums in parallel may differ in the last bit, and stop at the same step. */
static void adjust(void *params) {
    pagerank_in_f32(params);
    ((weft_pagerank_params *)params)->iterations = 0;
}

const lab_rung pagerank_early_stop = {
    .name = "early-stop",
    .title = "CPU, early stop: until the ranks no longer move",
    .against = "contributions",
    .changed = "After each iteration the change is added up (L1 norm), and the loop ends when it is not above the "
               "tolerance. The rungs before do a fixed number of iterations, whatever happens.",
    .wins = "Whenever the ranks settle before the fixed number; the document expects 30 to 50 % of a hundred "
            "iterations.",
    .loses = "Graphs that mix slowly need more iterations than the fixed number, and then this rung takes longer but "
             "its answer is better: compare the time of an iteration, not of the run. The test itself reads 8 n "
             "bytes more.",
    .model = PAGERANK_CONTRIBUTIONS_MODEL " + 8 n (old and new ranks, for the test)",
    .source = "lab/pagerank/early_stop.c",
    .device = LAB_CPU,
    .adjust = adjust,
    .serves = pagerank_serves_any,
    .run = run,
};
