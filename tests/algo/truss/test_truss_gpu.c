/* truss on the GPU: the CPU's bytes on graphs whose edges go in many levels, many rounds or all at once, with hubs,
 * parallel edges and loops; for all numbers and for one k. */
#include "gpu_shapes.h"
#include "weft/truss.h"

static void nothing(arc_list *a) { a->n = 1000; }
static void one_edge(arc_list *a) {
    a->n = 2;
    add(a, 1, 0);
}
static void loops(arc_list *a) {
    a->n = 300;
    for (uint64_t v = 0; v < a->n; v++) add(a, v, v);
}
static void star(arc_list *a) {
    a->n = 100000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v, 0);
}

/* Triangles side by side along a path: its ends go first, and so a round has two edges. */
static void strip(arc_list *a) {
    a->n = 3000;
    for (uint64_t v = 0; v + 2 < a->n; v++) add(a, v, v + 1), add(a, v, v + 2);
    for (uint64_t v = 0; v + 3 < a->n; v++) add(a, v, v + 3);
}

/* Cliques of 2, 3, 4, ... vertices in a chain: as many levels. */
static void cliques(arc_list *a) {
    for (uint64_t size = 2; size < 90; size++) {
        for (uint64_t i = 0; i < size; i++)
            for (uint64_t j = 0; j < i; j++) add(a, a->n + i, a->n + j);
        if (a->n) add(a, a->n - 1, a->n);
        a->n += size;
    }
}

/* All are joined with two hubs, and some with each other. */
static void hubs(arc_list *a) {
    a->n = 20000;
    for (uint64_t v = 2; v < a->n; v++) {
        add(a, v, 0);
        add(a, 1, v);
        if (v % 3) add(a, v - 1, v);
    }
    add(a, 0, 1);
}
static void random_arcs(arc_list *a, uint64_t n, uint64_t m) {
    a->n = n;
    for (uint64_t i = 0; i < m; i++) {
        uint64_t range = n >> random_at(52, 3 * i) % 7, least = range ? range : 1;
        add(a, random_at(52, 3 * i + 1) % least, random_at(52, 3 * i + 2) % least);
    }
}
static void nested(arc_list *a) { random_arcs(a, 10000, 150000); }
static void sparse(arc_list *a) { random_arcs(a, 100000, 100000); }
static void dense(arc_list *a) { random_arcs(a, 500, 60000); }

static const shape shapes[] = {
    {"no arcs at all", nothing},     {"one edge", one_edge},          {"loops", loops},   {"a star", star},
    {"a strip of triangles", strip}, {"a chain of cliques", cliques}, {"two hubs", hubs}, {"nested ranges", nested},
    {"random, sparse", sparse},      {"random, dense", dense},
};

static void try_numbers(weft_ctx *ctx, const weft_graph *g, const char *name) {
    static const uint64_t ks[] = {0, 2, 3, 4, 12, 4294967295};
    for (size_t i = 0; i < LENGTH(ks); i++) {
        weft_truss_params p = WEFT_TRUSS_DEFAULTS;
        char what[160];
        p.k = ks[i];
        snprintf(what, sizeof what, "%s, %s, k %" PRIu64, name, weft_graph_directed(g) ? "directed" : "undirected",
                 ks[i]);
        same_on_both(ctx, "truss", g, &p, what);
    }
}

TEST(the_gpu_gives_the_cpus_numbers) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    each_shape(shapes, LENGTH(shapes), try_numbers);
}

/* Edges around those of a piece of the list, and of several. */
static uint64_t around;
static void some(arc_list *a) {
    for (uint64_t i = 0; a->m < around; i++)
        for (uint64_t j = 0; j < i && a->m < around; j++) {
            add(a, i, j);
            a->n = i + 1;
        }
}
TEST(numbers_of_edges_around_those_of_a_piece) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    const shape one = {"around a piece", some};
    for (uint64_t edges = 512; edges <= 8192; edges *= 2)
        for (around = edges - 1; around <= edges + 1; around++) each_shape(&one, 1, try_numbers);
}

TEST(a_run_on_the_gpu_stops_on_request) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = 12;
    p.undirected = 1;
    REQUIRE(weft_generate(ctx, "rmat", &p, NULL, &g) == WEFT_OK);
    stops_on_gpu("truss", g, NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
