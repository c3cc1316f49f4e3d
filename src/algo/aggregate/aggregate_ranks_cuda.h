/* aggregate on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_AGGREGATE_RANKS_CUDA_H
#define WFI_AGGREGATE_RANKS_CUDA_H

#include "algo/aggregate/aggregate.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_aggregate_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                   wfi_choice *choice);
weft_status wfi_aggregate_ranks_cuda(wfi_job *job);

/* Rows of a rank, as the kernels see them: all of it on the GPU. */
typedef struct wfi_rank_sums {
    const weft_aggregate_params *p; /* on the host */
    wfi_view in, along;             /* along: those whose sums are the result.  in: back through a maximum */
    weft_vid first;                 /* the vertex of row 0 */
    const void *x, *forward;        /* of all vertices */
    void *out;                      /* of the rows */
    const uint8_t *joins; /* of the rows: the vertex is its own neighbour by --self-loop alone; NULL: none is */
    const float *scale;   /* of all vertices, or NULL */
    weft_vid *winner;     /* of all vertices, in a strip of columns */
    uint64_t strip;
} wfi_rank_sums;

/* joins[k], of the rows `along`. */
weft_status wfi_rank_joins(weft_ctx *ctx, const wfi_rank_sums *s, uint8_t *joins);
/* Sums or maxima of the rows from ... from + count-1. */
weft_status wfi_rank_add(weft_ctx *ctx, const wfi_rank_sums *s, weft_vid from, weft_vid count);
/* Back through a maximum, in the columns first ... first + columns-1: who wins at this rank's vertices, and what these
 * have won. */
weft_status wfi_rank_compare(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns);
weft_status wfi_rank_collect(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns);

#ifdef __cplusplus
}
#endif
#endif
