/* Degrees on the GPUs of ranks: the driver, and its kernels. */
#ifndef WFI_DEGREE_RANKS_CUDA_H
#define WFI_DEGREE_RANKS_CUDA_H

#include "algo/degree/degree.h"
#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wfi_spread;
void wfi_degree_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                wfi_choice *choice);
weft_status wfi_degree_ranks_cuda(wfi_job *job);

/* in[v] grows by the arcs of these rows that enter v. */
weft_status wfi_degree_count_targets(weft_ctx *ctx, const weft_vid *targets, weft_eid arcs, uint64_t *in);
/* length[k]: of row k. */
weft_status wfi_degree_lengths(weft_ctx *ctx, wfi_view rows, uint64_t *length);
/* total = in + out; in NULL: out. */
weft_status wfi_degree_add(weft_ctx *ctx, weft_vid count, const uint64_t *in, const uint64_t *out, uint64_t *total);

#ifdef __cplusplus
}
#endif
#endif
