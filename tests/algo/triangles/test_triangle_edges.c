/* The support of edges: small graphs by eye, rows in their order, the verifier on results that are wrong. */
#include "triangle_support.h"

#include "weft/experimental.h"
#include "weft/triangles.h"

static const weft_triangles_params with_edges = {WEFT_SIZE_UP_TO(weft_triangles_params, edges), 1};

/* The edges as numbers of vertices with their support, "0-1:1 0-2:1", by the method for when memory is short, too. */
static void check_edges_of(uint64_t n, const char *edges, weft_direction direction, weft_duplicates repeats,
                           const char *want) {
    for (int lean = 0; lean < 2; lean++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = small_graph(ctx, n, edges, direction, repeats);
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(g && weft_plan_new(ctx, "triangles", g, &with_edges, &plan) == WEFT_OK);
        if (lean) {
            weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + weft_plan_host_bytes(plan) / 2);
            weft_plan_free(plan);
            plan = NULL;
            if (weft_plan_new(ctx, "triangles", g, &with_edges, &plan)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
            REQUIRE(plan);
            CHECK_TEXT(weft_plan_method(plan), "intersect rows as they are");
        }
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        const weft_column *support = weft_result_column(r, "support");
        REQUIRE(support && support->shape == WEFT_SHAPE_EDGES);
        CHECK_U64(support->length, weft_graph_edges(g));
        char got[512] = "";
        for (size_t i = 0; i < support->length; i++)
            append(got, sizeof got, "%s%u-%u:%" PRIu64, i ? " " : "", weft_result_u32(r, "source")[i],
                   weft_result_u32(r, "target")[i], weft_result_u64(r, "support")[i]);
        CHECK_TEXT(got, want);
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        weft_ctx_set_memory_limit(ctx, 0);
        CHECK(weft_check(ctx, "triangles", g, &with_edges, r, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s: %s", edges, report.message);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(each_undirected_edge_is_there_once_with_the_smaller_vertex_first) {
    check_edges_of(0, "", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, "");
    check_edges_of(3, "", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, "");
    check_edges_of(2, "1-0", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, "0-1:0");
    check_edges_of(4, "3-2 2-1 1-3 3-0", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, "0-3:0 1-2:1 1-3:1 2-3:1");
    check_edges_of(4, "0-1 0-2 0-3 1-2 1-3 2-3", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP,
                   "0-1:2 0-2:2 0-3:2 1-2:2 1-3:2 2-3:2");
}

TEST(loops_and_parallel_edges_have_a_row_each) {
    check_edges_of(3, "0-1 1-2 2-0 0-0 1-1 1-1 1-0", WEFT_UNDIRECTED, WEFT_DUPLICATES_KEEP,
                   "0-0:0 0-1:1 0-1:1 0-2:1 1-1:0 1-1:0 1-2:1");
    check_edges_of(3, "0-1 1-2 2-0 0-0 1-1 1-1 1-0", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP,
                   "0-0:0 0-1:1 1-0:1 1-1:0 1-1:0 1-2:1 2-0:1");
}

TEST(arcs_are_the_edges_of_a_directed_graph) {
    check_edges_of(4, "3-2 2-1 1-3 3-0 2-3", WEFT_DIRECTED, WEFT_DUPLICATES_DROP, "1-3:1 2-1:1 2-3:1 3-0:0 3-2:1");
}

/* Rows of many lengths, so that blocks of edges begin within rows and after empty ones. */
TEST(large_graphs_have_their_edges_in_order) {
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    const uint64_t scale = under_a_microscope() ? 13 : 15;
    const shape large[] = {{"rmat", 0, scale, 0, 8, WEFT_UNDIRECTED}, {"rmat", 0, scale, 0, 8, WEFT_DIRECTED}};
    static const shape star = {"star", 200000, 0, 0, (double)NAN, WEFT_UNDIRECTED};
    for (size_t i = 0; i < LENGTH(large); i++) {
        weft_graph *g = shaped(ctx, &large[i]);
        weft_result *r = run_plan(ctx, "triangles", g, &with_edges);
        REQUIRE(r);
        CHECK(weft_check(ctx, "triangles", g, &with_edges, r, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s: %s", large[i].kind, report.message);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_graph *g = shaped(ctx, &star);
    weft_result *r = run_plan(ctx, "triangles", g, &with_edges);
    REQUIRE(r && weft_graph_edges(g) == 199999);
    for (weft_vid i = 0; i < 199999; i++)
        if (weft_result_u32(r, "source")[i] != 0 || weft_result_u32(r, "target")[i] != i + 1 ||
            weft_result_u64(r, "support")[i] != 0)
            HARNESS_FAIL("star: row %u", i);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void check_refused(weft_ctx *ctx, const weft_graph *g, const weft_result *r, const char *words) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    CHECK(weft_check(ctx, "triangles", g, &with_edges, r, &report) == WEFT_OK && !report.passed);
    CHECK_HAS(report.message, words);
}

TEST(the_verifier_refuses_what_is_wrong_with_edges) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    static const shape small = {"rmat", 0, 10, 0, 8, WEFT_UNDIRECTED}, large = {"rmat", 0, 14, 0, 24, WEFT_UNDIRECTED};
    weft_graph *g = shaped(ctx, &small);
    weft_result *r = run_plan(ctx, "triangles", g, &with_edges), *none = run_plan(ctx, "triangles", g, NULL);
    uint64_t *support = (uint64_t *)(uintptr_t)weft_result_u64(r, "support");
    weft_vid *target = (weft_vid *)(uintptr_t)weft_result_u32(r, "target");
    CHECK(weft_check(ctx, "triangles", g, &with_edges, r, &report) == WEFT_OK && report.passed);
    CHECK_HAS(report.message, "edges recounted");
    check_refused(ctx, g, none, "source is missing");
    support[7]++;
    check_refused(ctx, g, r, "edge 7: support is");
    support[7]--;
    target[3]++;
    check_refused(ctx, g, r, "row 3 is the edge from");
    weft_result_free(r);
    weft_result_free(none);
    weft_graph_free(g);

    /* Too many edges to recount all: what a sample does not meet shows in the sum. */
    g = shaped(ctx, &large);
    r = run_plan(ctx, "triangles", g, &with_edges);
    CHECK(weft_check(ctx, "triangles", g, &with_edges, r, &report) == WEFT_OK && report.passed);
    support = (uint64_t *)(uintptr_t)weft_result_u64(r, "support");
    for (size_t i = 0; i < weft_graph_edges(g); i += 2) {
        support[i]++;
        if (support[i + 1]) support[i + 1]--;
    }
    check_refused(ctx, g, r, "neighbours in common");
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(any_number_of_threads_gives_the_same_edges) { check_threads_agree("triangles", &with_edges); }

TEST(a_run_with_edges_can_be_stopped_anywhere) {
    check_cancel("triangles", &with_edges, &shapes[0]);
    check_cancel("triangles", &with_edges, &shapes[1]);
}

TEST(memory_for_edges_is_what_the_plan_says) {
    static const shape sizes[] = {{"rmat", 0, 14, 0, 16, WEFT_UNDIRECTED}, {"rmat", 0, 14, 0, 16, WEFT_DIRECTED}};
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (int threads = 1; threads <= 4; threads += 3)
            check_memory("triangles", &with_edges, &sizes[i], threads, false);
    check_memory("triangles", &with_edges, &sizes[1], 2, true);
}

/* Ranks say why they do not share it. */
TEST(ranks_refuse_edges_by_name) {
    CHECK(!weft_ranks_refuse("triangles", NULL));
    CHECK_HAS(weft_ranks_refuse("triangles", &with_edges), "support");
}

TEST_MAIN()
