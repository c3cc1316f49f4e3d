/* A batch on its way into the store. */
#ifndef WFI_DYNAMIC_BATCH_H
#define WFI_DYNAMIC_BATCH_H

#include "dynamic/dynamic.h"
#include "dynamic/group.h"

typedef struct wfi_batch {
    weft_ctx *ctx;
    weft_dynamic *d;
    const weft_batch *given;
    bool to_log;
    weft_vid *source, *target; /* slots of each change; source WEFT_NO_VERTEX: nothing is left to do */
    uint32_t *removal;         /* positions of changes that remove a vertex */
    size_t removals, removals_room;
    wfi_changes changes;
    weft_batch_stats stats;
} wfi_batch;

/* Ids become slots; vertices come and go. */
weft_status wfi_batch_resolve(wfi_batch *b);
/* Changes by row and target, in both directions if the graph is undirected. */
weft_status wfi_batch_sort(wfi_batch *b);

#endif
