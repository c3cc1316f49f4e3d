/* distances: graphs by eye; bounds that meet, and bounds that are told as such; the same bytes on any number of threads; the verifier
 * refuses what is wrong.  tests/algo/distances/reference.py compares with NetworkX. */
#include "support.h"

#include "weft_check.h"

static uint64_t whole(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.u64; }

static weft_graph *generated(weft_ctx *ctx, const char *kind, uint64_t rows, uint64_t columns, int torus) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.n = rows * columns;
    p.rows = rows;
    p.columns = columns;
    p.torus = torus;
    if (weft_generate(ctx, kind, &p, NULL, &g)) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

TEST(the_largest_component_is_measured_and_nothing_else) {
    weft_ctx *ctx = new_ctx(2, NULL);
    /* 1 -> 2 -> 3 <- 4, a loop, an arc twice; 8 9; directions do not count. */
    weft_graph *g = read_text(ctx, "1 2\n2 3\n4 3\n3 3\n1 2\n8 9\n", NULL);
    weft_result *r = NULL;
    REQUIRE(g && weft_distances(ctx, g, NULL, &r) == WEFT_OK);
    static const uint32_t ecc[] = {3, 2, 2, 3, WEFT_UNREACHED, WEFT_UNREACHED};
    for (int v = 0; v < 6; v++) {
        CHECK_U64(weft_result_u32(r, "eccentricity")[v], ecc[v]);
        CHECK_U64(weft_result_u32(r, "at_most")[v], ecc[v]);
    }
    static const uint64_t pairs[] = {3, 2, 1};
    CHECK_U64(weft_result_column(r, "pairs")->length, 3);
    for (int d = 0; d < 3; d++) CHECK_U64(weft_result_u64(r, "pairs")[d], pairs[d]);
    CHECK_U64(whole(r, "diameter"), 3);
    CHECK_U64(whole(r, "radius"), 2);
    CHECK_U64(whole(r, "vertices"), 4);
    /* 5.4 of 6 pairs: all of the first two distances, and 0.4 of the last one. */
    CHECK(fabs(weft_result_scalar(r, "effective_diameter")->value.f64 - 2.4) < 1e-12);
    CHECK(fabs(weft_result_scalar(r, "mean_distance")->value.f64 - 10.0 / 6) < 1e-12);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    REQUIRE(weft_check(ctx, "distances", g, NULL, r, &report) == WEFT_OK);
    CHECK(report.passed);
    uint32_t *low = (uint32_t *)(uintptr_t)weft_result_u32(r, "eccentricity");
    uint32_t *high = (uint32_t *)(uintptr_t)weft_result_u32(r, "at_most");
    uint64_t *count = (uint64_t *)(uintptr_t)weft_result_u64(r, "pairs");
    low[1] = high[1] = 3; /* the figures stay what they are */
    REQUIRE(weft_check(ctx, "distances", g, NULL, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    low[1] = high[1] = 2;
    count[2]++;
    REQUIRE(weft_check(ctx, "distances", g, NULL, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    count[2]--;
    low[4] = high[4] = 1;
    REQUIRE(weft_check(ctx, "distances", g, NULL, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(bounds_meet_where_there_are_searches_enough) {
    weft_ctx *ctx = new_ctx(2, NULL);
    static const struct {
        const char *kind;
        uint64_t rows, columns, diameter, radius;
        int torus;
    } all[] = {{"grid", 40, 60, 98, 50, 0},    {"grid", 20, 20, 20, 20, 1}, {"path", 1, 1000, 999, 500, 0},
               {"cycle", 1, 301, 150, 150, 0}, {"star", 1, 300, 2, 1, 0},   {"complete", 1, 30, 1, 1, 0}};
    for (size_t i = 0; i < LENGTH(all); i++) {
        weft_graph *g = generated(ctx, all[i].kind, all[i].rows, all[i].columns, all[i].torus);
        for (int exact = 0; exact < 2; exact++) {
            weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
            weft_result *r = NULL;
            if (!exact) p.all_pairs = 0;
            REQUIRE(g && weft_distances(ctx, g, &p, &r) == WEFT_OK);
            CHECK_U64(whole(r, "diameter"), all[i].diameter);
            CHECK_U64(whole(r, "diameter_at_most"), all[i].diameter);
            CHECK_U64(whole(r, "radius"), all[i].radius);
            CHECK_U64(whole(r, "radius_at_least"), all[i].radius);
            CHECK_U64(weft_result_column(r, "pairs")->length, exact ? all[i].diameter : 0);
            CHECK(exact || isnan(weft_result_scalar(r, "mean_distance")->value.f64));
            weft_result_free(r);
        }
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* A torus has no middle: every vertex has to be searched from. */
TEST(what_is_not_known_is_told_as_a_bound) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generated(ctx, "grid", 50, 50, 1);
    weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
    weft_result *r = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    p.all_pairs = 100;
    p.searches = 10;
    REQUIRE(g && weft_distances(ctx, g, &p, &r) == WEFT_OK);
    CHECK_U64(whole(r, "diameter"), 50);
    CHECK(whole(r, "diameter_at_most") > 50);
    CHECK(whole(r, "radius_at_least") < 50 && whole(r, "radius") == 50);
    CHECK_U64(whole(r, "searches"), 10);
    CHECK(whole(r, "open") > 2000);
    for (p.searches = 1; p.searches < 10; p.searches++) {
        weft_result *fewer = NULL;
        REQUIRE(weft_distances(ctx, g, &p, &fewer) == WEFT_OK);
        CHECK_U64(whole(fewer, "searches"), p.searches);
        weft_result_free(fewer);
    }
    p.searches = 10;
    REQUIRE(weft_check(ctx, "distances", g, &p, r, &report) == WEFT_OK);
    CHECK(report.passed);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(nothing_and_next_to_nothing) {
    static const char *const texts[] = {"0 0\n", "0 1\n"};
    weft_ctx *ctx = new_ctx(1, NULL);
    for (size_t i = 0; i < 4; i++) {
        weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
        weft_result *r = NULL;
        weft_graph *g = read_text(ctx, texts[i / 2], NULL);
        if (i % 2) p.all_pairs = 0;
        REQUIRE(g && weft_distances(ctx, g, &p, &r) == WEFT_OK);
        CHECK_U64(whole(r, "diameter"), i / 2);
        CHECK_U64(whole(r, "radius"), i / 2);
        CHECK_U64(whole(r, "open"), 0);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_graph *none = NULL;
    weft_result *r = NULL;
    REQUIRE(weft_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &none) == WEFT_OK);
    REQUIRE(weft_distances(ctx, none, NULL, &r) == WEFT_OK);
    CHECK_U64(whole(r, "vertices"), 0);
    weft_result_free(r);
    weft_graph_free(none);
    weft_ctx_free(ctx);
}

TEST_MAIN()
