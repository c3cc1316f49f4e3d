/* Truss numbers of edges: the largest k for which an edge is in the k-truss.  The k-truss is the largest set of
 * edges in which each is a side of k - 2 triangles.  Directions, loops and parallel edges do not count.
 * Columns of edges: source, target (vertex), truss (u32: 2 or more, one for each of parallel edges; 0 for a loop).
 *   With k: k for the edges of the k-truss, 0 for others.
 * Scalars: max_truss (u64: the largest number, 0 without edges), edges (u64: edges with that number). */
#ifndef WEFT_TRUSS_H
#define WEFT_TRUSS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_truss_params {
    size_t size;
    uint64_t k; /* 2 or more: the k-truss alone, which is faster; 0 = all numbers */
} weft_truss_params;
#define WEFT_TRUSS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_truss_params, k), 0 }
WEFT_API weft_status weft_truss(weft_ctx *ctx, const weft_graph *g, const weft_truss_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
