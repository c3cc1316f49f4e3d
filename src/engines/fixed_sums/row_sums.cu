/* See fixed_sums.h: a warp adds the weights of a row in their order. */
#include "cuda/buffers.cuh"
#include "engines/fixed_sums/fixed_sums.cuh"

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

__global__ static void add_weights(wfi_view rows, double *sum, unsigned long long *bad) {
    uint64_t warps = wfi_all_threads() / WARP;
    for (uint64_t k = wfi_thread() / WARP; k < rows.count; k += warps) {
        double all = wfi_warp_row_sum(rows, rows.type, (weft_vid)k, bad);
        if (threadIdx.x % WARP == 0) sum[k] = all;
    }
}

weft_status wfi_row_sums_cuda(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                              double *sum, uint64_t *scratch) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    uint64_t bad;
    if (!rows->count) return WEFT_OK;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(scratch, 0xff, sizeof bad, stream));
    add_weights<<<wfi_grid((uint64_t)rows->count * WARP, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
        *rows, sum, (unsigned long long *)scratch);
    weft_status st = wfi_download(ctx, &bad, scratch, sizeof bad);
    if (st) return st;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(scratch, 0, sizeof bad, stream));
    return bad == UINT64_MAX ? WEFT_OK : wfi_refuse_share(ctx, algorithm, g, bad);
}
