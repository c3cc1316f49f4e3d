/* The end of weak and strong components on the GPU: from trees to labels, and how many and how large they are.
 * Method: vertices are counted at their root by atomic additions, the last of which sees how many there are in all.  One address for
 * most of the vertices would be a queue: so each block asks 32 vertices for their root, and counts the most frequent one apart. */
#include "algo/components/forest.cuh"

enum { THREADS = 512, MOST_BLOCKS = 1056, WARP = 32 };

namespace {

struct tally {
    unsigned roots, largest;
};

} // namespace

__device__ static unsigned warp_sum(unsigned x) {
    for (int far = WARP / 2; far; far /= 2) x += __shfl_xor_sync(~0u, x, far);
    return x;
}

__device__ static unsigned warp_max(unsigned x) {
    for (int far = WARP / 2; far; far /= 2) x = max(x, __shfl_xor_sync(~0u, x, far));
    return x;
}

__device__ static weft_vid frequent_root(const weft_vid *label, weft_vid n) {
    __shared__ weft_vid root;
    if (threadIdx.x < WARP) {
        uint64_t x = (threadIdx.x + 1) * 0x9e3779b97f4a7c15u;
        weft_vid v = (weft_vid)((x ^ x >> 29) % n), up;
        while ((up = __ldcg(&label[v])) != v) v = up;
        unsigned votes = (unsigned)__popc(__match_any_sync(~0u, v));
        if (votes == warp_max(votes)) atomicExch(&root, v); /* of equals any will do */
    }
    __syncthreads();
    return root;
}

__global__ static void settle(weft_vid *label, weft_vid n, uint32_t *size, tally *t) {
    __shared__ unsigned in_frequent, largest, roots;
    weft_vid frequent = frequent_root(label, n);
    unsigned my_roots = 0, mine = 0, most = 0;
    if (threadIdx.x == 0) in_frequent = largest = roots = 0;
    __syncthreads();
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_vid root = wfi_hang_below_root(label, (weft_vid)v);
        my_roots += root == v;
        if (root == frequent)
            mine++;
        else
            most = max(most, atomicAdd(&size[root], 1u) + 1);
    }
    my_roots = warp_sum(my_roots);
    mine = warp_sum(mine);
    most = warp_max(most);
    if (threadIdx.x % WARP == 0) {
        atomicAdd(&roots, my_roots);
        atomicAdd(&in_frequent, mine);
        atomicMax(&largest, most);
    }
    __syncthreads();
    if (threadIdx.x) return;
    if (in_frequent) largest = max(largest, atomicAdd(&size[frequent], in_frequent) + in_frequent);
    if (roots) atomicAdd(&t->roots, roots);
    if (largest > __ldcg(&t->largest)) atomicMax(&t->largest, largest);
}

weft_status wfi_components_settle_cuda(weft_ctx *ctx, weft_vid *label, weft_vid n, uint32_t *size, uint64_t *count,
                                       uint64_t *largest) {
    wfi_buffer<tally> t;
    tally seen = {};
    weft_status st = t.take_zeroed(ctx, 1);
    if (st) return st;
    settle<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream()>>>(label, n, size, t.data);
    st = wfi_download(ctx, &seen, t.data, sizeof seen);
    *count = seen.roots;
    *largest = seen.largest;
    return st;
}
