/* Notes: changes that stand beside the rows of a group, in the room that its block has left for them.
 * A small batch is noted in place: no block is copied, no node above.  Each note carries the version that it came with, so that who
 * reads an older one passes over it; the number of notes is written last.  When the room is used up, notes and rows are merged into a
 * fresh group.  Notes are made after the last step of a batch that can fail. */
#ifndef WFI_DYNAMIC_NOTES_H
#define WFI_DYNAMIC_NOTES_H

#include "dynamic/group.h"

/* The last note of an arc. */
typedef struct wfi_noted {
    weft_vid target;
    uint8_t row;
    bool there;         /* the arc is; else it was deleted */
    const char *weight; /* of an arc that is there */
} wfi_noted;

/* By row and target, each arc once, as a version sees them; `list` has room for WFI_MOST_NOTES. */
unsigned wfi_notes_list(const wfi_group *group, uint64_t version, size_t weight, wfi_noted *list);
/* Arcs more or less in each row. */
void wfi_notes_count(const wfi_group *group, uint64_t version, int32_t more[WFI_GROUP_ROWS]);

/* Is there room for so many more, in this version? */
static inline bool wfi_notes_fit(const wfi_group *group, uint64_t version, uint64_t count) {
    return atomic_load_explicit(&group->notes, memory_order_relaxed) + count <= group->note_room &&
           version - group->head.birth < (uint64_t)1 << 24;
}
/* Brings closer what the next function will look at; the group's head is there. */
void wfi_notes_prefetch(const wfi_changes *c, const wfi_group *group, uint64_t first);
/* The changes first ... end - 1 of a batch, all of this group. */
void wfi_notes_take(wfi_merge *m, wfi_group *group, uint64_t first, uint64_t end);

#endif
