/* What the tests of triangles and clustering share: tiny graphs as text, generated graphs of every shape, and sweeps
 * that any algorithm must survive. */
#ifndef WEFT_TESTS_TRIANGLE_SUPPORT_H
#define WEFT_TESTS_TRIANGLE_SUPPORT_H

#include "difference.h"
#include "plan_bytes.h"
#include "support.h"

#include "weft/check.h"

/* "0-1 1-2 2-0": edges between single vertices below n, repeats and loops kept as the library treats them by default. */
static inline weft_graph *small_graph(weft_ctx *ctx, uint64_t n, const char *edges, weft_direction direction,
                                      weft_duplicates duplicates) {
    weft_vid u[256], v[256];
    uint64_t m = 0;
    int used = 0;
    for (const char *at = edges; m < 256 && sscanf(at, " %u-%u%n", &u[m], &v[m], &used) == 2; at += used) m++;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    build.duplicates = duplicates;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g)) HARNESS_FAIL("no graph: %s", edges);
    return g;
}

typedef struct shape {
    const char *kind;
    uint64_t n, scale, k;
    double degree;
    weft_direction direction;
} shape;

static const shape shapes[] = {
    {"rmat", 0, 11, 0, 12, WEFT_DIRECTED},
    {"rmat", 0, 12, 0, 16, WEFT_UNDIRECTED},
    {"uniform", 3000, 0, 0, 30, WEFT_DIRECTED},
    {"ba", 4000, 0, 6, (double)NAN, WEFT_UNDIRECTED},
    {"smallworld", 20000, 0, 8, (double)NAN, WEFT_UNDIRECTED},
    {"complete", 150, 0, 0, (double)NAN, WEFT_UNDIRECTED},
    {"star", 5000, 0, 0, (double)NAN, WEFT_UNDIRECTED},
    {"cyclic", 300, 0, 0, (double)NAN, WEFT_DIRECTED},
};

static inline weft_graph *shaped(weft_ctx *ctx, const shape *s) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.n = s->n;
    p.scale = s->scale;
    p.k = s->k;
    p.degree = s->degree;
    build.direction = s->direction;
    weft_graph *g = NULL;
    if (weft_generate(ctx, s->kind, &p, &build, &g)) HARNESS_FAIL("%s: %s", s->kind, weft_ctx_message(ctx));
    return g;
}

static inline weft_result *run_plan(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params) {
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    if (weft_plan_new(ctx, algorithm, g, params, &plan) || weft_plan_run(plan, &r))
        HARNESS_FAIL("%s: %s", algorithm, weft_ctx_message(ctx));
    weft_plan_free(plan);
    return r;
}

/* 1, 2, 3 and 7 threads, or under sanitizers 1 and 7, give the same bytes, which the verifier accepts. */
static inline void check_threads_agree(const char *algorithm, const void *params) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = shaped(ctx, &shapes[i]);
        weft_result *first = NULL;
        for (size_t t = 0; g && t < LENGTH(threads); t++) {
            if (under_a_microscope() && t % 3) continue;
            weft_ctx_set_threads(ctx, threads[t]);
            weft_result *r = run_plan(ctx, algorithm, g, params);
            if (first && !same_results(first, r)) HARNESS_FAIL("%s: %d threads differ", shapes[i].kind, threads[t]);
            if (first)
                weft_result_free(r);
            else
                first = r;
        }
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        CHECK(first && weft_check(ctx, algorithm, g, params, first, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s: %s", shapes[i].kind, report.message);
        weft_result_free(first);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Stopped at once, and at the second, third, ... look: always WEFT_ECANCELLED, until it is through. */
static inline void check_cancel(const char *algorithm, const void *params, const shape *s) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = shaped(ctx, s);
    bool succeeded = false;
    for (int looks = 0; g && !succeeded && looks < 100000; looks = looks * 2 + (looks == 0)) {
        _Atomic int left = looks;
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        CHECK(weft_plan_new(ctx, algorithm, g, params, &plan) == WEFT_OK);
        weft_status st = weft_plan_run(plan, &r);
        succeeded = st == WEFT_OK;
        CHECK(succeeded || st == WEFT_ECANCELLED);
        CHECK(succeeded == (r != NULL));
        CHECK(looks > 0 || !succeeded);
        weft_result_free(r);
        weft_plan_free(plan);
    }
    CHECK(succeeded);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* The high-water mark of a run lies within 10 % of the plan. */
static inline void check_memory(const char *algorithm, const void *params, const shape *s, int threads, bool weighted) {
    weft_ctx *ctx = new_ctx(threads, NULL), *other = new_ctx(threads, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.n = s->n;
    p.scale = s->scale;
    p.k = s->k;
    p.degree = s->degree;
    p.max_weight = weighted ? 100 : 0;
    build.direction = s->direction;
    weft_graph *g = NULL; /* held by another context, so that this one sees the run alone */
    REQUIRE(weft_generate(other, s->kind, &p, &build, &g) == WEFT_OK);
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    REQUIRE(weft_plan_new(ctx, algorithm, g, params, &plan) == WEFT_OK);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
    double planned = (double)weft_plan_host_bytes(plan), peak = (double)(weft_ctx_memory_peak(ctx) - before);
    if (!held_as_declared(plan, weft_ctx_memory_peak(ctx) - before))
        HARNESS_FAIL("%s %s, %d threads: planned %.0f, peak %.0f", s->kind,
                     s->direction == WEFT_DIRECTED ? "directed" : "undirected", threads, planned, peak);
    weft_result_free(r);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    weft_ctx_free(other);
}

#endif
