/* Geometric skips: number of failures before the next success, each candidate succeeding with probability p. They
 * make the time for G(n,p) proportional to its edges instead of its pairs [1].
 *
 * Method: skip = floor(log U / log(1-p)), U uniform in (0, 1].
 * The same bits everywhere: log2 U is computed in fixed point with integer instructions only (a table of 256
 * reciprocals and logarithms, then eight terms of the series). The factor 1/log2(1-p) is computed once, from integers
 * and a chain of IEEE multiplications and divisions, which every compiler and machine rounds alike: it contains no
 * sum that could be fused with a product. The error of the logarithm, and so of a skip's distribution, is about
 * 2^-53.
 * [1] Batagelj, Brandes, "Efficient generation of large random networks", Phys. Rev. E 71, 2005. */
#ifndef WFI_SKIP_H
#define WFI_SKIP_H

#include <stdint.h>

typedef struct wfi_skipper {
    uint64_t reciprocal[256]; /* 2^64 * 256 / (256 + i) */
    uint64_t logarithm[257];  /* 2^62 * log2(1 + i/256) */
    uint64_t factor;          /* -1/log2(1-p) = factor / 2^(shift - 57) */
    unsigned shift;
} wfi_skipper;

/* Needs 0 < p < 1. */
void wfi_skipper_set(wfi_skipper *s, double p);
/* Changes p; keeps the tables. */
void wfi_skipper_set_p(wfi_skipper *s, double p);

/* -log2((bits + 1) / 2^64) * 2^57. */
uint64_t wfi_minus_log2(const wfi_skipper *s, uint64_t bits);

/* The skip for 64 random bits; UINT64_MAX if it is larger. */
static inline uint64_t wfi_skip(const wfi_skipper *s, uint64_t bits) {
    unsigned __int128 skip = (unsigned __int128)wfi_minus_log2(s, bits) * s->factor >> s->shift;
    return skip >> 64 ? UINT64_MAX : (uint64_t)skip;
}

#endif
