/* Sums of fractions that do not depend on the order of addition: fixed point in 64-bit integers.
 *
 * Addends lie in [0, 1] and are passed times 2^62 (a power of two, so scaling is exact). Integer addition is
 * associative; the sum is converted to double once, at the end. Sums may reach 4 - 2^-62.
 *
 * One limb (wfi_fixed_of) truncates an addend at 2^-62: enough for 32-bit floats, of which it keeps all 24 bits down
 * to 2^-38. Two limbs (wfi_fixed_add) truncate at 2^-92: all 53 bits of a double down to 2^-39. The limbs are added
 * without a carry between them, so that an addition stays two integer additions; the lower limb holds 2^34 addends,
 * and wfi_fixed_carry must carry before that. */
#ifndef WFI_FIXED_H
#define WFI_FIXED_H

#include "core/core.h"

#include <stdint.h>

#define WFI_FIXED_ONE 0x1p62

enum { WFI_FIXED_REST_BITS = 30 };

/* Value: whole * 2^-62 + rest * 2^-92. */
typedef struct wfi_fixed {
    uint64_t whole, rest;
} wfi_fixed;

/* One-limb addend of x = value * 2^62, 0 <= x < 2^63. */
static inline uint64_t wfi_fixed_of(float x) { return (uint64_t)(int64_t)x; }

/* Adds x = value * 2^62 in two limbs. The subtraction is exact: above 2^53 there is no fraction, below it the
 * difference fits a double. */
WFI_HOST_DEVICE static inline void wfi_fixed_add(wfi_fixed *sum, double x) {
    int64_t whole = (int64_t)x;
    sum->whole += (uint64_t)whole;
    sum->rest += (uint64_t)(int64_t)((x - (double)whole) * (double)(1 << WFI_FIXED_REST_BITS));
}

/* Carries into the upper limb, so that equal sums have equal limbs. */
WFI_HOST_DEVICE static inline void wfi_fixed_carry(wfi_fixed *sum) {
    sum->whole += sum->rest >> WFI_FIXED_REST_BITS;
    sum->rest &= ((uint64_t)1 << WFI_FIXED_REST_BITS) - 1;
}

/* `count` times x = value * 2^62, carried. */
WFI_HOST_DEVICE static inline wfi_fixed wfi_fixed_times(double x, uint64_t count) {
    wfi_fixed sum = {0, 0};
    wfi_fixed_add(&sum, x);
    sum.whole *= count;
    sum.rest *= count;
    wfi_fixed_carry(&sum);
    return sum;
}

/* Adds `other` to `sum`, carried. */
WFI_HOST_DEVICE static inline void wfi_fixed_join(wfi_fixed *sum, wfi_fixed other) {
    wfi_fixed_carry(&other);
    sum->whole += other.whole;
    sum->rest += other.rest;
    wfi_fixed_carry(sum);
}

/* Converts a carried sum to a double. */
WFI_HOST_DEVICE static inline double wfi_fixed_value(wfi_fixed sum) {
    return (double)sum.whole * 0x1p-62 + (double)sum.rest * 0x1p-92;
}

#endif
