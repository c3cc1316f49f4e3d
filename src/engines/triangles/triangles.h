/* The number of triangles at each vertex, and at each edge (its support), CPU: with the orientation of oriented.h
 * (triangles.c), or without a copy of the graph (triangles_lean.c). */
#ifndef WFI_TRIANGLES_H
#define WFI_TRIANGLES_H

#include "engines/triangles/oriented.h"

#include <math.h>

/* Scratch of a count. */
typedef struct wfi_triangle_scratch {
    uint64_t *joined; /* adjacency of the hubs, as a bit matrix */
    uint32_t *count;  /* for each thread, by place in a row */
    uint64_t *bits;   /* for each thread, a row of the matrix */
    uint16_t *slot;   /* for each thread, a small table */
} wfi_triangle_scratch;
/* For a view of n vertices and at most `edges` edges; support: whether the support of edges is requested. */
void wfi_triangles_lay_out(wfi_workspace *w, const weft_ctx *ctx, uint64_t n, uint64_t edges, bool support,
                           wfi_triangle_scratch *s);

/* triangles_at[r] = triangles with the vertex of rank r; n entries, filled here.  *total = triangles of the graph.
 * support[e] = triangles with the edge targets[e] of the view, filled here; NULL: not requested. */
weft_status wfi_count_triangles(weft_ctx *ctx, const wfi_oriented *o, const wfi_triangle_scratch *s,
                                uint64_t *triangles_at, uint32_t *support, uint64_t *total);

/* Reports progress and polls.  True: the caller wants to stop, and *stop, which threads share, is set. */
bool wfi_triangles_stop(weft_ctx *ctx, uint64_t done, uint64_t all, bool *stop);

/* The same without the oriented view, slower: triangles_at[v] by vertex.  Needs only the transpose of a directed
 * graph. */
weft_status wfi_count_triangles_lean(weft_ctx *ctx, const weft_graph *g, uint64_t *triangles_at, uint64_t *total);
/* support[i] = triangles with the ends source[i] and target[i], which are joined, or a loop.  After the count. */
weft_status wfi_support_lean(weft_ctx *ctx, const weft_graph *g, const weft_vid *source, const weft_vid *target,
                             uint64_t edges, uint64_t *support);

/* --- clustering ------------------------------------------------------------------------ */

/* Sums over all vertices, and the scalars of the result.
 * Encoding: the average adds coefficients in fixed point, 62 fractional bits, the upper and the lower 31 bits
 * separately, so that 2^32 of them cannot overflow and the order of adding does not matter. */
enum { WFI_HALF = 31 };

typedef struct wfi_clustering_totals {
    uint64_t triangles, wedges;
    uint64_t upper, lower; /* halves of the sum of the coefficients */
} wfi_clustering_totals;

/* Adds one vertex with its coefficient and degree. */
static inline void wfi_clustering_add(wfi_clustering_totals *t, double coefficient, uint64_t degree) {
    uint64_t fixed = (uint64_t)ldexp(coefficient, 2 * WFI_HALF);
    t->upper += fixed >> WFI_HALF;
    t->lower += fixed & (((uint64_t)1 << WFI_HALF) - 1);
    t->wedges += degree ? degree * (degree - 1) / 2 : 0;
}

static inline double wfi_clustering_average(const wfi_clustering_totals *t, uint64_t n) {
    return n ? (ldexp((double)t->upper, -WFI_HALF) + ldexp((double)t->lower, -2 * WFI_HALF)) / (double)n : 0;
}

static inline double wfi_clustering_transitivity(const wfi_clustering_totals *t) {
    return t->wedges ? (double)(3 * t->triangles) / (double)t->wedges : 0;
}

#endif
