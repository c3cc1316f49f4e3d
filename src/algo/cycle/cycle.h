/* cycle: what the descriptor and the CPU version share. */
#ifndef WFI_CYCLE_H
#define WFI_CYCLE_H

#include "algo/algo.h"
#include "shared/peel/kahn.h"

typedef enum wfi_cycle_method {
    WFI_CYCLE_PEEL = 0, /* from the sources, counting */
    WFI_CYCLE_WATCH,    /* from the sinks, each vertex watching one successor */
    WFI_CYCLE_BITS,     /* the same on a bit matrix */
    WFI_CYCLE_LOOP,     /* a loop tells at once */
    WFI_CYCLE_IDS,      /* as do ids that are an order already */
    WFI_CYCLE_ON_GPU    /* and a wfi_kahn_way more */
} wfi_cycle_method;

/* room: bytes that there are.  *bytes: what the method takes; *why: a sentence, static text. */
wfi_cycle_method wfi_cycle_pick(weft_vid n, weft_eid arcs, int threads, uint64_t room, uint64_t *bytes,
                                const char **why);

/* The arrays of a run. */
void wfi_cycle_space(wfi_workspace *w, weft_vid n, int threads, wfi_cycle_method method);
weft_status wfi_cycle_cpu(wfi_job *job);
void wfi_cycle_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params, wfi_choice *choice);
/* gpu: what peels on GPUs, unless it is NULL; mine: how making that ready went on this rank. */
struct wfi_rank_peel_gpu;
weft_status wfi_cycle_ranks(wfi_job *job, struct wfi_rank_peel_gpu *gpu, weft_status mine);

/* The cycle, grown in job->space, as a table; the verdict and the length. */
weft_status wfi_cycle_result(wfi_job *job, const wfi_cycle *cycle);

#endif
