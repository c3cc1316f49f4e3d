/* eigenvector: answers by eye, weights of any size, the interval, and results that the verifier must refuse. */
#include "support.h"

#include "weft/check.h"
#include "weft/eigenvector.h"

#include <math.h>

enum { MOST = 12 };

typedef struct arcs {
    weft_vid n;
    size_t count;
    weft_vid from[MOST], to[MOST];
    double weight[MOST];
} arcs;

static weft_graph *graph_of(weft_ctx *ctx, const arcs *a, weft_direction direction) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    bool weighted = a->count && a->weight[0] != 0;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, a->n, a->count, a->from, a->to, weighted ? a->weight : NULL,
                              weighted ? WEFT_WEIGHT_F64 : WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static bool verified(weft_ctx *ctx, const weft_graph *g, const weft_eigenvector_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "eigenvector", g, p, r, &report)) return false;
    if (!report.passed) printf("  %s\n", report.message);
    return report.passed;
}

static double number_of(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.f64; }

/* The scores are proportional to `want`, and the interval has the eigenvalue and is no wider than `wide`. */
static void expect(const arcs *a, weft_direction direction, const weft_eigenvector_params *p, const double *want,
                   double eigenvalue, double near, double wide) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of(ctx, a, direction);
    weft_result *r = NULL;
    double norm = 0;
    REQUIRE(g && weft_eigenvector(ctx, g, p, &r) == WEFT_OK);
    for (weft_vid v = 0; v < a->n; v++) norm += want[v] * want[v];
    for (weft_vid v = 0; v < a->n; v++) CHECK_NEAR(weft_result_f64(r, "score")[v], want[v] / sqrt(norm), near);
    double low = number_of(r, "lambda_low"), high = number_of(r, "lambda_high");
    CHECK(low <= eigenvalue && eigenvalue <= high);
    CHECK(high - low <= wide * (eigenvalue > 0 ? eigenvalue : 1));
    CHECK(verified(ctx, g, p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(without_an_arc_that_counts_all_are_alike_and_the_eigenvalue_is_0) {
    static const arcs none = {.n = 4, .count = 0}, empty = {.n = 0, .count = 0};
    static const double one[] = {1, 1, 1, 1};
    expect(&empty, WEFT_UNDIRECTED, NULL, one, 0, 0, 0);
    expect(&none, WEFT_DIRECTED, NULL, one, 0, 0, 0);
    expect(&(arcs){.n = 1, .count = 0}, WEFT_UNDIRECTED, NULL, one, 0, 0, 0);
}

TEST(a_loop_is_an_arc) {
    static const arcs loop = {.n = 1, .count = 1}, beside = {.n = 2, .count = 1, .from = {1}, .to = {1}};
    static const double one[] = {1}, second[] = {0, 1};
    expect(&loop, WEFT_DIRECTED, NULL, one, 1, 0, 1e-11);
    expect(&loop, WEFT_UNDIRECTED, NULL, one, 1, 0, 1e-11);
    expect(&beside, WEFT_DIRECTED, NULL, second, 1, 1e-7, 1.01);
}

/* The eigenvalues 2 and -2 are alike in size: only the shift tells them apart. */
TEST(a_star_gives_its_centre_the_root_of_the_number_of_its_points) {
    static const arcs star = {.n = 5, .count = 4, .from = {0, 0, 0, 0}, .to = {1, 2, 3, 4}};
    static const double want[] = {2, 1, 1, 1, 1};
    expect(&star, WEFT_UNDIRECTED, NULL, want, 2, 1e-8, 1e-7);
}

TEST(a_complete_graph_and_a_directed_cycle_are_alike_everywhere) {
    static const arcs k4 = {.n = 4, .count = 6, .from = {0, 0, 0, 1, 1, 2}, .to = {1, 2, 3, 2, 3, 3}};
    static const arcs cycle = {.n = 4, .count = 4, .from = {0, 1, 2, 3}, .to = {1, 2, 3, 0}};
    static const double one[] = {1, 1, 1, 1};
    expect(&k4, WEFT_UNDIRECTED, NULL, one, 3, 1e-15, 1e-11);
    expect(&cycle, WEFT_DIRECTED, NULL, one, 1, 1e-15, 1e-11);
}

TEST(a_path_swells_to_the_middle) {
    static const arcs path = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}};
    const double want[] = {1, sqrt(2), 1};
    expect(&path, WEFT_UNDIRECTED, NULL, want, sqrt(2), 1e-8, 1e-7);
}

