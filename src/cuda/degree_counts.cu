/* The distribution of degrees (degree_counts.cuh): a counter for each small degree, and a list of the large degrees.
 * Each block counts the smallest degrees in shared memory first.  The list has any order and is sorted on the host. */
#include "cuda/degree_counts.cuh"

enum { THREADS = 256, MOST_BLOCKS = 1024, TINY = 2048 };

typedef unsigned long long count;

__global__ static void count_degrees(const count *degree, weft_vid n, uint64_t smalls, wfi_degree_counting c) {
    __shared__ unsigned few[TINY];
    for (unsigned d = threadIdx.x; d < TINY; d += blockDim.x) few[d] = 0;
    __syncthreads();
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads())
        if (degree[v] < TINY)
            atomicAdd(&few[degree[v]], 1u);
        else if (degree[v] < smalls)
            atomicAdd(&c.small[degree[v]], 1ull);
        else
            c.large[atomicAdd(c.larges, 1ull)] = degree[v];
    __syncthreads();
    for (unsigned d = threadIdx.x; d < TINY && d < smalls; d += blockDim.x)
        if (few[d]) atomicAdd(&c.small[d], (count)few[d]);
}

void wfi_degree_counting_lay_out(wfi_workspace *device, const wfi_degree_counts *counts, wfi_degree_counting *c) {
    wfi_array(device, &c->small, counts->smalls);
    wfi_array_within(device, &c->large, counts->most_large);
    wfi_array(device, &c->larges, 1);
}

weft_status wfi_degree_counting_run(weft_ctx *ctx, const count *degree, weft_vid n, const wfi_degree_counts *counts,
                                    const wfi_degree_counting *c) {
    weft_status st = wfi_zero(ctx, c->small, counts->smalls);
    if (!st) st = wfi_zero(ctx, c->larges, 1);
    if (st) return st;
    count_degrees<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(degree, n, counts->smalls,
                                                                                           *c);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

weft_status wfi_degree_counting_download(weft_ctx *ctx, const wfi_degree_counting *c, wfi_degree_counts *counts) {
    weft_status st = wfi_download(ctx, counts->small, c->small, counts->smalls * sizeof *counts->small);
    if (!st) st = wfi_download(ctx, &counts->larges, c->larges, sizeof counts->larges);
    if (!st && counts->larges) st = wfi_download(ctx, counts->large, c->large, counts->larges * sizeof *counts->large);
    if (!st) wfi_sort_large_degrees(counts);
    return st;
}
