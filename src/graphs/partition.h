/* Partitions: declarations shared by agreement.c and quality.c. */
#ifndef WFI_GRAPHS_PARTITION_H
#define WFI_GRAPHS_PARTITION_H

#include "core/core.h"

/* Communities 0 ... count - 1 in ascending order of their labels. Community c has the members order[start[c]] ...
 * order[start[c+1] - 1], ascending. */
typedef struct wfi_partition {
    uint32_t *community; /* community of each member */
    uint32_t *order;
    uint64_t *start; /* count + 1 */
    uint64_t count;
} wfi_partition;

/* Needs members < 2^32 - 1 and a zeroed *p. wfi_partition_free frees its arrays, also after a failure. */
weft_status wfi_partition_of(weft_ctx *ctx, const uint32_t *labels, uint64_t members, wfi_partition *p);
void wfi_partition_free(wfi_partition *p);

static inline uint64_t wfi_community_size(const wfi_partition *p, uint64_t c) { return p->start[c + 1] - p->start[c]; }

#endif
