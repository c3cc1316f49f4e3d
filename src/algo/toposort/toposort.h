/* toposort: what the descriptor and the CPU version share. */
#ifndef WFI_TOPOSORT_H
#define WFI_TOPOSORT_H

#include "algo/algo.h"

/* One flag alone leaves the other's column out. */
static inline bool wfi_toposort_levels(const weft_toposort_params *p) { return p->levels || !p->order; }
static inline bool wfi_toposort_order(const weft_toposort_params *p) { return p->order || !p->levels; }

weft_status wfi_toposort_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

#endif
