/* sssp on the GPU: what the search and the pass for the parents share.
 * A distance D is a uint32_t for whole weights while all are below 2^32 - 1, else the bits of a double: they order like the numbers,
 * as none is negative.  The largest value of each means that there is no path. */
#ifndef WFI_SSSP_DEVICE_CUH
#define WFI_SSSP_DEVICE_CUH

#include "cuda/mirror.cuh"

typedef unsigned long long wfi_sssp_bits;

enum { WFI_SSSP_WARP = 32, WFI_SSSP_PIECE = 256 /* arcs of a row that a warp takes; longer ones are cut */ };

struct wfi_sssp_arcs {
    wfi_device_rows out;
    weft_vid n;
    weft_weight_type weights;
};

/* A piece of a long row, and the distance its vertex had. */
template <class D> struct wfi_sssp_piece {
    D at;
    weft_vid v;
    uint32_t index;
};

/* No path. */
template <class D> __host__ __device__ inline D wfi_sssp_none(void);
template <> __host__ __device__ inline uint32_t wfi_sssp_none<uint32_t>(void) { return UINT32_MAX; }
template <> __host__ __device__ inline wfi_sssp_bits wfi_sssp_none<wfi_sssp_bits>(void) { return 0x7ffull << 52; }

__device__ inline uint32_t wfi_sssp_weight_at(const wfi_sssp_arcs &g, weft_eid e) {
    return g.weights == WEFT_WEIGHT_NONE ? 1u : __ldg(&g.out.weights[e]);
}

/* at + weight; none when that is too far. */
__device__ inline uint32_t wfi_sssp_add(uint32_t at, uint32_t weight, weft_weight_type) {
    uint32_t sum = at + weight;
    return sum < at ? UINT32_MAX : sum;
}
__device__ inline wfi_sssp_bits wfi_sssp_add(wfi_sssp_bits at, uint32_t weight, weft_weight_type type) {
    double more = type == WEFT_WEIGHT_F32 ? (double)__uint_as_float(weight) : (double)weight;
    return (wfi_sssp_bits)__double_as_longlong(__longlong_as_double((long long)at) + more);
}

__device__ inline unsigned wfi_sssp_lane(void) { return threadIdx.x % WFI_SSSP_WARP; }

/* Of `mine` over the lanes of a warp: the sum of those before this lane, and of all. */
__device__ inline unsigned wfi_sssp_before(unsigned mine, unsigned *all) {
    unsigned sum = mine;
    for (int far = 1; far < WFI_SSSP_WARP; far *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, far);
        if ((int)wfi_sssp_lane() >= far) sum += left;
    }
    *all = __shfl_sync(~0u, sum, WFI_SSSP_WARP - 1);
    return sum - mine;
}

/* The rows of a warp's lanes lie end to end, each from `start` on: whose is `place`. */
__device__ inline int wfi_sssp_owner(unsigned start, unsigned place) {
    int lane = 0;
#pragma unroll
    for (int step = WFI_SSSP_WARP / 2; step; step /= 2)
        if (__shfl_sync(~0u, start, lane + step) <= place) lane += step;
    return lane;
}

/* Parents by the rule in parents.c from final distances.  hops: an arc may lead to the same distance.  `pieces` is scratch for those of all
 * rows that are longer than one; `scratch` has room for 2 n numbers. */
template <class D>
weft_status wfi_sssp_parents_cuda(weft_ctx *ctx, const wfi_sssp_arcs &g, bool directed, bool hops, weft_vid source,
                                  const D *distance, wfi_sssp_piece<D> *pieces, uint32_t *scratch, weft_vid *parent);

#endif
