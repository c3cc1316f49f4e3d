/* What ranks have, brought together: a result's columns on the first rank, figures of all ranks on each. */
#include "algo/algo.h"
#include "ranks/spread.h"

/* This rank's values of a column go to the first rank, block by block.  `all` is NULL on the others. */
static weft_status gather_column(weft_ctx *ctx, const wfi_spread *s, const char *mine, size_t each, char *all) {
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t *go = s->comm->scratch, *come = s->start;
    weft_status st = WEFT_OK;
    for (size_t b = 0; b < s->blocks && !st; b++) {
        const wfi_part *p = &s->part[b];
        go[0] = 0;
        for (int r = 0; r < ranks; r++) go[r + 1] = (uint64_t)(p->end - p->first) * each;
        for (int r = 0; r <= ranks; r++) come[r] = me ? 0 : (uint64_t)p->cut[r] * each;
        st = wfi_alltoall(ctx, s->comm, mine ? mine + (uint64_t)p->place * each : NULL, go, all, come);
    }
    return st;
}

static size_t value_bytes(const weft_column *c) { return (c->width ? c->width : 1) * weft_type_size(c->type); }

/* Columns without their values, tables and scalars with theirs, as the whole graph's. */
static weft_status prepare(weft_ctx *ctx, const wfi_spread *s, const weft_result *r, weft_result **whole) {
    weft_status st = weft_result_new(ctx, whole);
    for (size_t i = 0; i < weft_result_column_count(r) && !st; i++) {
        const weft_column *c = weft_result_column_at(r, i);
        st = c->shape == WEFT_SHAPE_VERTICES ? wfi_result_column_like(ctx, *whole, c, s->g->n)
                                             : weft_result_add_column(ctx, *whole, c);
    }
    for (size_t i = 0; i < weft_result_scalar_count(r) && !st; i++)
        st = weft_result_add_scalar(ctx, *whole, weft_result_scalar_at(r, i));
    if (!st) wfi_result_stages(ctx, *whole);
    return st;
}

weft_status weft_plan_gather(weft_plan *plan, const weft_result *r, weft_result **whole) {
    if (whole) *whole = NULL;
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, r);
    WFI_NEED(ctx, whole);
    if (!s) return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_gather: the plan's context is not one of several ranks");
    bool first = s->comm->link.rank == 0;
    weft_status st = wfi_agree(ctx, s->comm, first ? prepare(ctx, s, r, whole) : WEFT_OK);
    for (size_t i = 0; i < weft_result_column_count(r) && !st; i++) {
        const weft_column *c = weft_result_column_at(r, i);
        const weft_column *to = first ? weft_result_column_at(*whole, i) : NULL;
        if (c->shape == WEFT_SHAPE_VERTICES)
            st = gather_column(ctx, s, c->data, value_bytes(c), to ? (char *)(uintptr_t)to->data : NULL);
    }
    if (st) {
        weft_result_free(*whole);
        *whole = NULL;
    }
    return st;
}

weft_status weft_plan_vertices(weft_plan *plan, weft_vid *vertices) {
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, vertices);
    if (!s) return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_vertices: the plan's context is not one of several ranks");
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
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, values);
    uint64_t mine = 0;
    if (!s) return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_ranks: the plan's context is not one of several ranks");
    switch (figure) {
    case WEFT_RANK_VERTICES: mine = s->vertices; break;
    case WEFT_RANK_ARCS: mine = s->arcs; break;
    case WEFT_RANK_BYTES: mine = wfi_spread_row_bytes(s) + weft_plan_host_bytes(plan); break;
    case WEFT_RANK_SENT: mine = wfi_plan_sent(plan); break;
    case WEFT_RANK_SENDS: mine = wfi_plan_sends(plan); break;
    default: return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_ranks: no such figure");
    }
    return wfi_allgather_u64(ctx, s->comm, mine, values);
}
