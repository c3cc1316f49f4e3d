/* triangles: its methods, and the GPU without CUDA types. */
#ifndef WFI_ALGO_TRIANGLES_H
#define WFI_ALGO_TRIANGLES_H

#include "run/algorithm.h"

WFI_C_BEGIN

/* Methods, in the order of info.methods. */
enum { WFI_TRIANGLES_HUBS, WFI_TRIANGLES_LEAN, WFI_TRIANGLES_FETCHED, WFI_TRIANGLES_ORIENTED };

void wfi_triangles_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_triangles_cuda(wfi_job *job);

WFI_C_END
#endif
