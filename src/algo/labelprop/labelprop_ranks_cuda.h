/* labelprop on the GPUs of ranks. */
#ifndef WFI_LABELPROP_RANKS_CUDA_H
#define WFI_LABELPROP_RANKS_CUDA_H

#include "algo/algo.h"

void wfi_labelprop_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                   wfi_choice *choice);
weft_status wfi_labelprop_ranks_cuda(wfi_job *job);

#endif
