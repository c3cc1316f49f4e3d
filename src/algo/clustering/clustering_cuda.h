/* The GPU's clustering, behind a door without CUDA types. */
#ifndef WFI_CLUSTERING_CUDA_H
#define WFI_CLUSTERING_CUDA_H

#include "algo/clustering/clustering.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_clustering_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_clustering_cuda(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
