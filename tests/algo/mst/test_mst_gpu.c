/* mst on the GPU: the CPU's bytes for weights of every type, equal, negative and of both zeros; few edges a vertex and
 * many; numbers of arcs around those that a block takes. */
#include "gpu_shapes.h"
#include "weft/mst.h"

enum { MOST = 1 << 19 };

typedef struct edge_list {
    weft_vid *u, *v;
    uint32_t *whole;
    float *real;
    double *wide;
} edge_list;

/* Edge i weighs one of `kinds` numbers, half of them below 0 where the type has such. */
static void draw(edge_list *a, uint64_t n, uint64_t m, uint64_t kinds) {
    for (uint64_t i = 0; i < m; i++) {
        int64_t toss = (int64_t)(random_at(41, i) % kinds);
        a->u[i] = (weft_vid)(random_at(42, i) % n);
        a->v[i] = (weft_vid)(i % 2 ? random_at(43, i) % n : (a->u[i] + 1) % n);
        a->whole[i] = (uint32_t)toss * (kinds > 1000 ? 4099u : 1);
        a->real[i] = (float)(toss - (int64_t)kinds / 2) / 8;
        a->wide[i] = (double)(toss - (int64_t)kinds / 2) / 7;
        if (a->wide[i] == 0 && i % 2) a->real[i] = -0.0f, a->wide[i] = -0.0;
    }
}

static void try_weights(const edge_list *a, uint64_t n, uint64_t m, uint64_t kinds, weft_direction direction) {
    const struct {
        weft_weight_type type;
        const void *values;
    } weights[] = {
        {WEFT_WEIGHT_NONE, NULL}, {WEFT_WEIGHT_U32, a->whole}, {WEFT_WEIGHT_F32, a->real}, {WEFT_WEIGHT_F64, a->wide}};
    for (size_t k = 0; k < LENGTH(weights); k++)
        for (int maximum = 0; maximum < 2; maximum++) {
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_build_params build = WEFT_BUILD_DEFAULTS;
            weft_mst_params p = WEFT_MST_DEFAULTS;
            weft_graph *g = NULL;
            char what[160];
            build.direction = direction;
            build.duplicates = WEFT_DUPLICATES_KEEP;
            p.maximum = maximum;
            snprintf(what, sizeof what, "%" PRIu64 " vertices, %" PRIu64 " edges, %" PRIu64 " weights, type %d, %s, %s",
                     n, m, kinds, (int)weights[k].type, maximum ? "maximum" : "minimum",
                     direction == WEFT_DIRECTED ? "directed" : "undirected");
            if (weft_graph_from_edges(ctx, n, m, a->u, a->v, weights[k].values, weights[k].type, &build, &g))
                HARNESS_FAIL("%s: %s", what, weft_ctx_message(ctx));
            else
                same_on_both(ctx, "mst", g, &p, what);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST(the_gpu_gives_the_cpus_forest) {
    static const struct {
        uint64_t n, m;
    } sizes[] = {{1, 0},         {1, 3},           {2, 1},          {3, 255},       {100, 256},
                 {100, 2047},    {5000, 2048},     {100, 2049},     {20000, 20000}, {20000, 79999},
                 {20000, 80001}, {100000, 500000}, {300000, 400000}};
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    edge_list a = {malloc(MOST * sizeof(weft_vid)), malloc(MOST * sizeof(weft_vid)), malloc(MOST * sizeof(uint32_t)),
                   malloc(MOST * sizeof(float)), malloc(MOST * sizeof(double))};
    if (!a.u || !a.v || !a.whole || !a.real || !a.wide) exit(1);
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (uint64_t kinds = 3; kinds <= 300000; kinds *= 100000) {
            draw(&a, sizes[i].n, sizes[i].m, kinds);
            try_weights(&a, sizes[i].n, sizes[i].m, kinds, WEFT_UNDIRECTED);
            try_weights(&a, sizes[i].n, sizes[i].m, kinds, WEFT_DIRECTED);
        }
    free(a.u), free(a.v), free(a.whole), free(a.real), free(a.wide);
}

TEST_MAIN()
