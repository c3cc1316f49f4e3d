/* See spread.h.  Cuts by a binary search over the offsets: the cost of a row is its arcs and a constant
 * (graph/rows.h). */
#include "ranks/spread.h"
#include "core/search.h"
#include "graph/rows.h"
#include "ranks/grid.h"

/* The vertex in lo ... hi that splits off `part` / `whole` of the block's cost. */
static weft_vid boundary(const weft_graph *g, weft_vid lo, weft_vid hi, uint64_t part, uint64_t whole) {
    const weft_eid *offsets = g->out.offsets;
    uint64_t before = wfi_cost_before(offsets, lo), all = wfi_cost_before(offsets, hi) - before;
    return wfi_vertex_at_cost(offsets, lo, hi, before + (uint64_t)((unsigned __int128)all * part / whole));
}

/* Each rank finds the begin of its own range, so that it reads few pages of the offsets, and sends it to the others. */
static weft_status cut_file(weft_ctx *ctx, wfi_spread *s, wfi_part *p) {
    wfi_comm *comm = s->comm;
    int size = comm->link.size;
    uint64_t before = 0, whole = 0;
    for (int r = 0; r < size; r++) {
        uint64_t weight = comm->weights ? comm->weights[r] : 1;
        if (r < comm->link.rank) before += weight;
        whole += weight;
    }
    uint64_t first = p->lo < p->hi ? boundary(s->g, p->lo, p->hi, before, whole) : p->lo;
    first = wfi_min_u64(p->hi, (first + WFI_CUT_AT - 1) / WFI_CUT_AT * WFI_CUT_AT);
    weft_status st = wfi_allgather_u64(ctx, first, s->start);
    if (st) return st;
    for (int r = 0; r < size; r++) p->cut[r] = (weft_vid)s->start[r];
    p->cut[size] = p->hi;
    return WEFT_OK;
}

static weft_status cut_block(weft_ctx *ctx, wfi_spread *s, wfi_part *p) {
    const weft_graph *g = s->g;
    weft_status st = WEFT_OK;
    if (g->share) {
        wfi_known_rows known = wfi_share_known(g);
        st = wfi_share_cut(ctx, &known, s->comm->weights, p->lo, p->hi, p->cut);
        if (!st) st = wfi_share_redistribute(ctx, g, p->cut);
    } else if (wfi_spread_is_whole(s)) {
        p->cut[0] = p->lo;
        p->cut[1] = p->hi;
    } else {
        st = cut_file(ctx, s, p);
    }
    p->first = p->cut[s->comm->link.rank];
    p->end = p->cut[s->comm->link.rank + 1];
    return st;
}

wfi_view wfi_part_rows(const wfi_part *part, const wfi_view *rows) {
    static const weft_eid none[1];
    wfi_view own = *rows;
    own.offsets = part->first < part->end ? rows->offsets + part->first : none;
    own.first = part->first;
    own.count = part->end - part->first;
    return own;
}

weft_status wfi_spread_new(weft_ctx *ctx, const weft_graph *g, weft_vid block, wfi_spread **out) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    size_t ranks = (size_t)comm->link.size, blocks = block && g->n ? (size_t)((g->n - 1) / block) + 1 : 1;
    size_t ends = (ranks + 1) * (sizeof(uint64_t) + blocks * sizeof(weft_vid));
    wfi_spread *s = wfi_take_zeroed(ctx, 1, sizeof *s + 2 * sizeof *s->there + ends);
    weft_status st = wfi_agree(ctx, s ? WEFT_OK : WEFT_ENOMEM);
    *out = NULL;
    if (!st) {
        *s = (wfi_spread){.comm = comm, .g = g, .blocks = blocks, .there = (wfi_view(*)[WFI_MOST_BLOCKS])(s + 1)};
        s->start = (uint64_t *)(s->there + 2);
    }
    for (size_t b = 0; !st && b < blocks; b++) {
        wfi_part *p = &s->part[b];
        p->lo = (weft_vid)b * block;
        p->hi = b + 1 < blocks ? p->lo + block : g->n;
        p->cut = (weft_vid *)(s->start + ranks + 1) + b * (ranks + 1);
        p->place = s->vertices;
        st = cut_block(ctx, s, p);
        if (st) break;
        p->out = wfi_part_rows(p, &g->out);
        s->vertices += p->end - p->first;
        if (!wfi_has_ranks(ctx)) continue;
        if (p->first < p->end) s->arcs += g->out.offsets[p->end] - g->out.offsets[p->first];
        for (weft_vid k = 0; k < p->end - p->first; k++) s->longest = wfi_max_u64(s->longest, wfi_degree(&p->out, k));
    }
    if (!st && !wfi_has_ranks(ctx)) s->arcs = g->arcs;
    if (!st) wfi_spread_set_columns(s, 1);
    if (!st) st = wfi_allreduce(ctx, &s->longest, 1, WFI_MAX);
    if (st)
        wfi_spread_free(s);
    else
        *out = s;
    return st;
}

