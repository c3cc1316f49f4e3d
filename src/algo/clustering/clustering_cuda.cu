/* clustering, GPU.  The sums over triangles are exact integers (cuda/triangles.cu where every edge counts once, directed_cuda.cu for
 * directed graphs); one division makes the coefficient, as on the CPU. */
#include "algo/clustering/clustering_cuda.h"
#include "algo/clustering/directed_cuda.cuh"
#include "shared/triangles/oriented.h"
#include "shared/triangles/triangles_cuda.cuh"

#include <stddef.h>

namespace {

enum { THREADS = 256, MOST_BLOCKS = 1024, WARP = 32 };

typedef unsigned long long count;

/* The same as wfi_clustering_totals. */
struct totals {
    count triangles, wedges, upper, lower;
};
static_assert(sizeof(totals) == sizeof(wfi_clustering_totals) &&
                  offsetof(totals, lower) == offsetof(wfi_clustering_totals, lower),
              "totals are brought to the host as they are");

__device__ count sum_of_warp(count x) {
    for (int far = WARP / 2; far; far /= 2) x += __shfl_xor_sync(~0u, x, far);
    return x;
}

struct finishing {
    const weft_vid *vertex;
    const uint32_t *degree, *mutual;
    weft_vid n;
    bool directed, fagiolo;
};

__device__ double coefficient(const finishing &f, weft_vid r, count sum) {
    count d = f.degree[r], numerator = f.directed ? sum : 2 * sum, denominator = d * (d - 1);
    if (!sum) return 0;
    if (f.directed && f.fagiolo) {
        count both = f.mutual[r], ends = d + both;
        denominator = ends * (ends - 1) - 2 * both;
    }
    return __ddiv_rn(__ull2double_rn(numerator), __ull2double_rn(denominator));
}

__global__ void __launch_bounds__(THREADS) divide(finishing f, const count *sums, double *column, totals *all) {
    totals mine = {0, 0, 0, 0};
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r < f.n; r += (uint64_t)gridDim.x * THREADS) {
        double c = coefficient(f, (weft_vid)r, sums[r]);
        count fixed = __double2ull_rz(c * 4611686018427387904.0 /* 2^62 */), d = f.degree[r];
        column[f.vertex[r]] = c;
        mine.triangles += f.directed ? 0 : sums[r];
        mine.wedges += d ? d * (d - 1) / 2 : 0;
        mine.upper += fixed >> WFI_HALF;
        mine.lower += fixed & ((1ull << WFI_HALF) - 1);
    }
    mine = {sum_of_warp(mine.triangles), sum_of_warp(mine.wedges), sum_of_warp(mine.upper), sum_of_warp(mine.lower)};
    if (threadIdx.x % WARP) return;
    if (mine.triangles) atomicAdd(&all->triangles, mine.triangles);
    if (mine.wedges) atomicAdd(&all->wedges, mine.wedges);
    if (mine.upper) atomicAdd(&all->upper, mine.upper);
    if (mine.lower) atomicAdd(&all->lower, mine.lower);
}

} // namespace

extern "C" weft_status wfi_clustering_cuda(weft_ctx *ctx, const weft_graph *g, weft_directed_mode mode,
                                           double *coefficients, wfi_clustering_totals *result) {
    const wfi_oriented_rows *o = NULL;
    bool fagiolo = mode == WEFT_DIRECTED_FAGIOLO;
    wfi_buffer<count> sums;
    wfi_buffer<double> column;
    wfi_buffer<totals> all;
    weft_status st = wfi_oriented_on_gpu(ctx, g, g->directed, &o);
    if (!st) st = sums.take_zeroed(ctx, g->n);
    if (!st) st = column.take(ctx, g->n);
    if (!st) st = all.take_zeroed(ctx, 1);
    if (!st && g->directed) st = wfi_clustering_sums_cuda(ctx, o, fagiolo, sums.data, &all.data->triangles);
    if (!st && !g->directed) st = wfi_count_triangles_cuda(ctx, o, sums.data);
    if (st) return st;
    {
        finishing f = {o->vertex.data, o->degree.data, o->mutual.data, g->n, g->directed, fagiolo};
        wfi_kernel_scope stage(ctx, "iterations");
        divide<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(f, sums.data, column.data,
                                                                                           all.data);
        st = wfi_download(ctx, result, all.data, sizeof *result);
    }
    if (!g->directed) result->triangles /= 3;
    return st ? st : wfi_deliver(ctx, coefficients, column.data, (size_t)g->n * sizeof *coefficients);
}

extern "C" uint64_t wfi_clustering_cuda_bytes(const weft_ctx *ctx, const weft_graph *g) {
    wfi_mirror_cost view = wfi_oriented_on_gpu_cost(ctx, g, g->directed);
    uint64_t edges = wfi_oriented_estimate(g), scratch = 0;
    if (!g->directed) scratch = wfi_count_triangles_cuda_bytes(g->n, edges, wfi_oriented_long_rows(ctx, g, edges));
    return wfi_max_u64(view.peak, view.kept + 16ull * g->n + scratch);
}
