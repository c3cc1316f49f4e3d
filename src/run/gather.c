/* Gather: brings the columns of a result of ranks to the first rank, for all vertices, a range or chosen ones; and
 * numbers of each rank to all ranks.  Method: one personalised exchange for each block of the partition, which only the
 * first rank receives. */
#include "ranks/spread.h"
#include "run/algorithm.h"

#include <string.h>

static weft_vid within(weft_vid v, weft_vid low, weft_vid high) { return v < low ? low : v > high ? high : v; }

static size_t value_bytes(const weft_column *c) { return (c->width ? c->width : 1) * weft_type_size(c->type); }
static char *data_of(const weft_column *c) { return c ? (char *)(uintptr_t)c->data : NULL; }

/* The request: the rows of vertices first ... end-1; whole: also tables and scalars. */
typedef struct range_request {
    weft_ctx *ctx;
    const wfi_spread *s;
    const weft_result *r;
    weft_vid first, end;
    bool whole;
} range_request;

/* Sends this rank's values of a column to the first rank, block by block; `all` is NULL on the others. */
static weft_status gather_column(const range_request *q, const weft_column *column, char *all) {
    const wfi_spread *s = q->s;
    const char *own = column->data;
    size_t each = value_bytes(column);
    weft_vid first = q->first, end = q->end;
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t *go = s->comm->scratch, *come = s->start;
    weft_status st = WEFT_OK;
    for (size_t b = 0; b < s->blocks && !st; b++) {
        const wfi_part *p = &s->part[b];
        if (p->hi <= first || p->lo >= end) continue;
        weft_vid from = within(p->first, first, end), to = within(p->end, first, end);
        go[0] = 0;
        for (int r = 0; r < ranks; r++) go[r + 1] = (uint64_t)(to - from) * each;
        for (int r = 0; r <= ranks; r++) come[r] = me ? 0 : (uint64_t)(within(p->cut[r], first, end) - first) * each;
        const char *at = own && from < to ? own + (uint64_t)(p->place + (from - p->first)) * each : NULL;
        st = wfi_alltoall(q->ctx, at, go, all, come);
    }
    return st;
}

/* Adds columns of vertices of this length, without values; for a whole result also tables and scalars, with values. */
static weft_status prepare(weft_ctx *ctx, const weft_result *r, size_t length, bool whole, weft_result **to) {
    weft_status st = weft_result_new(ctx, to);
    for (size_t i = 0; i < weft_result_column_count(r) && !st; i++) {
        const weft_column *c = weft_result_column_at(r, i);
        if (c->shape == WEFT_SHAPE_VERTICES)
            st = wfi_result_column_like(ctx, *to, c, length);
        else if (whole)
            st = weft_result_add_column(ctx, *to, c);
    }
    for (size_t i = 0; whole && i < weft_result_scalar_count(r) && !st; i++)
        st = weft_result_add_scalar(ctx, *to, weft_result_scalar_at(r, i));
    if (!st && whole) wfi_result_stages(ctx, *to);
    return st;
}

/* Frees the result after a failure. */
static weft_status keep(weft_result **to, weft_status st) {
    if (st) {
        weft_result_free(*to);
        *to = NULL;
    }
    return st;
}

static weft_status gather(const range_request *q, weft_result **to) {
    bool here = q->s->comm->link.rank == 0;
    weft_status st = here ? prepare(q->ctx, q->r, q->end - q->first, q->whole, to) : WEFT_OK;
    st = wfi_agree(q->ctx, st);
    for (size_t i = 0, k = 0; i < weft_result_column_count(q->r) && !st; i++) {
        const weft_column *c = weft_result_column_at(q->r, i);
        if (c->shape == WEFT_SHAPE_VERTICES)
            st = gather_column(q, c, data_of(here ? weft_result_column_at(*to, k++) : NULL));
        else
            k += q->whole;
    }
    return keep(to, st);
}

