/* Mixing by degree and by groups.  The degree of a vertex is the length of its row; in a directed graph, of its rows
 * out and in together.  Each of parallel edges counts.
 * Columns: neighbour_degree (f64: mean out-degree of the targets of the vertex's arcs, 0 without any), reciprocity
 *   (f64: fraction of its arcs other than loops that have a reverse arc; NaN without arcs).
 * Table:   degree, count (u64: vertices of that degree), club (u64: vertices of this degree or more), club_edges (u64:
 *   edges between two of them, without loops), rich_club (f64: club_edges / possible edges; NaN for one vertex).
 * Scalars: density (f64, without loops), assortativity (f64: Pearson's correlation over all arcs of the
 *   out-degree where one begins and the in-degree where it ends; NaN if all are equal), group_assortativity (f64:
 *   Newman's coefficient of `groups`; NaN without them or if there is one), reciprocity (f64), mutual (u64: arcs that
 *   have a reverse arc; all but loops if undirected), transitivity (f64; NaN if not requested). */
#ifndef WEFT_MIXING_H
#define WEFT_MIXING_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_mixing_params {
    size_t size;
    const weft_vid *groups; /* a label for each vertex, below their number; NULL: none */
    int transitivity;       /* count triangles, which takes longer than everything else */
} weft_mixing_params;
#define WEFT_MIXING_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_mixing_params, transitivity), NULL, 1 }
WEFT_API weft_status weft_mixing(weft_ctx *ctx, const weft_graph *g, const weft_mixing_params *params,
                                 weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
