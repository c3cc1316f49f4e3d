/* mst: small graphs by eye, ties, weights of all types, the same bytes from several threads; the verifier refuses what
 * is wrong. */
#include "difference.h"
#include "support.h"

#include "weft/check.h"
#include "weft/mst.h"

/* All edges are kept, and their weights are doubles. */
static weft_graph *weighted(weft_ctx *ctx, uint64_t n, size_t edges, const weft_vid (*ends)[2], const double *weight,
                            weft_direction direction) {
    weft_vid u[16], v[16];
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    for (size_t i = 0; i < edges; i++) {
        u[i] = ends[i][0];
        v[i] = ends[i][1];
    }
    if (weft_graph_from_edges(ctx, n, edges, u, v, weight, weight ? WEFT_WEIGHT_F64 : WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static void check_answer(weft_ctx *ctx, const weft_graph *g, int maximum, const char *want, double sum,
                         uint64_t trees) {
    weft_mst_params p = WEFT_MST_DEFAULTS;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_result *r = NULL;
    char got[512] = "";
    p.maximum = maximum;
    REQUIRE(weft_mst(ctx, g, &p, &r) == WEFT_OK);
    size_t rows = weft_result_column(r, "source")->length;
    for (size_t i = 0; i < rows; i++)
        append(got, sizeof got, "%s%u-%u:%g", i ? " " : "", weft_result_u32(r, "source")[i],
               weft_result_u32(r, "target")[i], weft_result_f64(r, "weight")[i]);
    CHECK_TEXT(got, want);
    CHECK(weft_result_scalar(r, "weight")->value.f64 == sum);
    CHECK_U64(weft_result_scalar(r, "edges")->value.u64, rows);
    CHECK_U64(weft_result_scalar(r, "trees")->value.u64, trees);
    CHECK(weft_check(ctx, "mst", g, &p, r, &report) == WEFT_OK);
    if (!report.passed) HARNESS_FAIL("%s: %s", want, report.message);
    weft_result_free(r);
}

static const weft_vid square[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}};

TEST(a_square_with_a_diagonal) {
    static const double weight[] = {1, 2, 3, 4, 2.5};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = weighted(ctx, 4, 5, square, weight, WEFT_UNDIRECTED);
    check_answer(ctx, g, 0, "0-1:1 1-2:2 2-3:3", 6, 1);
    check_answer(ctx, g, 1, "0-3:4 1-2:2 2-3:3", 9, 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(of_equal_weights_the_first_edges_are_taken) {
    static const double equal[] = {7, 7, 7, 7, 7}, zeros[] = {0.0, -0.0, 0.0, -0.0, 0.0};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = weighted(ctx, 4, 5, square, equal, WEFT_UNDIRECTED);
    check_answer(ctx, g, 0, "0-1:7 0-2:7 0-3:7", 21, 1);
    check_answer(ctx, g, 1, "0-1:7 0-2:7 0-3:7", 21, 1);
    weft_graph_free(g);
    g = weighted(ctx, 4, 5, square, zeros, WEFT_UNDIRECTED);
    check_answer(ctx, g, 0, "0-1:0 0-2:0 0-3:-0", 0, 1);
    weft_graph_free(g);
    g = weighted(ctx, 4, 5, square, NULL, WEFT_UNDIRECTED);
    check_answer(ctx, g, 0, "0-1:1 0-2:1 0-3:1", 3, 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(negative_weights_loops_parallel_edges_and_single_vertices) {
    static const weft_vid ends[][2] = {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {3, 4}, {4, 4}};
    static const double weight[] = {-9, 2, -3, -3, -0.25, 5};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = weighted(ctx, 6, 6, ends, weight, WEFT_UNDIRECTED);
    check_answer(ctx, g, 0, "0-1:-3 3-4:-0.25", -3.25, 4);
    check_answer(ctx, g, 1, "0-1:2 3-4:-0.25", 1.75, 4);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(directions_do_not_count) {
    static const weft_vid ends[][2] = {{1, 0}, {0, 1}, {2, 1}, {2, 0}};
    static const double weight[] = {1, 2, 1, 1};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = weighted(ctx, 3, 4, ends, weight, WEFT_DIRECTED);
    check_answer(ctx, g, 0, "1-0:1 2-0:1", 2, 1);
    check_answer(ctx, g, 1, "0-1:2 2-0:1", 3, 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(graphs_without_edges_have_trees_of_one_vertex) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = weighted(ctx, 0, 0, NULL, NULL, WEFT_UNDIRECTED);
    check_answer(ctx, g, 0, "", 0, 0);
    weft_graph_free(g);
    g = weighted(ctx, 3, 0, NULL, NULL, WEFT_DIRECTED);
    check_answer(ctx, g, 1, "", 0, 3);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_sum_keeps_what_rounding_takes_away) {
    static const weft_vid ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    static const double weight[] = {1e16, 1, -1e16, 1};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = weighted(ctx, 5, 4, ends, weight, WEFT_UNDIRECTED);
    check_answer(ctx, g, 0, "0-1:1e+16 1-2:1 2-3:-1e+16 3-4:1", 2, 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_weight_that_is_no_number_never_enters_a_graph) {
    static const weft_vid u[] = {0, 1}, v[] = {1, 2};
    static const double weight[] = {1, (double)NAN};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    CHECK(weft_graph_from_edges(ctx, 3, 2, u, v, weight, WEFT_WEIGHT_F64, NULL, &g) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "edge 1");
    CHECK(!g);
    weft_ctx_free(ctx);
}

/* Whole numbers as u32, f32 and f64, which are compared in other ways, and any number of threads: one forest. */
static void check_types(uint64_t n, uint64_t m) {
    weft_vid *u = malloc(m * sizeof *u), *v = malloc(m * sizeof *v);
    uint32_t *whole = malloc(m * sizeof *whole);
    float *real = malloc(m * sizeof *real);
    double *wide = malloc(m * sizeof *wide);
    REQUIRE(u && v && whole && real && wide);
    for (uint64_t i = 0; i < m; i++) {
        u[i] = (weft_vid)(random_at(61, i) % n * (random_at(62, i) % n) / n);
        v[i] = (weft_vid)(random_at(63, i) % n);
        wide[i] = real[i] = (float)(whole[i] = (uint32_t)(random_at(64, i) % 50));
    }
    const struct {
        weft_weight_type type;
        const void *weights;
    } as[] = {{WEFT_WEIGHT_U32, whole}, {WEFT_WEIGHT_F32, real}, {WEFT_WEIGHT_F64, wide}};
    weft_result *first = NULL;
    for (size_t k = 0; k < 2 * LENGTH(as); k++) {
        weft_ctx *ctx = new_ctx(k % 2 ? 3 : 1, NULL);
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        weft_graph *g = NULL;
        weft_result *r = NULL;
        REQUIRE(!weft_graph_from_edges(ctx, n, m, u, v, as[k / 2].weights, as[k / 2].type, NULL, &g));
        REQUIRE(weft_mst(ctx, g, NULL, &r) == WEFT_OK);
        CHECK(weft_check(ctx, "mst", g, NULL, r, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s", report.message);
        if (first && difference(first, r)) HARNESS_FAIL("run %d: another %s", (int)k, difference(first, r));
        if (first)
            weft_result_free(r);
        else
            first = r;
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    weft_result_free(first);
    free(u), free(v), free(whole), free(real), free(wide);
}

TEST(light_edges_first_or_all_at_once_in_any_type) {
    const uint64_t n = under_a_microscope() ? 2000 : 20000;
    check_types(n, 2 * n);
    check_types(n, 16 * n);
}

TEST(the_verifier_refuses_other_forests) {
    static const double weight[] = {1, 2, 3, 4, 2.5};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = weighted(ctx, 4, 5, square, weight, WEFT_UNDIRECTED);
    weft_result *r = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_mst_params maximum = WEFT_MST_DEFAULTS;
    maximum.maximum = 1;
    REQUIRE(weft_mst(ctx, g, NULL, &r) == WEFT_OK);
    REQUIRE(weft_check(ctx, "mst", g, NULL, r, &report) == WEFT_OK && report.passed);
    REQUIRE(weft_check(ctx, "mst", g, &maximum, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    weft_vid *source = (weft_vid *)(uintptr_t)weft_result_u32(r, "source"),
             *target = (weft_vid *)(uintptr_t)weft_result_u32(r, "target");
    double *column = (double *)(uintptr_t)weft_result_f64(r, "weight");
    column[2] = 3.5; /* no such edge */
    REQUIRE(weft_check(ctx, "mst", g, NULL, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    source[1] = 0, target[1] = 2, column[1] = 2.5, column[2] = 3; /* a tree, but 1-2 is lighter */
    REQUIRE(weft_check(ctx, "mst", g, NULL, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    source[2] = 1, target[2] = 2, column[2] = 2; /* a cycle */
    REQUIRE(weft_check(ctx, "mst", g, NULL, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
