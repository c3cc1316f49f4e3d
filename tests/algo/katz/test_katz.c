/* katz: answers by eye, bounds, refusals, and results that the verifier must refuse. */
#include "support.h"

#include "weft/check.h"
#include "weft/katz.h"

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

static bool verified(weft_ctx *ctx, const weft_graph *g, const weft_katz_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "katz", g, p, r, &report)) return false;
    if (!report.passed) printf("  %s\n", report.message);
    return report.passed;
}

static double number_of(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.f64; }

/* Scores that are not scaled, and bounds; then those that are. */
static void expect(const arcs *a, weft_direction direction, weft_katz_params p, const double *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of(ctx, a, direction);
    double norm = 0;
    for (int normalized = 0; normalized < 2; normalized++) {
        weft_result *r = NULL;
        p.normalized = normalized;
        p.bounds = 1;
        REQUIRE(g && weft_katz(ctx, g, &p, &r) == WEFT_OK);
        const double *score = weft_result_f64(r, "score"), *upper = weft_result_f64(r, "upper");
        double scale = number_of(r, "norm"), error = number_of(r, "error");
        if (normalized && a->n) CHECK_NEAR(scale, sqrt(norm), 1e-7 * scale);
        for (weft_vid v = 0; v < a->n; v++) {
            CHECK_NEAR(score[v] * scale, want[v], 1e-7 * want[v]);
            CHECK(score[v] * scale <= want[v] * (1 + 1e-14) && upper[v] * scale >= want[v] * (1 - 1e-14));
            CHECK((score[v] + error) * scale >= want[v] * (1 - 1e-14));
            if (!normalized) norm += want[v] * want[v];
        }
        CHECK(verified(ctx, g, &p, r));
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static weft_katz_params with(double alpha) {
    weft_katz_params p = WEFT_KATZ_DEFAULTS;
    p.alpha = alpha;
    return p;
}

TEST(without_an_arc_that_counts_every_score_is_beta) {
    static const arcs none = {.n = 3, .count = 0}, empty = {.n = 0, .count = 0};
    static const double want[] = {2.5, 2.5, 2.5};
    weft_katz_params p = with(0.5);
    p.beta = 2.5;
    expect(&none, WEFT_DIRECTED, p, want);
    expect(&empty, WEFT_UNDIRECTED, p, want);
    expect(&(arcs){.n = 1, .count = 0}, WEFT_UNDIRECTED, p, want);
}

/* 1 over the two arcs that enter a vertex, and 1: x = 1 + 2x/3. */
TEST(without_an_alpha_the_widest_row_gives_one) {
    static const arcs k3 = {.n = 3, .count = 3, .from = {0, 0, 1}, .to = {1, 2, 2}};
    static const double want[] = {3, 3, 3};
    expect(&k3, WEFT_UNDIRECTED, with(0), want);
}

/* Walks of no, one and two arcs: 1, 1 + 1/4, 1 + 1/4 + 1/16. */
TEST(along_a_directed_path_walks_end_later_and_later) {
    static const arcs path = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}};
    static const double want[] = {1, 1.25, 1.3125};
    expect(&path, WEFT_DIRECTED, with(0.25), want);
    expect(&path, WEFT_DIRECTED, with(1), (double[]){1, 2, 3});
    expect(&path, WEFT_DIRECTED, with(1000), (double[]){1, 1001, 1001001});
}

/* x = 1 + alpha d x where every vertex has d arcs. */
TEST(regular_graphs_are_alike_everywhere) {
    static const arcs k4 = {.n = 4, .count = 6, .from = {0, 0, 0, 1, 1, 2}, .to = {1, 2, 3, 2, 3, 3}};
    static const arcs cycle = {.n = 4, .count = 4, .from = {0, 1, 2, 3}, .to = {1, 2, 3, 0}};
    static const arcs loop = {.n = 1, .count = 1};
    static const double four[] = {4, 4, 4, 4}, two[] = {2, 2, 2, 2};
    expect(&k4, WEFT_UNDIRECTED, with(0.25), four);
    expect(&cycle, WEFT_DIRECTED, with(0.5), two);
    expect(&loop, WEFT_DIRECTED, with(0.75), four);
}

