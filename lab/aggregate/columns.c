/* Rung 1: feature by feature, each over the whole graph. */
#include "afford.h"
#include "aggregate.h"

/* --- excerpt --- */
static void add_column(const aggregation *a, size_t c) {
    for (weft_vid v = 0; v < a->n && !(v % 8192 == 8191 && lab_stopped(a->r)); v++) {
        double sum = 0;
        for (weft_eid e = a->in.offsets[v]; e < a->in.offsets[v + 1]; e++)
            sum += (double)a->x[a->in.targets[e] * a->width + c];
        a->f[v * a->width + c] = (float)sum * aggregate_share(a, v);
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    aggregation a;
    weft_status st = aggregate_open(r, 0, &a);
    if (st) return st;
    lab_turn(r, LAB_KERNELS);
    for (size_t c = 0; c < a.width && !lab_stopped(r); c++) add_column(&a, c);
    return aggregate_close(&a, (double)a.width * (8.0 * (double)a.in.arcs + 12.0 * a.n));
}

static const char *serves(lab_run *r) {
    const char *other = aggregate_serves(r);
    return other ? other : lab_too_slow(r, 4e-9 * (double)aggregate_width(r) * (double)r->in.arcs);
}

const lab_rung aggregate_columns = {
    .name = "columns",
    .title = "feature by feature over the whole graph",
    .changed = "The start: for each feature a pass over all arcs, as if every feature were a graph algorithm of its "
               "own. Sums are in double: in f32 a hub of "
               "100,000 arcs would lose what the verifier looks for.",
    .wins = "Nothing but one number in hand at a time; with one feature it is all there is.",
    .loses = "A feature of a neighbour is 4 bytes of a line of 64, and the line is fetched again for each of its 16 "
             "features; the arcs are read as often as there are "
             "features.",
    .model = "a feature: 4 m (sources) + 4 m (values) + 8 n (offsets) + 4 n (result)",
    .source = "lab/aggregate/columns.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
