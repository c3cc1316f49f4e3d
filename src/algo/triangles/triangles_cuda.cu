/* triangles, GPU.  engines/triangles counts; here positions of the oriented order become vertices, and the counts of
 * vertices are added up.  The host lists the edges. */
#include "algo/triangles/triangles.h"
#include "cuda/warp.cuh"
#include "engines/triangles/triangles_cuda.cuh"
#include "run/edge_rows.h"
#include "weft/triangles.h"

#include <stdio.h>

enum { THREADS = 256, MOST_BLOCKS = 1024, WARP = 32 };

typedef unsigned long long count;

__global__ static void by_vertex(const count *triangles_at, const weft_vid *vertex, weft_vid n, count *column,
                                 count *sum) {
    count mine = 0;
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r < n; r += (uint64_t)gridDim.x * THREADS) {
        column[vertex[r]] = triangles_at[r];
        mine += triangles_at[r];
    }
    mine = wfi_warp_sum(mine);
    if (threadIdx.x % WARP == 0 && mine) atomicAdd(sum, mine);
}

namespace {

struct arrays {
    count *ranked, *column, *sum;
    wfi_triangles_space space;
    wfi_support_space support;
};

/* Arrays on the host. */
struct columns {
    uint64_t *triangles, *support;
    wfi_edge_rows edges;
};

} // namespace

static bool wants_edges(const void *params) { return ((const weft_triangles_params *)params)->edges; }

static void lay_out_columns(wfi_workspace *w, const weft_graph *g, bool with_edges, columns *c) {
    wfi_column(w, "triangles", WEFT_U64, g->n, &c->triangles);
    if (with_edges) wfi_edge_rows_lay_out(w, g, &c->edges);
    if (with_edges) wfi_edge_column(w, "support", WEFT_U64, g->edges, &c->support);
}

static void lay_out(wfi_workspace *device, const weft_graph *g, uint64_t edges, uint64_t long_rows, bool with_edges,
                    arrays *a) {
    wfi_array(device, &a->ranked, g->n);
    wfi_array(device, &a->column, g->n);
    wfi_array(device, &a->sum, 1);
    uint64_t counting = wfi_mark(device);
    wfi_triangles_lay_out(device, g->n, edges, long_rows, &a->space);
    wfi_rewind(device, counting);
    if (with_edges) wfi_support_lay_out(device, g->n, edges, g->edges, &a->support);
}

extern "C" void wfi_triangles_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                        wfi_choice *choice) {
    uint64_t edges, long_rows;
    bool with_edges = wants_edges(params);
    arrays a;
    columns c;
    (void)ctx;
    choice->method = WFI_TRIANGLES_HUBS;
    snprintf(choice->reason, sizeof choice->reason, "%s%s",
             "rows towards higher degrees are short; rows of hubs are and-ed, the others looked up in shared memory",
             with_edges ? "; then each triangle is met at its three edges" : "");
    lay_out_columns(&choice->space, g, with_edges, &c);
    if (!g->n) return;
    wfi_oriented_declare(&choice->device, g, false, &edges, &long_rows);
    lay_out(&choice->device, g, edges, long_rows, with_edges, &a);
}

static weft_status count_all(weft_ctx *ctx, const wfi_oriented_rows *o, arrays *a, uint64_t *total) {
    weft_status st = wfi_zero(ctx, a->sum, 1);
    if (!st) st = wfi_count_triangles_cuda(ctx, o, &a->space, a->ranked);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    by_vertex<<<wfi_grid(o->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(a->ranked, o->vertex.data,
                                                                                          o->n, a->column, a->sum);
    st = wfi_download(ctx, total, a->sum, sizeof *total);
    *total /= 3;
    return st;
}

extern "C" weft_status wfi_triangles_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const wfi_oriented_rows *o = NULL;
    uint64_t total = 0;
    bool with_edges = wants_edges(job->params);
    arrays a;
    columns c;
    lay_out_columns(job->space, g, with_edges, &c);
    weft_status st = job->space->status;
    if (!st && with_edges) st = wfi_edge_rows_make(ctx, g, &c.edges);
    if (!st && g->n) {
        st = wfi_oriented_on_gpu(ctx, g, false, &o);
        if (!st) st = wfi_open_device(job);
        if (st) return st;
        lay_out(job->device, g, o->edges, o->many, with_edges, &a);
        st = job->device->status;
        if (!st) st = count_all(ctx, o, &a, &total);
        if (!st) st = wfi_deliver(ctx, c.triangles, a.column, (size_t)g->n * sizeof *c.triangles);
        if (!st && with_edges)
            st = wfi_support_cuda(ctx, o, &a.support, c.edges.source, c.edges.target, c.edges.count, c.support);
    }
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "triangles", total);
}
