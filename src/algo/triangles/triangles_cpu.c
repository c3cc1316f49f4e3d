/* triangles, CPU.  Needs: nothing of the graph; a directed one gets its transpose.
 * Method: orient each edge towards the end of higher degree, count joined pairs in forward rows (graph/triangles.c).
 * Where that copy of the edges would be over the memory limit, the rows are intersected as they are.
 * The counts are integers, so their order of adding does not show. */
#include "algo/triangles/triangles_cpu.h"
#include "graph/triangles.h"

#include <stdio.h>

enum { SHARE = 1 << 14 };
enum { ORIENTED = 0, LEAN };

void wfi_triangles_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)params;
    uint64_t edges = wfi_oriented_estimate(g), kept, transpose, building;
    wfi_oriented_bytes(ctx, g, edges, false, &kept, &transpose, &building);
    uint64_t column = 8ull * g->n; /* by rank while counting, then beside it by vertex */
    uint64_t counting = transpose + kept + column + wfi_max_u64(wfi_count_triangles_bytes(ctx, g->n, edges), column);
    choice->method = "orient by degree, hubs in a bit matrix";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             transpose
                 ? "directed without a transpose: it is made first; pairs of hubs are looked up instead of intersected"
                 : "rows towards higher degrees are short; pairs of hubs are looked up instead of intersected");
    choice->host_bytes = wfi_max_u64(building, counting);
    choice->variant = ORIENTED;
    if (choice->host_bytes <= wfi_plan_room(ctx)) return;
    char needed[24];
    choice->variant = LEAN;
    choice->method = "intersect rows as they are";
    snprintf(
        choice->reason, sizeof choice->reason,
        "edges oriented by degree would need %s, over the memory limit; rows as they are need no copy, but more time",
        wfi_size_text(needed, choice->host_bytes));
    choice->host_bytes =
        wfi_max_u64(transpose ? wfi_transpose_bytes(ctx, g->n, g->arcs, g->weight_type) : 0, transpose + column);
}

static weft_status count_lean(weft_ctx *ctx, const weft_graph *g, weft_result *result) {
    uint64_t *column, total = 0;
    weft_status st = wfi_graph_need_in(ctx, g); /* before the column: making it takes more than is kept */
    if (!st) st = wfi_result_column(ctx, result, "triangles", WEFT_U64, g->n, 1, &column);
    if (!st) st = wfi_count_triangles_lean(ctx, g, column, &total);
    return st ? st : wfi_result_scalar_u64(ctx, result, "triangles", total);
}

weft_status wfi_triangles_run_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, const wfi_choice *choice,
                                  weft_result *result) {
    (void)params;
    if (choice->variant == LEAN) return count_lean(ctx, g, result);
    wfi_oriented o = {0};
    uint64_t *corners = NULL, *column, total = 0;
    weft_status st = wfi_oriented_make(ctx, g, false, &o);
    if (!st) st = wfi_alloc(ctx, &corners, g->n);
    if (!st) st = wfi_count_triangles(ctx, &o, corners, &total);
    if (!st) st = wfi_result_column(ctx, result, "triangles", WEFT_U64, g->n, 1, &column);
    if (!st) st = wfi_result_scalar_u64(ctx, result, "triangles", total);
    if (st) goto done;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid r = 0; r < g->n; r++) column[o.vertex[r]] = corners[r];
done:
    wfi_free(corners);
    wfi_oriented_free(&o);
    return st;
}
