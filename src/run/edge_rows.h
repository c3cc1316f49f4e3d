/* The edges of a graph as rows of a result: the columns `source` and `target`, and the order of their values.
 * Edges ascend by source, then target, then place among parallel ones.  Those of a directed graph are its arcs; of an
 * undirected one they are the arcs from u to u or a higher vertex, which are the last of row u. */
#ifndef WFI_RUN_EDGE_ROWS_H
#define WFI_RUN_EDGE_ROWS_H

#include "engines/triangles/oriented.h"
#include "run/algorithm.h"

WFI_C_BEGIN

typedef struct wfi_edge_rows {
    uint64_t count;
    weft_vid *source, *target; /* columns of the result */
    uint64_t *first;           /* n + 1; NULL for a directed graph, which uses its offsets (wfi_edge_rows_from) */
} wfi_edge_rows;

/* Edges from[u] ... from[u + 1] - 1 are the last arcs of row u, in their order. */
static inline const uint64_t *wfi_edge_rows_from(const weft_graph *g, const wfi_edge_rows *e) {
    return e->first ? e->first : g->out.offsets;
}

/* Declares both columns, on the host for every device; the columns of values follow with wfi_edge_column. */
void wfi_edge_rows_lay_out(wfi_workspace *w, const weft_graph *g, wfi_edge_rows *e);
/* Fills in all arrays. */
weft_status wfi_edge_rows_make(weft_ctx *ctx, const weft_graph *g, const wfi_edge_rows *e);

/* Calls put(state, i, edge) for each edge i, with its place in the oriented view of the graph; WFI_NO_EDGE: a loop.
 * rank: scratch, n entries. */
#define WFI_NO_EDGE UINT64_MAX
weft_status wfi_edge_rows_in_view(weft_ctx *ctx, const wfi_edge_rows *e, const wfi_oriented *o, weft_vid *rank,
                                  void (*put)(void *state, uint64_t i, uint64_t edge), void *state);

WFI_C_END
#endif
