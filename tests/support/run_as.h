/* A CPU method run by hand, for one that a plan would choose for other graphs only. */
#ifndef WEFT_TESTS_RUN_AS_H
#define WEFT_TESTS_RUN_AS_H

#include "algo/algo.h"

/* choice: the method, and its arrays as they were measured. */
static inline weft_status run_as(weft_ctx *ctx, weft_status (*run)(wfi_job *), const weft_graph *g, const void *params,
                                 const wfi_choice *choice, weft_result *result) {
    wfi_workspace w = choice->space;
    weft_status st = w.needs_in ? wfi_graph_need_in(ctx, g) : WEFT_OK;
    wfi_pool *pool = st ? NULL : wfi_pool_new(ctx);
    if (!st && !pool) st = WEFT_ENOMEM;
    if (!st) st = wfi_workspace_take(ctx, &w);
    if (!st) {
        w.result = result;
        w.pool = pool;
        st = run(&(wfi_job){ctx, g, params, choice, &w, NULL, result, NULL, NULL, NULL});
        wfi_give_grown(&w);
        wfi_workspace_give(&w);
    }
    wfi_pool_release(pool);
    return st;
}

#endif
