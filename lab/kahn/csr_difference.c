/* Rung 6: rung 5 with in-degrees as differences of the transpose's offsets. */
#include "kahn.h"

static weft_status run(lab_run *r) {
    kahn k;
    weft_status st = kahn_open(r, KAHN_CSR, 0, &k);
    if (st) return st;
    /* --- excerpt --- */
    kahn_degree_by_difference(&k); /* for every vertex: degree = in.offsets[v + 1] - in.offsets[v] */
    uint32_t rounds = kahn_rounds(&k, kahn_collect, kahn_remove_rows);
    /* --- end --- */
    return kahn_close(&k, 12.0 * k.n + kahn_bytes_of_rounds(&k, rounds) + kahn_bytes_of_rows(&k));
}

const lab_rung kahn_csr_difference = {
    .name = "csr-csc",
    .title = "CSR, in-degrees by the difference of the CSC's offsets",
    .against = "csr-count",
    .changed = "The transpose (CSC) is there, and an in-degree is the length of its row: two reads a vertex, no arc is "
               "touched.",
    .wins = "The in-degree, by the mean degree. On cyclic graphs, where few vertices can be removed, that is nearly "
            "everything.",
    .loses = "Only if the transpose must be made for it: that costs several times what counting does. The lab makes it "
             "before the "
             "clock starts, the thesis too; the table's last line says what it took.",
    .model = "12 n (offsets and degrees) + 12 an arc removed + 20 n a round",
    .source = "lab/kahn/csr_difference.c",
    .device = LAB_CPU,
    .serves = kahn_serves_csr,
    .run = run,
};
