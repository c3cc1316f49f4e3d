/* aggregate: small answers seen by eye, the order of the sums written down a second time and held against every bit,
 * zeros, infinities and NaN, refusals, and the sweeps. */
#include "aggregate_support.h"
#include "plan_bytes.h"

#include <float.h>

TEST(mean_sum_and_maximum_of_those_that_point_here) {
    static const float x[] = {1, 10, 2, 20, 4, 40, 8, 80};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3 1>3 2>3 3>0 2>0");
    params_t p = WEFT_AGGREGATE_DEFAULTS;
    p.features = matrix_at(x, 4, 2, WEFT_F32);
    CHECK(p.op == WEFT_AGGREGATE_MEAN);
    EXPECT(p, "6 60; 0 0; 0 0; 2.33333325 23.333334");
    p.op = WEFT_AGGREGATE_SUM;
    EXPECT(p, "12 120; 0 0; 0 0; 7 70");
    p.op = WEFT_AGGREGATE_MAX;
    EXPECT(p, "8 80; 0 0; 0 0; 4 40");
    p.self_loop = 1;
    EXPECT(p, "8 80; 2 20; 4 40; 8 80");
    p.op = WEFT_AGGREGATE_SUM;
    EXPECT(p, "13 130; 2 20; 4 40; 15 150");
    p.op = WEFT_AGGREGATE_MEAN;
    EXPECT(p, "4.33333349 43.3333321; 2 20; 4 40; 3.75 37.5");
    weft_graph_free(g);
    g = arcs_of(ctx, 4, "0>1 1>2", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    p.self_loop = 0;
    EXPECT(p, "2 20; 2.5 25; 2 20; 0 0");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(nothing_gives_nothing) {
    static const float x[] = {-3, 5};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 0, "");
    for (int op = WEFT_AGGREGATE_SUM; op <= WEFT_AGGREGATE_MAX; op++) {
        params_t p = params_of(op, NULL, 0, 3);
        EXPECT(p, "");
    }
    weft_graph_free(g);
    g = directed_of(ctx, 2, "");
    for (int op = WEFT_AGGREGATE_SUM; op <= WEFT_AGGREGATE_MAX; op++) {
        params_t p = params_of(op, x, 2, 1);
        EXPECT(p, "0; 0");
        p.self_loop = 1;
        EXPECT(p, "-3; 5");
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_loop_makes_a_vertex_its_own_neighbour_once) {
    static const float x[] = {1, 2, 4};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 3, "0>0 0>1 2>1");
    params_t p = params_of(WEFT_AGGREGATE_SUM, x, 3, 1);
    EXPECT(p, "1; 5; 0");
    p.self_loop = 1;
    EXPECT(p, "1; 7; 4");
    weft_graph_free(g);
    g = arcs_of(ctx, 3, "0>0 0>0 0>1 0>1 2>1", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP); /* parallel arcs count each */
    EXPECT(p, "2; 8; 4");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(gcn_divides_by_the_roots_of_both_degrees) {
    static const float x[] = {1, 2, 4, 8};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, 4, "0>1 1>2 1>3", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    params_t p = params_of(WEFT_AGGREGATE_MEAN, x, 4, 1), sum = params_of(WEFT_AGGREGATE_SUM, x, 4, 1);
    p.normalize = sum.normalize = WEFT_NORMALIZE_GCN;
    weft_result *r = verified_run(ctx, "aggregate", g, &p), *again = verified_run(ctx, "aggregate", g, &sum);
    REQUIRE(r && again);
    const float *f = weft_result_f32(r, "f");
    CHECK_NEAR(f[0], 2 / sqrt(3), 1e-6); /* the centre has 3 neighbours, the rays 1 */
    CHECK_NEAR(f[1], 13 / sqrt(3), 1e-6);
    CHECK(same_results(r, again)); /* gcn takes the place of either */
    weft_result_free(r);
    weft_result_free(again);
    p.self_loop = 1;
    r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    f = weft_result_f32(r, "f");
    CHECK_NEAR(f[0], 2 / sqrt(8) + 1 / 2.0, 1e-6);
    CHECK_NEAR(f[1], 13 / sqrt(8) + 2 / 4.0, 1e-6);
    weft_result_free(r);
    weft_graph_free(g);
    g = directed_of(ctx, 4, "0>1 1>2 3>2"); /* nobody points at 0 and 3: their degree is 0, and so is their share */
    p.self_loop = 0;
    r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    f = weft_result_f32(r, "f");
    CHECK(f[0] == 0 && f[1] == 0 && f[3] == 0);
    CHECK_NEAR(f[2], 2 / sqrt(2), 1e-6);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- the order of the sums ----------------------------------------------------------------- */

static bool loops_already(const weft_csr *in, weft_vid v) {
    for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++)
        if (in->targets[e] == v) return true;
    return false;
}

static float root(const weft_csr *in, const params_t *p, weft_vid v) {
    uint64_t d = in->offsets[v + 1] - in->offsets[v] + (p->self_loop && !loops_already(in, v));
    return d ? (float)(1 / sqrt((double)d)) : 0;
}

/* One value as docs/algo/aggregate.md says that it is computed. */
static float by_the_book(const weft_csr *in, const params_t *p, weft_vid v, size_t c) {
    const float *x = p->features->data;
    uint64_t width = p->features->width, count = in->offsets[v + 1] - in->offsets[v];
    bool joins = p->self_loop && !loops_already(in, v);
    float total = 0, sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        weft_vid u = in->targets[in->offsets[v] + i];
        float term = x[u * width + c];
        if (p->normalize) term = term * root(in, p, u);
        sum = sum + term;
        if ((i + 1) % 256 == 0 || i + 1 == count) total = total + sum, sum = 0;
    }
    float own = x[v * width + c];
    if (p->normalize) own = own * root(in, p, v);
    if (joins) total = total + own, count++;
    if (p->normalize) return total * root(in, p, v);
    return p->op == WEFT_AGGREGATE_MEAN && count ? total / (float)count : total;
}

TEST(every_bit_is_as_the_book_says) {
    static const uint64_t widths[] = {1, 2, 3, 5, 8, 15, 16, 33, 64, 100, 129};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_vid u[4000], v[4000], n = 300;
    dice d = {.seed = 11};
    for (size_t i = 0; i < LENGTH(u); i++) {
        u[i] = (weft_vid)roll(&d, n);
        v[i] = i < 2000 ? (weft_vid)roll(&d, 3) : (weft_vid)roll(&d, n); /* a few rows longer than a block */
    }
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_DIRECTED;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = NULL;
    weft_csr in = {.size = sizeof in};
    REQUIRE(weft_graph_from_edges(ctx, n, LENGTH(u), u, v, NULL, WEFT_WEIGHT_NONE, &build, &g) == WEFT_OK);
    REQUIRE(weft_graph_in(ctx, g, &in) == WEFT_OK);
    CHECK(in.offsets[1] - in.offsets[0] > 2 * 256);
    for (size_t w = 0; w < LENGTH(widths); w++)
        for (int way = 0; way < 6; way++) {
            float *x = random_features(n, widths[w], 5);
            params_t p = params_of(way % 3 == 1 ? WEFT_AGGREGATE_SUM : WEFT_AGGREGATE_MEAN, x, n, widths[w]);
            p.normalize = way % 3 == 2;
            p.self_loop = way >= 3;
            weft_result *r = verified_run(ctx, "aggregate", g, &p);
            const float *f = r ? weft_result_f32(r, "f") : NULL;
            size_t differ = 0;
            for (weft_vid row = 0; f && row < n; row++)
                for (size_t c = 0; c < widths[w]; c++) {
                    float want = by_the_book(&in, &p, row, c);
                    differ += memcmp(&want, &f[row * widths[w] + c], sizeof want) != 0;
                }
            if (!f || differ) HARNESS_FAIL("width %" PRIu64 ", way %d: %zu values differ", widths[w], way, differ);
            weft_result_free(r);
            free(x);
        }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_hub_is_summed_in_blocks) {
    enum { RAYS = 100000 };
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params star = WEFT_GENERATE_DEFAULTS;
    star.n = RAYS + 1;
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "star", &star, NULL, &g) == WEFT_OK);
    float *x = random_features(RAYS + 1, 3, 7);
    for (size_t i = 0; i <= RAYS; i++) x[3 * i] = 1, x[3 * i + 1] = 0.1f;
    params_t p = params_of(WEFT_AGGREGATE_SUM, x, RAYS + 1, 3);
    weft_result *r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    const float *f = weft_result_f32(r, "f");
    CHECK_NEAR(f[0], RAYS, 0);
    CHECK_NEAR(f[1], 1e4, 0.05); /* one after the other it would be 9998.56 */
    weft_result_free(r);
    weft_graph_free(g);
    free(x);
    weft_ctx_free(ctx);
}

