/* ppr: small graphs by eye, the ranks of pagerank within the error, bits of a seed that do not depend on others, and
 * results that the verifier refuses. */
#include "triangle_support.h"

#include "weft/check.h"
#include "weft/pagerank.h"
#include "weft/ppr.h"

static const weft_ppr_params standard = WEFT_PPR_DEFAULTS;

static bool accepted(weft_ctx *ctx, const weft_graph *g, const weft_ppr_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "ppr", g, p, r, &report)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return report.passed;
}

static weft_result *run(weft_ctx *ctx, const weft_graph *g, const weft_ppr_params *p) {
    weft_result *r = NULL;
    if (weft_ppr(ctx, g, p, &r)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return r;
}

/* "seed:vertex=rank ..." of the result, which the verifier accepts. */
static void check_graph(weft_ctx *ctx, weft_graph *g, const weft_ppr_params *p, const char *want) {
    weft_result *r = run(ctx, g, p);
    REQUIRE(r);
    const weft_vid *seed = weft_result_u32(r, "seed"), *vertex = weft_result_u32(r, "vertex");
    char got[512] = "";
    for (size_t i = 0; i < weft_result_column(r, "rank")->length; i++)
        append(got, sizeof got, "%s%u:%u=%g", i ? " " : "", seed[i], vertex[i], weft_result_f64(r, "rank")[i]);
    CHECK_TEXT(got, want);
    CHECK(accepted(ctx, g, p, r));
    weft_result_free(r);
}

static void check_rows(weft_direction direction, uint64_t n, const char *edges, const weft_ppr_params *p,
                       const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = small_graph(ctx, n, edges, direction, WEFT_DUPLICATES_KEEP);
    check_graph(ctx, g, p, want);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Half of the rank returns, so that a seed whose neighbours have no other has 1 / (1 + 1/2). */
static weft_ppr_params half(const weft_vid *seeds, size_t count) {
    weft_ppr_params p = standard;
    p.damping = 0.5;
    p.tolerance = 1e-13;
    p.seeds = seeds;
    p.seed_count = count;
    return p;
}

TEST(small_graphs_by_eye) {
    static const weft_vid both[] = {1, 0}, zero[] = {0};
    weft_ppr_params p = half(zero, 1), none = standard;
    check_rows(WEFT_DIRECTED, 0, "", &none, "");
    check_rows(WEFT_DIRECTED, 1, "", &none, "0:0=1");
    check_rows(WEFT_UNDIRECTED, 1, "0-0", &p, "0:0=1");
    check_rows(WEFT_UNDIRECTED, 4, "0-1 0-2 0-3", &p, "0:0=0.666667 0:1=0.111111 0:2=0.111111 0:3=0.111111");
    check_rows(WEFT_DIRECTED, 3, "0-1 0-1 0-2", &p, "0:0=0.666667 0:1=0.222222 0:2=0.111111");
    p = half(both, 2);
    check_rows(WEFT_DIRECTED, 3, "0-1", &p, "1:1=1 0:0=0.666667 0:1=0.333333");
    check_rows(WEFT_DIRECTED, 3, "1-0 1-2 2-0", &p, "1:1=0.615385 1:0=0.230769 1:2=0.153846 0:0=1");
    p.damping = 0;
    check_rows(WEFT_UNDIRECTED, 2, "0-1", &p, "1:1=1 0:0=1");
}

TEST(without_seeds_it_is_the_vertex_with_the_most_arcs) {
    weft_ppr_params p = half(NULL, 0);
    check_rows(WEFT_DIRECTED, 4, "2-0 2-1 1-0", &p, "2:2=0.615385 2:0=0.230769 2:1=0.153846");
}

TEST(a_seed_has_its_best_rows_as_often_as_it_is_listed) {
    static const weft_vid seeds[] = {0, 0, 3};
    weft_ppr_params p = half(seeds, 3);
    p.per_seed = 2;
    check_rows(WEFT_UNDIRECTED, 5, "0-1 0-2 0-3", &p,
               "0:0=0.666667 0:1=0.111111 0:0=0.666667 0:1=0.111111 "
               "3:3=0.555556 3:0=0.333333");
}

TEST(weights_share_out_and_a_row_of_zeros_dangles) {
    static const weft_vid seeds[] = {0, 1};
    weft_ppr_params p = half(seeds, 2);
    p.weights = 1;
    weft_ctx *ctx = new_ctx(2, NULL);
    static const char text[] = "0 1 3\n0 2 1\n1 2 0\n";
    weft_read_params rp = reading("edgelist");
    rp.direction = WEFT_DIRECTED;
    weft_graph *g = NULL;
    REQUIRE(weft_read_memory(ctx, text, sizeof text - 1, "text", &rp, &g) == WEFT_OK);
    check_graph(ctx, g, &p, "0:0=0.666667 0:1=0.25 0:2=0.0833333 1:1=1");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(iterations_are_exact_or_stop_by_the_tolerance) {
    static const weft_vid zero[] = {0};
    warnings heard;
    weft_ctx *ctx = new_ctx(2, &heard);
    weft_graph *g = small_graph(ctx, 3, "0-1 1-2", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP);
    weft_ppr_params p = half(zero, 1);
    p.iterations = 1;
    check_graph(ctx, g, &p, "0:0=0.5 0:1=0.5");
    p.iterations = 2;
    check_graph(ctx, g, &p, "0:0=0.5 0:1=0.25 0:2=0.25");
    CHECK_U64((uint64_t)heard.count, 0);
    p.iterations = 0;
    p.max_iterations = 2;
    check_graph(ctx, g, &p, "0:0=0.5 0:1=0.25 0:2=0.25");
    CHECK_U64((uint64_t)heard.count, 1);
    CHECK_HAS(heard.text, "still change by up to 0.5");
    p.max_iterations = 1000;
    p.damping = 1;
    p.tolerance = 2;
    weft_result *r = run(ctx, g, &p);
    CHECK(r && isinf(weft_result_scalar(r, "error")->value.f64));
    CHECK(r && accepted(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static weft_graph *rmat(weft_ctx *ctx, weft_direction direction, uint64_t max_weight) {
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    gp.scale = 9;
    gp.degree = 4;
    gp.max_weight = max_weight;
    build.direction = direction;
    if (weft_generate(ctx, "rmat", &gp, &build, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* All ranks of a seed by pagerank, as exactly as it can. */
static weft_result *ranks_of(weft_ctx *ctx, const weft_graph *g, weft_vid seed, int weights, double *restart) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_result *r = NULL;
    memset(restart, 0, weft_graph_vertices(g) * sizeof *restart);
    restart[seed] = 1;
    p.restart = restart;
    p.tolerance = 1e-14;
    p.max_iterations = 400;
    p.precision = WEFT_PRECISION_F64;
    p.weights = weights;
    if (weft_pagerank(ctx, g, &p, &r)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return r;
}

TEST(ranks_are_those_of_pagerank_within_the_error) {
    weft_ctx *ctx = new_ctx(2, NULL);
    for (int kind = 0; kind < 4; kind++) {
        weft_graph *g = rmat(ctx, kind % 2 ? WEFT_DIRECTED : WEFT_UNDIRECTED, kind / 2 ? 9 : 0);
        weft_vid seeds[20], n = weft_graph_vertices(g);
        weft_ppr_params p = standard;
        double *restart = malloc(n * sizeof *restart);
        REQUIRE(restart && weft_random_sources(ctx, g, LENGTH(seeds), 3, seeds) == WEFT_OK);
        p.seeds = seeds;
        p.seed_count = LENGTH(seeds);
        p.per_seed = n;
        p.weights = kind / 2;
        p.tolerance = kind % 2 ? 1e-3 : 1e-10;
        weft_result *r = run(ctx, g, &p);
        REQUIRE(r);
        double error = weft_result_scalar(r, "error")->value.f64;
        CHECK(error > 0 && error < 6 * p.tolerance);
        size_t at = 0, rows = weft_result_column(r, "rank")->length, wrong = 0;
        const weft_vid *seed = weft_result_u32(r, "seed"), *vertex = weft_result_u32(r, "vertex");
        for (size_t i = 0; i < LENGTH(seeds); i++) {
            weft_result *whole = ranks_of(ctx, g, seeds[i], p.weights, restart);
            const double *rank = weft_result_f64(whole, "rank");
            for (; at < rows && seed[at] == seeds[i]; at++)
                wrong += !(fabs(weft_result_f64(r, "rank")[at] - rank[vertex[at]]) <= error + 1e-12);
            weft_result_free(whole);
        }
        CHECK_U64(wrong, 0);
        CHECK_U64(at, rows);
        CHECK(accepted(ctx, g, &p, r));
        weft_result_free(r);
        free(restart);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(a_seed_alone_has_the_same_bits_as_among_others_on_any_number_of_threads) {
    enum { SEEDS = 40 };
    weft_vid seeds[SEEDS];
    weft_ctx *ctx = new_ctx(3, NULL), *alone = new_ctx(1, NULL);
    weft_graph *g = rmat(ctx, WEFT_DIRECTED, 0);
    weft_ppr_params p = standard;
    REQUIRE(weft_random_sources(ctx, g, SEEDS, 5, seeds) == WEFT_OK);
    p.seeds = seeds;
    p.seed_count = SEEDS;
    weft_result *together = run(ctx, g, &p);
    REQUIRE(together);
    size_t at = 0;
    for (size_t i = 0; i < SEEDS; i++) {
        p.seeds = &seeds[i];
        p.seed_count = 1;
        weft_result *one = run(alone, g, &p);
        REQUIRE(one);
        size_t rows = weft_result_column(one, "rank")->length;
        const double *rank = weft_result_f64(together, "rank") + at;
        CHECK(at + rows <= weft_result_column(together, "rank")->length);
        CHECK(!memcmp(weft_result_f64(one, "rank"), rank, rows * sizeof *rank));
        CHECK(!memcmp(weft_result_u32(one, "vertex"), weft_result_u32(together, "vertex") + at, rows * sizeof *seeds));
        at += rows;
        weft_result_free(one);
    }
    CHECK_U64(at, weft_result_column(together, "rank")->length);
    weft_result_free(together);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    weft_ctx_free(alone);
}

/* The row of the middle is added up in pieces. */
TEST(a_star_of_ten_thousand_leaves) {
    enum { LEAVES = 10000 };
    static weft_vid u[LEAVES], v[LEAVES];
    static const weft_vid seeds[] = {LEAVES};
    for (weft_vid i = 0; i < LEAVES; i++) {
        u[i] = LEAVES;
        v[i] = i;
    }
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_ppr_params p = half(seeds, 1);
    weft_graph *g = NULL;
    build.direction = WEFT_UNDIRECTED;
    REQUIRE(weft_graph_from_edges(ctx, LEAVES + 1, LEAVES, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g) == WEFT_OK);
    p.tolerance = 1e-15;
    p.per_seed = 3;
    check_graph(ctx, g, &p, "10000:10000=0.666667 10000:0=3.33333e-05 10000:1=3.33333e-05");
    weft_result *r = run(ctx, g, &p);
    CHECK(r && fabs(weft_result_f64(r, "rank")[0] - 2.0 / 3) <= 1e-13);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void check_refused(weft_ctx *ctx, const weft_graph *g, const weft_ppr_params *p, const char *message) {
    weft_result *r = NULL;
    CHECK(weft_ppr(ctx, g, p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), message);
    weft_result_free(r);
}

TEST(what_is_no_vertex_no_weight_or_no_row_is_refused) {
    static const weft_vid seeds[] = {0, 2};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = small_graph(ctx, 2, "0-1", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP);
    weft_ppr_params p = half(seeds, 2);
    check_refused(ctx, g, &p, "seeds[1] is vertex 2, but the graph has 2 vertices");
    p.seed_count = 0;
    check_refused(ctx, g, &p, "seeds and seed_count go together");
    p = standard;
    p.weights = 1;
    check_refused(ctx, g, &p, "the graph has none");
    p = standard;
    p.per_seed = 0;
    check_refused(ctx, g, &p, "per-seed is 0");
    p.per_seed = 1;
    p.damping = 1.5;
    check_refused(ctx, g, &p, "damping is 1.5");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The column's own numbers, to be spoilt. */
static double *ranks_in(weft_result *r) { return (double *)(uintptr_t)weft_result_f64(r, "rank"); }
static weft_vid *vertices_in(weft_result *r) { return (weft_vid *)(uintptr_t)weft_result_u32(r, "vertex"); }

TEST(the_verifier_refuses_what_is_wrong) {
    static const weft_vid seeds[] = {33, 0, 16};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    weft_ppr_params p = standard;
    p.seeds = seeds;
    p.seed_count = 3;
    p.per_seed = 4;
    for (int how = 0; how <= 8; how++) {
        weft_result *r = run(ctx, g, &p);
        REQUIRE(r);
        double *rank = ranks_in(r), off = 4 * weft_result_scalar(r, "error")->value.f64;
        weft_vid *vertex = vertices_in(r), *seed = (weft_vid *)(uintptr_t)weft_result_u32(r, "seed");
        weft_scalar *error = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "error");
        weft_scalar *count = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "seeds");
        if (how == 1) rank[0] += off;
        if (how == 2) rank[11] -= off;
        if (how == 3) { /* 5 and 6 are alike */
            weft_vid first = vertex[9];
            CHECK(rank[9] == rank[10]);
            vertex[9] = vertex[10];
            vertex[10] = first;
        }
        if (how == 4) vertex[7] = vertex[6];
        if (how == 5) { /* another in the place of the best */
            vertex[11] = 20;
            rank[11] = 0.001;
        }
        if (how == 6) seed[4] = 1;
        if (how == 7) error->value.f64 /= 10;
        if (how == 8) count->value.u64 = 2;
        if (accepted(ctx, g, &p, r) != !how) HARNESS_FAIL("case %d", how);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
