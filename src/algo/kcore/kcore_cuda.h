/* The GPU's core numbers, behind a door without CUDA types. */
#ifndef WFI_KCORE_CUDA_H
#define WFI_KCORE_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_kcore_plan_cuda(const weft_graph *g, uint64_t k, wfi_choice *choice);
/* Columns and scalars as the CPU gives them. */
weft_status wfi_kcore_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t k, weft_result *result);

#ifdef __cplusplus
}
#endif
#endif
