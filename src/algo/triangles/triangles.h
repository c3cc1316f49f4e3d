/* triangles on the GPU: declarations without CUDA types. */
#ifndef WFI_ALGO_TRIANGLES_H
#define WFI_ALGO_TRIANGLES_H

#include "run/algorithm.h"

WFI_C_BEGIN

void wfi_triangles_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_triangles_cuda(wfi_job *job);

WFI_C_END
#endif