weft_status weft_plan_gather(weft_plan *plan, const weft_result *r, weft_result **whole) {
    if (whole) *whole = NULL;
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN_WITH_OR_RETURN(ctx, r, whole);
    if (!s) return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_gather: the plan's context is not one of several ranks");
    return gather(&(range_request){ctx, s, r, 0, s->g->n, true}, whole);
}

weft_status weft_plan_gather_range(weft_plan *plan, const weft_result *r, weft_vid first, weft_vid end,
                                   weft_result **part) {
    if (part) *part = NULL;
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN_WITH_OR_RETURN(ctx, r, part);
    if (!wfi_has_ranks(ctx))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_gather_range: the plan's context is not one of several ranks");
    if (first > end || end > s->g->n)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_gather_range: vertices %u to %u of %u", first, end, s->g->n);
    return gather(&(range_request){ctx, s, r, first, end, false}, part);
}

/* --- some rows ---------------------------------------------------------------------------- */

/* Chosen rows: this rank's rows of block b are places[begin[b]] ...; on the first rank those of rank r begin at
 * come[b * (ranks + 1) + r]. */
typedef struct chosen_rows {
    const weft_vid *places;
    size_t count;
    char *values; /* for the values of a column */
    size_t begin[WFI_MOST_BLOCKS + 1];
    uint64_t *come;
    uint64_t total; /* of all ranks */
} chosen_rows;

/* Fails unless places ascend and belong to the rank. */
static weft_status cut_places(weft_ctx *ctx, const wfi_spread *s, chosen_rows *c) {
    const weft_vid *places = c->places;
    size_t at = 0;
    for (size_t i = 0; i < c->count; i++)
        if (places[i] >= s->vertices || (i && places[i] <= places[i - 1]))
            return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_gather_rows: places have to ascend, and to be this rank's");
    for (size_t b = 0; b < s->blocks; b++) {
        const wfi_part *p = &s->part[b];
        c->begin[b] = at;
        while (at < c->count && places[at] < p->place + (p->end - p->first)) at++;
    }
    c->begin[s->blocks] = at;
    return WEFT_OK;
}

/* Blocks ascend, and within a block the ranks, so that rows arrive in the order of vertices. */
static weft_status exchange_counts(weft_ctx *ctx, const wfi_spread *s, chosen_rows *c) {
    size_t ranks = (size_t)s->comm->link.size;
    weft_status st = WEFT_OK;
    c->total = 0;
    for (size_t b = 0; b < s->blocks && !st; b++) {
        uint64_t *come = c->come + b * (ranks + 1);
        st = wfi_allgather_u64(ctx, c->begin[b + 1] - c->begin[b], come);
        for (size_t r = 0; r < ranks; r++) {
            uint64_t here = come[r];
            come[r] = c->total;
            c->total += here;
        }
        come[ranks] = c->total;
    }
    return st;
}

/* Gathers the values of a column, or the vertices themselves if it is NULL. */
static weft_status gather_chosen(weft_ctx *ctx, const wfi_spread *s, const chosen_rows *c, const weft_column *column,
                                 char *all) {
    const char *own = data_of(column);
    size_t each = column ? value_bytes(column) : sizeof(weft_vid);
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t *go = s->comm->scratch, *come = s->start;
    weft_status st = WEFT_OK;
    for (size_t b = 0; b < s->blocks && !st; b++) {
        const wfi_part *p = &s->part[b];
        const uint64_t *rows = c->come + b * (size_t)(ranks + 1);
        size_t count = c->begin[b + 1] - c->begin[b];
        for (size_t i = 0; i < count; i++) {
            weft_vid place = c->places[c->begin[b] + i], vertex = p->first + (place - p->place);
            memcpy(c->values + i * each, own ? own + place * each : (const char *)&vertex, each);
        }
        go[0] = 0;
        for (int r = 0; r < ranks; r++) go[r + 1] = (uint64_t)count * each;
        for (int r = 0; r <= ranks; r++) come[r] = me ? 0 : rows[r] * each;
        st = wfi_alltoall(ctx, c->values, go, all, come);
    }
    return st;
}

