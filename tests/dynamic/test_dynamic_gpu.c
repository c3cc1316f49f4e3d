/* Dynamic graphs and a real GPU: mirrors that follow are those that would be uploaded, every algorithm gives the CPU's bytes on them, and a batch whose calls to CUDA
 * fail leaves the last state.  Histories on the GPU are in test_dynamic_model.c, the rules without one in test_dynamic_rules.c and test_dynamic_trail.c. */
#include "cuda/device.h"
#include "cuda/trail.h"

#include "model.h"
#include "weft/registry.h"

enum { TOWNS = 3000, ROADS = 40000, LARGE = 2000, LARGEST = 20000, OUT_OF_MEMORY = 2 };

#define NEED_GPU                                                  \
    do {                                                          \
        char none[64];                                            \
        if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU"); \
    } while (0)

typedef struct travel {
    weft_ctx *ctx, *gpu;
    weft_dynamic *d;
    weft_graph *base;
    dice from;
    weft_weight_type type;
    bool directed;
    int64_t ids;
    unsigned followed;
} travel;

static bool depart(travel *t, weft_device device) {
    weft_vid *u = malloc(ROADS * sizeof *u), *v = malloc(ROADS * sizeof *v);
    double *w = malloc(ROADS * sizeof *w);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    if (!u || !v || !w) exit(1);
    t->ctx = new_ctx(2, NULL);
    t->gpu = new_ctx(2, NULL);
    weft_ctx_set_device(t->ctx, WEFT_DEVICE_CPU);
    weft_ctx_set_device(t->gpu, WEFT_DEVICE_CUDA);
    build.direction = t->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    for (unsigned i = 0; i < ROADS; i++) {
        u[i] = (weft_vid)roll(&t->from, roll(&t->from, 2) ? TOWNS : 20);
        v[i] = (weft_vid)roll(&t->from, TOWNS);
        put_weight(t->type, w, i, (double)roll(&t->from, 4));
    }
    p.device = device;
    weft_status st = weft_graph_from_edges(t->ctx, TOWNS, ROADS, u, v, t->type ? w : NULL, t->type, &build, &t->base);
    if (!st) st = weft_dynamic_new(t->gpu, t->base, &p, &t->d);
    if (st) HARNESS_FAIL("no beginning: %s", weft_ctx_message(t->gpu));
    t->ids = TOWNS;
    free(u);
    free(v);
    free(w);
    return st == WEFT_OK;
}

static void arrive(travel *t) {
    weft_dynamic_free(t->d);
    weft_graph_free(t->base);
    weft_ctx_free(t->ctx);
    weft_ctx_free(t->gpu);
}

static weft_status change_some(travel *t, size_t count) {
    static int64_t u[LARGEST], v[LARGEST];
    static uint8_t what[LARGEST];
    static double w[LARGEST];
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    for (size_t i = 0; i < count; i++) {
        bool grows = roll(&t->from, 500) == 0;
        u[i] = grows ? t->ids++ : (int64_t)roll(&t->from, (uint64_t)t->ids);
        v[i] = (int64_t)roll(&t->from, (uint64_t)t->ids);
        what[i] = grows ? WEFT_CHANGE_INSERT : (uint8_t)roll(&t->from, t->type ? 3 : 2);
        put_weight(t->type, w, i, (double)roll(&t->from, 4));
    }
    batch.count = count;
    batch.sources = u;
    batch.targets = v;
    batch.changes = what;
    batch.weights = t->type ? w : NULL;
    return weft_dynamic_apply(t->gpu, t->d, &batch, NULL);
}

/* The mirror's rows are the graph's. */
static void compare_mirror(travel *t, const weft_graph *g) {
    struct wfi_gpu_rows *rows = wfi_mirror_share(g);
    size_t weight = wfi_weight_bytes(g->weight_type);
    wfi_view home = {.offsets = malloc(((size_t)g->n + 1) * 8),
                     .targets = malloc(g->arcs * 4 + 4),
                     .weights = malloc(g->arcs * weight + 8)};
    REQUIRE(rows && home.offsets && home.targets && home.weights);
    CHECK_U64(wfi_gpu_rows_count(rows), g->n);
    CHECK(wfi_gpu_rows_download(t->gpu, rows, &home) == WEFT_OK);
    CHECK(!memcmp(home.offsets, g->out.offsets, ((size_t)g->n + 1) * 8));
    CHECK(!memcmp(home.targets, g->out.targets, g->arcs * 4));
    if (weight) CHECK(!memcmp(home.weights, g->out.weights, g->arcs * weight));
    wfi_gpu_rows_drop(rows);
    free(wfi_own_offsets(&home));
    free(wfi_own_targets(&home));
    free(wfi_own_weights(&home));
}

/* Every algorithm that takes this graph as it is, there and here. */
static void compare_answers(travel *t, const weft_graph *g) {
    unsigned compared = 0;
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const char *name = weft_algorithm_at(i)->name;
        weft_plan *plan[2] = {NULL, NULL};
        uint64_t digest[2] = {1, 2};
        bool both = !weft_plan_new(t->gpu, name, g, NULL, &plan[0]) && !weft_plan_new(t->ctx, name, g, NULL, &plan[1]);
        for (int k = 0; k < 2 && both; k++) {
            weft_result *r = NULL;
            weft_ctx *ctx = k ? t->ctx : t->gpu;
            if (weft_plan_run(plan[k], &r) || weft_result_digest(ctx, r, &digest[k]))
                HARNESS_FAIL("%s: %s", name, weft_ctx_message(ctx));
            weft_result_free(r);
        }
        if (both && digest[0] != digest[1]) HARNESS_FAIL("%s differs on the GPU", name);
        compared += both;
        weft_plan_free(plan[0]);
        weft_plan_free(plan[1]);
    }
    CHECK(compared >= 5);
}

