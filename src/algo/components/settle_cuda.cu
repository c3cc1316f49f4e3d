/* The end of weak and strong components on the GPU: from trees to labels, and how many and how large they are. */
#include "algo/components/forest.cuh"

#include <cub/device/device_reduce.cuh>

enum { THREADS = 256, MOST_BLOCKS = 2048, WARP = 32 };

struct tally {
    unsigned long long roots, in_giant;
    uint32_t rival; /* the largest but for the giant */
};

__global__ static void settle(weft_vid *label, weft_vid n, const weft_vid *giant, uint32_t *size, tally *t) {
    weft_vid large = *giant, up;
    while ((up = __ldcg(&label[large])) != large) large = up;
    unsigned roots = 0, in_giant = 0;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_vid mine = wfi_hang_below_root(label, (weft_vid)v);
        roots += mine == v;
        in_giant += mine == large;
        if (mine != large) atomicAdd(&size[mine], 1u);
    }
    for (int far = WARP / 2; far; far /= 2) {
        roots += __shfl_down_sync(~0u, roots, far);
        in_giant += __shfl_down_sync(~0u, in_giant, far);
    }
    if (threadIdx.x % WARP) return;
    if (roots) atomicAdd(&t->roots, (unsigned long long)roots);
    if (in_giant) atomicAdd(&t->in_giant, (unsigned long long)in_giant);
}

weft_status wfi_components_settle_cuda(weft_ctx *ctx, weft_vid *label, weft_vid n, const weft_vid *giant,
                                       uint32_t *size, uint64_t *count, uint64_t *largest) {
    cudaStream_t stream = wfi_cuda_stream();
    wfi_buffer<tally> t;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    tally seen = {};
    weft_status st = t.take_zeroed(ctx, 1);
    if (st) return st;
    WFI_CUDA(cudaMemsetAsync(size, 0, n * sizeof *size, stream));
    settle<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(label, n, giant, size, t.data);
    WFI_CUDA(cub::DeviceReduce::Max(NULL, bytes, size, &t.data->rival, (int64_t)n, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceReduce::Max(scratch.data, bytes, size, &t.data->rival, (int64_t)n, stream));
    st = wfi_download(ctx, &seen, t.data, sizeof seen);
    *count = seen.roots;
    *largest = wfi_max_u64(seen.in_giant, seen.rival);
    return st;
}
