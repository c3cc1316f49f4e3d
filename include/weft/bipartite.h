/* Two sides such that every edge joins one to the other; or an odd cycle.  Directions and parallel edges do not
 * count; a loop is a cycle of one.  A graph that has sides (weft_graph_sides) keeps them; else the smallest vertex of
 * each component is on side 0.
 * Columns: side (u32: 0 or 1; WEFT_UNREACHED in components with an odd cycle).
 * Table:   cycle (vertices of an odd cycle in order, the smallest first; empty if there is none).
 * Scalars: bipartite (0 or 1), first, second (u64: vertices on side 0 and on side 1), components (u64: weak components;
 *   WEFT_NO_VALUE if the graph has sides). */
#ifndef WEFT_BIPARTITE_H
#define WEFT_BIPARTITE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_bipartite_params {
    size_t size;
} weft_bipartite_params;
#define WEFT_BIPARTITE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bipartite_params, size) }
WEFT_API weft_status weft_bipartite(weft_ctx *ctx, const weft_graph *g, const weft_bipartite_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
