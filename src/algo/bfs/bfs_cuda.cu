/* bfs, GPU: the run.  The answer is bfs.c's; one search is in shared/bfs, many sources at once are in bfs_many.cu. */
#include "algo/bfs/bfs_many.cuh"
#include "shared/bfs/state.cuh"

#include <stdio.h>

static void lay_out(wfi_workspace *device, const weft_graph *g, bool many, bfs_state *s, wfi_bfs_many_arrays *m) {
    wfi_bfs_search_lay_out(device, g, s);
    if (many) wfi_bfs_many_lay_out(device, g->n, m);
}

extern "C" weft_status wfi_bfs_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    bfs_state s = {};
    wfi_bfs_reach reach = {};
    wfi_bfs_job b = {};
    wfi_bfs_many_arrays m = {};
    weft_status st = wfi_bfs_job_begin(job, &b);
    if (st || !b.count) return st ? st : wfi_bfs_job_end(job, 0, 0);
    st = wfi_mirror_out(ctx, g, &s.out);
    if (!st) st = wfi_mirror_in(ctx, g, &s.in);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, b.many, &s, &m);
    st = job->device->status;
    if (st) return st;
    s.max_depth = (unsigned)wfi_min_u64(b.max_depth, WEFT_UNREACHED - 1);
    if (b.many) st = wfi_bfs_many(ctx, s, m, b.count, b.max_depth, &b.table);
    if (!st) st = wfi_bfs_search(ctx, &s, b.sources[b.count - 1], "bfs", &reach); /* those before leave no trace */
    wfi_copy column[] = {{b.level, s.level, g->n * sizeof *b.level}, {b.parent, s.parent, g->n * sizeof *b.parent}};
    if (!st) wfi_narrow(ctx, &column[0], reach.depth, s.shorts);
    if (!st) st = wfi_deliver_all(ctx, column, b.parent ? 2 : 1);
    return st ? st : wfi_bfs_job_end(job, reach.reached, reach.depth);
}

extern "C" void wfi_bfs_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_bfs_params *p = (const weft_bfs_params *)params;
    bfs_state s = {};
    wfi_bfs_many_arrays m;
    wfi_bfs_job b;
    (void)ctx;
    choice->method = "direction-optimising, one kernel";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "the incoming rows are built on the GPU if they are not available"
                         : "undirected: the rows serve both directions");
    wfi_bfs_columns(&choice->space, g->n, p, &b);
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    lay_out(&choice->device, g, p->each, &s, &m);
}
