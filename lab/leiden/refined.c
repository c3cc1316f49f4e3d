/* Rung 5: rung 4 with the refinement of Leiden [1]: what is contracted are sets within communities, each of them
 * connected.
 * Method: every vertex of a community begins as a set of its own.  In a round a coin makes each of these head or
 * tail.  A tail that is well connected to its community joins the best set beside it that is so too, a head or one
 * with several members, if nothing is lost.  Heads wait, so that sets stay connected, and all tails choose at once.
 * [1] Traag, Waltman, van Eck, "From Louvain to Leiden", Scientific Reports 9, 5233 (2019). */
#include "leiden.h"

#include <omp.h>

enum { REFINE_ROUNDS = 8 };

static bool is_tail(uint64_t key, weft_vid v) { return leiden_hash(key ^ v) >> 63; }

static bool is_well_connected(const leiden *q, const leiden_sets *s, weft_vid x) {
    uint32_t rest = q->total[q->community[x]] - s->mass[x];
    return (double)s->bound[x] >= q->rate * (double)s->mass[x] * (double)rest;
}

/* --- excerpt --- */
/* The set that v, which is one of its own, joins; v if none. */
static weft_vid best_set(const leiden *q, const leiden_sets *s, weft_vid v, uint64_t key, leiden_tally *t) {
    const leiden_level *l = &q->level;
    weft_vid to = v;
    double best = 0;
    for (weft_eid e = l->offsets[v]; e < l->offsets[v + 1]; e++) {
        weft_vid u = l->targets[e], x = q->set[u];
        if (u == v || q->community[u] != q->community[v] || (!s->grown[x] && is_tail(key, x))) continue;
        if (!t->arcs[x]) t->touched[t->count++] = x;
        t->arcs[x] += leiden_arcs(l, e);
    }
    for (weft_vid i = 0; i < t->count; i++) {
        weft_vid x = t->touched[i];
        double gain = leiden_gain(q->rate, t->arcs[x], l->mass[v], s->mass[x]);
        t->arcs[x] = 0;
        if (gain < 0 || !is_well_connected(q, s, x) || (to != v && !leiden_better(key, gain, x, best, to))) continue;
        best = gain;
        to = x;
    }
    t->count = 0;
    return to;
}
/* --- end --- */

static int64_t bound_of(const leiden *q, weft_vid v) {
    int64_t arcs = 0;
    for (weft_eid e = q->level.offsets[v]; e < q->level.offsets[v + 1]; e++) {
        weft_vid u = q->level.targets[e];
        if (u != v && q->community[u] == q->community[v]) arcs += leiden_arcs(&q->level, e);
    }
    return arcs;
}

/* What the set that v has joined gains in arcs to the rest: those of v, less those between the two, which led out of
 * both.  An arc to another joiner is met from both sides. */
static int64_t bound_gained(const leiden *q, const leiden_sets *s, weft_vid v) {
    int64_t arcs = s->bound[v];
    for (weft_eid e = q->level.offsets[v]; e < q->level.offsets[v + 1]; e++) {
        weft_vid u = q->level.targets[e];
        if (u != v && q->set[u] == q->set[v]) arcs -= (q->goes[u] == u ? 2 : 1) * (int64_t)leiden_arcs(&q->level, e);
    }
    return arcs;
}

/* Tails choose by what all of them see, and then join. */
static uint64_t refine_round(leiden *q, const leiden_sets *s, uint64_t key) {
    uint64_t waiting = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(q->r->threads) reduction(+ : waiting) if (q->level.n > 512)
    for (weft_vid v = 0; v < q->level.n; v++) {
        q->goes[v] = v;
        if (leiden_stops(q, v) || q->set[v] != v || s->grown[v] || !s->bound[v] || !is_well_connected(q, s, v))
            continue;
        waiting++;
        if (is_tail(key, v)) q->goes[v] = best_set(q, s, v, key, &q->tally[omp_get_thread_num()]);
    }
    for (weft_vid v = 0; v < q->level.n; v++) {
        weft_vid x = q->goes[v];
        if (x == v) continue;
        q->set[v] = x;
        s->mass[x] += q->level.mass[v];
        s->grown[x] = 1;
    }
    for (weft_vid v = 0; v < q->level.n && !leiden_stops(q, v); v++)
        if (q->goes[v] != v) s->bound[q->goes[v]] += bound_gained(q, s, v);
    return waiting;
}

void leiden_refine(leiden *q) {
    const leiden_sets *s = &q->sets;
#pragma omp parallel for schedule(dynamic, 64) num_threads(q->r->threads) if (q->level.n > 512)
    for (weft_vid v = 0; v < q->level.n; v++) {
        if (leiden_stops(q, v)) continue;
        q->set[v] = v;
        s->mass[v] = q->level.mass[v];
        s->grown[v] = 0;
        s->bound[v] = bound_of(q, v);
    }
    uint64_t seed = leiden_hash(~q->stage);
    for (uint64_t i = 0; i < REFINE_ROUNDS && !q->stopped; i++)
        if (!refine_round(q, s, leiden_hash(seed ^ i))) break;
}

static weft_vid root_of(weft_vid *parent, weft_vid v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* The last moves may have torn a community apart.  Each part is one of its own, which no gain is lost by: nothing
 * leads from one to another.  The root of a part is its smallest vertex. */
void leiden_split(leiden *q) {
    const weft_csr *g = &q->r->out;
    weft_vid *parent = q->set;
    for (weft_vid v = 0; v < g->vertices; v++) parent[v] = v;
    for (weft_vid v = 0; v < g->vertices && !leiden_stops(q, v); v++)
        for (weft_eid e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
            if (q->label[g->targets[e]] != q->label[v]) continue;
            weft_vid a = root_of(parent, v), b = root_of(parent, g->targets[e]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (weft_vid v = 0; v < g->vertices; v++) q->label[v] = root_of(parent, v);
}

static weft_status run(lab_run *r) {
    static const leiden_way way = {.move = leiden_move_in_eight, .refine = leiden_refine, .split = leiden_split};
    return leiden_run(r, &way);
}

const lab_rung leiden_refined = {
    .name = "refined",
    .title = "eight classes, and sets refined before they are contracted: Leiden",
    .against = "eight-classes",
    .changed =
        "Before a level is contracted each community is put together anew, from single vertices, by joins only: "
        "what becomes a vertex is connected, and smaller than the community, which the next level may still take "
        "apart. At the end communities that have fallen apart are split.",
    .wins = "Every community is connected. A vertex of the next level can leave its community, so that a bad choice "
            "below is not for ever.",
    .loses = "Time: levels shrink more slowly, and refining takes as long as some rounds of moving.",
    .source = "lab/leiden/refined.c",
    .device = LAB_CPU,
    .serves = leiden_serves,
    .run = run,
};
