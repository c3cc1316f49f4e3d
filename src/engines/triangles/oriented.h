/* The undirected simple view of a graph (no loops, no repeats, directions ignored), each edge once: the input of
 * triangle counting and clustering.
 *
 * Vertices are renamed by rank: ascending degree, ties by vertex.  Row r lists the neighbours of higher rank as ranks,
 * ascending, so a triangle is met exactly once, from its lowest corner, and no row is longer than sqrt(2 edges).
 * [1] Chiba, Nishizeki, "Arboricity and Subgraph Listing Algorithms", SIAM J. Comput. 14, 1985.
 * [2] Latapy, "Main-memory Triangle Computations for Very Large (Sparse (Power-Law)) Graphs", TCS 407, 2008. */
#ifndef WFI_TRIANGLES_ORIENTED_H
#define WFI_TRIANGLES_ORIENTED_H

#include "core/search.h"
#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

typedef struct wfi_oriented {
    weft_vid n;
    uint64_t edges;
    uint64_t longest;     /* length of the longest row */
    uint64_t *offsets;    /* n + 1, by rank */
    weft_vid *targets;    /* edges, ranks */
    weft_vid *vertex;     /* n: the vertex of each rank */
    uint32_t *degree;     /* n: by rank, in the simple view */
    uint8_t *arcs;        /* edges: 1, or 2 if the graph has the arc both ways; NULL unless requested */
    uint32_t *reciprocal; /* n: by rank, neighbours joined by arcs both ways; NULL unless requested */
} wfi_oriented;

/* Scratch for making the view. */
typedef struct wfi_orienting {
    weft_vid *rank;       /* rank of each vertex */
    uint64_t *key;        /* degree of each vertex; later by rank */
    uint32_t *reciprocal; /* neighbours by arcs both ways, for each vertex */
    uint64_t *sort_key, *sort_places;
    uint32_t *sort_value;
    void *spare; /* two rows for each thread; reuses the memory of ranks, keys and sorting */
} wfi_orienting;

/* Lays out the view and, in a phase of its own, the scratch; targets and arcs grow when the number of edges is known.
 * with_arcs: count the arcs behind each edge. */
void wfi_oriented_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, bool with_arcs, wfi_oriented *o,
                          wfi_orienting *scratch);
/* A directed graph must have its transpose. */
weft_status wfi_oriented_make(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, bool with_arcs,
                              const wfi_orienting *scratch, wfi_oriented *o);

/* Upper bound of the edges of the simple view, for plans; exact for an undirected graph without repeats. */
uint64_t wfi_oriented_most(const weft_graph *g);
/* Upper bound of the length of a row. */
uint64_t wfi_oriented_longest(uint64_t n, uint64_t edges);

/* The edge between two joined ranks. */
static inline uint64_t wfi_oriented_edge(const wfi_oriented *o, weft_vid u, weft_vid v) {
    weft_vid low = u < v ? u : v, high = u < v ? v : u;
    return wfi_lower_bound_u32(o->targets, o->offsets[low], o->offsets[low + 1], high);
}

/* Adds to a counter that threads share. */
static inline void wfi_add_to(uint64_t *place, uint64_t value) {
    if (value) __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

WFI_C_END
#endif
