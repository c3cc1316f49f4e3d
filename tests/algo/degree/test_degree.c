/* degree: known answers on tiny graphs, the verifier on random ones, and the verifier on results that are wrong. */
#include "harness.h"
#include "weft/base.h"
#include "weft/check.h"
#include "weft/degree.h"
#include "weft/generate.h"
#include "weft/registry.h"

#include <stdatomic.h>

static weft_graph *graph_of(weft_ctx *ctx, uint64_t n, uint64_t m, const weft_vid *u, const weft_vid *v,
                            weft_direction direction) {
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    params.direction = direction;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &params, &g)) return NULL;
    return g;
}

/* 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 2, and 3 alone. */
static const weft_vid tails[] = {0, 0, 1, 2}, heads[] = {1, 2, 2, 2};

TEST(a_directed_graph_has_its_three_columns) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g = graph_of(ctx, 4, 4, tails, heads, WEFT_DIRECTED);
    weft_result *r = NULL;
    REQUIRE(g && weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    static const uint64_t in[] = {0, 1, 3, 0}, out[] = {2, 1, 1, 0}, total[] = {2, 2, 4, 0};
    for (int v = 0; v < 4; v++) {
        CHECK_U64(weft_result_u64(r, "in")[v], in[v]);
        CHECK_U64(weft_result_u64(r, "out")[v], out[v]);
        CHECK_U64(weft_result_u64(r, "total")[v], total[v]);
    }
    const weft_column *degree = weft_result_column(r, "degree"), *count = weft_result_column(r, "count");
    REQUIRE(degree && count);
    CHECK_U64(degree->length, 3);
    static const uint64_t values[] = {0, 2, 4}, counts[] = {1, 2, 1};
    for (int i = 0; i < 3; i++) {
        CHECK_U64(((const uint64_t *)degree->data)[i], values[i]);
        CHECK_U64(((const uint64_t *)count->data)[i], counts[i]);
    }
    CHECK_U64(weft_result_scalar(r, "max_degree")->value.u64, 4);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(an_undirected_graph_has_one_degree) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g = graph_of(ctx, 4, 4, tails, heads, WEFT_UNDIRECTED);
    weft_result *r = NULL;
    REQUIRE(g && weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    static const uint64_t want[] = {2, 2, 3, 0}; /* the loop at 2 counts once */
    for (int v = 0; v < 4; v++) {
        CHECK_U64(weft_result_u64(r, "in")[v], want[v]);
        CHECK_U64(weft_result_u64(r, "out")[v], want[v]);
        CHECK_U64(weft_result_u64(r, "total")[v], want[v]);
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_transpose_at_hand_gives_the_same_bytes) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = 9;
    p.degree = 8;
    weft_graph *g = NULL;
    weft_result *counted = NULL, *looked_up = NULL;
    weft_csr in = {.size = sizeof in};
    REQUIRE(weft_generate(ctx, "rmat", &p, NULL, &g) == WEFT_OK);
    CHECK(weft_degree(ctx, g, NULL, &counted) == WEFT_OK);
    CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
    CHECK(weft_degree(ctx, g, NULL, &looked_up) == WEFT_OK);
    CHECK(!memcmp(weft_result_u64(counted, "in"), weft_result_u64(looked_up, "in"), weft_graph_vertices(g) * 8));
    weft_result_free(counted);
    weft_result_free(looked_up);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_accepts_right_results_and_refuses_those_of_another_graph) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g[2] = {NULL, NULL};
    weft_result *r[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 300;
        p.degree = 6;
        p.seed = (uint64_t)i + 1;
        REQUIRE(weft_generate(ctx, "uniform", &p, NULL, &g[i]) == WEFT_OK);
        REQUIRE(weft_degree(ctx, g[i], NULL, &r[i]) == WEFT_OK);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
            CHECK(weft_check(ctx, "degree", g[i], NULL, r[k], &report) == WEFT_OK);
            CHECK(report.passed == (i == k));
        }
    for (int i = 0; i < 2; i++) {
        weft_result_free(r[i]);
        weft_graph_free(g[i]);
    }
    weft_ctx_free(ctx);
}

static weft_graph *weighted_of(weft_ctx *ctx, uint64_t m, const weft_vid *u, const weft_vid *v, const void *weights,
                               weft_weight_type type, weft_direction direction) {
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    params.direction = direction;
    weft_graph *g = NULL;
    return weft_graph_from_edges(ctx, 4, m, u, v, weights, type, &params, &g) ? NULL : g;
}

static void check_strengths(const weft_result *r, const char *name, const double *want) {
    const double *got = weft_result_f64(r, name);
    REQUIRE(got);
    for (int v = 0; v < 4; v++) CHECK(got[v] == want[v]);
}

