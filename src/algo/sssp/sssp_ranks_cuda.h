/* sssp on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_SSSP_RANKS_CUDA_H
#define WFI_SSSP_RANKS_CUDA_H

#include "algo/algo.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_sssp_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                              wfi_choice *choice);
weft_status wfi_sssp_ranks_cuda(wfi_job *job);

/* A search as its kernels see it: all of it on the GPU.  Distances are the bits of doubles, which order like them since
 * none is negative. */
typedef struct wfi_paths_gpu {
    wfi_view out;
    weft_weight_type weight_type;
    weft_vid first; /* of this rank's vertices; row k is that of first + k */
    double bound;   /* of the bucket */
    uint64_t
        *best; /* of each vertex: this rank's have their distance, others the least length that this rank knows of */
    uint32_t *state;        /* of this rank's vertices: where they wait; in hops, what they have */
    weft_vid *near;         /* rows whose arcs are to be relaxed, ... */
    weft_vid *next;         /* ... and those that come near by that */
    uint32_t *is_addressed; /* a bit for each vertex of the graph: it is in `addressed` */
    weft_vid *parent;       /* of this rank's vertices */
    weft_vid *offer;     /* for each vertex of the graph: the smallest that offers itself; WEFT_NO_VERTEX in between */
    weft_vid *addressed; /* vertices of other ranks that get a message, ... */
    uint64_t *addressed_count; /* ... so many */
    uint64_t *counts;          /* WFI_PATHS_COUNTS */
} wfi_paths_gpu;
enum { WFI_PATHS_QUEUED, WFI_PATHS_LEAST, WFI_PATHS_FOUND, WFI_PATHS_COUNTS };

/* All distances are infinite; the sources of this rank wait at 0. */
weft_status wfi_paths_begin(weft_ctx *ctx, const wfi_paths_gpu *b, weft_vid n, const weft_vid *sources, uint64_t count);
/* counts[LEAST], which is not smaller before: of those that wait. */
weft_status wfi_paths_nearest(weft_ctx *ctx, const wfi_paths_gpu *b);
/* Those that wait below the bound are put into `near`; counts[QUEUED] grows. */
weft_status wfi_paths_fill(weft_ctx *ctx, const wfi_paths_gpu *b);
/* The arcs of the first `queued` of near: who comes near is put into `next`, who is another rank's is addressed. */
weft_status wfi_paths_relax(weft_ctx *ctx, const wfi_paths_gpu *b, uint64_t queued);
/* Those of the first `count` of `addressed` are is_addressed no more. */
weft_status wfi_paths_clear_addressed(weft_ctx *ctx, const wfi_paths_gpu *b, uint64_t count);
/* Triples (vertex, length) of this rank's vertices: who comes near is put into `near`. */
weft_status wfi_paths_take(weft_ctx *ctx, const wfi_paths_gpu *b, const uint32_t *received, uint64_t count);
/* counts[FOUND] becomes the largest distance of this rank's targets. */
weft_status wfi_paths_farthest(weft_ctx *ctx, const wfi_paths_gpu *b, const weft_vid *targets, uint64_t count);
/* What lies beyond is not reached. */
weft_status wfi_paths_cut(weft_ctx *ctx, const wfi_paths_gpu *b, double beyond);

/* Along tight arcs of all rows from a smaller distance, or of the first `queued` of near to the same: who may be a
 * parent offers itself. */
weft_status wfi_paths_offer(weft_ctx *ctx, const wfi_paths_gpu *b);
weft_status wfi_paths_offer_same(weft_ctx *ctx, const wfi_paths_gpu *b, uint64_t queued);
/* Pairs (vertex, parent) of this rank's vertices: the smallest. */
weft_status wfi_paths_adopt(weft_ctx *ctx, const wfi_paths_gpu *b, const uint32_t *received, uint64_t count);
/* Sources are their own; then counts[FOUND] grows by those that are reached and have no parent. */
weft_status wfi_paths_orphans(weft_ctx *ctx, const wfi_paths_gpu *b, const weft_vid *sources, uint64_t count);
/* Hops: whoever has a parent is put into near. */
weft_status wfi_paths_hop_begin(weft_ctx *ctx, const wfi_paths_gpu *b);
/* wfi_paths_adopt for those that had none before this hop; they are put into near. */
weft_status wfi_paths_hop_take(weft_ctx *ctx, const wfi_paths_gpu *b, const uint32_t *received, uint64_t count);
/* The first `queued` of near have one now. */
weft_status wfi_paths_hop_end(weft_ctx *ctx, const wfi_paths_gpu *b, uint64_t queued);
/* counts[FOUND] becomes 1 if an arc leads too far for doubles. */
weft_status wfi_paths_beyond(weft_ctx *ctx, const wfi_paths_gpu *b);

#ifdef __cplusplus
}
#endif
#endif
