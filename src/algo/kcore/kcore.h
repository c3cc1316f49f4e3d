/* kcore: what the descriptor and the CPU version share. */
#ifndef WFI_KCORE_H
#define WFI_KCORE_H

#include "algo/algo.h"

weft_status wfi_kcore_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

#endif
