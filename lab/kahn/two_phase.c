/* Rung 7: rung 6 with the removal in three passes: reduce, apply, mark. */
#include "kahn.h"

#include <string.h>

/* --- excerpt --- */
static void remove_in_three_passes(kahn *k, weft_vid count) {
    int32_t *decrement = k->extra;
    memset(decrement, 0, k->n * sizeof *decrement);
    for (weft_vid i = 0; i < count && !(i % 8192 == 8191 && lab_stopped(k->r)); i++) {
        weft_vid u = k->active[i];
        for (weft_eid e = k->out.offsets[u]; e < k->out.offsets[u + 1]; e++) decrement[k->out.targets[e]]++;
    }
    for (weft_vid v = 0; v < k->n; v++)
        if (decrement[v]) k->degree[v] -= decrement[v];
    for (weft_vid i = 0; i < count; i++) k->degree[k->active[i]] = -1;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    kahn k;
    weft_status st = kahn_open(r, KAHN_CSR, r->out.vertices * sizeof(int32_t), &k);
    if (st) return st;
    kahn_degree_by_difference(&k);
    uint32_t rounds = kahn_rounds(&k, kahn_collect, remove_in_three_passes);
    double passes = kahn_bytes_of_rounds(&k, rounds) + 8.0 * k.n * rounds;
    return kahn_close(&k, 12.0 * k.n + passes + kahn_bytes_of_rows(&k));
}

const lab_rung kahn_two_phase = {
    .name = "csr-two-phase",
    .title = "CSR, removal in three passes: reduce, apply, mark",
    .against = "csr-csc",
    .changed =
        "What each vertex loses is summed in an array of its own, applied to all vertices, and the removed ones are "
        "marked: the "
        "thesis's \"no atomic\" variant. (Its first pass has as many atomics as before; they are on another array.)",
    .wins = "Hardly anything: on a GPU with many active vertices that share neighbours, degrees are written without a "
            "fight.",
    .loses = "Two or three vertices go in a round, and all n are passed over once more. The thesis measured 1.5 to 1.8 "
             "times the time of "
             "its atomic version.",
    .model = "as csr-csc + 8 n a round (the decrements cleared and read)",
    .source = "lab/kahn/two_phase.c",
    .device = LAB_CPU,
    .serves = kahn_serves_csr,
    .run = run,
};
