/* Diameter and radius along arcs from few searches.  Needs: a weakly connected graph with its arcs reversed.
 * Method: ExactSumSweep [1].  A search from s makes its eccentricity e exact, and proves ecc(v) >= e - d for every v of
 * its strong component at distance d; a search backwards from t proves ecc(v) >= d(v, t) for all v that reach t.  Upper
 * bounds come from a pass over the strong components (Tarjan [2]), each after those that its arcs lead to: its pivot p
 * reaches the vertices inside, and through them the vertices that the pivots beyond reach; v reaches whatever p
 * reaches, d(v, p) later.  Each round searches, forwards and backwards, from the vertex with the largest upper bound,
 * and from the candidate for the smallest eccentricity or the vertex farthest from it; then passes over the components
 * again.  The pivot of a component is its most central vertex with a search.
 * The choice of searches depends on the graph alone.
 * [1] Borassi et al., "Fast diameter and radius BFS-based computation in (weakly connected) real-world graphs", Theor.
 *     Comput. Sci. 586, 2015.
 * [2] Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972. */
#include "algo/distances/distances.h"
#include "core/poll.h"

#include <string.h>

enum { POLL = 1 << 12, ALONG = 0, BACK = 1 /* slots of the searches */ };

typedef struct bounding {
    weft_ctx *ctx;
    const wfi_component *c;
    wfi_arc_bounds *b;
    uint64_t most;
} bounding;

void wfi_arc_bounds_lay_out(wfi_workspace *w, weft_vid n, wfi_arc_bounds *b) {
    wfi_ecc_bounds_lay_out(w, n, &b->ecc);
    wfi_array_within(w, &b->strong, n);
    wfi_array_within(w, &b->order, n);
    wfi_array_within(w, &b->begin, (uint64_t)n + 1);
    wfi_array_within(w, &b->pivot, n);
    wfi_array_within(w, &b->bound, n);
    wfi_array_within(w, &b->least, n);
}

/* --- strong components --------------------------------------------------------------------------------- */

/* The state of Tarjan's algorithm without recursion.  A vertex is on the stack while it has an index and no
 * component. */
typedef struct descent {
    uint32_t *index, *low, clock;
    weft_vid *stack, *call, height, depth;
    weft_eid *next; /* next arc of each vertex */
} descent;

static void enter(const wfi_component *c, descent *d, weft_vid v) {
    d->index[v] = d->low[v] = d->clock++;
    d->next[v] = c->along.offsets[v];
    d->stack[d->height++] = v;
    d->call[d->depth++] = v;
}

/* All below v is done: if no arc from there leads above v, the stack down to v is a strong component. */
static void leave(const bounding *x, descent *d, weft_vid v, weft_vid *placed) {
    wfi_arc_bounds *b = x->b;
    d->depth--;
    if (d->depth && d->low[v] < d->low[d->call[d->depth - 1]]) d->low[d->call[d->depth - 1]] = d->low[v];
    if (d->low[v] != d->index[v]) return;
    b->begin[b->strong_count] = *placed;
    for (weft_vid u = WEFT_NO_VERTEX; u != v;) {
        u = d->stack[--d->height];
        b->strong[u] = b->strong_count;
        b->order[(*placed)++] = u;
    }
    b->strong_count++;
}

