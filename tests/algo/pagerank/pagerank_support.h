/* What the tests of pagerank share: graphs, results, the verifier.  Include it before anything else. */
#ifndef WEFT_TESTS_PAGERANK_SUPPORT_H
#define WEFT_TESTS_PAGERANK_SUPPORT_H

#include "support.h"

#include "weft/check.h"
#include "weft/pagerank.h"

static inline weft_graph *graph_of(weft_ctx *ctx, uint64_t n, uint64_t m, const weft_vid *u, const weft_vid *v,
                                   const void *weights, weft_weight_type type, weft_direction direction) {
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    params.direction = direction;
    weft_graph *g = NULL;
    return weft_graph_from_edges(ctx, n, m, u, v, weights, type, &params, &g) ? NULL : g;
}

static inline weft_graph *generated(weft_ctx *ctx, const char *kind, weft_generate_params p, weft_direction direction) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    weft_graph *g = NULL;
    if (weft_generate(ctx, kind, &p, &build, &g)) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

static inline weft_pagerank_params precise(void) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.precision = WEFT_PRECISION_F64;
    p.tolerance = 1e-13;
    p.max_iterations = 1000;
    return p;
}

static inline double rank_at(const weft_result *r, weft_vid v) {
    const float *single = weft_result_f32(r, "rank");
    return single ? (double)single[v] : weft_result_f64(r, "rank")[v];
}

static inline double real(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.f64; }

static inline uint64_t whole(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.u64; }

static inline bool verified(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    return !weft_check(ctx, "pagerank", g, p, r, &report) && report.passed;
}

/* Runs, has it verified, and compares with the wanted ranks. */
static inline void expect_ranks(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p, const double *want,
                                double tolerance) {
    weft_result *r = NULL;
    REQUIRE(g);
    if (weft_pagerank(ctx, g, p, &r)) HARNESS_FAIL("pagerank: %s", weft_ctx_message(ctx));
    REQUIRE(r);
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) CHECK_NEAR(rank_at(r, v), want[v], tolerance);
    CHECK(verified(ctx, g, p, r));
    weft_result_free(r);
}

#endif
