/* Rung 3: the CSR: the chains laid end to end in one array, with a place where each begins.  In-degrees by counting targets. */
#include "degree.h"

enum { PIECE = 1 << 22 }; /* arcs counted between two looks at whether to stop */

/* --- excerpt --- */
static void count_targets(const degrees *d, const weft_csr *rows) {
    for (weft_vid u = 0; u < d->n; u++) d->out[u] = rows->offsets[u + 1] - rows->offsets[u];
    for (weft_eid e = 0, end = 0; e < rows->arcs && !lab_stopped(d->r);)
        for (end = rows->arcs - e < PIECE ? rows->arcs : e + PIECE; e < end; e++) d->in[rows->targets[e]]++;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    degrees d;
    weft_status st = degree_open(r, 0, &d);
    if (st) return st;
    lab_reads(r, &r->out);
    lab_turn(r, LAB_KERNELS);
    count_targets(&d, &r->out);
    return degree_close(&d, 16.0 * d.n + 20.0 * (double)r->out.arcs);
}

const lab_rung degree_csr_count = {
    .name = "csr-count",
    .title = "CSR: out-degrees by offsets, in-degrees by counting",
    .against = "list",
    .changed = "The lists are laid end to end in one array, and offsets say where each begins: 8 n + 4 m bytes held. "
               "An out-degree is a difference of two "
               "offsets; for in-degrees the targets are counted.",
    .wins = "Against the list: targets come in order, as fast as memory gives them, and 16 to a cache line.",
    .loses = "To a transpose, where there is one. To the list, when arcs are to be added.",
    .model = "16 n (offsets, out-degrees) + 4 m (targets) + 16 m (counters there and back) + 48 n",
    .source = "lab/degree/csr_count.c",
    .device = LAB_CPU,
    .run = run,
};
