/* Hubs and authorities (Kleinberg), by power iteration from 1/n; all 0 without arcs of positive weight.
 * Columns: hub, authority (f64; each sums to 1).
 * Scalars: iterations, residual (L1 norm of the last change of hubs or of authorities, whichever is larger). */
#ifndef WEFT_HITS_H
#define WEFT_HITS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_hits_params {
    size_t size;
    double tolerance;        /* stop when neither vector changes by more (L1 norm) */
    uint64_t max_iterations; /* the most iterations */
    uint64_t iterations;     /* > 0: exactly this number, whatever the tolerance */
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
} weft_hits_params;
#define WEFT_HITS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_hits_params, weights), 1e-8, 100, 0, 0 }
WEFT_API weft_status weft_hits(weft_ctx *ctx, const weft_graph *g, const weft_hits_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
