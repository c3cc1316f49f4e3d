/* Rung 2: rung 1 with the two loops of the in-degree exchanged: along rows, a sum for every column carried along. */
#include "kahn.h"

/* --- excerpt --- */
static void degree_along_rows(kahn *k) {
    for (weft_vid u = 0; u < k->n && !(u % 64 == 63 && lab_stopped(k->r)); u++) {
        const int32_t *row = k->cells + (size_t)u * k->n;
        for (weft_vid v = 0; v < k->n; v++) k->degree[v] += row[v];
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    kahn k;
    weft_status st = kahn_open(r, KAHN_CELLS, 0, &k);
    if (st) return st;
    degree_along_rows(&k);
    uint32_t rounds = kahn_rounds(&k, kahn_collect, kahn_remove_cells);
    return kahn_close(&k, 4.0 * k.n * k.n + kahn_bytes_of_rounds(&k, rounds) + kahn_bytes_of_cells(&k));
}

static const char *serves(lab_run *r) { return kahn_serves(r, KAHN_CELLS, 4, 3); }

const lab_rung kahn_matrix_rows = {
    .name = "matrix-rows",
    .title = "adjacency matrix, in-degrees along the rows",
    .against = "matrix-columns",
    .changed = "The two loops of the in-degree are exchanged. It is what a transposed matrix gave the thesis, without "
               "the second "
               "matrix for which its GPU had no room.",
    .wins = "The same 4 n^2 bytes, in the order in which they lie: whole cache lines are used, and the additions "
            "become vectors.",
    .loses = "To anything that does not read zeros.",
    .model = "as matrix-columns",
    .source = "lab/kahn/matrix_rows.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
