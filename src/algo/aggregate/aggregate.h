/* aggregate: what the descriptor and the backends share. */
#ifndef WFI_AGGREGATE_H
#define WFI_AGGREGATE_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Neighbours that are added one after the other; the sums of such blocks are then added in their order.  Part of the
 * definition (docs/algo/aggregate.md): another number gives other last bits. */
enum { WFI_AGGREGATE_BLOCK = 256 };

/* Are the terms of a sum multiplied by a factor of the vertex that they come from? */
static inline bool wfi_aggregate_scales(const weft_aggregate_params *p) {
    return p->normalize || (p->backward && p->op == WEFT_AGGREGATE_MEAN);
}

/* Is it the way back through a maximum? */
static inline bool wfi_aggregate_is_back_max(const weft_aggregate_params *p) {
    return p->backward && p->op == WEFT_AGGREGATE_MAX;
}

static inline size_t wfi_matrix_bytes(weft_type type) { return type == WEFT_F32 ? 4 : 2; }

/* How the incoming degrees are found that terms are scaled by: they have rows, or are counted. */
enum { WFI_AGGREGATE_COUNTS = 1 };

/* The result: its column, and its scalars. */
void wfi_aggregate_column(wfi_workspace *w, weft_vid n, const weft_aggregate_params *params, void *place /* T** */);
weft_status wfi_aggregate_scalars(wfi_job *job);

/* The arrays of a run, for so many rows of n.  count: numbers of entering arcs will have to be counted. */
void wfi_aggregate_space(wfi_workspace *w, weft_vid n, weft_vid rows, const weft_aggregate_params *params, bool count);
weft_status wfi_aggregate_cpu(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
