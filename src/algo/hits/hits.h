/* What the files of hits share. */
#ifndef WFI_HITS_H
#define WFI_HITS_H

#include "algo/algo.h"
#include "core/fixed.h"

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

/* What a GPU takes over of a rank's run (hits_cpu.c): halves of iterations.  Values are the host's until `begin`, and
 * again after `end`; in between all ranks make the same calls. */

/* Hubs or authorities, as the host has them. */
typedef struct wfi_hits_side {
    double *value; /* of this rank's vertices */
    double *sums;  /* NULL: lengths of rows */
} wfi_hits_side;

typedef struct wfi_hits_gpu {
    weft_status (*begin)(struct wfi_hits_gpu *gpu, wfi_hits_side hubs, wfi_hits_side authorities);
    /* Values of the hubs, or of the authorities, from the shares that `factor` makes of the others'; here: room for all
     * shares.  mine: change, given. */
    weft_status (*half)(struct wfi_hits_gpu *gpu, bool hubs, double factor, double unit, double *here,
                        wfi_fixed mine[2]);
    weft_status (*end)(struct wfi_hits_gpu *gpu, wfi_hits_side hubs, wfi_hits_side authorities);
    weft_status status; /* of this rank alone: the next call tells the others */
    void *state;
} wfi_hits_gpu;

weft_status wfi_hits_with(wfi_job *job, wfi_hits_gpu *gpu);

#ifdef __cplusplus
}
#endif
#endif
