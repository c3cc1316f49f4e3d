/* A disjoint-set forest on the GPU, for weak and strong components, and what is read off it in the end.
 * Encoding: label[v] <= v leads towards the root of v's tree, the smallest vertex in it.  Trees are linked by hanging
 * the larger root below the smaller one, so the roots in the end do not depend on the order. */
#ifndef WFI_COMPONENTS_FOREST_CUH
#define WFI_COMPONENTS_FOREST_CUH

#include "cuda/buffers.cuh"

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

__device__ static inline void wfi_join(weft_vid *label, weft_vid u, weft_vid v) {
    if (wfi_above(label, u) == wfi_above(label, v)) return;
    u = wfi_root_of(label, u);
    v = wfi_root_of(label, v);
    while (u != v) {
        weft_vid low = u < v ? u : v, high = u < v ? v : u;
        weft_vid was = atomicCAS(&label[high], high, low);
        if (was == high) return;
        u = wfi_root_of(label, was);
        v = low;
    }
}

/* Hangs v directly below its root, which it returns, while others do the same with theirs and nobody joins trees.  Only
 * v's own place is written, step by step: in a long chain everybody's way halves at once. */
__device__ static inline weft_vid wfi_hang_below_root(weft_vid *label, weft_vid v) {
    weft_vid up = wfi_above(label, v), above;
    while ((above = wfi_above(label, up)) != up) label[v] = up = above;
    return up;
}

/* The same for several vertices at once, so that their reads are under way together.  up becomes their roots; 0, which
 * hangs below nobody, may stand for none. */
template <int MANY>
__device__ static inline void wfi_hang_below_roots(weft_vid *label, const weft_vid (&v)[MANY], weft_vid (&up)[MANY]) {
    bool more;
#pragma unroll
    for (int k = 0; k < MANY; k++) up[k] = wfi_above(label, v[k]);
    do {
        weft_vid above[MANY];
        more = false;
#pragma unroll
        for (int k = 0; k < MANY; k++) above[k] = wfi_above(label, up[k]);
#pragma unroll
        for (int k = 0; k < MANY; k++)
            if (above[k] != up[k]) {
                label[v[k]] = up[k] = above[k];
                more = true;
            }
    } while (more);
}

/* How many roots there are, and how many vertices below the busiest; on the GPU, zero before. */
struct wfi_forest_tally {
    unsigned roots, largest;
};

/* Every label becomes its root, and *tally is filled.  size: n zeros, on the GPU as label is.  Does not wait. */
weft_status wfi_components_settle_cuda(weft_ctx *ctx, weft_vid *label, weft_vid n, uint32_t *size,
                                       wfi_forest_tally *tally);
/* Waits. */
weft_status wfi_components_tally_cuda(weft_ctx *ctx, const wfi_forest_tally *tally, uint64_t *count, uint64_t *largest);

#endif
