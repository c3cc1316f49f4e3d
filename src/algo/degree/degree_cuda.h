/* The GPU's degrees, behind a door without CUDA types. */
#ifndef WFI_DEGREE_CUDA_H
#define WFI_DEGREE_CUDA_H

#include "algo/degree/degree.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_degree_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_degree_cuda(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
