/* Rung 3: the blog's kernel: a vertex adds up the whole rows of its neighbours. */
#include "aggregate.h"

/* --- excerpt --- */
static void add_rows(const aggregation *a, weft_vid v, double *sum) {
    for (size_t c = 0; c < a->width; c++) sum[c] = 0;
    for (weft_eid e = a->in.offsets[v]; e < a->in.offsets[v + 1]; e++) {
        const float *row = a->x + a->in.targets[e] * a->width;
        for (size_t c = 0; c < a->width; c++) sum[c] += (double)row[c];
    }
    for (size_t c = 0; c < a->width; c++) a->f[v * a->width + c] = (float)sum[c] * aggregate_share(a, v);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    aggregation a;
    weft_status st = aggregate_open(r, aggregate_width(r) * sizeof(double), &a);
    if (st) return st;
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < a.n && !(v % 1024 == 0 && lab_stopped(r)); v++) add_rows(&a, v, a.extra);
    double width = (double)a.width, arcs = (double)a.in.arcs;
    return aggregate_close(&a, 4 * arcs + 4 * width * arcs + 8.0 * a.n + 4 * width * a.n);
}

const lab_rung aggregate_per_node = {
    .name = "per-node",
    .title = "per vertex, whole rows of its neighbours",
    .against = "columns",
    .changed = "The loops are exchanged, as in the blog's gnnAggregation: a vertex adds the whole row of each "
               "neighbour to its sums. The blog divides by the number of "
               "neighbours even when it is 0; here that gives zeros.",
    .wins = "Arcs are read once; a neighbour costs one jump, and its row comes in order: 64 features are four lines "
            "that follow each other.",
    .loses = "Sums are in memory and not in registers: each addition loads and stores one. One core waits for each "
             "jump, and on a graph without hubs turned columns that fit the cache may be better (on an ARM core they "
             "were, on a Xeon not).",
    .model = "4 m (sources) + 4 m width (rows) + 8 n + 4 n width (result)",
    .source = "lab/aggregate/per_node.c",
    .device = LAB_CPU,
    .serves = aggregate_serves,
    .run = run,
};
