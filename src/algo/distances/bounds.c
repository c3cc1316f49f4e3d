/* Diameter and radius from few searches.  Needs: a connected undirected graph.
 * Method: a search from s with eccentricity e proves max(d, e - d) <= ecc(v) <= e + d for every vertex v at distance d
 * [1].  The first searches look for the ends of a long shortest path and its middle [2]; then two at a time: from the
 * vertex with the largest upper bound, and from the one with the smallest lower bound, or from the vertex farthest from
 * that one, which raises the bounds of all around it [3].  Ties go by the sum of distances to the sources so far.  The
 * searches end when no vertex can have a larger eccentricity than the largest known, or a smaller one than the smallest
 * known.  The choice of searches depends on the graph alone.
 * [1] Takes, Kosters, "Determining the diameter of small world networks", CIKM 2011.
 * [2] Crescenzi et al., "On computing the diameter of real-world undirected graphs", Theor. Comput. Sci. 514, 2013.
 * [3] Borassi et al., "Fast diameter and radius BFS-based computation in (weakly connected) real-world graphs", Theor.
 *     Comput. Sci. 586, 2015. */
#include "algo/distances/distances.h"

#include <string.h>

enum { SHARE = 1 << 15 };

typedef struct bounding {
    weft_ctx *ctx;
    const wfi_component *c;
    wfi_ecc_bounds *b;
    uint64_t most;
    uint32_t ecc[WFI_SEARCHES_AT_ONCE];
    weft_vid last[WFI_SEARCHES_AT_ONCE]; /* farthest from the source of the slot's last search */
} bounding;

void wfi_ecc_bounds_lay_out(wfi_workspace *w, weft_vid n, wfi_ecc_bounds *b) {
    wfi_array_within(w, &b->lower, n);
    wfi_array_within(w, &b->upper, n);
    wfi_array_within(w, &b->sum, n);
    for (int i = 0; i < WFI_SEARCHES_AT_ONCE; i++) {
        wfi_array_within(w, &b->distance[i], n);
        wfi_array_within(w, &b->queue[i], n);
    }
}

/* False: the caller wants to stop. */
static bool search(bounding *x, int slot, weft_vid source) {
    wfi_ecc_bounds *b = x->b;
    weft_vid end = wfi_hops(x->ctx, &x->c->along, x->c->n, source, b->distance[slot], b->queue[slot]);
    if (!end) return false;
    x->last[slot] = b->queue[slot][end - 1];
    x->ecc[slot] = b->distance[slot][x->last[slot]];
    return true;
}

static void learn(bounding *x, int slot) {
    wfi_ecc_bounds *b = x->b;
    const uint32_t *distance = b->distance[slot];
    uint32_t ecc = x->ecc[slot];
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(x->ctx, x->c->n, SHARE))
    for (weft_vid v = 0; v < x->c->n; v++) {
        uint32_t d = distance[v], low = d > ecc - d ? d : ecc - d, high = d ? ecc + d : ecc;
        if (low > b->lower[v]) b->lower[v] = low;
        if (high < b->upper[v]) b->upper[v] = high;
        if (!d) b->lower[v] = ecc;
        b->sum[v] += d;
    }
}

static weft_status search_one(bounding *x, weft_vid source) {
    if (!search(x, 0, source)) return wfi_fail_cancelled(x->ctx);
    learn(x, 0);
    x->b->searches++;
    return WEFT_OK;
}

/* The vertex halfway from `far` back to the last source, along a shortest path. */
static weft_vid middle(const bounding *x, weft_vid far) {
    const wfi_component *c = x->c;
    const uint32_t *distance = x->b->distance[0];
    weft_vid v = far;
    for (uint32_t steps = distance[far] / 2; steps; steps--) {
        weft_eid e = c->along.offsets[v];
        while (distance[c->along.targets[e]] + 1 != distance[v]) e++; /* there is one: the search came that way */
        v = c->along.targets[e];
    }
    return v;
}

/* From the vertex with the most neighbours: twice a search from an end of a long path and a search from its middle. */
static weft_status sweep(bounding *x) {
    const wfi_component *c = x->c;
    weft_vid from = 0;
    for (weft_vid v = 1; v < c->n; v++)
        if (c->along.offsets[v + 1] - c->along.offsets[v] > c->along.offsets[from + 1] - c->along.offsets[from])
            from = v;
    weft_status st = search_one(x, from);
    for (int round = 0; round < 2 && !st && x->b->searches < x->most; round++) {
        st = search_one(x, x->last[0]); /* an end */
        if (st || x->b->searches == x->most) break;
        weft_vid centre = middle(x, x->last[0]);
        st = search_one(x, centre);
    }
    return st;
}