static weft_status find_strong(const bounding *x) {
    const wfi_component *c = x->c;
    wfi_arc_bounds *b = x->b;
    descent d = {.index = b->ecc.distance[0],
                 .low = b->ecc.distance[1],
                 .stack = b->ecc.queue[0],
                 .call = b->ecc.queue[1],
                 .next = b->ecc.sum};
    weft_vid placed = 0;
    uint64_t steps = 0;
    memset(d.index, 0xff, c->n * sizeof *d.index);
    memset(b->strong, 0xff, c->n * sizeof *b->strong);
    b->strong_count = 0;
    for (weft_vid root = 0; root < c->n; root++) {
        if (d.index[root] == UINT32_MAX) enter(c, &d, root);
        while (d.depth) {
            weft_vid v = d.call[d.depth - 1];
            if (++steps % POLL == 0 && wfi_cancelled(x->ctx)) return wfi_fail_cancelled(x->ctx);
            if (d.next[v] == c->along.offsets[v + 1]) {
                leave(x, &d, v, &placed);
                continue;
            }
            weft_vid u = c->along.targets[d.next[v]++];
            if (d.index[u] == UINT32_MAX)
                enter(c, &d, u);
            else if (b->strong[u] == WEFT_NO_VERTEX && d.index[u] < d.low[v])
                d.low[v] = d.index[u];
        }
    }
    b->begin[b->strong_count] = c->n;
    return WEFT_OK;
}

/* --- searches ------------------------------------------------------------------------------------------ */

static void raise(uint32_t *lower, uint32_t by) {
    if (by > *lower) *lower = by;
}
static void reduce(uint32_t *upper, uint32_t to) {
    if (to < *upper) *upper = to;
}

/* No eccentricity is larger than n - 1. */
static uint32_t cut(const bounding *x, uint64_t bound) { return bound < x->c->n ? (uint32_t)bound : x->c->n - 1; }

/* The vertices of a strong component are order[first] ... order[end - 1]. */
typedef struct stretch {
    weft_vid first, end;
} stretch;
static stretch members(const wfi_arc_bounds *b, weft_vid strong) {
    return (stretch){b->begin[strong], b->begin[strong + 1]};
}

static bool may_go_on(const bounding *x) { return x->b->ecc.searches < x->most; }

/* A search from the source: its eccentricity, and lower bounds for the vertices of its strong component. */
static weft_status search_along(bounding *x, weft_vid source, weft_vid *last) {
    wfi_arc_bounds *b = x->b;
    const uint32_t *distance = b->ecc.distance[ALONG];
    weft_vid end = wfi_hops(x->ctx, &x->c->along, x->c->n, source, b->ecc.distance[ALONG], b->ecc.queue[ALONG]);
    if (!end) return wfi_fail_cancelled(x->ctx);
    *last = b->ecc.queue[ALONG][end - 1];
    uint32_t ecc = distance[*last];
    b->ecc.lower[source] = b->ecc.upper[source] = ecc;
    stretch s = members(b, b->strong[source]);
    for (weft_vid i = s.first; i < s.end; i++)
        if (distance[b->order[i]] < ecc) raise(&b->ecc.lower[b->order[i]], ecc - distance[b->order[i]]);
    b->ecc.searches++;
    return WEFT_OK;
}

static weft_status search_back(bounding *x, weft_vid source) {
    wfi_arc_bounds *b = x->b;
    const uint32_t *distance = b->ecc.distance[BACK];
    weft_vid end = wfi_hops(x->ctx, &x->c->back, x->c->n, source, b->ecc.distance[BACK], b->ecc.queue[BACK]);
    if (!end) return wfi_fail_cancelled(x->ctx);
    for (weft_vid i = 0; i < end; i++) {
        weft_vid v = b->ecc.queue[BACK][i];
        raise(&b->ecc.lower[v], distance[v]);
        b->ecc.sum[v] += distance[v];
    }
    stretch s = members(b, b->strong[source]);
    for (weft_vid i = s.first; i < s.end; i++) {
        weft_vid v = b->order[i];
        reduce(&b->ecc.upper[v], cut(x, (uint64_t)distance[v] + b->ecc.upper[source]));
    }
    b->ecc.searches++;
    return WEFT_OK;
}

