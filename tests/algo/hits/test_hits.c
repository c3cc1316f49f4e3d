/* hits: answers by eye, weights of any size, and results that the verifier must refuse. */
#include "support.h"

#include "weft/check.h"
#include "weft/hits.h"

enum { MOST = 8 };

typedef struct arcs {
    weft_vid n;
    size_t count;
    weft_vid from[MOST], to[MOST];
    float weight[MOST];
} arcs;

static weft_graph *graph_of(weft_ctx *ctx, const arcs *a, weft_direction direction) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    bool weighted = a->count && a->weight[0] != 0;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, a->n, a->count, a->from, a->to, weighted ? a->weight : NULL,
                              weighted ? WEFT_WEIGHT_F32 : WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static bool verified(weft_ctx *ctx, const weft_graph *g, const weft_hits_params *p, const weft_result *r) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "hits", g, p, r, &report)) return false;
    return report.passed;
}

static void expect(const arcs *a, weft_direction direction, const weft_hits_params *p, const double *hub,
                   const double *authority, double near) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of(ctx, a, direction);
    weft_result *r = NULL;
    REQUIRE(g && weft_hits(ctx, g, p, &r) == WEFT_OK);
    for (weft_vid v = 0; v < a->n; v++) {
        CHECK_NEAR(weft_result_f64(r, "hub")[v], hub[v], near);
        CHECK_NEAR(weft_result_f64(r, "authority")[v], authority[v], near);
    }
    CHECK(verified(ctx, g, p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_star_has_one_hub_and_its_points_are_authorities) {
    static const arcs star = {.n = 4, .count = 3, .from = {0, 0, 0}, .to = {1, 2, 3}};
    static const double hub[] = {1, 0, 0, 0}, third[] = {0, 1.0 / 3, 1.0 / 3, 1.0 / 3};
    expect(&star, WEFT_DIRECTED, NULL, hub, third, 1e-15);
    static const arcs turned = {.n = 4, .count = 3, .from = {1, 2, 3}, .to = {0, 0, 0}};
    expect(&turned, WEFT_DIRECTED, NULL, third, hub, 1e-15);
}

TEST(a_complete_graph_has_equal_values) {
    static const arcs k4 = {.n = 4, .count = 6, .from = {0, 0, 0, 1, 1, 2}, .to = {1, 2, 3, 2, 3, 3}};
    static const double quarter[] = {0.25, 0.25, 0.25, 0.25};
    expect(&k4, WEFT_UNDIRECTED, NULL, quarter, quarter, 1e-15);
}

/* Both arcs have the same singular value: what remains is where the iteration began. */
TEST(a_path_shares_alike) {
    static const arcs path = {.n = 3, .count = 2, .from = {0, 1}, .to = {1, 2}};
    static const double hub[] = {0.5, 0.5, 0}, authority[] = {0, 0.5, 0.5};
    expect(&path, WEFT_DIRECTED, NULL, hub, authority, 1e-15);
}

TEST(where_no_arc_counts_all_are_zero) {
    static const arcs none = {.n = 2, .count = 0}, loop = {.n = 1, .count = 1};
    static const double zero[] = {0, 0}, one[] = {1};
    expect(&none, WEFT_DIRECTED, NULL, zero, zero, 0);
    expect(&(arcs){.n = 0, .count = 0}, WEFT_UNDIRECTED, NULL, zero, zero, 0);
    expect(&loop, WEFT_DIRECTED, NULL, one, one, 0);
}

/* Three arcs one after the other, or one of weight 3: an iteration squares the ratio to the one arc elsewhere. */
TEST(parallel_arcs_and_weights_count_alike) {
    static const arcs three = {.n = 4, .count = 4, .from = {0, 0, 0, 2}, .to = {1, 1, 1, 3}};
    static const arcs heavy = {.n = 4, .count = 2, .from = {0, 2}, .to = {1, 3}, .weight = {3, 1}};
    static const double hub[] = {0.9, 0, 0.1, 0}, authority[] = {0, 0.75, 0, 0.25};
    static const double end_hub[] = {1, 0, 0, 0}, end_authority[] = {0, 1, 0, 0};
    weft_hits_params p = WEFT_HITS_DEFAULTS;
    p.iterations = 1;
    expect(&three, WEFT_DIRECTED, &p, hub, authority, 1e-15);
    p.weights = 1;
    expect(&heavy, WEFT_DIRECTED, &p, hub, authority, 1e-15);
    p.iterations = 0;
    expect(&heavy, WEFT_DIRECTED, &p, end_hub, end_authority, 1e-8);
}

TEST(weights_may_be_as_large_or_small_as_floats_are) {
    static const double hub[] = {0.9, 0, 0.1, 0}, authority[] = {0, 0.75, 0, 0.25};
    weft_hits_params p = WEFT_HITS_DEFAULTS;
    p.iterations = 1;
    p.weights = 1;
    for (int k = -120; k <= 120; k += 60) {
        arcs scaled = {.n = 4, .count = 2, .from = {0, 2}, .to = {1, 3}, .weight = {ldexpf(3, k), ldexpf(1, k)}};
        expect(&scaled, WEFT_DIRECTED, &p, hub, authority, 1e-15);
    }
}

TEST(what_cannot_be_is_refused_and_said) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    static const arcs plain = {.n = 3, .count = 3, .from = {0, 1, 1}, .to = {1, 2, 1}},
                      negative = {.n = 2, .count = 1, .from = {0}, .to = {1}, .weight = {-1}};
    weft_graph *g = graph_of(ctx, &plain, WEFT_DIRECTED), *below = graph_of(ctx, &negative, WEFT_DIRECTED);
    weft_hits_params p = WEFT_HITS_DEFAULTS;
    weft_result *r = NULL;
    p.weights = 1;
    CHECK(weft_hits(ctx, g, &p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "the graph has none");
    CHECK(weft_hits(ctx, below, &p, &r) == WEFT_EINPUT && !r);
    CHECK_HAS(weft_ctx_message(ctx), "weight");
    p = (weft_hits_params)WEFT_HITS_DEFAULTS;
    p.max_iterations = 2;
    REQUIRE(weft_hits(ctx, g, &p, &r) == WEFT_OK);
    CHECK_HAS(w.text, "after 2 iterations the values still change");
    weft_result_free(r);
    weft_graph_free(g);
    weft_graph_free(below);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g) && !weft_hits(ctx, g, NULL, &r));
    CHECK(verified(ctx, g, NULL, r));
    double *hub = (double *)(uintptr_t)weft_result_f64(r, "hub"),
           *authority = (double *)(uintptr_t)weft_result_f64(r, "authority");
    weft_scalar *iterations = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "iterations"),
                *residual = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "residual");
    hub[3] += 1e-9;
    CHECK(!verified(ctx, g, NULL, r));
    hub[3] -= 1e-9;
    authority[0] = -authority[0];
    CHECK(!verified(ctx, g, NULL, r));
    authority[0] = -authority[0];
    iterations->value.u64 -= 1;
    CHECK(!verified(ctx, g, NULL, r));
    iterations->value.u64 += 1;
    residual->value.f64 *= 2;
    CHECK(!verified(ctx, g, NULL, r));
    residual->value.f64 /= 2;
    CHECK(verified(ctx, g, NULL, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
