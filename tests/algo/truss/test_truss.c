/* truss: small graphs by eye, the k-truss against all numbers, several threads; the verifier refuses what is wrong. */
#include "triangle_support.h"

#include "weft/experimental.h"
#include "weft/truss.h"

static weft_truss_params at(uint64_t k) {
    weft_truss_params p = WEFT_TRUSS_DEFAULTS;
    p.k = k;
    return p;
}

/* The edges as numbers of vertices with their truss numbers, "0-1:3 0-2:3". */
static void check_numbers(uint64_t n, const char *edges, weft_direction direction, weft_duplicates repeats, uint64_t k,
                          const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = small_graph(ctx, n, edges, direction, repeats);
    weft_truss_params p = at(k);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_result *r = NULL;
    char got[512] = "";
    uint64_t most = 0, with_most = 0;
    REQUIRE(g && weft_truss(ctx, g, &p, &r) == WEFT_OK);
    const weft_column *truss = weft_result_column(r, "truss");
    REQUIRE(truss && truss->shape == WEFT_SHAPE_EDGES);
    CHECK_U64(truss->length, weft_graph_edges(g));
    for (size_t i = 0; i < truss->length; i++) {
        uint32_t number = ((const uint32_t *)truss->data)[i];
        append(got, sizeof got, "%s%u-%u:%u", i ? " " : "", weft_result_u32(r, "source")[i],
               weft_result_u32(r, "target")[i], number);
        with_most = number > most ? 1 : with_most + (most && number == most);
        most = number > most ? number : most;
    }
    CHECK_TEXT(got, want);
    CHECK_U64(weft_result_scalar(r, "max_truss")->value.u64, most);
    CHECK_U64(weft_result_scalar(r, "edges")->value.u64, with_most);
    CHECK(weft_check(ctx, "truss", g, &p, r, &report) == WEFT_OK);
    if (!report.passed) HARNESS_FAIL("%s: %s", edges, report.message);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(edges_without_triangles_have_2_and_those_of_a_clique_its_size) {
    check_numbers(0, "", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 0, "");
    check_numbers(3, "", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 0, "");
    check_numbers(4, "3-2 2-1 1-3 3-0", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 0, "0-3:2 1-2:3 1-3:3 2-3:3");
    check_numbers(4, "0-1 0-2 0-3 1-2 1-3 2-3", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 0,
                  "0-1:4 0-2:4 0-3:4 1-2:4 1-3:4 2-3:4");
}

/* Four vertices joined with each other, and a fan of triangles along a path around them: 3-4 is in two triangles. */
TEST(triangles_that_fall_apart_do_not_count) {
    check_numbers(7, "0-1 0-2 0-3 1-2 1-3 2-3 3-4 2-4 3-5 4-5 4-6", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 0,
                  "0-1:4 0-2:4 0-3:4 1-2:4 1-3:4 2-3:4 2-4:3 3-4:3 3-5:3 4-5:3 4-6:2");
}

TEST(with_k_edges_are_in_the_truss_or_not) {
    static const char *const edges = "0-1 0-2 0-3 1-2 1-3 2-3 3-4 2-4 4-5";
    check_numbers(6, edges, WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 2,
                  "0-1:2 0-2:2 0-3:2 1-2:2 1-3:2 2-3:2 2-4:2 3-4:2 4-5:2");
    check_numbers(6, edges, WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 3,
                  "0-1:3 0-2:3 0-3:3 1-2:3 1-3:3 2-3:3 2-4:3 3-4:3 4-5:0");
    check_numbers(6, edges, WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 4,
                  "0-1:4 0-2:4 0-3:4 1-2:4 1-3:4 2-3:4 2-4:0 3-4:0 4-5:0");
    check_numbers(6, edges, WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, 5,
                  "0-1:0 0-2:0 0-3:0 1-2:0 1-3:0 2-3:0 2-4:0 3-4:0 4-5:0");
}

TEST(loops_have_0_and_parallel_edges_the_number_of_their_pair) {
    check_numbers(3, "0-1 1-2 2-0 0-0 1-1 1-1 1-0", WEFT_UNDIRECTED, WEFT_DUPLICATES_KEEP, 0,
                  "0-0:0 0-1:3 0-1:3 0-2:3 1-1:0 1-1:0 1-2:3");
    check_numbers(3, "0-1 1-2 2-0 0-0 1-1 1-1 1-0", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP, 0,
                  "0-0:0 0-1:3 1-0:3 1-1:0 1-1:0 1-2:3 2-0:3");
    check_numbers(1, "0-0", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP, 0, "0-0:0");
    check_numbers(3, "0-1 1-0 1-2 2-2", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP, 2, "0-1:2 1-0:2 1-2:2 2-2:0");
}

TEST(k_is_2_or_more) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = small_graph(ctx, 2, "0-1", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_truss_params p = at(1);
    weft_result *r = NULL;
    CHECK(weft_truss(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "truss: k is 2 or more, or 0 for the truss number of every edge");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Many edges go at once, and rows are closed up. */
TEST(each_truss_is_the_edges_of_its_number_and_higher_ones) {
    const shape large[] = {{"rmat", 0, under_a_microscope() ? 9 : 11, 0, 16, WEFT_UNDIRECTED},
                           {"rmat", 0, under_a_microscope() ? 9 : 11, 0, 8, WEFT_DIRECTED}};
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    for (size_t i = 0; i < LENGTH(large); i++) {
        weft_ctx *ctx = new_ctx(3, NULL);
        weft_graph *g = shaped(ctx, &large[i]);
        weft_result *all = NULL;
        REQUIRE(weft_truss(ctx, g, NULL, &all) == WEFT_OK);
        CHECK(weft_check(ctx, "truss", g, NULL, all, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s", report.message);
        const uint32_t *number = weft_result_u32(all, "truss");
        for (uint64_t k = 3; k < 24; k += 5) {
            weft_truss_params p = at(k);
            weft_result *one = run_plan(ctx, "truss", g, &p);
            REQUIRE(one);
            const uint32_t *in = weft_result_u32(one, "truss");
            uint64_t differ = 0;
            for (uint64_t e = 0; e < weft_graph_edges(g); e++) differ += in[e] != (number[e] >= k ? k : 0);
            CHECK_U64(differ, 0);
            CHECK(weft_check(ctx, "truss", g, &p, one, &report) == WEFT_OK);
            if (!report.passed) HARNESS_FAIL("k %d: %s", (int)k, report.message);
            weft_result_free(one);
        }
        weft_result_free(all);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Is the result refused with this number at this edge? */
static void check_refused(weft_ctx *ctx, const weft_graph *g, weft_result *r, const weft_truss_params *p, size_t edge,
                          uint32_t number) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    uint32_t *truss = (uint32_t *)(uintptr_t)weft_result_u32(r, "truss"), was = truss[edge];
    truss[edge] = number;
    REQUIRE(weft_check(ctx, "truss", g, p, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    truss[edge] = was;
    REQUIRE(weft_check(ctx, "truss", g, p, r, &report) == WEFT_OK);
    CHECK(report.passed);
}

TEST(the_verifier_refuses_other_numbers) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g =
        small_graph(ctx, 6, "0-1 0-2 0-3 1-2 1-3 2-3 3-4 2-4 4-5 5-5", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_truss_params p = at(4);
    weft_result *all = NULL, *one = NULL;
    REQUIRE(weft_truss(ctx, g, NULL, &all) == WEFT_OK && weft_truss(ctx, g, &p, &one) == WEFT_OK);
    check_refused(ctx, g, all, NULL, 0, 3); /* all are held, but one is not eaten */
    check_refused(ctx, g, all, NULL, 6, 4); /* eaten, but not held */
    check_refused(ctx, g, all, NULL, 8, 0);
    check_refused(ctx, g, all, NULL, 9, 2);
    check_refused(ctx, g, one, &p, 0, 0);
    check_refused(ctx, g, one, &p, 6, 4);
    check_refused(ctx, g, one, &p, 6, 3);
    weft_result_free(all);
    weft_result_free(one);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
