/* A pseudorandom permutation of 0 ... count-1, computed value by value: the first m values are m distinct numbers,
 * without a table and in any order of access.
 *
 * Method: a Feistel network on the smallest power of two that holds count, six rounds keyed by the seed; values
 * outside of the range are permuted again until they fall inside (cycle walking [1]), less than once more on average.
 * [1] Black, Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002. */
#ifndef WFI_PERMUTE_H
#define WFI_PERMUTE_H

#include "gen/random.h"

/* Halves of one or two bits would not mix. Below 2^12 cycle walking dominates: 2^12 steps for all values together. */
enum { WFI_FEISTEL_ROUNDS = 6, WFI_FEISTEL_MIN_BITS = 12 };

typedef struct wfi_permutation {
    uint64_t count;
    unsigned low_bits;
    uint64_t low_mask, high_mask;
    uint64_t key[WFI_FEISTEL_ROUNDS];
} wfi_permutation;

static inline void wfi_permutation_set(wfi_permutation *p, uint64_t count, uint64_t seed) {
    unsigned bits = count > 1 ? 64u - (unsigned)__builtin_clzll(count - 1) : 0;
    if (bits < WFI_FEISTEL_MIN_BITS) bits = WFI_FEISTEL_MIN_BITS;
    p->count = count;
    p->low_bits = bits / 2;
    p->low_mask = ((uint64_t)1 << p->low_bits) - 1;
    p->high_mask = ((uint64_t)1 << (bits - p->low_bits)) - 1;
    for (uint32_t round = 0; round < WFI_FEISTEL_ROUNDS; round++)
        p->key[round] = wfi_draw(seed, WFI_FOR_PERMUTATION, round, 0).first;
}

static inline uint64_t wfi_feistel_round(uint64_t half, uint64_t key) {
    uint64_t x = (half + key) * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x >> 32;
}

/* Needs place < count. */
static inline uint64_t wfi_permute(const wfi_permutation *p, uint64_t place) {
    do {
        uint64_t low = place & p->low_mask, high = place >> p->low_bits;
        for (int round = 0; round < WFI_FEISTEL_ROUNDS; round += 2) {
            low ^= wfi_feistel_round(high, p->key[round]) & p->low_mask;
            high ^= wfi_feistel_round(low, p->key[round + 1]) & p->high_mask;
        }
        place = high << p->low_bits | low;
    } while (place >= p->count);
    return place;
}

#endif
