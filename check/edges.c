/* Columns with a value per edge: the rows are the edges of the graph, each once, in their order. */
#include "checks.h"

#include <inttypes.h>

static const void *values(check_watch *w, const weft_graph *g, const weft_result *result, const char *name,
                          weft_type type) {
    const weft_column *c = weft_result_column(result, name);
    if (c && c->type == type && c->shape == WEFT_SHAPE_EDGES && c->length == weft_graph_edges(g) && !c->width)
        return c->data;
    check_wrong(w, "column %s is missing, or is not one of all edges", name);
    return NULL;
}

int check_edges(check_watch *w, const weft_graph *g, const weft_result *result, const char *name, weft_type type) {
    weft_csr out = check_out(w, g);
    const weft_vid *source = values(w, g, result, "source", WEFT_VERTEX);
    const weft_vid *target = source ? values(w, g, result, "target", WEFT_VERTEX) : NULL;
    if (!target || !values(w, g, result, name, type)) return 0;
    uint64_t at = 0;
    for (weft_vid u = 0; u < out.vertices && !check_stops(w, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            if (!weft_graph_directed(g) && out.targets[e] < u) continue;
            if (source[at] != u || target[at] != out.targets[e])
                return check_wrong(w,
                                   "row %" PRIu64 " is the edge from vertex %u to %u, and should be that from %u to %u",
                                   at, source[at], target[at], u, out.targets[e]);
            at++;
        }
    return !check_stops(w, 1);
}
