/* See messages.h. */
#include "ranks/messages.h"

#include <string.h>

void wfi_messages_lay_out(wfi_workspace *w, const wfi_spread *s, size_t each, wfi_messages *m) {
    size_t ranks = (size_t)s->comm->link.size;
    m->each = each;
    m->send = wfi_carve(w, "send", s->g->n, each, true);
    m->sorted = wfi_carve(w, "sorted", s->g->n, each, true);
    m->received = wfi_carve(w, "received", (uint64_t)s->vertices * ranks, each, true);
    wfi_array(w, &m->addressed, (size_t)s->g->n / 8 + 1);
    wfi_array(w, &m->send_start, ranks + 1);
    wfi_array(w, &m->receive_start, ranks + 1);
}

void wfi_messages_begin(const wfi_spread *s, wfi_messages *m) {
    memset(m->addressed, 0, (size_t)s->g->n / 8 + 1);
    m->send_count = 0;
}

static weft_vid vertex_of(const wfi_messages *m, uint64_t i) { return *(const weft_vid *)wfi_to_send(m, i); }

/* A stable counting sort by owner. */
static void sort_by_owner(const wfi_spread *s, wfi_messages *m) {
    const wfi_part *p = &s->part[0];
    int ranks = s->comm->link.size;
    memset(m->send_start, 0, ((size_t)ranks + 1) * sizeof *m->send_start);
    for (uint64_t i = 0; i < m->send_count; i++) m->send_start[wfi_part_owner(p, ranks, vertex_of(m, i)) + 1]++;
    for (int r = 0; r < ranks; r++) m->send_start[r + 1] += m->send_start[r];
    for (uint64_t i = 0; i < m->send_count; i++) {
        uint64_t to = m->send_start[wfi_part_owner(p, ranks, vertex_of(m, i))]++;
        memcpy((char *)m->sorted + to * m->each, wfi_to_send(m, i), m->each);
    }
    memmove(m->send_start + 1, m->send_start,
            (size_t)ranks * sizeof *m->send_start); /* each entry is now the end of its rank: shift to starts */
    m->send_start[0] = 0;
}

weft_status wfi_messages_deliver(weft_ctx *ctx, const wfi_spread *s, wfi_messages *m) {
    sort_by_owner(s, m);
    weft_status st = wfi_receive_starts(ctx, m->send_start, m->receive_start);
    if (!st) st = wfi_alltoall_items(ctx, m->each, m->sorted, m->send_start, m->received, m->receive_start);
    m->received_count = st ? 0 : m->receive_start[s->comm->link.size];
    for (uint64_t i = 0; i < m->send_count; i++) m->addressed[vertex_of(m, i) >> 3] = 0;
    m->send_count = 0;
    return st;
}
