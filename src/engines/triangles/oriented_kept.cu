/* The orientation of triangles_cuda.cuh as a layout of the graph's mirror: made on first use, and its bytes. */
#include "cuda/buffers.cuh"
#include "cuda/mirror.cuh"
#include "engines/triangles/oriented.h"
#include "engines/triangles/triangles_cuda.cuh"

namespace {

struct oriented_layout : wfi_layout {
    bool there = false;
    wfi_oriented_rows rows;
};

} // namespace

/* A view is never made again, because another thread may be reading it.  So the view of a directed graph always has the
 * arrays that `clustering` needs. */
static bool oriented_with_arcs(const weft_graph *g, bool asked) { return asked || (g->directed && g->n <= INT32_MAX); }

static const oriented_layout *oriented_as(const wfi_mirror *m, bool with_arcs) {
    const oriented_layout *kept = wfi_layout_in<oriented_layout>(m);
    return kept && kept->there && (!with_arcs || kept->rows.arcs.data) ? kept : nullptr;
}

static weft_status need_oriented(weft_ctx *ctx, const weft_graph *g, bool with_arcs, wfi_mirror *m,
                                 const wfi_oriented_rows **o) {
    oriented_layout *kept;
    with_arcs = oriented_with_arcs(g, with_arcs);
    weft_status st = wfi_layout_of(ctx, m, &kept);
    if (st) return st;
    *o = &kept->rows;
    if (oriented_as(m, with_arcs)) return WEFT_OK;
    st = wfi_mirror_need_out(ctx, g, m);
    if (!st && g->directed) st = wfi_mirror_need_in(ctx, g, m);
    if (st) return st;
    wfi_view out = wfi_gpu_rows_view(m->out, WEFT_WEIGHT_NONE);
    wfi_view in = {};
    if (g->directed) in = wfi_gpu_rows_view(m->in, WEFT_WEIGHT_NONE);
    kept->there = false;
    st = wfi_orient(ctx, g, &out, g->directed ? &in : NULL, with_arcs, &kept->rows);
    kept->there = st == WEFT_OK;
    return st;
}

weft_status wfi_oriented_on_gpu(weft_ctx *ctx, const weft_graph *g, bool with_arcs, const wfi_oriented_rows **o) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m = nullptr;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = need_oriented(ctx, g, with_arcs, m, o);
    pthread_mutex_unlock(&mine->lock);
    return st;
}

/* The largest of: ranking by degree, listing the edges, sorting them, taking them apart; each with the arrays of the
 * view that exist by then. */
static uint64_t making_bytes(const weft_graph *g, uint64_t edges, bool with_arcs) {
    uint64_t n = g->n, mutual = with_arcs ? 4 * n : 0, view = 8 * n + mutual;
    uint64_t ranking = view + 12 * n + mutual + wfi_cub_sort_bytes(n);
    uint64_t tiles = 2 * (g->arcs / WFI_ORIENT_TILE + 1);
    uint64_t listing = view + 12 * n + 8 * (edges + tiles) + wfi_cub_scan_bytes(n);
    uint64_t sorting = view + 16 * edges + wfi_cub_sort_bytes(edges);
    uint64_t parting = view + 8 * n + (with_arcs ? 9 : 8) * edges;
    return (1 << 10) + wfi_max_u64(wfi_max_u64(ranking, listing), wfi_max_u64(sorting, parting));
}

void wfi_oriented_declare(wfi_workspace *device, const weft_graph *g, bool with_arcs, uint64_t *edges,
                          uint64_t *long_rows) {
    with_arcs = oriented_with_arcs(g, with_arcs);
    const oriented_layout *kept = oriented_as(g->mirror, with_arcs);
    uint64_t n = g->n, most = wfi_oriented_most(g);
    *edges = kept ? kept->rows.edges : most;
    *long_rows = kept ? kept->rows.many : wfi_min_u64(n, most / (WFI_FEW_ROW + 1));
    if (kept) return;
    uint64_t listed = wfi_min_u64(n, most / 2); /* rows of two entries and more */
    uint64_t view = 16 * n + 8 + 4 * most + 4 * listed + (with_arcs ? 4 * n + most : 0);
    wfi_mirror_declare(device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    wfi_keep_with_graph(device, view, wfi_max_u64(view + (1 << 10), making_bytes(g, most, with_arcs)));
}
