/* Rung 1: to find who points to v, walk through the row of every node.
 * The document's first version (PageRank in six versions, 4.1): all m arcs for each of n nodes in each iteration.  Should win:
 * nothing but the number of lines.  Should lose: everything from 100 nodes on.
 * The document's code loses the rank of nodes without out-arcs; here it is shared out, so that ranks sum to 1.  It stops at the
 * first arc to v, which loses parallel ones, and adds up in f32, which loses digits on hubs: here sums are in double. */
#include "afford.h"
#include "pagerank.h"

/* --- excerpt --- */
static uint32_t arcs_between(const weft_csr *out, weft_vid u, weft_vid v) {
    uint32_t count = 0;
    for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) count += out->targets[e] == v;
    return count;
}

static void step(const pagerank_state *s) {
    for (weft_vid v = 0; v < s->n && !(v % 16 == 15 && lab_stopped(s->run)); v++) {
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
    lab_reads(r, &r->out);
    if (!st) st = pagerank_iterate(&s, step);
    double questions = (double)pagerank_iterations(r) * (double)s.n;
    r->bytes = questions * (8 * (double)s.n + 4 * (double)r->out.arcs);
    return st;
}

/* What a node and an arc take, measured on a Neoverse-V1 and rounded up. */
static const char *serves(lab_run *r) {
    const char *other = pagerank_serves(r);
    double n = r->out.vertices, arcs = (double)r->out.arcs;
    double seconds = n * (5e-9 * n + 0.25e-9 * arcs) * (double)pagerank_iterations(r);
    return other ? other : lab_too_slow_for(r, seconds, "every arc for every node, every iteration");
}

const lab_rung pagerank_naive = {
    .name = "naive",
    .title = "CPU, naive: ask every node",
    .changed = "The first thing that works. To find who points to v, the rows of all nodes are walked through, in "
               "every iteration. The document's version loses the rank of nodes that point nowhere; here it is "
               "shared out, so that ranks sum to 1.",
    .wins = "Nothing but the number of lines.",
    .loses = "Everything from a hundred nodes on: all arcs are looked at once for every node.",
    .model = "an iteration: n (8 n (offsets) + 4 m (targets))",
    .source = "lab/pagerank/naive.c",
    .device = LAB_CPU,
    .adjust = pagerank_in_f32,
    .serves = serves,
    .run = run,
};
