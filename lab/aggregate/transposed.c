/* Rung 2: rung 1 on features that lie column after column. */
#include "afford.h"
#include "aggregate.h"

/* --- excerpt --- */
static void add_column(const aggregation *a, const float *column, size_t c) {
    for (weft_vid v = 0; v < a->n && !(v % 8192 == 8191 && lab_stopped(a->r)); v++) {
        double sum = 0;
        for (weft_eid e = a->in.offsets[v]; e < a->in.offsets[v + 1]; e++) sum += (double)column[a->in.targets[e]];
        a->f[v * a->width + c] = (float)sum * aggregate_share(a, v);
    }
}
/* --- end --- */

static void transpose(const aggregation *a, float *columns) {
    for (weft_vid v = 0; v < a->n && !(v % 8192 == 8191 && lab_stopped(a->r)); v++)
        for (size_t c = 0; c < a->width; c++) columns[c * a->n + v] = a->x[v * a->width + c];
}

static weft_status run(lab_run *r) {
    aggregation a;
    weft_status st = aggregate_open(r, r->out.vertices * aggregate_width(r) * sizeof(float), &a);
    if (st) return st;
    lab_turn(r, LAB_COPY_IN);
    transpose(&a, a.extra);
    lab_turn(r, LAB_KERNELS);
    for (size_t c = 0; c < a.width && !lab_stopped(r); c++) add_column(&a, (const float *)a.extra + c * a.n, c);
    return aggregate_close(&a, (double)a.width * (8.0 * (double)a.in.arcs + 12.0 * a.n));
}

static const char *serves(lab_run *r) {
    const char *other = aggregate_serves(r);
    return other ? other : lab_too_slow(r, 2e-9 * (double)aggregate_width(r) * (double)r->in.arcs);
}

const lab_rung aggregate_transposed = {
    .name = "feature-parallel",
    .title = "feature by feature, each feature a column of its own",
    .against = "columns",
    .changed = "Features are turned first (as copy in), so that one feature of all vertices lies together: 4 n bytes, "
               "which may fit a cache. Features do not know of "
               "each other, and each could be another core's, or another machine's.",
    .wins = "Against rung 1: 16 vertices share a line, and hubs stay in the cache.",
    .loses = "The arcs are still read once for each feature, and a value at a time.",
    .model = "as columns; the turning is apart, as copy in",
    .source = "lab/aggregate/transposed.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
