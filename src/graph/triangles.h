/* How many triangles each vertex is a corner of. */
#ifndef WFI_TRIANGLES_H
#define WFI_TRIANGLES_H

#include "graph/oriented.h"

/* corners[r] = triangles that the vertex of rank r is in; n places, filled here.  *total = triangles of the graph. */
weft_status wfi_count_triangles(weft_ctx *ctx, const wfi_oriented *o, uint64_t *corners, uint64_t *total);

/* Bytes that the count takes beside its arguments, on a view of n vertices and so many edges. */
uint64_t wfi_count_triangles_bytes(const weft_ctx *ctx, uint64_t n, uint64_t edges);

/* The same without the oriented view, slower: corners[v] by vertex.  Takes nothing but the transpose of a directed graph. */
weft_status wfi_count_triangles_lean(weft_ctx *ctx, const weft_graph *g, uint64_t *corners, uint64_t *total);

#endif
