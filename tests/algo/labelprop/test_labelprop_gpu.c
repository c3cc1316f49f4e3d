/* labelprop on the GPU: the CPU's bytes where rows are of every length at which another way of counting begins, where a
 * row has more labels than a table holds, and where labels alternate; with weights too.  The usual graphs are in
 * test_matrix.c. */
#include "gpu_shapes.h"
#include "weft/labelprop.h"

/* A centre with `arms` neighbours of its own, which are also joined to each other at random. */
static void broom(arc_list *a, uint64_t arms, unsigned seed) {
    uint64_t centre = a->n, first = a->n + 1;
    a->n += arms + 1;
    for (uint64_t i = 0; i < arms; i++) add(a, centre, first + i);
    for (uint64_t i = 0; i < arms / 4; i++)
        add(a, first + random_at(seed, 2 * i) % arms, first + random_at(seed, 2 * i + 1) % arms);
}

/* Either side of every bound, as a degree of the undirected graph and of the directed one. */
static void short_brooms(arc_list *a) {
    static const uint64_t bounds[] = {4, 8, 16, 32, 64, 256, 1024, 4096};
    for (uint64_t arms = 1; arms < 40; arms++) broom(a, arms, 1);
    for (size_t i = 0; i < LENGTH(bounds); i++)
        for (uint64_t arms = bounds[i] - 1; arms <= bounds[i] + 1; arms++) broom(a, arms, 2);
}
static void long_brooms(arc_list *a) {
    static const uint64_t arms[] = {8191, 8192, 8193, 16384, 16385, 20000, 40000, 65536, 130000};
    for (size_t i = 0; i < LENGTH(arms); i++) broom(a, arms[i], 3);
}
static void longest_parted_row(arc_list *a) { broom(a, 1 << 18, 4); }
static void giant(arc_list *a) { broom(a, (1 << 18) + 1, 5); }
static void star(arc_list *a) {
    a->n = 500000;
    for (uint64_t v = 1; v < a->n; v++) add(a, 0, v);
}

/* Two centres that have all neighbours in common: whatever labels they have, few are different. */
static void two_giants(arc_list *a) {
    a->n = 300002;
    for (uint64_t i = 2; i < a->n; i++) add(a, 0, i), add(a, 1, i);
    for (uint64_t i = 2; i + 1 < a->n; i += 3) add(a, i, i + 1);
}

/* The hash by which rows are cut into parts (ops/group_tables.cuh). */
static uint32_t spread_bits(uint32_t x) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* A row all of whose labels fall into one part, and are too many for it. */
static void all_in_one_part(arc_list *a) {
    a->n = 200000;
    for (uint64_t v = 1; v < a->n; v++)
        if (spread_bits((uint32_t)v) >> 29 == 5) add(a, 0, v);
}

static void communities(arc_list *a) {
    enum { SIZE = 150 };
    a->n = 30000;
    for (uint64_t i = 0; i < 400000; i++) {
        uint64_t u = random_at(7, 3 * i) % a->n, inside = u / SIZE * SIZE + random_at(7, 3 * i + 1) % SIZE;
        add(a, u, random_at(7, 3 * i + 2) % 16 ? inside : random_at(8, i) % a->n);
    }
}

/* Loops and repetitions, in rows of all lengths. */
static void repeated(arc_list *a) {
    a->n = 3000;
    for (uint64_t i = 0; i < 300000; i++) {
        uint64_t u = random_at(9, 2 * i) % a->n, v = random_at(9, 2 * i + 1) % a->n;
        add(a, u * u / a->n, v * v / a->n * v / a->n);
    }
}

static void ladder(arc_list *a) {
    a->n = 20000;
    for (uint64_t v = 0; v + 2 < a->n; v++) add(a, v, v + 2);
    for (uint64_t v = 0; v < a->n; v += 2) add(a, v, v + 1);
}

static const shape shapes[] = {
    {"short brooms", short_brooms},
    {"long brooms", long_brooms},
    {"a long row", longest_parted_row},
    {"one that is longer", giant},
    {"a star", star},
    {"two giants", two_giants},
    {"labels that fall into one part", all_in_one_part},
    {"communities", communities},
    {"loops and repetitions", repeated},
    {"a ladder", ladder},
};

static void try_steps(weft_ctx *ctx, const weft_graph *g, const char *name) {
    static const uint64_t steps[] = {0, 1, 2, 3, 10, 101};
    for (size_t i = 0; i < LENGTH(steps); i++) {
        weft_labelprop_params p = WEFT_LABELPROP_DEFAULTS;
        char what[160];
        p.max_iterations = steps[i];
        snprintf(what, sizeof what, "%s, %s, %" PRIu64 " steps", name,
                 weft_graph_directed(g) ? "directed" : "undirected", steps[i]);
        same_on_both(ctx, "labelprop", g, &p, what);
    }
}

TEST(the_gpu_gives_the_cpus_labels) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    each_shape(shapes, LENGTH(shapes), try_steps);
}

/* Whole numbers, fractions and 0. */
static double *some_weights(uint64_t m, unsigned seed) {
    double *w = malloc((m + 1) * sizeof *w);
    for (uint64_t i = 0; w && i < m; i++) {
        uint64_t r = random_at(seed, i) % 16;
        w[i] = r < 2 ? 0 : r < 8 ? (double)r : (double)(random_at(seed + 1, i) % 100000) / 7;
    }
    return w;
}

TEST(the_gpu_gives_the_cpus_labels_with_weights) {
    static const size_t which[] = {0, 1, 2, 7, 8};
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    arc_list a = {0, 0, malloc(MOST_ARCS * sizeof(weft_vid)), malloc(MOST_ARCS * sizeof(weft_vid))};
    REQUIRE(a.from && a.to);
    for (size_t i = 0; i < 2 * LENGTH(which); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_labelprop_params p = WEFT_LABELPROP_DEFAULTS;
        weft_graph *g = NULL;
        build.direction = i % 2 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
        build.duplicates = WEFT_DUPLICATES_KEEP;
        p.weights = 1;
        a.n = a.m = 0;
        shapes[which[i / 2]].make(&a);
        double *w = some_weights(a.m, (unsigned)i);
        REQUIRE(w);
        REQUIRE(!weft_graph_from_edges(ctx, a.n, a.m, a.from, a.to, w, WEFT_WEIGHT_F64, &build, &g));
        for (p.max_iterations = 1; p.max_iterations < 20; p.max_iterations *= 3)
            same_on_both(ctx, "labelprop", g, &p, shapes[which[i / 2]].name);
        free(w);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(a.from);
    free(a.to);
}

TEST(a_run_on_the_gpu_stops_on_request) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_labelprop_params many = WEFT_LABELPROP_DEFAULTS;
    weft_graph *g = NULL;
    p.n = 100000; /* of a path labels go on for long */
    many.max_iterations = 1000000000;
    REQUIRE(weft_generate(ctx, "path", &p, NULL, &g) == WEFT_OK);
    stops_on_gpu("labelprop", g, &many);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
