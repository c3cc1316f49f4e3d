/* What the tests of bfs share: graphs and the verifier.  Include it before anything else. */
#ifndef WEFT_TESTS_BFS_SUPPORT_H
#define WEFT_TESTS_BFS_SUPPORT_H

#include "random_sources.h"
#include "support.h"

#include "weft/check.h"

#define NONE WEFT_NO_VERTEX

/* "0>1 1>2": edges over n vertices. */
static inline weft_graph *graph_of(weft_ctx *ctx, weft_vid n, const char *edges, weft_direction direction) {
    weft_vid u[64], v[64];
    uint64_t m = 0;
    int used = 0;
    for (; sscanf(edges, "%u>%u%n", &u[m], &v[m], &used) == 2; edges += used) m++;
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    params.direction = direction;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &params, &g)) return NULL;
    return g;
}

static inline weft_graph *made(weft_ctx *ctx, const char *kind, const weft_generate_params *p) {
    weft_graph *g = NULL;
    if (weft_generate(ctx, kind, p, NULL, &g)) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

static inline bool verified(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    return weft_check(ctx, "bfs", g, p, r, &report) == WEFT_OK && report.passed;
}

#endif
