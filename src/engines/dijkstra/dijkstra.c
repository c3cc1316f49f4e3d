/* Weighted searches (dijkstra.h). */
#include "engines/dijkstra/dijkstra.h"

#include <math.h>

enum { POLL = 1 << 12 };

void wfi_lengths_lay_out(wfi_workspace *w, weft_vid n, int searches, wfi_lengths *first) {
    uint64_t all = (uint64_t)searches * n;
    first->n = n;
    wfi_array_within(w, &first->distance, all);
    wfi_array_within(w, &first->queue, all);
    wfi_array_within(w, &first->place, all);
}

wfi_lengths wfi_lengths_at(const wfi_lengths *first, int i) {
    size_t from = (size_t)i * first->n;
    wfi_lengths s = *first;
    s.distance += from;
    s.queue += from;
    s.place += from;
    return s;
}

static void put(wfi_lengths *s, uint64_t at, wfi_heap_entry e) {
    s->queue[at] = e;
    s->place[e.slot] = (weft_vid)at;
}

/* Sifts the entry up from `at`, its place or a hole, towards the front. */
static void rise(wfi_lengths *s, uint64_t at, wfi_heap_entry e) {
    for (; at && s->queue[(at - 1) / 2].key > e.key; at = (at - 1) / 2) put(s, at, s->queue[(at - 1) / 2]);
    put(s, at, e);
}

static weft_vid take_nearest(wfi_lengths *s) {
    weft_vid nearest = s->queue[0].slot;
    wfi_heap_entry last = s->queue[--s->waiting];
    uint64_t at = 0;
    for (uint64_t child; (child = 2 * at + 1) < s->waiting; at = child) {
        if (child + 1 < s->waiting && s->queue[child + 1].key < s->queue[child].key) child++;
        if (s->queue[child].key >= last.key) break;
        put(s, at, s->queue[child]);
    }
    if (s->waiting) put(s, at, last);
    return nearest;
}

static void look_along(wfi_lengths *s, const wfi_view *rows, weft_vid u) {
    for (weft_eid e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
        weft_vid v = rows->targets[e];
        double far = s->distance[u] + wfi_weight_at(rows->type, rows->weights, e);
        if (!(far < s->distance[v])) {
            s->beyond |= isinf(far);
            continue;
        }
        uint64_t at = isinf(s->distance[v]) ? s->waiting++ : s->place[v];
        s->distance[v] = far;
        rise(s, at, (wfi_heap_entry){far, v});
    }
}

/* True if an arc of finite weight leads from a reached vertex to a vertex at infinity: the sum was too large for a
 * double. */
static bool leads_beyond(const wfi_lengths *s, const wfi_view *rows) {
    for (weft_vid u = 0; u < s->n; u++) {
        if (isinf(s->distance[u])) continue;
        for (weft_eid e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            double w = wfi_weight_at(rows->type, rows->weights, e);
            if (isinf(s->distance[rows->targets[e]]) && !isinf(w)) return true;
        }
    }
    return false;
}

bool wfi_lengths_from(weft_ctx *ctx, wfi_lengths *s, weft_vid source) {
    for (weft_vid v = 0; v < s->n; v++) s->distance[v] = (double)INFINITY;
    s->distance[source] = 0;
    s->waiting = 1;
    s->beyond = false;
    put(s, 0, (wfi_heap_entry){0, source});
    for (uint64_t settled = 0; s->waiting; settled++) {
        if (settled % POLL == 0 && wfi_cancelled(ctx)) return false;
        weft_vid u = take_nearest(s);
        look_along(s, s->rows, u);
        if (s->also) look_along(s, s->also, u);
    }
    s->beyond = s->beyond && (leads_beyond(s, s->rows) || (s->also && leads_beyond(s, s->also)));
    return true;
}
