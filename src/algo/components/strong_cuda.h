/* The GPU's strong components, behind a door without CUDA types.  Of directed graphs: those of an undirected one are
 * its weak ones. */
#ifndef WFI_STRONG_CUDA_H
#define WFI_STRONG_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_components_plan_strong_cuda(const weft_graph *g, wfi_choice *choice);
weft_status wfi_components_strong_cuda(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest);

#ifdef __cplusplus
}
#endif
#endif
