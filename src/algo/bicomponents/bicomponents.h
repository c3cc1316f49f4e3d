/* Biconnected components by an arbitrary spanning forest [1]: bicomponents.c numbers and lists the blocks that CPU
 * cores (blocks_cpu.c) or the GPU (bicomponents_cuda.cu) find.
 *
 * Method: a forest, rooted in the smallest vertex of each component, is numbered in preorder, so that a subtree is a
 * range of numbers.  The bounds of a subtree are the smallest and the largest number adjacent to it.  The edge from v
 * up to its parent is a fence if no edge leads from the subtree of v out of that of the parent: then a block ends at
 * the parent.  Vertices are joined along the other tree edges, and along edges between branches; a set joined this way,
 * and the vertex above it, its head, is a block.
 * Encoding: a vertex that is not a root stands for the edge to its parent, so blocks are trees of a disjoint-set forest
 * over these vertices, named by the smallest.  The results do not depend on the spanning forest.
 * [1] Dong, Wang, Gu, Sun, "Provably Fast and Space-Efficient Parallel Biconnectivity", PPoPP 2023; after Tarjan,
 * Vishkin, "An Efficient Parallel Biconnectivity Algorithm", SIAM J. Comput. 14(4), 1985. */
#ifndef WFI_BICOMPONENTS_H
#define WFI_BICOMPONENTS_H

#include "run/algorithm.h"

WFI_C_BEGIN

enum { WFI_BICOMPONENTS_NUMBERS, WFI_BICOMPONENTS_TOURS }; /* methods */

/* Bounds of a range of numbers come from a binary tree over all n of them: the bounds of number k are at n + k, and the
 * union of places 2i and 2i + 1 is at i. */
typedef struct wfi_bounds {
    weft_vid low, high;
} wfi_bounds;

WFI_HOST_DEVICE static inline wfi_bounds wfi_bounds_both(wfi_bounds a, wfi_bounds b) {
    if (b.low < a.low) a.low = b.low;
    if (b.high > a.high) a.high = b.high;
    return a;
}

/* The bounds of a vertex's subtree. */
WFI_HOST_DEVICE static inline wfi_bounds wfi_bounds_of(const wfi_bounds *bound, weft_vid n, weft_vid pre,
                                                       weft_vid size) {
    wfi_bounds b = {pre, pre};
    uint64_t low = (uint64_t)n + pre, high = low + size;
    for (; low < high; low /= 2, high /= 2) {
        if (low % 2) b = wfi_bounds_both(b, bound[low++]);
        if (high % 2) b = wfi_bounds_both(b, bound[--high]);
    }
    return b;
}

/* True if no edge leads out of the subtree with these numbers. */
WFI_HOST_DEVICE static inline bool wfi_bounds_within(wfi_bounds b, weft_vid pre, weft_vid size) {
    return b.low >= pre && b.high - pre < size;
}

typedef struct wfi_blocks {
    weft_ctx *ctx;
    const weft_graph *g;
    weft_vid n;
    const wfi_view *rows[2]; /* the second, of a directed graph: the incoming rows */
    int sides;

    weft_vid *parent;     /* a root is its own */
    weft_vid *pre, *size; /* the subtree of v: numbers pre[v] ... pre[v] + size[v] - 1 */
    weft_vid *block, *head;
    uint32_t *count; /* blocks that contain the vertex */
    weft_vid *group; /* smallest vertex of the two-edge-connected component */
    uint64_t blocks, bridges, points, groups;
    /* On CPU cores: */
    uint64_t *ways;    /* number of unfinished neighbours in the forest; in the upper half the sum of their numbers */
    weft_vid *place;   /* position in the range of its parent */
    wfi_bounds *bound; /* 2n */
    uint64_t low;      /* first place of the current level of the tree of bounds */
    weft_vid numbered;
    bool stopped; /* atomic */
    void (*step)(struct wfi_blocks *b, weft_vid v);
} wfi_blocks;

/* Columns of vertices belong to the result.  The first call declares the four arrays that numbering components needs,
 * the second the others. */
void wfi_blocks_lay_out_named(wfi_workspace *w, weft_vid n, wfi_blocks *b);
void wfi_blocks_lay_out(wfi_workspace *w, weft_vid n, wfi_blocks *b);

/* Fills count and group, the columns; parent, pre, block and head, if they are declared; and the four numbers.  head[r]
 * is set if r names a block, and WEFT_NO_VERTEX elsewhere. */
typedef weft_status (*wfi_find_blocks)(wfi_job *job, wfi_blocks *b);
weft_status wfi_blocks_find(wfi_job *job, wfi_blocks *b);

/* A run, and its arrays on the host: all arrays of blocks, or with on_gpu only the four named ones, if they are
 * needed. */
weft_status wfi_bicomponents_run(wfi_job *job, bool on_gpu, wfi_find_blocks find);
void wfi_bicomponents_declare(wfi_workspace *w, const weft_graph *g, const void *params, bool on_gpu);

weft_status wfi_bicomponents_cuda(wfi_job *job);
void wfi_bicomponents_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);

static inline bool wfi_blocks_is_root(const wfi_blocks *b, weft_vid v) { return b->parent[v] == v; }

static inline bool wfi_blocks_is_below(const wfi_blocks *b, weft_vid v, weft_vid top) {
    return b->pre[v] - b->pre[top] < b->size[top];
}

/* The block of an edge between two vertices: that of the lower one. */
static inline weft_vid wfi_blocks_of_edge(const wfi_blocks *b, weft_vid u, weft_vid v) {
    return b->block[b->pre[u] > b->pre[v] ? u : v];
}

WFI_C_END
#endif
