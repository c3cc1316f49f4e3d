/* mixing: graphs whose figures one can work out, sums that need more than 128 bits; the verifier refuses what is wrong. */
#include "order_support.h"

#include "algo/mixing/correlate.h"
#include "weft/mixing.h"

static const weft_vid halves[] = {0, 0, 1, 1};

static double real_of(const weft_result *r, const char *name) {
    const weft_scalar *s = weft_result_scalar(r, name);
    return s ? s->value.f64 : -2;
}

static bool alike(double a, double b) { return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b; }

typedef struct wanted {
    double density, assortativity, groups, reciprocity, transitivity;
} wanted;

static void expect(const char *edges, uint64_t n, weft_direction direction, const weft_vid *groups, wanted want) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, n, edges, direction, WEFT_DUPLICATES_KEEP);
    weft_mixing_params p = WEFT_MIXING_DEFAULTS;
    p.groups = groups;
    weft_result *r = verified_run(ctx, "mixing", g, &p);
    REQUIRE(r);
    const double got[] = {real_of(r, "density"), real_of(r, "assortativity"), real_of(r, "group_assortativity"),
                          real_of(r, "reciprocity"), real_of(r, "transitivity")},
                 is[] = {want.density, want.assortativity, want.groups, want.reciprocity, want.transitivity};
    for (size_t i = 0; i < LENGTH(is); i++)
        if (!alike(got[i], is[i])) HARNESS_FAIL("%s: figure %zu is %.17g, not %.17g", edges, i, got[i], is[i]);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(small_graphs_have_the_figures_one_works_out) {
    expect("", 0, WEFT_UNDIRECTED, NULL, (wanted){0, NAN, NAN, NAN, 0});
    expect("", 2, WEFT_DIRECTED, NULL, (wanted){0, NAN, NAN, NAN, 0});
    expect("0>1 1>2 2>0", 3, WEFT_UNDIRECTED, NULL, (wanted){1, NAN, NAN, 1, 1});
    /* A star: leaves are joined to the hub alone. */
    expect("0>1 0>2 0>3", 4, WEFT_UNDIRECTED, halves, (wanted){.5, -1, -.5, 1, 0});
    /* Two edges, each within a group. */
    expect("0>1 2>3", 4, WEFT_UNDIRECTED, halves, (wanted){(double)1 / 3, NAN, 1, 1, 0});
    /* All within one group: nothing could be different. */
    expect("0>1", 4, WEFT_UNDIRECTED, halves, (wanted){(double)1 / 6, NAN, NAN, 1, 0});
    /* Who has two arcs out leads to one who has one in and to one who has two. */
    expect("0>1 0>2 1>2", 3, WEFT_DIRECTED, NULL, (wanted){.5, -.5, NAN, 0, 1});
    expect("0>1 1>0 1>2", 3, WEFT_DIRECTED, NULL, (wanted){.5, NAN, NAN, (double)2 / 3, 0});
}

TEST(loops_and_parallel_arcs) {
    /* A loop is an arc of a correlation and of groups, but has no reverse, and no place in density. */
    expect("0>0 0>1", 2, WEFT_DIRECTED, NULL, (wanted){.5, NAN, NAN, 0, 0});
    expect("0>0 0>1", 2, WEFT_UNDIRECTED, NULL, (wanted){1, -.5, NAN, 1, 0});
    expect("0>0", 1, WEFT_UNDIRECTED, NULL, (wanted){0, NAN, NAN, NAN, 0});
    /* Both of two parallel arcs are answered by the one back. */
    expect("0>1 0>1 1>0 2>0", 3, WEFT_DIRECTED, NULL,
           (wanted){(double)2 / 3, wfi_correlation(4, &(wfi_moments){6, 8, 10, 16, 12}), NAN, .75, 0});
}

