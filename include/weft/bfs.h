/* Breadth-first search from one vertex, or from the nearest of several.
 * Columns: level (u32, WEFT_UNREACHED = not reached), parent (vertex: the smallest one level closer with an arc to this
 *   one; a source is its own).  With `each`, levels and parents of the last search.
 * Table:   with `each` a row for each source, otherwise empty: source (vertex), source_reached, source_depth,
 *   source_distances (u64: vertices reached, the largest level, the sum of the levels).
 * Scalars: reached, depth. */
#ifndef WEFT_BFS_H
#define WEFT_BFS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_bfs_params {
    size_t size;
    weft_vid source;         /* WEFT_NO_VERTEX: the vertex with the most out-arcs, ties by smallest vertex */
    const weft_vid *sources; /* instead of source: each is at level 0 and its own parent; NULL = none */
    size_t source_count;
    uint64_t max_depth;      /* largest level; 0 = no limit */
    int parents;             /* make the column parent; without it a GPU sends half the bytes */
    const weft_vid *targets; /* stop after the level at which the last of them is reached; NULL = none */
    size_t target_count;
    int each; /* a separate search from each source */
} weft_bfs_params;
#define WEFT_BFS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bfs_params, each), WEFT_NO_VERTEX, NULL, 0, 0, 1, NULL, 0, 0 }
WEFT_API weft_status weft_bfs(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
