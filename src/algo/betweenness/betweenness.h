/* What the ways to betweenness share: from sources (betweenness.c) and from random paths (sampled.c). */
#ifndef WFI_BETWEENNESS_H
#define WFI_BETWEENNESS_H

#include "algo/algo.h"

/* Variants of a choice. */
enum {
    WFI_BETWEEN_SIDE_BY_SIDE,  /* a batch of searches for each thread, ... */
    WFI_BETWEEN_TOGETHER,      /* ... or one that they share */
    WFI_BETWEEN_LENGTHS,       /* a search by weights for each thread, ... */
    WFI_BETWEEN_LENGTHS_ALONE, /* ... or one after another */
    WFI_BETWEEN_SAMPLED,       /* random paths, each thread its own, ... */
    WFI_BETWEEN_SAMPLED_ALONE  /* ... or of one thread */
};

/* From random paths, where `error` is given. */
void wfi_betweenness_plan_sampled(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                                  wfi_choice *choice);
weft_status wfi_betweenness_run_sampled(wfi_job *job);

#endif
