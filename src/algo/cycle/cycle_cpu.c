/* cycle on CPU cores.  Needs: a directed graph.
 * Method: a loop is a cycle of one vertex.  Without loops, ids that rise (or fall) along every arc prove that there is
 * none: rows ascend, so that this reads two targets a row.  Otherwise, or when the general way is asked for, Kahn's
 * algorithm removes the sources (shared/peel/kahn.c), and shared/peel/witness.c finds a cycle in what is left.  In a
 * dense graph watched successors (shared/peel/watched.c) decide first, and sooner, whether there is one; the cycle is
 * the same whatever the plan chose.
 * Kahn, "Topological sorting of large networks", Communications of the ACM 5, 1962. */
#include "algo/cycle/cycle.h"
#include "shared/peel/kahn.h"

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
static weft_status peel_and_search(wfi_job *job, arrays *a, wfi_cycle *cycle) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    weft_status st = wfi_kahn_peel(ctx, g, &a->k);
    if (!st && a->k.peeled < g->n) st = wfi_cycle_of_loop(ctx, job->space, g, cycle);
    if (!st && a->k.peeled < g->n && !cycle->length)
        st = wfi_cycle_in_leftover(ctx, job->space, g, &a->k, a->left, cycle);
    return st;
}

static weft_status search_as(wfi_job *job, wfi_cycle_method method, arrays *a, wfi_cycle *cycle) {
    bool acyclic = false;
    weft_status st = WEFT_OK;
    if (method == WFI_CYCLE_IDS) return WEFT_OK;
    if (method == WFI_CYCLE_LOOP) return wfi_cycle_of_loop(job->ctx, job->space, job->g, cycle);
    if (method != WFI_CYCLE_PEEL)
        st = wfi_watched_acyclic(job->ctx, job->g, method == WFI_CYCLE_BITS, &a->watch, &acyclic);
    return st || acyclic ? st : peel_and_search(job, a, cycle);
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
