/* Rung 1: the adjacency matrix.  A row's sum is an out-degree, a column's an in-degree. */
#include "afford.h"
#include "degree.h"

/* --- excerpt --- */
static void sum_matrix(const degrees *d, const int32_t *cells) {
    for (weft_vid u = 0; u < d->n && !(u % 64 == 63 && lab_stopped(d->r)); u++)
        for (weft_vid v = 0; v < d->n; v++) {
            uint64_t arcs = (uint64_t)cells[(size_t)u * d->n + v];
            d->out[u] += arcs;
            d->in[v] += arcs;
        }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    degrees d;
    size_t n = r->out.vertices;
    weft_status st = degree_open(r, n * n * sizeof(int32_t), &d);
    if (st) return st;
    int32_t *cells = d.extra;
    lab_turn(r, LAB_COPY_IN);
    for (weft_vid u = 0; u < d.n && !(u % 4096 == 4095 && lab_stopped(r)); u++)
        for (weft_eid e = r->out.offsets[u]; e < r->out.offsets[u + 1]; e++) cells[u * n + r->out.targets[e]]++;
    lab_turn(r, LAB_KERNELS);
    sum_matrix(&d, cells);
    return degree_close(&d, 4.0 * (double)n * (double)n);
}

static const char *serves(lab_run *r) {
    double n = r->out.vertices;
    const char *too_large = lab_too_large(r, 4 * n * n);
    return too_large ? too_large : lab_too_slow(r, 3e-9 * n * n);
}

const lab_rung degree_matrix = {
    .name = "matrix",
    .title = "adjacency matrix: sums of rows and columns",
    .changed = "The start: n x n whole numbers, 4 n^2 bytes held. Any pair is looked up in one step, and everything "
               "else reads all pairs.",
    .wins = "Graphs that are nearly full; and being sure of what it does.",
    .loses = "Everything sparse: a million vertices would take 4 TB. (The blog says 1 TB: it counts a byte a cell.)",
    .model = "4 n^2 (the matrix) + 48 n (totals, distribution)",
    .source = "lab/degree/matrix.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
