/* Conversion of IEEE binary16 (f16) and bfloat16 (bf16, the upper half of a float), stored as integers: needs no
 * compiler support for the types, and loops vectorise. Widening is exact. Narrowing rounds to nearest, ties to even;
 * overflow gives infinity, every NaN the same NaN. */
#ifndef WFI_NARROW_H
#define WFI_NARROW_H

#include <stdint.h>
#include <string.h>

enum { WFI_F16_INFINITY = 0x7c00, WFI_F16_NAN = 0x7e00, WFI_BF16_NAN = 0x7fc0 };

static inline float wfi_f16_value(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fffU;
    uint32_t bits = magnitude << 13, special = magnitude >= WFI_F16_INFINITY ? 0x7f800000U : 0;
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112F; /* rebiases the exponent (127 - 15 = 112); exact, also for subnormal numbers */
    memcpy(&bits, &value, sizeof bits);
    bits |= special | sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Nearest f16, ties to even. Needs 0 <= x < 65520. */
static inline uint32_t wfi_f16_of_finite(float x) {
    const uint32_t least_normal = 113U << 23, one_half = 126U << 23; /* as floats: 2^-14, 2^-1 */
    float moved = x + 0.5F;
    uint32_t bits, small;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&small, &moved, sizeof small);
    /* Below 2^-14 the addition rounds: the last bit of 0.5 + x has the value 2^-24. */
    uint32_t normal = ((bits + 0xfff + ((bits >> 13) & 1)) >> 13) - (112U << 10);
    return bits < least_normal ? small - one_half : normal;
}

static inline uint16_t wfi_f16_of(float x) {
    const float least_infinite = 65520.0F; /* midway between the largest f16 and 2^16; ties to even round it up */
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000U;
    float magnitude;
    bits &= 0x7fffffffU;
    memcpy(&magnitude, &bits, sizeof magnitude);
    if (x != x) return WFI_F16_NAN;
    return (uint16_t)(sign | (magnitude >= least_infinite ? (uint32_t)WFI_F16_INFINITY : wfi_f16_of_finite(magnitude)));
}

static inline float wfi_bf16_value(uint16_t upper) {
    uint32_t bits = (uint32_t)upper << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint16_t wfi_bf16_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) return WFI_BF16_NAN;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
