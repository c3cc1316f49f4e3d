/* What the descriptors of leiden and louvain share: parameters, results, plans and runs (community/community.h). */
#ifndef WFI_COMMUNITIES_H
#define WFI_COMMUNITIES_H

#include "algo/algo.h"

enum { WFI_COMMUNITY_PARAMS = 7, WFI_COMMUNITY_RESULTS = 8 };
extern const weft_param_info wfi_community_params[WFI_COMMUNITY_PARAMS];
extern const weft_result_info wfi_community_results[WFI_COMMUNITY_RESULTS];
extern const char *const wfi_community_methods[1];
extern const char *const wfi_community_on_request[2];

weft_status wfi_community_validate(weft_ctx *ctx, const weft_graph *g, const void *params);
void wfi_community_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_community_run_cpu(wfi_job *job);
uint64_t wfi_community_bytes_a_vertex(const void *params); /* at most: a run finds how many levels there are */
void wfi_community_work(const weft_graph *g, const void *params, wfi_work *work);

/* Fields of both descriptors. */
#define WFI_BY_MOVING                                                                                             \
    WFI_PARAMS(wfi_community_params), .info.top_by = "community", .info.groups = "community",                     \
                                      .info.model = "none: how many rounds there are depends on the graph",       \
                                      .on_request = wfi_community_on_request, .validate = wfi_community_validate, \
                                      .plan_cpu = wfi_community_plan_cpu, .run_cpu = wfi_community_run_cpu,       \
                                      .bytes_a_vertex = wfi_community_bytes_a_vertex, .work = wfi_community_work

#endif
