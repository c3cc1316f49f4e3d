/* bfs from many sources: the table with a row for each, on graphs where every distance is known by a formula, for one source to
 * more than two batches of the GPU's, with repeats; what else the result has is the last one's. */
#include "random_sources.h"
#include "support.h"

#include "cuda/device.h"
#include "weft/check.h"

#define FAR WEFT_UNREACHED

enum { SIDE = 23 }; /* of the grid */

static uint32_t gap(weft_vid a, weft_vid b) { return a > b ? a - b : b - a; }

static uint32_t on_path(weft_vid n, weft_vid u, weft_vid v) { return (void)n, gap(u, v); }
static uint32_t on_one_way(weft_vid n, weft_vid u, weft_vid v) { return (void)n, v >= u ? v - u : FAR; }
static uint32_t on_star(weft_vid n, weft_vid u, weft_vid v) { return (void)n, u == v ? 0 : u && v ? 2 : 1; }
static uint32_t on_complete(weft_vid n, weft_vid u, weft_vid v) { return (void)n, u != v; }
static uint32_t on_grid(weft_vid n, weft_vid u, weft_vid v) {
    return (void)n, gap(u / SIDE, v / SIDE) + gap(u % SIDE, v % SIDE);
}
/* A third of the vertices on a path, the others on another one. */
static uint32_t on_two_paths(weft_vid n, weft_vid u, weft_vid v) {
    return (u < n / 3) == (v < n / 3) ? gap(u, v) : FAR;
}
/* Arcs into 0 and out of 0 only: rows of many arcs that lead to few, and a way back. */
static uint32_t on_bow(weft_vid n, weft_vid u, weft_vid v) {
    bool in = u && u <= n / 2, out = v > n / 2;
    return u == v ? 0 : in && !v ? 1 : !u && out ? 1 : in && out ? 2 : FAR;
}

static const struct {
    const char *name;
    weft_vid n;
    weft_direction direction;
    uint32_t (*distance)(weft_vid n, weft_vid u, weft_vid v);
} known[] = {
    {"one vertex", 1, WEFT_DIRECTED, on_path},         {"path", 150, WEFT_UNDIRECTED, on_path},
    {"path one way", 150, WEFT_DIRECTED, on_one_way},  {"star", 1500, WEFT_UNDIRECTED, on_star},
    {"complete", 90, WEFT_UNDIRECTED, on_complete},    {"grid", SIDE *SIDE, WEFT_UNDIRECTED, on_grid},
    {"two paths", 200, WEFT_UNDIRECTED, on_two_paths}, {"bow", 1200, WEFT_DIRECTED, on_bow},
};

/* An edge for each pair at distance 1. */
static weft_graph *graph_of(weft_ctx *ctx, size_t k) {
    weft_vid n = known[k].n, *u = NULL, *v = NULL;
    uint64_t m = 0;
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    params.direction = known[k].direction;
    for (int pass = 0; pass < 2; pass++) {
        m = 0;
        for (weft_vid a = 0; a < n; a++)
            for (weft_vid b = 0; b < n; b++) {
                if (known[k].distance(n, a, b) != 1) continue;
                if (pass) u[m] = a, v[m] = b;
                m++;
            }
        if (pass) break;
        u = malloc((m + 1) * sizeof *u);
        v = malloc((m + 1) * sizeof *v);
        if (!u || !v) exit(1);
    }
    if (weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &params, &g))
        HARNESS_FAIL("%s: %s", known[k].name, weft_ctx_message(ctx));
    free(u);
    free(v);
    return g;
}

/* The i-th source; with a step of 0 it is the same every time. */
static weft_vid source_at(size_t k, size_t i, size_t step) { return (weft_vid)((3 + i * step) % known[k].n); }

static void check_row(const weft_result *r, size_t k, size_t row, weft_vid source, uint64_t max_depth) {
    uint64_t reached = 0, depth = 0, distances = 0;
    for (weft_vid v = 0; v < known[k].n; v++) {
        uint32_t d = known[k].distance(known[k].n, source, v);
        if (d == FAR || (max_depth && d > max_depth)) continue;
        reached++;
        distances += d;
        if (d > depth) depth = d;
    }
    if (weft_result_u32(r, "source")[row] != source || weft_result_u64(r, "source_reached")[row] != reached ||
        weft_result_u64(r, "source_depth")[row] != depth || weft_result_u64(r, "source_distances")[row] != distances)
        HARNESS_FAIL("%s, max-depth %" PRIu64 ", row %zu: source %u has another row", known[k].name, max_depth, row,
                     source);
}

