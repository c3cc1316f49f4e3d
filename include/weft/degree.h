/* Degrees.  An undirected graph has in = out = total.
 * Columns: in, out, total (u64), or only the one that `mode` selects; with strength also in_strength, out_strength,
 *   strength (f64: sums of weights in the order of the row; without weights an arc counts 1).
 * Table:   degree, count (u64: the distribution of total, or of the one column).
 * Scalars: max_degree. */
#ifndef WEFT_DEGREE_H
#define WEFT_DEGREE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_degree_params {
    size_t size;
    weft_side mode; /* AUTO = BOTH: all columns */
    int strength;
} weft_degree_params;
#define WEFT_DEGREE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_degree_params, strength), WEFT_SIDE_AUTO, 0 }
WEFT_API weft_status weft_degree(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *params,
                                 weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
