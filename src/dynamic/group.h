/* Groups on their way: 64 rows, old ones merged with the changes of a batch, or those of a graph. */
#ifndef WFI_DYNAMIC_GROUP_H
#define WFI_DYNAMIC_GROUP_H

#include "dynamic/store.h"

/* The changes of a batch, by row and target; of the same arc in the batch's order. */
typedef struct wfi_changes {
    uint64_t
        *key; /* (row << bits | target) << shift, and where there is no `what`, a weft_change in the shifted bits */
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
    uint32_t fresh;    /* the position in the batch whose weight it gets */
    uint8_t row;       /* in its group */
    uint8_t change;    /* a weft_change */
    bool asked;        /* by the batch; else there is only a note */
    bool noted, there; /* a note says whether the arc is there; else the rows do */
    uint8_t note;      /* which of wfi_merge.noted */
} wfi_edit;

/* The last note of an arc. */
typedef struct wfi_noted {
    weft_vid target;
    uint8_t row;
    bool there;         /* the arc is; else it was deleted */
    const char *weight; /* of an arc that is there */
} wfi_noted;

/* One thread's part, on cache lines of its own. */
typedef struct wfi_merge {
    _Alignas(64) wfi_maker maker;
    const wfi_changes *changes;
    wfi_edit *edits; /* of the group that is merged */
    size_t edits_room;
    wfi_noted noted[WFI_MOST_NOTES]; /* there */
    weft_batch_stats stats;
    int64_t arcs, loops;        /* more than before */
    size_t merged_at;           /* where groups of its share of the list go */
} wfi_merge;

/* Arcs side by side: a short row, or a leaf. */
typedef struct wfi_span {
    const weft_vid *targets;
    const char *weights;
    size_t count;
} wfi_span;

/* What the changes of one arc, from *i on, amount to; counts those that later ones supersede. */
wfi_edit wfi_next_edit(wfi_merge *m, weft_vid row, uint64_t *i, uint64_t end);
/* Counts what becomes of an edit of an arc that is there, with the weight `old`, or is not.  False: nothing changes. */
bool wfi_count_edit(wfi_merge *m, weft_vid row, const wfi_edit *e, bool there, const char *old);
/* A span and its edits go to the maker's scratch at *used, which becomes their end. */
weft_status wfi_span_merge(wfi_merge *m, weft_vid row, const wfi_span *s, const wfi_edit *e, const wfi_edit *end,
                           size_t *used);

/* The group that takes the place of `old` (NULL: empty rows): placed->fresh, NULL if nothing is left. */
weft_status wfi_group_merge(wfi_merge *m, wfi_group *old, uint64_t alive, wfi_placed *placed);
/* The same rows of a graph; WEFT_EINVAL, without a message, if there are parallel arcs. */
weft_status wfi_group_copy(wfi_maker *m, const weft_graph *g, wfi_placed *placed);

#endif
