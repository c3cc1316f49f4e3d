/* sssp on the GPU: the bytes of the CPU for any delta, where weights are zero, where distances need doubles, where a queue
 * overflows, where short arcs are relaxed first, and where there are no weights. */
#include "sssp_support.h"

#include "cuda/device.h"

/* On both; the source is any vertex, or the busiest. */
static void same_on_both(weft_ctx *ctx, const weft_graph *g, weft_vid source, double delta, const char *what) {
    size_t n = weft_graph_vertices(g);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    weft_result *cpu = run_from(ctx, g, source, 0);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    weft_result *gpu = run_from(ctx, g, source, delta);
    REQUIRE(cpu && gpu);
    if (memcmp(weft_result_f64(cpu, "distance"), weft_result_f64(gpu, "distance"), 8 * n))
        HARNESS_FAIL("%s, delta %g: the distances differ", what, delta);
    else if (memcmp(weft_result_u32(cpu, "parent"), weft_result_u32(gpu, "parent"), 4 * n))
        HARNESS_FAIL("%s, delta %g: the parents differ", what, delta);
    CHECK_U64(weft_result_scalar(gpu, "reached")->value.u64, weft_result_scalar(cpu, "reached")->value.u64);
    CHECK_NEAR(weft_result_scalar(gpu, "max_distance")->value.f64, weft_result_scalar(cpu, "max_distance")->value.f64,
               0);
    weft_result_free(cpu);
    weft_result_free(gpu);
}

