/* Trees over the vertices for the GPU's weak components: label[v] <= v leads towards the root of v's tree, the smallest vertex in
 * it.  Trees are joined by hanging the larger root below the smaller one, so the roots in the end do not depend on the order. */
#ifndef WFI_COMPONENTS_TREES_CUH
#define WFI_COMPONENTS_TREES_CUH

#include "cuda/buffers.cuh"

__device__ static inline weft_vid root_of(weft_vid *label, weft_vid v) {
    weft_vid up = __ldcg(&label[v]);
    while (up != v) {
        weft_vid above = __ldcg(&label[up]);
        if (above != up)
            label[v] = above; /* halves the way; whoever else writes here writes something above v as well */
        v = up;
        up = above;
    }
    return v;
}

__device__ static inline void join(weft_vid *label, weft_vid u, weft_vid v) {
    u = root_of(label, u);
    v = root_of(label, v);
    while (u != v) {
        weft_vid low = u < v ? u : v, high = u < v ? v : u;
        weft_vid was = atomicCAS(&label[high], high, low);
        if (was == high) return;
        u = root_of(label, was);
        v = low;
    }
}

/* weak_cuda.cu: every vertex its own tree; every label its root; the label that a sample finds most often; how many components
 * the flat labels make, and how large the largest is. */
void wfi_trees_begin(weft_vid *label, weft_vid n);
void wfi_trees_flatten(weft_vid *label, weft_vid n);
weft_status wfi_trees_frequent(weft_ctx *ctx, const weft_vid *label, weft_vid n, weft_vid *giant);
weft_status wfi_trees_measure(weft_ctx *ctx, const weft_vid *label, weft_vid n, weft_vid giant, uint64_t *count,
                              uint64_t *largest);

#endif
