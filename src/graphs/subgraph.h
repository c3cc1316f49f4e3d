/* Induced and edge-sampled subgraphs: what the files here share. */
#ifndef WFI_GRAPHS_SUBGRAPH_H
#define WFI_GRAPHS_SUBGRAPH_H

#include "graph/graph.h"

/* Which edges stay, and of vertices those with keep[v]; NULL = all. */
typedef struct wfi_selection {
    const uint8_t *keep;
    double min_weight, max_weight;
    bool by_weight;
    const uint8_t *arcs; /* of edges those with arcs[e], whatever else; NULL = all */
    uint64_t edge_share; /* of 2^53, by chance */
    uint64_t seed;
} wfi_selection;

#define WFI_WHOLE ((uint64_t)1 << 53)

/* Is one of 2^53 equally likely draws among the first `share`? */
bool wfi_chosen(uint64_t seed, uint32_t lane, uint64_t index, uint64_t share);

/* The lanes of vertices; edges have those below, by their place among parallel ones. */
enum { WFI_LANE_VERTICES = UINT32_MAX };

/* Edges (not arcs) that were left out; chance is asked after weight. */
typedef struct wfi_left_out {
    uint64_t by_weight, by_chance;
} wfi_left_out;

/* Which arcs are in the k-truss, and which vertices are the ends of one; edges that are not.  The caller frees both,
 * also after a failure. */
typedef struct wfi_truss_part {
    uint8_t *arcs, *vertices;
    uint64_t left_out;
} wfi_truss_part;
weft_status wfi_subgraph_truss(weft_ctx *ctx, const weft_graph *g, uint64_t k, wfi_truss_part *part);

/* The vertices and edges that stay, in their order; ids follow.  place[v] (may be NULL) is the new number of v, or
 * WEFT_NO_VERTEX. */
weft_status wfi_induce(weft_ctx *ctx, const weft_graph *g, const wfi_selection *by, weft_vid *place, wfi_left_out *left,
                       weft_graph **out);

#endif
