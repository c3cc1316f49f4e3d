/* Redistribution of rows. Each rank gets a range of rows, which the ranks own in order, so that the rows sent from
 * one rank to another form one run: degrees first, then targets and weights, one all-to-all exchange each. See
 * share.h. */
#include "core/comm.h"
#include "graph/ranks/share.h"

#include <string.h>

typedef struct transfer {
    weft_ctx *ctx;
    const weft_graph *g;
    size_t ranks;
    wfi_range give, want;          /* own rows inside all ranges; rows that this rank gets */
    uint64_t *rows_go, *rows_come; /* ranks + 1 each: begin of the rows sent to and received from rank r */
    uint64_t *arcs_go, *arcs_come; /* the same for arcs */
    uint64_t *begin;               /* first arc of each rank's range */
    uint64_t *give_degree, *want_degree;
    char *fresh; /* receive buffer */
} transfer;

static weft_vid clamp(weft_vid v, wfi_range to) { return v < to.first ? to.first : v > to.end ? to.end : v; }

static bool is_local(const struct wfi_share *s, wfi_range rows) {
    for (size_t i = 0; i < s->local_count; i++)
        if (s->local[i].first <= rows.first && rows.end <= s->local[i].end) return true;
    return rows.first >= rows.end;
}

static weft_status transfer_open(transfer *b, const weft_vid *cut) {
    const struct wfi_share *s = b->g->share;
    size_t rank = (size_t)wfi_rank(b->ctx);
    weft_status st = wfi_alloc(b->ctx, &b->rows_go, 5 * (b->ranks + 1));
    if (st) return st;
    uint64_t **part[] = {&b->rows_come, &b->arcs_go, &b->arcs_come, &b->begin};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i] = b->rows_go + (i + 1) * (b->ranks + 1);
    b->want = (wfi_range){cut[rank], cut[rank + 1]};
    b->give = (wfi_range){clamp(cut[0], s->owned), clamp(cut[b->ranks], s->owned)};
    for (size_t r = 0; r <= b->ranks; r++) {
        b->rows_go[r] = clamp(cut[r], s->owned) - b->give.first;
        b->rows_come[r] = clamp(s->cut[r], b->want) - b->want.first;
        b->arcs_go[r] = 0;
    }
    st = wfi_alloc(b->ctx, &b->give_degree, (size_t)(b->give.end - b->give.first));
    return st ? st : wfi_alloc(b->ctx, &b->want_degree, (size_t)(b->want.end - b->want.first));
}

static void transfer_close(transfer *b) { WFI_FREE(b->rows_go, b->give_degree, b->want_degree, b->fresh); }

/* Exchanges the lengths of rows and computes the positions of their arcs in the whole graph. */
static weft_status learn_degrees(transfer *b, const weft_vid *cut) {
    const weft_eid *offsets = b->g->out.offsets;
    wfi_known_rows mine = wfi_share_known(b->g);
    weft_vid gives = b->give.end - b->give.first;
    for (weft_vid k = 0; k < gives; k++) b->give_degree[k] = wfi_degree(&b->g->out, b->give.first + k);
    for (size_t r = 0; gives && r <= b->ranks; r++)
        b->arcs_go[r] = offsets[b->give.first + b->rows_go[r]] - offsets[b->give.first];
    for (size_t r = 0; r < b->ranks; r++)
        b->begin[r] = mine.first < mine.end && cut[r] >= mine.first && cut[r] <= mine.end ? offsets[cut[r]] : 0;
    weft_status st = wfi_allreduce(b->ctx, b->begin, b->ranks, WFI_MAX);
    if (!st)
        st = wfi_alltoall_items(b->ctx, sizeof *b->give_degree, b->give_degree, b->rows_go, b->want_degree,
                                b->rows_come);
    uint64_t arcs = 0, row = 0;
    for (size_t r = 0; !st && r <= b->ranks; r++) {
        for (; row < b->rows_come[r]; row++) arcs += b->want_degree[row];
        b->arcs_come[r] = arcs;
    }
    return st;
}

/* Exchanges an array of targets or weights; keep: copies the received part to its position. */
static weft_status move_array(transfer *b, char *array, size_t each, bool keep) {
    weft_eid from = b->give.first < b->give.end ? b->g->out.offsets[b->give.first] : 0;
    weft_status st = wfi_alltoall_items(b->ctx, each, array + from * each, b->arcs_go, b->fresh, b->arcs_come);
    if (!st && keep) memcpy(array + b->begin[wfi_rank(b->ctx)] * each, b->fresh, (size_t)b->arcs_come[b->ranks] * each);
    return st;
}

static weft_status move_rows(transfer *b, const weft_vid *cut) {
    const weft_graph *g = b->g;
    const struct wfi_share *s = g->share;
    size_t weight = s->weights.each, widest = weight > sizeof(weft_vid) ? weight : sizeof(weft_vid);
    weft_status st = learn_degrees(b, cut);
    if (st) return st;
    bool fresh = !is_local(s, b->want);
    uint64_t arcs = b->arcs_come[b->ranks], begin = b->begin[wfi_rank(b->ctx)];
    st = wfi_alloc(b->ctx, &b->fresh, (size_t)arcs * widest);
    if (!st && fresh) st = wfi_share_open(b->ctx, g, b->want.first, b->want.end, begin, begin + arcs);
    st = wfi_agree(b->ctx, st);
    if (st) return st;
    weft_eid next = begin, *offsets = wfi_own_offsets(&g->out);
    for (weft_vid v = b->want.first; fresh && v <= b->want.end; v++) {
        offsets[v] = next;
        if (v < b->want.end) next += b->want_degree[v - b->want.first];
    }
    st = move_array(b, (char *)wfi_own_targets(&g->out), sizeof(weft_vid), fresh);
    return st || !weight ? st : move_array(b, wfi_own_weights(&g->out), weight, fresh);
}

weft_status wfi_share_redistribute(weft_ctx *ctx, const weft_graph *g, const weft_vid *cut) {
    transfer b = {.ctx = ctx, .g = g, .ranks = (size_t)wfi_ranks(ctx)};
    int rank = wfi_rank(ctx);
    uint64_t here = is_local(g->share, (wfi_range){cut[rank], cut[rank + 1]});
    weft_status st = wfi_allreduce(ctx, &here, 1, WFI_MIN);
    if (st || here) return st;
    st = wfi_agree(ctx, transfer_open(&b, cut));
    if (!st) st = move_rows(&b, cut);
    transfer_close(&b);
    return st;
}
