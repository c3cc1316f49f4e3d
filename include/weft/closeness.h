/* Closeness centrality: the number of other vertices that reach v (OUT: that v reaches), divided by the sum of their
 * distances; scaled, multiplied by their fraction of all other vertices (Wasserman, Faust).  0 if no vertex reaches v.
 * Columns: closeness (f64; NaN for vertices outside `of` or beyond `first`).
 * Scalars: vertices (u64: vertices with a value); with estimate standard_error (f64: relative, of the size of a
 *   neighbourhood). */
#ifndef WEFT_CLOSENESS_H
#define WEFT_CLOSENESS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_closeness_params {
    size_t size;
    const weft_vid *of; /* compute these vertices only; NULL = all */
    size_t of_count;
    weft_side direction; /* AUTO = IN: distances to the vertex; OUT: from it */
    int scaled;          /* multiply by the fraction of all other vertices */
    int weights;         /* distances are sums of weights, as in sssp; otherwise hops */
    int estimate;        /* estimate by HyperBall; not with weights or `of` */
    uint64_t registers;  /* with estimate: registers of a vertex, a power of two from 16 to 4096 */
    uint64_t first;      /* only this many largest values, ties by smallest vertex; 0 = all */
} weft_closeness_params;
#define WEFT_CLOSENESS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_closeness_params, first), NULL, 0, WEFT_SIDE_AUTO, 1, 0, 0, 256, 0 }
WEFT_API weft_status weft_closeness(weft_ctx *ctx, const weft_graph *g, const weft_closeness_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
