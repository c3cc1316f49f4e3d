/* cycle on ranks.  Needs: a directed graph.
 * Method: that of cycle_cpu.c: a loop, ids that are an order already, or peeling (ranks/peel.c); the cycle is the one
 * that it shows.  Memory: 8 bytes for each vertex of the graph, 24 for messages. */
#include "algo/cycle/cycle.h"
#include "ranks/peel.h"

static void lay_out(wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p) {
    wfi_array(w, &p->level, s->vertices);
    wfi_rank_peel_lay_out(w, s, p);
}

void wfi_cycle_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx, (void)params;
    choice->method = "peel sources, by messages";
    choice->counts_in = true;
    wfi_rank_peel p = {.level = NULL};
    lay_out(&choice->space, spread, &p);
    choice->sends = wfi_rank_peel_sends(spread, &p);
}

/* Do ids rise along every arc of all ranks, or fall? */
static weft_status ids_are_an_order(weft_ctx *ctx, const wfi_spread *s, bool *order) {
    const wfi_part *part = &s->part[0];
    const wfi_view *rows = &part->out;
    uint64_t some[2] = {0, 0}; /* an arc falls, an arc rises */
    for (weft_vid k = 0; k < s->vertices; k++) {
        if (!wfi_degree(rows, k)) continue;
        some[0] |= rows->targets[rows->offsets[k]] <= part->first + k;
        some[1] |= rows->targets[rows->offsets[k + 1] - 1] >= part->first + k;
    }
    weft_status st = wfi_allreduce(ctx, some, 2, WFI_MAX);
    *order = !some[0] || !some[1];
    return st;
}

weft_status wfi_cycle_ranks_with(wfi_job *job, struct wfi_rank_peel_gpu *gpu, weft_status mine) {
    const weft_cycle_params *params = job->params;
    const wfi_spread *s = job->spread;
    weft_ctx *ctx = job->ctx;
    wfi_cycle cycle = {NULL, 0};
    wfi_rank_peel p = {.gpu = gpu};
    bool ordered = false;
    lay_out(job->space, s, &p);
    weft_status st = wfi_agree(ctx, mine ? mine : job->space->status);
    if (!st && !params->general) st = wfi_rank_loop(ctx, job->space, s, &cycle);
    if (!st && !params->general && !cycle.length) st = ids_are_an_order(ctx, s, &ordered);
    if (!st && !ordered && !cycle.length) {
        st = wfi_rank_peel_run(ctx, s, &p);
        bool left = !st && p.peeled < s->g->n;
        if (left) st = wfi_rank_loop(ctx, job->space, s, &cycle);
        if (left && !st && !cycle.length) st = wfi_rank_cycle(ctx, job->space, s, &p, &cycle);
    }
    return st ? st : wfi_cycle_result(job, &cycle);
}

weft_status wfi_cycle_ranks(wfi_job *job) { return wfi_cycle_ranks_with(job, NULL, WEFT_OK); }
