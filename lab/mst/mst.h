/* Spanning forests, what the rungs share: the order of edges, trees, and the answer.
 * An edge is known by its arc, an undirected one by that from its smaller end.  Edges come by weight, equal ones by
 * arc: that is a total order, so that all rungs find the same forest.
 * Trees are a disjoint-set forest: above a vertex is a smaller one of its tree, until the root. */
#ifndef WEFT_LAB_MST_H
#define WEFT_LAB_MST_H

#include "lab.h"

typedef struct forest {
    lab_run *r;
    const weft_csr *out;
    weft_vid n;
    weft_weight_type type;
    bool directed, maximum;
    weft_vid *above;
    uint8_t *taken; /* by arc: is it in the forest? */
} forest;

typedef struct mst_edge {
    double weight; /* with its sign turned round for a maximum */
    weft_eid arc;
    weft_vid u, v;
} mst_edge;

/* Whole runs: find() takes the edges of the forest, the rest is made here. */
weft_status mst_run(lab_run *r, weft_status (*find)(forest *f));

double mst_weight(const forest *f, weft_eid arc);
/* All edges, in the order of arcs: list has room for as many as there are arcs.  Returns how many. */
size_t mst_list(const forest *f, mst_edge *list);

static inline bool mst_is_edge(const forest *f, weft_vid u, weft_vid v) { return f->directed ? u != v : u < v; }

static inline bool mst_before(double a_weight, weft_eid a, double b_weight, weft_eid b) {
    return a_weight < b_weight || (!(b_weight < a_weight) && a < b);
}

static inline weft_vid mst_root(const forest *f, weft_vid v) {
    while (f->above[v] != v) v = f->above[v] = f->above[f->above[v]];
    return v;
}

/* False: they were in one tree. */
static inline bool mst_join(const forest *f, weft_vid u, weft_vid v) {
    weft_vid a = mst_root(f, u), b = mst_root(f, v);
    f->above[a > b ? a : b] = a > b ? b : a;
    return a != b;
}

extern const lab_rung mst_kruskal, mst_boruvka, mst_listed, mst_engine, mst_engine_gpu;

#endif
