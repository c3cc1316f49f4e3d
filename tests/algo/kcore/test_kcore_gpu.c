/* kcore on the GPU: the CPU's bytes on long chains, rows that several warps share, cores that nest, arcs both ways and repeated. */
#include "gpu_shapes.h"
#include "weft/kcore.h"

static void path(arc_list *a) {
    a->n = 20000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v - 1, v);
}
static void cycle(arc_list *a) {
    path(a);
    add(a, a->n - 1, 0);
}
static void star(arc_list *a) {
    a->n = 500000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v, 0);
}

/* Cliques of 2, 3, 4, ... vertices in a chain. */
static void cliques(arc_list *a) {
    for (uint64_t size = 2; size < 120; size++) {
        for (uint64_t i = 0; i < size; i++)
            for (uint64_t j = 0; j < i; j++) add(a, a->n + i, a->n + j);
        if (a->n) add(a, a->n - 1, a->n);
        a->n += size;
    }
}

/* A dense core of vertices with rows of every length around that at which a row is shared, each with a fringe of its own. */
static void long_rows(arc_list *a) {
    enum { CORE = 60 };
    for (uint64_t i = 0; i < CORE; i++)
        for (uint64_t j = 0; j < i; j++) add(a, i, j);
    a->n = CORE;
    for (uint64_t i = 0; i < CORE; i++)
        for (uint64_t k = 0; k < 2048 - CORE - 5 + (i % 3 ? i : 300 * i); k++) add(a, i, a->n++);
}

/* Everybody's neighbours are drawn from a range that narrows: many levels, each with something to do. */
static void nested(arc_list *a) {
    a->n = 20000;
    for (uint64_t i = 0; i < 600000; i++) {
        uint64_t range = a->n >> random_at(5, 3 * i) % 8;
        add(a, random_at(5, 3 * i + 1) % range, random_at(5, 3 * i + 2) % range);
    }
}

/* Both ways, twice, and loops: each neighbour counts once. */
static void repeated(arc_list *a) {
    a->n = 5000;
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t u = random_at(6, 2 * i) % a->n, v = u * (random_at(6, 2 * i + 1) % a->n) / a->n;
        add(a, u, v);
        if (i % 2) add(a, v, u);
        if (i % 3 == 0) add(a, u, v);
    }
}

static void grid(arc_list *a) {
    uint64_t side = 400;
    a->n = side * side;
    for (uint64_t v = 0; v < a->n; v++) {
        if (v % side + 1 < side) add(a, v, v + 1);
        if (v + side < a->n) add(a, v + side, v);
    }
}

static void nothing(arc_list *a) { a->n = 1000; }

static const shape shapes[] = {
    {"a path", path},
    {"a cycle", cycle},
    {"a star", star},
    {"a chain of cliques", cliques},
    {"long rows", long_rows},
    {"nested ranges", nested},
    {"repetitions", repeated},
    {"a grid", grid},
    {"no arcs at all", nothing},
};

static void try_members(weft_ctx *ctx, const weft_graph *g, const char *name) {
    static const uint64_t ks[] = {0, 2, 40};
    for (size_t i = 0; i < LENGTH(ks); i++) {
        weft_kcore_params p = WEFT_KCORE_DEFAULTS;
        char what[160];
        p.k = ks[i];
        snprintf(what, sizeof what, "%s, %s, k %" PRIu64, name, weft_graph_directed(g) ? "directed" : "undirected",
                 ks[i]);
        same_on_both(ctx, "kcore", g, &p, what);
    }
}

TEST(the_gpu_gives_the_cpus_cores) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    each_shape(shapes, LENGTH(shapes), try_members);
}

/* A long path is peeled from its ends: many kernels, between which it can be stopped. */
TEST(a_run_on_the_gpu_stops_on_request) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.n = 30000;
    REQUIRE(weft_generate(ctx, "path", &p, NULL, &g) == WEFT_OK);
    stops_on_gpu("kcore", g, NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
