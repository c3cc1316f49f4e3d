/* pagerank --precision f16: the conversion on every half there is, how far the ranks are from those of f64, what is refused,
 * warned of and caught by the verifier. */
#include "pagerank_support.h"

#include "algo/pagerank/pagerank.h"
#include "core/half.h"
#include "cuda/device.h"

static double value_of(uint32_t half) { return (double)wfi_half_units((uint16_t)half) * 0x1p-24; }

TEST(every_half_comes_back_and_what_lies_between_goes_to_the_nearest) {
    enum { MOST = 0x7bff };
    CHECK(value_of(0) == 0 && value_of(1) == 0x1p-24 && value_of(0x400) == 0x1p-14 && value_of(0x3c00) == 1);
    CHECK(value_of(MOST) == 65504);
    for (uint32_t h = 0; h < MOST; h++) {
        double low = value_of(h), high = value_of(h + 1);
        float middle = (float)((low + high) / 2);
        CHECK(low < high && wfi_half_of((float)low) == h);
        CHECK(wfi_half_of(middle) == (h & 1 ? h + 1 : h));
        CHECK(wfi_half_of(nextafterf(middle, 0)) == h && wfi_half_of(nextafterf(middle, 1e6F)) == h + 1);
    }
    CHECK(wfi_half_of(65504) == MOST && wfi_half_of(65519) == MOST && wfi_half_of(1e30F) == MOST);
}

/* The most that the sums have to hold: the unit stays at or above 2^-62, and a share of 1 below 2^16. */
TEST(the_scale_suits_any_number_of_vertices) {
    CHECK(wfi_pagerank_half_scale(0) == 15 && wfi_pagerank_half_scale(1) == 15);
    CHECK(wfi_pagerank_half_scale(1u << 19) == 15 && wfi_pagerank_half_scale((1u << 19) + 1) == 16);
    CHECK(wfi_pagerank_half_scale(1u << 24) == 20 && wfi_pagerank_half_scale(UINT32_MAX) == 28);
    for (int bits = 0; bits < 32; bits++) CHECK(62 - 24 - wfi_pagerank_half_scale((weft_vid)1 << bits) >= 0);
}

/* So many iterations that f64 would not change any more. */
static weft_pagerank_params to_the_end(weft_precision precision) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.precision = precision;
    p.iterations = 150;
    return p;
}

static weft_result *run(weft_ctx *ctx, const weft_graph *g, weft_precision precision) {
    weft_pagerank_params p = to_the_end(precision);
    weft_result *r = NULL;
    if (weft_pagerank(ctx, g, &p, &r)) HARNESS_FAIL("pagerank: %s", weft_ctx_message(ctx));
    CHECK(r && verified(ctx, g, &p, r));
    return r;
}

/* Three digits are all that is promised; the sum is right nevertheless.  The ranks must not be those of f32. */
TEST(ranks_are_near_those_of_f64) {
    static const char *const kinds[] = {"rmat", "uniform", "star", "path"};
    weft_ctx *ctx = new_ctx(2, NULL);
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (int undirected = 0; undirected < 2; undirected++) {
            weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
            gp.scale = 13;
            gp.n = 70001;
            gp.degree = k < 2 ? 8 : NAN;
            weft_graph *g = generated(ctx, kinds[k], gp, undirected ? WEFT_UNDIRECTED : WEFT_AS_FILE);
            REQUIRE(g);
            weft_result *half = run(ctx, g, WEFT_PRECISION_F16), *exact = run(ctx, g, WEFT_PRECISION_F64);
            REQUIRE(half && exact);
            double apart = 0, most = 0;
            for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
                double off = fabs(rank_at(half, v) - rank_at(exact, v));
                apart += off;
                most = fmax(most, off / rank_at(exact, v));
            }
            CHECK(apart < 2e-3);
            CHECK(k > 1 || apart > 1e-6); /* more than f32 is off */
            CHECK(most < 4e-3);
            CHECK(fabs(real(half, "sum") - 1) < 2e-6);
            weft_result_free(half);
            weft_result_free(exact);
            weft_graph_free(g);
        }
    weft_ctx_free(ctx);
}

