/* See nearness.h, on the GPU.  Compiled where there is CUDA. */
#include "algo/closeness/near_cuda.h"
#include "algo/closeness/nearness.h"
#include "cuda/transfer.h"

#include <stdio.h>

/* A ball takes what its row has; searches go along rows and look back. */
static unsigned rows_for(const weft_graph *g, const wfi_nearness *q) {
    if (!g->directed) return WFI_OUT_ROWS;
    return !q->estimate ? WFI_OUT_ROWS | WFI_IN_ROWS : q->near.back == &g->out ? WFI_OUT_ROWS : WFI_IN_ROWS;
}

void wfi_nearness_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const wfi_nearness *q = wfi_nearness_decide(g, params, choice);
    wfi_closeness t = q->near;
    wfi_closeness_best best;
    (void)ctx;
    choice->method = q->estimate ? WFI_CLOSENESS_GPU_BALLS : WFI_CLOSENESS_GPU;
    wfi_mirror_declare(&choice->device, g, rows_for(g, q));
    wfi_nearness_lay_out(&choice->space, &t);
    wfi_closeness_best_lay_out(&choice->space, &t, &best);
    if (q->estimate) {
        snprintf(choice->reason, sizeof choice->reason, "an estimate is asked for");
        wfi_closeness_balls_space_cuda(&choice->space, &choice->device, &t, q->registers);
    } else {
        unsigned long long most = wfi_closeness_hops_most(&t);
        snprintf(choice->reason, sizeof choice->reason, "%llu search%s", most, most == 1 ? "" : "es");
        wfi_closeness_hops_space_cuda(&choice->space, &choice->device, &t);
    }
}

weft_status wfi_nearness_run_cuda(wfi_job *job) {
    const weft_graph *g = job->g;
    const wfi_nearness *q = WFI_DECIDED(wfi_nearness, job->choice);
    wfi_closeness t = q->near;
    wfi_view rows[2] = {wfi_view_of(g->n, g->weight_type), wfi_view_of(g->n, g->weight_type)};
    unsigned sides = rows_for(g, q);
    wfi_closeness_best best;
    wfi_nearness_lay_out(job->space, &t);
    wfi_closeness_best_lay_out(job->space, &t, &best);
    weft_status st = job->space->status;
    if (!st && g->n && sides & WFI_OUT_ROWS) st = wfi_mirror_out(job->ctx, g, &rows[0]);
    if (!st && g->n && sides & WFI_IN_ROWS) st = wfi_mirror_in(job->ctx, g, &rows[1]);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    const wfi_view *in = g->directed ? &rows[1] : &rows[0];
    const wfi_view *along = t.along == &g->out ? &rows[0] : in, *back = t.back == &g->out ? &rows[0] : in;
    uint64_t vertices = wfi_nearness_mark(&t);
    st = q->estimate ? wfi_closeness_by_balls_cuda(job->ctx, &t, back, q->registers, job->space, job->device)
                     : wfi_closeness_by_hops_cuda(job->ctx, &t, along, back, job->space, job->device);
    return st ? st : wfi_nearness_finish(job, q, &t, &best, vertices);
}
