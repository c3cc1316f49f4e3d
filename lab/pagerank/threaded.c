/* Rung 3: rung 2 with the nodes dealt out to threads.
 * Nobody writes what another reads, so nothing needs a lock.  Rows differ in length: pieces of 256 nodes are handed out as
 * threads come free.  Should win: nearly the number of cores while ranks come from memory slowly.  Should lose: graphs of a few
 * thousand arcs, where waking the threads costs more than the work. */
#include "pagerank.h"

/* --- excerpt --- */
static void step(const pagerank_state *s) {
    const weft_csr *in = &s->run->in;
#pragma omp parallel for schedule(dynamic, 256) num_threads(s->threads)
    for (weft_vid v = 0; v < s->n; v++) {
        double sum = 0;
        for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++) {
            weft_vid u = in->targets[e];
            sum += (double)(s->rank[u] / (float)s->degree[u]);
        }
        s->next[v] = (float)(s->base + s->damping * sum);
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    pagerank_state s;
    weft_status st = pagerank_begin(r, &s, r->threads);
    lab_reads(r, &r->in);
    if (!st) st = pagerank_iterate(&s, step);
    r->bytes = (double)pagerank_iterations(r) * (12.0 * (double)r->in.arcs + 16.0 * (double)r->in.vertices);
    return st;
}

const lab_rung pagerank_threaded = {
    .name = "threaded",
    .title = "CPU, threaded: nodes dealt out to the cores",
    .against = "transposed",
    .changed = "One line: the nodes are dealt out to threads in pieces of 256. A step reads old ranks and writes new "
               "ones, so nobody waits for anybody but at the end of the step.",
    .wins = "Nearly by the number of cores, as long as each waits for its own reads.",
    .loses = "Graphs of a few thousand arcs: waking threads twice an iteration costs more than the work. One giant "
             "row is still one thread's.",
    .model = "an iteration: 4 m (sources) + 4 m (ranks, one by one) + 4 m (degrees, one by one) + 16 n (offsets, "
             "ranks)",
    .source = "lab/pagerank/threaded.c",
    .device = LAB_CPU,
    .adjust = pagerank_in_f32,
    .serves = pagerank_serves,
    .run = run,
};
