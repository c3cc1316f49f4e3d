/* Labels and sizes from the forest of weak or strong components, GPU.  Method: trees are flattened, and vertices
 * counted at their root by atomic additions, the last of which sees the total.  One address for most vertices would
 * serialise them: so each warp counts one root separately, the most frequent of 32 vertices, until it meets 32 that are
 * not below it; and a block adds up the counts of its warps in the end. */
#include "algo/components/components_cuda.cuh"
#include "cuda/launch.cuh"
#include "cuda/warp.cuh"

enum {
    THREADS = 512,
    MOST_BLOCKS = 1056,
    WARP = 32,
    MANY = 4 /* vertices of a thread whose loads overlap */
};

/* run: the root that the warp counts separately; length: its count so far. */
__global__ static void __launch_bounds__(THREADS)
    flatten(weft_vid *label, weft_vid n, uint32_t *size, wfi_forest_tally *t) {
    __shared__ unsigned largest, roots, run_length[THREADS / WARP];
    __shared__ weft_vid run_root[THREADS / WARP];
    unsigned my_roots = 0, most = 0, length = 0, lane = threadIdx.x % WARP;
    weft_vid run = WEFT_NO_VERTEX;
    wfi_after_previous();
    if (threadIdx.x == 0) largest = roots = 0;
    __syncthreads();
    for (uint64_t base = (uint64_t)blockIdx.x * (MANY * THREADS); base < n;
         base += (uint64_t)gridDim.x * (MANY * THREADS)) {
        weft_vid v[MANY], root[MANY];
#pragma unroll
        for (int k = 0; k < MANY; k++) {
            uint64_t at = base + k * THREADS + threadIdx.x;
            v[k] = at < n ? (weft_vid)at : 0;
        }
        wfi_compress_paths<MANY>(label, v, root);
#pragma unroll
        for (int k = 0; k < MANY; k++) {
            bool there = base + k * THREADS + threadIdx.x < n;
            if (!there) root[k] = WEFT_NO_VERTEX;
            my_roots += there && root[k] == v[k];
            unsigned same = __ballot_sync(~0u, there && root[k] == run);
            if (!same) {
                unsigned owner = __ballot_sync(~0u, there);
                if (!owner) continue;
                if (lane == 0 && length) most = max(most, atomicAdd(&size[run], length) + length);
                unsigned votes = there ? (unsigned)__popc(__match_any_sync(owner, root[k])) : 0,
                         best = wfi_warp_max(votes);
                run = __shfl_sync(~0u, root[k], __ffs((int)__ballot_sync(~0u, votes == best)) - 1);
                same = __ballot_sync(~0u, root[k] == run);
                length = 0;
            }
            length += (unsigned)__popc(same);
            if (there && root[k] != run) most = max(most, atomicAdd(&size[root[k]], 1u) + 1);
        }
    }
    my_roots = wfi_warp_sum(my_roots);
    most = wfi_warp_max(most);
    if (lane == 0) {
        run_root[threadIdx.x / WARP] = run;
        run_length[threadIdx.x / WARP] = length;
        atomicAdd(&roots, my_roots);
        atomicMax(&largest, most);
    }
    __syncthreads();
    if (threadIdx.x >= WARP) return;
    run = lane < THREADS / WARP ? run_root[lane] : WEFT_NO_VERTEX;
    unsigned same = __match_any_sync(~0u, run);
    most = 0;
    if (run != WEFT_NO_VERTEX && lane == (unsigned)__ffs((int)same) - 1) {
        for (length = 0; same; same &= same - 1) length += run_length[__ffs((int)same) - 1];
        most = atomicAdd(&size[run], length) + length;
    }
    most = wfi_warp_max(most);
    if (lane) return;
    most = max(most, largest);
    if (roots) atomicAdd(&t->roots, roots);
    if (most > __ldcg(&t->largest)) atomicMax(&t->largest, most);
}

weft_status wfi_components_flatten_cuda(weft_ctx *ctx, weft_vid *label, weft_vid n, uint32_t *size,
                                        wfi_forest_tally *tally) {
    WFI_CUDA_OR_RETURN(
        wfi_launch_next(ctx, flatten, wfi_grid(n, MANY * THREADS, MOST_BLOCKS), THREADS, label, n, size, tally));
    return WEFT_OK;
}

weft_status wfi_components_tally_cuda(weft_ctx *ctx, const wfi_forest_tally *tally, uint64_t *count,
                                      uint64_t *largest) {
    wfi_forest_tally seen = {};
    weft_status st = wfi_download(ctx, &seen, tally, sizeof seen);
    *count = seen.roots;
    *largest = seen.largest;
    return st;
}
