/* Katz centrality along incoming arcs: beta (1 + alpha A + (alpha A)^2 + ...).  An alpha above 1 / (the
 * largest eigenvalue) is refused; at exactly that value either the run is refused or the error is infinite.  alpha = 0
 * means 1 / (w + 1), where w is the largest sum of weights into a vertex: the series then converges on every graph.
 * Columns: score (f64: a lower bound), upper (f64, with bounds: an upper bound).
 * Scalars: iterations (terms after the first), error (bound on what a score lacks), norm (the divisor of all scores),
 *   alpha (as used). */
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
    double tolerance;        /* stop when error is at most this fraction of the largest score */
    uint64_t max_iterations; /* the most iterations */
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
