/* The GPU's label propagation, behind a door without CUDA types. */
#ifndef WFI_LABELPROP_CUDA_H
#define WFI_LABELPROP_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_labelprop_plan_cuda(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice);
/* Labels after `steps` steps, how many steps were computed, and how many labels occur: as wfi_labelprop_run. */
weft_status wfi_labelprop_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t steps, weft_vid *label, uint64_t *done,
                               uint64_t *communities);

#ifdef __cplusplus
}
#endif
#endif