void wfi_spread_set_columns(wfi_spread *s, int columns) {
    int me = s->comm->link.rank, row = me / columns, ranks = s->comm->link.size;
    if (columns == s->columns) return;
    wfi_spread_drop_in(s);
    wfi_spread_forget_gpu_rows(s);
    s->columns = columns;
    s->expected = false;
    s->sees = 0;
    for (size_t b = 0; b < s->blocks; b++) {
        wfi_part *p = &s->part[b];
        p->in = (wfi_view){0};
        p->in_first = p->cut[row * columns];
        p->in_end = p->cut[(row + 1) * columns];
        for (int r = me % columns; r < ranks; r += columns) {
            if (r == me) p->seen = s->sees;
            s->sees += p->cut[r + 1] - p->cut[r];
        }
    }
}

void wfi_spread_drop_in(wfi_spread *s) {
    for (size_t b = 0; s->in_made && b < s->blocks; b++) {
        wfi_view *in = &s->part[b].in;
        WFI_FREE(in->offsets, in->targets, in->weights);
        *in = (wfi_view){0};
    }
    s->in_made = false;
}

void wfi_spread_free(wfi_spread *s) {
    if (!s) return;
    wfi_spread_drop_in(s);
    wfi_free(s);
}

int wfi_part_owner(const wfi_part *part, int ranks, weft_vid v) {
    int low = 1, high = ranks; /* behind the last rank whose range begins at v or before: empty ranges come first */
    WFI_BISECT(low, high, middle, part->cut[middle] <= v);
    return low - 1;
}

weft_status wfi_spread_allgather(weft_ctx *ctx, const wfi_spread *s, const wfi_part *part, void *all, size_t each) {
    if (s->columns > 1) return wfi_grid_gather(ctx, s, part, all, each);
    for (int r = 0; r <= s->comm->link.size; r++) s->start[r] = (uint64_t)part->cut[r] * each;
    return wfi_allgather(ctx, all, s->start);
}

uint64_t wfi_spread_row_bytes(const wfi_spread *s) {
    uint64_t each = sizeof(weft_vid) + wfi_weight_bytes(s->g->weight_type);
    if (s->g->share) return s->g->share->counted;
    return s->arcs * each + s->vertices * sizeof(weft_eid);
}

weft_status wfi_spread_max_out_degree_vertex(weft_ctx *ctx, const wfi_spread *s, weft_vid *vertex) {
    const wfi_part *p = &s->part[0];
    uint64_t most = 0, first = WEFT_NO_VERTEX;
    if (wfi_spread_is_whole(s)) {
        *vertex = wfi_max_out_degree_vertex(ctx, s->g);
        return WEFT_OK;
    }
    for (weft_vid k = 0; k < s->vertices; k++) {
        if (wfi_degree(&p->out, k) <= most && first != WEFT_NO_VERTEX) continue;
        most = wfi_degree(&p->out, k);
        first = p->first + k;
    }
    uint64_t all = most;
    weft_status st = wfi_allreduce(ctx, &all, 1, WFI_MAX);
    if (most < all) first = WEFT_NO_VERTEX;
    if (!st) st = wfi_allreduce(ctx, &first, 1, WFI_MIN);
    *vertex = (weft_vid)first;
    return st;
}
