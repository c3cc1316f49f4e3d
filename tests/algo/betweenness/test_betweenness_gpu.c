/* betweenness on the GPU: the bytes of CPU cores, where rows are long, graphs are deep, counts exceed doubles, and
 * batches run side by side or one after another. */
#include "triangle_support.h"

#include "cuda/device.h"
#include "weft/betweenness.h"

static const weft_betweenness_params standard = WEFT_BETWEENNESS_DEFAULTS;

static void same_column(const weft_result *cpu, const weft_result *gpu, const char *name, const char *what) {
    const weft_column *a = weft_result_column(cpu, name), *b = weft_result_column(gpu, name);
    REQUIRE(!a == !b);
    if (!a) return;
    REQUIRE(a->length == b->length);
    size_t differ = 0;
    for (size_t i = 0; i < a->length; i++) differ += memcmp((double *)a->data + i, (double *)b->data + i, 8) != 0;
    if (differ) HARNESS_FAIL("%s: %zu of %zu differ in %s", what, differ, a->length, name);
}

static void same_on_both(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p, const char *what) {
    weft_result *cpu = NULL, *gpu = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    if (weft_betweenness(ctx, g, p, &cpu)) HARNESS_FAIL("%s: %s", what, weft_ctx_message(ctx));
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    if (weft_betweenness(ctx, g, p, &gpu)) HARNESS_FAIL("%s: %s", what, weft_ctx_message(ctx));
    REQUIRE(cpu && gpu);
    same_column(cpu, gpu, "betweenness", what);
    same_column(cpu, gpu, "edge_betweenness", what);
    weft_result_free(cpu);
    weft_result_free(gpu);
}

enum { SETS = 6 };

/* All vertices, some of them, targets, ends and edges, from up to 40 sources where the graph is large. */
static void same_with_options(weft_ctx *ctx, const weft_graph *g, uint64_t seed, const char *what) {
    weft_vid n = weft_graph_vertices(g), some[40], others[40];
    char text[128];
    dice d = {seed, 1};
    for (int i = 0; i < 40; i++) some[i] = (weft_vid)roll(&d, n), others[i] = (weft_vid)roll(&d, n);
    for (int k = 0; k < SETS; k++) {
        weft_betweenness_params p = standard;
        bool all = n <= 2000 && k < 3;
        if (!all) p.sources = some, p.source_count = k == 4 ? 16 : 40;
        if (k == 1 || k == 4) p.edges = 1;
        if (k == 2 || k == 3) p.endpoints = 1;
        if (k == 5) p.targets = others, p.target_count = 40;
        p.normalized = k % 2;
        snprintf(text, sizeof text, "%s, options %d", what, k);
        same_on_both(ctx, g, &p, text);
    }
}

static weft_graph *made(weft_ctx *ctx, const char *kind, const weft_generate_params *p, weft_direction direction) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    build.direction = direction;
    if (weft_generate(ctx, kind, p, &build, &g)) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

TEST(random_graphs_with_all_options) {
    char none[256], what[64];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (uint64_t seed = 0; seed < 12; seed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        dice d = {seed, 1000};
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 6 + roll(&d, seed % 3 ? 900 : 30);
        p.m = roll(&d, 2 * p.n);
        p.seed = seed;
        weft_graph *g = made(ctx, "er", &p, seed % 2 ? WEFT_DIRECTED : WEFT_UNDIRECTED);
        snprintf(what, sizeof what, "random graph %d", (int)seed);
        same_with_options(ctx, g, seed, what);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Trees, alone and on what random edges join, with a vertex that many hang at. */
TEST(trees_are_folded) {
    enum { CORE = 300, N = 1900, ARCS = CORE + CORE / 2 + N };
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    static weft_vid u[ARCS], v[ARCS];
    for (uint64_t seed = 0; seed < 4; seed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        dice d = {seed, 0};
        weft_vid at = 0;
        for (int i = 0; i < CORE + CORE / 2; i++) u[at] = (weft_vid)roll(&d, CORE), v[at++] = (weft_vid)roll(&d, CORE);
        for (weft_vid i = CORE; i < N; i++) u[at] = i, v[at++] = roll(&d, 2) ? (weft_vid)roll(&d, i) : 7;
        build.direction = WEFT_UNDIRECTED;
        if (seed % 2) build.duplicates = WEFT_DUPLICATES_KEEP;
        REQUIRE(!weft_graph_from_edges(ctx, N, at, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
        same_with_options(ctx, g, seed, "trees on a random graph");
        weft_graph_free(g);
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 1500;
        g = made(ctx, "tree", &p, WEFT_UNDIRECTED);
        same_with_options(ctx, g, seed, "a tree");
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(long_rows_are_added_in_pieces) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (int directed = 0; directed < 2; directed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.scale = 13;
        weft_graph *g = made(ctx, "rmat", &p, directed ? WEFT_DIRECTED : WEFT_UNDIRECTED);
        same_with_options(ctx, g, 7, directed ? "directed R-MAT" : "R-MAT");
        weft_graph_free(g);
        p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
        p.n = 1500;
        g = made(ctx, "star", &p, directed ? WEFT_DIRECTED : WEFT_UNDIRECTED);
        same_with_options(ctx, g, 8, directed ? "directed star" : "star");
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* A grid has counts of paths up to 2^1190 between corners 600 and 600 steps away, a path none above 1. */
TEST(deep_graphs_and_counts_beyond_doubles) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.rows = p.columns = 600;
    weft_graph *g = made(ctx, "grid", &p, WEFT_UNDIRECTED);
    static const weft_vid corner[] = {0, 599, 180300};
    weft_betweenness_params q = standard;
    q.sources = corner;
    q.source_count = 3;
    same_on_both(ctx, g, &q, "grid");
    q.edges = 1;
    same_on_both(ctx, g, &q, "edges of a grid");
    weft_graph_free(g);
    p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
    p.n = 20000;
    g = made(ctx, "path", &p, WEFT_UNDIRECTED);
    same_with_options(ctx, g, 9, "path");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* 1,500 diamonds in a chain, beside a path of the same length; its end has a hub behind it. */
TEST(a_chain_of_diamonds_beside_a_path) {
    enum { DIAMONDS = 1500, PATH = 2 * DIAMONDS - 1, LEAVES = 700, ARCS = 4 * DIAMONDS + PATH + 1 + LEAVES };
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    static weft_vid u[ARCS], v[ARCS];
    weft_vid at = 0, end = 3 * DIAMONDS, n = end + 1;
    for (weft_vid i = 0; i < DIAMONDS; i++)
        for (weft_vid k = 1; k < 3; k++) {
            u[at] = 3 * i, v[at++] = 3 * i + k;
            u[at] = 3 * i + k, v[at++] = 3 * i + 3;
        }
    for (weft_vid i = 0; i <= PATH; i++) {
        u[at] = i ? n + i - 1 : 0;
        v[at++] = i < PATH ? n + i : end;
    }
    for (weft_vid i = 0; i < LEAVES; i++) u[at] = end, v[at++] = n + PATH + i;
    for (int directed = 0; directed < 2; directed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        build.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        REQUIRE(!weft_graph_from_edges(ctx, n + PATH + LEAVES, ARCS, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
        same_with_options(ctx, g, 10, directed ? "diamonds, directed" : "diamonds");
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
