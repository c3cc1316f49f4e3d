/* Pairs of an undirected graph: two vertices with no neighbour but each other, or one with none but itself.  For C and
 * for device code. */
#ifndef WFI_PAIRED_H
#define WFI_PAIRED_H

#include "core/core.h"

/* Is v of a pair?  The rows are of both directions. */
WFI_HOST_DEVICE static inline bool wfi_paired(const weft_eid *offsets, const weft_vid *targets, weft_vid v) {
    if (offsets[v + 1] - offsets[v] != 1) return false;
    weft_vid other = targets[offsets[v]];
    return offsets[other + 1] - offsets[other] == 1;
}

#endif
