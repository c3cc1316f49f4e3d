/* Ranges of rows that cost about the same: an arc costs 1, a row a few arcs more. */
#ifndef WFI_BALANCE_H
#define WFI_BALANCE_H

#include "core/search.h"
#include "weft.h"

enum { WFI_ROW_COST = 4 /* arcs */ };

/* Of the rows before v. */
static inline uint64_t wfi_cost_before(const weft_eid *offsets, weft_vid v) {
    return offsets[v] + (uint64_t)WFI_ROW_COST * v;
}

/* The first vertex of low ... high before which lies that cost, or more; high if there is none. */
static inline weft_vid wfi_vertex_at_cost(const weft_eid *offsets, weft_vid low, weft_vid high, uint64_t cost) {
    WFI_BISECT(low, high, middle, wfi_cost_before(offsets, middle) < cost);
    return low;
}

#endif
