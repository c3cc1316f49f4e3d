/* Ranges of rows that cost about the same: an arc costs 1, a row a few arcs more. */
#ifndef WFI_BALANCE_H
#define WFI_BALANCE_H

#include "weft.h"

enum { WFI_ROW_COST = 4 /* arcs */ };

/* Of the rows before v. */
static inline uint64_t wfi_cost_before(const weft_eid *offsets, weft_vid v) {
    return offsets[v] + (uint64_t)WFI_ROW_COST * v;
}

/* The first vertex of low ... high before which lies that cost, or more; high if there is none. */
static inline weft_vid wfi_vertex_at_cost(const weft_eid *offsets, weft_vid low, weft_vid high, uint64_t cost) {
    while (low < high) {
        weft_vid middle = low + (high - low) / 2;
        if (wfi_cost_before(offsets, middle) < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
