/* closeness: small graphs by eye, closed sums, searches either way, recorded values on any number of threads, estimates
 * beside what they estimate, and results that the verifier refuses. */
#include "nearness_support.h"
#include "stops.h"
#include "weft/closeness.h"

static const weft_closeness_params standard = WEFT_CLOSENESS_DEFAULTS;

TEST(small_graphs_by_eye) {
    weft_closeness_params p = standard;
    check_values("closeness", WEFT_UNDIRECTED, 0, "", &p, "");
    check_values("closeness", WEFT_UNDIRECTED, 1, "0-0", &p, "0");
    check_values("closeness", WEFT_UNDIRECTED, 2, "0-1", &p, "1 1");
    check_values("closeness", WEFT_UNDIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "0.4 0.571429 0.666667 0.571429 0.4");
    check_values("closeness", WEFT_UNDIRECTED, 5, "0-1 0-2 0-3 0-4", &p, "1 0.571429 0.571429 0.571429 0.571429");
    check_values("closeness", WEFT_UNDIRECTED, 6, "0-1 2-3 3-4", &p, "0.2 0.2 0.266667 0.4 0.266667 0");
    check_values("closeness", WEFT_DIRECTED, 3, "0-1 1-2", &p, "0 0.5 0.666667");
    p.scaled = 0;
    check_values("closeness", WEFT_UNDIRECTED, 6, "0-1 2-3 3-4", &p, "1 1 0.666667 1 0.666667 0");
    check_values("closeness", WEFT_DIRECTED, 3, "0-1 1-2", &p, "0 1 0.666667");
    p.direction = WEFT_SIDE_OUT;
    check_values("closeness", WEFT_DIRECTED, 3, "0-1 1-2", &p, "0.666667 1 0");
    check_values("closeness", WEFT_UNDIRECTED, 3, "0-1 1-2", &p, "0.666667 1 0.666667");
}

TEST(loops_and_parallel_edges_make_nothing_nearer) {
    weft_closeness_params p = standard;
    check_values("closeness", WEFT_DIRECTED, 3, "0-0 0-1 0-1 1-1 1-2 1-2 2-2", &p, "0 0.5 0.666667");
    check_values("closeness", WEFT_UNDIRECTED, 3, "0-1 0-1 1-2 2-2", &p, "0.666667 1 0.666667");
}

TEST(only_what_is_asked_for_has_a_value) {
    static const weft_vid some[] = {2, 0, 2};
    weft_closeness_params p = standard;
    p.of = some;
    p.of_count = 3;
    check_values("closeness", WEFT_DIRECTED, 4, "0-1 1-2 3-2", &p, "0 nan 0.75 nan");
    p.direction = WEFT_SIDE_OUT;
    check_values("closeness", WEFT_DIRECTED, 4, "0-1 1-2 3-2", &p, "0.444444 nan 0 nan");
}

/* 1 and 2 are at distance 0: they are reached, and add nothing to the sum. */
TEST(weights_are_distances) {
    weft_closeness_params p = standard;
    p.weights = 1;
    check_weighted("closeness", &p, "0 0.666667 2.66667 0.461538");
    p.scaled = 0;
    p.direction = WEFT_SIDE_OUT;
    check_weighted("closeness", &p, "0.857143 1 0.5 0");
}

/* The sum of the distances to vertex v of a path. */
static double sum_on_path(double n, double v) { return v * (v + 1) / 2 + (n - 1 - v) * (n - v) / 2; }

