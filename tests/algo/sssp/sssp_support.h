/* Graphs for the tests of sssp, and a run. */
#ifndef SSSP_SUPPORT_H
#define SSSP_SUPPORT_H

#include "support.h"
#include "weft/bfs.h"
#include "weft/sssp.h"

#include <math.h>

enum { LARGE_GRAPHS = 9, UNIT_GRAPHS = 5 };

static inline weft_result *run_from(weft_ctx *ctx, const weft_graph *g, weft_vid source, double delta) {
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    p.source = source;
    p.delta = delta;
    weft_result *r = NULL;
    if (weft_sssp(ctx, g, &p, &r)) HARNESS_FAIL("sssp: %s", weft_ctx_message(ctx));
    return r;
}

/* skew 1: any of n alike; more: low ones are met more often, the lowest by far. */
static inline weft_vid roll_skewed(dice *d, weft_vid n, unsigned skew) {
    uint64_t x = roll(d, n), v = x;
    while (--skew) v = v * x / n;
    return (weft_vid)v;
}

/* A weighted graph: whole weights below `range`, or three tenths of them; zeros are frequent when range is small. */
static inline weft_graph *skewed_graph(weft_ctx *ctx, uint64_t seed, weft_vid n, uint64_t m, bool undirected,
                                       weft_weight_type type, uint64_t range, unsigned skew) {
    weft_vid *u = malloc(m * sizeof *u), *v = malloc(m * sizeof *v);
    uint32_t *whole = malloc(m * sizeof *whole);
    float *part = malloc(m * sizeof *part);
    double *fine = malloc(m * sizeof *fine);
    dice d = {seed, 0};
    for (uint64_t i = 0; i < m; i++) {
        u[i] = roll_skewed(&d, n, skew);
        v[i] = roll(&d, 4) ? roll_skewed(&d, n, skew) : (weft_vid)roll(&d, 1 + n / 16);
        whole[i] = (uint32_t)roll(&d, range);
        part[i] = (float)whole[i] * 0.3f;
        fine[i] = (double)whole[i] * 0.3;
    }
    weft_build_params b = WEFT_BUILD_DEFAULTS;
    b.direction = undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
    b.duplicates = seed % 2 ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_DROP;
    weft_graph *g = NULL;
    const void *weights[] = {[WEFT_WEIGHT_U32] = whole, [WEFT_WEIGHT_F32] = part, [WEFT_WEIGHT_F64] = fine};
    if (weft_graph_from_edges(ctx, n, m, u, v, weights[type], type, &b, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(u), free(v), free(whole), free(part), free(fine);
    return g;
}

static inline weft_graph *random_graph(weft_ctx *ctx, uint64_t seed, weft_vid n, uint64_t m, bool undirected,
                                       weft_weight_type type, uint64_t range) {
    return skewed_graph(ctx, seed, n, m, undirected, type, range, 1);
}

static inline weft_graph *large_graph(weft_ctx *ctx, size_t i) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.max_weight = 255;
    p.undirected = i == 1;
    switch (i) {
    case 0: p.scale = 13, p.degree = 16; return weft_generate(ctx, "rmat", &p, NULL, &g) ? NULL : g;
    case 1: p.n = 20000, p.degree = 8; return weft_generate(ctx, "uniform", &p, NULL, &g) ? NULL : g;
    case 2: p.rows = 150, p.columns = 150; return weft_generate(ctx, "grid", &p, NULL, &g) ? NULL : g;
    case 3: p.scale = 12, p.degree = 16, p.max_weight = 0; return weft_generate(ctx, "rmat", &p, NULL, &g) ? NULL : g;
    case 4: return random_graph(ctx, 5, 20000, 150000, false, WEFT_WEIGHT_F32, 50);
    case 5: return random_graph(ctx, 6, 20000, 150000, true, WEFT_WEIGHT_F32, 2);
    case 6: return random_graph(ctx, 7, 20000, 150000, false, WEFT_WEIGHT_U32, 2);
    case 7: return random_graph(ctx, 8, 20000, 150000, false, WEFT_WEIGHT_F64, 50);
    case 8: return random_graph(ctx, 9, 20000, 150000, true, WEFT_WEIGHT_F64, 2);
    default: return NULL;
    }
}

/* Vertex 0 has an arc to each of n - 1 others, which a chain then brings nearer one at a time: every vertex waits in
 * many bins at once, more than there is room for. */
static inline weft_graph *graph_of_hubs(weft_ctx *ctx) {
    enum { HUBS = 40, LEAVES = 4000 };
    uint64_t m = 0;
    weft_vid *u = malloc(sizeof *u * HUBS * (LEAVES + 1)), *v = malloc(sizeof *v * HUBS * (LEAVES + 1));
    uint32_t *w = malloc(sizeof *w * HUBS * (LEAVES + 1));
    for (weft_vid h = 0; h < HUBS; h++) {
        if (h + 1 < HUBS) u[m] = h, v[m] = h + 1, w[m++] = 1;
        for (weft_vid x = 0; x < LEAVES; x++) u[m] = h, v[m] = HUBS + x, w[m++] = 10000 - 100 * h;
    }
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, HUBS + LEAVES, m, u, v, w, WEFT_WEIGHT_U32, NULL, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(u), free(v), free(w);
    return g;
}

/* Without weights: hubs, directed and not; levels that widen slowly; many vertices that are not reached, loops and parallel arcs; a path. */
static inline weft_graph *unit_graph(weft_ctx *ctx, size_t i) {
    enum { PATH = 3000 };
    static weft_vid u[PATH], v[PATH];
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.undirected = i == 1;
    switch (i) {
    case 0:
    case 1: p.scale = 13, p.degree = 16; return weft_generate(ctx, "rmat", &p, NULL, &g) ? NULL : g;
    case 2: p.rows = 150, p.columns = 150; return weft_generate(ctx, "grid", &p, NULL, &g) ? NULL : g;
    case 3: return skewed_graph(ctx, 21, 20000, 30000, false, WEFT_WEIGHT_NONE, 2, 2);
    default:
        for (weft_vid k = 0; k < PATH; k++) u[k] = k, v[k] = k + 1;
        return weft_graph_from_edges(ctx, PATH + 1, PATH, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g) ? NULL : g;
    }
}

/* Of a graph without weights, on the context's device: distances are the levels of bfs, parents its parents. */
static inline void check_ends_against_bfs(weft_ctx *ctx, const weft_graph *g, weft_sssp_params p, const char *what) {
    weft_bfs_params by_levels = WEFT_BFS_DEFAULTS;
    weft_result *levels = NULL, *distances = NULL, *alone = NULL;
    size_t n = weft_graph_vertices(g);
    by_levels.source = p.source;
    by_levels.sources = p.sources;
    by_levels.source_count = p.source_count;
    by_levels.targets = p.targets;
    by_levels.target_count = p.target_count;
    REQUIRE(!weft_bfs(ctx, g, &by_levels, &levels) && !weft_sssp(ctx, g, &p, &distances));
    p.parents = 0;
    REQUIRE(!weft_sssp(ctx, g, &p, &alone));
    const uint32_t *level = weft_result_u32(levels, "level");
    const double *distance = weft_result_f64(distances, "distance");
    size_t v = 0;
    while (v < n && distance[v] == (level[v] == WEFT_UNREACHED ? INFINITY : (double)level[v])) v++;
    if (v < n) HARNESS_FAIL("%s: vertex %zu has level %u and distance %g", what, v, level[v], distance[v]);
    if (memcmp(weft_result_u32(levels, "parent"), weft_result_u32(distances, "parent"), n * sizeof(weft_vid)))
        HARNESS_FAIL("%s: the parents differ from those of bfs", what);
    if (memcmp(weft_result_f64(alone, "distance"), distance, n * sizeof *distance))
        HARNESS_FAIL("%s: the distances differ without parents", what);
    CHECK(!weft_result_column(alone, "parent"));
    CHECK_U64(weft_result_scalar(distances, "reached")->value.u64, weft_result_scalar(levels, "reached")->value.u64);
    CHECK_NEAR(weft_result_scalar(distances, "max_distance")->value.f64,
               (double)weft_result_scalar(levels, "depth")->value.u64, 0);
    weft_result_free(levels);
    weft_result_free(distances);
    weft_result_free(alone);
}

static inline void check_against_bfs(weft_ctx *ctx, const weft_graph *g, weft_vid source, const char *what) {
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    p.source = source;
    check_ends_against_bfs(ctx, g, p, what);
}

#endif
