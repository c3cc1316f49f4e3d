/* bicomponents on the GPU: the CPU's bytes on deep graphs, hubs, chains that edges between branches join, sizes around
 * powers of two, parallel edges and loops; with the numbers of components and without. */
#include "gpu_shapes.h"
#include "weft/bicomponents.h"

static void nothing(arc_list *a) { a->n = 1000; }
static void one_loop(arc_list *a) {
    a->n = 1;
    add(a, 0, 0);
}
static void two(arc_list *a) {
    a->n = 2;
    add(a, 1, 0);
}
static void path(arc_list *a) {
    a->n = 300000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v - 1, v);
}
static void cycle(arc_list *a) {
    path(a);
    add(a, a->n - 1, 0);
}

/* Of its vertices every second one has a large number. */
static void path_to_and_fro(arc_list *a) {
    uint64_t half = 100000;
    a->n = 2 * half;
    for (uint64_t i = 0; i < half; i++) {
        add(a, i, half + i);
        if (i + 1 < half) add(a, half + i, i + 1);
    }
}
static void star(arc_list *a) {
    a->n = 200000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v, 0);
}
static void wheel(arc_list *a) {
    star(a);
    for (uint64_t v = 2; v < a->n; v++) add(a, v - 1, v);
}
static void ladder(arc_list *a) {
    a->n = 200000;
    for (uint64_t v = 0; v < a->n; v++) {
        if (v + 2 < a->n) add(a, v, v + 2);
        if (v % 2) add(a, v - 1, v);
    }
}

/* Cycles of 3, 4, 5, ... vertices in a chain, two of which share a vertex or are joined by a bridge. */
static void chain_of_cycles(arc_list *a) {
    a->n = 1;
    for (uint64_t length = 3; length < 500; length++) {
        uint64_t first = length % 2 ? a->n - 1 : a->n;
        if (!(length % 2)) add(a, a->n - 1, a->n);
        for (uint64_t i = 0; i < length; i++) add(a, first + i, first + (i + 1) % length);
        a->n = first + length;
    }
}
static void cliques(arc_list *a) {
    for (uint64_t size = 2; size < 80; size++) {
        for (uint64_t i = 0; i < size; i++)
            for (uint64_t j = 0; j < i; j++) add(a, a->n + i, a->n + j);
        if (a->n) add(a, a->n - 1, a->n);
        a->n += size;
    }
}
static void grid(arc_list *a) {
    uint64_t side = 300;
    a->n = side * side;
    for (uint64_t v = 0; v < a->n; v++) {
        if (v % side + 1 < side) add(a, v, v + 1);
        if (v + side < a->n) add(a, v + side, v);
    }
}

/* A binary tree, and an edge from each hundredth leaf to the vertex of half its number. */
static void tree(arc_list *a) {
    a->n = 200000;
    for (uint64_t v = 1; v < a->n; v++) add(a, (v - 1) / 2, v);
    for (uint64_t v = a->n / 2; v < a->n; v += 100) add(a, v, v / 2);
}

static void random_arcs(arc_list *a, uint64_t n, uint64_t m) {
    a->n = n;
    for (uint64_t i = 0; i < m; i++) {
        uint64_t u = random_at(31, 2 * i) % n;
        add(a, u, random_at(31, 2 * i + 1) % n * (i % 3 ? n : u + 1) / n);
    }
}
static void scarce(arc_list *a) { random_arcs(a, 200000, 100000); }
static void sparse(arc_list *a) { random_arcs(a, 200000, 230000); }
static void middling(arc_list *a) { random_arcs(a, 100000, 400000); }
static void dense(arc_list *a) { random_arcs(a, 3000, 500000); }

static const shape shapes[] = {
    {"no arcs at all", nothing},
    {"one loop", one_loop},
    {"two vertices", two},
    {"a path", path},
    {"a cycle", cycle},
    {"a path to and fro", path_to_and_fro},
    {"a star", star},
    {"a wheel", wheel},
    {"a ladder", ladder},
    {"a chain of cycles", chain_of_cycles},
    {"cliques", cliques},
    {"a grid", grid},
    {"a tree with a few edges more", tree},
    {"random, scarce", scarce},
    {"random, sparse", sparse},
    {"random, middle", middling},
    {"random, dense", dense},
};

static void try_members(weft_ctx *ctx, const weft_graph *g, const char *name) {
    for (int rows = 0; rows < 3; rows++) {
        weft_bicomponents_params p = WEFT_BICOMPONENTS_DEFAULTS;
        char what[160];
        p.edges = rows == 1;
        p.tree = rows == 2;
        snprintf(what, sizeof what, "%s, %s, %s", name, weft_graph_directed(g) ? "directed" : "undirected",
                 rows == 2   ? "tree"
                 : rows == 1 ? "edges"
                             : "vertices");
        same_on_both(ctx, "bicomponents", g, &p, what);
    }
}

TEST(the_gpu_gives_the_cpus_blocks) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    each_shape(shapes, LENGTH(shapes), try_members);
}

/* As many vertices as a block has threads, a warp lanes, a tree of bounds leaves, and one more or less. */
static uint64_t around;
static void some(arc_list *a) { random_arcs(a, around, 4 * around / 3 + 1); }
TEST(sizes_around_powers_of_two) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    const shape one = {"around a power of two", some};
    for (uint64_t size = 2; size <= 4096; size *= 2)
        for (around = size - 1; around <= size + 1; around++) each_shape(&one, 1, try_members);
}

TEST(a_run_on_the_gpu_stops_on_request) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.n = 30000;
    REQUIRE(weft_generate(ctx, "path", &p, NULL, &g) == WEFT_OK);
    stops_on_gpu("bicomponents", g, NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
