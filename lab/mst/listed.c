/* Rung 3: rung 2 with a list of edges that each round makes shorter. */
#include "mst.h"

/* --- excerpt --- */
/* Ends become roots; what lies within a tree leaves the list; the others ask to be first: place + 1 in the list. */
static size_t shorten(const forest *f, mst_edge *list, size_t count, uint64_t *first) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        mst_edge e = list[i];
        if (i % 4096 == 0 && lab_stopped(f->r)) return 0;
        e.u = mst_root(f, e.u);
        e.v = mst_root(f, e.v);
        if (e.u == e.v) continue;
        list[kept++] = e;
        for (int end = 0; end < 2; end++) {
            uint64_t *best = &first[end ? e.v : e.u];
            const mst_edge *now = &list[*best ? *best - 1 : 0];
            if (!*best || mst_before(e.weight, e.arc, now->weight, now->arc)) *best = kept;
        }
    }
    return kept;
}
/* --- end --- */

static void take(forest *f, const mst_edge *list, uint64_t *first) {
    for (weft_vid v = 0; v < f->n; v++) {
        if (!first[v]) continue;
        const mst_edge *e = &list[first[v] - 1];
        f->taken[e->arc] = 1;
        mst_join(f, e->u, e->v);
        first[v] = 0;
    }
}

static weft_status find(forest *f) {
    mst_edge *list = lab_take(f->r, ((size_t)f->out->arcs + 1) * sizeof *list);
    uint64_t *first = lab_take(f->r, (f->n + (size_t)1) * sizeof *first);
    if (!list || !first) return WEFT_ENOMEM;
    lab_turn(f->r, LAB_KERNELS);
    for (size_t count = mst_list(f, list); (count = shorten(f, list, count, first));) take(f, list, first);
    return lab_stopped(f->r) ? WEFT_ECANCELLED : WEFT_OK;
}

static weft_status run(lab_run *r) { return mst_run(r, find); }

const lab_rung mst_listed = {
    .name = "listed",
    .title = "CPU: the same on a list that gets shorter",
    .against = "boruvka",
    .changed = "Edges become a list. A round puts the roots of their trees in the place of their ends, and what lies "
               "within a tree is never looked at again.",
    .wins = "Sparse graphs of many rounds: the list is short after two or three.",
    .loses = "A dense graph: writing the list costs more than the few passes that it saves.",
    .source = "lab/mst/listed.c",
    .device = LAB_CPU,
    .run = run,
};
