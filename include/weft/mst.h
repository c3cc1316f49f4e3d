/* Minimum or maximum spanning forest: a tree of each weak component, of the smallest or the largest sum of weights.
 * Directions do not count, loops are never part of it.  Without weights every edge is 1.  Of edges of equal weight the
 * first is taken, by source, then target, then place among parallel ones, so that there is one answer.
 * Table:   source, target (vertex), weight (f64): the edges of the forest, in that order.
 * Scalars: weight (f64: the sum of their weights), edges, trees (u64: components, single vertices among them). */
#ifndef WEFT_MST_H
#define WEFT_MST_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_mst_params {
    size_t size;
    int maximum; /* the largest weights */
} weft_mst_params;
#define WEFT_MST_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_mst_params, maximum), 0 }
WEFT_API weft_status weft_mst(weft_ctx *ctx, const weft_graph *g, const weft_mst_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
