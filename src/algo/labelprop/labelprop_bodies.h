/* Synchronous label propagation [1]: the steps, for CPU cores and for the GPU.
 * Method: every vertex takes the mode of its neighbours' labels, or, with weights, the label with the largest sum of
 * weights (ops/group.h).  When few vertices change, only their neighbours are counted again (a frontier).  In the first
 * step all labels differ: if no arc repeats another, every vertex takes the first neighbour of its row, which is the
 * smallest.
 * Encoding: labels alternate between two arrays over all vertices.  The array that a step writes still holds the labels
 * of two steps ago, so a cycle of length two is found by comparing before writing.
 * [1] Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures", Phys. Rev. E 76 (2007). */
#ifndef WFI_LABELPROP_BODIES_H
#define WFI_LABELPROP_BODIES_H

#include "ops/bodies.h"
#include "ops/group.h"

/* Counters: vertices whose label differs from that of one step ago and of two steps ago; arcs at changed vertices. */
enum { LABELS_CHANGED, LABELS_DIFFER, LABELS_VOLUME };
enum { LABELS_COMMUNITIES = 0 }; /* at the end of the run */

typedef struct labels_state {
    weft_vid *label, *other; /* by vertex of the graph; used in turn */
    uint8_t *active;         /* by vertex of this rank: a neighbour has changed */
    wfi_op_totals *total;
    const weft_vid *now; /* labels before the step */
    weft_vid *next;      /* labels after the step; until written, the labels of two steps ago */
    wfi_view out, in;    /* this rank's rows; in.offsets is NULL if the graph is undirected */
    weft_vid first;
    bool sparse; /* only active vertices are counted */
    wfi_row_group group;
} labels_state;

/* Labels of a vertex one and two steps ago. */
typedef struct vote_row {
    weft_vid one, two;
} vote_row;

WFI_HOST_DEVICE static inline bool vote_wants(const labels_state *s, weft_vid k) { return !s->sparse || s->active[k]; }
WFI_HOST_DEVICE static inline weft_vid vote_key(const labels_state *s, weft_vid v) { return s->now[v]; }
WFI_HOST_DEVICE static inline vote_row vote_enter(const labels_state *s, weft_vid k) {
    vote_row row = {s->now[s->first + k], s->next[s->first + k]};
    return row;
}
WFI_HOST_DEVICE static inline void vote_end(const labels_state *s, weft_vid k, vote_row row, weft_vid label,
                                            wfi_op_totals *t) {
    weft_vid fresh = label == WEFT_NO_VERTEX ? row.one : label;
    t->count[LABELS_DIFFER] += fresh != row.two;
    t->count[LABELS_CHANGED] += fresh != row.one;
    if (fresh != row.one) t->count[LABELS_VOLUME] += wfi_group_degree(&s->out, s->in.offsets ? &s->in : NULL, k);
    s->next[s->first + k] = fresh;
}

/* The first step if no arc repeats another: rows are sorted, so the first target is the smallest label. */
WFI_HOST_DEVICE static inline void labels_smallest(const labels_state *s, weft_vid k, wfi_op_totals *t) {
    weft_eid e = s->out.offsets[k];
    if (e < s->out.offsets[(size_t)k + 1]) vote_end(s, k, vote_enter(s, k), s->out.targets[e - s->out.base], t);
}

/* --- the frontier --- */

WFI_HOST_DEVICE static inline void labels_sleep(const labels_state *s, weft_vid k, wfi_op_totals *t) {
    (void)t;
    s->active[k] = 0;
}
WFI_HOST_DEVICE static inline bool labels_wake_wants(const labels_state *s, weft_vid k) {
    return s->now[k] != s->next[k]; /* only with one rank, where k is a vertex of the graph */
}
WFI_HOST_DEVICE static inline void labels_wake_tell(const labels_state *s, weft_vid v) { wfi_op_mark(&s->active[v]); }

/* --- begin and end: over all vertices, on every rank --- */

WFI_HOST_DEVICE static inline void labels_begin(const labels_state *s, weft_vid v, wfi_op_totals *t) {
    (void)t;
    s->label[v] = s->other[v] = v;
}
WFI_HOST_DEVICE static inline void labels_keep(const labels_state *s, weft_vid v, wfi_op_totals *t) {
    (void)t;
    s->label[v] = s->now[v];
}
/* Counting communities: labels are vertices; `other` becomes a flag for each label that occurs. */
WFI_HOST_DEVICE static inline void labels_clear(const labels_state *s, weft_vid v, wfi_op_totals *t) {
    (void)t;
    s->other[v] = 0;
}
WFI_HOST_DEVICE static inline void labels_occur(const labels_state *s, weft_vid v, wfi_op_totals *t) {
    (void)t;
    wfi_op_mark((uint8_t *)&s->other[s->label[v]]);
}
WFI_HOST_DEVICE static inline void labels_count(const labels_state *s, weft_vid v, wfi_op_totals *t) {
    t->count[LABELS_COMMUNITIES] += s->other[v] != 0;
}

#define LABELS_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) \
    VERTICES(labels_smallest)                          \
    VERTICES(labels_sleep)                             \
    VERTICES(labels_begin) VERTICES(labels_keep) VERTICES(labels_clear) VERTICES(labels_occur) VERTICES(labels_count)

#endif
