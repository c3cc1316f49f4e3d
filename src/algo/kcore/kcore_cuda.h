/* The GPU's core numbers, behind a door without CUDA types. */
#ifndef WFI_KCORE_CUDA_H
#define WFI_KCORE_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_kcore_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
/* Columns and scalars as the CPU gives them. */
weft_status wfi_kcore_cuda(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
