/* The interface of distances' files. */
#ifndef WFI_DISTANCES_H
#define WFI_DISTANCES_H

#include "engines/msbfs/msbfs.h"
#include "run/algorithm.h"

/* The largest weak component as a simple graph of its own, numbered in the order of a search, so that neighbours lie
 * near each other.  Its rows do not ascend. */
typedef struct wfi_component {
    weft_vid n;
    weft_vid *vertex; /* vertices of the graph */
    wfi_view along;   /* the arcs along which distances are measured; both ways if direction does not count */
    wfi_view back;    /* the same arcs reversed, if it does */
} wfi_component;

/* hops.c: breadth-first search.  distance[v] is the number of arcs from the source, UINT32_MAX if v is not reachable;
 * queue lists the reached vertices by ascending distance.  Returns their number; 0: the caller wants to stop. */
weft_vid wfi_hops(weft_ctx *ctx, const wfi_view *rows, weft_vid n, weft_vid source, uint32_t *distance,
                  weft_vid *queue);

/* hops.c: roots[v] = 1 if v reaches every vertex of the component, and *count their number.  distance and queue are
 * scratch. */
weft_status wfi_find_roots(weft_ctx *ctx, const wfi_component *c, uint32_t *distance, weft_vid *queue, uint8_t *roots,
                           weft_vid *count);

/* all_pairs.c: the eccentricity of each vertex, and in count[d] the number of ordered pairs at distance d, 1 <= d <
 * n. */
typedef struct wfi_all_pairs {
    weft_vid most; /* capacity in vertices */
    int threads;
    weft_vid *batch; /* sources; those of a group lie near each other */
    uint64_t *count;
    wfi_msbfs searches; /* searches of each thread */
} wfi_all_pairs;
void wfi_all_pairs_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid most, wfi_all_pairs *a);
weft_status wfi_all_pairs_run(weft_ctx *ctx, const wfi_component *c, const wfi_all_pairs *a, uint32_t *eccentricity);

/* bounds.c: bounds of the eccentricities from few searches, until diameter and radius are known or `most` searches were
 * made; for components whose arcs lead both ways. */
enum { WFI_SEARCHES_AT_ONCE = 2 };
typedef struct wfi_ecc_bounds {
    uint32_t *lower, *upper;
    uint64_t *sum; /* sum of the distances to the sources so far: small in the middle */
    uint32_t *distance[WFI_SEARCHES_AT_ONCE];
    weft_vid *queue[WFI_SEARCHES_AT_ONCE];
    uint64_t searches;
} wfi_ecc_bounds;
void wfi_ecc_bounds_lay_out(wfi_workspace *w, weft_vid n, wfi_ecc_bounds *b);
weft_status wfi_ecc_bounds_run(weft_ctx *ctx, const wfi_component *c, uint64_t most, wfi_ecc_bounds *b);

/* bounds.c: the next sources.  WEFT_NO_VERTEX: no candidate is left. */
typedef struct wfi_ecc_open {
    weft_vid outer; /* the vertex with the largest upper bound, if that exceeds the largest known eccentricity */
    weft_vid inner; /* the vertex with the smallest lower bound, if that is below the smallest known eccentricity */
} wfi_ecc_open;
/* Only vertices with candidates[v] count for the radius, and for `inner`; NULL: all. */
wfi_ecc_open wfi_ecc_candidates(weft_ctx *ctx, const wfi_ecc_bounds *b, weft_vid n, const uint8_t *candidates);
/* True if u is more central than v by the bounds.  v may be WEFT_NO_VERTEX.  Ties to the smaller number. */
bool wfi_ecc_nearer(const wfi_ecc_bounds *b, weft_vid u, weft_vid v);

/* arc_bounds.c: the same if direction counts. */
typedef struct wfi_arc_bounds {
    wfi_ecc_bounds ecc;
    weft_vid strong_count;
    weft_vid *strong; /* strong component of each vertex */
    weft_vid *order,
        *begin;      /* vertices by strong component, arcs between components leading to earlier ones; the begin of each
                 * component */
    weft_vid *pivot; /* pivot of each strong component, one of its vertices */
    uint32_t *bound, *least; /* upper bound of each pivot's eccentricity; scratch */
} wfi_arc_bounds;
void wfi_arc_bounds_lay_out(wfi_workspace *w, weft_vid n, wfi_arc_bounds *b);
weft_status wfi_arc_bounds_run(weft_ctx *ctx, const wfi_component *c, uint64_t most, const uint8_t *roots,
                               wfi_arc_bounds *b);

/* lengths.c: distances by weights, from each vertex of the component.  Needs: the transpose of a directed graph. */
void wfi_distances_plan_lengths(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice);
weft_status wfi_distances_run_lengths(wfi_job *job, weft_side side);

#endif