/* The columns are those of the last source. */
static void check_columns(const weft_result *r, size_t k, weft_vid source, uint64_t max_depth) {
    const uint32_t *level = weft_result_u32(r, "level");
    size_t last = weft_result_column(r, "source")->length - 1;
    for (weft_vid v = 0; v < known[k].n; v++) {
        uint32_t d = known[k].distance(known[k].n, source, v);
        if (max_depth && d > max_depth) d = FAR;
        if (level[v] != d) HARNESS_FAIL("%s: level %u, but %u away from %u", known[k].name, level[v], d, source);
    }
    CHECK_U64(weft_result_scalar(r, "reached")->value.u64, weft_result_u64(r, "source_reached")[last]);
    CHECK_U64(weft_result_scalar(r, "depth")->value.u64, weft_result_u64(r, "source_depth")[last]);
}

static void check_known(weft_device device, int threads) {
    static const size_t counts[] = {1, 3, 64, 65, 130}, steps[] = {0, 7};
    static const uint64_t depths[] = {0, 1, 9};
    weft_vid list[130];
    for (size_t k = 0; k < LENGTH(known); k++) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = graph_of(ctx, k);
        weft_ctx_set_device(ctx, device);
        for (size_t i = 0; g && i < LENGTH(counts) * LENGTH(steps) * LENGTH(depths); i++) {
            size_t count = counts[i % LENGTH(counts)], step = steps[i / LENGTH(counts) % LENGTH(steps)];
            weft_bfs_params p = WEFT_BFS_DEFAULTS;
            weft_result *r = NULL;
            weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
            p.sources = list;
            p.source_count = count;
            p.each = 1;
            p.max_depth = depths[i / LENGTH(counts) / LENGTH(steps)];
            for (size_t at = 0; at < count; at++) list[at] = source_at(k, at, step);
            if (weft_bfs(ctx, g, &p, &r)) HARNESS_FAIL("%s: %s", known[k].name, weft_ctx_message(ctx));
            REQUIRE(r);
            CHECK_U64(weft_result_column(r, "source")->length, count);
            for (size_t row = 0; row < count; row++) check_row(r, k, row, source_at(k, row, step), p.max_depth);
            check_columns(r, k, source_at(k, count - 1, step), p.max_depth);
            CHECK(weft_check(ctx, "bfs", g, &p, r, &report) == WEFT_OK && report.passed);
            weft_result_free(r);
        }
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(each_source_has_its_row) {
    check_known(WEFT_DEVICE_CPU, 1);
    check_known(WEFT_DEVICE_CPU, 3);
}

TEST(each_source_has_its_row_on_the_gpu) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    check_known(WEFT_DEVICE_CUDA, 2);
}

TEST(without_sources_the_table_is_empty) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = graph_of(ctx, 1);
    weft_result *r = NULL;
    REQUIRE(g && weft_bfs(ctx, g, NULL, &r) == WEFT_OK);
    static const char *const names[] = {"source", "source_reached", "source_depth", "source_distances"};
    for (size_t i = 0; i < LENGTH(names); i++) CHECK_U64(weft_result_column(r, names[i])->length, 0);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_a_row_that_was_tampered_with) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = graph_of(ctx, 2);
    weft_bfs_params p = WEFT_BFS_DEFAULTS, other = WEFT_BFS_DEFAULTS;
    weft_result *r = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    REQUIRE(g);
    draw_sources(&p, g, 5);
    REQUIRE(weft_bfs(ctx, g, &p, &r) == WEFT_OK);
    CHECK(weft_check(ctx, "bfs", g, &p, r, &report) == WEFT_OK && report.passed);
    CHECK_HAS(report.message, "5 of 5 sources");
    for (size_t row = 0; row < 5; row++) {
        static const char *const names[] = {"source_reached", "source_depth", "source_distances"};
        for (size_t i = 0; i < LENGTH(names); i++) {
            uint64_t *value = (uint64_t *)(uintptr_t)weft_result_u64(r, names[i]) + row;
            ++*value;
            if (weft_check(ctx, "bfs", g, &p, r, &report) || report.passed)
                HARNESS_FAIL("%s of row %zu passes", names[i], row);
            --*value;
        }
        weft_vid *source = (weft_vid *)(uintptr_t)weft_result_u32(r, "source") + row, was = *source;
        static const weft_vid lies[] = {149, 150, WEFT_NO_VERTEX}; /* the first is never drawn: no arc leaves it */
        for (size_t i = 0; i < LENGTH(lies); i++) {
            CHECK(was != lies[i]);
            *source = lies[i];
            if (weft_check(ctx, "bfs", g, &p, r, &report) || report.passed)
                HARNESS_FAIL("%u in row %zu passes", lies[i], row);
        }
        *source = was;
    }
    draw_sources(&other, g, 4);
    CHECK(weft_check(ctx, "bfs", g, &other, r, &report) == WEFT_OK && !report.passed);
    CHECK(weft_check(ctx, "bfs", g, &p, r, &report) == WEFT_OK && report.passed);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- the GPU's plan and its ear ---------------------------------------------------- */

