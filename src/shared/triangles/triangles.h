/* How many triangles each vertex is a corner of, and each edge a side of (its support), CPU: with the orientation of
 * oriented.h (triangles.c), or without a copy of the graph (triangles_lean.c). */
#ifndef WFI_TRIANGLES_H
#define WFI_TRIANGLES_H

#include "shared/triangles/oriented.h"

/* Scratch of a count. */
typedef struct wfi_triangle_scratch {
    uint64_t *joined; /* a bit matrix: who of the hubs is joined with whom */
    uint32_t *count;  /* for each thread, by place in a row */
    uint64_t *bits;   /* for each thread, a row of the matrix */
    uint16_t *slot;   /* for each thread, a small table */
} wfi_triangle_scratch;
/* For a view of n vertices and no more than so many edges, whose support is asked for or not. */
void wfi_triangles_lay_out(wfi_workspace *w, const weft_ctx *ctx, uint64_t n, uint64_t edges, bool support,
                           wfi_triangle_scratch *s);

/* corners[r] = triangles that the vertex of rank r is in; n places, filled here.  *total = triangles of the graph.
 * support[e] = triangles with the edge targets[e] of the view, filled here; NULL: it is not asked for. */
weft_status wfi_count_triangles(weft_ctx *ctx, const wfi_oriented *o, const wfi_triangle_scratch *s, uint64_t *corners,
                                uint32_t *support, uint64_t *total);

/* The same without the oriented view, slower: corners[v] by vertex.  Takes nothing but the transpose of a directed
 * graph. */
weft_status wfi_count_triangles_lean(weft_ctx *ctx, const weft_graph *g, uint64_t *corners, uint64_t *total);
/* support[i] = triangles with the ends source[i] and target[i], `edges` pairs that are joined, or loops.  After the
 * count. */
weft_status wfi_support_lean(weft_ctx *ctx, const weft_graph *g, const weft_vid *source, const weft_vid *target,
                             uint64_t edges, uint64_t *support);

#endif
