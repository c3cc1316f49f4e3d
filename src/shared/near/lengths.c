/* Sums of lengths by weights (near.h): Dijkstra's algorithm [1] from each vertex that is asked for, against the arcs
 * that lead to it; threads take vertices.  Needs: weights of 0 or more.
 * Method: a vertex waits once, in a binary heap that knows its place.  A distance is the smallest sum, over paths, of
 * weights added one after the other from where the search begins: rounding keeps the order of sums, so that this is
 * one number, as in sssp.  Distances, or reciprocals, are added in the order of the vertices.
 * [1] Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959. */
#include "shared/near/near.h"

#include <math.h>
#include <omp.h>

enum { POLL = 1 << 12 };

void wfi_near_lengths_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_near *t, wfi_near_lengths *l) {
    uint64_t searches = t->of ? wfi_min_u64(t->of_count, t->g->n) : t->g->n;
    l->threads = (int)wfi_max_u64(1, wfi_min_u64((uint64_t)wfi_threads(ctx), searches));
    uint64_t all = (uint64_t)l->threads * t->g->n;
    wfi_array(w, &l->distance, all);
    wfi_array_within(w, &l->queue, all);
    wfi_array_within(w, &l->place, all);
}

typedef struct search {
    const wfi_view *rows;
    double *distance;
    wfi_heap_entry *queue;
    weft_vid *place, waiting;
} search;

static void put(search *s, uint64_t at, wfi_heap_entry e) {
    s->queue[at] = e;
    s->place[e.slot] = (weft_vid)at;
}

/* It waits at `at`, or will, and belongs there or nearer to the front. */
static void rise(search *s, uint64_t at, wfi_heap_entry e) {
    for (; at && s->queue[(at - 1) / 2].key > e.key; at = (at - 1) / 2) put(s, at, s->queue[(at - 1) / 2]);
    put(s, at, e);
}

static weft_vid take_nearest(search *s) {
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

/* False: the caller wants to stop. */
static bool find_distances(weft_ctx *ctx, search *s, weft_vid n, weft_vid source) {
    for (weft_vid v = 0; v < n; v++) s->distance[v] = (double)INFINITY;
    s->distance[source] = 0;
    s->waiting = 1;
    put(s, 0, (wfi_heap_entry){0, source});
    for (uint64_t settled = 0; s->waiting; settled++) {
        if (settled % POLL == 0 && wfi_cancelled(ctx)) return false;
        weft_vid u = take_nearest(s);
        for (weft_eid e = s->rows->offsets[u]; e < s->rows->offsets[u + 1]; e++) {
            weft_vid v = s->rows->targets[e];
            double far = s->distance[u] + wfi_weight_at(s->rows->type, s->rows->weights, e);
            if (!(far < s->distance[v])) continue;
            uint64_t at = isinf(s->distance[v]) ? s->waiting++ : s->place[v];
            s->distance[v] = far;
            rise(s, at, (wfi_heap_entry){far, v});
        }
    }
    return true;
}

static double value_of(const wfi_near *t, const search *s, weft_vid source) {
    double sum = 0, reached = 0;
    for (weft_vid v = 0; v < t->g->n; v++) {
        double d = s->distance[v];
        if (v == source || isinf(d) || !wfi_near_counts(t, v)) continue;
        reached++;
        sum += !t->harmonic ? d : d > 0 ? 1 / d : 0;
    }
    return wfi_near_value(wfi_near_scale_of(t), reached, sum);
}

weft_status wfi_near_by_lengths(weft_ctx *ctx, const wfi_near *t, const wfi_near_lengths *l) {
    _Atomic bool stop = false;
    _Atomic uint64_t done = 0;
    weft_vid n = t->g->n;
    wfi_progress(ctx, t->name, 0, n);
#pragma omp parallel num_threads(l->threads)
    {
        size_t from = (size_t)omp_get_thread_num() * n;
        search s = {t->back, l->distance + from, l->queue + from, l->place + from, 0};
#pragma omp for schedule(dynamic, 1)
        for (weft_vid v = 0; v < n; v++) {
            uint64_t now = atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
            if (!wfi_near_asked(t, v) || atomic_load_explicit(&stop, memory_order_relaxed)) continue;
            if (omp_get_thread_num() == 0) wfi_progress(ctx, t->name, now, n);
            if (find_distances(ctx, &s, n, v))
                t->value[v] = value_of(t, &s, v);
            else
                atomic_store(&stop, true);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
