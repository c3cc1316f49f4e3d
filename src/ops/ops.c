/* See ops.h: chunks of vertices or rows of equal cost, taken dynamically by the threads; and what ranks do between
 * steps. */
#include "ops/ops.h"
#include "engines/fixed_sums/fixed_sums.h"
#include "graph/rows.h"
#include "ranks/spread.h"

#include <string.h>

/* A chunk of rows is LARGE arcs, or fewer where that leaves threads without any, but not below SMALL, which a thread
 * has done in the time of a barrier or two. */
enum { VERTICES = 1 << 14, SMALL = 1 << 13, LARGE = 1 << 14, FOR_EACH_THREAD = 4 };

bool wfi_ops_stops(wfi_ops *o) {
    if (wfi_cancelled(o->ctx)) __atomic_store_n(&o->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&o->stop, __ATOMIC_RELAXED);
}

void wfi_op_add(wfi_op_totals *all, const wfi_op_totals *mine) {
    for (int i = 0; i < WFI_OP_SUMS; i++) wfi_fixed_join(&all->sum[i], mine->sum[i]);
    for (int i = 0; i < WFI_OP_COUNTS; i++) all->count[i] += mine->count[i];
    for (int i = 0; i < WFI_OP_MOSTS; i++) wfi_op_most(all, i, mine->most[i]);
}

/* Rows of this rank that are in chunk c of so many. */
static weft_vid chunk_begin(const wfi_view *rows, weft_vid mine, uint64_t chunks, uint64_t c) {
    if (!rows) return (weft_vid)((uint64_t)mine * c / chunks);
    return wfi_chunk_of_rows(rows->offsets, 0, mine, chunks, c);
}

static uint64_t chunks_of(const wfi_ops *o, const wfi_view *rows) {
    if (!rows) return o->mine / VERTICES + 1;
    uint64_t cost = wfi_cost_before(rows->offsets, o->mine) - wfi_cost_before(rows->offsets, 0);
    return wfi_max_u64(cost / LARGE + 1, wfi_min_u64(cost / SMALL, (uint64_t)wfi_threads(o->ctx) * FOR_EACH_THREAD));
}

static void on_cpu(wfi_ops *o, const wfi_op *op, const wfi_view *rows, const void *state, wfi_op_totals *to) {
    wfi_op_totals all = {.most = {0}};
    uint64_t chunks = o->mine ? chunks_of(o, rows) : 0;
#pragma omp parallel num_threads(wfi_threads_for(o->ctx, chunks, 1))
    {
        wfi_op_totals mine = {.most = {0}};
#pragma omp for schedule(dynamic, 1) nowait
        for (uint64_t c = 0; c < chunks; c++)
            if (!wfi_ops_stops(o))
                op->cpu(o, state, rows, chunk_begin(rows, o->mine, chunks, c),
                        chunk_begin(rows, o->mine, chunks, c + 1), &mine);
#pragma omp critical(wfi_ops_totals)
        if (to) wfi_op_add(&all, &mine);
    }
    if (to) *to = all;
}

static void take_step(wfi_ops *o, const wfi_op *op, const wfi_view *rows, const void *state, wfi_op_totals *to) {
    if (o->status) return;
    if (o->gpu)
        o->status = op->gpu(o, state, rows, to);
    else
        on_cpu(o, op, rows, state, to);
}

void wfi_ops_vertices(wfi_ops *o, const wfi_op *op, const void *state, wfi_op_totals *to) {
    take_step(o, op, NULL, state, to);
}

void wfi_ops_rows(wfi_ops *o, const wfi_op *op, const wfi_view *rows, const void *state, wfi_op_totals *to) {
    take_step(o, op, rows, state, to);
}

void wfi_ops_row_weights(wfi_ops *o, const char *algorithm, const weft_graph *g, const wfi_view *rows, double *sum) {
    if (o->status) return;
    o->status = o->gpu ? o->gpu->row_weights(o, algorithm, g, rows, sum)
                       : wfi_row_sums(o->ctx, algorithm, g, rows, o->mine, sum);
}

static void repeats_in(wfi_ops *o, const void *state, const wfi_view *rows, weft_vid k, weft_vid to, wfi_op_totals *t) {
    (void)o, (void)state;
    for (; k < to; k++)
        for (weft_eid e = rows->offsets[k] + 1; e < rows->offsets[k + 1]; e++)
            t->count[0] += rows->targets[e] == rows->targets[e - 1];
}

