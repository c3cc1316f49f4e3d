/* toposort: what the descriptor and the CPU version share. */
#ifndef WFI_TOPOSORT_H
#define WFI_TOPOSORT_H

#include "algo/algo.h"
#include "graph/kahn.h"

/* One flag alone leaves the other's column out. */
static inline bool wfi_toposort_levels(const weft_toposort_params *p) { return p->levels || !p->order; }
static inline bool wfi_toposort_order(const weft_toposort_params *p) { return p->order || !p->levels; }

weft_status wfi_toposort_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

/* The cycle as a table, and the scalars. */
weft_status wfi_toposort_result(weft_ctx *ctx, const weft_graph *g, const wfi_cycle *cycle, bool acyclic,
                                uint32_t levels, weft_result *result);

#endif
