/* Graphs of every shape the algorithms care about, by name: what test_matrix and test_run_failures go through. */
#ifndef WEFT_TESTS_GRAPH_MATRIX_H
#define WEFT_TESTS_GRAPH_MATRIX_H

#include "support.h"

typedef enum matrix_weights { UNWEIGHTED = 0, WHOLE, REAL, DOUBLE } matrix_weights;

/* kind is a generator's name, or "random": m edges drawn by the test, with loops, repeats and weights of 0. */
typedef struct matrix_graph {
    const char *name, *kind;
    uint64_t n, m, scale, rows, depth, k;
    double degree, p;
    weft_direction direction;
    matrix_weights weights;
    weft_duplicates duplicates;
} matrix_graph;

#define OPEN .degree = (double)NAN, .p = (double)NAN

static const matrix_graph matrix_graphs[] = {
    {"empty", "random", .direction = WEFT_DIRECTED},
    {"empty, undirected", "random", .direction = WEFT_UNDIRECTED, .weights = REAL},
    {"one vertex", "random", .n = 1, .direction = WEFT_DIRECTED},
    {"one vertex with loops", "random", .n = 1, .m = 3, .direction = WEFT_DIRECTED, .duplicates = WEFT_DUPLICATES_KEEP},
    {"vertices without edges", "random", .n = 100, .direction = WEFT_UNDIRECTED},
    {"path", "path", .n = 30000, OPEN, .direction = WEFT_DIRECTED},
    {"path, undirected", "path", .n = 30000, OPEN, .direction = WEFT_UNDIRECTED},
    {"ring", "cycle", .n = 20000, OPEN, .direction = WEFT_DIRECTED},
    {"star", "star", .n = 1000, OPEN, .direction = WEFT_DIRECTED},
    {"hub with 10^5 arms", "star", .n = 100001, OPEN, .direction = WEFT_UNDIRECTED},
    {"complete", "complete", .n = 200, OPEN, .direction = WEFT_UNDIRECTED},
    {"complete, directed", "complete", .n = 150, OPEN, .direction = WEFT_DIRECTED},
    {"grid", "grid", .rows = 120, OPEN, .direction = WEFT_UNDIRECTED, .weights = WHOLE},
    {"tree", "tree", .depth = 13, .k = 2, OPEN, .direction = WEFT_DIRECTED},
    {"rmat-12", "rmat", .scale = 12, .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"rmat-12, undirected", "rmat", .scale = 12, .degree = 16, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"rmat-14", "rmat", .scale = 14, .degree = 10, .p = (double)NAN, .direction = WEFT_DIRECTED, .weights = WHOLE},
    {"rmat-14, undirected", "rmat", .scale = 14, .degree = 6, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"uniform", "uniform", .n = 20000, .degree = 8, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"disconnected", "uniform", .n = 30000, .degree = 0.6, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"dag", "dag", .n = 30000, .depth = 40, .degree = 4, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"dense dag", "dag", .n = 400, .degree = (double)NAN, .p = 0.5, .direction = WEFT_DIRECTED},
    {"dense with a cycle", "cyclic", .n = 400, .degree = (double)NAN, .p = 0.3, .direction = WEFT_DIRECTED},
    {"loops and repeats", "random", .n = 3000, .m = 40000, .direction = WEFT_DIRECTED, .weights = WHOLE,
     .duplicates = WEFT_DUPLICATES_KEEP},
    {"loops and repeats, undirected", "random", .n = 3000, .m = 40000, .direction = WEFT_UNDIRECTED,
     .duplicates = WEFT_DUPLICATES_KEEP},
    {"real weights", "random", .n = 8000, .m = 60000, .direction = WEFT_DIRECTED, .weights = REAL},
    {"real weights, undirected", "random", .n = 8000, .m = 60000, .direction = WEFT_UNDIRECTED, .weights = REAL},
    {"double weights", "random", .n = 8000, .m = 60000, .direction = WEFT_DIRECTED, .weights = DOUBLE},
    {"double weights, undirected", "random", .n = 4000, .m = 60000, .direction = WEFT_UNDIRECTED, .weights = DOUBLE},
};

static inline weft_graph *random_matrix_graph(weft_ctx *ctx, const matrix_graph *s, const weft_build_params *build) {
    weft_vid *u = malloc((s->m + 1) * sizeof *u), *v = malloc((s->m + 1) * sizeof *v);
    uint32_t *whole = malloc((s->m + 1) * sizeof *whole);
    float *real = malloc((s->m + 1) * sizeof *real);
    double *wide = malloc((s->m + 1) * sizeof *wide);
    if (!u || !v || !whole || !real || !wide) exit(1);
    for (uint64_t i = 0; i < s->m; i++) { /* squares: some vertices get many edges */
        u[i] = (weft_vid)(random_at(21, i) % s->n);
        v[i] = (weft_vid)(random_at(22, i) % s->n * (random_at(23, i) % s->n) / s->n);
        whole[i] = (uint32_t)(random_at(24, i) % 60);
        real[i] = (float)(random_at(24, i) % 6000) / 64;
        wide[i] = (double)(random_at(24, i) % 6000) / 7;
    }
    const struct {
        weft_weight_type type;
        const void *weights;
    } as[] = {[UNWEIGHTED] = {WEFT_WEIGHT_NONE, NULL},
              [WHOLE] = {WEFT_WEIGHT_U32, whole},
              [REAL] = {WEFT_WEIGHT_F32, real},
              [DOUBLE] = {WEFT_WEIGHT_F64, wide}};
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, s->n, s->m, u, v, as[s->weights].weights, as[s->weights].type, build, &g))
        HARNESS_FAIL("%s: %s", s->name, weft_ctx_message(ctx));
    free(u), free(v), free(whole), free(real), free(wide);
    return g;
}

static inline weft_graph *make_matrix_graph(weft_ctx *ctx, const matrix_graph *s) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = s->direction;
    build.duplicates = s->duplicates;
    if (!strcmp(s->kind, "random")) return random_matrix_graph(ctx, s, &build);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = s->n, p.scale = s->scale, p.depth = s->depth, p.k = s->k, p.rows = p.columns = s->rows;
    p.degree = s->degree, p.p = s->p;
    p.max_weight = s->weights == WHOLE ? 255 : 0;
    if (strcmp(s->kind, "cyclic")) build.loops = WEFT_LOOPS_DROP; /* a loop ends the search for a cycle at once */
    weft_graph *g = NULL;
    if (weft_generate(ctx, s->kind, &p, &build, &g)) HARNESS_FAIL("%s: %s", s->name, weft_ctx_message(ctx));
    return g;
}

#endif
