/* toposort on the GPUs of ranks. */
#ifndef WFI_TOPOSORT_RANKS_CUDA_H
#define WFI_TOPOSORT_RANKS_CUDA_H

#include "algo/algo.h"

void wfi_toposort_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                  wfi_choice *choice);
weft_status wfi_toposort_ranks_cuda(wfi_job *job);

#endif
