/* bfs on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_BFS_RANKS_CUDA_H
#define WFI_BFS_RANKS_CUDA_H

#include "algo/bfs/bfs.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_bfs_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                             wfi_choice *choice);
weft_status wfi_bfs_ranks_cuda(wfi_job *job);

/* A search as its kernels see it: all of it on the GPU. */
typedef struct wfi_rank_search {
    wfi_view out, in;
    weft_vid first;  /* of this rank's vertices; row k is that of first + k */
    uint32_t *level; /* of these */
    weft_vid *parent;
    weft_vid *queue; /* rows: the frontier's part here */
    uint32_t *seen;  /* a bit for each vertex of the graph: found, or sent by this rank */
    uint32_t *front; /* the same, bottom-up: the frontier; NULL: always top-down */
    /* For each vertex of the graph: the smallest of this rank's that leads there in this level; WEFT_NO_VERTEX
         * between levels */
    weft_vid *offer;
    weft_vid *addressed;       /* those that have one, ... */
    uint64_t *addressed_count; /* ... so many */
    uint64_t *counts;          /* WFI_SEARCH_COUNTS */
} wfi_rank_search;
enum { WFI_SEARCH_QUEUED, WFI_SEARCH_ARCS, WFI_SEARCH_UNMET, WFI_SEARCH_COUNTS };

weft_status wfi_rank_search_seed(weft_ctx *ctx, const wfi_rank_search *b, const weft_vid *sources, uint64_t count);
/* Offers along the arcs of the first `queued` of the queue. */
weft_status wfi_rank_search_push(weft_ctx *ctx, const wfi_rank_search *b, uint64_t queued);
/* The first `count` of `addressed` are seen. */
weft_status wfi_rank_search_see(weft_ctx *ctx, const wfi_rank_search *b, uint64_t count);
/* Pairs (vertex, parent) of this rank's vertices: who is new has this depth, and is queued. */
weft_status wfi_rank_search_take(weft_ctx *ctx, const wfi_rank_search *b, const uint32_t *received, uint64_t count,
                                 uint32_t depth);
/* The queue as bits of `front`, which has none. */
weft_status wfi_rank_search_show(weft_ctx *ctx, const wfi_rank_search *b, uint64_t queued);
/* `words` words of seen have those of front as well. */
weft_status wfi_rank_search_join(weft_ctx *ctx, const wfi_rank_search *b, uint64_t words);
/* Who has no level looks for its first source in `front`, and is queued. */
weft_status wfi_rank_search_pull(weft_ctx *ctx, const wfi_rank_search *b, uint32_t depth);
/* How many of the targets are this rank's and have no level. */
weft_status wfi_rank_search_unmet(weft_ctx *ctx, const wfi_rank_search *b, const weft_vid *targets, uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
