/* Katz centrality: the steps of an iteration, for CPU cores and for the GPU.
 * Method: x = beta (1 + aA + (aA)^2 + ...) with a = alpha and A along incoming arcs [1], summed term by term; d is the
 * last term, aAd the next.  All terms are of one sign, so the sum y so far is a lower bound.  There are two upper
 * bounds, as in [2].  First, a vector z > 0 with aAz <= rz, r < 1: if a term is at most z, the later terms add up to at
 * most z r / (1 - r).  z is d + mu y with a tiny mu, which stands for terms so small that fixed point has lost them;
 * its image aAz, an upper bound of the next term, serves as well, and is smaller.  Second, for terms that oscillate, as
 * on bipartite graphs: if the last term is at most q beta, q < 1, the later terms add up to at most q times all terms
 * after the first: q / (1 - q) (y - beta).  Rounding and fixed point take at most `lost` times beta from a term, and
 * from scores.
 * Certificate of divergence: a set S of vertices with (aA y)_S >= y_S, counting arcs within S only: then alpha times
 * the largest eigenvalue is 1 or more.
 * Encoding: shares are f64 times 2^62 / 2^up, 2^up above the largest sum of a row; sums have two limbs (core/fixed.h).
 * [1] Katz, "A new status index derived from sociometric analysis", Psychometrika 18, 1953.
 * [2] Nathan, Sanders, Henson, Bader, "Graph ranking guarantees for numerical approximations to Katz centrality",
 *     Procedia Computer Science 108, 2017. */
#ifndef WFI_KATZ_BODIES_H
#define WFI_KATZ_BODIES_H

#include "ops/bodies.h"

enum { KATZ_TERM, KATZ_SCORE, KATZ_QUOTIENT }; /* the largest: as bits; quotients are r of d + mu y */
enum { KATZ_KEPT, KATZ_GONE };                 /* counts of vertices, while divergence is proved */

typedef struct katz_state {
    double *score;                        /* scores of this rank's vertices; all other arrays but `share` have these
                                           * vertices, too */
    double *upper;                        /* on request: the image aAz, then the bound */
    double *term;                         /* negative: in the set S, while divergence is proved */
    double *share;                        /* shares of all vertices */
    wfi_op_totals *totals, *before, *now; /* totals of the last iteration, and of this one */
    wfi_view in;
    weft_vid first;
    double alpha, beta;
    double widest;  /* the largest sum of a row */
    double up;      /* a power of two above the sums of rows, while divergence is proved */
    double tail[2]; /* upper bound of the missing part: times the image, and times the score without beta, ... */
    double lost[2]; /* ... plus this part of the score */
    double norm;    /* scores are divided by it */
} katz_state;

/* The power of two above x > 0. */
WFI_HOST_DEVICE static inline double katz_above(double x) { return wfi_op_real(((wfi_op_bits(x) >> 52) + 1) << 52); }

WFI_HOST_DEVICE static inline double katz_largest(const wfi_op_totals *t, int i) { return wfi_op_real(t->most[i]); }

/* A power of two above the row sums of the last terms. */
WFI_HOST_DEVICE static inline double katz_up(const katz_state *s) {
    return katz_above(katz_largest(s->before, KATZ_TERM) * s->widest);
}

/* Upper bound of the missing part of a score. */
WFI_HOST_DEVICE static inline double katz_missing(const katz_state *s, double image, double score) {
    double one = s->tail[0] * image + s->lost[0] * score, other = s->tail[1] * (score - s->beta) + s->lost[1] * score;
    return other < one ? other : one; /* in this order, because `other` is NaN if infinity meets beta */
}

WFI_HOST_DEVICE static inline void katz_begin(const katz_state *s, weft_vid k, wfi_op_totals *t) {
    s->score[k] = s->term[k] = s->beta;
    if (s->upper) s->upper[k] = 0; /* final for vertices without arcs */
    wfi_op_most(t, KATZ_TERM, wfi_op_bits(s->beta));
    wfi_op_most(t, KATZ_SCORE, wfi_op_bits(s->beta));
}

WFI_HOST_DEVICE static inline void katz_share(const katz_state *s, weft_vid k, wfi_op_totals *t) {
    (void)t;
    s->share[s->first + k] = s->term[k] * (WFI_FIXED_ONE / katz_up(s));
}

WFI_HOST_DEVICE static inline void katz_pull_end(const katz_state *s, weft_vid k, double came, wfi_op_totals *t) {
    double up = katz_up(s), next = s->alpha * (came * up);
    double mu = 0x1p-40 * katz_largest(s->before, KATZ_TERM) / katz_largest(s->before, KATZ_SCORE);
    double z = s->term[k] + mu * s->score[k];
    double arcs = (double)(s->in.offsets[(size_t)k + 1] - s->in.offsets[k]), cut = arcs * 0x1p-92; /* upper bound of the
                                                                                                    * loss */
    double score = s->score[k] + next, image = s->alpha * ((came + cut) * up) + mu * (score - s->beta);
    s->term[k] = next;
    s->score[k] = score;
    if (s->upper) s->upper[k] = image + 0x1p-1022; /* above 0, for an infinite tail */
    wfi_op_most(t, KATZ_TERM, wfi_op_bits(next));
    wfi_op_most(t, KATZ_SCORE, wfi_op_bits(score));
    wfi_op_most(t, KATZ_QUOTIENT, wfi_op_bits(image / z * (1 + 0x1p-45))); /* more than rounding took */
}

WFI_HOST_DEVICE static inline void katz_bound(const katz_state *s, weft_vid k, wfi_op_totals *t) {
    double score = s->score[k];
    (void)t;
    s->upper[k] = (score + katz_missing(s, s->upper[k], score)) * (1 + 0x1p-48) / s->norm;
}

/* --- divergence --- */

WFI_HOST_DEVICE static inline void katz_mark(const katz_state *s, weft_vid k, wfi_op_totals *t) {
    if (s->term[k] < s->beta) return;
    s->term[k] = -s->term[k];
    t->count[KATZ_KEPT]++;
}

WFI_HOST_DEVICE static inline void katz_share_kept(const katz_state *s, weft_vid k, wfi_op_totals *t) {
    (void)t;
    s->share[s->first + k] = s->term[k] < 0 ? s->score[k] * (WFI_FIXED_ONE / s->up) : 0;
}

/* The largest complement of a quotient: its minimum. */
WFI_HOST_DEVICE static inline void katz_return_end(const katz_state *s, weft_vid k, double came, wfi_op_totals *t) {
    if (!(s->term[k] < 0)) return;
    double quotient = came * s->up / s->score[k];
    if (s->alpha * quotient >= 1 - 0x1p-40) {
        t->count[KATZ_KEPT]++;
        wfi_op_most(t, KATZ_QUOTIENT, ~wfi_op_bits(quotient));
    } else {
        t->count[KATZ_GONE]++;
        s->term[k] = -s->term[k];
    }
}

#define KATZ_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) \
    VERTICES(katz_begin)                             \
    VERTICES(katz_share)                             \
    ROWS_FIXED(katz_pull) VERTICES(katz_bound) VERTICES(katz_mark) VERTICES(katz_share_kept) ROWS_FIXED(katz_return)

#endif
