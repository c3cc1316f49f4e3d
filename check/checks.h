/* Each algorithm's verifier.  Params and report are complete; the rows of the graph are there (check_out). */
#ifndef WEFT_CHECKS_H
#define WEFT_CHECKS_H

#include "weft_check.h"

typedef weft_status (*check_fn)(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                weft_check_report *report);

/* The verifier of an algorithm, NULL if it has none. */
check_fn check_find(const char *algorithm);

weft_status weft_check_pagerank(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                weft_check_report *report);
weft_status weft_check_bfs(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                           weft_check_report *report);
weft_status weft_check_sssp(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                            weft_check_report *report);
weft_status weft_check_components(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                  weft_check_report *report);
weft_status weft_check_triangles(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                 weft_check_report *report);
weft_status weft_check_clustering(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                  weft_check_report *report);
weft_status weft_check_labelprop(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                 weft_check_report *report);
weft_status weft_check_toposort(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                weft_check_report *report);
weft_status weft_check_cycle(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                             weft_check_report *report);
weft_status weft_check_kcore(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                             weft_check_report *report);
weft_status weft_check_degree(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                              weft_check_report *report);
weft_status weft_check_aggregate(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                 weft_check_report *report);

#endif
