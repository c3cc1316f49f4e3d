/* See notes.h.  A note: version since the group's birth (24 bits), what (2), row (6), target (32). */
#include "dynamic/notes.h"

#include <string.h>

enum { ARC_BITS = 38, STAMP_AT = 40 };
#define ARC_MASK (((uint64_t)1 << ARC_BITS) - 1)

static uint64_t arc_of(unsigned row, weft_vid target) { return (uint64_t)row << 32 | target; }
static uint64_t bit_of(uint64_t arc) { return (uint64_t)1 << (arc * 0x9e3779b97f4a7c15u >> 58); }
static weft_change what_of(uint64_t note) { return (weft_change)(note >> ARC_BITS & 3); }
static bool is_seen(const wfi_group *group, uint64_t note, uint64_t version) {
    return group->head.birth + (note >> STAMP_AT) <= version;
}
static unsigned notes_of(const wfi_group *group) { return atomic_load_explicit(&group->notes, memory_order_acquire); }
/* For those who read while the writer works. */
static uint64_t note_at(const wfi_group *group, unsigned i) {
    return __atomic_load_n(&group->note[i], __ATOMIC_RELAXED);
}

/* By row (first counted), then by target and position, so that the last of an arc comes last: rows have few notes. */
static unsigned sort_notes(const wfi_group *group, uint64_t version, uint64_t *sorted) {
    unsigned notes = notes_of(group), count = 0;
    uint8_t place[WFI_GROUP_ROWS + 1] = {0};
    uint64_t seen[WFI_MOST_NOTES]; /* arc << 8 | position */
    for (unsigned i = 0; i < notes; i++) {
        uint64_t note = note_at(group, i);
        if (!is_seen(group, note, version)) continue;
        seen[count] = (note & ARC_MASK) << 8 | i;
        place[(seen[count++] >> 40) + 1]++;
    }
    for (unsigned r = 0; r < WFI_GROUP_ROWS; r++) place[r + 1] = (uint8_t)(place[r + 1] + place[r]);
    for (unsigned i = 0; i < count; i++) sorted[place[seen[i] >> 40]++] = seen[i];
    for (unsigned i = 1; i < count; i++) {
        uint64_t key = sorted[i];
        unsigned at = i;
        for (; at && sorted[at - 1] > key; at--) sorted[at] = sorted[at - 1];
        sorted[at] = key;
    }
    return count;
}

unsigned wfi_notes_list(const wfi_group *group, uint64_t version, wfi_noted *list) {
    uint64_t sorted[WFI_MOST_NOTES];
    const uint64_t *note = group->note;
    const char *weights = wfi_note_weights(group);
    unsigned kept = 0, count = sort_notes(group, version, sorted);
    for (unsigned i = 0; i < count; i++) {
        if (i + 1 < count && sorted[i] >> 8 == sorted[i + 1] >> 8) continue;
        unsigned at = sorted[i] & 255;
        list[kept++] = (wfi_noted){(weft_vid)note[at], (uint8_t)(note[at] >> 32 & 63),
                                   what_of(note[at]) != WEFT_CHANGE_DELETE, weights + at * group->weight};
    }
    return kept;
}

void wfi_notes_count(const wfi_group *group, uint64_t version, int32_t more[WFI_GROUP_ROWS]) {
    unsigned notes = notes_of(group);
    memset(more, 0, WFI_GROUP_ROWS * sizeof *more);
    for (unsigned i = 0; i < notes; i++) {
        uint64_t note = note_at(group, i);
        if (!is_seen(group, note, version)) continue;
        weft_change what = what_of(note);
        more[note >> 32 & 63] += what == WEFT_CHANGE_INSERT ? 1 : what == WEFT_CHANGE_DELETE ? -1 : 0;
    }
}

/* --- arcs as they are -------------------------------------------------------------- */

/* Is the arc there, and with which weight?  Long stretches are halved side by side: the next step of all of them is
 * asked for before the first needs it, so that they wait for memory together; what is left of each is brought near as a
 * whole. */
