/* toposort and cycle on the GPU: the CPU's bytes on graphs that are hard for it: deep ones, levels that are narrow and
 * wide in turn, rows of many arcs, repeated arcs, cycles before, behind and between what can be peeled; dense ones of
 * every width of a bit matrix.  The small ones are in test_matrix.c. */
#include "arc_list.h"
#include "variants.h"

#include "cuda/device.h"
#include "engines/kahn/kahn.h"
#include "weft/bfs.h"
#include "weft/cycle.h"
#include "weft/toposort.h"

static void path(arc_list *a) {
    a->n = 40000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v - 1, v);
}

/* Half of the path leads to a cycle, half away from it. */
static void path_through_a_cycle(arc_list *a) {
    path(a);
    add(a, a->n / 2, a->n / 2 - 5);
}

static void grid(arc_list *a) {
    uint64_t side = 500;
    a->n = side * side;
    for (uint64_t v = 0; v < a->n; v++) {
        if (v % side + 1 < side) add(a, v, v + 1);
        if (v + side < a->n) add(a, v, v + side);
    }
}

static void layers(arc_list *a) {
    uint64_t depth = 40, width = 5000;
    a->n = depth * width;
    for (uint64_t i = 0; i < 10 * (a->n - width); i++) {
        uint64_t v = width + random_at(3, i) % (a->n - width), before = v / width - 1;
        add(a, before * width + random_at(4, i) % width, v);
    }
}

/* One vertex, 20000, one, 20000: rows that are shared out, and sums that many add to. */
static void beads(arc_list *a) {
    uint64_t beads = 20, width = 20000;
    a->n = beads * (width + 1) + 1;
    for (uint64_t i = 0; i < beads; i++)
        for (uint64_t k = 1; k <= width; k++) {
            add(a, i * (width + 1), i * (width + 1) + k);
            add(a, i * (width + 1) + k, (i + 1) * (width + 1));
        }
}

/* Thousands of long rows are ready at once, after a level that one block had taken by itself. */
static void bouquet(arc_list *a) {
    uint64_t stalks = 2200, arcs = 1100, width = 50000;
    a->n = 1 + stalks + width;
    for (uint64_t i = 0; i < stalks; i++) {
        add(a, 0, 1 + i);
        for (uint64_t k = 0; k < arcs; k++) add(a, 1 + i, 1 + stalks + random_at(5, i * arcs + k) % width);
    }
}

static void random_arcs(arc_list *a, uint64_t n, uint64_t m, bool acyclic) {
    a->n = n;
    for (uint64_t i = 0; i < m; i++) {
        uint64_t u = random_at(7, 2 * i) % n, v = random_at(7, 2 * i + 1) % n;
        if (u == v) continue;
        if (acyclic && u > v)
            add(a, v, u);
        else
            add(a, u, v);
    }
}
static void sparse(arc_list *a) { random_arcs(a, 200000, 190000, false); }
static void middling(arc_list *a) { random_arcs(a, 200000, 500000, false); }
static void acyclic(arc_list *a) { random_arcs(a, 100000, 600000, true); }
static void repeated(arc_list *a) {
    random_arcs(a, 2000, 60000, true);
    for (uint64_t i = 0, m = a->m; i < m; i += 2) add(a, a->from[i], a->to[i]);
}

static void rings(arc_list *a) {
    for (uint64_t length = 2; length < 300; length++) {
        for (uint64_t i = 0; i < length; i++) add(a, a->n + i, a->n + (i + 1) % length);
        if (length < 299) add(a, a->n + length / 2, a->n + length);
        a->n += length;
    }
}

/* Of all pairs u < v one in `part`; back: an arc the other way between two that are far apart. */
static void triangle(arc_list *a, uint64_t n, uint64_t part, bool back) {
    a->n = n;
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = u + 1; v < n; v++)
            if (random_at(9, u * n + v) % part == 0) add(a, u, v);
    if (back) add(a, n - n / 4, n / 4);
}
static void full_256(arc_list *a) { triangle(a, 256, 1, false); }
static void half_257(arc_list *a) { triangle(a, 257, 2, false); }
static void half_1000(arc_list *a) { triangle(a, 1000, 2, false); }
static void half_1024_back(arc_list *a) { triangle(a, 1024, 2, true); }
static void some_1025(arc_list *a) { triangle(a, 1025, 12, false); }
static void some_2500_back(arc_list *a) { triangle(a, 2500, 10, true); }
static void half_2500(arc_list *a) { triangle(a, 2500, 2, false); }
static void dense_repeated(arc_list *a) {
    triangle(a, 900, 3, false);
    for (uint64_t i = 0, m = a->m; i < m; i += 3) add(a, a->from[i], a->to[i]);
}
static void matrix(arc_list *a) {
    a->n = 1300;
    for (uint64_t i = 0; i < a->n * a->n; i++)
        if (i / a->n != i % a->n && random_at(10, i) % 3 == 0) add(a, i / a->n, i % a->n);
}
/* Two halves: who is in the first points at all of the second. */
static void two_halves(arc_list *a) {
    a->n = 1800;
    for (uint64_t u = 0; u < 900; u++)
        for (uint64_t v = 900; v < 1800; v++) add(a, u, v);
}

