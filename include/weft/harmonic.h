/* Harmonic centrality: the sum of 1 / distance over the other vertices that reach v (OUT: that v reaches); a distance
 * of 0 adds nothing.
 * Columns: harmonic (f64; NaN for vertices outside `of` or beyond `first`).
 * Scalars: those of closeness. */
#ifndef WEFT_HARMONIC_H
#define WEFT_HARMONIC_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_harmonic_params {
    size_t size;
    const weft_vid *of; /* compute these vertices only; NULL = all */
    size_t of_count;
    const weft_vid *sources; /* only distances from these (OUT: to these) count; NULL = all */
    size_t source_count;
    weft_side direction; /* AUTO = IN: distances to the vertex; OUT: from it */
    int normalized;      /* divide by n - 1 */
    int weights;         /* this field and the next three: as in closeness; ... */
    int estimate;        /* ... estimate not with `sources` either */
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