/* --- candidates ------------------------------------------------------------------------------------- */

/* True if u is a better candidate than v, which may be none.  Ties to the smaller number. */
static bool farther(const wfi_ecc_bounds *b, weft_vid u, weft_vid v) {
    if (v == WEFT_NO_VERTEX || b->upper[u] != b->upper[v]) return v == WEFT_NO_VERTEX || b->upper[u] > b->upper[v];
    return b->sum[u] != b->sum[v] ? b->sum[u] > b->sum[v] : u < v;
}
bool wfi_ecc_nearer(const wfi_ecc_bounds *b, weft_vid u, weft_vid v) {
    if (v == WEFT_NO_VERTEX || b->lower[u] != b->lower[v]) return v == WEFT_NO_VERTEX || b->lower[u] < b->lower[v];
    return b->sum[u] != b->sum[v] ? b->sum[u] < b->sum[v] : u < v;
}

wfi_ecc_open wfi_ecc_candidates(weft_ctx *ctx, const wfi_ecc_bounds *b, weft_vid n, const uint8_t *candidates) {
    uint32_t longest = 0, shortest = UINT32_MAX; /* the extremes of the known eccentricities */
    wfi_ecc_open open = {WEFT_NO_VERTEX, WEFT_NO_VERTEX};
#pragma omp parallel num_threads(wfi_threads_for(ctx, n, SHARE))
    {
#pragma omp for schedule(static) reduction(max : longest) reduction(min : shortest)
        for (weft_vid v = 0; v < n; v++) {
            if (b->lower[v] > longest) longest = b->lower[v];
            if (b->upper[v] < shortest && (!candidates || candidates[v])) shortest = b->upper[v];
        }
        weft_vid outer = WEFT_NO_VERTEX, inner = WEFT_NO_VERTEX;
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++) {
            if (b->upper[v] > longest && farther(b, v, outer)) outer = v;
            if (b->lower[v] < shortest && (!candidates || candidates[v]) && wfi_ecc_nearer(b, v, inner)) inner = v;
        }
#pragma omp critical(weft_distances_candidates)
        {
            if (outer != WEFT_NO_VERTEX && farther(b, outer, open.outer)) open.outer = outer;
            if (inner != WEFT_NO_VERTEX && wfi_ecc_nearer(b, inner, open.inner)) open.inner = inner;
        }
    }
    return open;
}

/* Two concurrent searches; a slot without a source has WEFT_NO_VERTEX. */
static weft_status search_both(bounding *x, const weft_vid source[WFI_SEARCHES_AT_ONCE]) {
    _Atomic bool stop = false;
#pragma omp parallel for schedule(static, 1) num_threads(wfi_threads_for(x->ctx, 2, 1))
    for (int i = 0; i < WFI_SEARCHES_AT_ONCE; i++)
        if (source[i] != WEFT_NO_VERTEX && !search(x, i, source[i])) atomic_store(&stop, true);
    if (atomic_load(&stop)) return wfi_fail_cancelled(x->ctx);
    for (int i = 0; i < WFI_SEARCHES_AT_ONCE; i++)
        if (source[i] != WEFT_NO_VERTEX) {
            learn(x, i);
            x->b->searches++;
        }
    return WEFT_OK;
}

weft_status wfi_ecc_bounds_run(weft_ctx *ctx, const wfi_component *c, uint64_t most, wfi_ecc_bounds *b) {
    bounding x = {.ctx = ctx, .c = c, .b = b, .most = most};
    weft_vid follow = WEFT_NO_VERTEX; /* farthest from the last central candidate */
    b->searches = 0;
    memset(b->lower, 0, c->n * sizeof *b->lower);
    memset(b->upper, 0xff, c->n * sizeof *b->upper);
    memset(b->sum, 0, c->n * sizeof *b->sum);
    weft_status st = sweep(&x);
    while (!st && b->searches < most) {
        wfi_ecc_open s = wfi_ecc_candidates(ctx, b, c->n, NULL);
        if (s.outer == WEFT_NO_VERTEX && s.inner == WEFT_NO_VERTEX) break;
        bool again = follow != WEFT_NO_VERTEX && s.inner != WEFT_NO_VERTEX && b->lower[follow] != b->upper[follow];
        weft_vid source[WFI_SEARCHES_AT_ONCE] = {s.outer, again ? follow : s.inner};
        if (source[1] == source[0] || (source[0] != WEFT_NO_VERTEX && b->searches + 1 == most))
            source[1] = WEFT_NO_VERTEX;
        wfi_progress(ctx, "distances", b->searches, 0);
        st = search_both(&x, source);
        follow = !again && source[1] != WEFT_NO_VERTEX ? x.last[1] : WEFT_NO_VERTEX;
    }
    return st;
}
