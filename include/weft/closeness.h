/* Closeness centrality: of the vertices that reach v (OUT: that v reaches), how many they are, but for v, over the sum
 * of their distances; scaled, times their part of all other vertices (Wasserman, Faust).  0 if there are none.
 * Columns: closeness (f64; NaN for what is not in `of`, or not among the first).
 * Scalars: vertices (u64: that have a value); with estimate standard_error (f64: of the size of a neighbourhood,
 *   relatively). */
#ifndef WEFT_CLOSENESS_H
#define WEFT_CLOSENESS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_closeness_params {
    size_t size;
    const weft_vid *of; /* only these have a value; NULL = all */
    size_t of_count;
    weft_side direction; /* AUTO = IN: distances to the vertex; OUT: from it */
    int scaled;
    int weights;        /* distances are sums of weights, as those of sssp; else hops */
    int estimate;       /* sizes of neighbourhoods by HyperBall; not with weights or `of` */
    uint64_t registers; /* of a vertex, for that: a power of two from 16 to 4096 */
    uint64_t first;     /* only the largest so many values, of equal ones those of the smallest vertices; 0 = all */
} weft_closeness_params;
#define WEFT_CLOSENESS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_closeness_params, first), NULL, 0, WEFT_SIDE_AUTO, 1, 0, 0, 256, 0 }
WEFT_API weft_status weft_closeness(weft_ctx *ctx, const weft_graph *g, const weft_closeness_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