static const struct {
    const char *name;
    void (*make)(arc_list *a);
    bool as_bits;
} shapes[] = {
    {"a path", path, false},
    {"a path through a cycle", path_through_a_cycle, false},
    {"a grid", grid, false},
    {"layers", layers, false},
    {"beads", beads, false},
    {"a bouquet", bouquet, false},
    {"random, sparse", sparse, false},
    {"random, middle", middling, false},
    {"random, acyclic", acyclic, false},
    {"repeated arcs", repeated, false},
    {"rings", rings, false},
    {"256, all arcs", full_256, true},
    {"257, half of the arcs", half_257, true},
    {"1000, half of the arcs", half_1000, true},
    {"1024, half of the arcs and one back", half_1024_back, true},
    {"1025, few arcs", some_1025, true},
    {"2500, few arcs and one back", some_2500_back, true},
    {"2500, half of the arcs", half_2500, true},
    {"dense, repeated arcs", dense_repeated, true},
    {"a random matrix", matrix, true},
    {"two halves", two_halves, true},
};

/* Every variant on both devices; the first run of all holds what was planned for the GPU. */
static void same_on_both(weft_ctx *ctx, const weft_graph *g, const char *algorithm, const char *name) {
    variants list = variants_of(weft_algorithm_find(algorithm), g, false);
    for (size_t k = 0; k < list.count; k++) {
        weft_result *cpu = NULL, *gpu = NULL;
        weft_plan *plan = NULL;
        weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
        if (run_variant(ctx, list.algorithm, &list.at[k], g, &cpu)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        uint64_t before = weft_ctx_device_memory_in_use(ctx);
        if (weft_plan_new(ctx, algorithm, g, list.at[k].params, &plan) || weft_plan_run(plan, &gpu)) {
            HARNESS_FAIL("%s of %s: %s", algorithm, name, weft_ctx_message(ctx));
        } else {
            const char *where = difference(cpu, gpu);
            if (where) HARNESS_FAIL("%s, %s, of %s: %s differs on the GPU", algorithm, list.at[k].name, name, where);
            double planned = (double)weft_plan_device_bytes(plan), peak = (double)weft_ctx_device_memory_peak(ctx);
            if (!k && !before && !held_as_planned(planned, peak))
                HARNESS_FAIL("%s of %s: the plan says %.0f bytes on the GPU, the run held %.0f", algorithm, name,
                             planned, peak);
        }
        weft_plan_free(plan);
        weft_result_free(cpu);
        weft_result_free(gpu);
    }
    variants_free(&list);
}

TEST(the_gpu_gives_the_cpus_order_and_cycles) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    arc_list a = {0, 0, malloc(MOST_ARCS * sizeof(weft_vid)), malloc(MOST_ARCS * sizeof(weft_vid))};
    if (!a.from || !a.to) exit(1);
    for (size_t i = 0; i < LENGTH(shapes); i++)
        for (int shuffled = 0; shuffled < 2; shuffled++) {
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_build_params build = WEFT_BUILD_DEFAULTS;
            weft_graph *g = NULL;
            a.n = a.m = 0;
            shapes[i].make(&a);
            if (shuffled) shuffle(&a);
            build.direction = WEFT_DIRECTED;
            build.duplicates = WEFT_DUPLICATES_KEEP;
            REQUIRE(!weft_graph_from_edges(ctx, a.n, a.m, a.from, a.to, NULL, WEFT_WEIGHT_NONE, &build, &g));
            CHECK(wfi_kahn_as_bits((weft_vid)a.n, a.m) == shapes[i].as_bits);
            same_on_both(ctx, g, shuffled ? "cycle" : "toposort", shapes[i].name);
            same_on_both(ctx, g, shuffled ? "toposort" : "cycle", shapes[i].name);
            weft_result *other = NULL;
            CHECK(weft_bfs(ctx, g, NULL, &other) == WEFT_OK); /* brings the incoming rows there */
            weft_result_free(other);
            same_on_both(ctx, g, "toposort", shapes[i].name);
            same_on_both(ctx, g, "cycle", shapes[i].name);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
    free(a.from);
    free(a.to);
}

/* More columns than one word a thread has room for. */
TEST(a_bit_matrix_of_two_words_a_thread) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    build.direction = WEFT_DIRECTED;
    p.n = 33333;
    p.p = 0.07;
    REQUIRE(!weft_generate(ctx, "dag", &p, &build, &g));
    CHECK(wfi_kahn_as_bits(33333, out_rows(g).arcs));
    same_on_both(ctx, g, "toposort", "two words");
    same_on_both(ctx, g, "cycle", "two words");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* A path has more levels than one launch makes. */
TEST(a_run_stops_on_request) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_cycle_params general = WEFT_CYCLE_DEFAULTS;
    weft_graph *g = NULL;
    build.direction = WEFT_DIRECTED;
    general.general = 1;
    p.n = 40000;
    REQUIRE(!weft_generate(ctx, "path", &p, &build, &g));
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int polls = 0; polls < 3; polls++) {
        _Atomic int left = polls;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        CHECK(weft_toposort(ctx, g, NULL, &r) == WEFT_ECANCELLED && !r);
        left = polls;
        CHECK(weft_cycle(ctx, g, &general, &r) == WEFT_ECANCELLED && !r);
    }
    weft_ctx_set_cancel(ctx, NULL, NULL);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST_MAIN()
