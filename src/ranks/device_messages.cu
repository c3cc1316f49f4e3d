/* See device.h. */
#include "cuda/launch.cuh"
#include "ranks/device.h"

#include <string.h>

void wfi_device_messages_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, size_t each,
                                 wfi_device_messages *m) {
    uint64_t ranks = (uint64_t)s->comm->link.size, words = each / sizeof(uint32_t), n = s->g->n;
    uint64_t received = (uint64_t)s->vertices * ranks;
    *m = {};
    m->each = each;
    wfi_array(device, &m->addressed, n);
    wfi_array(device, &m->addressed_count, 1);
    wfi_array_within(device, &m->sorted, n * words);
    wfi_array_within(device, &m->received, received * words);
    wfi_array(device, &m->cut, ranks + 1);
    wfi_array(device, &m->place, ranks);
    wfi_array_within(host, &m->sorted_here, n * words);
    wfi_array_within(host, &m->received_here, received * words);
    wfi_array(host, &m->send_start, ranks + 1);
    wfi_array(host, &m->receive_start, ranks + 1);
}

weft_status wfi_device_messages_begin(weft_ctx *ctx, const wfi_spread *s, wfi_device_messages *m) {
    size_t ranks = (size_t)s->comm->link.size;
    weft_status st = wfi_upload(ctx, m->cut, s->part[0].cut, (ranks + 1) * sizeof *m->cut);
    return st ? st : wfi_device_fill(ctx, m->addressed_count, 0, sizeof *m->addressed_count);
}

/* --- a counting sort by the owner of the vertex --- */

struct wfi_addressed {
    const weft_vid *vertex;
    uint64_t count;
    const weft_vid *cut; /* rank r owns cut[r] ... cut[r+1]-1 */
    int ranks;
    uint64_t *place; /* next position of each rank */
};

/* The last rank whose range begins at v or before: empty ranges come first. */
__device__ static inline unsigned owner_of(const wfi_addressed &a, weft_vid v) {
    unsigned low = 0, high = (unsigned)a.ranks - 1;
    while (low < high) {
        unsigned middle = low + (high - low + 1) / 2;
        if (a.cut[middle] <= v)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Adds the number of vertices that rank r owns to place[r]. */
static weft_status count_messages(weft_ctx *ctx, wfi_addressed a) {
    return wfi_each(ctx, a.count, [=] __device__(uint64_t i) { wfi_claim(a.place + owner_of(a, a.vertex[i])); });
}

/* Sorts messages of 2 or 3 words: place[r] is the next position of rank r. */
static weft_status sort_messages(weft_ctx *ctx, wfi_addressed a, wfi_message_values values, unsigned words,
                                 uint32_t *sorted) {
    uint32_t *narrow = (uint32_t *)values.of;
    uint64_t *wide = (uint64_t *)values.of;
    return wfi_each(ctx, a.count, [=] __device__(uint64_t i) {
        weft_vid v = a.vertex[i];
        uint32_t *to = sorted + words * wfi_claim(a.place + owner_of(a, v));
        to[0] = v;
        if (words == 2) {
            to[1] = narrow[v];
            if (!values.keep) narrow[v] = (uint32_t)values.rest;
        } else {
            to[1] = (uint32_t)wide[v];
            to[2] = (uint32_t)(wide[v] >> 32);
            if (!values.keep) wide[v] = values.rest;
        }
    });
}

/* Sorts messages by the owner of the vertex; go[r]: the first message to rank r. */
static weft_status sort_by_owner(weft_ctx *ctx, wfi_device_messages *m, wfi_message_values values) {
    int ranks = wfi_ranks(ctx);
    size_t bytes = (size_t)ranks * sizeof *m->place;
    uint64_t sum = 0;
    wfi_addressed a = {m->addressed, 0, m->cut, ranks, m->place};
    weft_status st = wfi_device_count(ctx, m->addressed_count, 0, &a.count);
    if (st || !a.count) return st;
    m->delivered = a.count;
    st = wfi_device_fill(ctx, m->place, 0, bytes);
    if (!st) st = count_messages(ctx, a);
    if (!st) st = wfi_download(ctx, m->send_start, m->place, bytes);
    if (st) return st;
    for (int r = 0; r < ranks; r++) {
        uint64_t count = m->send_start[r];
        m->send_start[r] = sum;
        sum += count;
    }
    m->send_start[ranks] = sum;
    st = wfi_upload(ctx, m->place, m->send_start, bytes);
    return st ? st : sort_messages(ctx, a, values, (unsigned)(m->each / sizeof(uint32_t)), m->sorted);
}

weft_status wfi_device_messages_deliver(weft_ctx *ctx, const wfi_spread *s, weft_status mine, wfi_device_messages *m,
                                        wfi_message_values values) {
    int ranks = s->comm->link.size;
    memset(m->send_start, 0, ((size_t)ranks + 1) * sizeof *m->send_start);
    m->delivered = 0;
    if (!mine) mine = sort_by_owner(ctx, m, values);
    if (mine) memset(m->send_start, 0, ((size_t)ranks + 1) * sizeof *m->send_start);
    for (int r = 0; r <= ranks; r++) m->send_start[r] *= m->each;
    m->received_count = 0;
    weft_status st = wfi_receive_starts(ctx, m->send_start, m->receive_start);
    if (!st)
        st = wfi_device_alltoall(ctx, mine, wfi_staged{m->sorted, m->sorted_here}, m->send_start,
                                 wfi_staged{m->received, m->received_here}, m->receive_start);
    if (!st) m->received_count = m->receive_start[ranks] / m->each;
    return st;
}
