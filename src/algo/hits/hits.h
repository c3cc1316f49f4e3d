/* What the files of hits share. */
#ifndef WFI_HITS_H
#define WFI_HITS_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Iterations, at most. */
static inline uint64_t wfi_hits_most(const weft_hits_params *p) {
    return p->iterations ? p->iterations : p->max_iterations;
}

/* hits_cpu.c */
void wfi_hits_space(wfi_workspace *w, const weft_graph *g, const weft_hits_params *params);
weft_status wfi_hits_cpu(wfi_job *job);
void wfi_hits_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params, wfi_choice *choice);

/* The scalars of the result; warns when the tolerance was not met. */
weft_status wfi_hits_scalars(weft_ctx *ctx, const weft_hits_params *params, uint64_t iterations, double residual,
                             weft_result *result);

/* hits_cuda.cu */
void wfi_hits_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_hits_run_cuda(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
