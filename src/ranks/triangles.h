/* Triangle sums at the vertices of the undirected simple view of a graph that is spread over ranks: the counts, and the
 * weighted counts that clustering coefficients need. */
#ifndef WFI_RANK_TRIANGLES_H
#define WFI_RANK_TRIANGLES_H

#include "ranks/fetch.h"

/* The contribution of a triangle to each of its vertices: 1; the arcs on the side opposite; the product of the arcs on
 * its three sides.  A side has 1 arc, or 2, there and back. */
typedef enum wfi_triangle_rule { WFI_TRIANGLE_ONE = 0, WFI_TRIANGLE_OPPOSITE, WFI_TRIANGLE_PRODUCT } wfi_triangle_rule;

/* Forward rows of this rank's vertices, and the same edges by their targets. */
typedef struct wfi_forward {
    weft_vid *target; /* targets by row */
    uint8_t *arcs;    /* arcs of each edge, 1 or 2; NULL: not counted */
    weft_vid *from;   /* rows, by target */
    uint8_t *from_arcs;
} wfi_forward;

struct wfi_rank_triangles;
/* The steps of ranks whose GPUs search triangles (device_steps.h).  `end` reports a failure of any of them to all
 * ranks. */
typedef struct wfi_rank_triangles_gpu {
    /* Declares its arrays; the other arrays of c are laid out. */
    void (*lay_out)(struct wfi_rank_triangles_gpu *gpu, const wfi_spread *s, wfi_triangle_rule rule,
                    const struct wfi_rank_triangles *c);
    /* Called after the forward rows are made. */
    void (*begin)(struct wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const wfi_spread *s,
                  const struct wfi_rank_triangles *c, const wfi_forward *e);
    /* The triangles that rows of this rank close, and those that the fetched rows close.  *stop: the caller wants to
     * stop. */
    void (*close_own)(struct wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const wfi_spread *s,
                      const struct wfi_rank_triangles *c, bool *stop);
    void (*close_fetched)(struct wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const struct wfi_rank_triangles *c,
                          bool *stop);
    /* Fills c->sum, and the number that this rank has found.  Collective, with the same status on all ranks. */
    weft_status (*end)(struct wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const wfi_spread *s,
                       struct wfi_rank_triangles *c, uint64_t *found);
} wfi_rank_triangles_gpu;

typedef struct wfi_rank_triangles {
    wfi_rank_triangles_gpu *gpu; /* set by the caller; NULL: CPU cores search */
    uint64_t *sum;               /* sums of this rank's vertices */
    uint32_t *degree;            /* neighbours of each vertex of the graph */
    uint32_t *reciprocal;        /* neighbours by arcs there and back, of each of this rank's vertices */
    uint64_t triangles;          /* triangles of the graph */

    uint64_t *sums; /* scratch from here on.  For each vertex of the graph: this rank's part of the sum */
    weft_eid *offsets, *group;
    uint8_t *marks; /* for each vertex of the graph and each thread: the arcs of the side to it */
    int threads;
    wfi_fetch fetch;
    weft_vid *want;
} wfi_rank_triangles;

void wfi_rank_triangles_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_spread *s, wfi_triangle_rule rule,
                                wfi_rank_triangles *c);
/* Upper bound of the bytes that this rank sends, once the arrays are laid out: degrees, sums, and each forward row of
 * its own to each other rank. */
uint64_t wfi_rank_triangles_sends(const wfi_spread *s, wfi_triangle_rule rule, const wfi_rank_triangles *c);
/* A directed graph must have its incoming rows. */
weft_status wfi_rank_triangles_run(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_triangle_rule rule,
                                   wfi_rank_triangles *c);

#endif
