/* Degrees, GPU.  Out-degrees are row lengths; in-degrees of a directed graph are counted, an atomic addition for each arc, without its transpose.
 * The distribution is a histogram: small degrees, which most vertices have, are counted by each block in shared memory first. */
#include "algo/degree/degree_cuda.h"
#include "cuda/mirror.cuh"

enum { THREADS = 256, MOST_BLOCKS = 4096, SMALL = 2048, WARP = 32 };

typedef unsigned long long count;

namespace {

/* The three columns are one block. */
struct columns {
    count *in, *out, *total;
};

} // namespace

__device__ static uint64_t this_thread(void) { return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; }
__device__ static uint64_t all_threads(void) { return (uint64_t)gridDim.x * blockDim.x; }

__global__ static void count_targets(const weft_vid *targets, weft_eid arcs, count *in) {
    for (weft_eid e = this_thread(); e < arcs; e += all_threads()) atomicAdd(&in[targets[e]], 1ull);
}

__global__ static void measure_rows(const weft_eid *offsets, weft_vid n, bool directed, columns c, count *max) {
    count most = 0;
    for (uint64_t v = this_thread(); v < n; v += all_threads()) {
        count out = offsets[v + 1] - offsets[v], total = directed ? out + c.in[v] : out;
        c.out[v] = out;
        c.total[v] = total;
        if (!directed) c.in[v] = out;
        most = most < total ? total : most;
    }
    for (int far = WARP / 2; far; far /= 2) {
        count other = __shfl_xor_sync(~0u, most, far);
        most = most < other ? other : most;
    }
    if (threadIdx.x % WARP == 0) atomicMax(max, most);
}

__global__ static void count_degrees(const count *total, weft_vid n, count max, count *histogram) {
    __shared__ unsigned few[SMALL];
    for (unsigned d = threadIdx.x; d < SMALL; d += blockDim.x) few[d] = 0;
    __syncthreads();
    for (uint64_t v = this_thread(); v < n; v += all_threads())
        if (total[v] < SMALL)
            atomicAdd(&few[total[v]], 1u);
        else
            atomicAdd(&histogram[total[v]], 1ull);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < SMALL && d <= max; d += blockDim.x)
        if (few[d]) atomicAdd(&histogram[d], (count)few[d]);
}

static weft_status count_all(weft_ctx *ctx, const weft_graph *g, const columns &c, uint64_t *max) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_device_rows rows;
    wfi_buffer<count> most;
    weft_status st = wfi_mirror_out(ctx, g, &rows);
    if (!st) st = most.take_zeroed(ctx, 1);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    if (g->directed) {
        WFI_CUDA(cudaMemsetAsync(c.in, 0, g->n * sizeof *c.in, stream));
        count_targets<<<wfi_grid(g->arcs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.targets, g->arcs, c.in);
    }
    measure_rows<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.offsets, g->n, g->directed, c,
                                                                               most.data);
    st = wfi_download(ctx, max, most.data, sizeof *max);
    wfi_progress(ctx, "degrees", 1, 2);
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

extern "C" weft_status wfi_degree_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t *in, uint64_t *out, uint64_t *total,
                                       uint64_t **histogram, uint64_t *max) {
    size_t n = g->n, bytes = n * sizeof(count);
    wfi_buffer<count> all, counted;
    weft_status st = all.take(ctx, 3 * n);
    columns c = {all.data, all.data + n, all.data + 2 * n};
    if (!st) st = count_all(ctx, g, c, max);
    if (!st) st = counted.take_zeroed(ctx, *max + 1);
    if (!st) *histogram = (uint64_t *)wfi_take(ctx, *max + 1, sizeof **histogram);
    if (!st && !*histogram) st = WEFT_ENOMEM;
    if (st) return st;
    {
        wfi_kernel_scope stage(ctx, "iterations");
        count_degrees<<<wfi_grid(n, THREADS, 1024), THREADS, 0, wfi_cuda_stream(ctx)>>>(c.total, g->n, *max,
                                                                                        counted.data);
    }
    st = wfi_deliver(ctx, in, c.in, bytes);
    if (!st) st = wfi_deliver(ctx, out, c.out, bytes);
    if (!st) st = wfi_deliver(ctx, total, c.total, bytes);
    if (!st) st = wfi_download(ctx, *histogram, counted.data, (*max + 1) * sizeof **histogram);
    return st;
}

extern "C" uint64_t wfi_degree_cuda_bytes(const weft_graph *g, uint64_t most) {
    return wfi_mirror_out_cost(g).kept + 24ull * g->n + 8 * (most + 1);
}
