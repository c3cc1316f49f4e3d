/* layout: a path and a grid come out as such; components apart; the same bytes on any number of threads; the verifier refuses what is wrong. */
#include "support.h"

#include "weft/check.h"
#include "weft/layout.h"

#include <math.h>

static weft_graph *generated(weft_ctx *ctx, const char *kind, uint64_t rows, uint64_t columns) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.n = rows * columns;
    p.rows = rows;
    p.columns = columns;
    p.scale = rows;
    if (weft_generate(ctx, kind, &p, NULL, &g)) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

static double apart(const weft_result *r, weft_vid u, weft_vid v) {
    const float *x = weft_result_f32(r, "x"), *y = weft_result_f32(r, "y");
    return hypot((double)(x[u] - x[v]), (double)(y[u] - y[v]));
}

static bool verified(weft_ctx *ctx, const weft_graph *g, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "layout", g, NULL, r, &report)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return report.passed;
}

/* Of a grid any two neighbours are nearer than any two that are 8 steps apart, and opposite corners are far. */
TEST(a_grid_is_drawn_as_a_grid) {
    enum { SIDE = 40 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generated(ctx, "grid", SIDE, SIDE);
    weft_result *r = NULL;
    double longest = 0, shortest = INFINITY, sum = 0;
    REQUIRE(weft_layout(ctx, g, NULL, &r) == WEFT_OK);
    for (weft_vid v = 0; v < SIDE * SIDE; v++) {
        if (v % SIDE + 1 < SIDE) longest = fmax(longest, apart(r, v, v + 1));
        if (v + SIDE < SIDE * SIDE) longest = fmax(longest, apart(r, v, v + SIDE));
        if (v % SIDE + 1 < SIDE) sum += apart(r, v, v + 1) / (SIDE * (SIDE - 1));
        if (v % SIDE + 8 < SIDE) shortest = fmin(shortest, apart(r, v, v + 8));
        if (v + 8 * SIDE < SIDE * SIDE) shortest = fmin(shortest, apart(r, v, v + 8 * SIDE));
    }
    CHECK(longest < shortest);
    CHECK(sum > 0.5 && sum < 2);
    CHECK(apart(r, 0, SIDE * SIDE - 1) > 0.7 * sqrt(2) * SIDE * sum);
    CHECK(apart(r, SIDE - 1, SIDE * SIDE - SIDE) > 0.7 * sqrt(2) * SIDE * sum);
    CHECK(verified(ctx, g, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_path_is_drawn_without_folds) {
    enum { N = 200 };
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = generated(ctx, "path", 1, N);
    weft_result *r = NULL;
    REQUIRE(weft_layout(ctx, g, NULL, &r) == WEFT_OK);
    for (weft_vid v = 0; v + 10 < N; v++) CHECK(apart(r, v, v + 10) > 2 * apart(r, v, v + 1));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* 5 vertices without neighbours, a triangle with a loop and an arc twice, an edge. */
TEST(components_stand_apart_and_the_verifier_looks) {
    static const weft_vid u[] = {0, 1, 2, 0, 0, 3}, v[] = {1, 2, 0, 0, 1, 4};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    REQUIRE(weft_graph_from_edges(ctx, 10, 6, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g) == WEFT_OK);
    REQUIRE(weft_layout(ctx, g, NULL, &r) == WEFT_OK);
    CHECK_U64(weft_result_scalar(r, "components")->value.u64, 7);
    CHECK(verified(ctx, g, r));
    CHECK(fabs(apart(r, 0, 1) / apart(r, 1, 2) - 1) < 0.1 && fabs(apart(r, 0, 2) / apart(r, 1, 2) - 1) < 0.1);
    float *x = (float *)(uintptr_t)weft_result_f32(r, "x"), *y = (float *)(uintptr_t)weft_result_f32(r, "y");
    float before = x[9];
    x[9] = NAN;
    CHECK(!verified(ctx, g, r));
    x[9] = x[8];
    float below = y[9];
    y[9] = y[8];
    CHECK(!verified(ctx, g, r)); /* in one place */
    y[9] = (y[0] + y[1] + y[2]) / 3;
    x[9] = (x[0] + x[1] + x[2]) / 3;
    CHECK(!verified(ctx, g, r)); /* in the triangle */
    x[9] = before;
    y[9] = below;
    CHECK(verified(ctx, g, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(long_edges_are_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = generated(ctx, "path", 1, 6);
    weft_result *r = NULL;
    REQUIRE(weft_layout(ctx, g, NULL, &r) == WEFT_OK);
    CHECK(verified(ctx, g, r));
    float *x = (float *)(uintptr_t)weft_result_f32(r, "x");
    for (int v = 0; v < 6; v++) x[v] = (float)(v % 2 * 10 + v / 2); /* from one side to the other */
    CHECK(!verified(ctx, g, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* 8 groups of 25 whose vertices have 6 neighbours each in their own and 6 anywhere. */
TEST(groups_stand_apart) {
    enum { N = 200, GROUPS = 8, EACH = 3 };
    weft_vid u[2 * EACH * N], v[2 * EACH * N], group[N];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    double near[2], far[2];
    uint64_t random = 1;
    for (weft_vid i = 0, e = 0; i < N; i++) {
        group[i] = i % GROUPS;
        for (int k = 0; k < 2 * EACH; k++, e++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            u[e] = i;
            v[e] = k < EACH ? (i + GROUPS * (1 + (weft_vid)(random >> 60))) % N : (weft_vid)(random >> 40) % N;
        }
    }
    REQUIRE(weft_graph_from_edges(ctx, N, LENGTH(u), u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    for (int grouped = 0; grouped < 2; grouped++) {
        weft_layout_params p = WEFT_LAYOUT_DEFAULTS;
        weft_result *r = NULL;
        double sums[2] = {0, 0}, counts[2] = {0, 0};
        if (grouped) p.groups = group;
        REQUIRE(weft_layout(ctx, g, &p, &r) == WEFT_OK);
        CHECK(verified(ctx, g, r));
        for (weft_vid a = 0; a < N; a++)
            for (weft_vid b = 0; b < a; b++) {
                sums[group[a] == group[b]] += apart(r, a, b);
                counts[group[a] == group[b]]++;
            }
        far[grouped] = sums[0] / counts[0];
        near[grouped] = sums[1] / counts[1];
        weft_result_free(r);
    }
    CHECK(near[1] / far[1] < 0.6 * (near[0] / far[0]));
    weft_layout_params p = WEFT_LAYOUT_DEFAULTS;
    weft_result *r = NULL;
    p.groups = group;
    group[N - 1] = N;
    CHECK(weft_layout(ctx, g, &p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "groups");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Levels that teams share, and levels that they do not. */
TEST(the_same_bytes_on_any_number_of_threads_and_others_from_another_seed) {
    static const int threads[] = {1, 2, 3, 7};
    static const char *const kinds[] = {"rmat", "grid"};
    for (size_t k = 0; k < LENGTH(kinds); k++) {
        float *first = NULL;
        size_t n = 0;
        for (size_t t = 0; t <= LENGTH(threads); t++) {
            weft_ctx *ctx = new_ctx(t < LENGTH(threads) ? threads[t] : 2, NULL);
            weft_graph *g = generated(ctx, kinds[k], k ? 70 : 13, 70);
            weft_layout_params p = WEFT_LAYOUT_DEFAULTS;
            weft_result *r = NULL;
            p.steps = 10;
            p.seed += t == LENGTH(threads);
            REQUIRE(weft_layout(ctx, g, &p, &r) == WEFT_OK);
            n = weft_graph_vertices(g);
            if (!first) first = malloc(2 * n * sizeof *first);
            REQUIRE(first != NULL);
            if (!t) memcpy(first, weft_result_f32(r, "x"), n * sizeof *first);
            if (!t) memcpy(first + n, weft_result_f32(r, "y"), n * sizeof *first);
            bool same = !memcmp(first, weft_result_f32(r, "x"), n * sizeof *first) &&
                        !memcmp(first + n, weft_result_f32(r, "y"), n * sizeof *first);
            CHECK(same == (t < LENGTH(threads)));
            weft_result_free(r);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
        free(first);
    }
}

TEST(nothing_and_next_to_nothing) {
    weft_ctx *ctx = new_ctx(1, NULL);
    for (weft_vid n = 0; n < 4; n++) {
        weft_graph *g = NULL;
        weft_result *r = NULL;
        REQUIRE(weft_graph_from_edges(ctx, n, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
        REQUIRE(weft_layout(ctx, g, NULL, &r) == WEFT_OK);
        CHECK_U64(weft_result_scalar(r, "components")->value.u64, n);
        CHECK(verified(ctx, g, r));
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
