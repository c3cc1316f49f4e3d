/* What the ways to betweenness share: from sources on CPU cores (betweenness.c) and on the GPU (betweenness_cuda.cu),
 * and from random paths (sampled.c). */
#ifndef WFI_BETWEENNESS_H
#define WFI_BETWEENNESS_H

#include "algo/betweenness/pendant_trees.h"
#include "run/algorithm.h"
#include "weft/betweenness.h"

WFI_C_BEGIN

/* Methods, in the order of info.methods.  A plan on CPU cores also decides how many searches run side by side, an
 * int. */
enum {
    WFI_BETWEEN_SIDE_BY_SIDE,  /* a batch of searches for each thread, ... */
    WFI_BETWEEN_TOGETHER,      /* ... or one that they share */
    WFI_BETWEEN_LENGTHS,       /* a search by weights for each thread, ... */
    WFI_BETWEEN_LENGTHS_ALONE, /* ... or one after another */
    WFI_BETWEEN_SAMPLED,       /* random paths, each thread its own, ... */
    WFI_BETWEEN_SAMPLED_ALONE, /* ... or of one thread */
    WFI_BETWEEN_ON_GPU
};

/* --- from sources (betweenness.c) --- */

/* On the host: sources still to be put in order, vertices that were asked for, targets; sources in their order. */
typedef struct wfi_between_sources {
    uint8_t *wanted, *sampled, *is_target; /* is_target NULL: all */
    weft_vid *order;
    uint64_t count;          /* of those that searches begin from */
    uint64_t marked;         /* of those that were asked for */
    wfi_pendant_trees folds; /* trees of which the searches are folded; below NULL: none */
} wfi_between_sources;
uint64_t wfi_between_sources_most(const weft_graph *g, const weft_betweenness_params *p);
bool wfi_between_folds(const weft_graph *g, const weft_betweenness_params *p);
void wfi_between_sources_lay_out(wfi_workspace *w, const weft_graph *g, const weft_betweenness_params *p,
                                 wfi_between_sources *s);
weft_status wfi_between_sources_make(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                                     wfi_between_sources *s);

/* Factors of the sums, of vertices that were asked for and of others. */
typedef struct wfi_between_factors {
    double source, other;
} wfi_between_factors;
wfi_between_factors wfi_between_factors_of(const weft_graph *g, const weft_betweenness_params *p, uint64_t sources,
                                           bool ends);

/* Begins choice->reason: "16 sources, about 0.1 s or less; ". */
void wfi_between_expect(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p, bool on_gpu,
                        wfi_choice *choice);
/* Refuses what would take long and is not asked for twice. */
weft_status wfi_between_may_begin(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                                  const wfi_between_sources *s, bool on_gpu);

/* --- from random paths, where `error` is given (sampled.c) --- */

void wfi_betweenness_plan_sampled(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                                  wfi_choice *choice);
weft_status wfi_betweenness_run_sampled(wfi_job *job);

/* --- the GPU --- */

void wfi_betweenness_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_betweenness_cuda(wfi_job *job);

WFI_C_END
#endif
