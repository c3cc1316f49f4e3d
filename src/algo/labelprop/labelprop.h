/* labelprop: what its files share. */
#ifndef WFI_LABELPROP_H
#define WFI_LABELPROP_H

#include "algo/algo.h"

WFI_C_BEGIN

/* The arrays of a run, without a transpose. */
void wfi_labelprop_space(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_labelprop_params *p);
/* Labels after so many synchronous steps from label[v] = v.  Stops early when labels repeat. */
weft_status wfi_labelprop_cpu(wfi_job *job);
void wfi_labelprop_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *ranks, const void *params,
                              wfi_choice *choice);

/* Ranks whose GPUs count (labelprop_ranks_cuda.c): the run is labelprop_cpu.c's, the steps are theirs. */
typedef struct wfi_labelprop_gpu {
    /* Labels begin as these, of all vertices.  What fails, the first step tells. */
    void (*begin)(struct wfi_labelprop_gpu *gpu, const weft_vid *label);
    /* Step i, counted from 0: the labels of all ranks are on the GPU of each.  here: room for them on the host. */
    weft_status (*step)(struct wfi_labelprop_gpu *gpu, uint64_t i, weft_vid *here, bool *changed, bool *differs);
    /* The labels after i steps, one of the last two. */
    weft_status (*end)(struct wfi_labelprop_gpu *gpu, uint64_t i, weft_vid *label);
    weft_status status; /* of this rank */
    void *state;
} wfi_labelprop_gpu;
/* The arrays on the host of such a run, what it sends. */
void wfi_labelprop_plan_counted(const struct wfi_spread *ranks, const weft_labelprop_params *params,
                                wfi_choice *choice);
weft_status wfi_labelprop_with(wfi_job *job, wfi_labelprop_gpu *gpu); /* NULL: on CPU cores */

/* On the GPUs of ranks (labelprop_ranks_cuda.c). */
void wfi_labelprop_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                   wfi_choice *choice);
weft_status wfi_labelprop_ranks_cuda(wfi_job *job);

void wfi_labelprop_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_labelprop_cuda(wfi_job *job);

WFI_C_END
#endif
