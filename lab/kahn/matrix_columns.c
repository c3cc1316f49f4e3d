/* Rung 1: the adjacency matrix, in-degrees by a walk down each column, as the thesis's calculate_in_degree has them. */
#include "kahn.h"

/* --- excerpt --- */
static void degree_down_columns(kahn *k) {
    for (weft_vid v = 0; v < k->n && !(v % 16 == 15 && lab_stopped(k->r)); v++) {
        int32_t in = 0;
        for (weft_vid u = 0; u < k->n; u++) in += k->cells[(size_t)u * k->n + v];
        k->degree[v] = in;
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    kahn k;
    weft_status st = kahn_open(r, KAHN_CELLS, 0, &k);
    if (st) return st;
    degree_down_columns(&k);
    uint32_t rounds = kahn_rounds(&k, kahn_collect, kahn_remove_cells);
    return kahn_close(&k, 4.0 * k.n * k.n + kahn_bytes_of_rounds(&k, rounds) + kahn_bytes_of_cells(&k));
}

static const char *serves(lab_run *r) { return kahn_serves(r, KAHN_CELLS, 12, 3); }

const lab_rung kahn_matrix_columns = {
    .name = "matrix-columns",
    .title = "adjacency matrix, in-degrees down the columns",
    .changed =
        "The start: n x n whole numbers. An in-degree is the sum of a column; every round flags the vertices without "
        "in-arcs, scans the flags, compacts the list and subtracts the rows of those vertices.",
    .wins = "Nothing on a CPU. On the thesis's GPU, where neighbouring threads take neighbouring columns, it was the "
            "fastest of "
            "the dense in-degree kernels: there a row of the matrix is read at once.",
    .loses = "A step down a column jumps 4n bytes, so each 4-byte cell fetches a cache line of 64; zeros cost as much "
             "as arcs.",
    .model =
        "4 n^2 (the matrix) + 12 n a vertex removed (its row, the degrees there and back) + 20 n a round (flag, scan, "
        "compact)",
    .source = "lab/kahn/matrix_columns.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
