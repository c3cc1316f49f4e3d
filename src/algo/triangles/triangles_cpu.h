/* triangles on CPU cores. */
#ifndef WFI_TRIANGLES_CPU_H
#define WFI_TRIANGLES_CPU_H

#include "algo/algo.h"

void wfi_triangles_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_triangles_run_cpu(wfi_job *job);

#endif
