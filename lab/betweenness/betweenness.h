/* Betweenness, what the rungs share: which requests they serve, the answer, and sums of threads.
 * Method: Brandes' algorithm [1]: from each source out by levels, counting shortest paths, and back, where a vertex
 * hands on what it has of the paths of those behind it.  A rung brings how the searches of many sources are done.
 * Encoding: counts and dependencies are doubles: graphs with more than 2^1023 shortest paths between two vertices are
 * the library's alone.
 * [1] Brandes, "A Faster Algorithm for Betweenness Centrality", Journal of Mathematical Sociology 25(2), 2001. */
#ifndef WEFT_LAB_BETWEENNESS_H
#define WEFT_LAB_BETWEENNESS_H

#include "lab.h"

enum { BETWEEN_LANES = 16 };

typedef struct between {
    lab_run *r;
    const weft_csr *out, *in; /* in == out in an undirected graph */
    weft_vid n;
    double *sum; /* n for each thread that has searches of its own; of each vertex, over all sources */
    bool stopped;
} between;

/* Whole runs: takes the sums of `threads` threads, lets search() fill them, and makes the answer. */
weft_status between_run(lab_run *r, int threads, weft_status (*search)(between *b));
const char *between_serves(lab_run *r);

/* Searches of up to 16 sources side by side, in a thread's own room; each counts `times` as often (NULL: once). */
typedef double between_row[BETWEEN_LANES];
typedef struct between_room {
    between_row *paths;          /* on the way back: (1 + what depends on the vertex) / paths */
    uint16_t *seen, *now, *next; /* a bit for each lane; now and next are 0 between batches */
    weft_vid *trail;             /* vertices by level, once for each level at which some lane meets it */
    uint16_t *lanes;             /* which ones, of the trail */
    size_t *begin;               /* of each level in it */
} between_room;
bool between_take(between *b, between_room *room);
void between_lanes(between *b, const between_room *room, const weft_vid *source, unsigned count, const double *times,
                   double *sum);

static inline bool between_stops(between *b) {
    if (!b->stopped && lab_stopped(b->r)) b->stopped = true;
    return b->stopped;
}

extern const lab_rung between_brandes, between_levels, between_edges, between_lanes_rung, between_folded,
    between_engine, between_engine_gpu;

#endif
