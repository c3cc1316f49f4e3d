/* oriented_cuda.cuh: the view that is kept with the graph's mirror, and what it costs. */
#include "cuda/mirror_state.cuh"
#include "shared/triangles/oriented.h"
#include "shared/triangles/oriented_cuda.cuh"

namespace {

struct oriented_layout : wfi_layout {
    bool there = false;
    wfi_oriented_rows rows;
};

} // namespace

/* Once made, a view is never made anew: another thread may be reading it.  So the view of a directed graph always has what `clustering` asks for. */
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
    wfi_device_rows out = {m->out_offsets.data, m->out_targets.data, NULL};
    wfi_device_rows in = {m->in_offsets.data, m->in_targets.data, NULL};
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

/* Rows of so many entries and more.  An entry has a lower rank, and so no lower degree: each such row has `length` vertices before it, and all of
 * them have at least that degree, as has its own. */
static uint64_t most_rows(const weft_ctx *ctx, const weft_graph *g, uint64_t edges, uint64_t length) {
    const wfi_rows *in = g->directed ? wfi_in_at_hand(g) : NULL;
    uint64_t such = g->n;
    if (in || !g->directed) { /* else who is pointed at is not known */
        such = 0;
#pragma omp parallel for schedule(static) reduction(+ : such) num_threads(wfi_threads_for(ctx, g->n, 1 << 20))
        for (weft_vid v = 0; v < g->n; v++) such += wfi_degree(&g->out, v) + (in ? wfi_degree(in, v) : 0) >= length;
    }
    return such > length ? wfi_min_u64(such - length, edges / length) : 0;
}

uint64_t wfi_oriented_long_rows(const weft_ctx *ctx, const weft_graph *g, uint64_t edges) {
    const oriented_layout *kept = oriented_as(g->mirror, false);
    if (kept) return kept->rows.many;
    return most_rows(ctx, g, edges, WFI_FEW_ROW + 1);
}

wfi_mirror_cost wfi_oriented_on_gpu_cost(const weft_ctx *ctx, const weft_graph *g, bool with_arcs) {
    with_arcs = oriented_with_arcs(g, with_arcs);
    if (oriented_as(g->mirror, with_arcs)) return {0, 0};
    wfi_mirror_cost out = wfi_mirror_out_cost(g), in = g->directed ? wfi_mirror_in_cost(g) : wfi_mirror_cost{0, 0};
    bool made = g->directed && !wfi_in_at_hand(g) && in.kept; /* then the outgoing rows are in it */
    uint64_t rows = made ? in.kept : out.kept + in.kept, n = g->n, edges = wfi_oriented_estimate(g);
    uint64_t made_of = 16 * n + 4 * edges + (with_arcs ? 4 * n + edges : 0);
    uint64_t ranking = 20 * n + (with_arcs ? 8 * n : 0), sorting = 12 * n + 16 * edges + (with_arcs ? 4 * n : 0);
    uint64_t kept = made_of + 4 * most_rows(ctx, g, edges, 2); /* shorter ones are not listed */
    uint64_t peak = wfi_max_u64(wfi_max_u64(ranking, sorting), wfi_max_u64(made_of + 8 * edges, kept));
    return {rows + kept, wfi_max_u64(in.peak, rows + peak)};
}