/* 0 and 1 point to each other and to 2, which points to nobody: along incoming arcs it has what both have. */
TEST(being_pointed_to_counts_and_pointing_does_not) {
    static const arcs sink = {.n = 3, .count = 4, .from = {0, 1, 0, 1}, .to = {1, 0, 2, 2}};
    static const double want[] = {1, 1, 2};
    expect(&sink, WEFT_DIRECTED, NULL, want, 1, 1e-7, 1e-6);
    static const arcs source = {.n = 3, .count = 4, .from = {0, 1, 2, 2}, .to = {1, 0, 0, 1}};
    static const double nothing[] = {1, 1, 0};
    expect(&source, WEFT_DIRECTED, NULL, nothing, 1, 1e-7, 1.01);
}

/* The triangle's eigenvalue is 2, that of the edge beside it 1. */
TEST(of_two_components_the_one_with_the_larger_eigenvalue_has_it_all) {
    static const arcs two = {.n = 5, .count = 4, .from = {0, 0, 1, 3}, .to = {1, 2, 2, 4}};
    static const double want[] = {1, 1, 1, 0, 0};
    expect(&two, WEFT_UNDIRECTED, NULL, want, 2, 1e-7, 1e-7);
}

TEST(components_that_look_alike_share_alike) {
    static const arcs two = {.n = 5, .count = 2, .from = {0, 2}, .to = {1, 3}};
    static const double want[] = {1, 1, 1, 1, 0};
    expect(&two, WEFT_UNDIRECTED, NULL, want, 1, 1e-7, 1e-7);
}

TEST(parallel_arcs_and_weights_count_alike) {
    static const arcs three = {.n = 3, .count = 5, .from = {0, 0, 0, 0, 1}, .to = {1, 1, 1, 1, 2}};
    static const arcs heavy = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}, .weight = {4, 1}};
    const double want[] = {4, sqrt(17), 1};
    weft_eigenvector_params p = WEFT_EIGENVECTOR_DEFAULTS;
    expect(&three, WEFT_UNDIRECTED, &p, want, sqrt(17), 1e-7, 1e-7);
    p.weights = 1;
    expect(&heavy, WEFT_UNDIRECTED, &p, want, sqrt(17), 1e-7, 1e-7);
}

