/* aggregate on the GPU: the CPU's bytes for every type, width and operation, on rows longer than a block; features that are there
 * already; failures, and requests to stop.  test_matrix has the small graphs. */
#include "aggregate_support.h"
#include "cuda/device.h"
#include "variants.h"

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

static const uint64_t widths[] = {1, 2, 7, 8, 31, 64, 100, 260};
enum { WIDEST = 260, VERTICES = 300, TYPES = 3 };
static const weft_type kinds[TYPES] = {WEFT_F32, WEFT_F16, WEFT_BF16};

/* The same numbers in each type, with odd ones among them. */
typedef struct features {
    float *x;
    uint16_t *half, *upper;
} features;

static features make_features(uint64_t count, uint64_t seed) {
    features f = {random_features(count, 1, seed), malloc(count * 2), malloc(count * 2)};
    if (!f.half || !f.upper) exit(1);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 997 == 5) f.x[i] = i % 2 ? NAN : -0.0F;
        if (i % 1499 == 7) f.x[i] = i % 2 ? INFINITY : -INFINITY;
        if (seed % 2) f.x[i] = (float)(random_at(seed, i) % 7) - 3; /* of which many are equal */
        f.half[i] = weft_f16_of(f.x[i]);
        f.upper[i] = weft_bf16_of(f.x[i]);
    }
    return f;
}

static void free_features(features *f) {
    free(f->x);
    free(f->half);
    free(f->upper);
}

static const weft_matrix *matrix_of(const features *f, weft_type type, uint64_t rows, uint64_t width) {
    const void *data = type == WEFT_F32 ? (void *)f->x : type == WEFT_F16 ? f->half : f->upper;
    return matrix_at(data, rows, width, type);
}

/* What both say to these params. */
static void compare_devices(weft_ctx *ctx, const weft_graph *g, const params_t *p) {
    weft_result *cpu = NULL, *gpu = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    weft_status a = weft_aggregate(ctx, g, p, &cpu);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    weft_status b = weft_aggregate(ctx, g, p, &gpu);
    const char *where = a || b ? weft_ctx_message(ctx) : difference(cpu, gpu);
    if (where)
        HARNESS_FAIL("%s: op %d, gcn %d, loops %d, backward %d, type %d, width %d, %s", where, p->op, p->normalize,
                     p->self_loop, p->backward, p->features->type, (int)p->features->width,
                     weft_graph_directed(g) ? "directed" : "undirected");
    weft_result_free(cpu);
    weft_result_free(gpu);
}

/* Every operation there is, forth and back. */
static void compare_operations(weft_ctx *ctx, const weft_graph *g, const weft_matrix *x, const weft_matrix *forward) {
    for (int self_loop = 0; self_loop < 2; self_loop++)
        for (int backward = 0; backward < 2; backward++)
            for (int op = WEFT_AGGREGATE_SUM; op <= WEFT_AGGREGATE_MAX + 1; op++) {
                params_t p = WEFT_AGGREGATE_DEFAULTS;
                p.op = op > WEFT_AGGREGATE_MAX ? WEFT_AGGREGATE_SUM : op;
                p.normalize = op > WEFT_AGGREGATE_MAX ? WEFT_NORMALIZE_GCN : WEFT_NORMALIZE_NONE;
                p.self_loop = self_loop;
                p.backward = backward;
                p.features = x;
                if (backward && op == WEFT_AGGREGATE_MAX) p.forward = forward;
                compare_devices(ctx, g, &p);
            }
}

