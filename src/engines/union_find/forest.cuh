/* A disjoint-set forest over vertices on the GPU, which threads link concurrently (CPU: forest.h): components, and
 * trees that grow.
 * Encoding: label[v] <= v leads towards the root of v's tree, the smallest vertex in it.  A link hangs the larger root
 * below the smaller one, so the final roots do not depend on the order. */
#ifndef WFI_UNION_FIND_FOREST_CUH
#define WFI_UNION_FIND_FOREST_CUH

#include "graph/graph.h"

/* The parent.  The first cache may still hold an old parent: that leads to the same root by a longer way, and a thread
 * that takes an old root for a root is corrected by the compare-and-swap.  Reads from the second cache would queue up
 * at the root of a large tree. */
__device__ static inline weft_vid wfi_parent_of(const weft_vid *label, weft_vid v) { return __ldca(&label[v]); }

/* Halves the path on the way; every concurrent write to label[v] is an ancestor of v as well. */
__device__ static inline weft_vid wfi_root_of(weft_vid *label, weft_vid v) {
    weft_vid up = wfi_parent_of(label, v);
    while (up != v) {
        weft_vid above = wfi_parent_of(label, up);
        if (above != up) label[v] = above;
        v = up;
        up = above;
    }
    return v;
}

/* Hangs v directly below its root and returns the root, while other threads do the same with their vertices and none
 * joins trees.  Only label[v] is written, at every step: in a long chain all paths halve at the same time. */
__device__ static inline weft_vid wfi_compress_path(weft_vid *label, weft_vid v) {
    weft_vid up = wfi_parent_of(label, v), above;
    while ((above = wfi_parent_of(label, up)) != up) label[v] = up = above;
    return up;
}

/* Returns the root that now hangs below the other, or WEFT_NO_VERTEX if both were in one tree. */
__device__ static inline weft_vid wfi_join(weft_vid *label, weft_vid u, weft_vid v) {
    if (wfi_parent_of(label, u) == wfi_parent_of(label, v)) return WEFT_NO_VERTEX;
    u = wfi_root_of(label, u);
    v = wfi_root_of(label, v);
    while (u != v) {
        weft_vid low = u < v ? u : v, high = u < v ? v : u;
        weft_vid was = atomicCAS(&label[high], high, low);
        if (was == high) return high;
        u = wfi_root_of(label, was);
        v = low;
    }
    return WEFT_NO_VERTEX;
}

#endif
