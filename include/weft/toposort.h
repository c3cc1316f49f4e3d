/* Topological order of a directed graph, or a cycle.
 * Columns: level (u32: longest path from a vertex without in-arcs), position (u32: in the order by level, then vertex);
 *   WEFT_UNREACHED on or after a cycle.
 * Table:   cycle (vertices of one cycle in order; empty if there is none).
 * Scalars: acyclic (0 or 1), levels. */
#ifndef WEFT_TOPOSORT_H
#define WEFT_TOPOSORT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_toposort_params {
    size_t size;
    int levels; /* without order: make only the column level */
    int order;  /* without levels: make only the column position */
} weft_toposort_params;
#define WEFT_TOPOSORT_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_toposort_params, order), 0, 0 }
WEFT_API weft_status weft_toposort(weft_ctx *ctx, const weft_graph *g, const weft_toposort_params *params,
                                   weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
