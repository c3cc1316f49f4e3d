/* A part of a graph: what the files here share. */
#ifndef WFI_SUBGRAPH_H
#define WFI_SUBGRAPH_H

#include "graph/graph.h"

/* Which edges stay, and of vertices those with keep[v]; NULL = all. */
typedef struct wfi_part {
    const uint8_t *keep;
    double min_weight, max_weight;
    bool by_weight;
    uint64_t edge_share; /* of 2^53, by chance */
    uint64_t seed;
} wfi_part;

#define WFI_WHOLE ((uint64_t)1 << 53)

/* Is one of 2^53 equally likely draws among the first `share`? */
bool wfi_chosen(uint64_t seed, uint32_t lane, uint64_t index, uint64_t share);

/* The lanes of vertices; edges have those below, by their place among parallel ones. */
enum { WFI_LANE_VERTICES = UINT32_MAX };

/* The vertices and edges that stay, in their order; ids follow.  place[v] (may be NULL) is the new number of v, or
 * WEFT_NO_VERTEX.  The two counts are edges (not arcs) that weight and chance left out; what chance looks at has passed
 * by weight. */
weft_status wfi_induce(weft_ctx *ctx, const weft_graph *g, const wfi_part *part, weft_vid *place, uint64_t *by_weight,
                       uint64_t *by_chance, weft_graph **out);

#endif
