/* What the tests of toposort, cycle and kcore share: small graphs from a list of arcs, runs by name, and the sweeps
 * for one algorithm on its own shapes: threads, cancelling, memory. */
#ifndef WEFT_TESTS_ORDER_SUPPORT_H
#define WEFT_TESTS_ORDER_SUPPORT_H

#include "difference.h"
#include "plan_bytes.h"
#include "support.h"

#include "weft/check.h"

/* "0>1 1>2": arcs over the vertices 0 ... n-1. */
static inline weft_graph *arcs_of(weft_ctx *ctx, uint64_t n, const char *text, weft_direction direction,
                                  weft_duplicates duplicates) {
    weft_vid u[256], v[256];
    uint64_t count = 0;
    for (const char *at = text; at && *at && count < 256; at = strchr(at, ' '), at = at ? at + 1 : NULL)
        count += sscanf(at, "%u>%u", &u[count], &v[count]) == 2;
    weft_build_params p = WEFT_BUILD_DEFAULTS;
    p.direction = direction;
    p.duplicates = duplicates;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, count, u, v, NULL, WEFT_WEIGHT_NONE, &p, &g))
        HARNESS_FAIL("%s: %s", text, weft_ctx_message(ctx));
    return g;
}

static inline weft_graph *directed_of(weft_ctx *ctx, uint64_t n, const char *text) {
    return arcs_of(ctx, n, text, WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
}

/* A run that must go well and satisfy its verifier; NULL when it does not. */
static inline weft_result *verified_run(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params) {
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_plan_new(ctx, algorithm, g, params, &plan) || weft_plan_run(plan, &r))
        HARNESS_FAIL("%s: %s", algorithm, weft_ctx_message(ctx));
    else if (weft_check(ctx, algorithm, g, params, r, &report) || !report.passed)
        HARNESS_FAIL("%s: %s", algorithm, report.message);
    weft_plan_free(plan);
    return r;
}

static inline uint64_t scalar_of(const weft_result *r, const char *name) {
    const weft_scalar *s = weft_result_scalar(r, name);
    return s ? s->value.u64 : UINT64_MAX;
}

/* A u32 or vertex column as text, "-" for no value: "0 1 1 -". */
static inline const char *column_text(const weft_result *r, const char *name, char *to, size_t room) {
    const weft_column *c = weft_result_column(r, name);
    to[0] = 0;
    for (size_t i = 0; c && i < c->length; i++) {
        uint32_t x = ((const uint32_t *)c->data)[i];
        if (x == WEFT_UNREACHED)
            append(to, room, "%s-", i ? " " : "");
        else
            append(to, room, "%s%u", i ? " " : "", x);
    }
    return to;
}

static inline bool refused(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                           const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    return weft_check(ctx, algorithm, g, params, r, &report) == WEFT_OK && !report.passed && report.message[0];
}

/* For tampering with a result. */
static inline uint32_t *writable_u32(const weft_result *r, const char *column) {
    return (uint32_t *)(uintptr_t)weft_result_u32(r, column);
}

/* Generated graphs of every shape these algorithms care about. */
static const struct generated {
    const char *kind;
    uint64_t n, scale, depth, k, rows;
    double degree, p;
} shapes[] = {
    {"rmat", .scale = 14, .degree = 16, .p = NAN},   {"uniform", .n = 30000, .degree = 3, .p = NAN},
    {"dag", .n = 3000, .degree = NAN, .p = 0.05},    {"dag", .n = 60000, .depth = 40, .degree = 4, .p = NAN},
    {"cyclic", .n = 1500, .degree = NAN, .p = 0.1},  {"path", .n = 50000, .degree = NAN, .p = NAN},
    {"cycle", .n = 50000, .degree = NAN, .p = NAN},  {"star", .n = 50000, .degree = NAN, .p = NAN},
    {"complete", .n = 400, .degree = NAN, .p = NAN}, {"grid", .rows = 200, .degree = NAN, .p = NAN},
};

static inline weft_graph *generate_shape(weft_ctx *ctx, const struct generated *s, weft_direction direction) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.n = s->n;
    p.scale = s->scale;
    p.depth = s->depth;
    p.rows = p.columns = s->rows;
    p.degree = s->degree;
    p.p = s->p;
    build.direction = direction;
    if (strcmp(s->kind, "cyclic")) build.loops = WEFT_LOOPS_DROP; /* a loop ends the search for a cycle at once */
    weft_graph *g = NULL;
    if (weft_generate(ctx, s->kind, &p, &build, &g)) HARNESS_FAIL("%s: %s", s->kind, weft_ctx_message(ctx));
    return g;
}

static inline void check_same_bytes_for_all_threads(const char *algorithm, weft_direction direction) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        weft_result *r[LENGTH(threads)] = {NULL};
        weft_ctx *ctx = new_ctx(0, NULL);
        weft_graph *g = generate_shape(ctx, &shapes[i], direction);
        for (size_t t = 0; g && t < LENGTH(threads); t++) {
            weft_ctx_set_threads(ctx, threads[t]);
            r[t] = verified_run(ctx, algorithm, g, NULL);
            if (r[0] && r[t] && !same_results(r[0], r[t]))
                HARNESS_FAIL("%s of %s differs with %d threads", algorithm, shapes[i].kind, threads[t]);
        }
        for (size_t t = 0; t < LENGTH(threads); t++) weft_result_free(r[t]);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Stopped at the first question, the second, ...: always with the right status, until a run gets through. */
static inline void check_cancelling(const char *algorithm, const struct generated *shape) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generate_shape(ctx, shape, WEFT_DIRECTED);
    weft_csr in = {.size = sizeof in};
    CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    int stopped = 0;
    for (int until = 0; until < 1000; until++) {
        _Atomic int left = until;
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        CHECK(weft_plan_new(ctx, algorithm, g, NULL, &plan) == WEFT_OK);
        weft_ctx_set_cancel(ctx, stop_after, &left);
        weft_status st = weft_plan_run(plan, &r);
        weft_ctx_set_cancel(ctx, NULL, NULL);
        weft_result_free(r);
        weft_plan_free(plan);
        CHECK_U64(weft_ctx_memory_in_use(ctx), before);
        if (st == WEFT_OK) break;
        CHECK(st == WEFT_ECANCELLED && !r);
        stopped++;
    }
    CHECK(stopped > 1 && stopped < 1000);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The high-water mark of a run is within what the plan said. */
static inline void check_peak(const char *algorithm, const struct generated *shape) {
    weft_ctx *maker = new_ctx(0, NULL), *ctx = new_ctx(2, NULL);
    weft_graph *g = generate_shape(maker, shape, WEFT_DIRECTED);
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    CHECK(weft_plan_new(ctx, algorithm, g, NULL, &plan) == WEFT_OK);
    double planned = (double)weft_plan_host_bytes(plan);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    CHECK(weft_plan_run(plan, &r) == WEFT_OK);
    double peak = (double)weft_ctx_memory_peak(ctx);
    if (!held_as_declared(plan, weft_ctx_memory_peak(ctx) - before))
        HARNESS_FAIL("%s of %s: planned %.0f bytes, held %.0f", algorithm, shape->kind, planned, peak);
    weft_result_free(r);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    weft_ctx_free(maker);
}

#endif
