/* similarity: small graphs by eye, all measures, pairs and edges; what is refused; the verifier refuses what is wrong. */
#include "triangle_support.h"
#include "weft/similarity.h"

static const weft_similarity_params standard = WEFT_SIMILARITY_DEFAULTS;

static bool accepted(weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "similarity", g, p, r, &report)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return report.passed;
}

static weft_result *run(weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *p) {
    weft_result *r = NULL;
    if (weft_similarity(ctx, g, p, &r)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return r;
}

/* "0-1:0.5 ..." of the rows, which the verifier accepts. */
static void check_graph(weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *p, const char *want) {
    weft_result *r = run(ctx, g, p);
    REQUIRE(r);
    char got[512] = "";
    for (size_t i = 0; i < weft_result_column(r, "similarity")->length; i++)
        append(got, sizeof got, "%s%u-%u:%g", i ? " " : "", weft_result_u32(r, "source")[i],
               weft_result_u32(r, "target")[i], weft_result_f64(r, "similarity")[i]);
    CHECK_TEXT(got, want);
    CHECK(accepted(ctx, g, p, r));
    weft_result_free(r);
}

static void check_rows(weft_direction direction, uint64_t n, const char *edges, const weft_similarity_params *p,
                       const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = small_graph(ctx, n, edges, direction, WEFT_DUPLICATES_KEEP);
    check_graph(ctx, g, p, want);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(vertices_that_share_a_neighbour_have_rows) {
    check_rows(WEFT_DIRECTED, 0, "", &standard, "");
    check_rows(WEFT_UNDIRECTED, 3, "", &standard, "");
    check_rows(WEFT_UNDIRECTED, 2, "0-1 0-0", &standard, "");
    check_rows(WEFT_UNDIRECTED, 3, "0-1 1-2", &standard, "0-2:1 2-0:1");
    check_rows(WEFT_UNDIRECTED, 4, "0-1 1-2 2-0 2-3", &standard,
               "0-3:0.5 0-1:0.333333 0-2:0.25 1-3:0.5 1-0:0.333333 1-2:0.25 2-0:0.25 2-1:0.25 3-0:0.5 3-1:0.5");
}

TEST(directions_loops_and_parallel_edges_do_not_count) {
    check_rows(WEFT_DIRECTED, 3, "1-0 0-1 1-2 1-2 1-1 2-2", &standard, "0-2:1 2-0:1");
    check_rows(WEFT_UNDIRECTED, 3, "1-0 0-1 1-2 1-2 1-1", &standard, "0-2:1 2-0:1");
}

/* 0 and 1 have two neighbours in common, 2 and 3; 0 has three, 1 two. */
TEST(each_measure_by_eye) {
    static const char *const edges = "0-2 0-3 0-4 1-2 1-3 2-3";
    static const weft_vid pairs[] = {0, 1};
    static const char *const want[] = {"0-1:0.666667", "0-1:2",       "0-1:1",        "0-1:0.816497",
                                       "0-1:0.8",      "0-1:1.82048", "0-1:0.666667", "0-1:6"};
    weft_similarity_params p = standard;
    p.pairs = pairs;
    p.pair_count = 1;
    for (int measure = 0; measure < 8; measure++) {
        p.measure = measure;
        check_rows(WEFT_UNDIRECTED, 5, edges, &p, want[measure]);
    }
}

TEST(rows_are_asked_of_some_and_end) {
    static const weft_vid of[] = {3, 0, 3};
    weft_similarity_params p = standard;
    p.of = of;
    p.of_count = LENGTH(of);
    p.per_vertex = 1;
    check_rows(WEFT_UNDIRECTED, 4, "0-1 1-2 2-0 2-3", &p, "3-0:0.5 0-3:0.5 3-0:0.5");
    p.per_vertex = 5;
    check_rows(WEFT_UNDIRECTED, 4, "0-1 1-2 2-0 2-3", &p,
               "3-0:0.5 3-1:0.5 0-3:0.5 0-1:0.333333 0-2:0.25 3-0:0.5 3-1:0.5");
    p.unjoined = 1;
    check_rows(WEFT_UNDIRECTED, 4, "0-1 1-2 2-0 2-3", &p, "3-0:0.5 3-1:0.5 0-3:0.5 3-0:0.5 3-1:0.5");
}

TEST(edges_are_rows_each_with_its_pairs_value) {
    weft_similarity_params p = standard;
    p.edges = 1;
    check_rows(WEFT_UNDIRECTED, 4, "0-1 1-2 2-0 2-3", &p, "0-1:0.333333 0-2:0.25 1-2:0.25 2-3:0");
    check_rows(WEFT_UNDIRECTED, 3, "0-1 1-2 2-0 2-0 1-1", &p,
               "0-1:0.333333 0-2:0.333333 0-2:0.333333 1-1:0 1-2:0.333333");
    check_rows(WEFT_DIRECTED, 3, "0-1 1-0 1-2 2-0 2-2", &p,
               "0-1:0.333333 1-0:0.333333 1-2:0.333333 2-0:0.333333 2-2:0");
    check_rows(WEFT_DIRECTED, 0, "", &p, "");
}

/* Without 0, which has four neighbours, 1 and 2 share 5 alone; 3 and 4 have none left. */
TEST(hubs_do_not_count_as_neighbours) {
    static const char *const edges = "0-1 0-2 0-3 0-4 1-5 2-5";
    static const weft_vid pairs[] = {1, 2, 3, 4, 1, 3};
    weft_similarity_params p = standard;
    p.most_degree = 3;
    check_rows(WEFT_UNDIRECTED, 6, edges, &p, "0-5:0.5 1-2:1 2-1:1 5-0:0.5");
    p.pairs = pairs;
    p.pair_count = 3;
    check_rows(WEFT_UNDIRECTED, 6, edges, &p, "1-2:1 3-4:0 1-3:0");
    p.most_degree = 4;
    check_rows(WEFT_UNDIRECTED, 6, edges, &p, "1-2:1 3-4:1 1-3:0.5");
}

TEST(what_is_left_out_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = small_graph(ctx, 6, "0-1 0-2 0-3 0-4 1-5 2-5", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_similarity_params p = standard;
    for (int limited = 0; limited < 2; limited++) {
        p.most_degree = limited ? 3 : 0;
        weft_result *r = run(ctx, g, &p);
        REQUIRE(r);
        CHECK_U64(weft_result_scalar(r, "hubs")->value.u64, limited ? 1 : 0);
        CHECK_U64(weft_result_scalar(r, "wedges")->value.u64, limited ? 6 : 18);
        CHECK_U64(weft_result_scalar(r, "left_out")->value.u64, limited ? 12 : 0);
        CHECK_U64(weft_result_scalar(r, "pairs")->value.u64, limited ? 4 : 14);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_plan_states_the_wedges) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = small_graph(ctx, 6, "0-1 0-2 0-3 0-4 1-5 2-5", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_plan *plan = NULL;
    REQUIRE(weft_plan_new(ctx, "similarity", g, NULL, &plan) == WEFT_OK);
    CHECK_HAS(weft_plan_reason(plan), "6 vertices: 18 wedges at most");
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Two vertices with 200,000 neighbours in common, each of which has only them: 1 / ln 2 and 1 / 2 of each. */
TEST(sums_have_room_for_all_that_can_be_in_common) {
    enum { SHARED = 200000 };
    static weft_vid u[2 * SHARED], v[2 * SHARED];
    static const weft_vid pairs[] = {SHARED, SHARED + 1};
    for (weft_vid i = 0; i < SHARED; i++) {
        u[2 * i] = SHARED;
        u[2 * i + 1] = SHARED + 1;
        v[2 * i] = v[2 * i + 1] = i;
    }
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_similarity_params p = standard;
    weft_graph *g = NULL;
    build.direction = WEFT_UNDIRECTED;
    p.pairs = pairs;
    p.pair_count = 1;
    REQUIRE(weft_graph_from_edges(ctx, SHARED + 2, 2 * SHARED, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g) == WEFT_OK);
    for (int measure = WEFT_SIMILARITY_ADAMIC_ADAR; measure <= WEFT_SIMILARITY_RESOURCE_ALLOCATION; measure++) {
        p.measure = measure;
        weft_result *r = run(ctx, g, &p);
        double want = SHARED / (measure == WEFT_SIMILARITY_ADAMIC_ADAR ? log(2) : 2);
        CHECK(r && fabs(weft_result_f64(r, "similarity")[0] - want) < 1e-12 * want);
        CHECK(r && accepted(ctx, g, &p, r));
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(threads_agree) {
    weft_similarity_params p = standard;
    p.measure = WEFT_SIMILARITY_RESOURCE_ALLOCATION;
    p.most_degree = 100;
    check_threads_agree("similarity", &p);
    p.most_degree = 0;
    p.edges = 1;
    check_threads_agree("similarity", &p);
}

static void check_refused(weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *p, const char *message) {
    weft_result *r = NULL;
    CHECK(weft_similarity(ctx, g, p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), message);
    weft_result_free(r);
}

TEST(what_has_no_meaning_is_refused) {
    static const weft_vid far[] = {0, 3}, same[] = {0, 1, 2, 2};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = small_graph(ctx, 3, "0-1 1-2", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_similarity_params p = standard;
    p.of = far;
    p.of_count = 2;
    check_refused(ctx, g, &p, "of[1] is vertex 3, but the graph has 3 vertices");
    p.edges = 1;
    check_refused(ctx, g, &p, "`of` cannot be combined with `edges`");
    p = standard;
    p.pairs = same;
    p.pair_count = 2;
    check_refused(ctx, g, &p, "pair 2 is vertex 2 and itself");
    p.pairs = far;
    p.pair_count = 1;
    check_refused(ctx, g, &p, "pairs[1] is vertex 3");
    p.per_vertex = 3;
    check_refused(ctx, g, &p, "`per_vertex` cannot be combined");
    p.per_vertex = standard.per_vertex;
    p.unjoined = 1;
    check_refused(ctx, g, &p, "`unjoined` cannot be combined");
    p.unjoined = 0;
    p.edges = 1;
    check_refused(ctx, g, &p, "pairs and edges exclude each other");
    p = standard;
    p.per_vertex = 0;
    check_refused(ctx, g, &p, "per-vertex is 0");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The columns' own numbers, to be spoilt. */
static double *values_in(weft_result *r) { return (double *)(uintptr_t)weft_result_f64(r, "similarity"); }
static weft_vid *targets_in(weft_result *r) { return (weft_vid *)(uintptr_t)weft_result_u32(r, "target"); }
static weft_scalar *scalar_in(weft_result *r, const char *name) {
    return (weft_scalar *)(uintptr_t)weft_result_scalar(r, name);
}

TEST(the_verifier_refuses_what_is_wrong) {
    static const weft_vid pairs[] = {0, 33, 2, 32};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    for (int kind = 0; kind < 4; kind++)
        for (int how = 0; how <= 6; how++) {
            weft_similarity_params p = standard;
            p.pairs = kind == 1 ? pairs : NULL;
            p.pair_count = kind == 1 ? 2 : 0;
            p.edges = kind == 2;
            p.measure = kind == 3 ? WEFT_SIMILARITY_ADAMIC_ADAR : WEFT_SIMILARITY_JACCARD;
            weft_result *r = run(ctx, g, &p);
            REQUIRE(r);
            double *value = values_in(r);
            weft_vid *target = targets_in(r), first = target[0];
            if (how == 1) value[1] *= 1 + 1e-8;
            if (how == 2) value[0] -= 1e-6;
            if (how == 3) {
                target[0] = target[1];
                target[1] = first;
            }
            if (how == 4) target[1] = 34;
            if (how == 5) scalar_in(r, "hubs")->value.u64 = 1;
            if (how == 6) scalar_in(r, "pairs")->value.u64--;
            if (accepted(ctx, g, &p, r) != !how) HARNESS_FAIL("kind %d, case %d", kind, how);
            weft_result_free(r);
        }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The last row of 0 gives way to another, which is as it should be but for one that is better. */
TEST(the_verifier_misses_what_has_no_row) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_vid of[] = {0};
    weft_similarity_params p = standard;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    p.of = of;
    p.of_count = 1;
    p.per_vertex = 2;
    weft_result *two = run(ctx, g, &p);
    p.per_vertex = 3;
    weft_result *three = run(ctx, g, &p);
    REQUIRE(two && three);
    targets_in(two)[1] = targets_in(three)[2];
    values_in(two)[1] = values_in(three)[2];
    p.per_vertex = 2;
    CHECK(!accepted(ctx, g, &p, two));
    weft_result_free(two);
    weft_result_free(three);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