TEST(a_long_path_has_closed_sums) {
    enum { N = 100001 };
    static const weft_vid some[] = {0, 1, 33333, N / 2, N - 1};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generated(ctx, "path", N, WEFT_UNDIRECTED, false);
    weft_closeness_params p = standard;
    weft_result *r = NULL;
    p.of = some;
    p.of_count = LENGTH(some);
    REQUIRE(weft_closeness(ctx, g, &p, &r) == WEFT_OK);
    for (size_t i = 0; i < LENGTH(some); i++) {
        double got = weft_result_f64(r, "closeness")[some[i]], want = (N - 1) / sum_on_path(N, some[i]);
        if (got != want) HARNESS_FAIL("vertex %u: %.17g, not %.17g", some[i], got, want);
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* From all sources to every vertex, or back from those that are asked for: 2,000 of some 4,000. */
TEST(searches_go_either_way_to_the_same_bits) {
    enum { SOME = 2000 };
    static weft_vid some[SOME];
    for (int threads = 1; threads <= 3; threads++)
        for (int way = 0; way < 2; way++) {
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_graph *g = generated(ctx, "rmat", 12, WEFT_DIRECTED, false);
            weft_closeness_params p = standard;
            weft_result *all = NULL, *few = NULL;
            for (weft_vid i = 0; i < SOME; i++) some[i] = i * 2;
            p.direction = way ? WEFT_SIDE_OUT : WEFT_SIDE_IN;
            REQUIRE(weft_closeness(ctx, g, &p, &all) == WEFT_OK);
            p.of = some;
            p.of_count = SOME;
            REQUIRE(weft_closeness(ctx, g, &p, &few) == WEFT_OK);
            CHECK_U64(weft_result_scalar(few, "vertices")->value.u64, SOME);
            for (weft_vid i = 0; i < SOME; i++)
                if (weft_result_f64(all, "closeness")[some[i]] != weft_result_f64(few, "closeness")[some[i]])
                    HARNESS_FAIL("vertex %u on %d threads", some[i], threads);
            weft_result_free(all);
            weft_result_free(few);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
}

TEST(values_are_as_recorded_on_any_number_of_threads) {
    static const weft_vid some[] = {5, 0, 33, 7};
    weft_closeness_params p = standard;
    check_recorded("closeness", "karate", 0, WEFT_UNDIRECTED, &p, false, 0xb72ffeaee57e0184);
    check_recorded("closeness", "rmat", 12, WEFT_DIRECTED, &p, false, 0x69d45eae2b98198f);
    check_recorded("closeness", "grid", 100, WEFT_UNDIRECTED, &p, false, 0xe6a89b01c30838c8);
    p.weights = 1;
    check_recorded("closeness", "rmat", 9, WEFT_DIRECTED, &p, true, 0x4cf5e107c77b5197);
    p.weights = 0;
    p.of = some;
    p.of_count = LENGTH(some);
    check_recorded("closeness", "rmat", 12, WEFT_UNDIRECTED, &p, false, 0x207ce49051f819a7);
    p.of = NULL;
    p.of_count = 0;
    p.estimate = 1;
    check_recorded("closeness", "rmat", 11, WEFT_DIRECTED, &p, false, 0xe603f944d7dea13f);
}

/* Twice as many registers err by a factor of 1.4 less: from 64 to 1024 by one of 4. */
TEST(estimates_are_as_near_as_they_say) {
    static const uint64_t registers[] = {64, 1024};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = generated(ctx, "ba", 1000, WEFT_UNDIRECTED, false);
    weft_closeness_params p = standard;
    weft_result *exact = run_verified(ctx, "closeness", g, &p);
    p.estimate = 1;
    for (size_t k = 0; k < LENGTH(registers); k++) {
        p.registers = registers[k];
        weft_result *r = run_verified(ctx, "closeness", g, &p);
        double error = weft_result_scalar(r, "standard_error")->value.f64, worst = 0;
        CHECK_NEAR(error, 1.04 / sqrt((double)registers[k]), 1.0001);
        for (weft_vid v = 0; v < 1000; v++)
            worst = fmax(worst, fabs(weft_result_f64(r, "closeness")[v] / weft_result_f64(exact, "closeness")[v] - 1));
        if (!(worst < 4 * error) || !(worst > 0)) HARNESS_FAIL("%" PRIu64 ": off by %g", registers[k], worst);
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
        weft_closeness_params p = standard;
        p.direction = k % 2 ? WEFT_SIDE_OUT : WEFT_SIDE_IN;
        check_first("closeness", graphs[k / 2].kind, graphs[k / 2].size, graphs[k / 2].direction, &p, &p.first);
        p.first = 0;
        p.of = some;
        p.of_count = LENGTH(some);
        if (k < 2) check_first("closeness", graphs[k].kind, graphs[k].size, graphs[k].direction, &p, &p.first);
    }
}

/* A search from one vertex of a complete graph looks at all arcs, of which there are as many as in hundreds of polls:
 * it asks on the way, and so seldom that searches that end at once do not ask each. */
TEST(searches_for_the_first_poll_by_their_arcs) {
    enum { N = 1500 };
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_closeness_params p = WEFT_CLOSENESS_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    gp.n = N;
    build.direction = WEFT_UNDIRECTED;
    p.first = 1;
    REQUIRE(weft_generate(ctx, "complete", &gp, &build, &g) == WEFT_OK);
    stop_at s = {.at = NEVER};
    weft_ctx_set_cancel(ctx, asked_at, &s);
    REQUIRE(weft_closeness(ctx, g, &p, &r) == WEFT_OK);
    forget_stop(ctx);
    CHECK(s.polls > 2 * N * (N - 1) / (1 << 16)); /* the components are searched for, too */
    CHECK(s.polls < N / 4);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_cannot_be_answered_is_refused_by_name) {
    static const weft_vid list[] = {1, 34};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = generated(ctx, "karate", 0, WEFT_UNDIRECTED, false);
    weft_closeness_params p = standard;
    p.of = list;
    p.of_count = 2;
    check_refused("closeness", g, &p, "of[1] is vertex 34");
    p.of_count = 1;
    p.estimate = 1;
    check_refused("closeness", g, &p, "excludes `of`");
    p = standard;
    p.weights = 1;
    check_refused("closeness", g, &p, "the graph has none");
    p = standard;
    p.registers = 100;
    check_refused("closeness", g, &p, "a power of two");
    p.registers = 8192;
    check_refused("closeness", g, &p, "registers");
    p = standard;
    p.direction = WEFT_SIDE_BOTH;
    check_refused("closeness", g, &p, "direction");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_was_tampered_with) {
    static const weft_vid some[] = {3, 4};
    weft_closeness_params p = standard;
    CHECK(!refuses("closeness", &p, 0, 0));
    CHECK(refuses("closeness", &p, 0, 1e-9));
    CHECK(refuses("closeness", &p, 33, (double)NAN));
    p.estimate = 1;
    CHECK(refuses("closeness", &p, 20, -1e-6));
    p.estimate = 0;
    p.of = some;
    p.of_count = 2;
    CHECK(refuses("closeness", &p, 4, 1e-6));
    CHECK(!refuses("closeness", &p, 5, 1)); /* no value is none, whatever is added to it */
}

TEST_MAIN()
