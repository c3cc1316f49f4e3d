/* Mutable adjacency lists of a dynamic graph, in both directions: sorted rows of slots, changed in place. Read by the
 * incremental algorithms, on the writer's thread only.
 * Encoding: a row is a block of 4, 8, 16, ... targets followed by their weights; blocks come from a size-class
 * allocator. */
#ifndef WFI_DYNAMIC_ADJACENCY_H
#define WFI_DYNAMIC_ADJACENCY_H

#include "graph/graph.h"

/* Capacity for `slots` slots and some more. */
static inline uint64_t wfi_slot_capacity(weft_vid slots) { return (uint64_t)slots + slots / 2 + 64; }

/* Targets ascend; weights, if there are any, follow the capacity for targets. */
typedef struct wfi_adjacency_row {
    weft_vid *to;
    uint32_t count, capacity;
} wfi_adjacency_row;

typedef struct wfi_adjacency {
    bool directed, weighted;
    weft_vid slots;
    uint64_t capacity, arcs;
    wfi_adjacency_row *out, *in; /* the same array if undirected */
    void *spare[32];             /* free blocks by the logarithm of their capacity; each begins with a pointer to the
                                  * next */
    struct wfi_chunk *chunk;     /* chunks of memory; blocks are cut from the first */
    size_t left;                 /* unused bytes of the first chunk */
} wfi_adjacency;

static inline double *wfi_adjacency_weights(const wfi_adjacency_row *row) {
    return (double *)(void *)(row->to + row->capacity);
}
/* Weight of arc i of the row; 1 in an unweighted graph. */
static inline double wfi_adjacency_weight(const wfi_adjacency *l, const wfi_adjacency_row *row, uint32_t i) {
    return l->weighted ? wfi_adjacency_weights(row)[i] : 1;
}

/* Loads a graph with vertex v in slot order[v] (NULL: v). */
weft_status wfi_adjacency_load(weft_ctx *ctx, wfi_adjacency *l, const weft_graph *g, const weft_vid *order,
                               weft_vid slots);
void wfi_adjacency_end(wfi_adjacency *l);
/* Adds empty rows up to `slots` slots. */
weft_status wfi_adjacency_grow(weft_ctx *ctx, wfi_adjacency *l, weft_vid slots);

/* Position of an arc in a row, or its insertion point. */
uint32_t wfi_adjacency_place(const wfi_adjacency_row *row, weft_vid to);
static inline bool wfi_adjacency_has(const wfi_adjacency *l, weft_vid u, weft_vid v, double *weight) {
    const wfi_adjacency_row *row = &l->out[u];
    uint32_t at = wfi_adjacency_place(row, v);
    if (at == row->count || row->to[at] != v) return false;
    *weight = wfi_adjacency_weight(l, row, at);
    return true;
}
/* Insertion of a missing edge, in both directions; deletion and reweighting of an existing one. Rows do not shrink,
 * so a deleted edge can be inserted again without allocation. */
weft_status wfi_adjacency_insert(weft_ctx *ctx, wfi_adjacency *l, weft_vid u, weft_vid v, double weight);
void wfi_adjacency_delete(wfi_adjacency *l, weft_vid u, weft_vid v);
void wfi_adjacency_weigh(wfi_adjacency *l, weft_vid u, weft_vid v, double weight);

/* Iterates over the neighbours of a slot, ignoring direction: ascending, each once, without the slot itself. */
typedef struct wfi_adjacency_walk {
    const weft_vid *a, *b;
    uint32_t i, a_count, k, b_count;
    weft_vid self;
} wfi_adjacency_walk;
static inline wfi_adjacency_walk wfi_adjacency_neighbours(const wfi_adjacency *l, weft_vid u) {
    const wfi_adjacency_row *a = &l->out[u], *b = &l->in[u];
    return (wfi_adjacency_walk){a->to, b->to, 0, a->count, 0, l->directed ? b->count : 0, u};
}
static inline bool wfi_adjacency_next(wfi_adjacency_walk *w, weft_vid *v) {
    while (w->i < w->a_count || w->k < w->b_count) {
        weft_vid x = w->i < w->a_count ? w->a[w->i] : WEFT_NO_VERTEX,
                 y = w->k < w->b_count ? w->b[w->k] : WEFT_NO_VERTEX;
        *v = x < y ? x : y;
        w->i += x == *v;
        w->k += y == *v;
        if (*v != w->self) return true;
    }
    return false;
}

#endif
