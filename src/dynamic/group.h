/* Groups on their way: 64 rows, old ones merged with the changes of a batch, or those of a graph. */
#ifndef WFI_DYNAMIC_GROUP_H
#define WFI_DYNAMIC_GROUP_H

#include "dynamic/store.h"

/* The changes of a batch, by row and target; of the same arc in the batch's order. */
typedef struct wfi_changes {
    uint64_t *key;  /* row << bits | target */
    uint32_t *what; /* position in the batch << 2 | weft_change */
    uint64_t count;
    unsigned bits;       /* of a slot */
    const char *weights; /* the batch's */
    uint32_t *removed;   /* of each slot: 1 + the position of its last removal, 0 = none; NULL = no vertex is removed */
} wfi_changes;

/* One thread's part. */
typedef struct wfi_merge {
    wfi_maker maker;
    const wfi_changes *changes;
    weft_batch_stats stats;
    int64_t arcs, loops; /* more than before */
} wfi_merge;

/* The group that takes the place of `old` (NULL: empty rows): placed->fresh, NULL if nothing is left. */
weft_status wfi_group_merge(wfi_merge *m, wfi_group *old, uint64_t alive, wfi_placed *placed);
/* The same rows of a graph; WEFT_EINVAL, without a message, if there are parallel arcs. */
weft_status wfi_group_copy(wfi_maker *m, const weft_graph *g, wfi_placed *placed);

#endif