/* Centre c = 1 + 4 a p, points p = 1 + a c. */
TEST(of_a_star_both_kinds_of_vertices_have_their_equation) {
    static const arcs star = {.n = 5, .count = 4, .from = {0, 0, 0, 0}, .to = {1, 2, 3, 4}};
    static const double want[] = {8.0 / 3, 5.0 / 3, 5.0 / 3, 5.0 / 3, 5.0 / 3};
    expect(&star, WEFT_UNDIRECTED, with(0.25), want);
    const double steep = 0.49, c = (1 + 4 * steep) / (1 - 4 * steep * steep), p = 1 + steep * c;
    expect(&star, WEFT_UNDIRECTED, with(steep), (double[]){c, p, p, p, p});
}

TEST(components_do_not_feel_each_other) {
    static const arcs two = {.n = 6, .count = 4, .from = {0, 0, 1, 3}, .to = {1, 2, 2, 4}};
    static const double want[] = {2, 2, 2, 4.0 / 3, 4.0 / 3, 1};
    expect(&two, WEFT_UNDIRECTED, with(0.25), want);
}

TEST(parallel_arcs_and_weights_count_alike) {
    static const arcs three = {.n = 2, .count = 3, .from = {0, 0, 0}, .to = {1, 1, 1}};
    static const arcs heavy = {.n = 2, .count = 1, .from = {0}, .to = {1}, .weight = {3}};
    weft_katz_params p = with(0.25);
    static const double want[] = {1, 1.75}, both[] = {4, 4};
    expect(&three, WEFT_DIRECTED, p, want);
    expect(&three, WEFT_UNDIRECTED, p, both);
    p.weights = 1;
    expect(&heavy, WEFT_DIRECTED, p, want);
    expect(&heavy, WEFT_UNDIRECTED, p, both);
}

TEST(weights_may_be_of_any_size) {
    for (int k = -20; k <= 600; k += 155) {
        arcs scaled = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}, .weight = {ldexp(1, k), ldexp(3, k)}};
        weft_katz_params p = with(ldexp(0.25, -k));
        p.weights = 1;
        expect(&scaled, WEFT_DIRECTED, p, (double[]){1, 1.25, 1.9375});
    }
    static const arcs tiny = {.n = 2, .count = 1, .from = {0}, .to = {1}, .weight = {1e-200}};
    weft_katz_params p = with(0.5);
    p.weights = 1;
    expect(&tiny, WEFT_DIRECTED, p, (double[]){1, 1});
}

static void expect_refusal(const arcs *a, weft_direction direction, weft_katz_params p, weft_status status,
                           const char *words) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = graph_of(ctx, a, direction);
    weft_result *r = NULL;
    CHECK(weft_katz(ctx, g, &p, &r) == status && !r);
    CHECK_HAS(weft_ctx_message(ctx), words);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(an_alpha_that_is_too_large_is_refused_with_the_bound) {
    static const arcs k4 = {.n = 4, .count = 6, .from = {0, 0, 0, 1, 1, 2}, .to = {1, 2, 3, 2, 3, 3}};
    static const arcs cycle = {.n = 4, .count = 4, .from = {0, 1, 2, 3}, .to = {1, 2, 3, 0}};
    static const arcs star = {.n = 5, .count = 4, .from = {0, 0, 0, 0}, .to = {1, 2, 3, 4}};
    static const arcs giant = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}, .weight = {1e200, 1e200}};
    const char *third = "the graph's largest eigenvalue is at least 3, and alpha must be below 1 over it, 0.333333";
    expect_refusal(&k4, WEFT_UNDIRECTED, with(1.0 / 3), WEFT_EINVAL, third);
    expect_refusal(&k4, WEFT_UNDIRECTED, with(0.34), WEFT_EINVAL, third);
    expect_refusal(&k4, WEFT_UNDIRECTED, with(1e9), WEFT_EINVAL, third);
    expect_refusal(&cycle, WEFT_DIRECTED, with(1), WEFT_EINVAL, "eigenvalue is at least 1,");
    expect_refusal(&star, WEFT_UNDIRECTED, with(0.51), WEFT_EINVAL, "alpha 0.51 is too large");
    weft_katz_params p = with(0.5);
    p.weights = 1;
    expect_refusal(&giant, WEFT_DIRECTED, p, WEFT_EINVAL, "scores overflow");
    expect_refusal(&giant, WEFT_UNDIRECTED, p, WEFT_EINVAL, "is too large");
    expect_refusal(&k4, WEFT_DIRECTED, p, WEFT_EINVAL, "the graph has none");
    static const arcs negative = {.n = 2, .count = 1, .from = {0}, .to = {1}, .weight = {-1}};
    expect_refusal(&negative, WEFT_DIRECTED, p, WEFT_EINPUT, "weight");
    p = with(0.1);
    p.beta = 0;
    expect_refusal(&k4, WEFT_DIRECTED, p, WEFT_EINVAL, "beta");
}

