/* Rung 3: every level goes over all arcs, which threads share evenly. */
#include "betweenness.h"

#include <omp.h>

typedef struct search {
    uint32_t *level;
    double *paths, *depends;
    weft_vid *from; /* of each arc */
} search;

/* --- excerpt --- */
/* An arc from this level to the next adds to what lies behind it, or in front of it; several may add to one. */
static uint64_t arcs_out(between *b, const search *s, uint32_t depth) {
    uint64_t met = 0;
#pragma omp parallel for schedule(static) num_threads(b->r->threads) reduction(+ : met)
    for (weft_eid e = 0; e < b->r->out.arcs; e++) {
        weft_vid u = s->from[e], v = b->out->targets[e];
        if (s->level[u] != depth) continue;
        uint32_t level = __atomic_load_n(&s->level[v], __ATOMIC_RELAXED);
        if (level == WEFT_UNREACHED) __atomic_store_n(&s->level[v], level = depth + 1, __ATOMIC_RELAXED);
        if (level != depth + 1) continue;
#pragma omp atomic
        s->paths[v] += s->paths[u];
        met++;
    }
    return met;
}

static void arcs_back(between *b, const search *s, uint32_t depth) {
#pragma omp parallel for schedule(static) num_threads(b->r->threads)
    for (weft_eid e = 0; e < b->r->out.arcs; e++) {
        weft_vid u = s->from[e], v = b->out->targets[e];
        if (s->level[u] != depth || s->level[v] != depth + 1) continue;
        double part = s->paths[u] / s->paths[v] * (1 + s->depends[v]);
#pragma omp atomic
        s->depends[u] += part;
    }
}
/* --- end --- */

static void from_source(between *b, const search *s, weft_vid source) {
    uint32_t depth = 0;
    for (weft_vid v = 0; v < b->n; v++) s->level[v] = WEFT_UNREACHED, s->paths[v] = s->depends[v] = 0;
    s->level[source] = 0;
    s->paths[source] = 1;
    while (arcs_out(b, s, depth) && !between_stops(b)) depth++;
    while (depth-- > 1 && !between_stops(b)) arcs_back(b, s, depth);
    for (weft_vid v = 0; v < b->n; v++) b->sum[v] += s->depends[v];
}

static weft_status search_all(between *b) {
    size_t n = b->n + (size_t)1;
    search s = {lab_take(b->r, n * 4), lab_take(b->r, n * 8), lab_take(b->r, n * 8),
                lab_take(b->r, (b->r->out.arcs + 1) * 4)};
    if (!s.level || !s.paths || !s.depends || !s.from) return WEFT_ENOMEM;
    for (weft_vid u = 0; u < b->n; u++)
        for (weft_eid e = b->out->offsets[u]; e < b->out->offsets[u + 1]; e++) s.from[e] = u;
    lab_turn(b->r, LAB_KERNELS);
    for (weft_vid v = 0; v < b->n && !between_stops(b); v++) from_source(b, &s, v);
    return WEFT_OK;
}

static weft_status run(lab_run *r) { return between_run(r, 1, search_all); }

const lab_rung between_edges = {
    .name = "edges",
    .title = "CPU: every level over all arcs",
    .against = "levels",
    .changed =
        "Threads share the arcs, not the vertices: rows of hubs are no problem any more. Sums are atomic, so that "
        "the last digits depend on who came first.",
    .wins = "Shallow graphs with hubs, where nearly all arcs lie between two levels anyway.",
    .loses = "Graphs of more than a few levels: all arcs are looked at in each of them.",
    .source = "lab/betweenness/edges.c",
    .device = LAB_CPU,
    .serves = between_serves,
    .run = run,
};
