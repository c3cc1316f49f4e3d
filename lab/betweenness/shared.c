/* Betweenness: the whole run, and the answer (betweenness.h). */
#include "betweenness.h"
#include "weft/betweenness.h"

const char *between_serves(lab_run *r) {
    const weft_betweenness_params *p = r->params;
    if (p->weights || p->error > 0)
        return "this rung counts all paths, by hops; the library's knows weights and errors";
    if (p->sources || p->targets || p->edges || p->endpoints || p->normalized)
        return "this rung goes from all vertices to all, and leaves sums as they are; the library's has the options";
    return NULL;
}

weft_status between_run(lab_run *r, int threads, weft_status (*search)(between *b)) {
    between b = {.r = r, .out = &r->out, .in = &r->in, .n = r->out.vertices};
    b.sum = lab_take(r, (size_t)threads * (b.n + (size_t)1) * sizeof *b.sum);
    if (!b.sum) return WEFT_ENOMEM;
    lab_reads(r, b.out);
    if (b.in->offsets != b.out->offsets) lab_reads(r, b.in);
    weft_status st = search(&b);
    if (st || b.stopped) return st ? st : WEFT_ECANCELLED;
    double part = weft_graph_directed(r->g) ? 1 : 0.5; /* an undirected pair is met from both ends */
    for (weft_vid v = 0; v < b.n; v++) {
        for (int t = 1; t < threads; t++) b.sum[v] += b.sum[(size_t)t * b.n + v];
        b.sum[v] *= part;
    }
    lab_turn(r, LAB_UNTIMED);
    lab_column(r, "betweenness", WEFT_F64, b.sum, b.n);
    lab_u64(r, "sources", b.n);
    r->edges = 2.0 * b.n * (double)r->out.arcs;
    return WEFT_OK;
}
