/* The GPU's aggregate, behind a door without CUDA types. */
#ifndef WFI_AGGREGATE_DEVICE_H
#define WFI_AGGREGATE_DEVICE_H

#include "algo/aggregate/aggregate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As in the descriptor. */
void wfi_aggregate_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_aggregate_cuda(wfi_job *job);

/* Features on the GPU: the caller's own if they are there, or a copy. */
weft_status wfi_aggregate_bring(weft_ctx *ctx, const weft_matrix *m, bool there, void *copy, const void **data);

#ifdef __cplusplus
}
#endif
#endif
