/* triangles, GPU.  The count is in shared/triangles; here ranks become vertices, and the corners are added up. */
#include "algo/triangles/triangles.h"
#include "cuda/warp.cuh"
#include "shared/triangles/triangles_cuda.cuh"

#include <stdio.h>

enum { THREADS = 256, MOST_BLOCKS = 1024, WARP = 32 };

typedef unsigned long long count;

__global__ static void by_vertex(const count *corners, const weft_vid *vertex, weft_vid n, count *column, count *sum) {
    count mine = 0;
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r < n; r += (uint64_t)gridDim.x * THREADS) {
        column[vertex[r]] = corners[r];
        mine += corners[r];
    }
    mine = wfi_warp_sum(mine);
    if (threadIdx.x % WARP == 0 && mine) atomicAdd(sum, mine);
}

namespace {

struct arrays {
    count *ranked, *column, *sum;
    wfi_triangles_space space;
};

} // namespace

static void lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t long_rows, arrays *a) {
    wfi_array(device, &a->ranked, n);
    wfi_array(device, &a->column, n);
    wfi_array(device, &a->sum, 1);
    wfi_triangles_lay_out(device, n, edges, long_rows, &a->space);
}

extern "C" void wfi_triangles_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                        wfi_choice *choice) {
    uint64_t *column, edges, long_rows;
    arrays a;
    (void)ctx;
    (void)params;
    choice->method = "orient by degree, hubs in a bit matrix";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             "rows towards higher degrees are short; rows of hubs are and-ed, the others looked up in shared memory");
    wfi_column(&choice->space, "triangles", WEFT_U64, g->n, &column);
    if (!g->n) return;
    wfi_oriented_declare(&choice->device, g, false, &edges, &long_rows);
    lay_out(&choice->device, g->n, edges, long_rows, &a);
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
    uint64_t *column, total = 0;
    arrays a;
    wfi_column(job->space, "triangles", WEFT_U64, g->n, &column);
    weft_status st = job->space->status;
    if (!st && g->n) {
        st = wfi_oriented_on_gpu(ctx, g, false, &o);
        if (!st) st = wfi_open_device(job);
        if (st) return st;
        lay_out(job->device, g->n, o->edges, o->many, &a);
        st = job->device->status;
        if (!st) st = count_all(ctx, o, &a, &total);
        if (!st) st = wfi_deliver(ctx, column, a.column, (size_t)g->n * sizeof *column);
    }
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "triangles", total);
}
