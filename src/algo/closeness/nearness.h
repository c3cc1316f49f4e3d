/* What the descriptors of closeness and harmonic share: the plan, the run and the checks (algo/closeness/near.h). */
#ifndef WFI_CLOSENESS_NEARNESS_H
#define WFI_CLOSENESS_NEARNESS_H

#include "algo/closeness/near.h"
#include "run/algorithm.h"

/* What is asked, whichever of the two it is. */
typedef struct wfi_nearness {
    wfi_closeness near; /* but for the rows and arrays, which a run has */
    weft_side direction;
    bool weights, estimate;
    int at_once; /* searches side by side, which a plan on CPU cores decides */
    uint64_t registers;
} wfi_nearness;

/* The algorithm's kind. */
typedef struct wfi_nearness_kind {
    wfi_nearness (*asked)(const void *params);
} wfi_nearness_kind;

enum { WFI_NEARNESS_METHODS = 7 };
extern const char *const wfi_nearness_methods[WFI_NEARNESS_METHODS];
extern const char *const wfi_nearness_on_request[2];

weft_status wfi_nearness_validate(weft_ctx *ctx, const weft_graph *g, const wfi_nearness *q);
void wfi_nearness_plan(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_nearness_run(wfi_job *job);
void wfi_nearness_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_nearness_run_cuda(wfi_job *job);
const char *wfi_nearness_serves_cuda(bool weights);
void wfi_nearness_work(const weft_graph *g, const wfi_nearness *q, wfi_work *w);

/* --- between nearness.c and nearness_cuda.c --- */

/* By hops on CPU cores, by weights, by sketches; on the GPU; and the first few by hops on CPU cores. */
enum {
    WFI_CLOSENESS_SIDE_BY_SIDE = 0,
    WFI_CLOSENESS_TOGETHER,
    WFI_CLOSENESS_WEIGHTS,
    WFI_CLOSENESS_BALLS,
    WFI_CLOSENESS_GPU,
    WFI_CLOSENESS_GPU_BALLS,
    WFI_CLOSENESS_PRUNED
};

/* What is asked, with the rows of g, becomes what the plan decided. */
wfi_nearness *wfi_nearness_decide(const weft_graph *g, const void *params, wfi_choice *choice);
void wfi_nearness_lay_out(wfi_workspace *w, wfi_closeness *t);
/* Marks what is in the lists; vertices outside of `of` have no value.  Returns how many have one. */
uint64_t wfi_nearness_mark(wfi_closeness *t);
/* All have their values: with `first`, only these stay. */
weft_status wfi_nearness_finish(wfi_job *job, const wfi_nearness *q, const wfi_closeness *t, wfi_closeness_best *best,
                                uint64_t vertices);

/* Words of both. */
#define WFI_NEARNESS_OF         "only these have a value: ids, ids in a file or K random vertices"
#define WFI_NEARNESS_DIRECTION  "distances to the vertex or from it, along the edges; auto: to it"
#define WFI_NEARNESS_WEIGHTS    "distances are sums of weights; else hops"
#define WFI_NEARNESS_ESTIMATE   "estimate from sketches of neighbourhoods (HyperBall), by hops"
#define WFI_NEARNESS_REGISTERS  "of a sketch, a power of two: twice as many make the error smaller by 1.4"
#define WFI_NEARNESS_FIRST      "only the largest so many have a value; by hops, searches of others end early"
#define WFI_NEARNESS_VERTICES   "vertices that have a value"
#define WFI_NEARNESS_ERROR      "with `estimate`: relative standard error of the size of a neighbourhood"
#define WFI_NEARNESS_DIRECTIONS "auto|out|in"
/* Descriptor fields of both, with `kind` and the functions of each. */
/* clang-format off */
#define WFI_BY_NEARNESS                                                                                                \
    .info.weights = "weights", .info.needs = "registers estimate",                                                     \
    .info.model = "none: how many arcs searches look at depends on the graph",                                         \
    .on_request = wfi_nearness_on_request, .least_weights = true, .validate = validate, .kind = &kind, .work = work,   \
    WFI_ON_CPU(wfi_nearness_plan, wfi_nearness_run), .serves_cuda = serves_cuda,                                       \
    WFI_ON_CUDA(wfi_nearness_plan_cuda, wfi_nearness_run_cuda)
/* clang-format on */

#endif
