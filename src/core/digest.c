/* 64-bit non-cryptographic checksum at memory speed: multiply-and-rotate lanes in the manner of xxHash, in blocks
 * with summed values. Detects damage, not deliberate collisions.
 *
 * Definition (all words little-endian, all arithmetic modulo 2^64):
 *   The bytes are split into blocks of 1 MiB, counted from 0. A block is split into stripes of 32 bytes, the last
 *   one padded with zeros; word k of a stripe goes into lane k:
 *       lane[k] starts as START[k] + mix(seed + mix(block number + 1))
 *       lane[k] = rotate_left(lane[k] + word * SPREAD, 29) * STIR
 *   The block's value is h after: h = 0; for k = 0 ... 3: h = mix(h * STIR + lane[k]).
 *   The digest is mix(sum of the blocks' values + mix(seed) + mix(bytes * SPREAD + STIR)); mix is wfi_mix.
 * The block number in the seed detects swapped blocks; the sum allows blocks in any order. Each step of a lane is a
 * bijection of the word and of the lane: damage within one word is always detected.
 * SPREAD, STIR and START are the first 64 fractional bits of the square roots of 3, 5; 2, 7, 11, 13. */
#include "core/scan.h"

#include <string.h>

enum { STRIPE = 32, BLOCK = WFI_DIGEST_BLOCK, PARALLEL_FROM = 8 /* blocks */, PART = 64 * BLOCK };

#define SPREAD 0xbb67ae8584caa73bu
#define STIR   0x3c6ef372fe94f82bu

static inline uint64_t word_at(const char *bytes) {
    uint64_t w;
    memcpy(&w, bytes, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

static inline uint64_t step(uint64_t lane, uint64_t word) {
    uint64_t x = lane + word * SPREAD;
    return (x << 29 | x >> 35) * STIR;
}

static uint64_t block_value(const char *data, size_t bytes, uint64_t seed) {
    uint64_t a = 0x6a09e667f3bcc908u + seed, b = 0xa54ff53a5f1d36f1u + seed;
    uint64_t c = 0x510e527fade682d1u + seed, d = 0x9b05688c2b3e6c1fu + seed;
    size_t whole = bytes / STRIPE * STRIPE;
    for (const char *p = data; p < data + whole; p += STRIPE) {
        a = step(a, word_at(p));
        b = step(b, word_at(p + 8));
        c = step(c, word_at(p + 16));
        d = step(d, word_at(p + 24));
    }
    if (bytes > whole) {
        char last[STRIPE] = {0};
        memcpy(last, data + whole, bytes - whole);
        a = step(a, word_at(last));
        b = step(b, word_at(last + 8));
        c = step(c, word_at(last + 16));
        d = step(d, word_at(last + 24));
    }
    uint64_t h = wfi_mix(a);
    h = wfi_mix(h * STIR + b);
    h = wfi_mix(h * STIR + c);
    return wfi_mix(h * STIR + d);
}

/* Sum over the blocks of one part; `first` is the number of its first block. */
static uint64_t sum_of_blocks(weft_ctx *ctx, const char *data, size_t bytes, uint64_t first, uint64_t seed) {
    uint64_t sum = 0;
    size_t blocks = bytes / BLOCK + (bytes % BLOCK != 0);
    int threads = blocks < PARALLEL_FROM ? 1 : wfi_threads(ctx);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
    for (size_t i = 0; i < blocks; i++) {
        size_t begin = i * BLOCK, length = bytes - begin < BLOCK ? bytes - begin : BLOCK;
        sum += block_value(data + begin, length, wfi_mix(seed + wfi_mix(first + i + 1)));
    }
    return sum;
}

uint64_t wfi_digest_blocks(weft_ctx *ctx, const void *data, size_t bytes, uint64_t first, uint64_t seed) {
    return sum_of_blocks(ctx, data, bytes, first, seed);
}

uint64_t wfi_digest_end(uint64_t sum, uint64_t bytes, uint64_t seed) {
    return wfi_mix(sum + wfi_mix(seed) + wfi_mix(bytes * SPREAD + STIR));
}

uint64_t wfi_digest(weft_ctx *ctx, const void *data, size_t bytes, uint64_t seed) {
    return wfi_digest_end(sum_of_blocks(ctx, data, bytes, 0, seed), bytes, seed);
}

weft_status wfi_digest_long(weft_ctx *ctx, const char *stage, const void *data, size_t bytes, uint64_t seed,
                            uint64_t *digest) {
    uint64_t sum = 0;
    for (size_t at = 0; at < bytes; at += PART) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, stage, at, bytes);
        size_t length = bytes - at < PART ? bytes - at : PART;
        sum += sum_of_blocks(ctx, (const char *)data + at, length, at / BLOCK, seed);
    }
    *digest = wfi_digest_end(sum, bytes, seed);
    return WEFT_OK;
}
