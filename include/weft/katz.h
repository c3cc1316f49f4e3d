/* Katz centrality along incoming arcs: beta (1 + alpha A + (alpha A)^2 + ...).  An alpha above 1 over the largest
 * eigenvalue is refused; at exactly that the error is infinite, if it is not refused.  0 stands for 1 / (w + 1), with w
 * the largest sum of the weights that enter a vertex, which suits every graph.
 * Columns: score (f64: a lower bound), upper (f64, with bounds: an upper bound).
 * Scalars: iterations (terms after the first), error (no score is too small by more), norm (what scores were divided
 *   by), alpha (the one that was taken). */
#ifndef WEFT_KATZ_H
#define WEFT_KATZ_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_katz_params {
    size_t size;
    double alpha;
    double beta;             /* above 0 */
    double tolerance;        /* stop when error is at most this part of the largest score */
    uint64_t max_iterations; /* stop after so many at the latest */
    int normalized;          /* the squares of the scores sum to 1 */
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
    int bounds;              /* the column upper */
} weft_katz_params;
#define WEFT_KATZ_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_katz_params, bounds), 0, 1, 1e-8, 1000, 1, 0, 0 }
WEFT_API weft_status weft_katz(weft_ctx *ctx, const weft_graph *g, const weft_katz_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