typedef struct question {
    wfi_edit edit;
    weft_vid row; /* the slot */
    bool open;    /* no note answers it: the row does */
    bool there;
    const wfi_long_row *leaves;  /* NULL: a short row */
    const weft_vid *first, *low; /* of the span; what is left of it begins at low */
    size_t count, left;          /* of the span, of what is left */
    const char *weights;         /* of the span; then of the arc */
} question;

/* A stretch of so many targets is brought near as a whole, and searched there. */
enum { NEAR = 32, LINE = 64 / sizeof(weft_vid) };

static void bring_near(const weft_vid *targets, size_t count) {
    for (size_t i = 0; i < count; i += LINE) __builtin_prefetch(targets + i);
    if (count) __builtin_prefetch(targets + count - 1);
}

static void look_at_span(question *q, const weft_vid *targets, size_t count, const void *weights) {
    q->first = q->low = targets;
    q->count = q->left = count;
    q->weights = weights;
    if (count > NEAR)
        __builtin_prefetch(targets + count / 2);
    else
        bring_near(targets, count);
}

/* Few arcs that change have changed lately, and most of the others are told by their bit; then all notes are looked at
 * without a branch. */
static bool is_noted(const wfi_group *group, unsigned notes, uint64_t arc) {
    uint64_t found = 0;
    if (!(group->noted & bit_of(arc))) return false;
    for (unsigned i = 0; i < notes; i++) found |= (group->note[i] & ARC_MASK) == arc;
    return found;
}

/* By the notes, of which the writer sees all; else where to look. */
static void ask(question *q, const wfi_group *group, unsigned notes) {
    unsigned r = q->edit.row;
    uint64_t arc = arc_of(r, q->edit.target);
    q->open = false;
    for (unsigned i = is_noted(group, notes, arc) ? notes : 0; i--;) {
        if ((group->note[i] & ARC_MASK) != arc) continue;
        q->there = what_of(group->note[i]) != WEFT_CHANGE_DELETE;
        q->weights = wfi_note_weights(group) + i * group->weight;
        return;
    }
    q->open = true;
    q->leaves = wfi_long_row_of(group, r);
    if (q->leaves) {
        __builtin_prefetch(q->leaves);
        return;
    }
    const char *weights = group->weight ? (char *)wfi_group_weights(group) + group->start[r] * group->weight : NULL;
    look_at_span(q, wfi_group_targets(group) + group->start[r], group->start[r + 1] - group->start[r], weights);
}

/* The leaf that would hold the arc. */
static const wfi_leaf *leaf_for(const wfi_long_row *row, weft_vid target) {
    uint32_t low = 0, count = row->leaves;
    while (count > 1) {
        uint32_t half = count / 2;
        bool right = row->at[low + half].first <= target;
        low += right ? half : 0;
        count = right ? count - half : half;
    }
    return row->at[low].leaf;
}

