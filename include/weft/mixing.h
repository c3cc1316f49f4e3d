/* Who is joined to whom.  The degree of a vertex is the length of its row, of a directed graph those out and in
 * together; parallel edges count each.
 * Columns: neighbour_degree (f64: mean out-degree of the targets of the vertex's arcs, 0 without any), reciprocity
 *   (f64: share of its arcs whose reverse exists, loops left out; NaN without any).
 * Table:   degree, count (u64: as degree has them), club (u64: vertices of this degree or more), club_edges (u64: edges
 *   between two of them, loops left out), rich_club (f64: these over those possible; NaN for one vertex).
 * Scalars: density (f64, loops left out), assortativity (f64: Pearson's correlation over all arcs of the
 *   out-degree where one begins and the in-degree where it ends; NaN if all are equal), group_assortativity (f64:
 *   Newman's coefficient of `groups`; NaN without them or if there is one), reciprocity (f64), mutual (u64: arcs whose
 *   reverse exists; of an undirected graph all but loops), transitivity (f64: NaN if it is not asked for). */
#ifndef WEFT_MIXING_H
#define WEFT_MIXING_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_mixing_params {
    size_t size;
    const weft_vid *groups; /* a label for each vertex, below their number; NULL: none */
    int transitivity;       /* count triangles, which takes longer than all the rest */
} weft_mixing_params;
#define WEFT_MIXING_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_mixing_params, transitivity), NULL, 1 }
WEFT_API weft_status weft_mixing(weft_ctx *ctx, const weft_graph *g, const weft_mixing_params *params,
                                 weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
