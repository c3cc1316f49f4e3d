/* toposort: what the descriptor and the CPU version share. */
#ifndef WFI_TOPOSORT_H
#define WFI_TOPOSORT_H

#include "algo/algo.h"
#include "shared/peel/kahn.h"

/* One flag alone leaves the other's column out. */
static inline bool wfi_toposort_levels(const weft_toposort_params *p) { return p->levels || !p->order; }
static inline bool wfi_toposort_order(const weft_toposort_params *p) { return p->order || !p->levels; }

/* The arrays of a run. */
void wfi_toposort_space(wfi_workspace *w, const weft_graph *g, const weft_toposort_params *p);
weft_status wfi_toposort_cpu(wfi_job *job);
void wfi_toposort_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                             wfi_choice *choice);
/* gpu: what peels on GPUs, unless it is NULL; mine: how making that ready went on this rank. */
struct wfi_rank_peel_gpu;
weft_status wfi_toposort_ranks(wfi_job *job, struct wfi_rank_peel_gpu *gpu, weft_status mine);

/* The cycle, grown in job->space, as a table, and the scalars. */
weft_status wfi_toposort_result(wfi_job *job, const wfi_cycle *cycle, bool acyclic, uint32_t levels);

#endif
