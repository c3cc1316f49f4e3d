/* The edges of a graph as rows of a result (edge_rows.h).  Method: edges of each row are counted and summed up; then
 * blocks of edges find their first row by search, so that a hub is shared out like any other rows. */
#include "algo/edge_rows.h"
#include "core/scan.h"
#include "core/search.h"

enum { SHARE = 1 << 14, ROWS = 1 << 12, BLOCK = 1 << 16 };

void wfi_edge_rows_lay_out(wfi_workspace *w, const weft_graph *g, wfi_edge_rows *e) {
    *e = (wfi_edge_rows){.count = g->edges};
    wfi_edge_column(w, "source", WEFT_VERTEX, g->edges, &e->source);
    wfi_edge_column(w, "target", WEFT_VERTEX, g->edges, &e->target);
    if (!g->directed) wfi_array(w, &e->first, (uint64_t)g->n + 1);
}

static void count_rows(const weft_graph *g, uint64_t *first, weft_vid begin, weft_vid end) {
    for (weft_vid u = begin; u < end; u++) {
        weft_eid to = g->out.offsets[u + 1];
        first[u] = to - wfi_lower_bound_u32(g->out.targets, g->out.offsets[u], to, u);
    }
}

static void fill_block(const weft_graph *g, const wfi_edge_rows *e, uint64_t begin, uint64_t end) {
    const uint64_t *from = wfi_edge_rows_from(g, e);
    weft_vid u = 0, high = g->n;
    WFI_BISECT(u, high, middle, from[middle + 1] <= begin);
    for (uint64_t i = begin; i < end; i++) {
        while (from[u + 1] <= i) u++;
        e->source[i] = u;
        e->target[i] = g->out.targets[g->out.offsets[u + 1] - (from[u + 1] - i)];
    }
}

weft_status wfi_edge_rows_make(weft_ctx *ctx, const weft_graph *g, wfi_edge_rows *e) {
    uint64_t groups = ((uint64_t)g->n + ROWS - 1) / ROWS, blocks = (e->count + BLOCK - 1) / BLOCK;
    wfi_progress(ctx, "listing the edges", 0, 0);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (uint64_t k = 0; k < (e->first ? groups : 0); k++)
        if (!wfi_cancelled(ctx))
            count_rows(g, e->first, (weft_vid)(k * ROWS), (weft_vid)wfi_min_u64((k + 1) * ROWS, g->n));
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    if (e->first) wfi_exclusive_scan(ctx, e->first, g->n);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, e->count, SHARE))
    for (uint64_t k = 0; k < blocks; k++)
        if (!wfi_cancelled(ctx)) fill_block(g, e, k * BLOCK, wfi_min_u64((k + 1) * BLOCK, e->count));
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
