/* HITS: the steps of an iteration, for CPU cores and for the GPU.
 * Method: power iteration [1]: authorities pull the hubs along incoming arcs, then hubs the authorities along outgoing
 * ones.  A vertex passes on its value / T, where T is the sum over all vertices of value * (sum of the weights of its
 * arcs on that side): the new values sum to 1, and whatever the weights, no sum leaves 0 ... 1.
 * Encoding: shares are f64 times 2^62, sums are in two limbs (core/fixed.h); T is added up times 2^-scale, with 2^scale
 * above the sum of every row.
 * [1] Kleinberg, "Authoritative sources in a hyperlinked environment", Journal of the ACM 46, 1999. */
#ifndef WFI_HITS_BODIES_H
#define WFI_HITS_BODIES_H

#include "ops/bodies.h"

enum { HITS_GIVEN, HITS_CHANGE }; /* totals: T times 2^-scale, and the change of values */

/* Hubs or authorities. */
typedef struct hits_side {
    wfi_view rows; /* the rows along which it pulls, and along which the other side passes it on */
    double *value;
    double *sums; /* sums of the weights of each row; NULL: its length is the sum */
    wfi_op_totals *total;
    double up, unit; /* 2^scale, and 2^62 / 2^scale */
} hits_side;

typedef struct hits_state {
    hits_side hubs, authorities;
    hits_side from, to; /* the sides of half an iteration */
    double *share;      /* shares of all vertices */
    wfi_op_totals *totals;
    weft_vid first;
    double start;
} hits_state;

WFI_HOST_DEVICE static inline double hits_row_sum(const hits_side *side, weft_vid k) {
    return side->sums ? side->sums[k] : (double)(side->rows.offsets[(size_t)k + 1] - side->rows.offsets[k]);
}

/* All values are equal: at the beginning 1/n, or 0 if no arc counts. */
WFI_HOST_DEVICE static inline void hits_begin(const hits_state *s, weft_vid k, wfi_op_totals *t) {
    s->hubs.value[k] = s->authorities.value[k] = s->start;
    wfi_fixed_add(&t->sum[HITS_GIVEN], s->start * (hits_row_sum(&s->hubs, k) * s->hubs.unit));
}

/* The total that the hubs pass on, after a checkpoint. */
WFI_HOST_DEVICE static inline void hits_resume(const hits_state *s, weft_vid k, wfi_op_totals *t) {
    wfi_fixed_add(&t->sum[HITS_GIVEN], s->hubs.value[k] * (hits_row_sum(&s->hubs, k) * s->hubs.unit));
}

WFI_HOST_DEVICE static inline void hits_share(const hits_state *s, weft_vid k, wfi_op_totals *t) {
    (void)t;
    s->share[s->first + k] =
        s->from.value[k] * (WFI_FIXED_ONE / (wfi_op_value(s->from.total, HITS_GIVEN) * s->from.up));
}

WFI_HOST_DEVICE static inline void hits_pull_end(const hits_state *s, weft_vid k, double came, wfi_op_totals *t) {
    double moved = came - s->to.value[k];
    s->to.value[k] = came;
    wfi_fixed_add(&t->sum[HITS_CHANGE], (moved < 0 ? -moved : moved) * WFI_FIXED_ONE);
    wfi_fixed_add(&t->sum[HITS_GIVEN], came * (hits_row_sum(&s->to, k) * s->to.unit));
}

#define HITS_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) \
    VERTICES(hits_begin) VERTICES(hits_resume) VERTICES(hits_share) ROWS_FIXED(hits_pull)

#endif
