/* cycle, CPU.  Needs: a directed graph.
 * Method: a loop is a cycle of one.  Without loops, ids that rise (or fall) along every arc prove that there is none:
 * rows ascend, so that this reads two targets a row.  Otherwise, or when the general way is asked for, src/graph/kahn.c peels the sources, and of what is left
 * src/graph/witness.c shows a cycle.  In a dense graph src/graph/watch.c tells first, and sooner, whether there is one:
 * peeling is then for the cycle only, which is the same whatever the plan chose. */
#include "algo/cycle/cycle.h"
#include "graph/kahn.h"
#include "graph/watch.h"

/* Leaves cycle->length 0 when there is none. */
static weft_status peel_and_search(weft_ctx *ctx, const weft_graph *g, wfi_cycle *cycle) {
    wfi_kahn k = {0};
    weft_status st = wfi_alloc(ctx, &k.waiting, g->n);
    if (!st) st = wfi_alloc(ctx, &k.order, g->n);
    if (!st) st = wfi_kahn_peel(ctx, g, &k);
    if (!st && k.peeled < g->n) st = wfi_cycle_of_loop(ctx, g, cycle);
    if (!st && k.peeled < g->n && !cycle->length) st = wfi_cycle_in_leftover(ctx, g, &k, cycle);
    wfi_free(k.waiting);
    wfi_free(k.order);
    return st;
}

static weft_status search_as(weft_ctx *ctx, const weft_graph *g, wfi_cycle_method method, wfi_cycle *cycle) {
    bool acyclic = false;
    weft_status st = method == WFI_CYCLE_PEEL ? WEFT_OK : wfi_watch_acyclic(ctx, g, method == WFI_CYCLE_BITS, &acyclic);
    return st || acyclic ? st : peel_and_search(ctx, g, cycle);
}

weft_status wfi_cycle_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, const wfi_choice *choice,
                          weft_result *result) {
    const weft_cycle_params *p = params;
    wfi_cycle cycle = {NULL, 0};
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    weft_status st = p->general ? WEFT_OK : wfi_cycle_of_loop(ctx, g, &cycle);
    if (!st && !cycle.length && (p->general || wfi_ids_along_arcs(ctx, g) == WFI_IDS_MIXED))
        st = search_as(ctx, g, (wfi_cycle_method)choice->variant, &cycle);
    if (!st) st = wfi_cycle_result(ctx, g, &cycle, result);
    wfi_free(cycle.vertex);
    return st;
}
