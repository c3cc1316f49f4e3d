/* From sources by weights, on CPU cores (brandes.h).
 * Method: Brandes' algorithm on searches by Dijkstra's [1]: vertices are settled by distance and add their count to
 * the vertices that they bring their distance; back in the opposite order.  A thread has a search of its own.
 * Encoding: a binary heap of vertices, each of which knows its place, so that it holds none twice; settled ones fill
 * the same array from its end.
 * [1] Dijkstra, "A Note on Two Problems in Connexion with Graphs", Numerische Mathematik 1, 1959. */
#include "algo/betweenness/brandes.h"
#include "core/poll.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { POLL = 1 << 14 }; /* arcs, each with a step in the heap */

typedef struct wfi_reach {
    double distance; /* infinity: not reached */
    double digits;   /* far: the count on the way out, the share on the way back */
    int32_t exponent;
    uint32_t place; /* in the heap */
} wfi_reach;

typedef struct search {
    weft_ctx *ctx;
    const wfi_brandes *f;
    wfi_length_search b;
    weft_vid waiting, settled;
    uint64_t unpolled;
    bool stop;
    weft_eid lost; /* an arc whose weight changes no distance, or makes an infinite one; arcs of the graph: none */
} search;

/* --- memory --------------------------------------------------------------------------- */

void wfi_brandes_lay_out_lengths(wfi_workspace *w, const weft_graph *g, wfi_brandes *f) {
    uint64_t n = (uint64_t)f->at_once * g->n;
    wfi_array(w, &f->search.reach, n);
    wfi_array_within(w, &f->search.queue, n);
    wfi_array(w, &f->search.at_vertex, n);
    f->search.at_arc = NULL;
    if (f->arcs) wfi_array(w, &f->search.at_arc, (uint64_t)f->at_once * g->arcs);
}

uint64_t wfi_brandes_length_bytes(const weft_graph *g, bool arcs) {
    wfi_brandes f = {.at_once = 1, .arcs = arcs};
    wfi_workspace w = {0};
    wfi_brandes_lay_out_lengths(&w, g, &f);
    return wfi_workspace_bytes(&w);
}

static wfi_length_search search_of(const wfi_brandes *f, uint64_t i) {
    const wfi_length_search *b = &f->search;
    uint64_t from = i * f->g->n;
    return (wfi_length_search){b->reach + from, b->queue + from, b->at_vertex + from,
                               f->arcs ? b->at_arc + i * f->g->arcs : NULL};
}

/* --- the heap ------------------------------------------------------------------------- */

static bool comes_first(const search *s, weft_vid a, weft_vid b) {
    double x = s->b.reach[a].distance, y = s->b.reach[b].distance;
    return x < y || (x == y && a < b);
}

static void put(search *s, weft_vid at, weft_vid v) {
    s->b.queue[at] = v;
    s->b.reach[v].place = at;
}

/* To the place that v has, or nearer to the top. */
static void rise(search *s, weft_vid v) {
    weft_vid at = s->b.reach[v].place;
    for (; at && comes_first(s, v, s->b.queue[(at - 1) / 2]); at = (at - 1) / 2) put(s, at, s->b.queue[(at - 1) / 2]);
    put(s, at, v);
}

static weft_vid take_first(search *s) {
    weft_vid first = s->b.queue[0], last = s->b.queue[--s->waiting], at = 0;
    for (uint64_t child; (child = 2 * (uint64_t)at + 1) < s->waiting; at = (weft_vid)child) {
        if (child + 1 < s->waiting && comes_first(s, s->b.queue[child + 1], s->b.queue[child])) child++;
        if (!comes_first(s, s->b.queue[child], last)) break;
        put(s, at, s->b.queue[child]);
    }
    if (s->waiting) put(s, at, last);
    return first;
}

/* --- out ------------------------------------------------------------------------------ */

static wfi_wide_double far_of(const wfi_reach *r) { return (wfi_wide_double){r->digits, r->exponent}; }

static void set_far(wfi_reach *r, wfi_wide_double x) {
    r->digits = x.digits;
    r->exponent = x.exponent;
}

static double weight_at(const search *s, weft_eid e) {
    return wfi_weight_at(s->f->g->weight_type, s->f->g->out.weights, e);
}

/* Before so many arcs are looked at. */
static bool stops(search *s, uint64_t arcs) {
    s->unpolled += arcs + 1;
    if (s->unpolled < POLL) return s->stop;
    s->unpolled = 0;
    return s->stop = s->stop || wfi_cancelled(s->ctx);
}

/* A vertex that has its distance offers its neighbours theirs. */
static void settle(search *s, weft_vid u) {
    const weft_graph *g = s->f->g;
    const wfi_reach *from = &s->b.reach[u];
    s->b.queue[g->n - 1 - s->settled++] = u;
    for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
        weft_vid v = g->out.targets[e];
        wfi_reach *to = &s->b.reach[v];
        double distance = from->distance + weight_at(s, e);
        if (distance > to->distance) continue;
        if (!(distance > from->distance && distance < (double)INFINITY)) {
            s->lost = e;
            break;
        }
        if (distance < to->distance) {
            if (!(to->distance < (double)INFINITY)) to->place = s->waiting++;
            to->distance = distance;
            set_far(to, far_of(from));
            rise(s, v);
        } else {
            set_far(to, wfi_wide_double_sum(far_of(to), far_of(from)));
        }
    }
}