/* *last: the vertex farthest from the source, if there was a search. */
static weft_status search_both_ways(bounding *x, weft_vid source, weft_vid *last) {
    wfi_arc_bounds *b = x->b;
    if (source == WEFT_NO_VERTEX || !may_go_on(x)) return WEFT_OK;
    weft_status st = search_along(x, source, last);
    if (!st && may_go_on(x)) st = search_back(x, source);
    weft_vid *pivot = &b->pivot[b->strong[source]];
    if (b->ecc.upper[source] < b->ecc.upper[*pivot]) *pivot = source;
    return st;
}

/* --- pivots -------------------------------------------------------------------------------------------- */

/* Chooses the vertex with the most arcs, ties to the smallest. */
static void choose_pivots(const bounding *x) {
    const wfi_component *c = x->c;
    wfi_arc_bounds *b = x->b;
    memset(b->pivot, 0xff, b->strong_count * sizeof *b->pivot);
    for (weft_vid v = 0; v < c->n; v++) {
        weft_vid p = b->pivot[b->strong[v]];
        weft_eid arcs = c->along.offsets[v + 1] - c->along.offsets[v] + c->back.offsets[v + 1] - c->back.offsets[v];
        if (p == WEFT_NO_VERTEX ||
            arcs > c->along.offsets[p + 1] - c->along.offsets[p] + c->back.offsets[p + 1] - c->back.offsets[p])
            b->pivot[b->strong[v]] = v;
    }
}

/* A search within the strong component of the source.  Returns the distance of the farthest vertex; UINT32_MAX: the
 * caller wants to stop. */
static uint32_t search_inside(const bounding *x, const wfi_view *rows, weft_vid source, uint32_t *distance) {
    const weft_vid *strong = x->b->strong;
    weft_vid end = 1, *queue = x->b->ecc.queue[0];
    wfi_polling poll = {.ctx = x->ctx};
    distance[source] = 0;
    queue[0] = source;
    for (weft_vid at = 0; at < end; at++) {
        if (wfi_poll(&poll, rows->offsets[queue[at] + 1] - rows->offsets[queue[at]])) return UINT32_MAX;
        for (weft_eid e = rows->offsets[queue[at]]; e < rows->offsets[queue[at] + 1]; e++) {
            weft_vid u = rows->targets[e];
            if (strong[u] != strong[source] || distance[u] != UINT32_MAX) continue;
            distance[u] = distance[queue[at]] + 1;
            queue[end++] = u;
        }
    }
    return distance[queue[end - 1]];
}

/* The largest bound through the pivots of other components, each by the arc that reaches it soonest; UINT32_MAX: the
 * caller wants to stop. */
static uint32_t beyond(const bounding *x, weft_vid strong) {
    const wfi_view *along = &x->c->along;
    wfi_arc_bounds *b = x->b;
    const uint32_t *from_pivot = b->ecc.distance[ALONG], *to_pivot = b->ecc.distance[BACK];
    stretch s = members(b, strong);
    wfi_polling poll = {.ctx = x->ctx};
    weft_vid count = 0, *seen = b->ecc.queue[1];
    uint32_t most = 0;
    for (weft_vid i = s.first; i < s.end; i++) {
        weft_vid v = b->order[i];
        if (wfi_poll(&poll, along->offsets[v + 1] - along->offsets[v])) return UINT32_MAX;
        for (weft_eid e = along->offsets[v]; e < along->offsets[v + 1]; e++) {
            weft_vid u = along->targets[e], other = b->strong[u];
            if (other == strong) continue;
            if (b->least[other] == UINT32_MAX) seen[count++] = other;
            reduce(&b->least[other], cut(x, (uint64_t)from_pivot[v] + 1 + to_pivot[u] + b->bound[other]));
        }
    }
    for (weft_vid i = 0; i < count; i++) {
        raise(&most, b->least[seen[i]]);
        b->least[seen[i]] = UINT32_MAX;
    }
    return most;
}

