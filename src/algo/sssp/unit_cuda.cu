/* Shortest paths if every arc counts 1, GPU: a breadth-first search (engines/bfs) has the same parents, and its levels
 * become distances. */
#include "algo/sssp/sssp.h"
#include "engines/bfs/state.cuh"

namespace {

struct arrays {
    bfs_state s;
    double *distance;
};

void lay_out(wfi_workspace *device, const weft_graph *g, arrays *a) {
    wfi_bfs_search_lay_out(device, g, &a->s);
    wfi_array(device, &a->distance, g->n);
}

__global__ void measure(const uint32_t *level, weft_vid n, double *distance) {
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads())
        distance[v] = level[v] == WEFT_UNREACHED ? __longlong_as_double(0x7ffll << 52) : level[v];
}

} // namespace

extern "C" void wfi_sssp_unit_declare(const weft_graph *g, wfi_workspace *device) {
    arrays a = {};
    wfi_mirror_declare(device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    lay_out(device, g, &a);
}

extern "C" weft_status wfi_sssp_unit_cuda(wfi_job *job, weft_vid source, const wfi_sssp_columns *c) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    arrays a = {};
    wfi_bfs_reach reach = {};
    weft_status st = wfi_mirror_out(ctx, g, &a.s.out);
    if (!st) st = wfi_mirror_in(ctx, g, &a.s.in);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, &a);
    a.s.max_depth = WEFT_UNREACHED - 1;
    st = job->device->status;
    if (!st) st = wfi_bfs_search(ctx, &a.s, source, "shortest paths", &reach);
    if (st) return st;
    {
        wfi_kernel_scope stage(ctx, "iterations");
        measure<<<wfi_grid(g->n, 256, 4096), 256, 0, wfi_cuda_stream(ctx)>>>(a.s.level, g->n, a.distance);
    }
    wfi_copy column[] = {{c->distance, a.distance, g->n * sizeof *c->distance},
                         {c->parent, a.s.parent, g->n * sizeof *c->parent}};
    st = wfi_deliver_all(ctx, column, c->parent ? 2 : 1);
    return st ? st : wfi_sssp_scalars(ctx, reach.reached, (double)reach.depth, false, job->result);
}
