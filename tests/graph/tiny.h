/* Tiny graphs from pairs of vertices, and how to check them: for the tests of the graph itself. */
#ifndef WEFT_TESTS_TINY_H
#define WEFT_TESTS_TINY_H

#include "support.h"

typedef struct pair {
    weft_vid u, v;
} pair;

static inline weft_build_params rules(weft_direction direction, weft_duplicates duplicates, weft_loops loops) {
    weft_build_params p = WEFT_BUILD_DEFAULTS;
    p.direction = direction;
    p.duplicates = duplicates;
    p.loops = loops;
    return p;
}

/* A graph from an array of pairs; NULL on failure. */
static inline weft_graph *build_weighted(weft_ctx *ctx, uint64_t n, const pair *edges, size_t count,
                                         const void *weights, weft_weight_type type, const weft_build_params *params) {
    weft_vid *u = calloc(count + 1, sizeof *u), *v = calloc(count + 1, sizeof *v);
    if (!u || !v) exit(1);
    for (size_t i = 0; i < count; i++) {
        u[i] = edges[i].u;
        v[i] = edges[i].v;
    }
    weft_graph *g = NULL;
    weft_status st = weft_graph_from_edges(ctx, n, count, u, v, weights, type, params, &g);
    free(u);
    free(v);
    return st ? NULL : g;
}

static inline weft_graph *build(weft_ctx *ctx, uint64_t n, const pair *edges, size_t count,
                                const weft_build_params *params) {
    return build_weighted(ctx, n, edges, count, NULL, WEFT_WEIGHT_NONE, params);
}

static inline void check_text_and_free(weft_graph *g, const char *want, int line) {
    char text[4096];
    if (!g)
        HARNESS_FAIL("line %d: no graph", line);
    else if (strcmp(graph_text(g, text, sizeof text), want))
        HARNESS_FAIL("line %d: the graph is \"%s\", expected \"%s\"", line, text, want);
    weft_graph_free(g);
}
#define CHECK_GRAPH(g, want) check_text_and_free((g), (want), __LINE__)

#endif
