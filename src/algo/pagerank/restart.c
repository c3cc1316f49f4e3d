/* Vectors of the caller's: weights of the vertices, for where restarts go, where dangling rank goes, where to begin. */
#include "algo/pagerank/pagerank.h"

#include <math.h>

weft_status wfi_pagerank_sum(weft_ctx *ctx, const weft_graph *g, const char *name, const double *weight, double *sum) {
    *sum = 0;
    /* One after the other: the sum must not depend on the threads. */
    for (weft_vid v = 0; v < g->n; v++) {
        if (!(weight[v] >= 0 && isfinite(weight[v])))
            return wfi_fail(ctx, WEFT_EINVAL, "pagerank: %s[%u] is %g, but must be a number of 0 or more", name, v,
                            weight[v]);
        *sum += weight[v];
    }
    if (!g->n || (*sum > 0 && isfinite(*sum))) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "pagerank: %s: the weights sum to %g; they must have a finite sum above 0", name,
                    *sum);
}

weft_status wfi_pagerank_fill_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                      double *restart) {
    double sum;
    weft_status st = wfi_pagerank_sum(ctx, g, "restart", params->restart, &sum);
    for (weft_vid v = 0; !st && v < g->n; v++) restart[v] = params->restart[v] / sum;
    return st;
}

void wfi_pagerank_columns(wfi_workspace *w, weft_vid n, const weft_pagerank_params *params, void *rank,
                          double **restart) {
    wfi_column(w, "rank", params->precision == WEFT_PRECISION_F64 ? WEFT_F64 : WEFT_F32, n, rank);
    *restart = NULL;
    if (params->restart) wfi_array(w, restart, n);
}
