/* What the tests of generators share: making a graph in one line, and looking at it. */
#ifndef WEFT_TESTS_GEN_H
#define WEFT_TESTS_GEN_H

#include "support.h"

static inline weft_graph *make_with(weft_ctx *ctx, const char *kind, weft_generate_params p, weft_direction direction) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    weft_graph *g = NULL;
    weft_status st = weft_generate(ctx, kind, &p, &build, &g);
    if (st) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

static inline weft_graph *make(weft_ctx *ctx, const char *kind, weft_generate_params p) {
    return make_with(ctx, kind, p, WEFT_AS_FILE);
}

static inline uint64_t degree(const weft_graph *g, weft_vid v) {
    weft_csr out = out_rows(g);
    return out.offsets[v + 1] - out.offsets[v];
}

static inline bool has(const weft_graph *g, weft_vid u, weft_vid v) { return weft_graph_has_arc(g, u, v, NULL); }

static inline bool all_arcs_go_up(const weft_graph *g) {
    weft_csr out = out_rows(g);
    for (weft_vid u = 0; u < out.vertices; u++)
        for (weft_eid i = out.offsets[u]; i < out.offsets[u + 1]; i++)
            if (out.targets[i] <= u) return false;
    return true;
}

static inline double degree_variance(const weft_graph *g) {
    double n = weft_graph_vertices(g), mean = (double)weft_graph_arcs(g) / n, sum = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        double off = (double)degree(g, v) - mean;
        sum += off * off;
    }
    return sum / n;
}

#endif