/* A plan says how the rows come there, and they come so. */
static void use_on_gpu(travel *t, bool answers) {
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    uint64_t changes;
    REQUIRE(weft_dynamic_snapshot(t->gpu, t->d, &g) == WEFT_OK);
    REQUIRE(weft_plan_new(t->gpu, "degree", g, NULL, &plan) == WEFT_OK ||
            weft_plan_new(t->gpu, "pagerank", g, NULL, &plan) == WEFT_OK);
    bool leads = g->trail && wfi_trail_reaches(g, 0, &changes);
    if (g->trail) CHECK_HAS(weft_plan_reason(plan), leads ? "follow from" : "uploaded");
    CHECK(weft_plan_run(plan, &r) == WEFT_OK);
    weft_result_free(r);
    weft_plan_free(plan);
    plan = NULL;
    REQUIRE(weft_plan_new(t->gpu, "bfs", g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_run(plan, &r) == WEFT_OK);
    weft_result_free(r);
    weft_plan_free(plan);
    t->followed += leads;
    compare_mirror(t, g);
    if (answers) compare_answers(t, g);
    weft_graph_free(g);
}

TEST(mirrors_that_follow_are_those_that_would_be_uploaded) {
    NEED_GPU;
    for (uint64_t seed = 0; seed < 8 && harness_failures < 5; seed++) {
        travel t = {.from = {seed, 5}, .type = (weft_weight_type)(seed % 4), .directed = seed / 4};
        REQUIRE(depart(&t, WEFT_DEVICE_CPU));
        for (unsigned b = 0; b < 12; b++) {
            for (unsigned k = 0; k < 3; k++) REQUIRE(change_some(&t, (size_t)roll(&t.from, 500)) == WEFT_OK);
            use_on_gpu(&t, b == 11);
        }
        CHECK(t.followed >= 9);
        arrive(&t);
    }
}

TEST(the_first_snapshot_follows_from_its_base) {
    NEED_GPU;
    travel t = {.from = {3, 6}, .directed = true};
    weft_result *r = NULL;
    weft_dynamic *later = NULL;
    REQUIRE(depart(&t, WEFT_DEVICE_CPU));
    REQUIRE(run_default(t.gpu, "pagerank", t.base, &r) == WEFT_OK);
    weft_result_free(r);
    REQUIRE(weft_dynamic_new(t.gpu, t.base, NULL, &later) == WEFT_OK);
    weft_dynamic_free(t.d);
    t.d = later;
    REQUIRE(change_some(&t, 500) == WEFT_OK);
    use_on_gpu(&t, false);
    CHECK(t.followed == 1);
    arrive(&t);
}

TEST(rows_on_the_gpu_are_the_mirror_of_a_snapshot) {
    NEED_GPU;
    for (uint64_t seed = 0; seed < 8 && harness_failures < 5; seed++) {
        travel t = {.from = {seed, 7}, .type = (weft_weight_type)(seed % 4), .directed = seed / 4};
        REQUIRE(depart(&t, WEFT_DEVICE_CUDA));
        for (unsigned b = 0; b < 12; b++) {
            REQUIRE(change_some(&t, (size_t)roll(&t.from, LARGE)) == WEFT_OK);
            if (b % 3 == 2) use_on_gpu(&t, b == 11);
        }
        arrive(&t);
    }
}

/* From batches that leave most stretches of the rows alone to those that change every other arc; large ones come from pinned memory. */
TEST(batches_of_any_size_do_on_the_gpu_what_they_do_here) {
    NEED_GPU;
    static const size_t size[] = {1, 30, LARGE, 5000, LARGEST, 300, LARGEST};
    for (uint64_t seed = 0; seed < 8 && harness_failures < 5; seed++) {
        travel t[2];
        for (int k = 0; k < 2; k++) {
            t[k] = (travel){.from = {seed, 10}, .type = (weft_weight_type)(seed % 4), .directed = seed / 4};
            REQUIRE(depart(&t[k], k ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU));
        }
        for (size_t b = 0; b < sizeof size / sizeof *size; b++) {
            uint64_t print[2] = {1, 2};
            for (int k = 0; k < 2; k++) {
                weft_graph *g = NULL;
                REQUIRE(change_some(&t[k], size[b]) == WEFT_OK);
                REQUIRE(weft_dynamic_snapshot(t[k].gpu, t[k].d, &g) == WEFT_OK);
                CHECK(weft_graph_fingerprint(t[k].ctx, g, &print[k]) == WEFT_OK);
                weft_graph_free(g);
            }
            CHECK_U64(print[1], print[0]);
        }
        for (int k = 0; k < 2; k++) arrive(&t[k]);
    }
}

/* Each call to CUDA fails in turn, as if memory were out: the graph is as it was, and takes the batch afterwards. */
TEST(a_batch_that_fails_on_the_gpu_leaves_the_last_state) {
    NEED_GPU;
    travel t = {.from = {9, 8}, .type = WEFT_WEIGHT_U32, .directed = true};
    REQUIRE(depart(&t, WEFT_DEVICE_CUDA));
    weft_graph *before = NULL, *after = NULL;
    uint64_t was = 0, is = 1;
    REQUIRE(weft_dynamic_snapshot(t.gpu, t.d, &before) == WEFT_OK && !weft_graph_fingerprint(t.ctx, before, &was));
    long calls = 0;
    for (weft_status st = WEFT_ENOMEM; st && calls < 400; calls++) {
        dice again = t.from;
        int64_t ids = t.ids;
        wfi_cuda_inject_failure(calls, OUT_OF_MEMORY, false);
        st = change_some(&t, 300);
        wfi_cuda_inject_failure(0, 0, false);
        if (!st) break;
        t.from = again;
        t.ids = ids;
        REQUIRE(weft_dynamic_snapshot(t.gpu, t.d, &after) == WEFT_OK && !weft_graph_fingerprint(t.ctx, after, &is));
        CHECK_U64(is, was);
        weft_graph_free(after);
        after = NULL;
    }
    CHECK(calls > 2 && calls < 400);
    REQUIRE(weft_dynamic_snapshot(t.gpu, t.d, &after) == WEFT_OK && !weft_graph_fingerprint(t.ctx, after, &is));
    CHECK(is != was);
    weft_graph_free(before);
    weft_graph_free(after);
    arrive(&t);
}

TEST_MAIN()
