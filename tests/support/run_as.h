/* A CPU method run by hand, for one that a plan would choose for other graphs only. */
#ifndef WEFT_TESTS_RUN_AS_H
#define WEFT_TESTS_RUN_AS_H

#include "ranks/spread.h"
#include "run/algorithm.h"

/* choice: the method, and its arrays as they were measured. */
static inline weft_status run_as(weft_ctx *ctx, weft_status (*run)(wfi_job *), const weft_graph *g, const void *params,
                                 const wfi_choice *choice, weft_result *result) {
    wfi_workspace w = choice->space;
    wfi_spread *whole = NULL;
    weft_vid block = 0;
    for (size_t i = 0; i < wfi_algorithm_total; i++)
        if (wfi_algorithms[i]->run_cpu == run && wfi_algorithms[i]->rank_block)
            block = wfi_algorithms[i]->rank_block(g, params);
    weft_status st = w.needs_in ? wfi_graph_need_in(ctx, g) : WEFT_OK;
    if (!st) st = wfi_spread_new(ctx, g, block, &whole);
    if (!st && wfi_in_at_hand(g)) st = wfi_spread_need_in(ctx, whole);
    wfi_pool *pool = st ? NULL : wfi_pool_new(ctx);
    if (!st && !pool) st = WEFT_ENOMEM;
    if (!st) st = wfi_workspace_take(ctx, &w);
    if (!st) {
        w.result = result;
        w.pool = pool;
        st = run(&(wfi_job){ctx, g, params, choice, &w, NULL, result, NULL, whole, NULL});
        wfi_give_grown(&w);
        wfi_workspace_give(&w);
    }
    wfi_pool_release(pool);
    wfi_spread_free(whole);
    return st;
}

#endif
