/* aggregate: what the descriptor and the backends share. */
#ifndef WFI_AGGREGATE_H
#define WFI_AGGREGATE_H

#include "algo/algo.h"

/* Neighbours that are added one after the other; the sums of such blocks are then added in their order.  Part of the
 * definition (docs/algo/aggregate.md): another number gives other last bits. */
enum { WFI_AGGREGATE_BLOCK = 256 };

/* Are the terms of a sum multiplied by a factor of the vertex that they come from? */
static inline bool wfi_aggregate_scales(const weft_aggregate_params *p) {
    return p->normalize || (p->backward && p->op == WEFT_AGGREGATE_MEAN);
}

/* Of the result: that of the features. */
static inline weft_type wfi_aggregate_type(const weft_aggregate_params *p) {
    int type = p->features->type;
    return type == WEFT_MATRIX_F32 ? WEFT_F32 : type == WEFT_MATRIX_F16 ? WEFT_F16 : WEFT_BF16;
}

static inline size_t wfi_matrix_bytes(int type) { return type == WEFT_MATRIX_F32 ? 4 : 2; }

weft_status wfi_aggregate_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

#endif
