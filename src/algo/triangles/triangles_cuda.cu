/* triangles, GPU.  The count is in cuda/triangles.cu; here ranks become vertices, and the corners are added up. */
#include "algo/triangles/triangles_cuda.h"
#include "shared/triangles/oriented.h"
#include "shared/triangles/triangles_cuda.cuh"

enum { THREADS = 256, MOST_BLOCKS = 1024, WARP = 32 };

typedef unsigned long long count;

__global__ static void by_vertex(const count *corners, const weft_vid *vertex, weft_vid n, count *column, count *sum) {
    count mine = 0;
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r < n; r += (uint64_t)gridDim.x * THREADS) {
        column[vertex[r]] = corners[r];
        mine += corners[r];
    }
    for (int far = WARP / 2; far; far /= 2) mine += __shfl_xor_sync(~0u, mine, far);
    if (threadIdx.x % WARP == 0 && mine) atomicAdd(sum, mine);
}

extern "C" weft_status wfi_triangles_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t *corners, uint64_t *total) {
    const wfi_oriented_rows *o = NULL;
    wfi_buffer<count> ranked, column, sum;
    weft_status st = wfi_oriented_on_gpu(ctx, g, false, &o);
    if (!st) st = ranked.take(ctx, g->n);
    if (!st) st = column.take(ctx, g->n);
    if (!st) st = sum.take_zeroed(ctx, 1);
    if (!st) st = wfi_count_triangles_cuda(ctx, o, ranked.data);
    if (st) return st;
    {
        wfi_kernel_scope stage(ctx, "iterations");
        by_vertex<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(
            ranked.data, o->vertex.data, g->n, column.data, sum.data);
        st = wfi_download(ctx, total, sum.data, sizeof *total);
    }
    *total /= 3;
    return st ? st : wfi_deliver(ctx, corners, column.data, (size_t)g->n * sizeof *corners);
}

extern "C" uint64_t wfi_triangles_cuda_bytes(const weft_ctx *ctx, const weft_graph *g) {
    wfi_mirror_cost view = wfi_oriented_on_gpu_cost(ctx, g, false);
    uint64_t edges = wfi_oriented_estimate(g), long_rows = wfi_oriented_long_rows(ctx, g, edges);
    uint64_t counting = 16ull * g->n + wfi_count_triangles_cuda_bytes(g->n, edges, long_rows);
    return wfi_max_u64(view.peak, view.kept + counting);
}
