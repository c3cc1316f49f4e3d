/* harmonic: small graphs by eye, closed sums, sources, searches either way, recorded values on any number of threads,
 * estimates beside what they estimate, and results that the verifier refuses. */
#include "nearness_support.h"
#include "weft/harmonic.h"

static const weft_harmonic_params standard = WEFT_HARMONIC_DEFAULTS;

TEST(small_graphs_by_eye) {
    weft_harmonic_params p = standard;
    check_values("harmonic", WEFT_UNDIRECTED, 0, "", &p, "");
    check_values("harmonic", WEFT_UNDIRECTED, 1, "0-0", &p, "0");
    check_values("harmonic", WEFT_UNDIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "2.08333 2.83333 3 2.83333 2.08333");
    check_values("harmonic", WEFT_UNDIRECTED, 5, "0-1 0-2 0-3 0-4", &p, "4 2.5 2.5 2.5 2.5");
    check_values("harmonic", WEFT_UNDIRECTED, 6, "0-1 2-3 3-4", &p, "1 1 1.5 2 1.5 0");
    check_values("harmonic", WEFT_DIRECTED, 3, "0-1 1-2", &p, "0 1 1.5");
    check_values("harmonic", WEFT_DIRECTED, 3, "0-0 0-1 0-1 1-2 2-2", &p, "0 1 1.5");
    p.direction = WEFT_SIDE_OUT;
    check_values("harmonic", WEFT_DIRECTED, 3, "0-1 1-2", &p, "1.5 1 0");
    p.normalized = 1;
    check_values("harmonic", WEFT_DIRECTED, 3, "0-1 1-2", &p, "0.75 0.5 0");
    check_values("harmonic", WEFT_UNDIRECTED, 1, "", &p, "0");
}

TEST(only_some_sources_count_and_only_some_vertices_have_a_value) {
    static const weft_vid ends[] = {0, 3, 3}, middle[] = {1, 2};
    weft_harmonic_params p = standard;
    p.sources = ends;
    p.source_count = 3;
    check_values("harmonic", WEFT_UNDIRECTED, 4, "0-1 1-2 2-3", &p, "0.333333 1.5 1.5 0.333333");
    check_values("harmonic", WEFT_DIRECTED, 4, "0-1 1-2 2-3", &p, "0 1 0.5 0.333333");
    p.direction = WEFT_SIDE_OUT;
    check_values("harmonic", WEFT_DIRECTED, 4, "0-1 1-2 2-3", &p, "0.333333 0.5 1 0");
    p.of = middle;
    p.of_count = 2;
    check_values("harmonic", WEFT_DIRECTED, 4, "0-1 1-2 2-3", &p, "nan 0.5 1 nan");
    p.sources = NULL;
    p.source_count = 0;
    check_values("harmonic", WEFT_DIRECTED, 4, "0-1 1-2 2-3", &p, "nan 1.5 1 nan");
}

/* 1 and 2 are at distance 0, which adds nothing. */
TEST(weights_are_distances) {
    static const weft_vid one[] = {1};
    weft_harmonic_params p = standard;
    p.weights = 1;
    check_weighted("harmonic", &p, "0 2 2 1.4");
    p.direction = WEFT_SIDE_OUT;
    check_weighted("harmonic", &p, "4.4 0.5 0.5 0");
    p.sources = one;
    p.source_count = 1;
    check_weighted("harmonic", &p, "2 0 0 0");
}

