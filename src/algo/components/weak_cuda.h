/* The GPU's weak components, behind a door without CUDA types. */
#ifndef WFI_WEAK_CUDA_H
#define WFI_WEAK_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_components_plan_weak_cuda(const weft_graph *g, wfi_choice *choice);
weft_status wfi_components_weak_cuda(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest);

#ifdef __cplusplus
}
#endif
#endif
