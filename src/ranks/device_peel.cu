/* See device_steps.h.
 * Method: that of peel.c.  A GPU peels list after list until its own are empty; then ranks exchange messages.  Memory
 * on each GPU: its outgoing rows; for each vertex of the graph 24 bytes, 20 for each of its own, and 12 for each of
 * these and each rank. */
#include "cuda/launch.cuh"
#include "ranks/device_steps.h"

void wfi_device_peel_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, wfi_device_peel *d) {
    weft_vid n = s->g->n, mine = s->vertices;
    wfi_device_rows_lay_out(device, s, false, true, false, d->out);
    wfi_array(device, &d->p.level, mine);
    wfi_array(device, &d->p.waiting, mine);
    wfi_array(device, &d->p.queue, mine);
    wfi_array(device, &d->p.next, mine);
    wfi_array(device, &d->p.queued, 1);
    wfi_array(device, &d->p.decrement, n);
    wfi_array(host, &d->before_here, n);
    wfi_device_messages_lay_out(host, device, s, 3 * sizeof(uint32_t), &d->messages);
    d->before = d->p.decrement; /* reuses the decrements, which are done with by then */
    d->p.addressed = d->messages.addressed;
    d->p.addressed_count = d->messages.addressed_count;
}

/* --- on the GPU --- */

typedef unsigned long long word;

/* Decrements row k by arcs that lead to this level.  The thread that brings it to 0 queues it: the next kernel reads
 * its level, after all decrements. */
__device__ static inline void decrement(const wfi_kahn_gpu &p, weft_vid k, uint32_t by, uint32_t level,
                                        weft_vid *list) {
    atomicMax(p.level + k, level);
    if (atomicAdd((word *)p.waiting + k, (word)0 - by) == by) list[wfi_claim(p.queued)] = k;
}

static weft_status queue_sources(weft_ctx *ctx, wfi_kahn_gpu p) {
    return wfi_each(ctx, p.out.count, [=] __device__(uint64_t k) {
        if (!p.waiting[k]) p.queue[wfi_claim(p.queued)] = (weft_vid)k;
    });
}

/* Decrements the targets of the first `queued` rows of the queue: a target of this rank that reaches 0 is put into
 * `next`, a target of another rank is addressed. */
static weft_status take_queue(weft_ctx *ctx, wfi_kahn_gpu p, uint64_t queued) {
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = p.queue[i];
        uint32_t level = p.level[k] + 1;
        wfi_each_arc(p.out, k, lane, lanes, [&](weft_eid, weft_vid v) {
            if (v >= p.first && v - p.first < p.out.count) {
                decrement(p, v - p.first, 1, level, p.next);
                return;
            }
            uint32_t *half = (uint32_t *)(p.decrement + v);
            atomicMax(half, level);
            if (!atomicAdd(half + 1, 1u)) p.addressed[wfi_claim(p.addressed_count)] = v;
        });
    });
}

/* Applies messages (vertex, level, decrement) to this rank's vertices, and queues those that reach 0. */
static weft_status receive(weft_ctx *ctx, wfi_kahn_gpu p, const uint32_t *received, uint64_t count) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        const uint32_t *it = received + 3 * i;
        decrement(p, it[0] - p.first, it[2], it[1], p.queue);
    });
}

/* before[v], initially UINT64_MAX, = the smallest of this rank's leftover vertices with an arc to v. */
static weft_status find_predecessors(weft_ctx *ctx, wfi_kahn_gpu p, uint64_t *before) {
    return wfi_each_warp(ctx, p.out.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        if (!p.waiting[k]) return;
        wfi_each_arc(p.out, k, lane, lanes,
                     [&](weft_eid, weft_vid v) { atomicMin((word *)before + v, (word)(p.first + k)); });
    });
}

/* --- the steps --- */

static weft_status begin(wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, const wfi_rank_peel *p) {
    wfi_device_peel *d = (wfi_device_peel *)gpu;
    size_t mine = s->vertices;
    weft_status st = wfi_device_rows_send(ctx, s, false, d->out);
    d->p.out = d->out[0];
    d->p.first = s->part[0].first;
    if (!st) st = wfi_upload(ctx, d->p.waiting, p->waiting, mine * sizeof *p->waiting);
    if (!st) st = wfi_device_fill(ctx, d->p.level, 0, mine * sizeof *d->p.level);
    if (!st) st = wfi_device_fill(ctx, d->p.decrement, 0, s->g->n * sizeof *d->p.decrement);
    if (!st) st = wfi_device_fill(ctx, d->p.queued, 0, sizeof *d->p.queued);
    if (!st) st = wfi_device_messages_begin(ctx, s, &d->messages);
    if (!st) st = queue_sources(ctx, d->p);
    if (!st) st = wfi_device_count(ctx, d->p.queued, 0, &d->queued);
    return wfi_device_agree(ctx, st);
}

/* Peels until this rank's queue is empty; *stop: the caller wants to stop. */
static weft_status take_own(weft_ctx *ctx, wfi_device_peel *d, bool *stop) {
    weft_status st = WEFT_OK;
    while (!st && d->queued && !*stop) {
        weft_vid *done = d->p.queue;
        st = take_queue(ctx, d->p, d->queued);
        if (!st) st = wfi_device_count(ctx, d->p.queued, 0, &d->queued);
        d->p.queue = d->p.next;
        d->p.next = done;
        if (wfi_cancelled(ctx)) *stop = true;
    }
    return st;
}

static weft_status round_of(wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, uint64_t *queued, bool *stop) {
    wfi_device_peel *d = (wfi_device_peel *)gpu;
    weft_status st = take_own(ctx, d, stop);
    st = wfi_device_messages_deliver(ctx, s, st, &d->messages, wfi_message_values{d->p.decrement, 0, false});
    if (st) return st;
    st = receive(ctx, d->p, d->messages.received, d->messages.received_count);
    if (!st) st = wfi_device_count(ctx, d->p.queued, 0, &d->queued);
    *queued = d->queued;
    return wfi_device_agree(ctx, st);
}

static weft_status end(wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, wfi_rank_peel *p) {
    wfi_device_peel *d = (wfi_device_peel *)gpu;
    weft_status st = wfi_download(ctx, p->level, d->p.level, s->vertices * sizeof *p->level);
    if (!st) st = wfi_download(ctx, p->waiting, d->p.waiting, s->vertices * sizeof *p->waiting);
    return wfi_device_agree(ctx, st);
}

static weft_status point_back(wfi_rank_peel_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, weft_vid *before) {
    wfi_device_peel *d = (wfi_device_peel *)gpu;
    size_t n = s->g->n;
    weft_status st = wfi_device_fill(ctx, d->before, 0xff, n * sizeof *d->before);
    if (!st) st = find_predecessors(ctx, d->p, d->before);
    st = wfi_device_allreduce(ctx, st, wfi_staged{d->before, d->before_here}, n, WFI_MIN);
    if (st) return st;
    st = wfi_device_agree(ctx, wfi_download(ctx, d->before_here, d->before, n * sizeof *d->before));
    for (size_t v = 0; v < n && !st; v++)
        before[v] = (weft_vid)d->before_here[v]; /* none: WEFT_NO_VERTEX, all bits of which are 1 */
    return st;
}

const wfi_rank_peel_gpu wfi_device_peel_steps = {begin, round_of, end, point_back};
