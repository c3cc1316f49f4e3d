/* Random shortest paths by hops: each one between two random vertices, and each shortest path between the same two as
 * probable as the others.
 *
 * Path number i is a function of the graph, the seed and i: it does not depend on threads, or on the paths before it.
 * Random numbers are drawn by counter (gen/random.h).  Counts of paths are far numbers
 * (algo/betweenness/wide_double.h), rounded to 53 bits; a choice among arcs adds them up in the order of rows and takes
 * the first that brings the sum above a random part, of 53 bits, of the whole.  So a path of L arcs has its probability
 * to a relative error of some (L + 1) 2^-50 where rows are not too long: nothing beside the errors that can be asked
 * for, 1e-8 and above. */
#ifndef WFI_BETWEENNESS_RANDOM_PATH_H
#define WFI_BETWEENNESS_RANDOM_PATH_H

#include "algo/betweenness/wide_double.h"
#include "core/poll.h"
#include "graph/graph.h"

/* What a search knows of a vertex; a vertex belongs to one side. */
typedef struct wfi_seen {
    double digits; /* how many shortest paths lead from there to its end: far */
    int32_t exponent;
    int32_t level; /* 0: not seen; k > 0: k - 1 arcs behind the source; -k: k - 1 arcs before the target */
} wfi_seen;

/* Levels have 31 bits. */
#define WFI_RANDOM_PATH_MOST ((weft_vid)1 << 31)

/* The searches of one thread. */
typedef struct wfi_random_paths {
    const wfi_view *out, *in;
    weft_vid n; /* from 2 to WFI_RANDOM_PATH_MOST */
    uint64_t seed;
    wfi_seen *seen;  /* n, all 0 between searches */
    weft_vid *queue; /* n: what the source's side has seen, and from the end what the target's has */
    wfi_polling poll;
} wfi_random_paths;

/* Adds 1 to the tally of each inner vertex of path `number`, if there is a path.  Several threads may have one tally.
 * After r->poll.stop it means nothing. */
void wfi_random_path(wfi_random_paths *r, uint64_t number, uint64_t *tally);

#endif
