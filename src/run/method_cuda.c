/* See method.h: on a GPU, or on the GPUs of ranks.  Compiled only with CUDA. */
#include "core/context.h"
#include "engines/sliced_ellpack/sweep.h"
#include "ops/gpu.h"
#include "ranks/device.h"
#include "run/method.h"

#include <stdio.h>
#include <string.h>

/* The list's arrays on the GPU, and further ones. */
typedef struct on_gpu {
    wfi_layout_of l;
    uint64_t *sums;
    double *moved;                                      /* for sweeps */
    void *here;                                         /* ranks: on the host */
    wfi_view out[WFI_MOST_BLOCKS], in[WFI_MOST_BLOCKS]; /* ranks: their rows there */
} on_gpu;

static void lay_out(on_gpu *g, bool sweeps, void *state) {
    const wfi_method *m = g->l.method;
    wfi_method_lay_out(&g->l, state);
    wfi_array(g->l.device, &g->sums, 2 * wfi_max_u64(m->group || m->message ? 0 : g->l.mine, 1));
    if (m->group)
        wfi_group_lay_out_gpu(g->l.device, g->l.g, g->l.mine, (wfi_row_group *)(void *)((char *)state + m->group));
    if (sweeps) wfi_array(g->l.device, &g->moved, g->l.g->n);
    if (!m->message) return;
    wfi_push *p = (wfi_push *)((char *)state + m->push);
    wfi_array(g->l.device, &p->queue, g->l.mine);
    wfi_array(g->l.device, &p->next, g->l.mine);
    wfi_array(g->l.device, &p->counts, WFI_PUSH_COUNTS);
    wfi_device_messages_lay_out(g->l.space, g->l.device, g->l.spread, m->message, &p->m);
}

static bool is_weighted(const wfi_method *m, const void *params) { return m->weighted && m->weighted(params); }

/* Declares the rows in the graph's mirror, with the layout for sweeps if there are enough iterations to pay for it and
 * memory suffices. */
static bool declare_rows(const weft_ctx *ctx, const weft_graph *g, const on_gpu *there, void *state) {
    const wfi_method *m = there->l.method;
    wfi_workspace *device = there->l.device, before = *device, space = *there->l.space;
    on_gpu trial = *there;
    trial.l.space = &space;
    if (m->sweeps && g->n && g->n < (weft_vid)1 << 31) {
        wfi_mirror_declare(device, g, m->sides | WFI_OUT_ROWS);
        wfi_sweep_declare(device, g, is_weighted(m, there->l.params));
        wfi_workspace declared = *device;
        lay_out(&trial, true, state);
        uint64_t bytes = wfi_workspace_bytes(device);
        *device = declared;
        if (bytes <= wfi_device_available(ctx, bytes)) return true;
        *device = before;
    }
    wfi_mirror_declare(device, g, m->sides);
    return false;
}

void wfi_method_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const wfi_method *m = choice->algorithm->operators;
    on_gpu there = {.l = {.ctx = ctx,
                          .method = m,
                          .g = g,
                          .params = params,
                          .mine = g->n,
                          .space = &choice->space,
                          .device = &choice->device}};
    _Alignas(uint64_t) char state[WFI_METHOD_STATE];
    bool *sweeps = WFI_DECIDED(bool, choice);
    *sweeps = declare_rows(ctx, g, &there, state);
    snprintf(choice->reason, sizeof choice->reason, "%s%s",
             !(m->sides & WFI_IN_ROWS) ? "along outgoing arcs"
             : g->directed             ? "the incoming rows are made on the GPU if they are not at hand"
                                       : "undirected: the rows serve both directions",
             *sweeps ? "; swept by length, the busiest vertices in shared memory" : "");
    lay_out(&there, *sweeps, state);
}

/* Bytes on the host for the largest gathered array. */
static size_t gathered_bytes(const wfi_method *m) {
    size_t most = 0;
    if (m->choose) return m->gathered;
    for (size_t i = 0; i < m->array_count; i++)
        if (m->arrays[i].of == WFI_OF_ALL) most = wfi_max_u64(most, weft_type_size(m->arrays[i].type));
    return most;
}

static void lay_out_ranks(on_gpu *g, const wfi_spread *s, unsigned sides, void *state) {
    const wfi_method *m = g->l.method;
    bool weighted = m->brings_weights || is_weighted(m, g->l.params), directed = s->g->directed;
    if (sides & WFI_OUT_ROWS || !directed) wfi_device_rows_lay_out(g->l.device, s, false, true, weighted, g->out);
    if (sides & WFI_IN_ROWS && directed) wfi_device_rows_lay_out(g->l.device, s, true, true, weighted, g->in);
    lay_out(g, false, state);
    if (!wfi_spread_is_whole(s) && m->gathered)
        g->here = wfi_carve(g->l.space, "here", s->g->n, gathered_bytes(m), false);
}

void wfi_method_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    on_gpu there = {.l = {ctx,
                          choice->algorithm->operators,
                          spread->g,
                          params,
                          spread,
                          spread->vertices,
                          &choice->space,
                          &choice->device,
                          {NULL}}};
    _Alignas(uint64_t) char state[WFI_METHOD_STATE];
    wfi_method_choose_ranks(spread, params, true, choice);
    lay_out_ranks(&there, spread, wfi_method_sides(there.l.method, choice), state);
}

