/* clustering, GPU.  The sums over triangles are exact integers (engines/triangles if every edge counts once,
 * directed_cuda.cu for directed graphs); one division makes the coefficient, as on the CPU. */
#include "algo/clustering/clustering.h"
#include "cuda/warp.cuh"
#include "engines/triangles/triangles_cuda.cuh"

#include <stddef.h>
#include <stdio.h>

namespace {

enum { THREADS = 256, MOST_BLOCKS = 1024 };

typedef unsigned long long count;

/* The layout of wfi_clustering_totals. */
struct totals {
    count triangles, wedges, upper, lower;
};
static_assert(sizeof(totals) == sizeof(wfi_clustering_totals) &&
                  offsetof(totals, lower) == offsetof(wfi_clustering_totals, lower),
              "totals are brought to the host as they are");

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
    wfi_warp_add(mine, all);
}

} // namespace

namespace {

struct arrays {
    count *sums;
    double *column;
    totals *all;
    wfi_triangles_space space;
};

void lay_out(wfi_workspace *device, const weft_graph *g, uint64_t edges, uint64_t long_rows, arrays *a) {
    wfi_array(device, &a->sums, g->n);
    wfi_array(device, &a->column, g->n);
    wfi_array(device, &a->all, 1);
    if (!g->directed) wfi_triangles_lay_out(device, g->n, edges, long_rows, &a->space);
}

weft_status sum_up(weft_ctx *ctx, const weft_graph *g, bool fagiolo, const wfi_oriented_rows *o, arrays *a,
                   wfi_clustering_totals *result) {
    weft_status st = wfi_zero(ctx, a->sums, g->n);
    if (!st) st = wfi_zero(ctx, a->all, 1);
    if (!st && g->directed) st = wfi_clustering_sums_cuda(ctx, o, fagiolo, a->sums, &a->all->triangles);
    if (!st && !g->directed) st = wfi_count_triangles_cuda(ctx, o, &a->space, a->sums);
    if (st) return st;
    finishing f = {o->vertex.data, o->degree.data, o->mutual.data, g->n, g->directed, fagiolo};
    wfi_kernel_scope stage(ctx, "iterations");
    divide<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(f, a->sums, a->column, a->all);
    st = wfi_download(ctx, result, a->all, sizeof *result);
    if (!g->directed) result->triangles /= 3;
    return st;
}

} // namespace

extern "C" weft_status wfi_clustering_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_clustering_params *p = (const weft_clustering_params *)job->params;
    const wfi_oriented_rows *o = NULL;
    wfi_clustering_totals result = {0, 0, 0, 0};
    double *coefficients;
    arrays a;
    wfi_column(job->space, "coefficient", WEFT_F64, g->n, &coefficients);
    weft_status st = job->space->status;
    if (!st && g->n) {
        st = wfi_oriented_on_gpu(ctx, g, g->directed, &o);
        if (!st) st = wfi_open_device(job);
        if (st) return st;
        lay_out(job->device, g, o->edges, o->many, &a);
        st = job->device->status;
        if (!st) st = sum_up(ctx, g, p->directed_mode == WEFT_DIRECTED_FAGIOLO, o, &a, &result);
        if (!st) st = wfi_deliver(ctx, coefficients, a.column, (size_t)g->n * sizeof *coefficients);
    }
    return st ? st : wfi_clustering_scalars(ctx, g->n, &result, job->result);
}

extern "C" void wfi_clustering_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                         wfi_choice *choice) {
    const weft_clustering_params *p = (const weft_clustering_params *)params;
    uint64_t edges, long_rows;
    double *column;
    arrays a;
    (void)ctx;
    choice->method = wfi_clustering_method_of(g, p);
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "directed: each edge remembers whether it has arcs one way or both"
                         : "undirected: the coefficient follows from triangles and degree");
    wfi_column(&choice->space, "coefficient", WEFT_F64, g->n, &column);
    if (!g->n) return;
    wfi_oriented_declare(&choice->device, g, g->directed, &edges, &long_rows);
    lay_out(&choice->device, g, edges, long_rows, &a);
}
