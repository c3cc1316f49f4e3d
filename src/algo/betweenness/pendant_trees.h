/* Folds: trees that hang on an undirected graph need no searches of their own, where shortest paths from all vertices
 * to all are counted [1].
 * A vertex of one arc is taken away, again and again; what stays is the core, with one vertex at least of each
 * component.  A vertex of a tree that hangs at u sees the core as u does, from farther away: u's search counts once
 * more for it, with the same bits.  All else is known without a search: in a component of n vertices, where b of them
 * hang at a vertex by one of its arcs, u included,
 *   b (n - b) ordered pairs are joined across that arc, each way;
 *   of a vertex in a tree, (n - 1)^2, less the squares of its branches, pairs lie in different ones;
 *   of u itself, those that begin in one of its trees and end elsewhere are b (n - 1 - b) for each.
 * [1] Sariyuce, Kaya, Saule, Catalyurek, "Graph Manipulations for Fast Centrality Computation", ACM TKDD 11(3),
 * 2017. */
#ifndef WFI_BETWEENNESS_PENDANT_TREES_H
#define WFI_BETWEENNESS_PENDANT_TREES_H

#include "algo/betweenness/wide_double.h"
#include "graph/graph.h"

WFI_C_BEGIN

typedef struct wfi_pendant_trees {
    weft_vid *below; /* vertices that hang with v at the core or at a tree, v included; 0: v is of the core */
    weft_vid *all;   /* vertices of v's component */
} wfi_pendant_trees;

/* queue: room for all vertices. */
weft_status wfi_pendant_trees_make(weft_ctx *ctx, const weft_graph *g, const wfi_pendant_trees *f, weft_vid *queue);

/* Does u hang at v, which it has an arc to? */
WFI_HOST_DEVICE static inline bool wfi_hangs(const wfi_pendant_trees *f, weft_vid u, weft_vid v) {
    return f->below[u] && (!f->below[v] || f->below[u] < f->below[v]);
}

/* Every `step`-th arc of row v, from the k-th on: what branches bring v, and where at_arc is not NULL what arcs of
 * trees have. */
WFI_HOST_DEVICE static inline uint64_t wfi_pendant_arcs(const wfi_pendant_trees *f, const wfi_view *out, weft_vid v,
                                                        unsigned k, unsigned step, wfi_wide_sum *at_arc) {
    uint64_t sum = 0, n = f->all[v], mine = f->below[v];
    for (weft_eid e = out->offsets[v] + k; e < out->offsets[v + 1]; e += step) {
        uint64_t b = wfi_hangs(f, out->targets[e], v) ? f->below[out->targets[e]] : 0, across = b ? b : mine;
        sum += mine ? b * b : b * (n - 1 - b);
        if (!at_arc || !across) continue;
        at_arc[e].whole = across * (n - across);
        at_arc[e].part = 0;
    }
    return sum;
}

/* With what branches bring; ends: vertices are on the paths that begin or end there. */
WFI_HOST_DEVICE static inline void wfi_pendant_vertex(const wfi_pendant_trees *f, weft_vid v, uint64_t branches,
                                                      bool ends, wfi_wide_sum *sum) {
    uint64_t n = f->all[v], above = n - f->below[v];
    if (f->below[v]) {
        sum->whole = (n - 1) * (n - 1) - above * above - branches;
        sum->part = 0;
    } else {
        sum->whole += branches;
    }
    if (ends) sum->whole += 2 * (n - 1);
}

WFI_C_END
#endif