TEST(a_long_path_has_closed_sums) {
    enum { N = 100001 };
    static const weft_vid some[] = {0, 1, 33333, N / 2, N - 1};
    static long double sum[N];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generated(ctx, "path", N, WEFT_UNDIRECTED, false);
    weft_harmonic_params p = standard;
    weft_result *r = NULL;
    for (int d = 1; d < N; d++) sum[d] = sum[d - 1] + 1 / (long double)d;
    p.of = some;
    p.of_count = LENGTH(some);
    REQUIRE(weft_harmonic(ctx, g, &p, &r) == WEFT_OK);
    for (size_t i = 0; i < LENGTH(some); i++) {
        double got = weft_result_f64(r, "harmonic")[some[i]], want = (double)(sum[some[i]] + sum[N - 1 - some[i]]);
        if (!(fabs(got - want) <= 1e-15 * want)) HARNESS_FAIL("vertex %u: %.17g, not %.17g", some[i], got, want);
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Sources that are few are searched from; back from those that are asked for, where these are fewer. */
TEST(searches_go_either_way_to_the_same_bits) {
    enum { SOME = 700, FEW = 90 };
    static weft_vid some[SOME], few[FEW];
    for (weft_vid i = 0; i < SOME; i++) some[i] = i * 5;
    for (weft_vid i = 0; i < FEW; i++) few[i] = i * 45;
    for (int threads = 1; threads <= 3; threads++) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = generated(ctx, "rmat", 12, WEFT_DIRECTED, false);
        weft_harmonic_params p = standard;
        weft_result *ahead = NULL, *back = NULL;
        p.sources = some;
        p.source_count = SOME;
        REQUIRE(weft_harmonic(ctx, g, &p, &ahead) == WEFT_OK);
        p.of = few;
        p.of_count = FEW;
        REQUIRE(weft_harmonic(ctx, g, &p, &back) == WEFT_OK);
        for (weft_vid i = 0; i < FEW; i++)
            if (weft_result_f64(ahead, "harmonic")[few[i]] != weft_result_f64(back, "harmonic")[few[i]])
                HARNESS_FAIL("vertex %u on %d threads", few[i], threads);
        weft_result_free(ahead);
        weft_result_free(back);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(values_are_as_recorded_on_any_number_of_threads) {
    static const weft_vid some[] = {5, 0, 33, 7};
    weft_harmonic_params p = standard;
    check_recorded("harmonic", "karate", 0, WEFT_UNDIRECTED, &p, false, 0x68885afd6ddf56b1);
    check_recorded("harmonic", "rmat", 12, WEFT_DIRECTED, &p, false, 0xaa4019161b497859);
    check_recorded("harmonic", "grid", 100, WEFT_UNDIRECTED, &p, false, 0xd7d2f454667ebd53);
    p.weights = 1;
    check_recorded("harmonic", "rmat", 9, WEFT_DIRECTED, &p, true, 0x8b559a0541c9c89c);
    p.weights = 0;
    p.sources = some;
    p.source_count = LENGTH(some);
    check_recorded("harmonic", "rmat", 12, WEFT_UNDIRECTED, &p, false, 0x42ce3833a423f80c);
    p.sources = NULL;
    p.source_count = 0;
    p.estimate = 1;
    check_recorded("harmonic", "rmat", 11, WEFT_DIRECTED, &p, false, 0x0720129da0b08edb);
}

TEST(estimates_are_as_near_as_they_say) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generated(ctx, "rmat", 10, WEFT_DIRECTED, false);
    weft_harmonic_params p = standard;
    weft_result *exact = run_verified(ctx, "harmonic", g, &p);
    p.estimate = 1;
    for (p.registers = 16; p.registers <= 1024; p.registers *= 4) {
        weft_result *r = run_verified(ctx, "harmonic", g, &p);
        double error = weft_result_scalar(r, "standard_error")->value.f64, worst = 0;
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) { /* of all that are there the vertex is one */
            double want = weft_result_f64(exact, "harmonic")[v];
            worst = fmax(worst, fabs(weft_result_f64(r, "harmonic")[v] - want) / (want + 1));
        }
        if (!(worst < 5 * error) || !(worst > 0)) HARNESS_FAIL("%" PRIu64 ": off by %g", p.registers, worst);
        weft_result_free(r);
    }
    weft_result_free(exact);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* From pruned searches, and where these give up (a grid), or were not tried (of some). */
TEST(the_first_have_the_values_of_a_full_run_and_no_other_has_one) {
    static const weft_vid some[] = {7, 300, 301, 302, 11, 999};
    static const struct {
        const char *kind;
        uint64_t size;
        weft_direction direction;
    } graphs[] = {{"ba", 2000, WEFT_UNDIRECTED},
                  {"rmat", 11, WEFT_DIRECTED},
                  {"grid", 40, WEFT_UNDIRECTED},
                  {"star", 1000, WEFT_DIRECTED}};
    for (size_t k = 0; k < 2 * LENGTH(graphs); k++) {
        weft_harmonic_params p = standard;
        p.direction = k % 2 ? WEFT_SIDE_OUT : WEFT_SIDE_IN;
        check_first("harmonic", graphs[k / 2].kind, graphs[k / 2].size, graphs[k / 2].direction, &p, &p.first);
        p.first = 0;
        p.of = some;
        p.of_count = LENGTH(some);
        if (k < 2) check_first("harmonic", graphs[k].kind, graphs[k].size, graphs[k].direction, &p, &p.first);
    }
}

TEST(what_cannot_be_answered_is_refused_by_name) {
    static const weft_vid list[] = {1, 34};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = generated(ctx, "karate", 0, WEFT_UNDIRECTED, false);
    weft_harmonic_params p = standard;
    p.sources = list;
    p.source_count = 2;
    check_refused("harmonic", g, &p, "sources[1] is vertex 34");
    p.source_count = 1;
    p.estimate = 1;
    check_refused("harmonic", g, &p, "excludes `sources`");
    p.estimate = 0;
    p.source_count = 0;
    check_refused("harmonic", g, &p, "sources and source_count go together");
    p = standard;
    p.estimate = p.weights = 1;
    check_refused("harmonic", g, &p, "excludes `weights`");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_was_tampered_with) {
    weft_harmonic_params p = standard;
    CHECK(!refuses("harmonic", &p, 0, 0));
    CHECK(refuses("harmonic", &p, 0, -1e-9));
    CHECK(refuses("harmonic", &p, 33, (double)NAN));
    p.estimate = 1;
    CHECK(refuses("harmonic", &p, 11, 1e-6));
}

TEST_MAIN()
