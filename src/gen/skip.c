/* Fixed-point logarithm and set-up of a skipper; skip.h explains why the bits are the same everywhere. */
#include "gen/skip.h"

#include "gen/random.h"

#include <math.h>

/* log2(e) * 2^62. */
#define LOG2_E 0x5c551d94ae0bf85du

enum { TERMS = 8, SERIES_TERMS = 40 };

static const uint64_t term[TERMS] = {LOG2_E,     LOG2_E / 2, LOG2_E / 3, LOG2_E / 4,
                                     LOG2_E / 5, LOG2_E / 6, LOG2_E / 7, LOG2_E / 8};

/* log2(1 + r/2^64) * 2^62 for r/2^64 <= 2^-8: r - r^2/2 + r^3/3 ..., by Horner's scheme, times log2(e). The
 * coefficients decrease and r < 1, so no difference is negative. */
static uint64_t log2_near_one(uint64_t r) {
    uint64_t sum = term[TERMS - 1];
    for (int k = TERMS - 2; k >= 0; k--) sum = term[k] - wfi_multiply_high(r, sum);
    return wfi_multiply_high(r, sum);
}

static void fill_tables(wfi_skipper *s) {
    s->reciprocal[0] = UINT64_MAX;
    s->logarithm[0] = 0;
    for (unsigned i = 0; i < 256; i++) {
        if (i) s->reciprocal[i] = (uint64_t)(((unsigned __int128)1 << 72) / (256 + i));
        /* (257 + i) / (256 + i) = 1 + 1/(256 + i) */
        uint64_t step = (uint64_t)(((unsigned __int128)1 << 64) / (256 + i));
        s->logarithm[i + 1] = s->logarithm[i] + log2_near_one(step);
    }
}

uint64_t wfi_minus_log2(const wfi_skipper *s, uint64_t bits) {
    uint64_t x = bits + 1;
    if (!x) return 0;
    unsigned zeros = (unsigned)__builtin_clzll(x);
    uint64_t m = x << zeros; /* 1 <= m/2^63 < 2, and x/2^64 = m/2^63 / 2^(zeros+1) */
    unsigned i = (unsigned)(m >> 55) & 255;
    uint64_t rest = m << 9 >> 8; /* m/2^63 = 1 + i/256 + rest/2^64 */
    uint64_t log2_m = s->logarithm[i] + log2_near_one(wfi_multiply_high(rest, s->reciprocal[i]));
    return ((uint64_t)(zeros + 1) << 57) - (log2_m >> 5);
}

/* -ln(1-p)/p * 2^62 = (1 + p/2 + p^2/3 + ...) * 2^62, for p <= 1/4. */
static uint64_t log_ratio(double p) {
    uint64_t x = (uint64_t)ldexp(p, 64), one = (uint64_t)1 << 62, sum = one / SERIES_TERMS;
    for (uint64_t k = SERIES_TERMS - 1; k > 0; k--) sum = one / k + wfi_multiply_high(x, sum);
    return sum;
}

/* -log2(1-p), by products only. */
static double minus_log2_of_failure(const wfi_skipper *s, double p) {
    if (p > 0.25) return ldexp((double)wfi_minus_log2(s, (uint64_t)ldexp(1 - p, 64) - 1), -57);
    return ldexp(p * (double)log_ratio(p), -62) * ldexp((double)LOG2_E, -62);
}

void wfi_skipper_set(wfi_skipper *s, double p) {
    fill_tables(s);
    wfi_skipper_set_p(s, p);
}

void wfi_skipper_set_p(wfi_skipper *s, double p) {
    int exponent;
    double fraction = frexp(1 / minus_log2_of_failure(s, p), &exponent);
    /* Skips beyond 2^100 leave any graph. */
    if (exponent > 100) exponent = 100;
    s->factor = (uint64_t)ldexp(fraction, 53);
    s->shift = (unsigned)(53 + 57 - exponent);
}
