/* See gpu.h.  The weights of each row are added in their order by a warp (shared/pull/pull.cuh); o->sums serves as the
 * place of the first weight that cannot be used. */
#include "ops/gpu.h"
#include "shared/pull/pull.cuh"

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

__global__ static void add_weights(wfi_view rows, double *sum, unsigned long long *bad) {
    uint64_t warps = (uint64_t)gridDim.x * THREADS / WARP;
    for (uint64_t k = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WARP; k < rows.count; k += warps) {
        double all = wfi_warp_row_sum(rows, rows.type, (weft_vid)k, bad);
        if (threadIdx.x % WARP == 0) sum[k] = all;
    }
}

weft_status wfi_ops_row_weights_gpu(wfi_ops *o, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                                    double *sum) {
    weft_ctx *ctx = o->ctx;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned long long bad;
    if (!rows->count) return WEFT_OK;
    WFI_CUDA(cudaMemsetAsync(o->sums, 0xff, sizeof bad, stream));
    add_weights<<<wfi_grid((uint64_t)rows->count * WARP, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
        *rows, sum, (unsigned long long *)o->sums);
    weft_status st = wfi_download(ctx, &bad, o->sums, sizeof bad);
    if (st) return st;
    WFI_CUDA(cudaMemsetAsync(o->sums, 0, sizeof bad, stream));
    return bad == ~0ull ? WEFT_OK : wfi_refuse_share(ctx, algorithm, g, bad);
}

weft_status wfi_ops_timed(wfi_ops *o, weft_status (*drive)(wfi_ops *o, void *state, struct wfi_job *job), void *state,
                          struct wfi_job *job) {
    wfi_kernel_scope stage(o->ctx, "iterations");
    return drive(o, state, job);
}
