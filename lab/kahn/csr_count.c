/* Rung 5: the CSR in the place of the matrix.  In-degrees by counting the column array, removal along the arcs of a row. */
#include "kahn.h"

static weft_status run(lab_run *r) {
    kahn k;
    weft_status st = kahn_open(r, KAHN_CSR, 0, &k);
    if (st) return st;
    /* --- excerpt --- */
    kahn_degree_by_counting(&k); /* for every arc: degree[target]++ */
    uint32_t rounds = kahn_rounds(&k, kahn_collect, kahn_remove_rows);
    /* --- end --- */
    return kahn_close(&k, 12.0 * (double)k.out.arcs + kahn_bytes_of_rounds(&k, rounds) + kahn_bytes_of_rows(&k));
}

const lab_rung kahn_csr_count = {
    .name = "csr-count",
    .title = "CSR, in-degrees by counting its column array",
    .against = "matrix-rows",
    .changed = "Only arcs are stored: 4 bytes each and 8 a vertex. The thesis's calculate_in_degree_csr_atomic, with "
               "one core in the "
               "place of atomics.",
    .wins = "Every sparse graph, by n / degree; and memory: O(n + m).",
    .loses = "Nothing, not even at density 1/2: half of the cells are zeros, or three quarters of them in a "
             "triangular matrix. But every round still looks at all n vertices.",
    .model = "12 m (counting: target, counter there and back) + 12 an arc removed + 20 n a round",
    .source = "lab/kahn/csr_count.c",
    .device = LAB_CPU,
    .serves = kahn_serves_csr,
    .run = run,
};
