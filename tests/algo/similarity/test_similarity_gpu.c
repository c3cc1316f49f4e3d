/* similarity on the GPU: the CPU's bytes where tables are hashed and where they go by vertex, where as many rows are
 * asked of a vertex as the GPU has, for pairs and edges, by measures that count and that weigh. */
#include "gpu_shapes.h"
#include "weft/similarity.h"

static void nothing(arc_list *a) { a->n = 1000; }
static void loops(arc_list *a) {
    a->n = 300;
    for (uint64_t v = 0; v < a->n; v++) add(a, v, v);
}
static void clique(arc_list *a) {
    a->n = 700;
    for (uint64_t v = 0; v < a->n; v++)
        for (uint64_t u = 0; u < v; u++) add(a, v, u);
}

/* All are joined with two hubs, and some with each other: everybody meets everybody. */
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
static void nested(arc_list *a) { random_arcs(a, 20000, 100000); }
static void sparse(arc_list *a) { random_arcs(a, 100000, 100000); }
static void dense(arc_list *a) { random_arcs(a, 500, 60000); }

static const shape shapes[] = {
    {"no arcs at all", nothing}, {"loops", loops},           {"a clique", clique},     {"two hubs", hubs},
    {"nested ranges", nested},   {"random, sparse", sparse}, {"random, dense", dense},
};

static const weft_similarity_measure measures[] = {WEFT_SIMILARITY_JACCARD, WEFT_SIMILARITY_ADAMIC_ADAR,
                                                   WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT};

static void try_best(weft_ctx *ctx, const weft_graph *g, const char *name) {
    static const uint64_t rows[] = {1, 10, 512};
    weft_vid n = weft_graph_vertices(g), of[40];
    for (size_t i = 0; i < LENGTH(of); i++) of[i] = i < 5 ? (weft_vid)i : (weft_vid)(random_at(3, i) % n);
    for (size_t m = 0; m < LENGTH(measures); m++)
        for (size_t k = 0; k < LENGTH(rows); k++) {
            weft_similarity_params p = WEFT_SIMILARITY_DEFAULTS;
            char what[160];
            p.measure = measures[m];
            p.per_vertex = rows[k];
            p.unjoined = k == 1;
            p.of = of;
            p.of_count = LENGTH(of);
            snprintf(what, sizeof what, "%s, %s, measure %zu, %" PRIu64 " rows", name,
                     weft_graph_directed(g) ? "directed" : "undirected", m, rows[k]);
            same_on_both(ctx, "similarity", g, &p, what);
        }
}

static void try_all(weft_ctx *ctx, const weft_graph *g, const char *name) {
    weft_similarity_params p = WEFT_SIMILARITY_DEFAULTS;
    p.most_degree = 100;
    same_on_both(ctx, "similarity", g, &p, name);
    p.edges = 1;
    same_on_both(ctx, "similarity", g, &p, name);
}

static void try_pairs(weft_ctx *ctx, const weft_graph *g, const char *name) {
    enum { PAIRS = 5000 };
    static weft_vid pairs[2 * PAIRS];
    weft_vid n = weft_graph_vertices(g);
    for (size_t i = 0; i < PAIRS; i++) {
        pairs[2 * i] = (weft_vid)(random_at(5, 2 * i) % n);
        pairs[2 * i + 1] = (weft_vid)((pairs[2 * i] + 1 + random_at(5, 2 * i + 1) % (n - 1)) % n);
    }
    for (size_t m = 0; m < LENGTH(measures); m++) {
        weft_similarity_params p = WEFT_SIMILARITY_DEFAULTS;
        p.measure = measures[m];
        p.pairs = pairs;
        p.pair_count = PAIRS;
        same_on_both(ctx, "similarity", g, &p, name);
    }
}

static void try(weft_ctx *ctx, const weft_graph *g, const char *name) {
    try_best(ctx, g, name);
    try_all(ctx, g, name);
    try_pairs(ctx, g, name);
}

TEST(the_gpu_gives_the_cpus_rows) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    each_shape(shapes, LENGTH(shapes), try);
}

TEST_MAIN()
