/* Eigenvector centrality along incoming arcs, by power iteration with A + I from 1/n (with weights, I is
 * scaled by the power of two nearest to the mean weight); all values are equal without arcs of positive
 * weight.
 * Columns: score (f64; the squares sum to 1).
 * Scalars: iterations, residual (L1 norm of the last change of values that sum to 1), lambda_low, lambda_high
 *   (bounds on the largest eigenvalue, valid without convergence too; high is infinite before the first iteration). */
#ifndef WEFT_EIGENVECTOR_H
#define WEFT_EIGENVECTOR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_eigenvector_params {
    size_t size;
    double tolerance;        /* stop when values change by no more (L1 norm) */
    uint64_t max_iterations; /* the most iterations */
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
} weft_eigenvector_params;
#define WEFT_EIGENVECTOR_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_eigenvector_params, weights), 1e-8, 1000, 0 }
WEFT_API weft_status weft_eigenvector(weft_ctx *ctx, const weft_graph *g, const weft_eigenvector_params *params,
                                      weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
