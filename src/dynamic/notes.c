/* See notes.h.  A note: version since the group's birth (24 bits), what (2), row (6), target (32). */
#include "dynamic/notes.h"

#include <string.h>

enum { ARC_BITS = 38, STAMP_AT = 40 };
#define ARC_MASK (((uint64_t)1 << ARC_BITS) - 1)

static uint64_t arc_of(unsigned row, weft_vid target) { return (uint64_t)row << 32 | target; }
static weft_change what_of(uint64_t note) { return (weft_change)(note >> ARC_BITS & 3); }
static bool is_seen(const wfi_group *group, uint64_t note, uint64_t version) {
    return group->head.birth + (note >> STAMP_AT) <= version;
}
static unsigned notes_of(const wfi_group *group) { return atomic_load_explicit(&group->notes, memory_order_acquire); }

unsigned wfi_notes_list(const wfi_group *group, uint64_t version, size_t weight, wfi_noted *list) {
    unsigned notes = notes_of(group), count = 0;
    uint64_t sorted[WFI_MOST_NOTES]; /* arc << 8 | position, so that the last of an arc comes last */
    const uint64_t *note = wfi_group_notes(group, weight);
    const char *weights = wfi_note_weights(group, weight);
    for (unsigned i = 0; i < notes; i++) {
        if (!is_seen(group, note[i], version)) continue;
        uint64_t key = (note[i] & ARC_MASK) << 8 | i;
        unsigned at = count++;
        for (; at && sorted[at - 1] > key; at--) sorted[at] = sorted[at - 1];
        sorted[at] = key;
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i + 1 < count && sorted[i] >> 8 == sorted[i + 1] >> 8) continue;
        unsigned at = sorted[i] & 255;
        list[kept++] = (wfi_noted){(weft_vid)note[at], (uint8_t)(note[at] >> 32 & 63),
                                   what_of(note[at]) != WEFT_CHANGE_DELETE, weights ? weights + at * weight : NULL};
    }
    return kept;
}

void wfi_notes_count(const wfi_group *group, uint64_t version, int32_t more[WFI_GROUP_ROWS]) {
    unsigned notes = notes_of(group);
    const uint64_t *note = wfi_group_notes(group, group->weight);
    memset(more, 0, WFI_GROUP_ROWS * sizeof *more);
    for (unsigned i = 0; i < notes; i++) {
        if (!is_seen(group, note[i], version)) continue;
        weft_change what = what_of(note[i]);
        more[note[i] >> 32 & 63] += what == WEFT_CHANGE_INSERT ? 1 : what == WEFT_CHANGE_DELETE ? -1 : 0;
    }
}

/* --- the arc as it is -------------------------------------------------------------- */

static size_t search(const weft_vid *targets, size_t count, weft_vid target) {
    size_t low = 0;
    while (count) {
        size_t half = count / 2;
        bool right = targets[low + half] < target;
        low = right ? low + half + 1 : low;
        count = right ? count - half - 1 : half;
    }
    return low;
}

static bool find_long(const wfi_long_row *row, weft_vid target, size_t weight, const char **found) {
    uint32_t low = 0, high = row->leaves;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (row->at[middle].first <= target)
            low = middle;
        else
            high = middle;
    }
    const wfi_leaf *leaf = row->at[low].leaf;
    size_t at = search(leaf->targets, leaf->count, target);
    if (at == leaf->count || leaf->targets[at] != target) return false;
    *found = weight ? (const char *)wfi_leaf_weights(leaf) + at * weight : NULL;
    return true;
}

/* Is the arc there, and with which weight?  The writer's question: it sees all notes. */
static bool find(const wfi_group *group, unsigned notes, unsigned r, weft_vid target, size_t weight,
                 const char **found) {
    const uint64_t *note = wfi_group_notes(group, weight);
    uint64_t arc = arc_of(r, target);
    for (unsigned i = notes; i--;) {
        if ((note[i] & ARC_MASK) != arc) continue;
        *found = weight ? wfi_note_weights(group, weight) + i * weight : NULL;
        return what_of(note[i]) != WEFT_CHANGE_DELETE;
    }
    const wfi_long_row *row = wfi_long_row_of(group, r);
    if (row) return find_long(row, target, weight, found);
    const weft_vid *targets = wfi_group_targets(group) + group->start[r];
    size_t count = group->start[r + 1] - group->start[r], at = search(targets, count, target);
    if (at == count || targets[at] != target) return false;
    *found = weight ? (const char *)wfi_group_weights(group) + (group->start[r] + at) * weight : NULL;
    return true;
}

void wfi_notes_prefetch(const wfi_changes *c, const wfi_group *group, uint64_t first) {
    unsigned r = wfi_change_row(c, first) % WFI_GROUP_ROWS;
    const uint64_t *note = wfi_group_notes(group, group->weight);
    unsigned notes = atomic_load_explicit(&group->notes, memory_order_relaxed);
    for (unsigned i = 0; i <= notes; i += 8) __builtin_prefetch(note + i);
    __builtin_prefetch(wfi_group_targets(group) + group->start[r] + (group->start[r + 1] - group->start[r]) / 2);
}

void wfi_notes_take(wfi_merge *m, wfi_group *group, uint64_t first, uint64_t end) {
    size_t weight = m->maker.store->weight;
    unsigned notes = notes_of(group);
    uint64_t *note = wfi_group_notes(group, weight), stamp = (m->maker.birth - group->head.birth) << STAMP_AT;
    for (uint64_t i = first; i < end;) {
        weft_vid row = (weft_vid)wfi_change_row(m->changes, i);
        wfi_edit e = wfi_next_edit(m, row, &i, end);
        const char *old = NULL;
        bool there = find(group, notes, e.row, e.target, weight, &old);
        if (!wfi_count_edit(m, row, &e, there, old)) continue;
        weft_change what = e.change == WEFT_CHANGE_DELETE ? WEFT_CHANGE_DELETE
                           : there                        ? WEFT_CHANGE_WEIGHT
                                                          : WEFT_CHANGE_INSERT;
        note[notes] = stamp | (uint64_t)what << ARC_BITS | arc_of(e.row, e.target);
        if (weight && what != WEFT_CHANGE_DELETE)
            memcpy(wfi_note_weights(group, weight) + notes * weight, e.fresh, weight);
        notes++;
    }
    atomic_store_explicit(&group->notes, notes, memory_order_release);
}