/* Copies the columns of the result from the GPU. */
static weft_status deliver(wfi_ops *o, const on_gpu *g, const void *state) {
    const wfi_method *m = g->l.method;
    wfi_copy copy[WFI_MOST_RESIDENTS];
    size_t columns = 0;
    for (size_t i = 0; i < m->array_count && columns < WFI_MOST_RESIDENTS; i++) {
        const wfi_array_info *a = &m->arrays[i];
        if (a->kind != WFI_COLUMN || (a->wanted && !a->wanted(g->l.g, g->l.params))) continue;
        wfi_copy *c = &copy[columns];
        c->narrow = false;
        memcpy(&c->from, (const char *)state + a->offset, sizeof c->from);
        if (a->of == WFI_OF_ALL) c->from = (const char *)c->from + o->first * weft_type_size(a->type);
        c->to = g->l.column[columns++];
        c->bytes = o->mine * weft_type_size(a->type);
    }
    return wfi_deliver_all(o->ctx, copy, columns);
}

static weft_status drive(wfi_ops *o, on_gpu *g, void *state, wfi_job *job) {
    size_t bytes = 2 * wfi_max_u64(g->l.method->group || g->l.method->message ? 0 : o->mine, 1) * sizeof *g->sums;
    o->sums = g->sums;
    o->here = g->here;
    o->column = g->l.column;
    if (!o->status) o->status = wfi_device_fill(o->ctx, g->sums, 0, bytes);
    weft_status st = wfi_agree(o->ctx, o->status);
    if (!st) st = wfi_ops_end(o, wfi_ops_timed(o, g->l.method->drive, state, job));
    if (!st) st = deliver(o, g, state);
    return wfi_device_agree(o->ctx, st);
}

static wfi_ops ops_of(const wfi_job *job) {
    const wfi_method *m = job->choice->algorithm->operators;
    return (wfi_ops){.ctx = job->ctx,
                     .spread = job->spread,
                     .gpu = &wfi_ops_on_gpu,
                     .weighted = is_weighted(m, job->params),
                     .n = job->g->n,
                     .mine = job->spread->vertices,
                     .first = job->spread->part[0].first,
                     .out_arcs = job->g->arcs,
                     .in_arcs = job->g->arcs};
}

weft_status wfi_method_run_cuda(wfi_job *job) {
    const weft_graph *g = job->g;
    on_gpu there = {.l = {.ctx = job->ctx,
                          .method = job->choice->algorithm->operators,
                          .g = g,
                          .params = job->params,
                          .mine = g->n,
                          .space = job->space,
                          .device = job->device}};
    wfi_ops o = ops_of(job);
    _Alignas(uint64_t) char state[WFI_METHOD_STATE] = {0};
    unsigned sides = there.l.method->sides;
    bool swept = *WFI_DECIDED(bool, job->choice);
    o.out = &there.out[0];
    o.in = g->directed ? &there.in[0] : o.out;
    if (sides & WFI_OUT_ROWS || !g->directed) o.status = wfi_mirror_out(job->ctx, g, &there.out[0]);
    if (!o.status && sides & WFI_IN_ROWS && g->directed) o.status = wfi_mirror_in(job->ctx, g, &there.in[0]);
    if (!o.status && swept) o.status = wfi_sweep_layout(job->ctx, g, o.weighted, &o.layout);
    if (!o.status) o.status = wfi_open_device(job);
    if (!o.status) lay_out(&there, swept, state);
    if (!o.status) o.status = job->space->status ? job->space->status : job->device->status;
    o.moved = there.moved;
    return o.status ? o.status : drive(&o, &there, state, job);
}

weft_status wfi_method_run_ranks_cuda(wfi_job *job) {
    const wfi_spread *s = job->spread;
    bool directed = s->g->directed;
    on_gpu there = {.l = {job->ctx,
                          job->choice->algorithm->operators,
                          s->g,
                          job->params,
                          s,
                          s->vertices,
                          job->space,
                          job->device,
                          {NULL}}};
    wfi_ops o = ops_of(job);
    _Alignas(uint64_t) char state[WFI_METHOD_STATE] = {0};
    unsigned sides = wfi_method_sides(there.l.method, job->choice);
    o.status = wfi_open_device(job);
    if (!o.status) lay_out_ranks(&there, s, sides, state);
    if (!o.status) o.status = job->space->status ? job->space->status : job->device->status;
    if (!o.status && (sides & WFI_OUT_ROWS || !directed))
        o.status = wfi_device_rows_send(job->ctx, s, false, there.out);
    if (!o.status && sides & WFI_IN_ROWS && directed) o.status = wfi_device_rows_send(job->ctx, s, true, there.in);
    o.out = &there.out[0];
    o.in = directed ? &there.in[0] : o.out;
    o.out_arcs = s->arcs;
    o.in_arcs = directed ? wfi_device_in_arcs(s) : s->arcs;
    return drive(&o, &there, state, job);
}