static weft_status gather_rows(weft_ctx *ctx, const wfi_spread *s, const weft_result *r, chosen_rows *c,
                               weft_vid **vertices, weft_result **rows) {
    bool here = s->comm->link.rank == 0;
    size_t widest = sizeof(weft_vid);
    for (size_t i = 0; i < weft_result_column_count(r); i++)
        widest = wfi_max_u64(widest, value_bytes(weft_result_column_at(r, i)));
    weft_status st = cut_places(ctx, s, c);
    if (!st) st = wfi_alloc(ctx, &c->come, s->blocks * (size_t)(s->comm->link.size + 1));
    if (!st && !(c->values = wfi_take(ctx, c->count, widest))) st = WEFT_ENOMEM;
    st = wfi_agree(ctx, st);
    if (!st) st = exchange_counts(ctx, s, c);
    if (!st && here) st = wfi_alloc(ctx, vertices, (size_t)c->total);
    if (!st && here) st = prepare(ctx, r, (size_t)c->total, true, rows);
    st = wfi_agree(ctx, st);
    if (!st) st = gather_chosen(ctx, s, c, NULL, (char *)*vertices);
    for (size_t i = 0; i < weft_result_column_count(r) && !st; i++) {
        const weft_column *from = weft_result_column_at(r, i);
        if (from->shape == WEFT_SHAPE_VERTICES)
            st = gather_chosen(ctx, s, c, from, data_of(here ? weft_result_column_at(*rows, i) : NULL));
    }
    WFI_FREE(c->come, c->values);
    return st;
}

weft_status weft_plan_gather_rows(weft_plan *plan, const weft_result *r, const weft_vid *places, size_t count,
                                  weft_vid **vertices, weft_result **rows) {
    if (vertices) *vertices = NULL;
    if (rows) *rows = NULL;
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN_WITH_OR_RETURN(ctx, r);
    if (count) WFI_NEED_OR_RETURN(ctx, places);
    WFI_NEED_OR_RETURN(ctx, vertices, rows);
    if (!s) return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_gather_rows: the plan's context is not one of several ranks");
    chosen_rows c = {.places = places, .count = count};
    weft_status st = keep(rows, gather_rows(ctx, s, r, &c, vertices, rows));
    if (st) {
        wfi_free(*vertices);
        *vertices = NULL;
    }
    return st;
}

/* --- figures -------------------------------------------------------------------------------- */

weft_status weft_plan_vertices(weft_plan *plan, weft_vid *vertices) {
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN_WITH_OR_RETURN(ctx, vertices);
    if (!wfi_has_ranks(ctx))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_vertices: the plan's context is not one of several ranks");
    for (size_t b = 0; b < s->blocks; b++) {
        const wfi_part *p = &s->part[b];
        for (weft_vid v = p->first; v < p->end; v++) vertices[p->place + (v - p->first)] = v;
    }
    return WEFT_OK;
}

weft_status weft_plan_ranks(weft_plan *plan, weft_rank_figure figure, uint64_t *values) {
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN_WITH_OR_RETURN(ctx, values);
    uint64_t own = 0;
    if (!wfi_has_ranks(ctx))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_ranks: the plan's context is not one of several ranks");
    switch (figure) {
    case WEFT_RANK_VERTICES: own = s->vertices; break;
    case WEFT_RANK_ARCS: own = s->arcs; break;
    case WEFT_RANK_BYTES: own = wfi_spread_row_bytes(s) + weft_plan_host_bytes(plan); break;
    case WEFT_RANK_SENT: own = wfi_plan_sent(plan); break;
    case WEFT_RANK_SENDS: own = wfi_plan_sends(plan); break;
    default: return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_ranks: no such figure");
    }
    return wfi_allgather_u64(ctx, own, values);
}
