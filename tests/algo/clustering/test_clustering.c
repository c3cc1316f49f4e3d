/* clustering: known answers on tiny graphs, both directed modes, the verifier on generated graphs and on results that
 * are wrong. */
#include "triangle_support.h"
#include "weft/clustering.h"

static const weft_clustering_params ldbc = WEFT_CLUSTERING_DEFAULTS;
static const weft_clustering_params fagiolo = {sizeof fagiolo, WEFT_DIRECTED_FAGIOLO, 0};

static void check_tiny(uint64_t n, const char *edges, weft_direction direction, const weft_clustering_params *params,
                       const double *want, double average, double transitivity) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (int repeats = 0; repeats < 2; repeats++) {
        weft_graph *g = small_graph(ctx, n, edges, direction, repeats ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_DROP);
        weft_result *r = NULL;
        REQUIRE(g && weft_clustering(ctx, g, params, &r) == WEFT_OK);
        for (uint64_t v = 0; v < n; v++) {
            double got = weft_result_f64(r, "coefficient")[v];
            if (got != want[v]) HARNESS_FAIL("%s: vertex %d has %.17g", edges, (int)v, got);
        }
        CHECK_NEAR(weft_result_scalar(r, "average")->value.f64, average, 1e-15);
        CHECK_NEAR(weft_result_scalar(r, "transitivity")->value.f64, transitivity, 1e-15);
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        CHECK(weft_check(ctx, "clustering", g, params, r, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s: %s", edges, report.message);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(an_undirected_graph_has_one_coefficient) {
    static const double none[5] = {0}, ones[] = {1, 1, 1, 0}, bowtie[] = {1, 1, 1.0 / 3, 1, 1};
    static const double fan[] = {1, 2.0 / 3, 2.0 / 3, 1, 0.5};
    const weft_clustering_params *modes[] = {&ldbc, &fagiolo, NULL};
    for (int i = 0; i < 3; i++) {
        check_tiny(0, "", WEFT_UNDIRECTED, modes[i], none, 0, 0);
        check_tiny(1, "0-0", WEFT_UNDIRECTED, modes[i], none, 0, 0);
        check_tiny(4, "0-1 1-2 2-3", WEFT_UNDIRECTED, modes[i], none, 0, 0);
        check_tiny(5, "0-1 0-2 0-3 0-4", WEFT_UNDIRECTED, modes[i], none, 0, 0);
        check_tiny(4, "0-1 1-2 2-0 1-1 0-1", WEFT_UNDIRECTED, modes[i], ones, 0.75, 1);
        check_tiny(5, "0-1 1-2 2-0 2-3 3-4 4-2", WEFT_UNDIRECTED, modes[i], bowtie, 13.0 / 15, 0.6);
        check_tiny(5, "4-0 4-1 4-2 4-3 0-1 1-2 2-3", WEFT_UNDIRECTED, modes[i], fan, 23.0 / 30, 9.0 / 14);
    }
}

/* LDBC counts arcs among the neighbours: one arc of the two possible between a pair gives 1/2. */
TEST(ldbc_counts_arcs_among_the_neighbours) {
    static const double none[3] = {0}, cycle[] = {0.5, 0.5, 0.5}, full[] = {1, 1, 1}, mixed[] = {0.5, 0.5, 1};
    check_tiny(3, "0-1 1-2", WEFT_DIRECTED, &ldbc, none, 0, 0);
    check_tiny(3, "0-1 1-2 2-0", WEFT_DIRECTED, &ldbc, cycle, 0.5, 1);
    check_tiny(3, "0-1 1-2 2-0 0-0", WEFT_DIRECTED, &ldbc, cycle, 0.5, 1);
    check_tiny(3, "0-1 1-0 1-2 2-1 2-0 0-2", WEFT_DIRECTED, &ldbc, full, 1, 1);
    check_tiny(3, "0-1 1-0 1-2 2-0 2-0", WEFT_DIRECTED, &ldbc, mixed, 2.0 / 3, 1);
}

/* What NetworkX 3 gives: nx.clustering(DiGraph). */
TEST(fagiolo_counts_directed_triangles) {
    static const double none[3] = {0}, cycle[] = {0.5, 0.5, 0.5}, full[] = {1, 1, 1};
    static const double mixed[] = {0.5, 0.5, 1};
    check_tiny(3, "0-1 1-2", WEFT_DIRECTED, &fagiolo, none, 0, 0);
    check_tiny(3, "0-1 1-2 2-0", WEFT_DIRECTED, &fagiolo, cycle, 0.5, 1);
    check_tiny(3, "0-1 1-0 1-2 2-1 2-0 0-2 0-0", WEFT_DIRECTED, &fagiolo, full, 1, 1);
    /* 0 and 1: arcs 3, both ways 1: 2 / (3*2 - 2).  2: arcs 2: 2 / 2. */
    check_tiny(3, "0-1 1-0 1-2 2-0", WEFT_DIRECTED, &fagiolo, mixed, 2.0 / 3, 1);
}

TEST(the_modes_differ_where_they_should) {
    /* 0 <-> 1, 0 -> 2, 1 -> 2, 0 -> 3.  LDBC at 0: one arc, 1 -> 2, among {1, 2, 3}: 1/6.
     * Fagiolo at 0: 2*1*1 over 4*3 - 2. */
    static const double by_ldbc[] = {1.0 / 6, 0.5, 1, 0}, by_fagiolo[] = {0.2, 0.5, 1, 0};
    check_tiny(4, "0-1 1-0 0-2 1-2 0-3", WEFT_DIRECTED, &ldbc, by_ldbc, 5.0 / 12, 0.6);
    check_tiny(4, "0-1 1-0 0-2 1-2 0-3", WEFT_DIRECTED, &fagiolo, by_fagiolo, 1.7 / 4, 0.6);
}

TEST(any_number_of_threads_gives_the_same_bytes) {
    check_threads_agree("clustering", &ldbc);
    check_threads_agree("clustering", &fagiolo);
}

TEST(a_mode_that_is_none_is_refused) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = small_graph(ctx, 3, "0-1 1-2 2-0", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    weft_clustering_params p = WEFT_CLUSTERING_DEFAULTS;
    weft_result *r = NULL;
    p.directed_mode = 2;
    CHECK(weft_clustering(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "directed-mode");
    CHECK(r == NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    static const shape sizes[] = {{"rmat", 0, 10, 0, 8, WEFT_DIRECTED}, {"rmat", 0, 14, 0, 24, WEFT_DIRECTED}};
    for (int i = 0; i < 2; i++) {
        weft_graph *g = shaped(ctx, &sizes[i]);
        weft_result *r = run_plan(ctx, "clustering", g, &ldbc);
        double *column = (double *)(uintptr_t)weft_result_f64(r, "coefficient");
        weft_scalar *average = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "average");
        weft_scalar *transitivity = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "transitivity");
        CHECK(weft_check(ctx, "clustering", g, &ldbc, r, &report) == WEFT_OK && report.passed);
        CHECK(weft_check(ctx, "clustering", g, &fagiolo, r, &report) == WEFT_OK && !report.passed);
        average->value.f64 *= 1.0001;
        CHECK(weft_check(ctx, "clustering", g, &ldbc, r, &report) == WEFT_OK && !report.passed);
        CHECK_HAS(report.message, "average");
        average->value.f64 /= 1.0001;
        transitivity->value.f64 *= 1.1;
        CHECK(weft_check(ctx, "clustering", g, &ldbc, r, &report) == WEFT_OK && !report.passed);
        CHECK_HAS(report.message, "transitivity");
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) column[v] /= 2;
        CHECK(weft_check(ctx, "clustering", g, &ldbc, r, &report) == WEFT_OK && !report.passed);
        CHECK_HAS(report.message, "neighbours");
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(a_run_can_be_stopped_anywhere) {
    check_cancel("clustering", &fagiolo, &shapes[0]);
    check_cancel("clustering", NULL, &shapes[1]);
}

TEST(memory_is_what_the_plan_says) {
    static const shape sizes[] = {{"rmat", 0, 16, 0, 16, WEFT_UNDIRECTED},
                                  {"rmat", 0, 16, 0, 16, WEFT_DIRECTED},
                                  {"uniform", 200000, 0, 0, 3, WEFT_DIRECTED}};
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (int threads = 1; threads <= 4; threads += 3) check_memory("clustering", NULL, &sizes[i], threads, false);
}

TEST_MAIN()
