/* Counter-based random numbers: pure functions of (seed, purpose, lane, index), so that any thread can make any part
 * of a graph and the graph does not depend on the number of threads.
 *
 * Method: Philox4x32-10 [1]. The 64-bit seed is the key; the 128-bit counter is index (64 bits), lane (32), purpose
 * (32). Integer operations only, hence the same bits on every machine. src/gen uses no other random numbers and no
 * function of libm that rounds (log, pow, ...), because their last bits differ between systems; see skip.h for
 * geometric skips without libm.
 * [1] Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
#ifndef WFI_RANDOM_H
#define WFI_RANDOM_H

#include <stdint.h>

#define WFI_PHILOX_M0 0xD2511F53u
#define WFI_PHILOX_M1 0xCD9E8D57u
#define WFI_PHILOX_W0 0x9E3779B9u
#define WFI_PHILOX_W1 0xBB67AE85u

/* One family of streams per use: two uses of a seed never share numbers. The values determine the results of a seed;
 * do not renumber. */
typedef enum wfi_purpose {
    WFI_FOR_EDGES = 1,
    WFI_FOR_SKIPS = 2,
    WFI_FOR_PERMUTATION = 3,
    WFI_FOR_WEIGHTS = 4,
    WFI_FOR_SCRAMBLING = 5,
    WFI_FOR_ATTACHMENT = 6,
    WFI_FOR_REWIRING = 7,
    WFI_FOR_SAMPLING = 8,
    WFI_FOR_LAYOUT = 9,
    WFI_FOR_COMMUNITIES = 10,
    WFI_FOR_PATHS = 11
} wfi_purpose;

static inline void wfi_philox(const uint32_t counter[4], uint64_t key, uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t left = (uint64_t)WFI_PHILOX_M0 * c0, right = (uint64_t)WFI_PHILOX_M1 * c2;
        c0 = (uint32_t)(right >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)right;
        c2 = (uint32_t)(left >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)left;
        k0 += WFI_PHILOX_W0;
        k1 += WFI_PHILOX_W1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* 128 random bits. */
typedef struct wfi_random {
    uint64_t first, second;
} wfi_random;

static inline wfi_random wfi_draw(uint64_t seed, wfi_purpose purpose, uint32_t lane, uint64_t index) {
    uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), lane, (uint32_t)purpose}, word[4];
    wfi_philox(counter, seed, word);
    return (wfi_random){(uint64_t)word[1] << 32 | word[0], (uint64_t)word[3] << 32 | word[2]};
}

/* Upper half of a 128-bit product: x * y / 2^64. */
static inline uint64_t wfi_multiply_high(uint64_t x, uint64_t y) { return (uint64_t)((unsigned __int128)x * y >> 64); }

/* A number in 0 ... bound-1 from 64 random bits, without division. Each value's probability is within 2^-64 of
 * 1/bound. */
static inline uint64_t wfi_below(uint64_t bits, uint64_t bound) { return wfi_multiply_high(bits, bound); }

#endif