/* The unit of weights is a power of two: not a bit of a score changes. */
TEST(weights_may_be_of_any_size) {
    weft_eigenvector_params p = WEFT_EIGENVECTOR_DEFAULTS;
    double first[3];
    p.weights = 1;
    for (int k = -600; k <= 600; k += 200) {
        arcs scaled = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}, .weight = {ldexp(4, k), ldexp(1, k)}};
        const double want[] = {4, sqrt(17), 1};
        expect(&scaled, WEFT_UNDIRECTED, &p, want, ldexp(sqrt(17), k), 1e-7, 1e-7);
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = graph_of(ctx, &scaled, WEFT_UNDIRECTED);
        weft_result *r = NULL;
        REQUIRE(g && weft_eigenvector(ctx, g, &p, &r) == WEFT_OK);
        if (k == -600) memcpy(first, weft_result_f64(r, "score"), sizeof first);
        CHECK(!memcmp(first, weft_result_f64(r, "score"), sizeof first));
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Of 0 -> 1 -> 2 no walk is longer than two arcs: values grow as 1, k, k^2/2, and quotients fall as 2/k. */
TEST(without_a_cycle_the_eigenvalue_is_0_and_the_interval_says_so) {
    warnings w;
    static const arcs path = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}};
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = graph_of(ctx, &path, WEFT_DIRECTED);
    weft_eigenvector_params p = WEFT_EIGENVECTOR_DEFAULTS;
    weft_result *r = NULL;
    p.max_iterations = 100;
    REQUIRE(g && weft_eigenvector(ctx, g, &p, &r) == WEFT_OK);
    CHECK_HAS(w.text, "after 100 iterations the values still change");
    CHECK_HAS(w.text, "the largest eigenvalue lies between 0 and 0.0");
    CHECK(number_of(r, "lambda_low") == 0);
    CHECK(number_of(r, "lambda_high") > 0 && number_of(r, "lambda_high") < 0.03);
    CHECK(verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_run_that_has_not_converged_encloses_the_eigenvalue) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_eigenvector_params p = WEFT_EIGENVECTOR_DEFAULTS;
    double low = 0, high = INFINITY;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g));
    for (p.max_iterations = 1; p.max_iterations < 8; p.max_iterations++) {
        REQUIRE(weft_eigenvector(ctx, g, &p, &r) == WEFT_OK);
        CHECK(number_of(r, "lambda_low") >= low && number_of(r, "lambda_low") <= 6.7256977276);
        CHECK(number_of(r, "lambda_high") <= high && number_of(r, "lambda_high") >= 6.7256977276);
        CHECK(number_of(r, "residual") > p.tolerance && verified(ctx, g, &p, r));
        low = number_of(r, "lambda_low");
        high = number_of(r, "lambda_high");
        weft_result_free(r);
    }
    CHECK_HAS(w.text, "more than the tolerance 1e-08");
    CHECK(high < 9);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_cannot_be_is_refused_and_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    static const arcs plain = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}},
                      negative = {.n = 2, .count = 1, .from = {0}, .to = {1}, .weight = {-1}};
    weft_graph *g = graph_of(ctx, &plain, WEFT_DIRECTED), *below = graph_of(ctx, &negative, WEFT_DIRECTED);
    weft_eigenvector_params p = WEFT_EIGENVECTOR_DEFAULTS;
    weft_result *r = NULL;
    p.weights = 1;
    CHECK(weft_eigenvector(ctx, g, &p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "the graph has none");
    CHECK(weft_eigenvector(ctx, below, &p, &r) == WEFT_EINPUT && !r);
    CHECK_HAS(weft_ctx_message(ctx), "weight");
    weft_graph_free(g);
    weft_graph_free(below);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g) && !weft_eigenvector(ctx, g, NULL, &r));
    CHECK(verified(ctx, g, NULL, r));
    double *score = (double *)(uintptr_t)weft_result_f64(r, "score"), keep = score[3];
    weft_scalar *iterations = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "iterations");
    static const struct {
        const char *name;
        double factor;
    } wrong[] = {
        {"residual", 2}, {"lambda_low", 1.001}, {"lambda_low", 0.99}, {"lambda_high", 0.99}, {"lambda_high", 1.001}};
    score[3] += 1e-9;
    CHECK(!verified(ctx, g, NULL, r));
    score[3] = -keep;
    CHECK(!verified(ctx, g, NULL, r));
    score[3] = (double)NAN;
    CHECK(!verified(ctx, g, NULL, r));
    score[3] = keep;
    for (int i = 0; i < 34; i++) score[i] *= 2;
    CHECK(!verified(ctx, g, NULL, r));
    for (int i = 0; i < 34; i++) score[i] /= 2;
    iterations->value.u64 -= 1;
    CHECK(!verified(ctx, g, NULL, r));
    iterations->value.u64 += 1;
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        weft_scalar *s = (weft_scalar *)(uintptr_t)weft_result_scalar(r, wrong[i].name);
        double before = s->value.f64;
        s->value.f64 *= wrong[i].factor;
        CHECK(!verified(ctx, g, NULL, r));
        s->value.f64 = before;
    }
    CHECK(verified(ctx, g, NULL, r));
    weft_eigenvector_params finer = WEFT_EIGENVECTOR_DEFAULTS;
    finer.tolerance = 1e-12; /* then it had no reason to end */
    CHECK(!verified(ctx, g, &finer, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