/* --- back ----------------------------------------------------------------------------- */

static void depend(search *s, weft_vid u, weft_vid source) {
    const weft_graph *g = s->f->g;
    wfi_reach *from = &s->b.reach[u];
    wfi_wide_double count = far_of(from), sum = {0, 0};
    for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
        const wfi_reach *to = &s->b.reach[g->out.targets[e]];
        if (from->distance + weight_at(s, e) != to->distance) continue;
        sum = wfi_wide_double_sum(sum, far_of(to));
        if (s->b.at_arc)
            wfi_wide_add(&s->b.at_arc[e], wfi_wide_double_value(wfi_wide_double_product(count, far_of(to))));
    }
    wfi_wide_double has = wfi_wide_double_product(count, sum);
    bool is_target = !s->f->targets || s->f->targets[u];
    if (u != source) wfi_wide_add(&s->b.at_vertex[u], wfi_wide_double_value(has));
    set_far(from, wfi_wide_double_quotient(wfi_wide_double_sum(wfi_wide_double_of(is_target, 0), has), count));
    if (s->f->ends) s->b.at_vertex[u].whole += u == source ? s->settled - 1 : 1;
}

/* Afterwards nothing is reached. */
static void search_from(search *s, weft_vid source) {
    weft_vid n = s->f->g->n;
    const weft_eid *offsets = s->f->g->out.offsets;
    s->b.reach[source] = (wfi_reach){0, 1, 0, 0};
    put(s, 0, source);
    s->waiting = 1;
    s->settled = 0;
    while (s->waiting && s->lost == s->f->g->arcs && !s->stop) {
        weft_vid u = take_first(s);
        if (!stops(s, offsets[u + 1] - offsets[u])) settle(s, u);
    }
    bool whole = s->lost == s->f->g->arcs && !s->stop;
    for (weft_vid i = n - s->settled; i < n && whole; i++) {
        weft_vid u = s->b.queue[i];
        if (!stops(s, offsets[u + 1] - offsets[u])) depend(s, u, source);
    }
    for (weft_vid i = 0; i < s->waiting; i++) s->b.reach[s->b.queue[i]].distance = (double)INFINITY;
    for (weft_vid i = n - s->settled; i < n; i++) s->b.reach[s->b.queue[i]].distance = (double)INFINITY;
}

/* --- all sources ---------------------------------------------------------------------- */

static weft_status refuse(weft_ctx *ctx, const weft_graph *g, weft_eid lost) {
    return wfi_fail_weight(ctx, "betweenness", g, lost,
                           "beside the lengths of paths that it continues it is too small or too large for a double");
}

/* The arc that is refused is that of the first source with one, whichever thread meets it. */
weft_status wfi_brandes_run_lengths(weft_ctx *ctx, wfi_brandes *f) {
    const weft_graph *g = f->g;
    _Atomic uint64_t done = 0, refused = UINT64_MAX;
    _Atomic bool stop = false;
    weft_eid lost = g->arcs;
    wfi_progress(ctx, "sources", 0, f->count);
#pragma omp parallel num_threads(f->at_once)
    {
        int me = omp_get_thread_num();
        search s = {.ctx = ctx, .f = f, .b = search_of(f, (uint64_t)me), .lost = g->arcs};
        for (weft_vid v = 0; v < g->n; v++) s.b.reach[v].distance = (double)INFINITY;
        bool filled = wfi_fill_bytes(ctx, s.b.at_vertex, 0, g->n * sizeof *s.b.at_vertex) &&
                      (!f->arcs || wfi_fill_bytes(ctx, s.b.at_arc, 0, g->arcs * sizeof *s.b.at_arc));
        if (!filled) atomic_store(&stop, true);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t k = 0; k < f->count; k++) {
            if (atomic_load(&stop) || atomic_load(&refused) < k) continue;
            search_from(&s, f->sources[k]);
            if (s.stop) atomic_store(&stop, true);
            if (s.lost < g->arcs) {
#pragma omp critical(wfi_lost_weight)
                if (k < atomic_load(&refused)) {
                    atomic_store(&refused, k);
                    lost = s.lost;
                }
                s.lost = g->arcs;
                continue;
            }
            uint64_t now = atomic_fetch_add(&done, 1) + 1;
            if (me == 0) wfi_progress(ctx, "sources", now, f->count);
        }
    }
    if (atomic_load(&stop)) return wfi_fail_cancelled(ctx);
    if (lost < g->arcs) return refuse(ctx, g, lost);
    wfi_wide_sums_join(ctx, f->search.at_vertex, g->n, f->at_once);
    if (f->arcs) wfi_wide_sums_join(ctx, f->search.at_arc, g->arcs, f->at_once);
    return WEFT_OK;
}
