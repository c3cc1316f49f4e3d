/* kcore: what its files share. */
#ifndef WFI_KCORE_H
#define WFI_KCORE_H

#include "algo/algo.h"

WFI_C_BEGIN

/* What a run gives, on either device: the column of core numbers, and the members, which grow when they are counted. */
void wfi_kcore_columns(wfi_workspace *w, weft_vid n, uint64_t k, uint32_t **core);

/* The arrays of a run. */
void wfi_kcore_space(wfi_workspace *w, weft_vid n, uint64_t k);
weft_status wfi_kcore_cpu(wfi_job *job);

/* kcore_ranks.c */
void wfi_kcore_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params, wfi_choice *choice);
weft_status wfi_kcore_ranks(wfi_job *job);

/* --- the GPU, and those of ranks --- */

void wfi_kcore_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
/* Columns and scalars as the CPU gives them. */
weft_status wfi_kcore_cuda(wfi_job *job);

void wfi_kcore_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                               wfi_choice *choice);
weft_status wfi_kcore_ranks_cuda(wfi_job *job);

/* A peeling as its kernels see it: all of it on the GPU. */
typedef struct wfi_peel_gpu {
    wfi_view counts[2], counted_by[2]; /* as in kcore_cpu.c; without offsets: there is none */
    weft_vid first, vertices;          /* of this rank; row k is that of first + k */
    bool merged;
    uint32_t *core;            /* of this rank's vertices: neighbours left, then the core number */
    uint8_t *taken;            /* likewise */
    weft_vid *queue;           /* rows that were taken last */
    uint32_t *decrement;       /* of each vertex of the graph: by how much, 0 between waves */
    weft_vid *addressed;       /* those that fall, ... */
    uint64_t *addressed_count; /* ... so many */
    uint64_t *counts_of;       /* WFI_PEEL_COUNTS */
} wfi_peel_gpu;
enum { WFI_PEEL_QUEUED, WFI_PEEL_LEAST, WFI_PEEL_COUNTS };

/* core[k]: what counts; it is 0 before. */
weft_status wfi_peel_begin(weft_ctx *ctx, const wfi_peel_gpu *p);
/* counts_of[LEAST], which is not smaller before: the smallest of those that were not taken. */
weft_status wfi_peel_lowest(weft_ctx *ctx, const wfi_peel_gpu *p);
/* Those with k left are taken and queued. */
weft_status wfi_peel_take(weft_ctx *ctx, const wfi_peel_gpu *p, uint32_t k);
/* The neighbours of the first `queued` of the queue are decremented, and addressed. */
weft_status wfi_peel_decrement(weft_ctx *ctx, const wfi_peel_gpu *p, uint64_t queued);
/* Messages (vertex, decrement) to this rank's vertices: decrement, clamped at k; those that reach k join the queue. */
weft_status wfi_peel_receive(weft_ctx *ctx, const wfi_peel_gpu *p, const uint32_t *received, uint64_t count,
                             uint32_t k);

WFI_C_END
#endif
