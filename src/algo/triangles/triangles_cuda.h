/* The GPU's triangles, behind a door without CUDA types. */
#ifndef WFI_TRIANGLES_CUDA_H
#define WFI_TRIANGLES_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_triangles_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_triangles_cuda(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