TEST(every_width_type_and_operation_gives_the_same_bytes) {
    if (no_gpu()) SKIP("no GPU");
    features x = make_features(VERTICES * WIDEST, 2), forward = make_features(VERTICES * WIDEST, 3);
    for (int directed = 0; directed < 2; directed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = graph_with_hubs(ctx, VERTICES, directed ? WEFT_DIRECTED : WEFT_UNDIRECTED);
        REQUIRE(g != NULL);
        for (int type = 0; type < TYPES; type++)
            for (size_t w = 0; w < LENGTH(widths); w++)
                compare_operations(ctx, g, matrix_of(&x, kinds[type], VERTICES, widths[w]),
                                   matrix_of(&forward, kinds[(type + (int)w) % TYPES], VERTICES, widths[w]));
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    free_features(&x);
    free_features(&forward);
}

/* R-MAT of degree 16, with parallel arcs. */
static weft_graph *make_rmat(weft_ctx *ctx, uint64_t scale, weft_direction direction) {
    weft_generate_params rmat = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    rmat.scale = scale;
    rmat.degree = 16;
    build.direction = direction;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    if (weft_generate(ctx, "rmat", &rmat, &build, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* Thousands of rows, and hubs. */
TEST(large_graphs_give_the_same_bytes) {
    if (no_gpu()) SKIP("no GPU");
    static const uint64_t many[] = {16, 20, 32, 40, 72, 128};
    enum { MOST = 128 };
    for (int directed = 0; directed < 2; directed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_rmat(ctx, 13, directed ? WEFT_DIRECTED : WEFT_UNDIRECTED);
        REQUIRE(g != NULL);
        weft_vid n = weft_graph_vertices(g);
        features x = make_features((uint64_t)n * MOST, 2), forward = make_features((uint64_t)n * MOST, 3);
        for (size_t w = 0; w < LENGTH(many); w++)
            compare_operations(ctx, g, matrix_of(&x, kinds[w % TYPES], n, many[w]),
                               matrix_of(&forward, kinds[w % 2], n, many[w]));
        compare_operations(ctx, g, matrix_of(&x, WEFT_F32, n, 64), matrix_of(&forward, WEFT_F32, n, 64));
        free_features(&x);
        free_features(&forward);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* The way back as the first thing that is done with a graph: nothing of a run forth is there to build on. */
TEST(the_way_back_needs_no_way_forth) {
    if (no_gpu()) SKIP("no GPU");
    enum { WIDTH = 16 };
    features x = make_features(VERTICES * WIDTH, 2);
    for (int normalize = 0; normalize < 2; normalize++)
        for (int self_loop = 0; self_loop < 2; self_loop++) {
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_graph *g = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
            params_t p = params_of(WEFT_AGGREGATE_MEAN, x.x, VERTICES, WIDTH);
            REQUIRE(g != NULL);
            p.normalize = normalize;
            p.self_loop = self_loop;
            p.backward = 1;
            compare_devices(ctx, g, &p);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
    free_features(&x);
}

/* No vertex, no arcs, one loop, a star both ways. */
TEST(small_graphs_give_the_same_bytes) {
    if (no_gpu()) SKIP("no GPU");
    enum { WIDTH = 8, RAYS = 299 };
    features x = make_features(VERTICES * WIDTH, 2), forward = make_features(VERTICES * WIDTH, 3);
    weft_vid hub[RAYS], ray[RAYS];
    for (weft_vid i = 0; i < RAYS; i++) hub[i] = 0, ray[i] = i + 1;
    const struct {
        uint64_t n, arcs;
        const weft_vid *from, *to;
    } graphs[] = {{0, 0, hub, hub}, {1, 0, hub, hub},           {5, 0, hub, hub},
                  {1, 1, hub, hub}, {VERTICES, RAYS, hub, ray}, {VERTICES, RAYS, ray, hub}};
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = NULL;
        REQUIRE(weft_graph_from_edges(ctx, graphs[i].n, graphs[i].arcs, graphs[i].from, graphs[i].to, NULL,
                                      WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
        for (uint64_t width = 1; width <= WIDTH; width += WIDTH - 1)
            compare_operations(ctx, g, matrix_of(&x, kinds[i % TYPES], graphs[i].n, width),
                               matrix_of(&forward, WEFT_F32, graphs[i].n, width));
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    free_features(&x);
    free_features(&forward);
}

/* Rows that begin at odd addresses cannot be read 16 bytes at once. */
TEST(features_may_begin_anywhere) {
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
    features x = make_features((VERTICES + 1) * 16, 2);
    REQUIRE(g != NULL);
    params_t p = params_of(WEFT_AGGREGATE_MEAN, x.x + 1, VERTICES, 16);
    compare_devices(ctx, g, &p);
    p.features = matrix_at(x.half + 3, VERTICES, 16, WEFT_F16);
    compare_devices(ctx, g, &p);
    free_features(&x);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Two layers and the way back through the second, with nothing on the host between them. */
TEST(features_can_be_on_the_gpu) {
    if (no_gpu()) SKIP("no GPU");
    enum { WIDTH = 24 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
    features x = make_features(VERTICES * WIDTH, 4);
    REQUIRE(g != NULL);
    for (int op = WEFT_AGGREGATE_SUM; op <= WEFT_AGGREGATE_MAX; op++) {
        weft_result *layer[2][3] = {{NULL}};
        for (int gpu = 0; gpu < 2; gpu++) {
            params_t p = params_of(op, x.x, VERTICES, WIDTH);
            weft_ctx_set_device(ctx, gpu ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
            weft_ctx_set_results_on_device(ctx, gpu);
            REQUIRE(weft_aggregate(ctx, g, &p, &layer[gpu][0]) == WEFT_OK);
            const void *first =
                gpu ? weft_result_device_column(layer[gpu][0], "f") : (const void *)weft_result_f32(layer[gpu][0], "f");
            REQUIRE(first != NULL);
            p.features = matrix_at(first, p.features->rows, p.features->width, p.features->type);
            p.features_on_device = gpu;
            REQUIRE(weft_aggregate(ctx, g, &p, &layer[gpu][1]) == WEFT_OK);
            p.backward = 1;
            const void *second =
                gpu ? weft_result_device_column(layer[gpu][1], "f") : (const void *)weft_result_f32(layer[gpu][1], "f");
            p.features = matrix_at(second, VERTICES, WIDTH, WEFT_F32);
            if (op == WEFT_AGGREGATE_MAX) p.forward = matrix_at(first, VERTICES, WIDTH, WEFT_F32);
            REQUIRE(weft_aggregate(ctx, g, &p, &layer[gpu][2]) == WEFT_OK);
        }
        for (int i = 0; i < 3; i++) {
            const char *where = difference(layer[0][i], layer[1][i]);
            if (where) HARNESS_FAIL("op %d, step %d: %s differs", op, i, where);
            weft_result_free(layer[0][i]);
            weft_result_free(layer[1][i]);
        }
    }
    weft_ctx_set_results_on_device(ctx, 0);
    free_features(&x);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* The graph's copy there is in the plan of the run that makes it. */
TEST(the_gpu_holds_what_was_planned) {
    if (no_gpu()) SKIP("no GPU");
    enum { WIDTH = 40, MODES = 5 };
    for (int mode = 0; mode < 2 * MODES; mode++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_rmat(ctx, 16, mode < MODES ? WEFT_DIRECTED : WEFT_UNDIRECTED);
        REQUIRE(g != NULL);
        weft_vid n = weft_graph_vertices(g);
        float *x = random_features(n, WIDTH, 2);
        params_t p = params_of(mode % MODES == 4 ? WEFT_AGGREGATE_MAX : WEFT_AGGREGATE_MEAN, x, n, WIDTH);
        p.self_loop = mode % 2;
        p.normalize = mode % MODES == 1;
        p.backward = mode % MODES >= 3;
        if (mode % MODES == 4) p.forward = p.features;
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        weft_ctx_set_results_on_device(ctx, mode % 3 == 0);
        REQUIRE(weft_plan_new(ctx, "aggregate", g, &p, &plan) == WEFT_OK);
        double planned = (double)weft_plan_device_bytes(plan);
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        double peak = (double)weft_ctx_device_memory_peak(ctx);
        if (!held_as_planned(planned, peak))
            HARNESS_FAIL("mode %d: the plan says %.0f bytes on the GPU, the run held %.0f: %+.1f %%", mode, planned,
                         peak, 100 * (peak / planned - 1));
        weft_result_free(r);
        weft_plan_free(plan);
        free(x);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Those are for the GPU only, with or without one. */
TEST(features_on_the_gpu_are_not_for_the_cpu) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
    features x = make_features(VERTICES, 2);
    params_t p = params_of(WEFT_AGGREGATE_SUM, x.x, VERTICES, 1);
    REQUIRE(g != NULL);
    p.features_on_device = 1;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    expect_refusal(ctx, g, &p, "require WEFT_DEVICE_CUDA");
    weft_ctx_set_device(ctx, WEFT_DEVICE_AUTO);
    expect_refusal(ctx, g, &p, "require WEFT_DEVICE_CUDA");
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    if (!no_gpu()) expect_refusal(ctx, g, &p, "not memory of the GPU");
    free_features(&x);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Forth, and back through a maximum. */
TEST(failures_are_told_and_leave_nothing) {
    if (no_gpu()) SKIP("no GPU");
    enum { OUT_OF_MEMORY = 2, WIDTH = 16, SCALE = 12 };
    features x = make_features(((uint64_t)1 << SCALE) * WIDTH, 2);
    for (int op = WEFT_AGGREGATE_SUM; op <= WEFT_AGGREGATE_MAX; op += 2) {
        int after = 0;
        for (bool done = false; !done && after < 500; after++) {
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_graph *g = make_rmat(ctx, SCALE, WEFT_DIRECTED);
            weft_result *r = NULL;
            REQUIRE(g && weft_graph_vertices(g) <= 1 << SCALE);
            params_t p = params_of(op, x.x, weft_graph_vertices(g), WIDTH);
            p.backward = op == WEFT_AGGREGATE_MAX;
            if (p.backward) p.forward = p.features;
            weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
            wfi_cuda_inject_failure(after, OUT_OF_MEMORY, false);
            weft_status st = weft_aggregate(ctx, g, &p, &r);
            wfi_cuda_inject_failure(0, 0, false);
            done = st == WEFT_OK;
            CHECK(done ? r != NULL : st == WEFT_ENOMEM && !r);
            weft_result_free(r);
            r = NULL;
            CHECK(weft_aggregate(ctx, g, &p, &r) == WEFT_OK); /* the context can go on */
            weft_result_free(r);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
        CHECK(after > 10 && after < 500);
    }
    free_features(&x);
}

TEST(a_run_can_be_stopped) {
    if (no_gpu()) SKIP("no GPU");
    enum { WIDTH = 100 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
    features x = make_features(VERTICES * WIDTH, 2);
    REQUIRE(g != NULL);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int backward = 0; backward < 2; backward++) {
        params_t p = params_of(WEFT_AGGREGATE_MAX, x.x, VERTICES, WIDTH);
        p.backward = backward;
        if (backward) p.forward = p.features;
        weft_status st = WEFT_ECANCELLED;
        int polls = 0;
        for (; st == WEFT_ECANCELLED && polls < 200; polls++) {
            _Atomic int left = polls;
            weft_result *r = NULL;
            weft_ctx_set_cancel(ctx, stop_after, &left);
            st = weft_aggregate(ctx, g, &p, &r);
            weft_ctx_set_cancel(ctx, NULL, NULL);
            weft_result_free(r);
        }
        CHECK(st == WEFT_OK && polls > 1);
    }
    free_features(&x);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST_MAIN()
