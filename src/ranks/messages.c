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
    wfi_array(w, &m->go, ranks + 1);
    wfi_array(w, &m->come, ranks + 1);
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
    memset(m->go, 0, ((size_t)ranks + 1) * sizeof *m->go);
    for (uint64_t i = 0; i < m->send_count; i++) m->go[wfi_part_owner(p, ranks, vertex_of(m, i)) + 1]++;
    for (int r = 0; r < ranks; r++) m->go[r + 1] += m->go[r];
    for (uint64_t i = 0; i < m->send_count; i++) {
        uint64_t to = m->go[wfi_part_owner(p, ranks, vertex_of(m, i))]++;
        memcpy((char *)m->sorted + to * m->each, wfi_to_send(m, i), m->each);
    }
    memmove(m->go + 1, m->go, (size_t)ranks * sizeof *m->go); /* each moved to where the next began */
    m->go[0] = 0;
}

weft_status wfi_messages_deliver(weft_ctx *ctx, const wfi_spread *s, wfi_messages *m) {
    sort_by_owner(s, m);
    weft_status st = wfi_receive_starts(ctx, m->go, m->come);
    if (!st) st = wfi_alltoall_items(ctx, m->each, m->sorted, m->go, m->received, m->come);
    m->received_count = st ? 0 : m->come[s->comm->link.size];
    for (uint64_t i = 0; i < m->send_count; i++) m->addressed[vertex_of(m, i) >> 3] = 0;
    m->send_count = 0;
    return st;
}
