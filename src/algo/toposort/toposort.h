/* toposort: what the descriptor and the CPU version share. */
#ifndef WFI_TOPOSORT_H
#define WFI_TOPOSORT_H

#include "algo/algo.h"

weft_status wfi_toposort_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

#endif
