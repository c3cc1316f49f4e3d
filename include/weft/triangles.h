/* Triangles; directions, loops and parallel edges do not count.
 * Columns: triangles (u64: triangles of the vertex).
 * Columns of edges, with `edges`: source, target (vertex), support (u64: triangles that contain both ends; 0 for
 *   a loop).
 * Scalars: triangles (of the graph). */
#ifndef WEFT_TRIANGLES_H
#define WEFT_TRIANGLES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_triangles_params {
    size_t size;
    int edges; /* also the support of each edge, one for each of parallel edges */
} weft_triangles_params;
#define WEFT_TRIANGLES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_triangles_params, edges), 0 }
WEFT_API weft_status weft_triangles(weft_ctx *ctx, const weft_graph *g, const weft_triangles_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