TEST(random_graphs_with_zeros_fractions_and_far_ones) {
    static const uint64_t ranges[] = {2, 10, 300, 1u << 31};
    char none[256], what[64];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (uint64_t seed = 0; seed < 64; seed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        dice d = {seed, 1000};
        weft_vid n = (weft_vid)(2 + roll(&d, 600));
        weft_graph *g = random_graph(ctx, seed, n, roll(&d, 5 * n), seed & 1, (weft_weight_type)(1 + seed / 2 % 3),
                                     ranges[seed / 4 % 4]);
        REQUIRE(g);
        snprintf(what, sizeof what, "random graph %d", (int)seed);
        same_on_both(ctx, g, (weft_vid)roll(&d, n), seed % 3 ? 1 + (double)roll(&d, 1000) : 0, what);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(paths_beyond_the_largest_double_are_refused) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_result *r = NULL;
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    p.source = 0;
    weft_vid u[] = {0, 0, 1, 1}, v[] = {1, 2, 2, 3};
    double w[] = {1e308, 1.5e308, 1e308, 1e308};
    weft_graph *g = NULL;
    REQUIRE(weft_graph_from_edges(ctx, 4, 4, u, v, w, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    CHECK_U64(weft_sssp(ctx, g, &p, &r), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "sssp: lengths of paths, their sum or their reciprocals are beyond 1.8e+308");
    CHECK(!r);
    same_on_both(ctx, g, 2, 0, "a vertex that no arc leaves");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(larger_graphs_with_small_and_large_deltas) {
    static const double deltas[] = {0, 1e-3, 1, 20, 1e9};
    char none[256], what[64];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (size_t i = 0; i < LARGE_GRAPHS; i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = large_graph(ctx, i);
        REQUIRE(g);
        snprintf(what, sizeof what, "large graph %d", (int)i);
        for (size_t k = 0; k < LENGTH(deltas); k++) same_on_both(ctx, g, WEFT_NO_VERTEX, deltas[k], what);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Undirected graphs of degree 16 and more: those with hubs, which settle most arcs at once, so that the others look for them, have
 * short arcs apart, also with zeros, fractions, and distances that need doubles; the last has no hubs. */
static weft_graph *graph_with_short_arcs(weft_ctx *ctx, int i) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params b = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    b.direction = WEFT_UNDIRECTED;
    p.max_weight = 63;
    p.undirected = 1;
    switch (i) {
    case 0: p.scale = 13, p.degree = 16; return weft_generate(ctx, "rmat", &p, &b, &g) ? NULL : g;
    case 1: return skewed_graph(ctx, 11, 3000, 60000, true, WEFT_WEIGHT_U32, 64, 3);
    case 2: return skewed_graph(ctx, 12, 3000, 60000, true, WEFT_WEIGHT_F32, 300, 3);
    case 3: return skewed_graph(ctx, 13, 3000, 60000, true, WEFT_WEIGHT_U32, 1u << 31, 3);
    case 4: return skewed_graph(ctx, 15, 3000, 60000, true, WEFT_WEIGHT_F64, 300, 3);
    default: p.n = 20000, p.degree = 16; return weft_generate(ctx, "uniform", &p, &b, &g) ? NULL : g;
    }
}

/* Such a graph behind a path from vertex n, each of whose vertices has leaves besides: what waits shrinks to less than half again and
 * again before most of the graph comes, but the bucket that takes it in must be no wider than the short arcs. */
static weft_graph *graph_behind_a_path(weft_ctx *ctx, weft_vid n) {
    enum { CROWD = 60000, PATH = 4, LEAVES = 9, STEP = LEAVES + 1, ALL = CROWD + PATH * STEP };
    static weft_vid u[ALL], v[ALL];
    static uint32_t w[ALL];
    dice d = {17, 0};
    weft_build_params b = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    uint64_t m = 0;
    for (; m < CROWD; m++) u[m] = roll_skewed(&d, n, 3), v[m] = roll_skewed(&d, n, 3), w[m] = (uint32_t)roll(&d, 64);
    for (weft_vid i = 0; i < PATH; i++) {
        weft_vid here = n + i * STEP;
        for (weft_vid k = 1; k <= LEAVES; k++) u[m] = here, v[m] = here + k, w[m++] = k > 3 ? 10 : 20;
        u[m] = here, v[m] = i + 1 < PATH ? here + STEP : 0, w[m++] = 60;
    }
    b.direction = WEFT_UNDIRECTED;
    return weft_graph_from_edges(ctx, n + PATH * STEP, m, u, v, w, WEFT_WEIGHT_U32, &b, &g) ? NULL : g;
}

static void check_method(weft_ctx *ctx, const weft_graph *g, const char *method) {
    weft_plan *plan = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    REQUIRE(!weft_plan_new(ctx, "sssp", g, NULL, &plan));
    CHECK_TEXT(weft_plan_method(plan), method);
    weft_plan_free(plan);
}

TEST(short_arcs_first_behind_a_path) {
    enum { N = 3000 };
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_behind_a_path(ctx, N);
    REQUIRE(g);
    check_method(ctx, g, "near and far, light edges first");
    same_on_both(ctx, g, N, 0, "a graph behind a path");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Nearly all arcs are short, but few of those that a sample of every so-manieth meets. */
static weft_graph *graph_that_misleads(weft_ctx *ctx) {
    weft_graph *plain = skewed_graph(ctx, 14, 3000, 60000, true, WEFT_WEIGHT_U32, 2, 3), *g = NULL;
    weft_build_params b = WEFT_BUILD_DEFAULTS;
    if (!plain) return NULL;
    weft_csr rows = out_rows(plain);
    weft_eid arcs = rows.offsets[rows.vertices], m = 0, met = 0;
    weft_vid *u = malloc(arcs * sizeof *u), *v = malloc(arcs * sizeof *v);
    uint32_t *w = malloc(arcs * sizeof *w);
    bool *sampled = calloc(arcs, sizeof *sampled);
    for (weft_eid sample = 1024; sample <= 4096; sample *= 4)
        for (weft_eid e = 0; e < arcs; e += arcs / sample + 1) sampled[e] = true;
    for (weft_vid from = 0; from < rows.vertices; from++)
        for (weft_eid e = rows.offsets[from]; e < rows.offsets[from + 1]; e++) {
            weft_vid to = rows.targets[e];
            if (from > to) continue;
            weft_eid back = rows.offsets[to];
            while (rows.targets[back] != from) back++;
            bool there = sampled[e] || sampled[back];
            u[m] = from, v[m] = to, w[m++] = there && met++ % 20 ? 1000 : 1;
        }
    b.direction = WEFT_UNDIRECTED;
    if (weft_graph_from_edges(ctx, rows.vertices, m, u, v, w, WEFT_WEIGHT_U32, &b, &g)) g = NULL;
    weft_graph_free(plain);
    free(u), free(v), free(w), free(sampled);
    return g;
}

TEST(more_short_arcs_than_planned_have_no_rows) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_that_misleads(ctx);
    REQUIRE(g);
    uint64_t rows = 8 * ((uint64_t)weft_graph_vertices(g) + 1) + 8 * weft_graph_arcs(g);
    check_method(ctx, g, "near and far, light edges first");
    for (int twice = 0; twice < 2; twice++) same_on_both(ctx, g, 0, 0, "a graph that misleads");
    CHECK(weft_ctx_device_memory_in_use(ctx) < rows + rows / 10);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(short_arcs_first) {
    static const double deltas[] = {0, 1e-3, 1, 3, 1e9};
    char none[256], what[64];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (int i = 0; i < 6; i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = graph_with_short_arcs(ctx, i);
        REQUIRE(g);
        check_method(ctx, g, i < 5 ? "near and far, light edges first" : "near and far, one kernel");
        snprintf(what, sizeof what, "graph %d with short arcs", i);
        for (size_t k = 0; k < LENGTH(deltas); k++) {
            same_on_both(ctx, g, WEFT_NO_VERTEX, deltas[k], what);
            same_on_both(ctx, g, (weft_vid)(weft_graph_vertices(g) / 2), deltas[k], what);
        }
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(a_queue_that_overflows_is_filled_again) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of_hubs(ctx);
    REQUIRE(g);
    for (int delta = 1; delta < 30000; delta = delta * 4 + 1) same_on_both(ctx, g, 0, delta, "a chain of hubs");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* A chain of zeros longer than a launch walks, from which nothing leads nearer: hop by hop. */
TEST(a_long_chain_of_zeros) {
    enum { LENGTH_OF_CHAIN = 6000 };
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_vid *u = malloc(LENGTH_OF_CHAIN * sizeof *u), *v = malloc(LENGTH_OF_CHAIN * sizeof *v);
    uint32_t *w = calloc(LENGTH_OF_CHAIN, sizeof *w);
    for (weft_vid i = 0; i < LENGTH_OF_CHAIN; i++) u[i] = i, v[i] = i + 1;
    weft_graph *g = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, LENGTH_OF_CHAIN + 1, LENGTH_OF_CHAIN, u, v, w, WEFT_WEIGHT_U32, NULL, &g));
    same_on_both(ctx, g, 0, 0, "a chain of zeros");
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(u), free(v), free(w);
}

TEST(without_weights_the_gpu_searches_by_levels) {
    char none[256], what[64];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (size_t i = 0; i < UNIT_GRAPHS; i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = unit_graph(ctx, i);
        REQUIRE(g);
        snprintf(what, sizeof what, "graph %zu without weights", i);
        check_method(ctx, g, "breadth-first, one kernel");
        check_against_bfs(ctx, g, WEFT_NO_VERTEX, what);
        check_against_bfs(ctx, g, weft_graph_vertices(g) / 2, what);
        same_on_both(ctx, g, weft_graph_vertices(g) / 3, 0, what);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Without room for the incoming rows of a directed graph the arcs are relaxed as if they had weights. */
TEST(without_weights_and_room_the_gpu_relaxes) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = unit_graph(ctx, 0);
    weft_plan *plan = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    REQUIRE(g && !weft_plan_new(ctx, "sssp", g, NULL, &plan));
    weft_ctx_set_device_memory_limit(ctx, weft_plan_device_bytes(plan) - 1);
    weft_plan_free(plan);
    check_method(ctx, g, "near and far, one kernel");
    same_on_both(ctx, g, WEFT_NO_VERTEX, 0, "a graph without weights, and little room");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