TEST(odd_numbers_come_out_as_the_book_says) {
    static const uint32_t quiet = 0x7fc00000;
    static const float x[] = {-0.0f, INFINITY, 1, -0.0f, -INFINITY, NAN, 0.0f, 2, 3, -7, -8, -9};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3 1>3 0>2 2>1");
    params_t p = params_of(WEFT_AGGREGATE_SUM, x, 4, 3);
    weft_result *r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    const float *f = weft_result_f32(r, "f");
    CHECK(f[9] == 0 && !signbit(f[9]));
    CHECK(!memcmp(&f[10], &quiet, 4) && !memcmp(&f[11], &quiet, 4)); /* inf - inf, 1 + NaN */
    CHECK(f[6] == 0 && !signbit(f[6]) && f[7] == INFINITY && f[8] == 1);
    weft_result_free(r);
    p.op = WEFT_AGGREGATE_MAX;
    r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    f = weft_result_f32(r, "f");
    CHECK(f[9] == 0 && !signbit(f[9]) && f[10] == INFINITY && !memcmp(&f[11], &quiet, 4));
    CHECK(f[3] == 0 && f[4] == 2 && f[5] == 3);
    weft_result_free(r);
    static const float large[] = {FLT_MAX, FLT_MAX, FLT_MAX, 0};
    p = params_of(WEFT_AGGREGATE_MEAN, large, 4, 1);
    r = verified_run(ctx, "aggregate", g, &p); /* the sum is out of range before it is divided */
    CHECK(r && weft_result_f32(r, "f")[3] == INFINITY);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- refusals -------------------------------------------------------------------------------- */

TEST(what_makes_no_sense_is_refused) {
    static const float x[12];
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3");
    expect_refusal(ctx, g, NULL, "needs features");
    params_t p = params_of(WEFT_AGGREGATE_SUM, x, 3, 4);
    expect_refusal(ctx, g, &p, "have 3 rows, but the graph has 4 vertices");
    p = params_of(WEFT_AGGREGATE_SUM, x, 4, 0);
    expect_refusal(ctx, g, &p, "no columns");
    p = params_of(WEFT_AGGREGATE_SUM, NULL, 4, 3);
    expect_refusal(ctx, g, &p, "too many for memory");
    p = params_of(WEFT_AGGREGATE_SUM, x, 4, UINT64_MAX / 8);
    expect_refusal(ctx, g, &p, "too many for memory");
    p = params_of(WEFT_AGGREGATE_MAX + 1, x, 4, 3);
    expect_refusal(ctx, g, &p, "unknown value");
    p = params_of(WEFT_AGGREGATE_MAX, x, 4, 3);
    p.normalize = WEFT_NORMALIZE_GCN;
    expect_refusal(ctx, g, &p, "maximum");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_memory_limit_is_respected) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = generate_shape(ctx, &shapes[1], WEFT_DIRECTED);
    weft_vid n = weft_graph_vertices(g);
    float *x = random_features(n, 64, 1);
    params_t p = params_of(WEFT_AGGREGATE_MEAN, x, n, 64);
    weft_result *r = NULL;
    weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + (4u << 20));
    CHECK(weft_aggregate(ctx, g, &p, &r) == WEFT_ENOMEM && !r);
    CHECK_HAS(weft_ctx_message(ctx), "memory limit");
    p.features = matrix_at(p.features->data, p.features->rows, 4, p.features->type);
    CHECK(weft_aggregate(ctx, g, &p, &r) == WEFT_OK);
    weft_result_free(r);
    free(x);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = generate_shape(ctx, &shapes[8], WEFT_DIRECTED);
    weft_vid n = weft_graph_vertices(g);
    float *x = random_features(n, 3, 3);
    for (int way = 0; way < 4; way++) {
        params_t p = params_of(way < 3 ? way : WEFT_AGGREGATE_MEAN, x, n, 3);
        p.normalize = way == 3;
        weft_result *r = verified_run(ctx, "aggregate", g, &p);
        REQUIRE(r);
        float *f = (float *)(uintptr_t)weft_result_f32(r, "f"), kept = f[3 * 7 + 1];
        f[3 * 7 + 1] = kept + fabsf(kept) * 1e-2f + 1e-2f;
        CHECK(refused(ctx, "aggregate", g, &p, r));
        f[3 * 7 + 1] = NAN;
        CHECK(refused(ctx, "aggregate", g, &p, r));
        f[3 * 7 + 1] = INFINITY;
        CHECK(refused(ctx, "aggregate", g, &p, r));
        f[3 * 7 + 1] = kept;
        CHECK(!refused(ctx, "aggregate", g, &p, r));
        params_t other = p;
        other.self_loop = 1; /* the answer to another question */
        if (way != WEFT_AGGREGATE_MAX) CHECK(refused(ctx, "aggregate", g, &other, r));
        other = p;
        other.features = matrix_at(other.features->data, other.features->rows, 2, other.features->type);
        CHECK(refused(ctx, "aggregate", g, &other, r));
        weft_result_free(r);
    }
    free(x);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- the sweeps ---------------------------------------------------------------------------------- */

