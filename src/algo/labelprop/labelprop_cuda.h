/* The GPU's label propagation, behind a door without CUDA types. */
#ifndef WFI_LABELPROP_CUDA_H
#define WFI_LABELPROP_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_labelprop_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_labelprop_cuda(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
