/* Groups of a new version: 64 old rows merged with a batch's changes, or copied from a graph; and delta records,
 * which save small batches the copy.
 *
 * Method: a group's block has a buffer of delta records beside its rows, like nodes of a Bw-tree or B-epsilon tree. A
 * few changes are appended there in place: no block is copied, and no node above. When the buffer is full, rows,
 * deltas and changes are merged into a new block (copy on write).
 * Encoding: a delta is stamped with its version, and readers of older versions skip it; the number of deltas is
 * stored last (release). Deltas are appended while other groups are merged, and are invisible until their version is
 * published. If the batch fails, the number is restored and the next batch overwrites the deltas; a concurrent reader
 * skips either of them by its stamp, so only the words themselves need atomic access. */
#ifndef WFI_DYNAMIC_GROUP_H
#define WFI_DYNAMIC_GROUP_H

#include "dynamic/store.h"

/* Changes of a batch by row and target; changes of the same arc in batch order. */
typedef struct wfi_changes {
    uint64_t *key;  /* (row << bits | target) << shift; without `what`, the shifted bits hold a weft_change */
    uint32_t *what; /* position in the batch << 2 | weft_change; NULL: unweighted, positions are not needed */
    uint64_t count;
    unsigned bits;       /* bits of a slot */
    unsigned shift;      /* 0 or 2 */
    const char *weights; /* of the batch */
    uint32_t *removed;   /* per slot: 1 + position of its last removal, 0: none; NULL: no vertex is removed */
} wfi_changes;

static inline uint64_t wfi_change_row(const wfi_changes *c, uint64_t i) { return c->key[i] >> (c->bits + c->shift); }
static inline weft_vid wfi_change_target(const wfi_changes *c, uint64_t i) {
    return (weft_vid)(c->key[i] >> c->shift & (((uint64_t)1 << c->bits) - 1));
}
static inline uint32_t wfi_change_what(const wfi_changes *c, uint64_t i) {
    return c->what ? c->what[i] : c->key[i] & 3;
}

/* Requested change of one arc and the known state of that arc. */
typedef struct wfi_edit {
    weft_vid target;
    uint32_t fresh;        /* position in the batch of the new weight */
    uint8_t row;           /* within its group */
    uint8_t change;        /* weft_change */
    bool asked;            /* requested by the batch; otherwise there is only a delta */
    bool has_delta, there; /* `there` is valid if has_delta is set: the arc exists; otherwise the rows decide */
    uint8_t delta;         /* index in wfi_merge.deltas */
} wfi_edit;

/* Consecutive edits. */
typedef struct wfi_edits {
    const wfi_edit *first, *end;
} wfi_edits;

/* Last delta of an arc. */
typedef struct wfi_delta {
    weft_vid target;
    uint8_t row;
    bool there;         /* the arc exists; false: it was deleted */
    const char *weight; /* valid if the arc exists */
} wfi_delta;

/* A thread's part of a batch, on its own cache lines. */
typedef struct wfi_merge {
    _Alignas(64) wfi_maker maker;
    const wfi_changes *changes;
    wfi_edit *edits; /* edits of the current group */
    size_t edits_capacity;
    wfi_delta deltas[WFI_MOST_DELTAS]; /* deltas of the current group */
    weft_batch_stats stats;
    int64_t arcs, loops; /* differences to the previous version */
    size_t merged_at;    /* position of the share's merged groups in the list */
} wfi_merge;

/* A sorted run of arcs: a short row or a leaf. */
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

/* Combines the changes of one arc from *i on and advances *i; counts superseded ones. */
wfi_edit wfi_next_edit(wfi_merge *m, weft_vid row, uint64_t *i, uint64_t end);
/* Counts the effect of an edit on an arc that exists with weight `old` (there) or does not. False if nothing
 * changes. */
bool wfi_count_edit(wfi_merge *m, weft_vid row, const wfi_edit *e, bool there, const char *old);
/* Merges a run with its edits into the maker's scratch from *used on; advances *used. */
weft_status wfi_run_merge(wfi_merge *m, weft_vid row, const wfi_sorted_run *run, wfi_edits edits, size_t *used);

/* Makes the replacement of `old` (NULL: empty rows): placed->fresh, NULL if nothing is left. */
weft_status wfi_group_merge(wfi_merge *m, wfi_group *old, uint64_t alive, wfi_placed *placed);
/* Makes a group from rows of a graph; WEFT_EINVAL without a message if there are parallel arcs. */
weft_status wfi_group_copy(wfi_maker *m, const weft_graph *g, wfi_placed *placed);

/* --- deltas (delta.c) ------------------------------------------------------------------------ */

/* Lists the deltas visible to a version by row and target, each arc once; `list` holds WFI_MOST_DELTAS entries. */
unsigned wfi_deltas_list(const wfi_group *group, uint64_t version, wfi_delta *list);
/* Sets the change of each row's length by the deltas visible to a version. */
void wfi_deltas_count(const wfi_group *group, uint64_t version, int32_t more[WFI_GROUP_ROWS]);

/* True if `count` more deltas fit in this version. */
static inline bool wfi_deltas_fit(const wfi_group *group, uint64_t version, uint64_t count) {
    return atomic_load_explicit(&group->deltas, memory_order_relaxed) + count <= group->delta_capacity &&
           version - group->head.birth < (uint64_t)1 << 24;
}
/* Prefetches the starts and deltas for wfi_deltas_write. Needs the group's head in the cache. */
void wfi_deltas_prefetch(const wfi_changes *c, const wfi_placed *placed);
/* Appends the changes of those groups that are marked `buffered` and counts their effects; then placed->end - first
 * is the number of new deltas. */
void wfi_deltas_write(wfi_merge *m, wfi_placed *placed, size_t groups);
/* Drops the deltas appended by a failed batch. */
void wfi_deltas_rollback(const wfi_placed *placed);

#endif
