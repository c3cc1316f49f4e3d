/* Option sets of triangles: see tests/support/variants.h. */
#include "engines/triangles/triangles.h"
#include "run/edge_rows.h"
#include "weft/triangles.h"

/* The method for when memory is short. */
static weft_status triangles_lean(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    (void)params;
    uint64_t *triangles, *support, total = 0;
    weft_vid *source, *target;
    weft_column columns[] = {wfi_new_column("triangles", WEFT_U64, WEFT_SHAPE_VERTICES, g->n),
                             wfi_new_column("source", WEFT_VERTEX, WEFT_SHAPE_EDGES, g->edges),
                             wfi_new_column("target", WEFT_VERTEX, WEFT_SHAPE_EDGES, g->edges),
                             wfi_new_column("support", WEFT_U64, WEFT_SHAPE_EDGES, g->edges)};
    wfi_edge_rows edges = {.count = g->edges};
    weft_status st = wfi_result_column(ctx, r, columns[0], &triangles);
    if (!st) st = wfi_result_column(ctx, r, columns[1], &source);
    if (!st) st = wfi_result_column(ctx, r, columns[2], &target);
    if (!st) st = wfi_result_column(ctx, r, columns[3], &support);
    if (!st && !g->directed) st = wfi_alloc(ctx, &edges.first, (size_t)g->n + 1);
    if (st) return st;
    edges.source = source;
    edges.target = target;
    st = wfi_edge_rows_make(ctx, g, &edges);
    if (!st) st = wfi_count_triangles_lean(ctx, g, triangles, &total);
    if (!st) st = wfi_support_lean(ctx, g, source, target, edges.count, support);
    wfi_free(edges.first);
    return st ? st : wfi_result_scalar_u64(ctx, r, "triangles", total);
}

static inline void triangles_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_triangles_params *)add_variant(list, "edges", 0))->edges = 1;
    ((weft_triangles_params *)add_variant(list, "edges, lean", 0))->edges = 1;
    list->at[list->count - 1].run = triangles_lean;
    same_as(list, 1);
}
