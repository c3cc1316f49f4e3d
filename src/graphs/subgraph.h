/* Induced and edge-sampled subgraphs: declarations shared by subgraph*.c. */
#ifndef WFI_GRAPHS_SUBGRAPH_H
#define WFI_GRAPHS_SUBGRAPH_H

#include "graph/graph.h"

/* A selection of vertices (keep[v]; NULL: all) and of edges between them. */
typedef struct wfi_selection {
    const uint8_t *keep;
    double min_weight, max_weight;
    bool by_weight;
    const uint8_t *arcs; /* only arcs with arcs[e]; NULL: all */
    uint64_t edge_share; /* probability of each edge, in units of 2^-53 */
    uint64_t seed;
} wfi_selection;

#define WFI_WHOLE ((uint64_t)1 << 53)

/* True if a draw, uniform among 2^53 values, is below `share`. */
bool wfi_chosen(uint64_t seed, uint32_t lane, uint64_t index, uint64_t share);

/* Lane of draws for vertices; draws for edges use the index among parallel edges. */
enum { WFI_LANE_VERTICES = UINT32_MAX };

/* Numbers of edges (not arcs) left out; sampling applies after weights. */
typedef struct wfi_left_out {
    uint64_t by_weight, by_chance;
} wfi_left_out;

/* Arcs of the k-truss, their end vertices, and the number of edges outside. The caller frees both arrays, also after
 * a failure. */
typedef struct wfi_truss_part {
    uint8_t *arcs, *vertices;
    uint64_t left_out;
} wfi_truss_part;
weft_status wfi_subgraph_truss(weft_ctx *ctx, const weft_graph *g, uint64_t k, wfi_truss_part *part);

/* Makes the subgraph of the selected vertices and edges, in their order, with their ids. place[v], if `place` is not
 * NULL, becomes the new number of v, or WEFT_NO_VERTEX. */
weft_status wfi_induce(weft_ctx *ctx, const weft_graph *g, const wfi_selection *by, weft_vid *place, wfi_left_out *left,
                       weft_graph **out);

#endif
