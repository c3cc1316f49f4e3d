/* Eigenvector centrality: the steps of an iteration, for CPU cores and for the GPU.
 * Method: power iteration with A + shift I [1] along incoming arcs, from 1/n; the shift prevents oscillation on
 * bipartite graphs.  It is 1, or the power of two nearest to the mean weight: the scores do not depend on the unit of
 * weights.  Values sum to 1: a vertex passes on its value / D, with D = T + shift and T the sum over all vertices of
 * value * (sum of the weights of its outgoing arcs).  The quotients (Ax)(v) / x(v) enclose the largest eigenvalue [2]:
 * their maximum is an upper bound; their minimum a lower bound, and in an undirected graph so is Rayleigh's quotient
 * xAx / xx, which is the better one.
 * Encoding: shares are f64 times 2^62, sums have two limbs (core/fixed.h); T is added up times 2^-scale, with 2^scale
 * above the sum of every row.
 * [1] Bonacich, "Factoring and weighting approaches to status scores and clique identification",
 *     Journal of Mathematical Sociology 2, 1972.
 * [2] Collatz, "Einschliessungssatz fuer die charakteristischen Zahlen von Matrizen", Mathematische Zeitschrift 48,
 *     1942; Wielandt, "Unzerlegbare, nicht negative Matrizen", Mathematische Zeitschrift 52, 1950. */
#ifndef WFI_EIGENVECTOR_BODIES_H
#define WFI_EIGENVECTOR_BODIES_H

#include "ops/bodies.h"

/* Sums: T times 2^-scale; the change of values; xAx / D; xx. */
enum { EIGEN_GIVEN, EIGEN_CHANGE, EIGEN_XAX, EIGEN_XX };
enum { EIGEN_HIGH, EIGEN_LOW }; /* the largest quotient, and the complement of the smallest */

typedef struct eigen_state {
    double *score;                        /* the values x of this rank's vertices */
    double *share;                        /* shares of all vertices */
    double *sums;                         /* sums of the weights of outgoing rows; NULL: their lengths are the sums */
    wfi_op_totals *totals, *before, *now; /* totals of the last iteration, and of this one */
    wfi_view out, in;
    weft_vid first;
    double start, up, unit; /* 1/n, 2^scale, 2^62 / 2^scale */
    double shift;
} eigen_state;

WFI_HOST_DEVICE static inline double eigen_row_sum(const eigen_state *s, weft_vid k) {
    return s->sums ? s->sums[k] : (double)(s->out.offsets[(size_t)k + 1] - s->out.offsets[k]);
}

WFI_HOST_DEVICE static inline double eigen_divisor(const eigen_state *s) {
    return wfi_op_value(s->before, EIGEN_GIVEN) * s->up + s->shift;
}

/* The weights of all rows, times start. */
WFI_HOST_DEVICE static inline void eigen_weigh(const eigen_state *s, weft_vid k, wfi_op_totals *t) {
    wfi_fixed_add(&t->sum[EIGEN_GIVEN], s->start * (eigen_row_sum(s, k) * s->unit));
}

WFI_HOST_DEVICE static inline void eigen_begin(const eigen_state *s, weft_vid k, wfi_op_totals *t) {
    s->score[k] = s->start;
    eigen_weigh(s, k, t);
}

/* After a checkpoint. */
WFI_HOST_DEVICE static inline void eigen_resume(const eigen_state *s, weft_vid k, wfi_op_totals *t) {
    wfi_fixed_add(&t->sum[EIGEN_GIVEN], s->score[k] * (eigen_row_sum(s, k) * s->unit));
}

WFI_HOST_DEVICE static inline void eigen_share(const eigen_state *s, weft_vid k, wfi_op_totals *t) {
    (void)t;
    s->share[s->first + k] = s->score[k] * (WFI_FIXED_ONE / eigen_divisor(s));
}

WFI_HOST_DEVICE static inline void eigen_pull_end(const eigen_state *s, weft_vid k, double came, wfi_op_totals *t) {
    double d = eigen_divisor(s), x = s->score[k], next = came + x * s->shift / d, moved = next - x;
    double cut =
        (double)(s->in.offsets[(size_t)k + 1] - s->in.offsets[k]) * 0x1p-92; /* the largest error of fixed point */
    double slack = x > 0 ? d / x : 0;
    s->score[k] = next;
    wfi_fixed_add(&t->sum[EIGEN_GIVEN], next * (eigen_row_sum(s, k) * s->unit));
    wfi_fixed_add(&t->sum[EIGEN_CHANGE], (moved < 0 ? -moved : moved) * WFI_FIXED_ONE);
    wfi_fixed_add(&t->sum[EIGEN_XAX], x * came * WFI_FIXED_ONE);
    wfi_fixed_add(&t->sum[EIGEN_XX], x * x * WFI_FIXED_ONE);
    /* Rounding errors, here and in the shares, are on the safe side.  An underflowed value encloses nothing. */
    wfi_op_most(t, EIGEN_HIGH, x > 0 ? wfi_op_bits((came + cut) * slack * (1 + 0x1p-45)) : 0x7ff0000000000000u);
    wfi_op_most(t, EIGEN_LOW, ~wfi_op_bits(came * slack * (1 - 0x1p-45)));
}

#define EIGEN_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) \
    VERTICES(eigen_weigh) VERTICES(eigen_begin) VERTICES(eigen_resume) VERTICES(eigen_share) ROWS_FIXED(eigen_pull)

#endif
