/* Rung 2: every tree takes its first edge, all at once. */
#include "mst.h"

/* --- excerpt --- */
/* first[t]: the first edge that leads out of the tree whose root t is; arc + 1, 0 = none. */
static void ask(mst_edge *first, const mst_edge *e) {
    if (first->arc && !mst_before(e->weight, e->arc, first->weight, first->arc - 1)) return;
    *first = *e;
    first->arc++;
}

static bool make_round(forest *f, mst_edge *first) {
    bool joined = false;
    for (weft_vid v = 0; v < f->n; v++) first[v].arc = 0;
    for (weft_vid u = 0; u < f->n && !(u % 1024 == 0 && lab_stopped(f->r)); u++)
        for (weft_eid e = f->out->offsets[u]; e < f->out->offsets[u + 1]; e++) {
            weft_vid v = f->out->targets[e], a, b;
            if (!mst_is_edge(f, u, v) || (a = mst_root(f, u)) == (b = mst_root(f, v))) continue;
            mst_edge edge = {mst_weight(f, e), e, u, v};
            ask(&first[a], &edge);
            ask(&first[b], &edge);
        }
    for (weft_vid v = 0; v < f->n; v++) {
        if (!first[v].arc) continue;
        mst_join(f, first[v].u, first[v].v);
        f->taken[first[v].arc - 1] = joined = true;
    }
    return joined;
}
/* --- end --- */

static weft_status find(forest *f) {
    mst_edge *first = lab_take(f->r, (f->n + (size_t)1) * sizeof *first);
    if (!first) return WEFT_ENOMEM;
    lab_turn(f->r, LAB_KERNELS);
    while (make_round(f, first) && !lab_stopped(f->r)) {}
    return lab_stopped(f->r) ? WEFT_ECANCELLED : WEFT_OK;
}

static weft_status run(lab_run *r) { return mst_run(r, find); }

const lab_rung mst_boruvka = {
    .name = "boruvka",
    .title = "CPU: each tree takes its first edge, all at once",
    .against = "kruskal",
    .changed = "Nothing is sorted: in a round every tree finds its first edge to another tree, and all of these are "
               "taken. Rounds halve the trees, so there are some log n.",
    .wins = "Dense graphs: a few passes over arcs in the order of memory, which threads could share.",
    .loses = "Sparse graphs of many rounds, each of which looks at all arcs again, though most lie within a tree.",
    .source = "lab/mst/boruvka.c",
    .device = LAB_CPU,
    .run = run,
};
