/* Rung 4: rung 3 with the transpose: both degrees are differences of offsets, and no arc is read. */
#include "degree.h"

/* --- excerpt --- */
static void subtract_offsets(const degrees *d, const weft_csr *out, const weft_csr *in) {
    for (weft_vid v = 0; v < d->n; v++) {
        d->out[v] = out->offsets[v + 1] - out->offsets[v];
        d->in[v] = in->offsets[v + 1] - in->offsets[v];
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    degrees d;
    weft_status st = degree_open(r, 0, &d);
    if (st) return st;
    lab_reads(r, &r->out);
    lab_reads(r, &r->in);
    lab_turn(r, LAB_KERNELS);
    subtract_offsets(&d, &r->out, &r->in);
    return degree_close(&d, 32.0 * d.n);
}

const lab_rung degree_csr_offsets = {
    .name = "csr-offsets",
    .title = "CSR and its transpose: differences of offsets",
    .against = "csr-count",
    .changed = "The blog's computeDegrees, for both directions: two subtractions a vertex, no arc is read. The "
               "transpose, made before the clock starts, "
               "doubles what is held: 16 n + 8 m bytes.",
    .wins = "By the mean degree, and more: nothing is looked up anywhere.",
    .loses = "Only if the transpose has to be made for it, which is several times the work of counting.",
    .model = "16 n (two arrays of offsets) + 16 n (degrees) + 48 n",
    .source = "lab/degree/csr_offsets.c",
    .device = LAB_CPU,
    .run = run,
};