TEST(the_rich_club_goes_down_from_the_highest_degree) {
    weft_ctx *ctx = new_ctx(0, NULL);
    /* A triangle, each of whose corners has a leaf. */
    weft_graph *g = arcs_of(ctx, 7, "0>1 1>2 0>2 0>3 1>4 2>5", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_result *r = verified_run(ctx, "mixing", g, NULL);
    REQUIRE(r && weft_result_column(r, "degree")->length == 3);
    static const uint64_t degree[] = {0, 1, 3}, count[] = {1, 3, 3}, club[] = {7, 6, 3}, edges[] = {6, 6, 3};
    static const double rich[] = {(double)2 / 7, .4, 1};
    for (int i = 0; i < 3; i++) {
        CHECK_U64(weft_result_u64(r, "degree")[i], degree[i]);
        CHECK_U64(weft_result_u64(r, "count")[i], count[i]);
        CHECK_U64(weft_result_u64(r, "club")[i], club[i]);
        CHECK_U64(weft_result_u64(r, "club_edges")[i], edges[i]);
        CHECK(weft_result_f64(r, "rich_club")[i] == rich[i]);
    }
    CHECK(weft_result_f64(r, "neighbour_degree")[0] == (double)7 / 3);
    CHECK(weft_result_f64(r, "neighbour_degree")[6] == 0 && isnan(weft_result_f64(r, "reciprocity")[6]));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(correlations_are_exact_up_to_the_last_step) {
    wfi_sum one = 1, large = (one << 100) + 1;
    CHECK(wfi_products_apart(large, large, one << 100, one << 100) == 0x1p101);
    CHECK(wfi_products_apart(one << 100, one << 100, large, large) == -0x1p101);
    CHECK(wfi_products_apart(large, large, large, large) == 0);
    /* Halfway between two doubles: to the even one, and up as soon as a bit far below is 1. */
    CHECK(wfi_products_apart((one << 117) + (one << 64), 1, 0, 0) == 0x1p117);
    CHECK(wfi_products_apart((one << 117) + (one << 64) + 1, 1, 0, 0) == 0x1p117 + 0x1p65);
    CHECK(wfi_products_apart((one << 53) + 1, one << 120, 0, 0) == 0x1p173);
    CHECK(wfi_products_apart(((one << 53) + 1) << 40, one << 120, one, one << 127) == 0x1p213);
    /* Pairs (k + 2^40, k + 2^40): a sum in doubles would lose what differs. */
    wfi_moments sum = {0};
    for (int k = 0; k < 3; k++) {
        wfi_sum x = (one << 40) + (unsigned)k;
        sum.x += x, sum.y += x, sum.xx += x * x, sum.yy += x * x, sum.xy += x * x;
    }
    CHECK(wfi_correlation(3, &sum) == 1);
    CHECK(isnan(wfi_correlation(0, &(wfi_moments){0})));
}

TEST(a_hub_and_a_long_path_do_not_overflow) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params made = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    made.n = 200001;
    REQUIRE(!weft_generate(ctx, "star", &made, NULL, &g));
    weft_result *r = verified_run(ctx, "mixing", g, NULL);
    REQUIRE(r);
    CHECK(real_of(r, "assortativity") == -1);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Where the oriented edges have no room, rows are compared as they are. */
TEST(less_memory_gives_the_same_bytes) {
    for (int directed = 0; directed < 2; directed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params made = WEFT_GENERATE_DEFAULTS;
        made.scale = 10;
        made.undirected = !directed;
        weft_graph *g = NULL;
        weft_csr in = {.size = sizeof in};
        weft_plan *plan = NULL;
        uint64_t digest[2] = {0, 0};
        REQUIRE(!weft_generate(ctx, "rmat", &made, NULL, &g) && !weft_graph_in(ctx, g, &in));
        for (int lean = 0; lean < 2; lean++) {
            weft_result *r = NULL;
            REQUIRE(!weft_plan_new(ctx, "mixing", g, NULL, &plan));
            CHECK_U64((uint64_t)weft_plan_method_id(plan), (uint64_t)lean);
            uint64_t bytes = weft_plan_host_bytes(plan);
            REQUIRE(!weft_plan_run(plan, &r) && !weft_result_digest(ctx, r, &digest[lean]));
            weft_result_free(r);
            weft_plan_free(plan);
            REQUIRE(!weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + bytes - 1));
        }
        CHECK_U64(digest[1], digest[0]);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_mixing_params p = WEFT_MIXING_DEFAULTS;
    p.groups = halves;
    weft_graph *g = directed_of(ctx, 4, "0>1 1>0 1>2 2>3 3>0 0>2");
    weft_result *r = verified_run(ctx, "mixing", g, &p);
    REQUIRE(r);
    static const char *const wholes[] = {"degree", "count", "club", "club_edges"}, *const reals[] = {"neighbour_degree",
                                                                                                     "reciprocity",
                                                                                                     "rich_club"};
    for (size_t i = 0; i < LENGTH(wholes); i++) {
        uint64_t *value = (uint64_t *)(uintptr_t)weft_result_u64(r, wholes[i]);
        value[0]++;
        CHECK(refused(ctx, "mixing", g, &p, r));
        value[0]--;
    }
    for (size_t i = 0; i < LENGTH(reals); i++) {
        double *value = (double *)(uintptr_t)weft_result_f64(r, reals[i]), was = value[0];
        value[0] += .25;
        CHECK(refused(ctx, "mixing", g, &p, r));
        value[0] = was;
    }
    for (size_t i = 0; i < weft_result_scalar_count(r); i++) {
        weft_scalar *s = (weft_scalar *)(uintptr_t)weft_result_scalar_at(r, i), was = *s;
        if (s->type == WEFT_U64)
            s->value.u64++;
        else
            s->value.f64 += .25;
        CHECK(refused(ctx, "mixing", g, &p, r));
        *s = was;
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
