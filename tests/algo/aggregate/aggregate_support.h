/* What the tests of aggregate share: features, graphs with rows longer than a block, and one value of a result. */
#ifndef WEFT_TESTS_AGGREGATE_SUPPORT_H
#define WEFT_TESTS_AGGREGATE_SUPPORT_H

#include "order_support.h"
#include "weft/aggregate.h"

typedef weft_aggregate_params params_t;

/* Numbers of mixed size and sign. */
static inline float *random_features(uint64_t rows, uint64_t width, uint64_t seed) {
    float *x = malloc((size_t)(rows * width + 1) * sizeof *x);
    if (!x) exit(1);
    for (uint64_t i = 0; i < rows * width; i++) {
        uint64_t r = random_at(seed, i);
        x[i] = ldexpf((float)(int32_t)(r >> 32), -(int)(r % 12) - 20);
    }
    return x;
}

static inline params_t params_of(int op, const void *data, uint64_t rows, uint64_t width) {
    params_t p = WEFT_AGGREGATE_DEFAULTS;
    p.op = (weft_aggregate_op)op;
    p.features = matrix_at(data, rows, width, WEFT_F32);
    return p;
}

/* Parallel arcs, loops, and a few rows longer than two blocks, incoming and outgoing. */
static inline weft_graph *graph_with_hubs(weft_ctx *ctx, weft_vid n, weft_direction direction) {
    weft_vid u[6000], v[6000];
    dice d = {.seed = 11};
    for (size_t i = 0; i < LENGTH(u); i++) {
        u[i] = i >= 4000 ? (weft_vid)roll(&d, 3) : (weft_vid)roll(&d, n);
        v[i] = i < 2000 ? (weft_vid)roll(&d, 3) : (weft_vid)roll(&d, n);
    }
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, LENGTH(u), u, v, NULL, WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* One value of the column f. */
static inline float value_at(const weft_result *r, size_t i) {
    const weft_column *f = weft_result_column(r, "f");
    if (f->type == WEFT_F16) return weft_f16_value(((const uint16_t *)f->data)[i]);
    if (f->type == WEFT_BF16) return weft_bf16_value(((const uint16_t *)f->data)[i]);
    return ((const float *)f->data)[i];
}

/* The matrix as text, rows divided by ; and numbers by blanks. */
static inline const char *matrix_text(const weft_result *r, char *to, size_t room) {
    const weft_column *f = weft_result_column(r, "f");
    to[0] = 0;
    for (size_t i = 0; f && i < f->length * f->width; i++)
        append(to, room, "%s%.9g", !i ? "" : i % f->width ? " " : "; ", (double)value_at(r, i));
    return to;
}

static inline void expect_params(const weft_graph *g, weft_ctx *ctx, const params_t *p, const char *want, int line) {
    char text[1024];
    weft_result *r = verified_run(ctx, "aggregate", g, p);
    if (!r || strcmp(matrix_text(r, text, sizeof text), want))
        HARNESS_FAIL("line %d: the aggregate is \"%s\", expected \"%s\"", line, r ? text : "none", want);
    weft_result_free(r);
}
#define EXPECT(p, want) expect_params(g, ctx, &(p), (want), __LINE__)

static inline void expect_refusal(weft_ctx *ctx, const weft_graph *g, const params_t *p, const char *part) {
    weft_result *r = NULL;
    CHECK(weft_aggregate(ctx, g, p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), part);
}

static inline bool same_bits(float a, float b) { return !memcmp(&a, &b, sizeof a); }

/* Stopped at the first question, the second, ... until it is done: each time with the right status and nothing left. */
static inline void stop_everywhere(weft_ctx *ctx, const weft_graph *g, const params_t *p) {
    uint64_t before = weft_ctx_memory_in_use(ctx);
    int stopped = 0;
    for (int polls = 0; polls < 1000; polls++) {
        _Atomic int left = polls;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        weft_status st = weft_aggregate(ctx, g, p, &r);
        weft_ctx_set_cancel(ctx, NULL, NULL);
        weft_result_free(r);
        CHECK_U64(weft_ctx_memory_in_use(ctx), before);
        if (st == WEFT_OK) break;
        CHECK(st == WEFT_ECANCELLED && !r);
        stopped++;
    }
    CHECK(stopped > 5 && stopped < 1000);
}

#endif
