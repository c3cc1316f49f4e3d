/* cycle on CPU cores, of one machine or of ranks.  Needs: a directed graph.
 * Method: a loop is a cycle of one vertex.  Without loops, ids that rise (or fall) along every arc prove that there is
 * none: rows ascend, so that this reads two targets a row.  Otherwise, or when the general way is asked for, Kahn's
 * algorithm removes the sources (shared/peel/kahn.c), and shared/peel/witness.c finds a cycle in what is left.  In a
 * dense graph watched successors (shared/peel/watched.c) decide first, and sooner, whether there is one; the cycle is
 * the same whatever the plan chose.  Ranks peel by messages (ranks/peel.c), with 8 bytes for each vertex of the graph
 * and 24 for messages.
 * Kahn, "Topological sorting of large networks", Communications of the ACM 5, 1962. */
#include "algo/cycle/cycle.h"
#include "ranks/peel.h"

typedef struct arrays {
    wfi_watched_arrays watch;
    wfi_kahn k; /* after watching, where its arrays lay */
    uint64_t *left;
} arrays;

static void lay_out(wfi_workspace *w, weft_vid n, int threads, wfi_cycle_method method, arrays *a) {
    bool watches = method == WFI_CYCLE_WATCH || method == WFI_CYCLE_BITS, peels = watches || method == WFI_CYCLE_PEEL;
    uint64_t watching = wfi_mark(w);
    if (watches) wfi_watched_lay_out(w, n, method == WFI_CYCLE_BITS, threads, &a->watch);
    wfi_rewind(w, watching);
    wfi_array(w, &a->k.waiting, peels ? n : 0);
    wfi_array(w, &a->k.order, peels ? n : 0);
    wfi_array(w, &a->left, peels ? wfi_leftover_words(n) : 0);
    wfi_growth(w, peels ? sizeof(weft_vid) * (uint64_t)n : method == WFI_CYCLE_LOOP ? sizeof(weft_vid) : 0);
}

void wfi_cycle_space(wfi_workspace *w, weft_vid n, int threads, wfi_cycle_method method) {
    arrays a = {0};
    lay_out(w, n, threads, method, &a);
}

/* Leaves cycle->length 0 when there is none. */
static weft_status search_as(wfi_job *job, wfi_cycle_method method, arrays *a, wfi_cycle *cycle) {
    bool acyclic = false;
    weft_status st = WEFT_OK;
    if (method == WFI_CYCLE_IDS) return WEFT_OK;
    if (method == WFI_CYCLE_LOOP) return wfi_cycle_of_loop(job->ctx, job->space, job->g, cycle);
    if (method != WFI_CYCLE_PEEL)
        st = wfi_watched_acyclic(job->ctx, job->g, method == WFI_CYCLE_BITS, &a->watch, &acyclic);
    return st || acyclic ? st : wfi_kahn_or_cycle(job->ctx, job->space, job->g, &a->k, a->left, cycle);
}

weft_status wfi_cycle_cpu(wfi_job *job) {
    wfi_cycle_method method = (wfi_cycle_method)job->choice->variant;
    wfi_cycle cycle = {NULL, 0};
    arrays a = {0};
    if (wfi_cancelled(job->ctx)) return wfi_fail_cancelled(job->ctx);
    lay_out(job->space, job->g->n, wfi_threads(job->ctx), method, &a);
    weft_status st = job->space->status;
    if (!st) st = search_as(job, method, &a, &cycle);
    return st ? st : wfi_cycle_result(job, &cycle);
}

/* --- ranks ---------------------------------------------------------------------------- */

static void lay_out_ranks(wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p) {
    wfi_array(w, &p->level, s->vertices);
    wfi_rank_peel_lay_out(w, s, p);
}

void wfi_cycle_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx, (void)params;
    choice->method = "peel sources, by messages";
    choice->counts_in = true;
    wfi_rank_peel p = {.level = NULL};
    lay_out_ranks(&choice->space, spread, &p);
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

weft_status wfi_cycle_ranks(wfi_job *job, struct wfi_rank_peel_gpu *gpu, weft_status mine) {
    const weft_cycle_params *params = job->params;
    const wfi_spread *s = job->spread;
    weft_ctx *ctx = job->ctx;
    wfi_cycle cycle = {NULL, 0};
    wfi_rank_peel p = {.gpu = gpu};
    bool ordered = false;
    lay_out_ranks(job->space, s, &p);
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
