/* Rung 4: the dense matrix product.  Row i of A * A counts the ways of two steps; where A has an edge too, a way closes. */
#include "triangles.h"

/* --- excerpt --- */
/* One row of the product, as a sum of rows of A; then its sum over the neighbours of i, where each triangle is met twice. */
static uint64_t closed_at(const float *a, weft_vid n, weft_vid i, float *row) {
    double closed = 0;
    for (weft_vid j = 0; j < n; j++) row[j] = 0;
    for (weft_vid k = 0; k < n; k++)
        for (weft_vid j = 0; j < n; j++) row[j] += a[(size_t)i * n + k] * a[(size_t)k * n + j];
    for (weft_vid j = 0; j < n; j++) closed += (double)(row[j] * a[(size_t)i * n + j]);
    return (uint64_t)closed / 2;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    simple s;
    size_t n = r->out.vertices;
    weft_status st = triangles_open(r, (n * n + n) * sizeof(float), &s);
    if (st) return st;
    float *a = s.extra;
    lab_turn(r, LAB_COPY_IN);
    for (weft_vid v = 0; v < s.n; v++)
        for (weft_eid e = s.offsets[v]; e < s.offsets[v + 1]; e++) a[v * n + s.targets[e]] = 1;
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < s.n && !lab_stopped(r); v++) s.count[v] = closed_at(a, s.n, v, a + n * n);
    return triangles_close(&s, 4.0 * (double)n * (double)n * (double)n);
}

static const char *serves(lab_run *r) {
    double n = r->out.vertices;
    return triangles_serves(r, 4 * n * n, 0.3e-9 * n * n * n);
}

const lab_rung triangles_matrix = {
    .name = "matrix",
    .title = "dense matrix product",
    .against = "linear",
    .changed = "The blog's fourth strategy: C = A A, and the triangles at i are half of the sum of C[i][j] over its "
               "neighbours j. (The blog "
               "writes (A^2 o A)[i,i] / 2, which is the diagonal, and always 0; it is the sum of the row.) Counts up "
               "to 2^24 are exact in f32.",
    .wins = "Small dense graphs, and machines that multiply matrices faster than anything else: n^3 additions in "
            "perfect order.",
    .loses = "Everything sparse: n^3 whatever the number of edges, and 4 n^2 bytes.",
    .model = "4 n^3 (a row of A for each cell of the row before; nearer caches serve most of it)",
    .source = "lab/triangles/matrix.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