static void find_leaves(question *q, size_t count) {
    const wfi_leaf *leaf[2 * WFI_MOST_NOTES];
    for (size_t i = 0; i < count; i++) {
        if (!q[i].open || !q[i].leaves) continue;
        leaf[i] = leaf_for(q[i].leaves, q[i].edit.target);
        __builtin_prefetch(leaf[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (q[i].open && q[i].leaves) look_at_span(&q[i], leaf[i]->targets, leaf[i]->count, wfi_leaf_weights(leaf[i]));
}

/* Those that are left after a step are listed for the next. */
static size_t halve(question *q, uint8_t *far, size_t count) {
    size_t left = 0;
    for (size_t k = 0; k < count; k++) {
        question *x = &q[far[k]];
        size_t half = x->left / 2;
        bool right = x->low[half] < x->edit.target;
        x->low += right ? half + 1 : 0;
        x->left = right ? x->left - half - 1 : half;
        if (x->left > NEAR) {
            __builtin_prefetch(x->low + x->left / 2);
            far[left++] = far[k];
        } else {
            bring_near(x->low, x->left);
        }
    }
    return left;
}

/* The first that is not below the target, of a stretch that is near: counted, as no branch could be foretold. */
static const weft_vid *search_near(const weft_vid *low, size_t left, weft_vid target) {
    unsigned below = 0;
    for (size_t i = 0; i < left; i++) below += low[i] < target;
    return low + below;
}

static void answer(question *q, size_t count, size_t weight) {
    uint8_t far[2 * WFI_MOST_NOTES];
    size_t fars = 0;
    find_leaves(q, count);
    for (size_t i = 0; i < count; i++) {
        far[fars] = (uint8_t)i;
        fars += q[i].open && q[i].left > NEAR;
    }
    while (fars) fars = halve(q, far, fars);
    for (size_t i = 0; i < count; i++) {
        if (!q[i].open) continue;
        const weft_vid *low = search_near(q[i].low, q[i].left, q[i].edit.target);
        size_t at = (size_t)(low - q[i].first);
        q[i].there = at < q[i].count && *low == q[i].edit.target;
        if (weight) q[i].weights += at * weight;
    }
}

void wfi_notes_prefetch(const wfi_changes *c, const wfi_placed *placed) {
    const wfi_group *group = placed->fresh;
    unsigned notes = atomic_load_explicit(&group->notes, memory_order_relaxed);
    uint64_t bits = 0;
    for (uint64_t i = placed->first; i < placed->end; i++) {
        unsigned row = wfi_change_row(c, i) % WFI_GROUP_ROWS;
        __builtin_prefetch(&group->start[row]);
        bits |= bit_of(arc_of(row, wfi_change_target(c, i)));
    }
    for (unsigned i = bits & group->noted ? 0 : notes; i <= notes; i += 8) __builtin_prefetch(group->note + i);
}

/* Edits that change nothing need no note. */
static void write_group(wfi_merge *m, wfi_placed *p, const question *q, const question *end) {
    wfi_group *group = p->fresh;
    const char *weights = m->changes->weights;
    size_t weight = group->weight;
    unsigned before = notes_of(group), notes = before;
    uint64_t stamp = (m->maker.birth - group->head.birth) << STAMP_AT, noted = group->noted;
    for (; q < end; q++) {
        if (!wfi_count_edit(m, q->row, &q->edit, q->there, q->weights)) continue;
        weft_change what = q->edit.change == WEFT_CHANGE_DELETE ? WEFT_CHANGE_DELETE
                           : q->there                           ? WEFT_CHANGE_WEIGHT
                                                                : WEFT_CHANGE_INSERT;
        uint64_t arc = arc_of(q->edit.row, q->edit.target);
        noted |= bit_of(arc);
        if (weight && what != WEFT_CHANGE_DELETE)
            memcpy(wfi_note_weights(group) + notes * weight, weights + q->edit.fresh * weight, weight);
        __atomic_store_n(&group->note[notes++], stamp | (uint64_t)what << ARC_BITS | arc, __ATOMIC_RELAXED);
    }
    p->end = p->first + (notes - before);
    if (notes == before) return;
    group->noted = noted;
    atomic_store_explicit(&group->notes, notes, memory_order_release);
}

/* Bits of notes that are none only let more of them be looked at. */
void wfi_notes_take_back(const wfi_placed *placed) {
    wfi_group *group = placed->fresh;
    atomic_store_explicit(&group->notes, notes_of(group) - (unsigned)(placed->end - placed->first),
                          memory_order_release);
}

void wfi_notes_write(wfi_merge *m, wfi_placed *placed, size_t groups) {
    question q[2 * WFI_MOST_NOTES];
    size_t ends[WFI_MOST_NOTES], count = 0, first = 0;
    for (size_t g = 0; g < groups; g++) {
        const wfi_placed *p = &placed[g];
        unsigned notes = p->noted ? notes_of(p->fresh) : 0;
        for (uint64_t i = p->first; p->noted && i < p->end; count++) {
            q[count].row = (weft_vid)wfi_change_row(m->changes, i);
            q[count].edit = wfi_next_edit(m, q[count].row, &i, p->end);
            ask(&q[count], p->fresh, notes);
        }
        ends[g - first] = count;
        if (g + 1 < groups && count < WFI_MOST_NOTES && g + 1 - first < WFI_MOST_NOTES) continue;
        answer(q, count, m->maker.store->weight);
        for (size_t k = first; k <= g; k++)
            if (placed[k].noted)
                write_group(m, &placed[k], q + (k > first ? ends[k - first - 1] : 0), q + ends[k - first]);
        first = g + 1;
        count = 0;
    }
}
