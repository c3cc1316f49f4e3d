/* Positions in the plane for a drawing, neighbours about 1 apart.  Components stand side by side, the largest around
 * 0, 0; isolated vertices below.  Directions, loops, parallel arcs and weights do not count.
 * Columns: x, y (f32; x to the right, y upwards).
 * Scalars: components. */
#ifndef WEFT_LAYOUT_H
#define WEFT_LAYOUT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_layout_params {
    size_t size;
    uint64_t steps; /* passes over the vertices of each level */
    uint64_t seed;
    const weft_vid *groups; /* a label for each vertex, below their number: arcs within a group attract more strongly */
} weft_layout_params;
#define WEFT_LAYOUT_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_layout_params, groups), 75, 1, NULL }
WEFT_API weft_status weft_layout(weft_ctx *ctx, const weft_graph *g, const weft_layout_params *params,
                                 weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
