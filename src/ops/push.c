/* See push.h: on CPU cores, and the calls of both.  Messages are sorted by their owner, by counting. */
#include "ops/push.h"

#include <string.h>

enum { AT_ONCE = 1 << 10 };

void wfi_push_lay_out(wfi_workspace *w, const wfi_spread *s, size_t each, wfi_push *p) {
    uint64_t ranks = (uint64_t)s->comm->link.size, n = s->g->n, words = each / sizeof(uint32_t);
    wfi_array(w, &p->queue, s->vertices);
    wfi_array(w, &p->next, s->vertices);
    wfi_array(w, &p->counts, WFI_PUSH_COUNTS);
    wfi_array(w, &p->m.addressed, n);
    wfi_array(w, &p->m.addressed_count, 1);
    wfi_array_within(w, &p->m.sorted, n * words);
    wfi_array_within(w, &p->m.received, s->vertices * ranks * words);
    wfi_array(w, &p->m.send_start, ranks + 1);
    wfi_array(w, &p->m.receive_start, ranks + 1);
    p->m.each = each;
}

void wfi_ops_each(wfi_ops *o, const wfi_kernel *kernel, const void *state, uint64_t count) {
    if (o->status) return;
    if (o->gpu) {
        o->status = kernel->gpu(o->ctx, state, count);
        return;
    }
    for (uint64_t i = 0; i < count && !wfi_ops_stops(o); i += AT_ONCE)
        kernel->cpu(state, i, wfi_min_u64(i + AT_ONCE, count));
}

void wfi_ops_fill(wfi_ops *o, void *array, int byte, size_t bytes) {
    if (o->gpu && !o->status) o->status = o->gpu->fill(o->ctx, array, byte, bytes);
    if (!o->gpu && bytes) memset(array, byte, bytes);
}

void wfi_ops_bring(wfi_ops *o, weft_vid **there, const weft_vid *from, size_t count) {
    if (!o->gpu)
        *there = (weft_vid *)(uintptr_t)from; /* read only */
    else if (!o->status)
        o->status = o->gpu->write(o->ctx, *there, from, count * sizeof *from);
}

uint64_t wfi_ops_count(wfi_ops *o, uint64_t *counter, uint64_t rest) {
    uint64_t value = 0;
    if (o->gpu && !o->status) o->status = o->gpu->count(o->ctx, counter, rest, &value);
    if (o->gpu) return o->status ? 0 : value;
    value = *counter;
    *counter = rest;
    return value;
}

void wfi_ops_counts(wfi_ops *o, wfi_push *p, uint64_t count[WFI_PUSH_COUNTS]) {
    size_t bytes = WFI_PUSH_COUNTS * sizeof *count;
    memset(count, 0, bytes);
    if (o->gpu && !o->status) o->status = o->gpu->read(o->ctx, count, p->counts, bytes);
    if (!o->gpu) memcpy(count, p->counts, bytes);
    wfi_ops_fill(o, p->counts, 0, bytes);
}

void wfi_ops_push_begin(wfi_ops *o, wfi_push *p) {
    p->first = o->first;
    p->vertices = o->mine;
    wfi_ops_fill(o, p->counts, 0, WFI_PUSH_COUNTS * sizeof *p->counts);
    if (!o->gpu)
        *p->m.addressed_count = 0;
    else if (!o->status)
        o->status = o->gpu->messages(o->ctx, o->spread, &p->m);
}

weft_status wfi_ops_sum(wfi_ops *o, uint64_t *number, size_t count) {
    uint64_t all[WFI_PUSH_COUNTS + 2] = {wfi_ops_stops(o), o->status != WEFT_OK};
    for (size_t i = 0; i < count; i++) all[2 + i] = o->status ? 0 : number[i];
    weft_status st = wfi_allreduce(o->ctx, all, 2 + count, WFI_SUM);
    if (!st && all[1]) st = wfi_agree(o->ctx, o->status);
    if (st) return st;
    memcpy(number, all + 2, count * sizeof *number);
    return all[0] ? wfi_fail_cancelled(o->ctx) : WEFT_OK;
}

/* --- messages -------------------------------------------------------------------------------------------- */

/* One message, with its value. */
static void write_message(uint32_t *to, weft_vid v, size_t each, wfi_message_values values) {
    uint32_t *narrow = values.of;
    uint64_t *wide = values.of;
    to[0] = v;
    if (each == 2 * sizeof *to) {
        to[1] = narrow[v];
        if (!values.keep) narrow[v] = (uint32_t)values.rest;
    } else {
        to[1] = (uint32_t)wide[v];
        to[2] = (uint32_t)(wide[v] >> 32);
        if (!values.keep) wide[v] = values.rest;
    }
}

/* go[r]: where those of rank r begin. */
static void sort_by_owner(const wfi_spread *s, wfi_device_messages *m, wfi_message_values values) {
    const wfi_part *part = &s->part[0];
    int ranks = s->comm->link.size;
    size_t words = m->each / sizeof *m->sorted;
    memset(m->send_start, 0, ((size_t)ranks + 1) * sizeof *m->send_start);
    m->delivered = *m->addressed_count;
    for (uint64_t i = 0; i < m->delivered; i++) m->send_start[wfi_part_owner(part, ranks, m->addressed[i]) + 1]++;
    for (int r = 0; r < ranks; r++) m->send_start[r + 1] += m->send_start[r];
    for (uint64_t i = 0; i < m->delivered; i++) {
        weft_vid v = m->addressed[i];
        write_message(m->sorted + words * m->send_start[wfi_part_owner(part, ranks, v)]++, v, m->each, values);
    }
    memmove(m->send_start + 1, m->send_start,
            (size_t)ranks * sizeof *m->send_start); /* each moved to where the next began */
    m->send_start[0] = 0;
    *m->addressed_count = 0;
}

weft_status wfi_ops_gather_bits(wfi_ops *o, uint32_t *bits) {
    const wfi_part *part = &o->spread->part[0];
    uint64_t *start = o->spread->start;
    if (wfi_spread_is_whole(o->spread)) return o->status;
    /* Ranges begin at multiples of 8, so that no two ranks share a byte. */
    for (int r = 0; r <= o->spread->comm->link.size; r++) start[r] = ((uint64_t)part->cut[r] + 7) / 8;
    if (o->gpu) return o->gpu->gather_bytes(o, bits, start);
    return wfi_allgather(o->ctx, bits, start);
}

weft_status wfi_ops_deliver(wfi_ops *o, wfi_push *p, wfi_message_values values) {
    wfi_device_messages *m = &p->m;
    if (o->gpu) return o->gpu->deliver(o->ctx, o->spread, o->status, m, values);
    sort_by_owner(o->spread, m, values);
    weft_status st = wfi_receive_starts(o->ctx, m->send_start, m->receive_start);
    if (!st) st = wfi_alltoall_items(o->ctx, m->each, m->sorted, m->send_start, m->received, m->receive_start);
    m->received_count = st ? 0 : m->receive_start[o->spread->comm->link.size];
    return st;
}
