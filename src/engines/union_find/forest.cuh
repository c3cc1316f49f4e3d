/* A disjoint-set forest over vertices on the GPU, which threads link at once (forest.h is the CPU's): components, and
 * trees that grow.
 * Encoding: label[v] <= v leads towards the root of v's tree, the smallest vertex in it.  Trees are linked by hanging
 * the larger root below the smaller one, so the roots in the end do not depend on the order. */
#ifndef WFI_UNION_FIND_FOREST_CUH
#define WFI_UNION_FIND_FOREST_CUH

#include "graph/graph.h"

/* One step up.  The first cache may still hold where v hung before: that leads to the same root by a longer way, and
 * who takes an old root for one is put right by the compare-and-swap.  Asked of the second cache, the root of a large
 * tree would be a queue. */
__device__ static inline weft_vid wfi_above(const weft_vid *label, weft_vid v) { return __ldca(&label[v]); }

/* Halves the way that it goes; whoever else writes there writes something above v as well. */
__device__ static inline weft_vid wfi_root_of(weft_vid *label, weft_vid v) {
    weft_vid up = wfi_above(label, v);
    while (up != v) {
        weft_vid above = wfi_above(label, up);
        if (above != up) label[v] = above;
        v = up;
        up = above;
    }
    return v;
}

/* Hangs v directly below its root, which it returns, while others do the same with theirs and nobody joins trees.  Only
 * v's own place is written, step by step: in a long chain everybody's way halves at once. */
__device__ static inline weft_vid wfi_hang_below_root(weft_vid *label, weft_vid v) {
    weft_vid up = wfi_above(label, v), above;
    while ((above = wfi_above(label, up)) != up) label[v] = up = above;
    return up;
}

/* Returns the root that came to hang below the other, or WEFT_NO_VERTEX: both were in one tree. */
__device__ static inline weft_vid wfi_join(weft_vid *label, weft_vid u, weft_vid v) {
    if (wfi_above(label, u) == wfi_above(label, v)) return WEFT_NO_VERTEX;
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
