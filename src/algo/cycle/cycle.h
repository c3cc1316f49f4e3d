/* cycle: what the descriptor and the CPU version share. */
#ifndef WFI_CYCLE_H
#define WFI_CYCLE_H

#include "algo/algo.h"

weft_status wfi_cycle_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

#endif
