/* Does a listing of both arcs of each undirected edge really hold both?
 *
 * Method: every arc u < v adds a hash of (u, v, weight) to a sum and every arc u > v takes the hash of (v, u, weight)
 * away; the sum is zero when each arc has its mirror, and otherwise with a chance of 2^-64.  Sums do not depend on the
 * order, so the threads may take the arcs as they come.  Only when the sum is not zero are the hashes sorted to find
 * the arc to blame. */
#ifndef WFI_REVERSE_H
#define WFI_REVERSE_H

#include "graph/edges.h"

typedef struct wfi_reverses {
    uint64_t below, above, loops; /* arcs with u < v, u > v, u = v */
    uint64_t balance;
} wfi_reverses;

static inline bool wfi_reverses_hold(const wfi_reverses *m) { return m->balance == 0 && m->below == m->above; }

/* Over narrow pieces. */
wfi_reverses wfi_reverses_count(weft_ctx *ctx, const wfi_edges *edges);

/* After wfi_reverses_hold said no: the first arc in the order of the listing that has no mirror, and whether its
 * reverse is there all the same, with a different weight or a different number of times. */
typedef struct wfi_unreversed {
    size_t piece;
    uint64_t at; /* in the piece */
    bool reverse_listed;
} wfi_unreversed;
weft_status wfi_reverses_missing(weft_ctx *ctx, const wfi_edges *edges, const wfi_reverses *counts,
                                 wfi_unreversed *out);

#endif
