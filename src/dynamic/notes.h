/* Notes: changes that stand beside the rows of a group, in the room that its block has left for them.
 * A small batch is noted in place: no block is copied, no node above.  Each note carries the version that it came with,
 * so that who reads an older one passes over it; the number of notes is written last.  When the room is used up, notes
 * and rows are merged into a fresh group.  Notes are written while other groups are merged, by whoever has just looked
 * at the group: nobody sees them until their version is published.  If the batch fails they are taken back, and the
 * next batch writes over them; who still looks at them, having read the number before, passes over the one as over the
 * other, so only the words themselves are read and written atomically. */
#ifndef WFI_DYNAMIC_NOTES_H
#define WFI_DYNAMIC_NOTES_H

#include "dynamic/group.h"

/* By row and target, each arc once, as a version sees them; `list` has room for WFI_MOST_NOTES. */
unsigned wfi_notes_list(const wfi_group *group, uint64_t version, wfi_noted *list);
/* Arcs more or less in each row. */
void wfi_notes_count(const wfi_group *group, uint64_t version, int32_t more[WFI_GROUP_ROWS]);

/* Is there room for so many more, in this version? */
static inline bool wfi_notes_fit(const wfi_group *group, uint64_t version, uint64_t count) {
    return atomic_load_explicit(&group->notes, memory_order_relaxed) + count <= group->note_room &&
           version - group->head.birth < (uint64_t)1 << 24;
}
/* Brings the starts and notes closer that wfi_notes_write will look at; the group's head is there. */
void wfi_notes_prefetch(const wfi_changes *c, const wfi_placed *placed);
/* The changes of those of these groups that are to be noted, which fit, become notes; placed->end - first is how many.
 * Counts what becomes of the changes. */
void wfi_notes_write(wfi_merge *m, wfi_placed *placed, size_t groups);
/* The batch failed: the notes that it wrote there are none. */
void wfi_notes_take_back(const wfi_placed *placed);

#endif
