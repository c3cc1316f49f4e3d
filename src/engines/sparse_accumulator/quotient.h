/* Contraction: the quotient of a graph by a partition of its vertices.  Each part becomes a vertex, and all arcs
 * between two parts become one, with the sum of their weights; arcs within a part are left out.
 *
 * Encoding: rows with gaps.  A part's row begins where the concatenated rows of its members would, and is as long as it
 * is; so no row waits for the lengths of earlier rows.  Weights are integers, and sums exact in any order. */
#ifndef WFI_SPARSE_ACCUMULATOR_QUOTIENT_H
#define WFI_SPARSE_ACCUMULATOR_QUOTIENT_H

#include "engines/sparse_accumulator/sparse_accumulator.h"
#include "graph/graph.h"

typedef struct wfi_sum_rows {
    weft_vid n;
    uint64_t room; /* capacity for the arcs of all rows, gaps included */
    weft_eid *begin, *end;
    weft_vid *targets;
    uint32_t *light; /* weights, in 32 bits if their sum fits, or ... */
    uint64_t *heavy; /* ... in 64; both NULL: each arc weighs 1 */
} wfi_sum_rows;

static inline uint64_t wfi_sum_weight(const wfi_sum_rows *r, weft_eid e) {
    return r->light ? r->light[e] : r->heavy ? r->heavy[e] : 1;
}

/* Rows, to be filled, of up to n vertices with up to `room` arcs. */
static inline void wfi_sum_rows_lay_out(wfi_workspace *w, weft_vid n, uint64_t room, bool heavy, wfi_sum_rows *r) {
    wfi_array_within(w, &r->begin, (uint64_t)n + 1);
    wfi_array_within(w, &r->end, n);
    wfi_array_within(w, &r->targets, room);
    r->light = NULL;
    r->heavy = NULL;
    if (heavy)
        wfi_array_within(w, &r->heavy, room);
    else
        wfi_array_within(w, &r->light, room);
}

/* part[v] < parts, or WEFT_NO_VERTEX: v is left out, with its arcs, which weigh nothing.  Fills `to`; first (parts + 1)
 * and members (n) are scratch, the accumulators are empty.  *open = number of parts with arcs. */
weft_status wfi_contract(weft_ctx *ctx, const wfi_sum_rows *from, const weft_vid *part, weft_vid parts,
                         const wfi_accumulators *tallies, weft_vid *first, weft_vid *members, wfi_sum_rows *to,
                         weft_vid *open);

#endif
