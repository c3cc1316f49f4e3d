/* Shortest paths from one vertex, or from the nearest of several.  Weights must not be negative; without weights every
 * arc counts 1.
 * Columns: distance (f64, infinity = not reached), parent (vertex; a source is its own).
 * Scalars: reached, max_distance (f64). */
#ifndef WEFT_SSSP_H
#define WEFT_SSSP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_sssp_params {
    size_t size;
    weft_vid source;         /* WEFT_NO_VERTEX: the vertex with the most out-arcs, ties by smallest vertex */
    double delta;            /* width of a bucket of distances; 0 = automatic.  Never changes the answer */
    int parents;             /* make the column parent */
    const weft_vid *sources; /* instead of source: each is at distance 0 and its own parent; NULL = none */
    size_t source_count;
    const weft_vid *targets; /* stop at the distance of the farthest, unless one has no path; NULL = none */
    size_t target_count;
    int weights; /* fail if the graph has no weights */
} weft_sssp_params;
#define WEFT_SSSP_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_sssp_params, weights), WEFT_NO_VERTEX, 0, 1, NULL, 0, NULL, 0, 0 }
WEFT_API weft_status weft_sssp(weft_ctx *ctx, const weft_graph *g, const weft_sssp_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
