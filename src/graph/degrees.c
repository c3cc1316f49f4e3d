/* Counting rows, and counting the counts. */
#include "graph/degrees.h"
#include "core/scan.h"

#include <omp.h>
#include <stdatomic.h>
#include <string.h>

/* Small degrees are common: each thread counts those for itself, so that threads do not fight over a few counters. */
enum { SMALL = 1024, SHARE = 1 << 14 };

static weft_status count_targets(weft_ctx *ctx, const weft_graph *g, uint64_t *degree) {
    int threads = wfi_threads_for(ctx, g->arcs, SHARE);
    weft_eid share = g->arcs / (uint64_t)threads + 1;
    atomic_bool stop = false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        weft_eid e = wfi_min_u64((uint64_t)t * share, g->arcs), end = wfi_min_u64(e + share, g->arcs);
        while (e < end && !atomic_load_explicit(&stop, memory_order_relaxed)) {
            for (weft_eid to = wfi_min_u64(e + WFI_POLL_EVERY, end); e < to; e++)
                __atomic_fetch_add(&degree[g->out.targets[e]], 1, __ATOMIC_RELAXED);
            if (wfi_cancelled(ctx)) atomic_store(&stop, true);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_status wfi_degrees(weft_ctx *ctx, const weft_graph *g, weft_side side, uint64_t *degree) {
    const wfi_rows *in = wfi_in_at_hand(g);
    bool add_out = side != WEFT_SIDE_IN, add_in = side != WEFT_SIDE_OUT && (g->directed || side == WEFT_SIDE_IN);
    bool count = add_in && !in;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid v = 0; v < g->n; v++)
        degree[v] = (add_out ? wfi_degree(&g->out, v) : 0) + (add_in && in ? wfi_degree(in, v) : 0);
    return count ? count_targets(ctx, g, degree) : WEFT_OK;
}

weft_status wfi_degree_histogram(weft_ctx *ctx, const uint64_t *degree, weft_vid n, uint64_t **count, uint64_t *max) {
    uint64_t most = 0;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, SHARE)) reduction(max : most)
    for (weft_vid v = 0; v < n; v++) most = degree[v] > most ? degree[v] : most;
    *max = most;
    if (wfi_alloc_zeroed(ctx, count, (size_t)most + 1)) return WEFT_ENOMEM;
    uint64_t *shared = *count;
#pragma omp parallel num_threads(wfi_threads_for(ctx, n, SHARE))
    {
        uint64_t mine[SMALL] = {0};
#pragma omp for schedule(static) nowait
        for (weft_vid v = 0; v < n; v++) {
            if (degree[v] < SMALL)
                mine[degree[v]]++;
            else
                __atomic_fetch_add(&shared[degree[v]], 1, __ATOMIC_RELAXED);
        }
        for (uint64_t d = 0; d < SMALL && d <= most; d++)
            if (mine[d]) __atomic_fetch_add(&shared[d], mine[d], __ATOMIC_RELAXED);
    }
    return WEFT_OK;
}

weft_status weft_graph_degree_distribution(weft_ctx *ctx, const weft_graph *g, weft_side side, uint64_t **value,
                                           uint64_t **count, size_t *length) {
    if (value) *value = NULL;
    if (count) *count = NULL;
    if (length) *length = 0;
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, g);
    WFI_NEED(ctx, value);
    WFI_NEED(ctx, count);
    WFI_NEED(ctx, length);
    if ((unsigned)side > WEFT_SIDE_TOTAL)
        return wfi_fail(ctx, WEFT_EINVAL, "side must be WEFT_SIDE_OUT, _IN or _TOTAL");
    uint64_t *degree = NULL, *histogram = NULL, max = 0;
    weft_status st = wfi_alloc(ctx, &degree, g->n);
    if (!st) st = wfi_degrees(ctx, g, side, degree);
    if (!st) st = wfi_degree_histogram(ctx, degree, g->n, &histogram, &max);
    if (st) goto done;
    size_t distinct = 0;
    for (uint64_t d = 0; d <= max; d++) distinct += histogram[d] != 0;
    st = wfi_alloc(ctx, value, distinct);
    if (!st) st = wfi_alloc(ctx, count, distinct);
    for (uint64_t d = 0; d <= max && !st; d++) {
        if (!histogram[d]) continue;
        (*value)[*length] = d;
        (*count)[(*length)++] = histogram[d];
    }
done:
    if (st) {
        wfi_free(*value);
        wfi_free(*count);
        *value = *count = NULL;
        *length = 0;
    }
    wfi_free(degree);
    wfi_free(histogram);
    return st;
}

static weft_status order_by_degree(weft_ctx *ctx, const weft_graph *g, weft_vid **order) {
    uint64_t *key = NULL, most = 0;
    weft_status st = wfi_alloc(ctx, order, g->n);
    if (!st) st = wfi_alloc(ctx, &key, g->n);
    if (!st) st = wfi_degrees(ctx, g, WEFT_SIDE_TOTAL, key);
    if (st) goto done;
    for (weft_vid v = 0; v < g->n; v++) most = wfi_max_u64(most, key[v]);
    for (weft_vid v = 0; v < g->n; v++) {
        key[v] = most - key[v];
        (*order)[v] = v;
    }
    st = wfi_sort_pairs(ctx, key, *order, g->n, wfi_bits(most));
done:
    if (st) {
        wfi_free(*order);
        *order = NULL;
    }
    wfi_free(key);
    return st;
}

weft_status weft_graph_degree_order(weft_ctx *ctx, const weft_graph *g, const weft_vid **order) {
    if (order) *order = NULL;
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, g);
    WFI_NEED(ctx, order);
    weft_graph *mine = (weft_graph *)(uintptr_t)g; /* made once, under the lock */
    weft_status st = WEFT_OK;
    pthread_mutex_lock(&mine->lock);
    if (!g->degree_order) st = order_by_degree(ctx, g, &mine->degree_order);
    *order = g->degree_order;
    pthread_mutex_unlock(&mine->lock);
    return st;
}