void wfi_ops_repeats(wfi_ops *o, const wfi_view *rows, wfi_op_totals *to) {
    if (o->status) return;
    if (o->gpu)
        o->status = o->gpu->repeats(o, rows, to);
    else
        on_cpu(o, &(wfi_op){.cpu = repeats_in}, rows, NULL, to);
}

/* --- between ranks --------------------------------------------------------------------------------------- */

weft_status wfi_ops_gather(wfi_ops *o, void *all, size_t each) {
    const wfi_spread *s = o->spread;
    if (wfi_spread_is_whole(s)) return o->status;
    if (o->gpu) return o->gpu->gather(o, all, each);
    weft_status st = wfi_agree(o->ctx, o->status);
    return st ? st : wfi_spread_allgather(o->ctx, s, &s->part[0], all, each);
}

/* Of this rank. */
static void read_own(wfi_ops *o, const wfi_op_totals *totals, size_t count, wfi_op_totals *here) {
    if (!o->gpu)
        memcpy(here, totals, count * sizeof *here);
    else if (!o->status)
        o->status = o->gpu->read(o->ctx, here, totals, count * sizeof *here);
    for (size_t t = 0; t < count && !o->status; t++)
        for (int i = 0; i < WFI_OP_SUMS; i++) wfi_fixed_carry(&here[t].sum[i]);
}

weft_status wfi_ops_read(wfi_ops *o, const wfi_op_totals *totals, size_t count, wfi_op_totals *here) {
    read_own(o, totals, count, here);
    return wfi_agree(o->ctx, o->status);
}

/* Sums, maxima and the request to stop, of all ranks. */
static weft_status reduce(wfi_ops *o, wfi_op_totals *t) {
    uint64_t added[WFI_OP_ADDED + 1];
    memcpy(added, t, WFI_OP_ADDED * sizeof *added);
    added[WFI_OP_ADDED] = wfi_ops_stops(o);
    weft_status st = wfi_allreduce(o->ctx, added, WFI_OP_ADDED + 1, WFI_SUM);
    if (!st) st = wfi_allreduce(o->ctx, t->most, WFI_OP_MOSTS, WFI_MAX);
    if (st) return st;
    memcpy(t, added, WFI_OP_ADDED * sizeof *added);
    for (int i = 0; i < WFI_OP_SUMS; i++) wfi_fixed_carry(&t->sum[i]);
    return added[WFI_OP_ADDED] ? wfi_fail_cancelled(o->ctx) : WEFT_OK;
}

weft_status wfi_ops_join(wfi_ops *o, wfi_op_totals *totals) {
    wfi_op_totals here = {.most = {0}};
    if (wfi_spread_is_whole(o->spread)) {
        if (!o->status && wfi_ops_stops(o)) o->status = wfi_fail_cancelled(o->ctx);
        return o->status;
    }
    read_own(o, totals, 1, &here);
    weft_status st = wfi_agree(o->ctx, o->status);
    if (!st) st = reduce(o, &here);
    if (st) return st;
    if (o->gpu)
        o->status = o->gpu->write(o->ctx, totals, &here, sizeof here);
    else
        *totals = here;
    return WEFT_OK;
}

weft_status wfi_ops_total(wfi_ops *o, wfi_op_totals *totals, wfi_op_totals *here) {
    weft_status st = wfi_ops_join(o, totals);
    return st ? st : wfi_ops_read(o, totals, 1, here);
}

weft_status wfi_ops_end(const wfi_ops *o, weft_status st) {
    if (!st) st = o->status;
    return !st && __atomic_load_n(&o->stop, __ATOMIC_RELAXED) ? wfi_fail_cancelled(o->ctx) : st;
}

weft_status wfi_ops_pull(wfi_ops *o, const wfi_op *give, const wfi_op *pull, const wfi_view *rows, const void *state,
                         double *share, wfi_op_totals *totals, wfi_op_totals *here) {
    wfi_ops_vertices(o, give, state, NULL);
    weft_status st = wfi_ops_gather(o, share, sizeof *share);
    if (st) return st;
    wfi_ops_rows(o, pull, rows, state, totals);
    return wfi_ops_total(o, totals, here);
}
