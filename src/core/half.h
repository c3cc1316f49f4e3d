/* IEEE half precision (binary16) for numbers not below 0, by integers: no compiler has to know the type, and every one
 * gives the same bits.  All halves are multiples of 2^-24, and below 2^40 of them, so that sums of them are sums of
 * integers. */
#ifndef WFI_HALF_H
#define WFI_HALF_H

#include <stdint.h>
#include <string.h>

#define WFI_HALF_MOST 65504.0F
enum { WFI_HALF_UNIT = 24 }; /* the smallest half is 2^-24 */

/* The nearest half, ties to even; WFI_HALF_MOST for all that is above it.  0 <= x. */
static inline uint16_t wfi_half_of(float x) {
    const uint32_t least_normal = 113U << 23, one_half = 126U << 23; /* as floats: 2^-14, 2^-1 */
    float most = x < WFI_HALF_MOST ? x : WFI_HALF_MOST, moved = most + 0.5F;
    uint32_t bits, small;
    memcpy(&bits, &most, sizeof bits);
    memcpy(&small, &moved, sizeof small);
    /* Below 2^-14 the addition rounds: the last bit of 0.5 + x stands for 2^-24. */
    uint32_t normal = ((bits + 0xfff + ((bits >> 13) & 1)) >> 13) - (112U << 10);
    return (uint16_t)(bits < least_normal ? small - one_half : normal);
}

/* The half as a multiple of 2^-24. */
static inline uint64_t wfi_half_units(uint16_t half) {
    uint32_t exponent = half >> 10, normal = exponent != 0;
    return (uint64_t)((half & 0x3ffU) | normal << 10) << (exponent - normal);
}

#endif
