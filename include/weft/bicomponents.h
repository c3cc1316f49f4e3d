/* Biconnected components, articulation points and bridges.  Directions do not count, and each arc is an edge.
 * A biconnected component is a maximal set of edges any two of which lie on a common cycle; components are numbered
 * from 1 in the order of their first edges.  An articulation point lies in several components; a bridge lies on no
 * cycle.  Loops do not count.
 * Columns: components (u32: number of biconnected components of the vertex), group (vertex: the smallest vertex
 *   that stays connected to it when any one edge is removed).
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
    int edges; /* make the columns of edges */
    int tree;  /* make the columns of edges, and the block-cut tree */
} weft_bicomponents_params;
#define WEFT_BICOMPONENTS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bicomponents_params, tree), 0, 0 }
WEFT_API weft_status weft_bicomponents(weft_ctx *ctx, const weft_graph *g, const weft_bicomponents_params *params,
                                       weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
