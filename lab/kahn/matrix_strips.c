/* Rung 3: rung 2's in-degree by all threads, each with a strip of rows and sums of its own, which are then added up. */
#include "kahn.h"

static void add_strip(const kahn *k, weft_vid first, weft_vid last, int32_t *sums) {
    for (weft_vid u = first; u < last && !(u % 64 == 63 && lab_stopped(k->r)); u++) {
        const int32_t *row = k->cells + (size_t)u * k->n;
        for (weft_vid v = 0; v < k->n; v++) sums[v] += row[v];
    }
}

/* --- excerpt --- */
static void degree_by_strips(kahn *k, int32_t *partial, int strips) {
#pragma omp parallel for num_threads(strips) schedule(static, 1)
    for (int s = 0; s < strips; s++) {
        weft_vid first = (weft_vid)((uint64_t)k->n * (uint64_t)s / (uint64_t)strips);
        weft_vid last = (weft_vid)((uint64_t)k->n * ((uint64_t)s + 1) / (uint64_t)strips);
        add_strip(k, first, last, partial + (size_t)s * k->n);
    }
    for (int s = 0; s < strips; s++)
        for (weft_vid v = 0; v < k->n; v++) k->degree[v] += partial[(size_t)s * k->n + v];
}
/* --- end --- */

static weft_status run(lab_run *r) {
    kahn k;
    int strips = r->threads > 0 ? r->threads : 1;
    weft_status st = kahn_open(r, KAHN_CELLS, (size_t)r->out.vertices * (size_t)strips * sizeof(int32_t), &k);
    if (st) return st;
    degree_by_strips(&k, k.extra, strips);
    uint32_t rounds = kahn_rounds(&k, kahn_collect, kahn_remove_cells);
    return kahn_close(&k, 4.0 * k.n * k.n + kahn_bytes_of_rounds(&k, rounds) + kahn_bytes_of_cells(&k));
}

static const char *serves(lab_run *r) { return kahn_serves(r, KAHN_CELLS, 4, 3); }

const lab_rung kahn_matrix_strips = {
    .name = "matrix-strips",
    .title = "adjacency matrix, partial in-degrees by threads, then a sum",
    .against = "matrix-rows",
    .changed = "Every thread counts a strip of rows into sums of its own, which are added up in the end: the thesis's "
               "shared-memory kernel with its reduction, with a core in the place of a block.",
    .wins =
        "The in-degree, by up to the number of cores. (The thesis's kernel gave a block to each column and lost to its "
        "rung 1 on acyclic graphs by 2.7 times: a column is what a row-wise matrix has worst.)",
    .loses = "The rounds stay on one core, and on an acyclic graph they take most of the time.",
    .model = "as matrix-columns",
    .source = "lab/kahn/matrix_strips.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
