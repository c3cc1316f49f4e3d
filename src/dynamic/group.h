/* Groups of a new version: 64 old rows merged with a batch's changes, or copied from a graph; and the delta records
 * that spare small batches the copy.
 *
 * Method: a group's block has a buffer of delta records beside its rows, as nodes of a Bw-tree or a B-epsilon tree do.
 * A few changes are appended there in place: no block is copied, and no node above.  When the buffer is full, rows,
 * deltas and changes are merged into a fresh block (copy on write).
 * Encoding: a delta is stamped with its version, and readers of older versions skip it; the number of deltas is stored
 * last (release).  Deltas are appended while other groups are merged, and nobody sees them until their version is
 * published.  If the batch fails, the number is put back and the next batch overwrites them; a reader that still looks
 * at them skips the one as it does the other, so only the words themselves are read and written atomically. */
#ifndef WFI_DYNAMIC_GROUP_H
#define WFI_DYNAMIC_GROUP_H

#include "dynamic/store.h"

/* The changes of a batch, by row and target; of the same arc in the batch's order. */
typedef struct wfi_changes {
    uint64_t *key;  /* (row << bits | target) << shift; without `what`, a weft_change in the shifted bits */
    uint32_t *what; /* position in the batch << 2 | weft_change; NULL: no weights, nobody asks for the position */
    uint64_t count;
    unsigned bits;       /* of a slot */
    unsigned shift;      /* 0 or 2 */
    const char *weights; /* the batch's */
    uint32_t *removed;   /* of each slot: 1 + the position of its last removal, 0 = none; NULL = no vertex is removed */
} wfi_changes;

static inline uint64_t wfi_change_row(const wfi_changes *c, uint64_t i) { return c->key[i] >> (c->bits + c->shift); }
static inline weft_vid wfi_change_target(const wfi_changes *c, uint64_t i) {
    return (weft_vid)(c->key[i] >> c->shift & (((uint64_t)1 << c->bits) - 1));
}
static inline uint32_t wfi_change_what(const wfi_changes *c, uint64_t i) {
    return c->what ? c->what[i] : c->key[i] & 3;
}

/* What a batch wants of one arc, and what is known of it. */
typedef struct wfi_edit {
    weft_vid target;
    uint32_t fresh;        /* the position in the batch whose weight it gets */
    uint8_t row;           /* in its group */
    uint8_t change;        /* a weft_change */
    bool asked;            /* by the batch; else there is only a delta */
    bool has_delta, there; /* a delta says whether the arc is there; else the rows do */
    uint8_t delta;         /* which of wfi_merge.deltas */
} wfi_edit;

/* Consecutive edits. */
typedef struct wfi_edits {
    const wfi_edit *first, *end;
} wfi_edits;

/* The last delta of an arc. */
typedef struct wfi_delta {
    weft_vid target;
    uint8_t row;
    bool there;         /* the arc is; else it was deleted */
    const char *weight; /* of an arc that is there */
} wfi_delta;

/* One thread's part, on cache lines of its own. */
typedef struct wfi_merge {
    _Alignas(64) wfi_maker maker;
    const wfi_changes *changes;
    wfi_edit *edits; /* of the group that is merged */
    size_t edits_room;
    wfi_delta deltas[WFI_MOST_DELTAS]; /* there */
    weft_batch_stats stats;
    int64_t arcs, loops; /* more than before */
    size_t merged_at;    /* where groups of its share of the list go */
} wfi_merge;

/* A sorted run of arcs: a short row, or a leaf. */
typedef struct wfi_sorted_run {
    const weft_vid *targets;
    const char *weights;
    size_t count;
} wfi_sorted_run;

/* The run of a group's short row. */
static inline wfi_sorted_run wfi_short_row(const wfi_group *group, unsigned r) {
    return (wfi_sorted_run){wfi_group_targets(group) + group->start[r],
                            (const char *)wfi_group_weights(group) + (size_t)group->start[r] * group->weight,
                            group->start[r + 1] - group->start[r]};
}
static inline wfi_sorted_run wfi_leaf_run(const wfi_leaf *leaf) {
    return (wfi_sorted_run){leaf->targets, wfi_leaf_weights(leaf), leaf->count};
}

/* What the changes of one arc, from *i on, amount to; counts those that later ones supersede. */
wfi_edit wfi_next_edit(wfi_merge *m, weft_vid row, uint64_t *i, uint64_t end);
/* Counts what becomes of an edit of an arc that is there, with the weight `old`, or is not.  False: nothing changes. */
bool wfi_count_edit(wfi_merge *m, weft_vid row, const wfi_edit *e, bool there, const char *old);
/* A run merged with its edits goes to the maker's scratch at *used, which becomes its end. */
weft_status wfi_run_merge(wfi_merge *m, weft_vid row, const wfi_sorted_run *run, wfi_edits edits, size_t *used);

/* The group that takes the place of `old` (NULL: empty rows): placed->fresh, NULL if nothing is left. */
weft_status wfi_group_merge(wfi_merge *m, wfi_group *old, uint64_t alive, wfi_placed *placed);
/* The same rows of a graph; WEFT_EINVAL, without a message, if there are parallel arcs. */
weft_status wfi_group_copy(wfi_maker *m, const weft_graph *g, wfi_placed *placed);

/* --- deltas (delta.c) ------------------------------------------------------------------------ */

/* By row and target, each arc once, as a version sees them; `list` has room for WFI_MOST_DELTAS. */
unsigned wfi_deltas_list(const wfi_group *group, uint64_t version, wfi_delta *list);
/* Arcs more or less in each row. */
void wfi_deltas_count(const wfi_group *group, uint64_t version, int32_t more[WFI_GROUP_ROWS]);

/* Is there room for so many more, in this version? */
static inline bool wfi_deltas_fit(const wfi_group *group, uint64_t version, uint64_t count) {
    return atomic_load_explicit(&group->deltas, memory_order_relaxed) + count <= group->delta_room &&
           version - group->head.birth < (uint64_t)1 << 24;
}
/* Prefetches the starts and deltas that wfi_deltas_write will read; the group's head is in the cache. */
void wfi_deltas_prefetch(const wfi_changes *c, const wfi_placed *placed);
/* Appends the changes of those of these groups that are marked `buffered`; placed->end - first is then how many deltas
 * they became.  Counts what becomes of the changes. */
void wfi_deltas_write(wfi_merge *m, wfi_placed *placed, size_t groups);
/* The batch failed: the deltas that it appended there are gone. */
void wfi_deltas_rollback(const wfi_placed *placed);

#endif
