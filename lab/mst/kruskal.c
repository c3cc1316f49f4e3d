/* Rung 1: all edges sorted, then taken one after the other. */
#include "mst.h"

#include <stdlib.h>

static int by_weight(const void *a, const void *b) {
    const mst_edge *x = a, *y = b;
    return mst_before(y->weight, y->arc, x->weight, x->arc) - mst_before(x->weight, x->arc, y->weight, y->arc);
}

static weft_status find(forest *f) {
    mst_edge *list = lab_take(f->r, ((size_t)f->out->arcs + 1) * sizeof *list);
    if (!list) return WEFT_ENOMEM;
    lab_turn(f->r, LAB_KERNELS);
    /* --- excerpt --- */
    size_t edges = mst_list(f, list);
    qsort(list, edges, sizeof *list, by_weight);
    for (size_t i = 0; i < edges; i++) {
        if (i % 4096 == 0 && lab_stopped(f->r)) return WEFT_ECANCELLED;
        if (mst_join(f, list[i].u, list[i].v)) f->taken[list[i].arc] = 1;
    }
    /* --- end --- */
    return WEFT_OK;
}

static weft_status run(lab_run *r) { return mst_run(r, find); }

const lab_rung mst_kruskal = {
    .name = "kruskal",
    .title = "CPU: sort all edges, take what closes no cycle",
    .changed = "Kruskal's algorithm as it is taught: edges in order, each taken if its ends are in two trees.",
    .wins = "Small graphs, and trees: three lines, and the sort is the library's.",
    .loses = "Dense graphs: it sorts all edges, most of which are never needed, on one core.",
    .source = "lab/mst/kruskal.c",
    .device = LAB_CPU,
    .run = run,
};
