/* Degrees, their histogram (counters for small degrees, a sorted list of the few large ones), the order by degree. */
#include "graph/degrees.h"
#include "core/scan.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Degrees below TINY are common and counted per thread, which avoids contention for a few counters. */
enum { TINY = 1024, SMALL = 1 << 12, SHARE = 1 << 14 };

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
    const wfi_view *in = wfi_in_at_hand(g);
    bool add_out = side != WEFT_SIDE_IN, add_in = side != WEFT_SIDE_OUT && (g->directed || side == WEFT_SIDE_IN);
    bool count = add_in && !in;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid v = 0; v < g->n; v++)
        degree[v] = (add_out ? wfi_degree(&g->out, v) : 0) + (add_in && in ? wfi_degree(in, v) : 0);
    return count ? count_targets(ctx, g, degree) : WEFT_OK;
}

void wfi_degree_counts_lay_out(wfi_workspace *w, const weft_graph *g, wfi_degree_counts *c) {
    uint64_t ends = 2 * g->arcs;
    c->smalls = wfi_min_u64(SMALL, ends + 1);
    c->larges = 0;
    c->most_large = wfi_min_u64(g->n, ends / SMALL);
    wfi_array(w, &c->small, c->smalls);
    wfi_array(w, &c->large, c->most_large);
}

void wfi_sort_large_degrees(wfi_degree_counts *c) {
    if (c->larges) qsort(c->large, (size_t)c->larges, sizeof *c->large, wfi_by_u64);
}

void wfi_count_degrees(const weft_ctx *ctx, const uint64_t *degree, weft_vid n, wfi_degree_counts *c) {
    uint64_t larges = 0;
    memset(c->small, 0, (size_t)c->smalls * sizeof *c->small);
#pragma omp parallel num_threads(wfi_threads_for(ctx, n, SHARE))
    {
        uint64_t mine[TINY] = {0};
#pragma omp for schedule(static) nowait
        for (weft_vid v = 0; v < n; v++) {
            if (degree[v] < TINY)
                mine[degree[v]]++;
            else if (degree[v] < c->smalls)
                __atomic_fetch_add(&c->small[degree[v]], 1, __ATOMIC_RELAXED);
            else
                c->large[__atomic_fetch_add(&larges, 1, __ATOMIC_RELAXED)] = degree[v];
        }
        for (uint64_t d = 0; d < TINY && d < c->smalls; d++)
            if (mine[d]) __atomic_fetch_add(&c->small[d], mine[d], __ATOMIC_RELAXED);
    }
    c->larges = larges;
    wfi_sort_large_degrees(c);
}

uint64_t wfi_most_distinct_degrees(const weft_graph *g) {
    return wfi_min_u64(g->n, (uint64_t)(2 * sqrt((double)g->arcs)) + 2);
}

size_t wfi_distinct_degrees(const wfi_degree_counts *c) {
    size_t distinct = 0;
    for (uint64_t d = 0; d < c->smalls; d++) distinct += c->small[d] != 0;
    for (uint64_t i = 0; i < c->larges; i++) distinct += !i || c->large[i] != c->large[i - 1];
    return distinct;
}

void wfi_list_degrees(const wfi_degree_counts *c, uint64_t *value, uint64_t *count) {
    size_t at = 0;
    for (uint64_t d = 0; d < c->smalls; d++) {
        if (!c->small[d]) continue;
        value[at] = d;
        count[at++] = c->small[d];
    }
    for (uint64_t i = 0; i < c->larges; i++) {
        bool again = i && c->large[i] == c->large[i - 1];
        if (again) {
            count[at - 1]++;
            continue;
        }
        value[at] = c->large[i];
        count[at++] = 1;
    }
}

weft_status weft_graph_degree_distribution(weft_ctx *ctx, const weft_graph *g, weft_side side, uint64_t **value,
                                           uint64_t **count, size_t *length) {
    if (value) *value = NULL;
    if (count) *count = NULL;
    if (length) *length = 0;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, value, count, length);
    if (side != WEFT_SIDE_OUT && side != WEFT_SIDE_IN && side != WEFT_SIDE_BOTH)
        return wfi_fail(ctx, WEFT_EINVAL, "side must be WEFT_SIDE_OUT, _IN or _BOTH");
    uint64_t *degree = NULL;
    wfi_degree_counts counts;
    wfi_workspace space = {0};
    wfi_degree_counts_lay_out(&space, g, &counts);
    weft_status st = wfi_workspace_take(ctx, &space);
    wfi_degree_counts_lay_out(&space, g, &counts);
    if (!st) st = wfi_alloc(ctx, &degree, g->n);
    if (!st) st = wfi_degrees(ctx, g, side, degree);
    if (st) goto done;
    wfi_count_degrees(ctx, degree, g->n, &counts);
    size_t distinct = wfi_distinct_degrees(&counts);
    st = wfi_alloc(ctx, value, distinct);
    if (!st) st = wfi_alloc(ctx, count, distinct);
    if (st) goto done;
    wfi_list_degrees(&counts, *value, *count);
    *length = distinct;
done:
    if (st) {
        WFI_FREE(*value, *count);
        *value = *count = NULL;
        *length = 0;
    }
    wfi_free(degree);
    wfi_workspace_give(&space);
    return st;
}

static weft_status order_by_degree(weft_ctx *ctx, const weft_graph *g, weft_vid **order) {
    uint64_t *key = NULL, most = 0;
    weft_status st = wfi_alloc(ctx, order, g->n);
    if (!st) st = wfi_alloc(ctx, &key, g->n);
    if (!st) st = wfi_degrees(ctx, g, WEFT_SIDE_BOTH, key);
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
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, order);
    weft_graph *mine = (weft_graph *)(uintptr_t)g; /* set once, under the lock */
    weft_status st = WEFT_OK;
    pthread_mutex_lock(&mine->lock);
    if (!g->degree_order) st = order_by_degree(ctx, g, &mine->degree_order);
    *order = g->degree_order;
    pthread_mutex_unlock(&mine->lock);
    return st;
}

/* Vertices with outgoing arcs, if there are any; a function of the graph and the seed. */
weft_status weft_random_sources(weft_ctx *ctx, const weft_graph *g, size_t count, uint64_t seed, weft_vid *out) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    if (count) WFI_NEED_OR_RETURN(ctx, out);
    weft_vid *able = NULL, c = 0;
    if (count && !g->n) return wfi_fail(ctx, WEFT_EINVAL, "weft_random_sources: the graph has no vertex");
    weft_status st = wfi_alloc(ctx, &able, g->n);
    if (st) return st;
    for (weft_vid v = 0; v < g->n; v++)
        if (wfi_degree(&g->out, v)) able[c++] = v;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = wfi_mix(wfi_mix(seed) + i);
        out[i] = c ? able[hash % c] : (weft_vid)(hash % g->n);
    }
    wfi_free(able);
    return WEFT_OK;
}
