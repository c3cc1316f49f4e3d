/* The GPU's weak components of graphs that do not fit its memory, behind a door without CUDA types. */
#ifndef WFI_WEAK_STREAM_H
#define WFI_WEAK_STREAM_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_components_plan_weak_stream(const weft_graph *g, uint64_t room, wfi_choice *choice);
/* count: of components; largest: vertices of the largest one. */
weft_status wfi_components_weak_stream(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest);

#ifdef __cplusplus
}
#endif
#endif
