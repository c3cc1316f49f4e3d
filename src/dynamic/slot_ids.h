/* The ids of slots: append-only lists with a reference count.  Readers of a version see as many entries as it has slots,
 * so appending needs no lock.  A full list is copied into a larger one; versions that know the old one keep it. */
#ifndef WFI_DYNAMIC_SLOT_IDS_H
#define WFI_DYNAMIC_SLOT_IDS_H

#include "graph/graph.h"

typedef struct wfi_slot_ids {
    _Atomic unsigned holders;
    bool names;
    weft_vid dense; /* the ids of slots before it are base + slot */
    int64_t base;
    uint64_t room;   /* slots from `dense` on that fit */
    int64_t *number; /* of slot dense + i */
    uint64_t *start; /* names: room + 1 */
    char *text;
    uint64_t text_room;
} wfi_slot_ids;

/* Empty, or those of a graph. */
wfi_slot_ids *wfi_slot_ids_new(weft_ctx *ctx, bool names, const weft_graph *base);
wfi_slot_ids *wfi_slot_ids_keep(wfi_slot_ids *ids);
void wfi_slot_ids_drop(wfi_slot_ids *ids);
/* Room for one more after `slots`, with `bytes` of text: the list itself, or a larger one in its place.  The caller is
 * its only writer. */
weft_status wfi_slot_ids_room(weft_ctx *ctx, wfi_slot_ids **ids, weft_vid slots, size_t bytes);

static inline int64_t wfi_slot_number(const wfi_slot_ids *ids, weft_vid slot) {
    return slot < ids->dense ? ids->base + (int64_t)slot : ids->number[slot - ids->dense];
}
/* Ascending order of ids: numbers, or names by their bytes. */
int wfi_slot_compare(const wfi_slot_ids *ids, weft_vid a, weft_vid b);

#endif