static weft_graph *made(weft_ctx *ctx, const char *kind, uint64_t n, uint64_t scale) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.n = n;
    p.scale = scale;
    p.undirected = 1;
    if (weft_generate(ctx, kind, &p, NULL, &g)) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

TEST(the_words_of_a_batch_are_planned_on_the_gpu) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = made(ctx, "rmat", 0, 17);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    weft_plan *plan = NULL, *one = NULL;
    weft_result *r = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    REQUIRE(g && weft_plan_new(ctx, "bfs", g, &p, &one) == WEFT_OK);
    draw_sources(&p, g, 66);
    REQUIRE(weft_plan_new(ctx, "bfs", g, &p, &plan) == WEFT_OK);
    uint64_t words = 24ull * weft_graph_vertices(g), more = weft_plan_device_bytes(plan) - weft_plan_device_bytes(one);
    CHECK(more >= words && more < words + 4096); /* and counters, aligned */
    REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
    double planned = (double)weft_plan_device_bytes(plan), peak = (double)weft_ctx_device_memory_peak(ctx);
    if (!held_as_planned(planned, peak))
        HARNESS_FAIL("the plan says %.0f bytes on the GPU, the run held %.0f", planned, peak);
    weft_result_free(r);
    weft_plan_free(plan);
    weft_plan_free(one);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_batch_stops_on_request_on_the_gpu) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = made(ctx, "path", 100000, 0);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    REQUIRE(g);
    draw_sources(&p, g, 70);
    for (int patience = 0; g && patience < 100; patience += 33) {
        _Atomic int left = patience;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, (void *)&left);
        CHECK(weft_bfs(ctx, g, &p, &r) == WEFT_ECANCELLED && !r);
    }
    weft_ctx_set_cancel(ctx, NULL, NULL);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

static void expect_levels(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *p, const char *levels,
                          uint64_t depth) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_result *r = NULL;
    char text[256] = "";
    REQUIRE(weft_bfs(ctx, g, p, &r) == WEFT_OK);
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        uint32_t level = weft_result_u32(r, "level")[v];
        append(text, sizeof text, level == FAR ? "%s-" : "%s%u", v ? " " : "", level);
    }
    CHECK_TEXT(text, levels);
    CHECK_U64(weft_result_scalar(r, "depth")->value.u64, depth);
    CHECK_U64(weft_check(ctx, "bfs", g, p, r, &report), WEFT_OK);
    if (!report.passed) HARNESS_FAIL("%s", report.message);
    ((uint32_t *)(uintptr_t)weft_result_u32(r, "level"))[p->sources ? p->sources[0] : p->source] = 1;
    CHECK_U64(weft_check(ctx, "bfs", g, p, r, &report), WEFT_OK);
    CHECK(!report.passed);
    weft_result_free(r);
}

TEST(several_sources_and_targets_that_end_the_search) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_vid u[] = {0, 1, 2, 3, 4, 5, 6}, v[] = {1, 2, 3, 4, 5, 6, 7}, sources[] = {7, 2, 2}, targets[] = {3, 4, 2},
             far[] = {3, 8};
    weft_graph *path = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_UNDIRECTED;
    REQUIRE(weft_graph_from_edges(ctx, 9, LENGTH(u), u, v, NULL, WEFT_WEIGHT_NONE, &build, &path) == WEFT_OK);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    p.sources = sources;
    p.source_count = LENGTH(sources);
    expect_levels(ctx, path, &p, "2 1 0 1 2 2 1 0 -", 2);
    p.max_depth = 1;
    expect_levels(ctx, path, &p, "- 1 0 1 - - 1 0 -", 1);
    p = (weft_bfs_params)WEFT_BFS_DEFAULTS;
    p.source = 2;
    p.targets = targets;
    p.target_count = LENGTH(targets);
    expect_levels(ctx, path, &p, "2 1 0 1 2 - - - -", 2);
    p.target_count = 1;
    expect_levels(ctx, path, &p, "- 1 0 1 - - - - -", 1);
    p.targets = targets + 2; /* the source itself */
    expect_levels(ctx, path, &p, "- - 0 - - - - - -", 0);
    p.targets = far; /* one cannot be reached */
    p.target_count = 2;
    expect_levels(ctx, path, &p, "2 1 0 1 2 3 4 5 -", 5);
    weft_graph_free(path);
    weft_ctx_free(ctx);
}

TEST(targets_and_each_are_validated) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_vid bad[] = {0, 99};
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    p.each = 1;
    CHECK_U64(weft_bfs(ctx, g, &p, &r), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "bfs: each needs sources");
    p.each = 0;
    p.targets = bad;
    p.target_count = 2;
    CHECK_U64(weft_bfs(ctx, g, &p, &r), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "bfs: targets[1] is vertex 99, but the graph has 34 vertices");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
