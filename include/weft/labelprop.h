/* Communities by synchronous label propagation (LDBC's CDLP): ties go to the smallest label, and both directions of a
 * directed graph count.  With weights the label with the largest sum of them wins.
 * Columns: label (vertex).
 * Scalars: communities, iterations. */
#ifndef WEFT_LABELPROP_H
#define WEFT_LABELPROP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_labelprop_params {
    size_t size;
    uint64_t max_iterations; /* the most steps */
    int weights;             /* an arc votes with its weight: 0, or from 1e-200 to 1e200 */
} weft_labelprop_params;
#define WEFT_LABELPROP_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_labelprop_params, weights), 10, 0 }
WEFT_API weft_status weft_labelprop(weft_ctx *ctx, const weft_graph *g, const weft_labelprop_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
