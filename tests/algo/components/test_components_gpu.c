/* components on the GPU: the CPU's bytes on graphs that are hard for it: deep ones (long paths and cycles, in order and shuffled),
 * hubs with rows that are shared out, components that nest in chains, arcs both ways and one way mixed.  The small ones are
 * in test_matrix.c. */
#include "arc_list.h"

#include "cuda/device.h"
#include "weft/components.h"

static void path(arc_list *a) {
    a->n = 300000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v - 1, v);
}

static void path_both_ways(arc_list *a) {
    a->n = 300000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v - 1, v), add(a, v, v - 1);
}

static void cycle(arc_list *a) {
    path(a);
    add(a, a->n - 1, 0);
}

/* Cycles of 1, 2, 3, ... vertices, each with an arc to the next. */
static void chain_of_cycles(arc_list *a) {
    for (uint64_t length = 1; length < 700; length++) {
        for (uint64_t i = 0; i < length; i++) add(a, a->n + i, a->n + (i + 1) % length);
        if (length < 699) add(a, a->n + length / 2, a->n + length);
        a->n += length;
    }
}

/* A vertex that all sources point to and one that points to all sinks; sources and sinks are short cycles, so that nothing is
 * told by degrees.  The middle of it, hub to hub, is one arc; closed: and one back. */
static void two_hubs(arc_list *a, bool closed) {
    uint64_t each = 200000;
    a->n = 2 + 2 * each;
    for (uint64_t i = 0; i < each; i++) {
        add(a, 2 + i, 2 + (i ^ 1));
        add(a, 2 + i, 0);
        add(a, 2 + each + i, 2 + each + (i ^ 1));
        add(a, 1, 2 + each + i);
    }
    add(a, 0, 1);
    if (closed) add(a, 1, 0);
}
static void open_hubs(arc_list *a) { two_hubs(a, false); }
static void closed_hubs(arc_list *a) { two_hubs(a, true); }

/* Away from the middle in four directions, with every hundredth street both ways. */
static void streets(arc_list *a) {
    uint64_t side = 400;
    a->n = side * side;
    for (uint64_t y = 0; y < side; y++)
        for (uint64_t x = 0; x < side; x++) {
            uint64_t v = y * side + x, toss = random_at(3, v) % 100;
            if (x + 1 < side) add(a, v, v + 1);
            if (y + 1 < side) add(a, v, v + side);
            if (x + 1 < side && toss < 30) add(a, v + 1, v);
            if (y + 1 < side && toss > 60) add(a, v + side, v);
        }
}

static void random_arcs(arc_list *a, uint64_t n, uint64_t m, bool acyclic) {
    a->n = n;
    for (uint64_t i = 0; i < m; i++) {
        uint64_t u = random_at(7, 2 * i) % n, v = random_at(7, 2 * i + 1) % n;
        if (acyclic && u == v) continue;
        if (acyclic && u > v)
            add(a, v, u);
        else
            add(a, u, v);
    }
}
static void sparse(arc_list *a) { random_arcs(a, 200000, 240000, false); }
static void middling(arc_list *a) { random_arcs(a, 200000, 500000, false); }
static void nearly_too_many(arc_list *a) { random_arcs(a, 200000, 399000, false); } /* four arcs a vertex, undirected */
static void dense(arc_list *a) { random_arcs(a, 20000, 500000, false); }
static void acyclic(arc_list *a) { random_arcs(a, 100000, 600000, true); }

static const struct {
    const char *name;
    void (*make)(arc_list *a);
} shapes[] = {
    {"a path", path},
    {"a path both ways", path_both_ways},
    {"a cycle", cycle},
    {"a chain of cycles", chain_of_cycles},
    {"two hubs", open_hubs},
    {"two hubs, arcs both ways between them", closed_hubs},
    {"streets", streets},
    {"random, sparse", sparse},
    {"random, middle", middling},
    {"random, four arcs each", nearly_too_many},
    {"random, dense", dense},
    {"random, acyclic", acyclic},
};

static void same_on_both(weft_ctx *ctx, const arc_list *a, weft_direction direction, int strong, const char *name) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *r[2] = {NULL, NULL};
    build.direction = direction;
    p.strong = strong;
    if (weft_graph_from_edges(ctx, a->n, a->m, a->from, a->to, NULL, WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    for (int on_gpu = 0; on_gpu < 2; on_gpu++) {
        weft_ctx_set_device(ctx, on_gpu ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
        if (weft_components(ctx, g, &p, &r[on_gpu])) HARNESS_FAIL("%s: %s", name, weft_ctx_message(ctx));
    }
    if (memcmp(weft_result_u32(r[0], "component"), weft_result_u32(r[1], "component"), 4 * a->n))
        HARNESS_FAIL("%s, %s: other components", name, strong ? "strong" : "weak");
    CHECK_U64(weft_result_scalar(r[1], "count")->value.u64, weft_result_scalar(r[0], "count")->value.u64);
    CHECK_U64(weft_result_scalar(r[1], "largest")->value.u64, weft_result_scalar(r[0], "largest")->value.u64);
    weft_result_free(r[0]);
    weft_result_free(r[1]);
    weft_graph_free(g);
}

TEST(the_gpu_gives_the_cpus_components) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    arc_list a = {0, 0, malloc(MOST_ARCS * sizeof(weft_vid)), malloc(MOST_ARCS * sizeof(weft_vid))};
    if (!a.from || !a.to) exit(1);
    for (size_t i = 0; i < LENGTH(shapes); i++)
        for (int shuffled = 0; shuffled < 2; shuffled++) {
            weft_ctx *ctx = new_ctx(2, NULL);
            a.n = a.m = 0;
            shapes[i].make(&a);
            if (shuffled) shuffle(&a);
            same_on_both(ctx, &a, WEFT_DIRECTED, 1, shapes[i].name);
            same_on_both(ctx, &a, WEFT_DIRECTED, 0, shapes[i].name);
            same_on_both(ctx, &a, WEFT_UNDIRECTED, 0, shapes[i].name);
            CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
    free(a.from);
    free(a.to);
}

/* What is asked for while the GPU's memory is planned is what it holds, with the incoming rows at hand and without. */
TEST(strong_components_hold_what_was_planned_on_the_gpu) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (int at_hand = 0; at_hand < 2; at_hand++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params made = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
        weft_graph *g = NULL;
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        weft_csr in = {.size = sizeof in};
        made.scale = 18;
        made.degree = 16;
        build.direction = WEFT_DIRECTED;
        p.strong = 1;
        REQUIRE(!weft_generate(ctx, "rmat", &made, &build, &g) && (!at_hand || !weft_graph_in(ctx, g, &in)));
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        REQUIRE(!weft_plan_new(ctx, "components", g, &p, &plan) && !weft_plan_run(plan, &r));
        double planned = (double)weft_plan_device_bytes(plan), peak = (double)weft_ctx_device_memory_peak(ctx);
        if (!held_as_planned(planned, peak))
            HARNESS_FAIL("the plan says %.0f bytes on the GPU, the run held %.0f", planned, peak);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
