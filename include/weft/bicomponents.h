/* What stays together when a vertex, or an edge, is taken away.  Directions do not count, and each arc is an edge.
 * Biconnected components: the largest sets of edges of which any two are on a common cycle; each has its number, from 1
 * in the order of first edges.  Articulation points are in several.  A bridge is on no cycle.  Loops do not count.
 * Columns: components (u32: biconnected components that the vertex is in), group (vertex: the smallest one that is
 *   still connected to it without any one edge).
 * Columns of edges, with `edges`: source, target (vertex), component (u32; of a loop 0), bridge (u32: 0 or 1).
 * Table, with `tree`: tree_component (u32), tree_point (vertex): the edges of the block-cut tree.
 * Scalars: components, points (articulation points), bridges, groups (u64). */
#ifndef WEFT_BICOMPONENTS_H
#define WEFT_BICOMPONENTS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_bicomponents_params {
    size_t size;
    int edges; /* values of edges */
    int tree;  /* these, and the block-cut tree */
} weft_bicomponents_params;
#define WEFT_BICOMPONENTS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bicomponents_params, tree), 0, 0 }
WEFT_API weft_status weft_bicomponents(weft_ctx *ctx, const weft_graph *g, const weft_bicomponents_params *params,
                                       weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