/* The terms of a star swing, and neither shrink nor grow; of weights 2^600 apart fixed point loses the smaller. */
TEST(where_nothing_can_be_said_about_the_rest_the_error_is_infinite) {
    static const arcs star = {.n = 5, .count = 4, .from = {0, 0, 0, 0}, .to = {1, 2, 3, 4}};
    static const arcs wide = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}, .weight = {0x1p400, 0x1p-200}};
    for (int i = 0; i < 2; i++) {
        warnings w;
        weft_ctx *ctx = new_ctx(1, &w);
        weft_graph *g = i ? graph_of(ctx, &wide, WEFT_DIRECTED) : graph_of(ctx, &star, WEFT_UNDIRECTED);
        weft_result *r = NULL;
        weft_katz_params p = with(0.5);
        p.weights = i;
        p.bounds = 1;
        REQUIRE(g && weft_katz(ctx, g, &p, &r) == WEFT_OK);
        CHECK_HAS(w.text, "the missing part of the scores is unknown");
        CHECK(isinf(number_of(r, "error")) && isinf(weft_result_f64(r, "upper")[2]) && verified(ctx, g, &p, r));
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(terms_that_are_left_out_are_bounded_and_said) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_katz_params p = with(0.14);
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g));
    p.max_iterations = 60;
    p.bounds = 1;
    REQUIRE(weft_katz(ctx, g, &p, &r) == WEFT_OK);
    CHECK_HAS(w.text, "after 60 terms the scores may still be too small by");
    CHECK(number_of(r, "error") < 0.1 && verified(ctx, g, &p, r));
    weft_result_free(r);
    p.max_iterations = 1; /* a term alone tells nothing yet */
    REQUIRE(weft_katz(ctx, g, &p, &r) == WEFT_OK);
    CHECK_HAS(w.text, "the missing part of the scores is unknown");
    CHECK(isinf(number_of(r, "error")) && isinf(weft_result_f64(r, "upper")[0]) && verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* A tolerance of 0 is never met: it ends when the terms have vanished. */
TEST(terms_that_have_vanished_end_it) {
    static const arcs path = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}};
    static const arcs k4 = {.n = 4, .count = 6, .from = {0, 0, 0, 1, 1, 2}, .to = {1, 2, 3, 2, 3, 3}};
    weft_katz_params p = with(0.25);
    p.tolerance = 0;
    p.max_iterations = 1000000;
    expect(&path, WEFT_DIRECTED, p, (double[]){1, 1.25, 1.3125});
    expect(&k4, WEFT_UNDIRECTED, p, (double[]){4, 4, 4, 4});
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_katz_params p = with(0.1);
    p.bounds = 1;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g) && !weft_katz(ctx, g, &p, &r));
    CHECK(verified(ctx, g, &p, r));
    double *score = (double *)(uintptr_t)weft_result_f64(r, "score"),
           *upper = (double *)(uintptr_t)weft_result_f64(r, "upper"), keep = score[3], kept = upper[3];
    weft_scalar *iterations = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "iterations");
    const double wrong[] = {keep * (1 + 1e-10), keep * (1 - 1e-10), -keep, 0, (double)NAN};
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        score[3] = wrong[i];
        CHECK(!verified(ctx, g, &p, r));
    }
    score[3] = keep;
    const double beside[] = {keep * (1 + 1e-10), keep * 0.9, keep * 2, (double)NAN};
    for (size_t i = 0; i < LENGTH(beside); i++) {
        upper[3] = beside[i];
        CHECK(!verified(ctx, g, &p, r));
    }
    upper[3] = kept;
    iterations->value.u64 -= 1;
    CHECK(!verified(ctx, g, &p, r));
    iterations->value.u64 += 1;
    static const struct {
        const char *name;
        double factor;
    } scalars[] = {{"error", 0}, {"error", 100}, {"error", -1}, {"norm", 1.001}, {"norm", 0}};
    for (size_t i = 0; i < LENGTH(scalars); i++) {
        weft_scalar *s = (weft_scalar *)(uintptr_t)weft_result_scalar(r, scalars[i].name);
        double before = s->value.f64;
        s->value.f64 *= scalars[i].factor;
        CHECK(!verified(ctx, g, &p, r));
        s->value.f64 = before;
    }
    CHECK(verified(ctx, g, &p, r));
    p.bounds = 0;
    CHECK(!verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
