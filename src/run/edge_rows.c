/* The edges of a graph as rows of a result (edge_rows.h).  Method: edges of each row are counted and summed up; then
 * blocks of edges find their first row by search, so that a hub is shared out like any other rows. */
#include "run/edge_rows.h"
#include "core/scan.h"
#include "core/search.h"

enum { SHARE = 1 << 14, ROWS = 1 << 12, BLOCK = 1 << 16 };

void wfi_edge_rows_lay_out(wfi_workspace *w, const weft_graph *g, wfi_edge_rows *e) {
    *e = (wfi_edge_rows){.count = g->edges};
    wfi_edge_column(w, "source", WEFT_VERTEX, g->edges, &e->source);
    wfi_edge_column(w, "target", WEFT_VERTEX, g->edges, &e->target);
    if (!g->directed) wfi_array(w, &e->first, (uint64_t)g->n + 1);
}

typedef struct listing {
    const weft_graph *g;
    const wfi_edge_rows *e;
} listing;

static void count_rows(void *state, uint64_t begin, uint64_t end) {
    const listing *l = state;
    const wfi_view *out = &l->g->out;
    for (uint64_t u = begin; u < end; u++) {
        weft_eid to = out->offsets[u + 1];
        l->e->first[u] = to - wfi_lower_bound_u32(out->targets, out->offsets[u], to, (weft_vid)u);
    }
}

static void fill_block(void *state, uint64_t begin, uint64_t end) {
    const listing *l = state;
    const wfi_view *out = &l->g->out;
    const uint64_t *from = wfi_edge_rows_from(l->g, l->e);
    weft_vid u = 0, high = l->g->n;
    WFI_BISECT(u, high, middle, from[middle + 1] <= begin);
    for (uint64_t i = begin; i < end; i++) {
        while (from[u + 1] <= i) u++;
        l->e->source[i] = u;
        l->e->target[i] = out->targets[out->offsets[u + 1] - (from[u + 1] - i)];
    }
}

weft_status wfi_edge_rows_make(weft_ctx *ctx, const weft_graph *g, const wfi_edge_rows *e) {
    listing l = {g, e};
    weft_status st = WEFT_OK;
    wfi_progress(ctx, "listing the edges", 0, 0);
    if (e->first) st = wfi_spans(ctx, g->n, ROWS, wfi_threads_for(ctx, g->n, SHARE), count_rows, &l);
    if (!st && e->first) wfi_exclusive_scan(ctx, e->first, g->n);
    return st ? st : wfi_spans(ctx, e->count, BLOCK, wfi_threads_for(ctx, e->count, SHARE), fill_block, &l);
}

/* --- values of the oriented view ----------------------------------------------------------------- */

typedef struct looking {
    const wfi_edge_rows *e;
    const wfi_oriented *o;
    const weft_vid *rank;
    void (*put)(void *state, uint64_t i, uint64_t edge);
    void *state;
} looking;

static void look_up(void *state, uint64_t begin, uint64_t end) {
    const looking *l = state;
    for (uint64_t i = begin; i < end; i++) {
        weft_vid u = l->rank[l->e->source[i]], v = l->rank[l->e->target[i]];
        l->put(l->state, i, u == v ? WFI_NO_EDGE : wfi_oriented_edge(l->o, u, v));
    }
}

weft_status wfi_edge_rows_in_view(weft_ctx *ctx, const wfi_edge_rows *e, const wfi_oriented *o, weft_vid *rank,
                                  void (*put)(void *state, uint64_t i, uint64_t edge), void *state) {
    looking l = {e, o, rank, put, state};
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, o->n, SHARE))
    for (weft_vid r = 0; r < o->n; r++) rank[o->vertex[r]] = r;
    return wfi_spans(ctx, e->count, ROWS, wfi_threads_for(ctx, e->count, SHARE), look_up, &l);
}
