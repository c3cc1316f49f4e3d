/* Rung 1: after each batch the CSR is built anew. */
#include "afford.h"
#include "dynamic.h"

/* --- excerpt --- */
static void apply(const changing_stream *s, size_t first, size_t end, const changing_rows *now,
                  const changing_rows *next) {
    changing_sort(s, first, end);
    changing_merge(now, s->key, end - first, s->n, next); /* all n rows, all m arcs, for the arcs of a batch */
}
/* --- end --- */

static weft_status run(lab_run *r) {
    changing_stream s;
    weft_status st = changing_open(r, &s);
    if (st) return st;
    changing_rows side[2];
    for (int i = 0; i < 2; i++) {
        side[i].offsets = lab_take(r, (s.n + (size_t)1) * sizeof *side[i].offsets);
        side[i].targets = lab_take(r, (size_t)r->out.arcs * sizeof *side[i].targets);
        if (!side[i].offsets || !side[i].targets) return WEFT_ENOMEM;
    }
    int now = 0;
    lab_turn(r, LAB_COPY_IN);
    changing_merge(&s.base, NULL, 0, s.n, &side[now]);
    lab_turn(r, LAB_KERNELS);
    for (size_t first = 0; first < s.count && !lab_stopped(r); first = changing_batch_end(&s, first), now = !now)
        apply(&s, first, changing_batch_end(&s, first), &side[now], &side[!now]);
    return changing_close(&s, changing_row_of, &side[now]);
}

static const char *serves(lab_run *r) {
    const char *why = changing_serves(r);
    double arcs = (double)r->out.arcs, batches = arcs / 2 / CHANGING_BATCH + 1;
    return why ? why : lab_too_slow(r, batches * (1e-9 * arcs + 4e-9 * r->out.vertices));
}

const lab_rung changing_rebuild = {
    .name = "rebuild",
    .title = "a CSR, built anew after each batch",
    .changed =
        "The static graph, as every library has it: for each batch of 1,000 arcs all rows are copied to a second CSR, "
        "the new arcs in between. Readers may keep the old one.",
    .wins = "Reading: nothing is faster to scan. And batches that are a good part of the graph.",
    .loses = "To everything else, where a batch is small: 1,000 arcs cost what all of them cost.",
    .source = "lab/dynamic/rebuild.c",
    .device = LAB_CPU,
    .serves = serves,
    .run = run,
};
