/* components: a graph from arrays, and the sizes of its connected components. */
#include <weft.h>

#include <stdio.h>

enum { VERTICES = 8, EDGES = 5 };

int main(void) {
    static const weft_vid from[EDGES] = {0, 1, 3, 4, 6}, to[EDGES] = {1, 2, 4, 5, 6};
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    build.direction = WEFT_UNDIRECTED;
    build.loops = WEFT_LOOPS_DROP;
    weft_status st = weft_ctx_new(&ctx);
    if (!st) st = weft_graph_from_edges(ctx, VERTICES, EDGES, from, to, NULL, WEFT_WEIGHT_NONE, &build, &g);
    if (!st) st = weft_components(ctx, g, NULL, &r);
    if (!st) {
        const uint32_t *component = weft_result_u32(r, "component"); /* the smallest vertex of each vertex's component */
        size_t size[VERTICES] = {0};
        for (weft_vid v = 0; v < VERTICES; v++) size[component[v]]++;
        printf("%llu components\n", (unsigned long long)weft_result_scalar(r, "count")->value.u64);
        for (weft_vid v = 0; v < VERTICES; v++)
            if (size[v]) printf("that of vertex %u: %zu\n", v, size[v]);
    }
    if (st) fprintf(stderr, "components: %s\n", ctx ? weft_ctx_message(ctx) : weft_status_text(st));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return st ? 1 : 0;
}
