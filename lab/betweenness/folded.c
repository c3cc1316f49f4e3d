/* Rung 5: leaves need no search of their own. */
#include "betweenness.h"

#include <omp.h>

/* --- excerpt --- */
/* Its only arc leads to a vertex that has others.  Directed graphs have no leaves. */
static bool is_leaf(const between *b, weft_vid v) {
    const weft_csr *g = b->out;
    if (b->in != g || g->offsets[v + 1] - g->offsets[v] != 1) return false;
    weft_vid u = g->targets[g->offsets[v]];
    return u != v && g->offsets[u + 1] - g->offsets[u] > 1;
}

static double leaves_of(const between *b, weft_vid u) {
    const weft_csr *g = b->out;
    double leaves = 0;
    for (weft_eid e = g->offsets[u]; e < g->offsets[u + 1]; e++) leaves += is_leaf(b, g->targets[e]);
    return leaves;
}

/* A leaf sees what its neighbour u sees, from one arc farther away: u's search counts once more for it.  On u itself
 * it depends by all that lies behind u but the leaf. */
static void from_sources(between *b, const between_room *room, const weft_vid *source, unsigned count, double *sum) {
    double times[BETWEEN_LANES], reached[BETWEEN_LANES] = {0};
    for (unsigned l = 0; l < BETWEEN_LANES; l++) times[l] = l < count ? 1 + leaves_of(b, source[l]) : 0;
    between_lanes(b, room, source, count, times, sum);
    for (weft_vid v = 0; v < b->n; v++)
        for (unsigned l = 0; l < count; l++) reached[l] += room->seen[v] >> l & 1;
    for (unsigned l = 0; l < count; l++) sum[source[l]] += (times[l] - 1) * (reached[l] - 2);
}
/* --- end --- */

static weft_status search_all(between *b) {
    between_room room[256];
    int threads = b->r->threads < 256 ? b->r->threads : 256;
    weft_vid *order = lab_take(b->r, (b->n + (size_t)1) * sizeof *order), count = 0;
    for (int t = 0; t < threads; t++)
        if (!between_take(b, &room[t])) return WEFT_ENOMEM;
    if (!order) return WEFT_ENOMEM;
    lab_turn(b->r, LAB_KERNELS);
    for (weft_vid v = 0; v < b->n; v++)
        if (!is_leaf(b, v)) order[count++] = v;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (weft_vid k = 0; k < (count + BETWEEN_LANES - 1) / BETWEEN_LANES; k++) {
        weft_vid first = k * BETWEEN_LANES, left = count - first;
        int me = omp_get_thread_num();
        if (between_stops(b)) continue;
        from_sources(b, &room[me], order + first, left < BETWEEN_LANES ? left : BETWEEN_LANES,
                     b->sum + (size_t)me * b->n);
    }
    return WEFT_OK;
}

static weft_status run(lab_run *r) { return between_run(r, r->threads < 256 ? r->threads : 256, search_all); }

const lab_rung between_folded = {
    .name = "folded",
    .title = "CPU: leaves share the searches of their neighbours",
    .against = "lanes",
    .changed =
        "A vertex with a single neighbour has no search of its own: its neighbour's counts for it as well, and one "
        "number is put right.",
    .wins = "Graphs with many leaves, as networks of people and of pages are: 27 of 100 vertices of email-Enron.",
    .loses = "Graphs without leaves, and directed ones, by the time it takes to look for them.",
    .source = "lab/betweenness/folded.c",
    .device = LAB_CPU,
    .serves = between_serves,
    .run = run,
};