/* Rounding to 11 bits lets ranks jump to and fro; the one who asked is told. */
TEST(a_tolerance_out_of_reach_is_said) {
    warnings w;
    weft_ctx *ctx = new_ctx(2, &w);
    weft_graph *g = NULL;
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_result *r = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    p.precision = WEFT_PRECISION_F16;
    p.tolerance = 1e-4;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_OK && whole(r, "iterations") < 20 && w.count == 0);
    weft_result_free(r);
    p.tolerance = 1e-6;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_OK && whole(r, "iterations") == 100);
    CHECK_HAS(w.text, "contributions in f16 seldom settle below 1e-5");
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(weights_are_refused_and_too_large_contributions_warned_of) {
    enum { MANY = 1 << 21 };
    static const weft_vid loop = 0;
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *weighted = read_text(ctx, "1 2 3\n", NULL);
    weft_graph *g = graph_of(ctx, MANY, 1, &loop, &loop, NULL, WEFT_WEIGHT_NONE, WEFT_DIRECTED);
    double *restart = calloc(MANY, sizeof *restart);
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_result *r = NULL;
    REQUIRE(g && weighted && restart);
    p.precision = WEFT_PRECISION_F16;
    p.weights = 1;
    CHECK(weft_pagerank(ctx, weighted, &p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "without weights");
    p.weights = 0;
    p.restart = restart;
    restart[0] = 1; /* all rank goes round and round there */
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "1 of the vertices contribute more than f16 holds (0.5)");
    free(restart);
    weft_graph_free(g);
    weft_graph_free(weighted);
    weft_ctx_free(ctx);
}

/* Also when the ranks never come to the host. */
TEST(the_gpu_tells_of_too_large_contributions) {
    enum { MANY = 1 << 21 };
    static const weft_vid loop = 0;
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of(ctx, MANY, 1, &loop, &loop, NULL, WEFT_WEIGHT_NONE, WEFT_DIRECTED);
    double *restart = calloc(MANY, sizeof *restart);
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    REQUIRE(g && restart);
    p.precision = WEFT_PRECISION_F16;
    p.restart = restart;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int stays = 0; stays < 2; stays++) {
        weft_result *r = NULL;
        weft_ctx_set_results_on_device(ctx, stays);
        restart[0] = 1;
        restart[1] = 0;
        CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL && !r);
        CHECK_HAS(weft_ctx_message(ctx), "1 of the vertices contribute more than f16 holds (0.5)");
        restart[0] = 0;
        restart[1] = 1; /* no arc leaves it */
        CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_OK && r);
        weft_result_free(r);
    }
    free(restart);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* With a damping of 1 rounding up would take rank from where none comes in. */
TEST(no_rank_falls_below_0) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 10;
    gp.degree = 3;
    weft_graph *g = generated(ctx, "rmat", gp, WEFT_AS_FILE);
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    REQUIRE(g);
    p.precision = WEFT_PRECISION_F16;
    p.damping = 1;
    for (p.iterations = 1; p.iterations < 60; p.iterations++) {
        weft_result *r = NULL;
        REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) CHECK(rank_at(r, v) >= 0);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_takes_three_digits_and_no_fewer) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    weft_result *r = run(ctx, g, WEFT_PRECISION_F16);
    REQUIRE(r);
    weft_pagerank_params p = to_the_end(WEFT_PRECISION_F32);
    float *rank = (float *)(uintptr_t)weft_result_f32(r, "rank"), kept = rank[3];
    weft_scalar *sum = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "sum");
    CHECK(!verified(ctx, g, &p, r)); /* as ranks of f32 they would not do */
    p.precision = WEFT_PRECISION_F16;
    CHECK(verified(ctx, g, &p, r));
    rank[3] = kept * 1.05F;
    sum->value.f64 += (double)(rank[3] - kept);
    CHECK(!verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
