/* Numbers of a lane (brandes.h), for CPU cores and for the GPU.
 *
 * Far numbers: doubles without bounds of the exponent, for counts of shortest paths, which reach 2^4088 on a grid, and
 * their reciprocals.  A sum, product or quotient is rounded as that of doubles, to 53 bits, ties to even.  So where
 * doubles neither overflow nor fall below 2^-1022 they have the same bits, and whoever knows that may use them instead.
 *
 * Wide sums: 64 bits before the point and 64 behind it, for sums over sources in any order.  An addend is cut at
 * 2^-64. */
#ifndef WFI_BETWEENNESS_WIDE_DOUBLE_H
#define WFI_BETWEENNESS_WIDE_DOUBLE_H

#include "core/core.h"

#include <string.h>

/* --- far numbers, none below 0 -------------------------------------------------------- */

typedef struct wfi_wide_double {
    double digits;    /* 1 ... 2, without 2; 0: the number is 0 */
    int32_t exponent; /* of 2 */
} wfi_wide_double;

/* Up to which counts a lane may use doubles: sums of 2^32 of them, and 1 over them, are doubles still. */
#define WFI_FAR_FROM 0x1p900

/* 2^e, from 2^-1022 to 2^1023. */
WFI_HOST_DEVICE static inline double wfi_wide_double_power(int32_t e) {
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* x * 2^e; x is 0 or between 2^-1022 and 2^1023. */
WFI_HOST_DEVICE static inline wfi_wide_double wfi_wide_double_of(double x, int32_t e) {
    uint64_t bits, one = (uint64_t)1023 << 52;
    wfi_wide_double far = {0, 0};
    if (!(x > 0)) return far;
    memcpy(&bits, &x, sizeof bits);
    far.exponent = e + (int32_t)(bits >> 52) - 1023;
    bits = (bits & (((uint64_t)1 << 52) - 1)) | one;
    memcpy(&far.digits, &bits, sizeof far.digits);
    return far;
}

WFI_HOST_DEVICE static inline wfi_wide_double wfi_wide_double_sum(wfi_wide_double a, wfi_wide_double b) {
    enum { NOTHING = 64 }; /* a number so many powers below another changes no bit of it */
    if (!(b.digits > 0)) return a;
    if (!(a.digits > 0)) return b;
    wfi_wide_double high = a.exponent < b.exponent ? b : a, low = a.exponent < b.exponent ? a : b;
    if (high.exponent - low.exponent >= NOTHING) return high;
    high.digits += low.digits * wfi_wide_double_power(low.exponent - high.exponent);
    if (high.digits >= 2) {
        high.digits *= 0.5;
        high.exponent++;
    }
    return high;
}

WFI_HOST_DEVICE static inline wfi_wide_double wfi_wide_double_product(wfi_wide_double a, wfi_wide_double b) {
    return wfi_wide_double_of(a.digits * b.digits, a.exponent + b.exponent);
}

/* b is not 0. */
WFI_HOST_DEVICE static inline wfi_wide_double wfi_wide_double_quotient(wfi_wide_double a, wfi_wide_double b) {
    return wfi_wide_double_of(a.digits / b.digits, a.exponent - b.exponent);
}

WFI_HOST_DEVICE static inline bool wfi_wide_double_above(wfi_wide_double a, wfi_wide_double b) {
    if (!(a.digits > 0) || !(b.digits > 0)) return a.digits > b.digits;
    return a.exponent != b.exponent ? a.exponent > b.exponent : a.digits > b.digits;
}

/* As a double, 0 if it is below 2^-1000; it is below 2^1000. */
WFI_HOST_DEVICE static inline double wfi_wide_double_value(wfi_wide_double a) {
    return a.exponent < -1000 ? 0 : a.digits * wfi_wide_double_power(a.exponent);
}

/* --- wide sums ------------------------------------------------------------------------ */

typedef struct wfi_wide_sum {
    uint64_t whole, part; /* whole + part * 2^-64 */
} wfi_wide_sum;

WFI_HOST_DEVICE static inline void wfi_wide_join(wfi_wide_sum *sum, wfi_wide_sum other) {
    sum->part += other.part;
    sum->whole += other.whole + (sum->part < other.part);
}

/* 0 <= x < 2^63.  The subtraction is exact, and so is the product. */
WFI_HOST_DEVICE static inline void wfi_wide_add(wfi_wide_sum *sum, double x) {
    wfi_wide_sum term;
    term.whole = (uint64_t)(int64_t)x;
    term.part = (uint64_t)((x - (double)(int64_t)term.whole) * 0x1p64);
    wfi_wide_join(sum, term);
}

/* The same, `times` times. */
WFI_HOST_DEVICE static inline wfi_wide_sum wfi_wide_times(double x, uint64_t times) {
    wfi_wide_sum once = {0, 0}, all;
    wfi_wide_add(&once, x);
    unsigned __int128 part = (unsigned __int128)once.part * times;
    all.whole = once.whole * times + (uint64_t)(part >> 64);
    all.part = (uint64_t)part;
    return all;
}

WFI_HOST_DEVICE static inline double wfi_wide_value(wfi_wide_sum sum) {
    return (double)sum.whole + (double)sum.part * 0x1p-64;
}

#endif
