/* A disjoint-set forest over vertices, which several threads link concurrently: weak components, or parts of them.
 * Every parent is smaller than its child, so that the root is the smallest vertex of its tree. */
#ifndef WFI_UNION_FIND_FOREST_H
#define WFI_UNION_FIND_FOREST_H

#include "graph/graph.h"

/* Several threads read and write labels concurrently; each is a value on its own, so no order is needed. */
static inline weft_vid wfi_load_relaxed(const weft_vid *place) { return __atomic_load_n(place, __ATOMIC_RELAXED); }
static inline void wfi_store_relaxed(weft_vid *place, weft_vid value) {
    __atomic_store_n(place, value, __ATOMIC_RELAXED);
}

/* The root above v.  The path is halved on the way: a vertex that is not a root never becomes one again, and its parent
 * only changes to another ancestor, so that a lost update costs time and nothing else. */
static inline weft_vid wfi_root_of(weft_vid *parent, weft_vid v) {
    weft_vid at = wfi_load_relaxed(&parent[v]);
    for (weft_vid above; at != (above = wfi_load_relaxed(&parent[at])); at = above) {
        wfi_store_relaxed(&parent[v], above);
        v = at;
    }
    return at;
}

/* Hangs v directly below its root, while other threads do the same with their vertices and none joins trees: only
 * parent[v] is written. */
static inline void wfi_compress_path(weft_vid *parent, weft_vid v) {
    weft_vid at = wfi_load_relaxed(&parent[v]);
    for (weft_vid above; at != (above = wfi_load_relaxed(&parent[at])); at = above) {}
    wfi_store_relaxed(&parent[v], at);
}

/* Returns the root that now hangs below the other, or WEFT_NO_VERTEX if both were in one tree. */
static inline weft_vid wfi_join(weft_vid *parent, weft_vid u, weft_vid v) {
    if (wfi_load_relaxed(&parent[u]) == wfi_load_relaxed(&parent[v])) return WEFT_NO_VERTEX;
    weft_vid a = wfi_root_of(parent, u), b = wfi_root_of(parent, v);
    while (a != b) {
        weft_vid high = a > b ? a : b, low = a > b ? b : a, above = high;
        if (__atomic_compare_exchange_n(&parent[high], &above, low, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return high;
        a = wfi_root_of(parent, above);
        b = low;
    }
    return WEFT_NO_VERTEX;
}

#endif