/* Upper bounds of all vertices from the pivots; counts as a search. */
static weft_status bound_all(bounding *x) {
    wfi_arc_bounds *b = x->b;
    uint32_t *from_pivot = b->ecc.distance[ALONG], *to_pivot = b->ecc.distance[BACK];
    memset(from_pivot, 0xff, x->c->n * sizeof *from_pivot);
    memset(to_pivot, 0xff, x->c->n * sizeof *to_pivot);
    memset(b->least, 0xff, b->strong_count * sizeof *b->least);
    for (weft_vid k = 0; k < b->strong_count; k++) {
        weft_vid p = b->pivot[k];
        stretch s = members(b, k);
        uint32_t back = search_inside(x, &x->c->back, p, to_pivot),
                 inside = search_inside(x, &x->c->along, p, from_pivot), outside = beyond(x, k);
        if (back == UINT32_MAX || inside == UINT32_MAX || outside == UINT32_MAX ||
            (k % POLL == 0 && wfi_cancelled(x->ctx)))
            return wfi_fail_cancelled(x->ctx);
        b->bound[k] = b->ecc.upper[p];
        reduce(&b->bound[k], inside > outside ? inside : outside);
        for (weft_vid i = s.first; i < s.end; i++)
            reduce(&b->ecc.upper[b->order[i]], cut(x, (uint64_t)to_pivot[b->order[i]] + b->bound[k]));
    }
    b->ecc.searches++;
    return WEFT_OK;
}

/* The vertex of a strong component with unknown eccentricity that may have the smallest, if there is one. */
static weft_vid most_central(const wfi_arc_bounds *b, weft_vid strong) {
    const wfi_ecc_bounds *ecc = &b->ecc;
    stretch s = members(b, strong);
    weft_vid best = WEFT_NO_VERTEX;
    for (weft_vid i = s.first; i < s.end; i++)
        if (ecc->lower[b->order[i]] != ecc->upper[b->order[i]] && wfi_ecc_nearer(ecc, b->order[i], best))
            best = b->order[i];
    return best;
}

static weft_status search_round(bounding *x, wfi_ecc_open open, weft_vid *follow) {
    wfi_arc_bounds *b = x->b;
    weft_vid ignored, central = open.inner;
    weft_status st = search_both_ways(x, open.outer, &ignored);
    if (st) return st;
    if (central == WEFT_NO_VERTEX) central = most_central(b, b->strong[open.outer]);
    if (*follow != WEFT_NO_VERTEX && b->ecc.lower[*follow] != b->ecc.upper[*follow]) {
        st = search_both_ways(x, *follow, &ignored);
        *follow = WEFT_NO_VERTEX;
    } else {
        st = search_both_ways(x, central, follow);
    }
    bool several = b->strong_count > 1 && open.outer != WEFT_NO_VERTEX;
    return st || !several || !may_go_on(x) ? st : bound_all(x);
}

weft_status wfi_arc_bounds_run(weft_ctx *ctx, const wfi_component *c, uint64_t most, const uint8_t *roots,
                               wfi_arc_bounds *b) {
    bounding x = {.ctx = ctx, .c = c, .b = b, .most = most};
    weft_vid follow = WEFT_NO_VERTEX; /* farthest from the last central candidate */
    b->ecc.searches = 0;
    memset(b->ecc.lower, 0, c->n * sizeof *b->ecc.lower);
    for (weft_vid v = 0; v < c->n; v++) b->ecc.upper[v] = c->n - 1;
    weft_status st = find_strong(&x);
    if (st) return st;
    memset(b->ecc.sum, 0, c->n * sizeof *b->ecc.sum);
    choose_pivots(&x);
    st = bound_all(&x);
    while (!st && may_go_on(&x)) {
        wfi_ecc_open open = wfi_ecc_candidates(ctx, &b->ecc, c->n, roots);
        if (open.outer == WEFT_NO_VERTEX && open.inner == WEFT_NO_VERTEX) break;
        wfi_progress(ctx, "distances", b->ecc.searches, 0);
        st = search_round(&x, open, &follow);
    }
    return st;
}