TEST(strengths_are_sums_of_weights) {
    static const uint32_t whole[] = {4294967295u, 1, 4294967295u, 7};
    static const float real[] = {-0.5f, 0.25f, 16777216, 1};
    static const double in[] = {0, 4294967295.0, 4294967303.0, 0}, out[] = {4294967296.0, 4294967295.0, 7, 0},
                        both[] = {4294967296.0, 8589934590.0, 4294967310.0, 0}, lone[] = {2, 2, 3, 0},
                        undirected[] = {-0.25, 16777215.5, 16777217.25, 0};
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_degree_params p = WEFT_DEGREE_DEFAULTS;
    p.strength = 1;
    weft_graph *g[] = {weighted_of(ctx, 4, tails, heads, whole, WEFT_WEIGHT_U32, WEFT_DIRECTED),
                       weighted_of(ctx, 4, tails, heads, real, WEFT_WEIGHT_F32, WEFT_UNDIRECTED),
                       graph_of(ctx, 4, 4, tails, heads, WEFT_UNDIRECTED)};
    weft_result *r[3];
    for (int i = 0; i < 3; i++) REQUIRE(g[i] && weft_degree(ctx, g[i], &p, &r[i]) == WEFT_OK);
    check_strengths(r[0], "in_strength", in);
    check_strengths(r[0], "out_strength", out);
    check_strengths(r[0], "strength", both);
    check_strengths(r[1], "in_strength", undirected);
    check_strengths(r[1], "strength", undirected);
    check_strengths(r[2], "strength", lone); /* without weights they are degrees */
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    CHECK(weft_check(ctx, "degree", g[0], &p, r[0], &report) == WEFT_OK && report.passed);
    ((double *)(uintptr_t)weft_result_f64(r[0], "strength"))[1] += 1;
    CHECK(weft_check(ctx, "degree", g[0], &p, r[0], &report) == WEFT_OK && !report.passed);
    CHECK_HAS(report.message, "strength");
    for (int i = 0; i < 3; i++) {
        weft_result_free(r[i]);
        weft_graph_free(g[i]);
    }
    weft_ctx_free(ctx);
}

TEST(a_mode_has_its_column_alone) {
    static const uint64_t in[] = {0, 1, 3, 0};
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_degree_params p = WEFT_DEGREE_DEFAULTS;
    weft_graph *g = graph_of(ctx, 4, 4, tails, heads, WEFT_DIRECTED);
    weft_result *r = NULL;
    p.mode = WEFT_SIDE_IN;
    REQUIRE(g && weft_degree(ctx, g, &p, &r) == WEFT_OK);
    CHECK(!weft_result_column(r, "out") && !weft_result_column(r, "total") && !weft_result_column(r, "in_strength"));
    for (int v = 0; v < 4; v++) CHECK_U64(weft_result_u64(r, "in")[v], in[v]);
    CHECK_U64(weft_result_scalar(r, "max_degree")->value.u64, 3);
    CHECK_U64(weft_result_column(r, "degree")->length, 3);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    CHECK(weft_check(ctx, "degree", g, &p, r, &report) == WEFT_OK && report.passed);
    weft_result_free(r);
    p.mode = (weft_side)(WEFT_SIDE_BOTH + 1);
    CHECK(weft_degree(ctx, g, &p, &r) == WEFT_EINVAL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_plan_says_what_will_happen) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g = graph_of(ctx, 4, 4, tails, heads, WEFT_DIRECTED);
    weft_plan *plan = NULL;
    REQUIRE(g && weft_plan_new(ctx, "degree", g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_device(plan) == WEFT_DEVICE_CPU);
    CHECK_TEXT(weft_plan_method(plan), "count targets");
    CHECK_HAS(weft_plan_reason(plan), "transpose");
    /* Four rows of three columns; total degrees up to 2 out and 3 in; what every run takes. */
    CHECK(weft_plan_host_bytes(plan) > 4 * 24 && weft_plan_host_bytes(plan) < 8192); /* to the byte: test_plan_memory */
    for (int i = 0; i < 2; i++) {
        weft_result *r = NULL;
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        CHECK_U64(weft_result_u64(r, "in")[2], 3);
        weft_result_free(r);
    }
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_gpu_that_is_asked_for_by_name_is_refused_by_name) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g = graph_of(ctx, 4, 4, tails, heads, WEFT_DIRECTED);
    weft_result *r = NULL;
    REQUIRE(g);
    if (weft_algorithm_find("degree")->on_cuda) SKIP("degree has a GPU version");
    CHECK(weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA) == WEFT_OK);
    CHECK(weft_degree(ctx, g, NULL, &r) == WEFT_EDEVICE);
    CHECK_HAS(weft_ctx_message(ctx), "GPU");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static int count_polls(void *polls) {
    atomic_fetch_add((atomic_int *)polls, 1);
    return 0;
}

/* Without a transpose the arcs are counted one by one: a pass over all of them must hear a request to stop. */
TEST(counting_arcs_polls_for_cancellation) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = 19;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(weft_generate(ctx, "rmat", &p, NULL, &g) == WEFT_OK);
    atomic_int polls = 0;
    weft_ctx_set_cancel(ctx, count_polls, &polls);
    CHECK(weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    CHECK((uint64_t)polls >= weft_graph_arcs(g) >> 20);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(parameters_this_library_does_not_know_are_refused) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g = graph_of(ctx, 4, 4, tails, heads, WEFT_DIRECTED);
    struct {
        weft_degree_params known;
        uint64_t unknown;
    } newer = {{.size = sizeof newer}, 1};
    weft_result *r = NULL;
    REQUIRE(g);
    CHECK(weft_degree(ctx, g, &newer.known, &r) == WEFT_EINVAL);
    CHECK(r == NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
