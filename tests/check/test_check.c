/* Verifiers as a whole: whenever they are asked to stop they do, and say so; threads change nothing. */
#include "graph_matrix.h"
#include "variants.h"
#include "weft/bfs.h"
#include "weft/sssp.h"

static const matrix_graph graphs[] = {
    {"rmat", "rmat", .scale = 11, .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"a dag", "dag", .n = 2000, .depth = 10, .degree = 4, .p = (double)NAN, .direction = WEFT_DIRECTED},
};

/* Says stop at the ask number `at`, and never again: a verifier must remember it. */
typedef struct asks {
    atomic_int count;
    int at; /* below 0 = never */
} asks;

static int answer_ask(void *user) {
    asks *a = user;
    return atomic_fetch_add(&a->count, 1) == a->at;
}

static weft_status check_with(weft_ctx *ctx, const weft_graph *g, const variant *v, const char *algorithm,
                              const weft_result *r, asks *a, weft_check_report *report) {
    *report = (weft_check_report)WEFT_CHECK_REPORT_DEFAULTS;
    weft_ctx_set_cancel(ctx, answer_ask, a);
    weft_status st = weft_check(ctx, algorithm, g, v->params, r, report);
    weft_ctx_set_cancel(ctx, NULL, NULL);
    return st;
}

static void check_stopping(weft_ctx *ctx, const weft_graph *g, const variant *v, const char *algorithm) {
    weft_result *r = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    asks never = {.at = -1};
    REQUIRE(!run_variant(ctx, weft_algorithm_find(algorithm), v, g, &r));
    weft_status st = check_with(ctx, g, v, algorithm, r, &never, &report);
    if (st || !report.passed) HARNESS_FAIL("%s, %s: %s", algorithm, v->name, report.message);
    int stops[] = {0, never.count / 2, never.count - 1};
    /* A cycle that is claimed is looked up arc by arc: nothing in that is long. */
    bool brief = !strcmp(algorithm, "cycle") && !weft_result_scalar(r, "acyclic")->value.u64;
    if (!brief && never.count < 1) HARNESS_FAIL("%s, %s: the verifier never asks", algorithm, v->name);
    for (size_t i = 0; i < LENGTH(stops) && never.count; i++) {
        asks once = {.at = stops[i]};
        st = check_with(ctx, g, v, algorithm, r, &once, &report);
        if (st != WEFT_ECANCELLED || report.passed)
            HARNESS_FAIL("%s, %s: stopped at ask %d of %d, its status is %d: %s", algorithm, v->name, stops[i],
                         never.count, (int)st, report.message);
    }
    weft_result_free(r);
}

TEST(every_verifier_stops_when_it_is_asked_to_and_gives_no_verdict) {
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
        REQUIRE(g);
        for (size_t a = 0; a < weft_algorithm_count(); a++) {
            variants list = variants_of(weft_algorithm_at(a), g, true);
            for (size_t k = 0; k < list.count; k++)
                if (variant_fits(&list.at[k], g)) check_stopping(ctx, g, &list.at[k], list.algorithm->name);
            variants_free(&list);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(the_first_wrong_vertex_is_named_with_any_number_of_threads) {
    enum { WIDTH = 5, EARLY = 70, LATE = 1500 };
    for (int threads = 1; threads <= 3; threads++) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[0]);
        REQUIRE(g);
        variants list = variants_of(weft_algorithm_find("aggregate"), g, true);
        for (size_t k = 0; k < list.count; k++) {
            weft_result *r = NULL;
            weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
            char id[32], want[64];
            REQUIRE(!run_variant(ctx, list.algorithm, &list.at[k], g, &r));
            char *f = (char *)(uintptr_t)weft_result_column(r, "f")->data;
            size_t bytes = weft_result_column(r, "f")->type == WEFT_F32 ? 4 : 2;
            f[(EARLY * WIDTH + 2) * bytes + bytes - 1] ^= 0x41; /* sign and exponent */
            f[LATE * WIDTH * bytes + bytes - 1] ^= 0x41;
            CHECK(!weft_check(ctx, "aggregate", g, list.at[k].params, r, &report) && !report.passed);
            weft_graph_id_text(g, EARLY, id, sizeof id);
            snprintf(want, sizeof want, "vertex %s: f2 is ", id);
            if (strncmp(report.message, want, strlen(want)))
                HARNESS_FAIL("%s, %d threads: %s", list.at[k].name, threads, report.message);
            weft_result_free(r);
        }
        variants_free(&list);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* A whole ring of values that fit each other but not the source would pass a check of arcs alone. */
TEST(too_small_a_value_is_refused_without_parents_too) {
    enum { RING = 6 };
    static const weft_vid from[] = {0, 2, 3, 4, 5}, to[] = {1, 3, 4, 5, 2}; /* 2 to 5 are not reached */
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_bfs_params bfs = WEFT_BFS_DEFAULTS;
    weft_sssp_params sssp = WEFT_SSSP_DEFAULTS;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    build.direction = WEFT_DIRECTED;
    bfs.parents = sssp.parents = 0;
    bfs.source = sssp.source = 0;
    REQUIRE(!weft_graph_from_edges(ctx, RING, LENGTH(from), from, to, NULL, WEFT_WEIGHT_NONE, &build, &g));
    REQUIRE(!weft_bfs(ctx, g, &bfs, &r) && !weft_result_column(r, "parent"));
    CHECK(!weft_check(ctx, "bfs", g, &bfs, r, &report) && report.passed);
    uint32_t *level = (uint32_t *)(uintptr_t)weft_result_u32(r, "level");
    for (weft_vid v = 2; v < RING; v++) level[v] = v;
    CHECK(!weft_check(ctx, "bfs", g, &bfs, r, &report) && !report.passed);
    CHECK_TEXT(report.message, "vertex 2: no arc leads to it from one level closer");
    bfs.parents = 1;
    CHECK(!weft_check(ctx, "bfs", g, &bfs, r, &report) && !report.passed);
    weft_result_free(r);
    REQUIRE(!weft_sssp(ctx, g, &sssp, &r) && !weft_result_column(r, "parent"));
    CHECK(!weft_check(ctx, "sssp", g, &sssp, r, &report) && report.passed);
    ((double *)(uintptr_t)weft_result_f64(r, "distance"))[1] = 0.5;
    CHECK(!weft_check(ctx, "sssp", g, &sssp, r, &report) && !report.passed);
    CHECK(strstr(report.message, "vertex 1: no path of that length ends there") != NULL);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
