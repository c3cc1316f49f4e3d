/* Shared by the descriptors of leiden and louvain: parameters, results, plans and runs (algo/leiden/community.h). */
#ifndef WFI_LEIDEN_COMMUNITIES_H
#define WFI_LEIDEN_COMMUNITIES_H

#include "algo/leiden/community.h"
#include "run/algorithm.h"
#include "weft/leiden.h"

enum { WFI_COMMUNITY_PARAMS = 7, WFI_COMMUNITY_RESULTS = 8 };
extern const weft_param_info wfi_community_params[WFI_COMMUNITY_PARAMS];
extern const weft_result_info wfi_community_results[WFI_COMMUNITY_RESULTS];
extern const char *const wfi_community_methods[1];
extern const char *const wfi_community_on_request[2];

weft_status wfi_community_validate(weft_ctx *ctx, const weft_graph *g, const void *params, const char *algorithm);
/* The algorithm's kind is a bool: is it leiden, which refines? */
void wfi_community_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_community_run_cpu(wfi_job *job);
void wfi_community_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_community_run_cuda(wfi_job *job);
uint64_t wfi_community_bytes_a_vertex(const void *params); /* an upper bound: a run makes as many levels as it needs */
void wfi_community_work(const weft_graph *g, const void *params, wfi_work *work);

/* --- between communities.c and communities_cuda.c --- */

/* The task, which becomes what the plan decided. */
const wfi_community_task *wfi_community_plan_task(const weft_graph *g, const weft_leiden_params *p, wfi_choice *choice);

/* Host arrays beside the engine's: the columns, the kept levels, and scratch for naming them. */
typedef struct wfi_community_arrays {
    wfi_community_columns columns;
    weft_vid *kept, *first, *list, *seen_in, *least;
} wfi_community_arrays;
void wfi_community_lay_out(wfi_workspace *w, const wfi_community_task *t, wfi_community_arrays *r);
/* Adds the columns of levels, if asked for, and the scalars. */
weft_status wfi_community_finish(wfi_job *job, const wfi_community_task *t, wfi_community_arrays *r,
                                 const wfi_community_found *f);

/* Descriptor fields shared by leiden and louvain. */
/* clang-format off */
#define WFI_BY_MOVING                                                                                                  \
    WFI_PARAMS(wfi_community_params), .info.top_by = "community", .info.groups = "community",                          \
    .info.weights = "weights",                                                                                         \
    .info.model = "none: how many rounds there are depends on the graph",                                              \
    .on_request = wfi_community_on_request, WFI_ON_CPU(wfi_community_plan_cpu, wfi_community_run_cpu),                 \
    WFI_ON_CUDA(wfi_community_plan_cuda, wfi_community_run_cuda),                                                      \
    .bytes_a_vertex = wfi_community_bytes_a_vertex, .work = wfi_community_work
/* clang-format on */

#endif
