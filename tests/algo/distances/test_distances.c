/* distances: graphs by eye; bounds that meet, and bounds that are told as such; the same bytes on any number of threads; the verifier
 * refuses what is wrong.  tests/algo/distances/reference.py compares with NetworkX. */
#include "support.h"

#include "weft/check.h"
#include "weft/distances.h"

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
    weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
    weft_result *r = NULL;
    p.direction = WEFT_SIDE_BOTH;
    REQUIRE(g && weft_distances(ctx, g, &p, &r) == WEFT_OK);
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
    CHECK_U64(whole(r, "unreachable_pairs"), 0);
    /* 5.4 of 6 pairs: all of the first two distances, and 0.4 of the last one. */
    CHECK(fabs(weft_result_scalar(r, "effective_diameter")->value.f64 - 2.4) < 1e-12);
    CHECK(fabs(weft_result_scalar(r, "mean_distance")->value.f64 - 10.0 / 6) < 1e-12);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    REQUIRE(weft_check(ctx, "distances", g, &p, r, &report) == WEFT_OK);
    CHECK(report.passed);
    uint32_t *low = (uint32_t *)(uintptr_t)weft_result_u32(r, "eccentricity");
    uint32_t *high = (uint32_t *)(uintptr_t)weft_result_u32(r, "at_most");
    uint64_t *count = (uint64_t *)(uintptr_t)weft_result_u64(r, "pairs");
    low[1] = high[1] = 3; /* the figures stay what they are */
    REQUIRE(weft_check(ctx, "distances", g, &p, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    low[1] = high[1] = 2;
    count[2]++;
    REQUIRE(weft_check(ctx, "distances", g, &p, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    count[2]--;
    low[4] = high[4] = 1;
    REQUIRE(weft_check(ctx, "distances", g, &p, r, &report) == WEFT_OK);
    CHECK(!report.passed);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Both ways of finding out. */
static void expect_directed(const char *text, weft_side direction, const uint64_t figures[4], const uint32_t *ecc,
                            int line) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, text, NULL);
    for (int exact = 0; g && exact < 2; exact++) {
        weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
        weft_result *r = NULL;
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        p.direction = direction;
        if (!exact) p.all_pairs = 0;
        REQUIRE(weft_distances(ctx, g, &p, &r) == WEFT_OK);
        if (whole(r, "diameter") != figures[0] || whole(r, "diameter_at_most") != figures[0] ||
            whole(r, "radius") != figures[1] || whole(r, "radius_at_least") != figures[1] ||
            whole(r, "vertices") != figures[2] || (exact && whole(r, "unreachable_pairs") != figures[3]))
            HARNESS_FAIL("line %d: diameter %llu to %llu, radius %llu to %llu, %llu unreachable", line,
                         (unsigned long long)whole(r, "diameter"), (unsigned long long)whole(r, "diameter_at_most"),
                         (unsigned long long)whole(r, "radius_at_least"), (unsigned long long)whole(r, "radius"),
                         (unsigned long long)whole(r, "unreachable_pairs"));
        for (weft_vid v = 0; exact && v < weft_graph_vertices(g); v++)
            CHECK_U64(weft_result_u32(r, "eccentricity")[v], ecc[v]);
        REQUIRE(weft_check(ctx, "distances", g, &p, r, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("line %d: %s", line, report.message);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(direction_counts_unless_it_is_told_not_to) {
    static const char way[] = "0 1\n1 2\n2 3\n", circle[] = "0 1\n1 2\n2 3\n3 0\n3 4\n",
                      apart[] = "0 1\n2 1\n1 1\n1 3\n";
    static const uint32_t from[] = {3, 2, 1, 0}, to[] = {0, 1, 2, 3}, any[] = {3, 2, 2, 3}, round[] = {4, 3, 3, 3, 0},
                          two[] = {2, 1, 2, 0};
    expect_directed(way, WEFT_SIDE_AUTO, (uint64_t[]){3, 3, 4, 6}, from, __LINE__);
    expect_directed(way, WEFT_SIDE_OUT, (uint64_t[]){3, 3, 4, 6}, from, __LINE__);
    expect_directed(way, WEFT_SIDE_IN, (uint64_t[]){3, 3, 4, 6}, to, __LINE__);
    expect_directed(way, WEFT_SIDE_BOTH, (uint64_t[]){3, 2, 4, 0}, any, __LINE__);
    expect_directed(circle, WEFT_SIDE_OUT, (uint64_t[]){4, 3, 5, 4}, round, __LINE__);
    /* No vertex reaches all others, and the radius has no value. */
    expect_directed(apart, WEFT_SIDE_OUT, (uint64_t[]){2, WEFT_NO_VALUE, 4, 7}, two, __LINE__);
}

/* Sparse random graphs have strong components of all sizes. */
TEST(bounds_along_arcs_meet_what_all_pairs_find) {
    weft_ctx *ctx = new_ctx(2, NULL);
    unsigned with_radius = 0, without = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
        weft_graph *g = NULL;
        gp.n = 20 + 5 * seed;
        gp.degree = 1 + (double)(seed % 4);
        gp.seed = seed;
        REQUIRE(weft_generate(ctx, "uniform", &gp, NULL, &g) == WEFT_OK && weft_graph_directed(g));
        weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
        weft_result *all = NULL, *few = NULL;
        p.direction = seed % 2 ? WEFT_SIDE_OUT : WEFT_SIDE_IN;
        REQUIRE(weft_distances(ctx, g, &p, &all) == WEFT_OK);
        p.all_pairs = 0;
        p.searches = 100000;
        REQUIRE(weft_distances(ctx, g, &p, &few) == WEFT_OK);
        static const char *const same[] = {"diameter", "diameter_at_most", "radius", "radius_at_least", "vertices"};
        for (size_t i = 0; i < LENGTH(same); i++) CHECK_U64(whole(few, same[i]), whole(all, same[i]));
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
            uint32_t ecc = weft_result_u32(all, "eccentricity")[v];
            CHECK(weft_result_u32(few, "eccentricity")[v] <= ecc && weft_result_u32(few, "at_most")[v] >= ecc);
        }
        for (int i = 0; i < 2; i++) {
            weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
            REQUIRE(weft_check(ctx, "distances", g, &p, i ? few : all, &report) == WEFT_OK);
            if (!report.passed) HARNESS_FAIL("seed %llu: %s", (unsigned long long)seed, report.message);
        }
        *(whole(all, "radius") == WEFT_NO_VALUE ? &without : &with_radius) += 1;
        weft_result_free(all);
        weft_result_free(few);
        weft_graph_free(g);
    }
    CHECK(with_radius > 5 && without > 5);
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

/* --- by weights ----------------------------------------------------------------------------- */

static double real(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.f64; }

static bool passes(weft_ctx *ctx, const weft_graph *g, const weft_distances_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    return weft_check(ctx, "distances", g, p, r, &report) == WEFT_OK && report.passed;
}

/* From 1 to 3 it is nearer by 2. */
TEST(lengths_by_weights) {
    static const weft_side sides[] = {WEFT_SIDE_BOTH, WEFT_SIDE_OUT, WEFT_SIDE_IN};
    static const double ecc[3][3] = {{3.5, 2, 3.5}, {3.5, 7, 6.5}, {7, 6.5, 3.5}};
    static const double figures[3][4] = {{3.5, 2, 3.5, 7 / 3.0}, {7, 3.5, 7, 4.25}, {7, 3.5, 7, 4.25}};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, "1 2 1.5\n2 3 2\n1 3 5\n3 1 5\n8 9 1\n", NULL);
    for (int i = 0; i < 3; i++) {
        weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
        weft_result *r = NULL;
        p.direction = sides[i];
        p.weights = 1;
        REQUIRE(g && weft_distances(ctx, g, &p, &r) == WEFT_OK);
        double *got = (double *)(uintptr_t)weft_result_f64(r, "weighted_eccentricity");
        for (int v = 0; v < 3; v++) CHECK(fabs(got[v] - ecc[i][v]) < 1e-15);
        CHECK(isnan(got[3]) && isnan(got[4]));
        CHECK_U64(whole(r, "vertices"), 3);
        CHECK(fabs(real(r, "weighted_diameter") - figures[i][0]) < 1e-15);
        CHECK(fabs(real(r, "weighted_radius") - figures[i][1]) < 1e-15);
        CHECK(fabs(real(r, "effective_diameter") - figures[i][2]) < 1e-15);
        CHECK(fabs(real(r, "mean_distance") - figures[i][3]) < 1e-12);
        CHECK(fabs(real(r, "class_width") - (i ? 0.125 : 0.0625)) < 1e-15);
        const weft_column *pairs = weft_result_column(r, "pairs");
        CHECK_U64(pairs->length, 57);
        for (size_t k = 0; k < pairs->length && !i; k++)
            CHECK_U64(((uint64_t *)pairs->data)[k], k == 24 || k == 32 || k == 56);
        CHECK(passes(ctx, g, &p, r));
        got[1] += 0.5;
        CHECK(!passes(ctx, g, &p, r));
        got[1] -= 0.5;
        ((uint64_t *)(uintptr_t)weft_result_u64(r, "pairs"))[0]++;
        CHECK(!passes(ctx, g, &p, r));
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Lengths of 0, of very different size, and pairs without a path. */
TEST(classes_of_lengths_are_as_wide_as_the_longest_asks_for) {
    static const char *const texts[] = {"1 2 0\n2 3 0\n", "1 2 1e-300\n2 3 1\n3 4 1e300\n", "1 2 3\n3 2 1\n"};
    static const double widths[] = {0, 0x1p991, 0.0625};
    weft_ctx *ctx = new_ctx(3, NULL);
    for (int i = 0; i < 3; i++) {
        weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
        weft_read_params read = WEFT_READ_DEFAULTS;
        weft_result *r = NULL;
        p.weights = 1;
        read.weight_type = WEFT_WEIGHT_F64;
        weft_graph *g = read_text(ctx, texts[i], &read);
        REQUIRE(g && weft_distances(ctx, g, &p, &r) == WEFT_OK);
        CHECK(!(real(r, "class_width") < widths[i] || real(r, "class_width") > widths[i]));
        CHECK(isnan(real(r, "weighted_radius")) == (i == 2));
        CHECK(passes(ctx, g, &p, r));
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(weights_are_refused_where_they_have_no_answer) {
    static const char *const texts[] = {"1 2\n", "1 2 -1\n", "1 2 1\n", "1 2 1\n"};
    static const char *const said[] = {"the graph has none", "-1", "searches", "all_pairs"};
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int i = 0; i < 4; i++) {
        weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
        weft_result *r = NULL;
        weft_graph *g = read_text(ctx, texts[i], NULL);
        p.weights = 1;
        if (i == 2) p.searches = 5;
        if (i == 3) p.all_pairs = 1;
        REQUIRE(g);
        CHECK(weft_distances(ctx, g, &p, &r) != WEFT_OK && !r);
        CHECK_HAS(weft_ctx_message(ctx), said[i]);
        weft_graph_free(g);
    }
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
