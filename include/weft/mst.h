/* Minimum or maximum spanning forest: in each weak component, a tree of minimum or maximum total weight.
 * Directions do not count, and loops are never part of it.  Without weights every edge weighs 1.  Ties go to the first
 * edge by source, then target, then place among parallel edges, so the answer is unique.
 * Table:   source, target (vertex), weight (f64): the edges of the forest, in that order.
 * Scalars: weight (f64: the total weight), edges, trees (u64: components, including isolated vertices). */
#ifndef WEFT_MST_H
#define WEFT_MST_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_mst_params {
    size_t size;
    int maximum; /* maximum instead of minimum total weight */
} weft_mst_params;
#define WEFT_MST_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_mst_params, maximum), 0 }
WEFT_API weft_status weft_mst(weft_ctx *ctx, const weft_graph *g, const weft_mst_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
