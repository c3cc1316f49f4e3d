/* The GPU's half of communities.h.  Compiled only with CUDA. */
#include "algo/leiden/communities.h"
#include "cuda/transfer.h"

#include <stdio.h>

void wfi_community_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const wfi_community_task *t = wfi_community_plan_task(g, params, choice);
    wfi_community_arrays r;
    (void)ctx;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "directed: both rows of a vertex are laid side by side" : "undirected: one row a vertex");
    wfi_community_lay_out(&choice->space, t, &r);
    wfi_mirror_declare(&choice->device, g, g->directed ? WFI_OUT_ROWS | WFI_IN_ROWS : WFI_OUT_ROWS);
    wfi_community_space_cuda(&choice->device, t);
}

weft_status wfi_community_run_cuda(wfi_job *job) {
    const weft_graph *g = job->g;
    const wfi_community_task *t = WFI_DECIDED(wfi_community_task, job->choice);
    wfi_community_arrays r;
    wfi_community_found found = {.iterations = 0};
    wfi_view out = wfi_view_of(g->n, g->weight_type), in = out;
    wfi_community_lay_out(job->space, t, &r);
    weft_status st = job->space->status;
    if (!st && g->n) st = wfi_mirror_out(job->ctx, g, &out);
    if (!st && g->n && g->directed) st = wfi_mirror_in(job->ctx, g, &in);
    if (!st) st = wfi_open_device(job);
    if (!st && g->n) st = wfi_community_cuda(job->ctx, t, &out, &in, job->device, &r.columns, &found);
    return st ? st : wfi_community_finish(job, t, &r, &found);
}
