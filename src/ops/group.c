/* See group.h. */
#include "ops/group.h"
#include "core/comm.h"
#include "engines/fixed_sums/fixed_sums.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { ROWS_AT_ONCE = 128 };

static uint64_t all_arcs(const weft_graph *g) { return g->directed ? 2 * g->arcs : g->arcs; }

/* The largest table that a row can need has 2 to 4 slots an arc. */
static uint64_t slots_for(const weft_graph *g) {
    return (uint64_t)2 << wfi_bits(wfi_min_u64(all_arcs(g), WFI_GROUP_HUB));
}

static uint64_t most_hubs(const weft_graph *g) { return wfi_min_u64(all_arcs(g) / WFI_GROUP_HUB, g->n); }

static size_t slot_bytes(const wfi_row_group *group) {
    return group->wide ? sizeof(wfi_group_slot_64) : sizeof(wfi_group_slot_32);
}

static size_t sum_bytes(const wfi_row_group *group) { return group->wide ? sizeof(uint64_t) : sizeof(uint32_t); }

void wfi_group_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, wfi_row_group *group) {
    group->threads = wfi_threads_for(ctx, all_arcs(g), 1 << 14);
    uint64_t threads = (uint64_t)group->threads;
    group->table = slots_for(g);
    group->list = wfi_min_u64(all_arcs(g), WFI_GROUP_HUB);
    group->slots = wfi_carve(w, "slots", threads * group->table, slot_bytes(group), false);
    wfi_array(w, &group->touched, threads * group->list);
    group->counts = wfi_carve(w, "counts", most_hubs(g) ? g->n : 0, sum_bytes(group), false);
    wfi_array(w, &group->hubs, most_hubs(g));
}

/* The largest sum of the weights around a vertex of this rank, each row's in its order. */
static weft_status find_widest(wfi_ops *o, const char *algorithm, const weft_graph *g, double *widest) {
    const wfi_view *sides[] = {o->out, wfi_group_in(o)};
    double most = 0;
    _Atomic weft_eid bad = UINT64_MAX, seen = 0;
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE) reduction(max     \
                                                                   : most) \
    num_threads(wfi_threads_for(o->ctx, o->mine, 1 << 12))
    for (weft_vid k = 0; k < o->mine; k++) {
        if (k % ROWS_AT_ONCE == 0) wfi_ops_stops(o);
        if (__atomic_load_n(&o->stop, __ATOMIC_RELAXED)) continue;
        double sum = wfi_row_sum(g->weight_type, sides[0], k, &bad);
        if (sides[1]) sum += wfi_row_sum(g->weight_type, sides[1], k, &seen); /* the other way they were seen before */
        most = fmax(most, sum);
    }
    *widest = most;
    if (atomic_load(&bad) != UINT64_MAX) return wfi_refuse_share(o->ctx, algorithm, g, atomic_load(&bad));
    return __atomic_load_n(&o->stop, __ATOMIC_RELAXED) ? wfi_fail_cancelled(o->ctx) : WEFT_OK;
}

/* Tables are empty, the hubs listed. */
static void begin_cpu(wfi_ops *o, const weft_graph *g, wfi_row_group *group) {
    memset(group->slots, 0, (size_t)group->threads * group->table * slot_bytes(group));
    if (most_hubs(g)) memset(group->counts, 0, (size_t)g->n * sum_bytes(group));
    group->hub_count = 0;
    for (weft_vid k = 0; k < o->mine && most_hubs(g); k++)
        if (wfi_group_degree(o->out, wfi_group_in(o), k) > WFI_GROUP_HUB) group->hubs[group->hub_count++] = k;
}

weft_status wfi_group_begin(wfi_ops *o, const char *algorithm, const weft_graph *g, wfi_row_group *group) {
    double widest = 0;
    int scale;
    if (!o->status && o->gpu)
        o->status = o->gpu->group_begin(o, algorithm, g, group, &widest);
    else if (!o->status && group->wide)
        o->status = find_widest(o, algorithm, g, &widest);
    weft_status st = wfi_agree(o->ctx, o->status);
    uint64_t bits = wfi_op_bits(widest);
    if (!st) st = wfi_allreduce(o->ctx, &bits, 1, WFI_MAX);
    if (st) return st;
    (void)frexp(wfi_op_real(bits), &scale);
    group->unit = ldexp(1, 62 - scale);
    if (!o->gpu) begin_cpu(o, g, group);
    return WEFT_OK;
}

static void on_cpu(wfi_ops *o, const wfi_group_op *op, const wfi_row_group *group, const void *state,
                   wfi_op_totals *to) {
    wfi_op_totals all = {.most = {0}};
    uint64_t chunks = (o->mine + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
#pragma omp parallel num_threads(group->threads)
    {
        wfi_op_totals mine = {.most = {0}};
#pragma omp for schedule(dynamic, 1) nowait
        for (uint64_t c = 0; c < chunks; c++) {
            weft_vid from = (weft_vid)(c * ROWS_AT_ONCE);
            weft_vid end = o->mine - from < ROWS_AT_ONCE ? o->mine : from + ROWS_AT_ONCE;
            if (!wfi_ops_stops(o)) op->rows(o, group, state, from, end, omp_get_thread_num(), &mine);
        }
#pragma omp critical(wfi_ops_totals)
        wfi_op_add(&all, &mine);
    }
    for (weft_vid i = 0; i < group->hub_count && !wfi_ops_stops(o); i++) op->hub(o, group, state, group->hubs[i], &all);
    *to = all;
}

void wfi_ops_group(wfi_ops *o, const wfi_group_op *op, wfi_row_group *group, const void *state, wfi_op_totals *to) {
    if (o->status) return;
    if (o->gpu)
        o->status = op->gpu(o, group, state, to);
    else
        on_cpu(o, op, group, state, to);
}
