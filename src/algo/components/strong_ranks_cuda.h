/* Strong components on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_COMPONENTS_STRONG_RANKS_CUDA_H
#define WFI_COMPONENTS_STRONG_RANKS_CUDA_H

#include "algo/algo.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wfi_spread;
void wfi_components_plan_strong_ranks_cuda(const struct wfi_spread *spread, wfi_choice *choice);
weft_status wfi_components_strong_ranks_cuda(wfi_job *job, uint64_t *count, uint64_t *largest);

/* Colours as the kernels see them: all of it on the GPU. */
typedef struct wfi_colours_gpu {
    wfi_view out, in;
    weft_vid n, first;         /* of the graph; of this rank's vertices: row k is that of first + k */
    weft_vid *colour;          /* of each vertex of the graph: the best name that reaches it, in this round, ... */
    weft_vid *kind;            /* ... and in the last; WEFT_NO_VERTEX: its component is known */
    uint8_t *marked;           /* likewise: it reaches its root */
    weft_vid *label;           /* of this rank's vertices: the root */
    uint32_t *waits;           /* likewise: is it in `queue`, or in `next`? */
    weft_vid *queue;           /* rows that have something to pass on, ... */
    weft_vid *next;            /* ... and those that come to it */
    uint64_t *counts;          /* WFI_COLOURS_COUNTS */
    uint32_t *is_addressed;    /* a bit for each vertex of the graph: it is in `addressed` */
    weft_vid *addressed;       /* vertices of other ranks that get a message, ... */
    uint64_t *addressed_count; /* ... so many */
    uint64_t *family;  /* of each vertex, as a root: members on this rank, and in the lower half the smallest of them */
    uint32_t *members; /* of this rank's vertices, as roots: of all ranks */
} wfi_colours_gpu;
enum { WFI_COLOURS_QUEUED, WFI_COLOURS_FOUND, WFI_COLOURS_MOST, WFI_COLOURS_COUNTS };

/* Whoever is left has its own name, of this rank's, and is queued. */
weft_status wfi_colours_name(weft_ctx *ctx, const wfi_colours_gpu *c);
/* The first `queued` of the queue pass on their names, forward; whoever gets a better one is put into next, or
 * addressed. */
weft_status wfi_colours_pass_on(weft_ctx *ctx, const wfi_colours_gpu *c, uint64_t queued);
/* Pairs (vertex, name) of this rank's vertices. */
weft_status wfi_colours_receive_names(weft_ctx *ctx, const wfi_colours_gpu *c, const uint32_t *received,
                                      uint64_t count);
/* The first `count` of `addressed` are is_addressed no more. */
weft_status wfi_colours_clear_addressed(weft_ctx *ctx, const wfi_colours_gpu *c, uint64_t count);
/* This rank's roots are marked, and queued. */
weft_status wfi_colours_mark_roots(weft_ctx *ctx, const wfi_colours_gpu *c);
/* Along incoming arcs of the first `queued` of the queue, inside a colour: who is marked by that is put into next, or
 * addressed. */
weft_status wfi_colours_look_back(weft_ctx *ctx, const wfi_colours_gpu *c, uint64_t queued);
/* Pairs that begin with one of this rank's vertices: it is marked, and queued if it was not before. */
weft_status wfi_colours_receive_marks(weft_ctx *ctx, const wfi_colours_gpu *c, const uint32_t *received,
                                      uint64_t count);
/* Who is marked has its label; counts[FOUND] grows by the others. */
weft_status wfi_colours_end_round(weft_ctx *ctx, const wfi_colours_gpu *c);

/* family, of the roots of this rank's vertices, which are addressed. */
weft_status wfi_colours_gather_family(weft_ctx *ctx, const wfi_colours_gpu *c);
/* Triples (root, smallest, members) of this rank's vertices: members, and the smallest in kind, which is WEFT_NO_VERTEX
 * before. */
weft_status wfi_colours_receive_family(weft_ctx *ctx, const wfi_colours_gpu *c, const uint32_t *received,
                                       uint64_t count);
/* Labels become what kind has for them; counts[FOUND] grows by this rank's roots, counts[MOST] to the members of the
 * largest. */
weft_status wfi_colours_relabel(weft_ctx *ctx, const wfi_colours_gpu *c);

#ifdef __cplusplus
}
#endif
#endif
