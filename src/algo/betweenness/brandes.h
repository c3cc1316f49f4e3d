/* From sources: shortest paths from many sources, counted, and what each vertex and each arc has of them.
 *
 * Of a search from s, count(v) is the number of shortest paths from s to v, and the dependency of s on v the sum, over
 * targets t, of the part of the shortest paths from s to t that lead through v, the ends s and t apart [1].
 * Dependencies of all sources are added up.  Parallel arcs are paths of their own; a loop is on no shortest path.
 *
 * By hops (brandes.c) searches run side by side as lanes, a batch of them at once.  The bits of a lane are its
 * own, and do not depend on the other lanes, on how many there are, or on threads:
 *   count(v)  = the sum of count(u) over arcs u -> v from the level before, along v's row of incoming arcs;
 *   share(w)  = ((w is a target) + dependency(w)) / count(w);
 *   dependency(v) = count(v) * the sum of share(w) over arcs v -> w to the next level, along v's row of outgoing arcs;
 *   that of an arc v -> w to the next level is count(v) * share(w);
 * in far numbers (wide_double.h): doubles with exponents without bounds, one for each vertex and lane.  A sum along a
 * row adds what WFI_PIECE arcs bring, in their order, and the sums of these pieces, in theirs; arcs that bring nothing
 * are 0, so that they may be passed over.  A GPU (brandes.cu) has a thread for each lane, which goes along a piece.
 * Sums over sources are wide: at most 2^-64 is lost with each source.
 *
 * Trees that hang on an undirected graph are folded where paths from all vertices to all count (pendant_trees.h): the
 * search of the vertex that a tree hangs at counts once more for each vertex of the tree, and what trees have is put
 * right in integers after all searches.
 *
 * By weights (brandes_lengths.c) searches run one by one, each in a thread of its own.  The length of a path is
 * the sum of its weights as doubles, from the source on, as in sssp: where lengths are rounded, those of two paths are
 * equal if they are after rounding.  Arcs of shortest paths are those by which a vertex has its distance; each must
 * lead farther, so that they have no cycle: a weight that is lost in the sum is refused.  Counts and shares are far
 * numbers, added in the order in which vertices were settled, by distance, then by number; sums over sources are wide.
 *
 * [1] Brandes, "A Faster Algorithm for Betweenness Centrality", Journal of Mathematical Sociology 25(2), 2001. */
#ifndef WFI_BETWEENNESS_BRANDES_H
#define WFI_BETWEENNESS_BRANDES_H

#include "algo/betweenness/pendant_trees.h"
#include "algo/betweenness/wide_double.h"
#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

enum { WFI_PIECE = 256 };

/* Lanes of a batch: a row of counts is two lines of cache, on a GPU one. */
enum { WFI_LANES = 16 };
typedef uint16_t wfi_lane_set; /* a bit for each */
typedef double wfi_lane_values[WFI_LANES];
typedef int32_t wfi_lane_exponents[WFI_LANES];

/* A batch on CPU cores.  Of each vertex it has the lanes that have reached it, and one value a lane: the count on the
 * way out, the share on the way back.  The trail lists vertices by level, each with the lanes that are there: no lane
 * needs an array of levels, and arcs between other levels cost a look at two bytes. */
typedef struct wfi_lane_batch {
    wfi_lane_values *value;       /* digits, where there are exponents */
    wfi_lane_exponents *exponent; /* only of batches with counts beyond WFI_FAR_FROM */
    wfi_lane_set *seen, *now, *next;
    weft_vid *trail;
    wfi_lane_set *lanes;     /* of the trail */
    uint64_t *level;         /* where each begins in the trail */
    wfi_wide_sum *at_vertex; /* sums of the batches so far, of vertices, ... */
    wfi_wide_sum *at_arc;    /* ... and of arcs, if they are asked for */
} wfi_lane_batch;

/* The same of a search by weights. */
typedef struct wfi_length_search {
    struct wfi_reach *reach;
    weft_vid *queue; /* a heap of the vertices that wait; from the end, vertices that are settled */
    wfi_wide_sum *at_vertex, *at_arc;
} wfi_length_search;

typedef struct wfi_brandes {
    const weft_graph *g;
    const weft_vid *sources;
    uint64_t count;
    const uint8_t *targets;   /* 1: paths to the vertex count; NULL: to each */
    bool arcs;                /* sums of arcs as well */
    bool ends;                /* the ends of a path count too */
    wfi_pendant_trees folds;  /* sources are all of the core, targets are all; below NULL: nothing is folded */
    int at_once;              /* batches, or searches by weights, each of one thread; 1: threads share a batch */
    wfi_lane_batch batch;     /* the arrays of the first; those of others follow */
    wfi_length_search search; /* likewise */
} wfi_brandes;

/* Bytes that a batch takes, or a search by weights. */
uint64_t wfi_brandes_bytes(const weft_graph *g, bool arcs);
uint64_t wfi_brandes_length_bytes(const weft_graph *g, bool arcs);
void wfi_brandes_lay_out(wfi_workspace *w, const weft_graph *g, wfi_brandes *f);
void wfi_brandes_lay_out_lengths(wfi_workspace *w, const weft_graph *g, wfi_brandes *f);

/* Searches from each of the sources, which are distinct, along outgoing arcs; by hops the transpose is there.  The sums
 * are those of f->batch. */
weft_status wfi_brandes_run(weft_ctx *ctx, wfi_brandes *f);
/* By weights, which are finite and above 0; the sums are those of f->search. */
weft_status wfi_brandes_run_lengths(weft_ctx *ctx, wfi_brandes *f);
/* Sums of `batches` searches side by side, each with `count` of them, become those of the first. */
void wfi_wide_sums_join(weft_ctx *ctx, wfi_wide_sum *sum, uint64_t count, int batches);

/* Sources in an order in which neighbours share a batch: their lanes are at a vertex at few different levels.
 * wanted[v] = 1 for those to put in order, and 0 everywhere afterwards; returns how many were put there.  Sources that
 * no arc leaves are left out. */
uint64_t wfi_brandes_order(weft_ctx *ctx, const weft_graph *g, uint8_t *wanted, weft_vid *order);

WFI_C_END
#endif
