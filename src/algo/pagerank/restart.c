/* The restart vector of a personalised PageRank, from the caller's weights: a copy that sums to 1. */
#include "algo/pagerank/pagerank.h"

#include <math.h>

static weft_status copy_array(weft_ctx *ctx, const weft_graph *g, const double *from, double *restart) {
    for (weft_vid v = 0; v < g->n; v++) {
        if (!(from[v] >= 0 && isfinite(from[v])))
            return wfi_fail(ctx, WEFT_EINVAL, "pagerank: restart[%u] is %g, but must be a number of 0 or more", v,
                            from[v]);
        restart[v] = from[v];
    }
    return WEFT_OK;
}

weft_status wfi_pagerank_fill_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                      double *restart) {
    double sum = 0;
    weft_status st = copy_array(ctx, g, params->restart, restart);
    /* One after the other: the sum must not depend on the threads. */
    for (weft_vid v = 0; !st && v < g->n; v++) sum += restart[v];
    if (!st && g->n && !(sum > 0 && isfinite(sum)))
        st = wfi_fail(ctx, WEFT_EINVAL, "pagerank: restart: the weights sum to %g; they must have a finite sum above 0",
                      sum);
    for (weft_vid v = 0; !st && v < g->n; v++) restart[v] /= sum;
    return st;
}

void wfi_pagerank_columns(wfi_workspace *w, weft_vid n, const weft_pagerank_params *params, void *rank,
                          double **restart) {
    wfi_column(w, "rank", params->precision == WEFT_PRECISION_F64 ? WEFT_F64 : WEFT_F32, n, rank);
    *restart = NULL;
    if (params->restart) wfi_array(w, restart, n);
}
