/* Harmonic centrality: the sum of 1 / distance over the other vertices that reach v (OUT: that v reaches); a distance
 * of 0 adds nothing.
 * Columns: harmonic (f64; NaN for what is not in `of`, or not among the first).
 * Scalars: as of closeness. */
#ifndef WEFT_HARMONIC_H
#define WEFT_HARMONIC_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_harmonic_params {
    size_t size;
    const weft_vid *of; /* only these have a value; NULL = all */
    size_t of_count;
    const weft_vid *sources; /* only distances from these (OUT: to these) count; NULL = all */
    size_t source_count;
    weft_side direction; /* AUTO = IN: distances to the vertex; OUT: from it */
    int normalized;      /* divided by n - 1 */
    int weights;         /* as of closeness, ... */
    int estimate;        /* ... not with `sources` either */
    uint64_t registers;
    uint64_t first;
} weft_harmonic_params;
#define WEFT_HARMONIC_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_harmonic_params, first), NULL, 0, NULL, 0, WEFT_SIDE_AUTO, 0, 0, 0, 256, 0 }
WEFT_API weft_status weft_harmonic(weft_ctx *ctx, const weft_graph *g, const weft_harmonic_params *params,
                                   weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
