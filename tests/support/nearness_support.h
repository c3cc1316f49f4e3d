/* What the tests of closeness and harmonic share: runs by name on small graphs, values as text, digests on any number
 * of threads. */
#ifndef WEFT_TESTS_NEARNESS_SUPPORT_H
#define WEFT_TESTS_NEARNESS_SUPPORT_H

#include "triangle_support.h"

/* Its result; NULL and a failure otherwise. */
static inline weft_result *run_named(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params) {
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    if (weft_plan_new(ctx, algorithm, g, params, &plan) || weft_plan_run(plan, &r))
        HARNESS_FAIL("%s: %s", algorithm, weft_ctx_message(ctx));
    weft_plan_free(plan);
    return r;
}

/* The same, verified. */
static inline weft_result *run_verified(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params) {
    weft_result *r = run_named(ctx, algorithm, g, params);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (r && weft_check(ctx, algorithm, g, params, r, &report))
        HARNESS_FAIL("%s: %s", algorithm, weft_ctx_message(ctx));
    else if (r && !report.passed)
        HARNESS_FAIL("%s: %s", algorithm, report.message);
    return r;
}

/* Values between blanks, as %g, of the column that is called as the algorithm. */
static inline void check_values_of(const char *algorithm, weft_ctx *ctx, weft_graph *g, const void *params,
                                   const char *want) {
    char got[512] = "";
    weft_result *r = run_verified(ctx, algorithm, g, params);
    for (size_t i = 0; r && i < weft_graph_vertices(g); i++)
        append(got, sizeof got, "%s%g", i ? " " : "", weft_result_f64(r, algorithm)[i]);
    CHECK_TEXT(got, want);
    weft_result_free(r);
}

/* The same of edges "u-v u-v ...". */
static inline void check_values(const char *algorithm, weft_direction direction, uint64_t n, const char *edges,
                                const void *params, const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = small_graph(ctx, n, edges, direction, WEFT_DUPLICATES_KEEP);
    check_values_of(algorithm, ctx, g, params, want);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* 0 -> 1 -> 2 -> 3, of weights 0.5, 0 and 2, and 0 -> 2 of weight 1. */
static inline void check_weighted(const char *algorithm, const void *params, const char *want) {
    static const weft_vid u[] = {0, 1, 2, 0}, v[] = {1, 2, 3, 2};
    static const double weights[] = {0.5, 0, 2, 1};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    build.direction = WEFT_DIRECTED;
    REQUIRE(!weft_graph_from_edges(ctx, 4, 4, u, v, weights, WEFT_WEIGHT_F64, &build, &g));
    check_values_of(algorithm, ctx, g, params, want);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static inline weft_graph *generated(weft_ctx *ctx, const char *kind, uint64_t size, weft_direction direction,
                                    bool weighted) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    if (!strcmp(kind, "rmat"))
        p.scale = size;
    else if (!strcmp(kind, "grid"))
        p.rows = p.columns = size;
    else if (size)
        p.n = size;
    p.degree = strcmp(kind, "rmat") ? p.degree : 8;
    p.max_weight = weighted ? 9 : 0;
    build.direction = direction;
    if (weft_generate(ctx, kind, &p, &build, &g)) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

/* The digest of a result on 1, 2, 3 and 7 threads; on 2 and 7 under sanitizers. */
static inline void check_recorded(const char *algorithm, const char *kind, uint64_t size, weft_direction direction,
                                  const void *params, bool weighted, uint64_t want) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t t = 0; t < LENGTH(threads); t++) {
        if (under_a_microscope() && t % 2 == 0) continue;
        weft_ctx *ctx = new_ctx(threads[t], NULL);
        weft_graph *g = generated(ctx, kind, size, direction, weighted);
        weft_result *r = run_named(ctx, algorithm, g, params);
        uint64_t digest = 0;
        if (r && weft_result_digest(ctx, r, &digest)) HARNESS_FAIL("%s: %s", algorithm, weft_ctx_message(ctx));
        if (digest != want)
            HARNESS_FAIL("%s of %s %" PRIu64 " on %d threads: 0x%016" PRIx64, algorithm, kind, size, threads[t],
                         digest);
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* A run is refused, in words that have these in them. */
static inline void check_refused(const char *algorithm, const weft_graph *g, const void *params, const char *words) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_plan *plan = NULL;
    CHECK(weft_plan_new(ctx, algorithm, g, params, &plan) == WEFT_EINVAL && !plan);
    CHECK_HAS(weft_ctx_message(ctx), words);
    weft_ctx_free(ctx);
}

/* Does the verifier refuse the karate club's result, once a value is changed by so much? */
static inline bool refuses(const char *algorithm, const void *params, size_t at, double by) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = generated(ctx, "karate", 0, WEFT_UNDIRECTED, false);
    weft_result *r = run_verified(ctx, algorithm, g, params);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    ((double *)(uintptr_t)weft_result_f64(r, algorithm))[at] += by;
    if (weft_check(ctx, algorithm, g, params, r, &report)) exit(1);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return !report.passed;
}

static inline bool is_before(const double *value, weft_vid u, weft_vid v) {
    return value[u] > value[v] || (value[u] == value[v] && u < v);
}

/* *first becomes 1, 5, 40 beside none: as many values of a full run, none of which another one goes before.  That run is verified, and
 * with it these are; the verifier, which takes as long as for all, sees the 5 as well. */
static inline void check_first(const char *algorithm, const char *kind, uint64_t size, weft_direction direction,
                               const void *params, uint64_t *first) {
    static const uint64_t wanted[] = {1, 5, 40};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generated(ctx, kind, size, direction, false);
    weft_result *all = run_verified(ctx, algorithm, g, params);
    const double *full = weft_result_f64(all, algorithm);
    uint64_t vertices = weft_result_scalar(all, "vertices")->value.u64;
    for (size_t k = 0; k < LENGTH(wanted); k++) {
        *first = wanted[k];
        weft_result *r = (k == 1 ? run_verified : run_named)(ctx, algorithm, g, params);
        REQUIRE(r);
        const double *few = weft_result_f64(r, algorithm);
        weft_vid last = WEFT_NO_VERTEX;
        CHECK_U64(weft_result_scalar(r, "vertices")->value.u64, vertices < wanted[k] ? vertices : wanted[k]);
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
            if (isnan(few[v])) continue;
            if (few[v] != full[v]) HARNESS_FAIL("%s, vertex %u: %.17g, not %.17g", kind, v, few[v], full[v]);
            if (last == WEFT_NO_VERTEX || is_before(full, last, v)) last = v;
        }
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++)
            if (isnan(few[v]) && !isnan(full[v]) && is_before(full, v, last))
                HARNESS_FAIL("%s: %u is missing", kind, v);
        weft_result_free(r);
    }
    weft_result_free(all);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

#endif
