/* triangles: known answers on tiny graphs, the verifier on generated ones and on results that are wrong. */
#include "triangle_support.h"

#include "engines/triangles/triangles.h"
#include "weft/triangles.h"

/* The counts of all vertices and the total, "0 1 1 1 = 1". */
static void check_counts(uint64_t n, const char *edges, const char *want) {
    static const weft_direction directions[] = {WEFT_DIRECTED, WEFT_UNDIRECTED};
    static const weft_duplicates repeats[] = {WEFT_DUPLICATES_DROP, WEFT_DUPLICATES_KEEP};
    weft_ctx *ctx = new_ctx(0, NULL);
    for (int i = 0; i < 4; i++) {
        weft_graph *g = small_graph(ctx, n, edges, directions[i / 2], repeats[i % 2]);
        weft_result *r = NULL;
        REQUIRE(g && weft_triangles(ctx, g, NULL, &r) == WEFT_OK);
        char got[512] = "";
        for (uint64_t v = 0; v < n; v++) append(got, sizeof got, "%" PRIu64 " ", weft_result_u64(r, "triangles")[v]);
        append(got, sizeof got, "= %" PRIu64, weft_result_scalar(r, "triangles")->value.u64);
        CHECK_TEXT(got, want);
        uint64_t lean[64], total = 0; /* the method for when memory is short */
        REQUIRE(n <= 64 && wfi_count_triangles_lean(ctx, g, lean, &total) == WEFT_OK);
        CHECK(n == 0 || !memcmp(lean, weft_result_u64(r, "triangles"), n * sizeof *lean));
        CHECK_U64(total, weft_result_scalar(r, "triangles")->value.u64);
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        CHECK(weft_check(ctx, "triangles", g, NULL, r, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s: %s", edges, report.message);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(graphs_without_triangles_have_none) {
    check_counts(0, "", "= 0");
    check_counts(1, "", "0 = 0");
    check_counts(1, "0-0", "0 = 0");
    check_counts(2, "0-1 1-0 0-0", "0 0 = 0");
    check_counts(4, "0-1 1-2 2-3", "0 0 0 0 = 0");
    check_counts(5, "0-1 0-2 0-3 0-4", "0 0 0 0 0 = 0");
    check_counts(4, "0-1 1-2 2-3 3-0", "0 0 0 0 = 0");
}

static int never_again(void *user) { return ++*(int *)user > 2; }

/* Rows as they are, on graphs of every shape: the same counts, and an end when it is asked for. */
TEST(short_of_memory_the_counts_are_the_same) {
    weft_ctx *ctx = new_ctx(3, NULL);
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        weft_graph *g = shaped(ctx, &shapes[i]);
        weft_result *r = run_plan(ctx, "triangles", g, NULL);
        uint64_t n = weft_graph_vertices(g), total = 0, *lean = malloc(n * sizeof *lean);
        REQUIRE(r && lean && wfi_count_triangles_lean(ctx, g, lean, &total) == WEFT_OK);
        CHECK(!memcmp(lean, weft_result_u64(r, "triangles"), n * sizeof *lean));
        CHECK_U64(total, weft_result_scalar(r, "triangles")->value.u64);
        if (!strcmp(shapes[i].kind, "rmat")) {
            int asked = 0;
            weft_ctx_set_threads(ctx, 1);
            weft_ctx_set_cancel(ctx, never_again, &asked);
            CHECK(wfi_count_triangles_lean(ctx, g, lean, &total) == WEFT_ECANCELLED);
            weft_ctx_set_cancel(ctx, NULL, NULL);
            weft_ctx_set_threads(ctx, 3);
        }
        free(lean);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(triangles_are_counted_at_their_three_corners) {
    check_counts(3, "0-1 1-2 2-0", "1 1 1 = 1");
    check_counts(4, "0-1 0-2 1-2", "1 1 1 0 = 1");
    check_counts(4, "0-1 0-2 0-3 1-2 1-3 2-3", "3 3 3 3 = 4");
    check_counts(5, "0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4", "6 6 6 6 6 = 10");
    check_counts(6, "0-1 1-2 2-0 3-4 4-5 5-3", "1 1 1 1 1 1 = 2");
    check_counts(5, "0-1 1-2 2-0 2-3 3-4 4-2", "1 1 2 1 1 = 2");
    check_counts(5, "4-0 4-1 4-2 4-3 0-1 1-2 2-3", "1 2 2 1 3 = 3");
}

TEST(loops_repeats_and_directions_do_not_count) {
    check_counts(3, "0-1 1-2 2-0 0-0 1-1 1-1", "1 1 1 = 1");
    check_counts(3, "0-1 1-0 1-2 2-1 2-0 0-2", "1 1 1 = 1");
    check_counts(3, "0-1 0-1 1-2 1-2 1-2 2-0 0-2", "1 1 1 = 1");
    check_counts(4, "3-2 2-1 1-3 3-0 0-0 0-3", "0 1 1 1 = 1");
}

TEST(a_complete_graph_has_all_of_them) {
    weft_ctx *ctx = new_ctx(0, NULL);
    shape s = {"complete", 150, 0, 0, (double)NAN, WEFT_UNDIRECTED};
    weft_graph *g = shaped(ctx, &s);
    weft_result *r = NULL;
    REQUIRE(g && weft_triangles(ctx, g, NULL, &r) == WEFT_OK);
    CHECK_U64(weft_result_scalar(r, "triangles")->value.u64, 150 * 149 * 148 / 6);
    for (int v = 0; v < 150; v++) CHECK_U64(weft_result_u64(r, "triangles")[v], 149 * 148 / 2);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(any_number_of_threads_gives_the_same_bytes) { check_threads_agree("triangles", NULL); }

TEST(directed_and_undirected_reading_agree) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_result *r[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        shape s = {"rmat", 0, 11, 0, 10, i ? WEFT_UNDIRECTED : WEFT_DIRECTED};
        weft_graph *g = shaped(ctx, &s);
        r[i] = run_plan(ctx, "triangles", g, NULL);
        weft_graph_free(g);
    }
    CHECK(same_results(r[0], r[1]));
    weft_result_free(r[0]);
    weft_result_free(r[1]);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    /* The first is recounted whole, the second is too large for that. */
    static const shape sizes[] = {{"rmat", 0, 10, 0, 8, WEFT_UNDIRECTED}, {"rmat", 0, 14, 0, 24, WEFT_UNDIRECTED}};
    for (int i = 0; i < 2; i++) {
        weft_graph *g = shaped(ctx, &sizes[i]);
        weft_result *r = run_plan(ctx, "triangles", g, NULL);
        uint64_t *column = (uint64_t *)(uintptr_t)weft_result_u64(r, "triangles");
        weft_scalar *total = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "triangles");
        CHECK(weft_check(ctx, "triangles", g, NULL, r, &report) == WEFT_OK && report.passed);
        CHECK_HAS(report.message, i ? "a sample" : "all");
        column[5]++;
        CHECK(weft_check(ctx, "triangles", g, NULL, r, &report) == WEFT_OK && !report.passed);
        CHECK_HAS(report.message, "3 times");
        column[5]--;
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) column[v] += 3;
        total->value.u64 += weft_graph_vertices(g);
        CHECK(weft_check(ctx, "triangles", g, NULL, r, &report) == WEFT_OK && !report.passed);
        CHECK_HAS(report.message, "joined");
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(a_run_can_be_stopped_anywhere) {
    check_cancel("triangles", NULL, &shapes[0]);
    check_cancel("triangles", NULL, &shapes[1]);
}

TEST(memory_is_what_the_plan_says) {
    static const shape sizes[] = {{"rmat", 0, 16, 0, 16, WEFT_UNDIRECTED},
                                  {"rmat", 0, 16, 0, 16, WEFT_DIRECTED},
                                  {"uniform", 200000, 0, 0, 3, WEFT_UNDIRECTED}};
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (int threads = 1; threads <= 4; threads += 3) check_memory("triangles", NULL, &sizes[i], threads, false);
    check_memory("triangles", NULL, &sizes[1], 2, true);
}

TEST_MAIN()