TEST(same_bytes_with_any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < LENGTH(shapes); i++)
        for (int way = 0; way < 4; way++) {
            weft_ctx *ctx = new_ctx(0, NULL);
            weft_graph *g = generate_shape(ctx, &shapes[i], way == 1 ? WEFT_UNDIRECTED : WEFT_DIRECTED);
            weft_vid n = weft_graph_vertices(g);
            uint64_t width = 1 + 2 * i + (way == 0 && n < 5000 ? 65 : 0);
            float *x = random_features(n, width, i);
            params_t p = params_of(way < 3 ? way : WEFT_AGGREGATE_MEAN, x, n, width);
            p.normalize = way == 3;
            p.self_loop = way == 3;
            weft_result *first = NULL;
            for (size_t t = 0; t < LENGTH(threads); t++) {
                weft_result *r = NULL;
                weft_ctx_set_threads(ctx, threads[t]);
                if (t == 0)
                    first = verified_run(ctx, "aggregate", g, &p);
                else if (weft_aggregate(ctx, g, &p, &r) || !same_results(first, r))
                    HARNESS_FAIL("%s, way %d differs with %d threads", shapes[i].kind, way, threads[t]);
                weft_result_free(r);
            }
            weft_result_free(first);
            weft_graph_free(g);
            free(x);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST(every_allocation_may_fail) {
    static float x[60000 * 2];
    for (int once = 0; once < 2; once++) {
        bool done = false;
        for (uint64_t allowed = 0; !done && allowed < 100; allowed++) {
            counting c = {.allowed = COUNT_ONLY, .once = once};
            weft_ctx *ctx = new_ctx(3, NULL);
            weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c);
            weft_graph *g = generate_shape(ctx, &shapes[1], WEFT_DIRECTED);
            params_t p = params_of(WEFT_AGGREGATE_MEAN, x, weft_graph_vertices(g), 2);
            weft_result *r = NULL;
            p.normalize = WEFT_NORMALIZE_GCN;
            c.allowed = atomic_load(&c.calls) + allowed;
            weft_status st = weft_aggregate(ctx, g, &p, &r);
            done = st == WEFT_OK;
            CHECK(done || (st == WEFT_ENOMEM && !r && weft_ctx_message(ctx)[0]));
            weft_result_free(r);
            weft_graph_free(g);
            CHECK_U64(atomic_load(&c.live_blocks), 0);
            weft_ctx_free(ctx);
        }
        CHECK(done);
    }
}

