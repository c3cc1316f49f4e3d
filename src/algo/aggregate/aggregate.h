/* aggregate: what the descriptor and the CPU version share. */
#ifndef WFI_AGGREGATE_H
#define WFI_AGGREGATE_H

#include "algo/algo.h"

/* Neighbours that are added one after the other; the sums of such blocks are then added in their order.  Part of the
 * definition (docs/algo/aggregate.md): another number gives other last bits. */
enum { WFI_AGGREGATE_BLOCK = 256 };

weft_status wfi_aggregate_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

#endif
