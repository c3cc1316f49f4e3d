/* The effect of a batch of changes on rows, change by change: one code for threads of a GPU and for tests on the host.
 *
 * Changes are keys, (row << bits
 *  target) << 2
 *  weft_change, sorted by row and target, and for one arc in the order of the batch: the last change decides.  Each
 *  change has an outcome and a place in the old arcs.  Inserts and deletes change the lengths of rows; they are the
 *  edits.  An old arc moves by the sum of the edits before it, so that all arcs find their places at the same time: no
 *  thread waits for a value that another one writes.
 *
 * An edit stands before the old arc `at` (an insert) or at it (a delete).  Edits are in the order of their keys, so
 * `at` never decreases: an insert at the end of a row precedes the inserts of the next row, and of the edits with one
 * `at` a delete is the last. */
#ifndef WFI_CUDA_ARC_CHANGES_H
#define WFI_CUDA_ARC_CHANGES_H

#include "core/search.h"

/* The effect of a change. */
typedef enum wfi_outcome {
    WFI_NO_CHANGE = 0, /* none: an unknown vertex, a removed row, or the second arc of a loop */
    WFI_SUPERSEDED,
    WFI_INSERTED,
    WFI_DELETED,
    WFI_WEIGHED,
    WFI_ALREADY_THERE,
    WFI_ABSENT
} wfi_outcome;

/* Counters after the outcomes.  Outcomes are counted by edges: an undirected edge at its arc from the smaller row.  The
 * counters here are of arcs and of loops, in rows of both ends. */
enum { WFI_ARCS_IN = WFI_ABSENT + 1, WFI_ARCS_OUT, WFI_LOOPS_IN, WFI_LOOPS_OUT, WFI_COUNTS };

typedef struct wfi_arc_changes {
    const uint64_t *key;
    const uint32_t *place; /* position in the batch; NULL without weights */
    uint64_t count;
    unsigned bits;
    weft_vid rows; /* after the batch; keys without a change have larger rows */
    bool directed;
    /* The rows before the batch. */
    weft_vid old_rows;
    weft_eid old_arcs;
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *weights;
    const uint32_t *fresh; /* the batch's weights */
    unsigned words;        /* 32-bit words of a weight: 0, 1 or 2 */
} wfi_arc_changes;

/* The key of no change, which sorts behind all others. */
WFI_HOST_DEVICE static inline uint64_t wfi_no_change(unsigned bits) { return (((uint64_t)1 << 2 * bits) - 1) << 2; }
/* `bits` is enough for the rows 0 ... rows - 1 and for one more; 2 * bits + 2 must be at most 64. */
WFI_HOST_DEVICE static inline uint64_t wfi_arc_key(unsigned bits, uint64_t row, uint64_t target, unsigned change) {
    return (row << bits | target) << 2 | change;
}
WFI_HOST_DEVICE static inline weft_vid wfi_key_row(unsigned bits, uint64_t key) {
    return (weft_vid)(key >> (bits + 2));
}
WFI_HOST_DEVICE static inline weft_vid wfi_key_target(unsigned bits, uint64_t key) {
    return (weft_vid)(key >> 2 & (((uint64_t)1 << bits) - 1));
}

/* The batch as the caller gave it. */
typedef struct wfi_edge_changes {
    unsigned bits;
    bool directed;
    const weft_vid *source, *target;
    const uint8_t *changes; /* NULL: all insert */
} wfi_edge_changes;

/* Key k of the batch's 2 * count (undirected) or count keys. */
WFI_HOST_DEVICE static inline uint64_t wfi_key_of(const wfi_edge_changes *e, uint64_t k) {
    uint64_t i = e->directed ? k : k / 2;
    bool back = !e->directed && k % 2;
    weft_vid u = e->source[i], v = e->target[i];
    if (u == WEFT_NO_VERTEX || (back && u == v)) return wfi_no_change(e->bits);
    return wfi_arc_key(e->bits, back ? v : u, back ? u : v, e->changes ? e->changes[i] : (unsigned)WEFT_CHANGE_INSERT);
}

/* The change that decides: a weight after a delete is ignored, and a weight after an insert makes one insert. */
WFI_HOST_DEVICE static inline unsigned wfi_last_change(const wfi_arc_changes *c, uint64_t i) {
    uint64_t arc = c->key[i] >> 2;
    unsigned change = c->key[i] & 3;
    while (change == WEFT_CHANGE_WEIGHT && i && c->key[i - 1] >> 2 == arc) change = c->key[--i] & 3;
    return change;
}

WFI_HOST_DEVICE static inline wfi_outcome wfi_outcome_of(const wfi_arc_changes *c, uint64_t i, weft_eid *at) {
    uint64_t key = c->key[i];
    weft_vid row = wfi_key_row(c->bits, key), target = wfi_key_target(c->bits, key);
    *at = 0;
    if (row >= c->rows) return WFI_NO_CHANGE;
    if (i + 1 < c->count && c->key[i + 1] >> 2 == key >> 2) return WFI_SUPERSEDED;
    unsigned change = wfi_last_change(c, i);
    weft_eid begin = row < c->old_rows ? c->offsets[row] : c->old_arcs;
    weft_eid end = row < c->old_rows ? c->offsets[row + 1] : c->old_arcs;
    *at = wfi_lower_bound_u32(c->targets, begin, end, target);
    bool there = *at < end && c->targets[*at] == target;
    if (!there) return change == WEFT_CHANGE_INSERT ? WFI_INSERTED : WFI_ABSENT;
    if (change == WEFT_CHANGE_DELETE) return WFI_DELETED;
    bool same = true;
    for (unsigned w = 0; w < c->words; w++)
        same = same && c->weights[*at * c->words + w] == c->fresh[(uint64_t)c->place[i] * c->words + w];
    return same ? WFI_ALREADY_THERE : WFI_WEIGHED;
}

WFI_HOST_DEVICE static inline bool wfi_is_edit(wfi_outcome outcome) {
    return outcome == WFI_INSERTED || outcome == WFI_DELETED;
}
/* The numbers of edits and of inserts packed into one word, for one exclusive scan over all changes. */
WFI_HOST_DEVICE static inline uint64_t wfi_edit_tally(wfi_outcome outcome) {
    return (uint64_t)wfi_is_edit(outcome) << 32 | (uint64_t)(outcome == WFI_INSERTED);
}
WFI_HOST_DEVICE static inline uint64_t wfi_edit_tally_edits(uint64_t tally) { return tally >> 32; }
/* The distance by which the arcs behind these changes move: inserts less deletes. */
WFI_HOST_DEVICE static inline int64_t wfi_edit_tally_shift(uint64_t tally) {
    return 2 * (int64_t)(tally & 0xffffffffu) - (int64_t)(tally >> 32);
}

typedef struct wfi_arc_edits {
    uint64_t *at;
    weft_vid *row;
    int64_t *shift; /* shift of the arcs between the previous edit and this one; count + 1 entries */
    uint64_t count;
} wfi_arc_edits;

#endif
