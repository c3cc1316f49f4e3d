/* The undirected simple view of a graph (no loops, no repeats, directions forgotten), each edge once: what triangle
 * counting and clustering work on.
 *
 * Vertices are renamed by rank: ascending degree, ties by vertex.  Row r lists the neighbours of higher rank as ranks,
 * ascending, so a triangle is met exactly once, from its lowest corner, and no row is longer than sqrt(2 edges).
 * [1] Chiba, Nishizeki, "Arboricity and Subgraph Listing Algorithms", SIAM J. Comput. 14, 1985.
 * [2] Latapy, "Main-memory Triangle Computations for Very Large (Sparse (Power-Law)) Graphs", TCS 407, 2008. */
#ifndef WFI_ORIENTED_H
#define WFI_ORIENTED_H

#include "graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wfi_oriented {
    weft_vid n;
    uint64_t edges;
    uint64_t longest;     /* row */
    uint64_t *offsets;    /* n + 1, by rank */
    weft_vid *targets;    /* edges, ranks */
    weft_vid *vertex;     /* n: the vertex that has the rank */
    uint32_t *degree;     /* n: by rank, in the simple view */
    uint8_t *arcs;        /* edges: 1, or 2 when the graph has the arc both ways; NULL unless asked for */
    uint32_t *reciprocal; /* n: by rank, neighbours joined by arcs both ways; NULL unless asked for */
} wfi_oriented;

/* A directed graph gets its transpose, if it has none.  with_arcs: count the arcs behind each edge. */
weft_status wfi_oriented_make(weft_ctx *ctx, const weft_graph *g, bool with_arcs, wfi_oriented *out);
void wfi_oriented_free(wfi_oriented *o);

/* Edges of the simple view, for plans: exact for an undirected graph without repeats, else from a sample of arcs. */
uint64_t wfi_oriented_estimate(const weft_graph *g);
/* What wfi_oriented_make holds: `kept` by the view at the end, `transpose` by one that has to be made and stays with
 * the graph, `peak` at most, both included. */
void wfi_oriented_bytes(const weft_ctx *ctx, const weft_graph *g, uint64_t edges, bool with_arcs, uint64_t *kept,
                        uint64_t *transpose, uint64_t *peak);
/* No row is longer. */
uint64_t wfi_oriented_longest(uint64_t n, uint64_t edges);

#ifdef __cplusplus
}
#endif
#endif
