/* Ranks, for the rooms below src/ranks: what a context with a place among ranks can do with the others.  The calls are
 * those of ranks/comm.h, and as collective: all ranks make them in the same order, so that a step that one of them may
 * fail in ends with wfi_all_agree before the next call.  A context without others is one rank, and every call returns
 * at once. */
#ifndef WFI_TOGETHER_H
#define WFI_TOGETHER_H

#include "core/core.h"

/* What src/ranks puts into a context's seat. */
typedef struct wfi_together {
    weft_status (*sum)(weft_ctx *ctx, uint64_t *values, size_t count);
    weft_status (*least)(weft_ctx *ctx, uint64_t *values, size_t count);
    weft_status (*most)(weft_ctx *ctx, uint64_t *values, size_t count);
    weft_status (*gather)(weft_ctx *ctx, void *all, const uint64_t *start);
    weft_status (*exchange)(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                            const uint64_t *receive_start);
    weft_status (*starts)(weft_ctx *ctx, const uint64_t *send_start, uint64_t *receive_start);
    weft_status (*agree)(weft_ctx *ctx, weft_status mine);
} wfi_together;

bool wfi_has_ranks(const weft_ctx *ctx); /* a place among ranks, if only one */
int wfi_rank(const weft_ctx *ctx);
int wfi_ranks(const weft_ctx *ctx);

/* values[i] becomes the sum, the least or the largest of all ranks' values[i]. */
weft_status wfi_all_sum(weft_ctx *ctx, uint64_t *values, size_t count);
weft_status wfi_all_least(weft_ctx *ctx, uint64_t *values, size_t count);
weft_status wfi_all_most(weft_ctx *ctx, uint64_t *values, size_t count);
/* all + start[r] ... start[r+1] (bytes) is rank r's: its own is there, and those of the others come. */
weft_status wfi_all_gather(weft_ctx *ctx, void *all, const uint64_t *start);
/* One number of each rank, in the order of ranks. */
weft_status wfi_all_gather_u64(weft_ctx *ctx, uint64_t mine, uint64_t *all);
/* send + send_start[r] ... (bytes) goes to rank r; what comes from it goes to receive + receive_start[r].  On one rank
 * a copy. */
weft_status wfi_all_exchange(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                             const uint64_t *receive_start);
/* Where what others send begins, in what send_start is counted in. */
weft_status wfi_all_starts(weft_ctx *ctx, const uint64_t *send_start, uint64_t *receive_start);

/* `mine` if all went well, else the status of the first rank that failed, and its message.  The second: what is wrong
 * with the input is told as on one machine, without the rank that met it. */
weft_status wfi_all_agree(weft_ctx *ctx, weft_status mine);
weft_status wfi_all_agree_input(weft_ctx *ctx, weft_status mine);

#endif
