/* Rung 1: to find who points to v, ask every node whether it does.
 * The document's first version (PageRank in six versions, "CPU naive"): n questions for each of n nodes in each iteration, each a
 * search in the asked node's row.  Should win: nothing but the number of lines.  Should lose: everything from 100 nodes on.
 * The document loses the rank of nodes without out-arcs; here it is shared out, so that ranks sum to 1.  It also adds up in f32,
 * which loses digits on hubs: here sums are in double, and ranks in f32. */
#include "pagerank.h"

#include <stdio.h>

/* --- excerpt --- */
/* How many arcs go from u to v: a search in u's sorted row. */
static uint32_t arcs_between(const weft_csr *out, weft_vid u, weft_vid v) {
    weft_eid low = out->offsets[u], high = out->offsets[u + 1], end = high;
    while (low < high) {
        weft_eid middle = low + (high - low) / 2;
        if (out->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t count = 0;
    while (low + count < end && out->targets[low + count] == v) count++;
    return count;
}

static void step(const pagerank_state *s) {
    for (weft_vid v = 0; v < s->n; v++) {
        double sum = 0;
        for (weft_vid u = 0; u < s->n; u++) {
            uint32_t arcs = arcs_between(&s->run->out, u, v);
            if (arcs) sum += arcs * ((double)s->rank[u] / (double)s->degree[u]);
        }
        s->next[v] = (float)(s->base + s->damping * sum);
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    pagerank_state s;
    weft_status st = pagerank_begin(r, &s, 1);
    if (!st) st = pagerank_iterate(&s, step);
    /* A search of a row touches at least the two offsets and one target. */
    r->bytes = (double)pagerank_params(r)->iterations * (double)s.n * (double)s.n * (16 + 4);
    return st;
}

/* Some 10 ns for a question, measured on a Neoverse-V1. */
static const char *serves(lab_run *r) {
    const char *other = pagerank_serves(r);
    double n = r->out.vertices, seconds = 10e-9 * n * n * (double)pagerank_params(r)->iterations;
    if (other || seconds <= r->patience_s) return other;
    snprintf(r->why, sizeof r->why, "n^2 questions an iteration: about %.0f s for one run (--patience allows %.0f s)",
             seconds, r->patience_s);
    return r->why;
}

const lab_rung pagerank_naive = {
    .name = "naive",
    .title = "CPU, naive: ask every node",
    .changed = "The first thing that works. To find who points to v, every other node is asked, in every iteration. "
               "The document's "
               "version loses the rank of nodes that point nowhere; here it is shared out, so that ranks sum to 1.",
    .wins = "Nothing but the number of lines.",
    .loses = "Everything from a hundred nodes on: the work grows with n², not with the number of arcs.",
    .model = "an iteration: 20 n² (for each pair two offsets and at least one target)",
    .source = "lab/pagerank/naive.c",
    .device = LAB_CPU,
    .adjust = pagerank_in_f32,
    .serves = serves,
    .run = run,
};
