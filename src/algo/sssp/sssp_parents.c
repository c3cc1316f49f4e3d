/* The shortest-path tree from final distances, CPU.
 * The rule.  An arc u -> v of weight w is tight when distance(u) + w = distance(v).  The parent of v is the smallest
 * vertex u with a tight arc to v and distance(u) < distance(v).  If all tight arcs to v come from the same distance
 * (weights of 0), hops decide: vertices with a parent by the first rule, and the source, are at hop 0, and the parent
 * of v is the smallest of its tight predecessors one hop nearer.  A source is its own parent.  So parents are unique,
 * and following them always ends at a source.
 * Method: a pull over incoming rows, which ascend, stops at the first; without a transpose a push takes the minimum.
 * Hops are then a breadth-first search over tight arcs of weight 0, only if a reached vertex has no parent. */
#include "algo/sssp/sssp.h"
#include "core/atomic_min.h"

#include <math.h>

typedef struct family {
    const weft_graph *g;
    weft_ctx *ctx;
    const double *distance;
    weft_vid *parent;
    _Atomic bool cancelled;
} family;

enum { ROWS_AT_ONCE = 256 };

/* Polls at every 256th row; true after a request to stop. */
static bool should_stop(family *f, weft_vid v) {
    if (v % ROWS_AT_ONCE == 0 && wfi_cancelled(f->ctx)) atomic_store(&f->cancelled, true);
    return atomic_load_explicit(&f->cancelled, memory_order_relaxed);
}

static void pull(family *f, const wfi_view *in, int threads) {
    const double *d = f->distance;
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE) num_threads(threads)
    for (weft_vid v = 0; v < f->g->n; v++) {
        if (should_stop(f, v) || isinf(d[v])) continue;
        for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++) {
            weft_vid u = in->targets[e];
            if (!(d[u] < d[v]) || d[u] + wfi_weight_at(f->g->weight_type, in->weights, e) != d[v]) continue;
            f->parent[v] = u;
            break;
        }
    }
}

static void push(family *f, int threads) {
    const double *d = f->distance;
    const wfi_view *out = &f->g->out;
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE) num_threads(threads)
    for (weft_vid u = 0; u < f->g->n; u++) {
        if (should_stop(f, u) || isinf(d[u])) continue;
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            weft_vid v = out->targets[e];
            if (!(d[u] < d[v]) || isinf(d[v])) continue;
            if (d[u] + wfi_weight_at(f->g->weight_type, out->weights, e) == d[v]) wfi_atomic_min_u32(&f->parent[v], u);
        }
    }
}

/* --- weights of 0 -------------------------------------------------------------- */

typedef struct levels {
    weft_vid *queue;
    uint8_t *hop_known;
    _Atomic weft_vid end;
} levels;

/* Offers each vertex of queue[from ... to) as a parent to its neighbours at the same distance. */
static void offer_level(family *f, levels *l, weft_vid from, weft_vid to) {
    const wfi_view *out = &f->g->out;
    const double *d = f->distance;
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE) num_threads(wfi_threads_for(f->ctx, to - from, 1 << 12))
    for (weft_vid i = from; i < to; i++) {
        weft_vid u = l->queue[i];
        if (should_stop(f, i)) continue;
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            weft_vid v = out->targets[e];
            uint8_t known = __atomic_load_n(&l->hop_known[v], __ATOMIC_RELAXED);
            if (known == 1 || d[v] != d[u] || d[u] + wfi_weight_at(f->g->weight_type, out->weights, e) != d[v])
                continue;
            wfi_atomic_min_u32(&f->parent[v], u);
            if (known == 0 && __atomic_exchange_n(&l->hop_known[v], 2, __ATOMIC_RELAXED) == 0)
                l->queue[atomic_fetch_add_explicit(&l->end, 1, memory_order_relaxed)] = v;
        }
    }
}

static void walk_hops(family *f, const wfi_sssp_hops *hops, weft_vid orphans) {
    levels l = {hops->queue, hops->hop_known, 0};
    weft_vid n = f->g->n, filled = 0;
    for (weft_vid v = 0; v < n; v++) {
        l.hop_known[v] = f->parent[v] != WEFT_NO_VERTEX;
        if (l.hop_known[v]) l.queue[filled++] = v;
    }
    atomic_store(&l.end, filled);
    for (weft_vid from = 0; orphans && !atomic_load(&f->cancelled);) {
        weft_vid to = atomic_load(&l.end);
        if (to == from) break;
        offer_level(f, &l, from, to);
        weft_vid now = atomic_load(&l.end);
        for (weft_vid i = to; i < now; i++) l.hop_known[l.queue[i]] = 1;
        orphans -= now - to;
        from = to;
    }
}

weft_status wfi_sssp_parents(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_ends *ends, const double *distance,
                             const wfi_sssp_hops *hops, weft_vid *parent) {
    family f = {.g = g, .ctx = ctx, .distance = distance, .parent = parent};
    int threads = wfi_threads_for(ctx, g->arcs, 1 << 15);
    const wfi_view *in = wfi_in_at_hand(g);
    weft_vid n = g->n, orphans = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) parent[v] = WEFT_NO_VERTEX;
    if (in)
        pull(&f, in, threads);
    else
        push(&f, threads);
    for (size_t i = 0; i < ends->source_count; i++) parent[ends->sources[i]] = ends->sources[i];
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : orphans)
    for (weft_vid v = 0; v < n; v++) orphans += parent[v] == WEFT_NO_VERTEX && !isinf(distance[v]);
    if (orphans && !atomic_load(&f.cancelled)) walk_hops(&f, hops, orphans);
    return atomic_load(&f.cancelled) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
