/* See losses.h. */
#include "io/losses.h"
#include "graph/degrees.h"
#include "io/text/numbers.h"

/* Those that a reader sees first. */
static bool names_look_like_numbers(const weft_graph *g) {
    int64_t number;
    for (weft_vid v = 0; v < g->n && v < 4096 && g->ids.kind == WEFT_IDS_STRING; v++)
        if (!wfi_is_plain_integer(g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v]),
                                  &number))
            return false;
    return g->n && g->ids.kind == WEFT_IDS_STRING;
}

weft_status wfi_warn_losses(weft_ctx *ctx, const weft_graph *g, const char *format) {
    uint64_t *degree = NULL;
    bool isolated = false;
    weft_status st = wfi_alloc(ctx, &degree, g->n);
    if (!st) st = wfi_degrees(ctx, g, WEFT_SIDE_BOTH, degree);
    if (st) goto done;
    for (weft_vid v = 0; v < g->n && !isolated; v++) isolated = !degree[v];
    if (!g->directed)
        wfi_warn(ctx, "%s does not say that the graph is undirected: read it with `direction=undirected`", format);
    if (names_look_like_numbers(g))
        wfi_warn(ctx, "%s does not say that the ids are names: read it with `ids=string`", format);
    if (isolated) wfi_warn(ctx, "%s cannot store vertices without edges: they are not written", format);
done:
    wfi_free(degree);
    return st;
}

bool wfi_has_parallel_edges(const weft_graph *g) {
    for (weft_vid u = 0; u < g->n; u++)
        for (weft_eid e = g->out.offsets[u] + 1; e < g->out.offsets[u + 1]; e++)
            if (g->out.targets[e] == g->out.targets[e - 1]) return true;
    return false;
}
