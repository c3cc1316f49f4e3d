/* bfs around the search itself: sources, refusals, plans and their bytes, cancel. */
#include "bfs_support.h"
#include "plan_bytes.h"

#include "cuda/device.h"

/* --- sources ------------------------------------------------------------------- */

static weft_vid source_of(const weft_result *r) {
    weft_vid v = 0;
    while (weft_result_u32(r, "level")[v]) v++;
    return v;
}

TEST(random_sources_have_arcs_and_a_longer_list_begins_with_the_shorter) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 8;
    gp.degree = 4;
    weft_graph *g = made(ctx, "rmat", &gp);
    REQUIRE(g);
    weft_csr out = out_rows(g);
    weft_vid last[3], first = 0, different = 0;
    for (int k = 1; k <= 12; k++)
        for (int threads = 1; threads < 4; threads += 2) {
            weft_vid list[12];
            weft_bfs_params p = WEFT_BFS_DEFAULTS;
            p.sources = list;
            p.source_count = (size_t)k;
            p.each = 1;
            weft_result *r = NULL;
            weft_ctx_set_threads(ctx, threads);
            REQUIRE(weft_random_sources(ctx, g, (size_t)k, 1, list) == WEFT_OK);
            REQUIRE(weft_bfs(ctx, g, &p, &r) == WEFT_OK);
            weft_vid v = source_of(r);
            CHECK(v == list[k - 1] && (k == 1 || list[0] == first));
            first = list[0];
            CHECK(out.offsets[v + 1] > out.offsets[v]);
            CHECK(verified(ctx, g, &p, r));
            if (threads == 3) CHECK_U64(v, last[0]);
            if (threads == 1 && k > 1) different += v != last[0];
            last[0] = v;
            weft_result_free(r);
        }
    CHECK(different > 5);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(parameters_that_make_no_sense_are_refused) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = graph_of(ctx, 3, "0>1 1>2", WEFT_DIRECTED);
    weft_result *r = NULL;
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    REQUIRE(g);
    p.source = 3;
    CHECK(weft_bfs(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "3 vertices");
    p.source = 0;
    weft_vid some[] = {0, 1, 3};
    p.sources = some;
    p.source_count = 2;
    CHECK(weft_bfs(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "`source` and `sources` exclude each other");
    p.source = NONE;
    p.source_count = 3;
    CHECK(weft_bfs(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "sources[2] is vertex 3, but the graph has 3 vertices");
    p.source_count = 0;
    CHECK(weft_bfs(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "source_count");
    p.sources = NULL;
    p.source_count = 2;
    CHECK(weft_bfs(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "source_count");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- plans, memory, failures, cancel ---------------------------------------------- */

TEST(the_plan_names_its_method_and_its_bytes_hold) {
    static const struct {
        int undirected, weighted;
        size_t sources;
        const char *method, *reason;
    } cases[] = {
        {1, 0, 0, "direction-optimising", "undirected"},
        {0, 0, 0, "top-down", "without a transpose"},
        {0, 0, 3, "top-down", "few sources"},
        {0, 0, 16, "direction-optimising", "many sources"},
        {0, 1, 16, "direction-optimising", "many sources"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
        gp.scale = 18;
        gp.degree = 16;
        gp.undirected = cases[i].undirected;
        gp.max_weight = cases[i].weighted ? 100 : 0;
        weft_graph *made_here = made(ctx, "rmat", &gp), *g = NULL;
        REQUIRE(made_here);
        /* A context of its own, whose high-water mark knows nothing of how the graph was made. */
        char folder[256], path[300];
        REQUIRE(make_temp(folder, sizeof folder));
        snprintf(path, sizeof path, "%s/g.weft", folder);
        REQUIRE(weft_write(ctx, made_here, path, NULL) == WEFT_OK);
        weft_graph_free(made_here);
        weft_ctx_free(ctx);
        ctx = new_ctx(2, NULL);
        REQUIRE(weft_read(ctx, path, NULL, &g) == WEFT_OK);
        weft_bfs_params p = WEFT_BFS_DEFAULTS;
        draw_sources(&p, g, cases[i].sources);
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(weft_plan_new(ctx, "bfs", g, &p, &plan) == WEFT_OK);
        CHECK_TEXT(weft_plan_method(plan), cases[i].method);
        CHECK_HAS(weft_plan_reason(plan), cases[i].reason);
        uint64_t before = weft_ctx_memory_in_use(ctx);
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        uint64_t used = weft_ctx_memory_peak(ctx) - before, said = weft_plan_host_bytes(plan);
        if (!held_as_declared(plan, used))
            HARNESS_FAIL("case %zu: the plan says %" PRIu64 " bytes, the run took %" PRIu64, i, said, used);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
        remove_temp(folder);
    }
}

TEST(without_room_for_the_transpose_the_search_goes_top_down) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 12;
    gp.degree = 16;
    weft_graph *g = made(ctx, "rmat", &gp);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    REQUIRE(g);
    draw_sources(&p, g, 20);
    weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + 100000);
    REQUIRE(weft_plan_new(ctx, "bfs", g, &p, &plan) == WEFT_OK);
    CHECK_TEXT(weft_plan_method(plan), "top-down");
    CHECK_HAS(weft_plan_reason(plan), "memory limit");
    REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
    CHECK(verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The system may have less than the limit allows: only the block for the transposed arcs is refused. */
static void *alloc_but_the_large(void *user, size_t bytes) { return bytes > *(size_t *)user ? NULL : malloc(bytes); }
static void free_any(void *user, void *block, size_t bytes) {
    (void)user, (void)bytes;
    free(block);
}

TEST(a_transpose_that_the_system_refuses_is_done_without) {
    warnings w;
    weft_ctx *ctx = new_ctx(2, &w);
    size_t largest = SIZE_MAX;
    weft_ctx_set_allocator(ctx, alloc_but_the_large, free_any, &largest);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 12;
    gp.degree = 16;
    weft_graph *g = made(ctx, "rmat", &gp);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    weft_result *r = NULL;
    REQUIRE(g);
    draw_sources(&p, g, 20);
    largest = 4 * 4096 + 4096; /* the queue and the bitmaps, not the transpose */
    REQUIRE(weft_bfs(ctx, g, &p, &r) == WEFT_OK);
    CHECK_HAS(w.text, "transpose");
    CHECK(verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_search_stops_on_request) {
    static const struct {
        const char *kind;
        uint64_t n, scale;
    } graphs[] = {{"path", 200000, 0}, {"rmat", 0, 14}};
    for (size_t i = 0; i < LENGTH(graphs); i++)
        for (int patience = 0; patience < 4; patience++)
            for (int threads = 1; threads < 4; threads += 2) {
                weft_ctx *ctx = new_ctx(threads, NULL);
                weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
                gp.n = graphs[i].n;
                gp.scale = graphs[i].scale;
                gp.undirected = 1;
                weft_graph *g = made(ctx, graphs[i].kind, &gp);
                _Atomic int left = patience;
                weft_result *r = NULL;
                REQUIRE(g);
                weft_ctx_set_cancel(ctx, stop_after, (void *)&left);
                CHECK(weft_bfs(ctx, g, NULL, &r) == WEFT_ECANCELLED);
                CHECK(!r);
                weft_graph_free(g);
                CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
                weft_ctx_free(ctx);
            }
}

/* --- deep graphs on the GPU ------------------------------------------------------- */

/* A path of `spine` vertices; from every `gap`-th a star of `leaves` hangs, and from each leaf a path of `fringe` more. */
static weft_graph *comb(weft_ctx *ctx, weft_vid spine, weft_vid gap, weft_vid leaves, weft_vid fringe,
                        weft_direction direction) {
    uint64_t most = spine + (uint64_t)(spine / gap + 1) * leaves * (fringe + 1), m = 0;
    weft_vid *u = malloc(most * sizeof *u), *v = malloc(most * sizeof *v), next = spine;
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    params.direction = direction;
    for (weft_vid i = 0; u && v && i < spine; i++) {
        if (i + 1 < spine) u[m] = i, v[m++] = i + 1;
        for (weft_vid k = 0; i % gap == gap - 1 && k < leaves; k++) {
            u[m] = i, v[m++] = next++;
            for (weft_vid f = 0; f < fringe; f++, next++) u[m] = next - 1, v[m++] = next;
        }
    }
    if (!u || !v || weft_graph_from_edges(ctx, next, m, u, v, NULL, WEFT_WEIGHT_NONE, &params, &g))
        HARNESS_FAIL("no comb: %s", weft_ctx_message(ctx));
    free(u);
    free(v);
    return g;
}

/* `count` times: one vertex, `width` beside each other, one vertex, then `link` in a row to the next. */
static weft_graph *beads(weft_ctx *ctx, weft_vid count, weft_vid width, weft_vid link, weft_direction direction) {
    uint64_t most = (uint64_t)count * (2 * (uint64_t)width + link + 1), m = 0;
    weft_vid *u = malloc(most * sizeof *u), *v = malloc(most * sizeof *v), at = 0;
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    params.direction = direction;
    for (weft_vid i = 0; u && v && i < count; i++) {
        for (weft_vid k = 1; k <= width; k++) {
            u[m] = at, v[m++] = at + k;
            u[m] = at + k, v[m++] = at + width + 1;
        }
        at += width + 1;
        for (weft_vid k = 0; k < link; k++, at++) u[m] = at, v[m++] = at + 1;
    }
    if (!u || !v || weft_graph_from_edges(ctx, at + 1, m, u, v, NULL, WEFT_WEIGHT_NONE, &params, &g))
        HARNESS_FAIL("no beads: %s", weft_ctx_message(ctx));
    free(u);
    free(v);
    return g;
}

static void check_gpu(weft_ctx *ctx, weft_graph *g, uint64_t max_depth, const char *what) {
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    weft_result *cpu = NULL, *gpu = NULL;
    p.source = 0;
    p.max_depth = max_depth;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    REQUIRE(g && weft_bfs(ctx, g, &p, &cpu) == WEFT_OK);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    REQUIRE(weft_bfs(ctx, g, &p, &gpu) == WEFT_OK);
    size_t bytes = (size_t)weft_graph_vertices(g) * sizeof(uint32_t);
    if (memcmp(weft_result_u32(cpu, "level"), weft_result_u32(gpu, "level"), bytes))
        HARNESS_FAIL("%s: other levels", what);
    if (memcmp(weft_result_column(cpu, "parent")->data, weft_result_column(gpu, "parent")->data, bytes))
        HARNESS_FAIL("%s: other parents", what);
    CHECK_U64(weft_result_scalar(gpu, "reached")->value.u64, weft_result_scalar(cpu, "reached")->value.u64);
    CHECK_U64(weft_result_scalar(gpu, "depth")->value.u64, weft_result_scalar(cpu, "depth")->value.u64);
    weft_result_free(cpu);
    weft_result_free(gpu);
}

/* Long enough for the cluster to take over, with stars that fit in its queues, that one block's queue cannot hold, and
 * that make the frontier too wide for it; and an end in the middle. */
TEST(deep_graphs_with_wide_places_are_the_same_on_the_gpu) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    static const struct {
        weft_vid spine, gap, leaves, fringe;
    } shapes[] = {{3000, 3000, 0, 0},  {3000, 7, 5, 3},      {1000, 100, 300, 2},
                  {400, 60, 20000, 1}, {200, 90, 40000, 30}, {300, 50, 3000, 40}};
    for (size_t i = 0; i < LENGTH(shapes); i++)
        for (int directed = 0; directed < 2; directed++) {
            char what[64];
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_graph *g = comb(ctx, shapes[i].spine, shapes[i].gap, shapes[i].leaves, shapes[i].fringe,
                                 directed ? WEFT_DIRECTED : WEFT_UNDIRECTED);
            snprintf(what, sizeof what, "comb %zu, %s", i, directed ? "directed" : "undirected");
            check_gpu(ctx, g, 0, what);
            check_gpu(ctx, g, shapes[i].spine / 2 + 1, what);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
}

/* Now one block's, now the whole grid's, with every number of levels between two turns of the grid. */
TEST(a_frontier_that_swells_and_shrinks_is_the_same_on_the_gpu) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (weft_vid link = 1; link < 7; link++)
        for (int directed = 0; directed < 2; directed++) {
            char what[64];
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_graph *g = beads(ctx, 40, 9000, link, directed ? WEFT_DIRECTED : WEFT_UNDIRECTED);
            snprintf(what, sizeof what, "beads, link %u, %s", link, directed ? "directed" : "undirected");
            check_gpu(ctx, g, 0, what);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
}

TEST_MAIN()
