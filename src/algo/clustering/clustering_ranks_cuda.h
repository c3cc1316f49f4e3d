/* clustering on the GPUs of ranks. */
#ifndef WFI_CLUSTERING_RANKS_CUDA_H
#define WFI_CLUSTERING_RANKS_CUDA_H

#include "algo/algo.h"

void wfi_clustering_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                    wfi_choice *choice);
weft_status wfi_clustering_ranks_cuda(wfi_job *job);

#endif