TEST(a_run_can_be_stopped_anywhere) {
    static const size_t chosen[] = {0, 7}; /* many rows, and one long one */
    for (size_t i = 0; i < LENGTH(chosen); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = generate_shape(ctx, &shapes[chosen[i]], WEFT_UNDIRECTED);
        weft_vid n = weft_graph_vertices(g);
        float *x = random_features(n, 70, 2);
        params_t p = params_of(WEFT_AGGREGATE_MEAN, x, n, 70);
        stop_everywhere(ctx, g, &p);
        free(x);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(memory_is_what_the_plan_said) {
    static const struct generated large[] = {{"rmat", .scale = 18, .degree = 16, .p = NAN},
                                             {"uniform", .n = 200000, .degree = 3, .p = NAN}};
    for (int way = 0; way < 4; way++) {
        uint64_t width = way & 1 ? 64 : 1;
        weft_ctx *maker = new_ctx(0, NULL), *ctx = new_ctx(2, NULL);
        weft_graph *g = generate_shape(maker, &large[way / 2], WEFT_DIRECTED);
        weft_vid n = weft_graph_vertices(g);
        float *x = random_features(n, width, 4);
        params_t p = params_of(WEFT_AGGREGATE_MEAN, x, n, width);
        p.normalize = way == 2;
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        CHECK(weft_plan_new(ctx, "aggregate", g, &p, &plan) == WEFT_OK);
        double planned = (double)weft_plan_host_bytes(plan);
        uint64_t before = weft_ctx_memory_in_use(ctx);
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        double peak = (double)weft_ctx_memory_peak(ctx);
        if (!held_as_declared(plan, weft_ctx_memory_peak(ctx) - before))
            HARNESS_FAIL("way %d: planned %.0f bytes, held %.0f", way, planned, peak);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        free(x);
        weft_ctx_free(ctx);
        weft_ctx_free(maker);
    }
}

TEST_MAIN()
