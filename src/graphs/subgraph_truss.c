/* The k-truss as a part of a graph: its arcs and their end vertices.
 * Method: truss numbers are per edge, in edge order. Edges of an undirected graph are its arcs to vertices not below
 * the row's; reverse arcs look up their pair's value, which parallel edges share. */
#include "core/search.h"
#include "graphs/subgraph.h"
#include "weft/truss.h"

enum { ROWS = 1 << 10 };

/* Marks the arcs of row u that are edges of the truss; *at is the number of the row's first edge and advances. */
static void mark_edges(const weft_graph *g, const uint32_t *truss, weft_vid u, uint64_t *at, wfi_truss_part *part) {
    const wfi_view *out = &g->out;
    weft_eid end = out->offsets[u + 1],
             e = g->directed ? out->offsets[u] : wfi_lower_bound_u32(out->targets, out->offsets[u], end, u);
    for (; e < end; e++, (*at)++) {
        part->arcs[e] = truss[*at] > 0;
        part->left_out += !part->arcs[e];
        if (part->arcs[e]) part->vertices[u] = part->vertices[out->targets[e]] = 1;
    }
}

static void mark_other_ways(const weft_graph *g, weft_vid u, uint8_t *arcs) {
    const wfi_view *out = &g->out;
    for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1] && out->targets[e] < u; e++) {
        weft_vid v = out->targets[e];
        arcs[e] = arcs[wfi_lower_bound_u32(out->targets, out->offsets[v], out->offsets[v + 1], u)];
    }
}

weft_status wfi_subgraph_truss(weft_ctx *ctx, const weft_graph *g, uint64_t k, wfi_truss_part *part) {
    weft_truss_params p = WEFT_TRUSS_DEFAULTS;
    weft_result *r = NULL;
    uint64_t at = 0;
    p.k = k;
    *part = (wfi_truss_part){.arcs = NULL};
    weft_status st = weft_truss(ctx, g, &p, &r);
    if (!st) st = wfi_alloc_zeroed(ctx, &part->vertices, g->n);
    if (!st) st = wfi_alloc(ctx, &part->arcs, (size_t)g->arcs);
    const uint32_t *truss = st ? NULL : weft_result_u32(r, "truss");
    for (weft_vid u = 0; truss && u < g->n; u++) {
        if (u % ROWS == 0 && wfi_cancelled(ctx)) {
            st = wfi_fail_cancelled(ctx);
            break;
        }
        mark_edges(g, truss, u, &at, part);
    }
    for (weft_vid u = 0; truss && !st && !g->directed && u < g->n; u++) mark_other_ways(g, u, part->arcs);
    weft_result_free(r);
    return st;
}
