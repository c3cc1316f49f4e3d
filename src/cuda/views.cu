/* Views of a graph that are kept with its mirror: oriented rows (oriented.cuh), rows cut into pieces (pieces.cuh) and rows of short arcs
 * (shorts.cuh), and what they cost. */
#include "cuda/mirror_state.cuh"
#include "graph/oriented.h"

/* Once made, a view is never made anew: another thread may be reading it.  So the view of a directed graph always has what `clustering` asks for. */
static bool oriented_with_arcs(const weft_graph *g, bool asked) { return asked || (g->directed && g->n <= INT32_MAX); }

static bool oriented_as(const wfi_mirror *m, bool with_arcs) {
    return m && m->oriented_there && (!with_arcs || m->oriented.arcs.data);
}

static weft_status need_oriented(weft_ctx *ctx, const weft_graph *g, bool with_arcs, wfi_mirror *m) {
    with_arcs = oriented_with_arcs(g, with_arcs);
    if (oriented_as(m, with_arcs)) return WEFT_OK;
    weft_status st = wfi_mirror_need_out(ctx, g, m);
    if (!st && g->directed) st = wfi_mirror_need_in(ctx, g, m);
    if (st) return st;
    wfi_device_rows out = {m->out_offsets.data, m->out_targets.data, NULL};
    wfi_device_rows in = {m->in_offsets.data, m->in_targets.data, NULL};
    m->oriented_there = false;
    st = wfi_orient(ctx, g, &out, g->directed ? &in : NULL, with_arcs, &m->oriented);
    m->oriented_there = st == WEFT_OK;
    return st;
}

weft_status wfi_mirror_oriented(weft_ctx *ctx, const weft_graph *g, bool with_arcs, const wfi_oriented_rows **o) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = need_oriented(ctx, g, with_arcs, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *o = &m->oriented;
    return st;
}

weft_status wfi_mirror_pieces(weft_ctx *ctx, const weft_graph *g, bool incoming, const wfi_pieces **pieces) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_device_rows rows;
    incoming = incoming && g->directed;
    weft_status st = incoming ? wfi_mirror_in(ctx, g, &rows) : wfi_mirror_out(ctx, g, &rows);
    if (st) return st;
    pthread_mutex_lock(&mine->lock);
    wfi_pieces *p = incoming ? &g->mirror->in_pieces : &g->mirror->out_pieces;
    if (!p->there) {
        wfi_stage_scope stage(ctx, "relabel");
        st = wfi_cut_rows(ctx, rows.offsets, g->n, p);
    }
    pthread_mutex_unlock(&mine->lock);
    *pieces = p;
    return st;
}

weft_status wfi_mirror_shorts(weft_ctx *ctx, const weft_graph *g, double below, double share,
                              const wfi_short_rows **shorts) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_device_rows rows;
    weft_status st = wfi_mirror_out(ctx, g, &rows);
    if (st) return st;
    pthread_mutex_lock(&mine->lock);
    wfi_short_rows *s = &g->mirror->shorts;
    if (!s->there && !s->too_many) {
        wfi_stage_scope stage(ctx, "relabel");
        weft_eid most = (weft_eid)(1.25 * share * (double)g->arcs) + 1024;
        st = wfi_pick_short(ctx, rows, g->n, g->arcs, g->weight_type, below, most, s);
        if (!s->there) s->clear();
    }
    *shorts = s->there ? s : NULL;
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

uint64_t wfi_mirror_long_rows(const weft_ctx *ctx, const weft_graph *g, uint64_t edges) {
    if (oriented_as(g->mirror, false)) return g->mirror->oriented.many;
    return most_rows(ctx, g, edges, WFI_FEW_ROW + 1);
}

wfi_mirror_cost wfi_mirror_oriented_cost(const weft_ctx *ctx, const weft_graph *g, bool with_arcs) {
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

wfi_mirror_cost wfi_mirror_pieces_cost(const weft_ctx *ctx, const weft_graph *g, bool incoming, uint64_t *places) {
    incoming = incoming && g->directed;
    const wfi_pieces *there = !g->mirror ? NULL : incoming ? &g->mirror->in_pieces : &g->mirror->out_pieces;
    uint64_t long_rows;
    if (there && there->there) {
        *places = there->places;
        return {0, 0};
    }
    *places = wfi_long_pieces(ctx, g, incoming ? wfi_in_at_hand(g) : &g->out, &long_rows);
    uint64_t pieces = g->n + *places - long_rows;
    return {wfi_pieces_bytes(pieces, long_rows), wfi_pieces_peak(g->n, pieces, long_rows)};
}

wfi_mirror_cost wfi_mirror_shorts_cost(const weft_graph *g, double share) {
    if (g->mirror && (g->mirror->shorts.there || g->mirror->shorts.too_many)) return {0, 0};
    uint64_t kept = 8 * ((uint64_t)g->n + 1) + (uint64_t)(8 * share * (double)g->arcs);
    return {kept, kept + 3 * g->arcs / 8};
}
