/* Checks that a list of both arcs of each undirected edge is symmetric.
 *
 * Method: every arc u < v adds a hash of (u, v, weight) to a sum and every arc u > v subtracts the hash of (v, u,
 * weight); the sum is zero if each arc has its mirror, and otherwise with a probability of 2^-64.  Sums do not depend
 * on the order, so that threads take arcs in any order.  Only if the sum is not zero are the hashes sorted, to find an
 * arc without its mirror. */
#ifndef WFI_REVERSE_H
#define WFI_REVERSE_H

#include "graph/edges.h"

typedef struct wfi_reverses {
    uint64_t below, above, loops; /* arcs with u < v, u > v, u = v */
    uint64_t balance;
} wfi_reverses;

static inline bool wfi_reverses_hold(const wfi_reverses *m) { return m->balance == 0 && m->below == m->above; }

/* Counts the arcs of narrow pieces. */
wfi_reverses wfi_reverses_count(weft_ctx *ctx, const wfi_edges *edges);

/* After wfi_reverses_hold returned false: the first listed arc without mirror.  reverse_listed: its reverse exists with
 * a different weight or a different multiplicity. */
typedef struct wfi_unreversed {
    size_t piece;
    uint64_t at; /* index in the piece */
    bool reverse_listed;
} wfi_unreversed;
weft_status wfi_reverses_missing(weft_ctx *ctx, const wfi_edges *edges, const wfi_reverses *counts,
                                 wfi_unreversed *out);

#endif
