/* Reading instantaneous codes from a string of bits: unary, gamma, delta, zeta, nibble, Golomb.
 *
 * Bits count from the most significant bit of each byte, or from the least significant (`little`).  After the last byte
 * all bits are zero.  A number that extends beyond the end, or needs more than 57 bits, is WFI_NO_CODE, which is larger
 * than every number: a comparison with an upper bound is the only check that a caller needs.
 *
 * [1] Elias, "Universal codeword sets and representations of the integers", IEEE Trans. Inf. Theory 21(2), 1975.
 * [2] Boldi and Vigna, "Codes for the World Wide Web", Internet Mathematics 2(4), 2005 (zeta). */
#ifndef WFI_BITCODES_H
#define WFI_BITCODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WFI_NO_CODE UINT64_MAX

typedef enum wfi_code {
    WFI_CODE_UNARY,
    WFI_CODE_GAMMA,
    WFI_CODE_DELTA,
    WFI_CODE_ZETA,
    WFI_CODE_NIBBLE,
    WFI_CODE_GOLOMB
} wfi_code;

typedef struct wfi_coding {
    wfi_code code;
    unsigned k; /* of zeta (1 ... 28); Golomb's modulus (1 ... 2^31-1) */
} wfi_coding;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are taken from the bytes as they stand");

typedef struct wfi_bits_in {
    const unsigned char *data;
    size_t bytes;
    uint64_t at, end; /* in bits; at > end after a read beyond the end */
    bool little;
} wfi_bits_in;

enum { WFI_PEEK = 57 }; /* bits of a word that are valid at every bit offset within a byte */

/* The next bits, the first of them as the most significant (little: least significant); WFI_PEEK of them are valid. */
static inline uint64_t wfi_bits_peek(const wfi_bits_in *b) {
    uint64_t word = 0, byte = b->at >> 3;
    unsigned within = (unsigned)(b->at & 7);
    if (__builtin_expect(byte + 8 <= b->bytes, 1))
        memcpy(&word, b->data + byte, 8);
    else if (byte < b->bytes)
        memcpy(&word, b->data + byte, b->bytes - (size_t)byte);
    return b->little ? word >> within : __builtin_bswap64(word) << within;
}

/* The first n bits of a peeked word as a number, n <= 57. */
static inline uint64_t wfi_bits_first(const wfi_bits_in *b, uint64_t word, unsigned n) {
    if (!n) return 0;
    return b->little ? word & (((uint64_t)1 << n) - 1) : word >> (64 - n);
}

static inline uint64_t wfi_bits_take(wfi_bits_in *b, unsigned n) {
    if (n > WFI_PEEK) return WFI_NO_CODE;
    uint64_t x = wfi_bits_first(b, wfi_bits_peek(b), n);
    b->at += n;
    return b->at > b->end ? WFI_NO_CODE : x;
}

/* The number of zeros before the next one bit, which is consumed too. */
static inline uint64_t wfi_bits_unary(wfi_bits_in *b) {
    for (uint64_t zeros = 0;;) {
        uint64_t word = wfi_bits_peek(b);
        unsigned more = !word ? 64 : (unsigned)(b->little ? __builtin_ctzll(word) : __builtin_clzll(word));
        if (more < WFI_PEEK) {
            b->at += more + 1;
            return b->at > b->end ? WFI_NO_CODE : zeros + more;
        }
        zeros += WFI_PEEK;
        b->at += WFI_PEEK;
        if (b->at > b->end) return WFI_NO_CODE;
    }
}

/* A number of `width` bits with a 1 put before it, less 1. */
static inline uint64_t wfi_bits_below_one(wfi_bits_in *b, uint64_t width) {
    if (width >= WFI_PEEK) return WFI_NO_CODE;
    uint64_t rest = wfi_bits_take(b, (unsigned)width);
    return rest == WFI_NO_CODE ? rest : ((uint64_t)1 << width) + rest - 1;
}

static inline uint64_t wfi_bits_gamma(wfi_bits_in *b) {
    uint64_t word = wfi_bits_peek(b);
    if (__builtin_expect(!b->little && word >> 36, 1)) { /* at most 27 zeros: the whole code is in the word */
        unsigned zeros = (unsigned)__builtin_clzll(word);
        b->at += 2 * zeros + 1;
        return b->at > b->end ? WFI_NO_CODE : (word >> (63 - 2 * zeros)) - 1;
    }
    return wfi_bits_below_one(b, wfi_bits_unary(b));
}

static inline uint64_t wfi_bits_delta(wfi_bits_in *b) { return wfi_bits_below_one(b, wfi_bits_gamma(b)); }

/* Minimal binary code of 0 ... count - 1: the smaller numbers take one bit less. */
static inline uint64_t wfi_bits_minimal(wfi_bits_in *b, uint64_t count) {
    unsigned width = 63 - (unsigned)__builtin_clzll(count);
    uint64_t shorter = ((uint64_t)2 << width) - count, x = wfi_bits_take(b, width);
    if (x == WFI_NO_CODE || x < shorter) return x;
    uint64_t last = wfi_bits_take(b, 1);
    return last == WFI_NO_CODE ? last : 2 * x + last - shorter;
}

static inline uint64_t wfi_bits_zeta(wfi_bits_in *b, unsigned k) {
    uint64_t h = wfi_bits_unary(b);
    if (h >= WFI_PEEK || h * k + k > WFI_PEEK) return WFI_NO_CODE;
    unsigned low = (unsigned)h * k;
    uint64_t x = wfi_bits_minimal(b, ((uint64_t)1 << (low + k)) - ((uint64_t)1 << low));
    return x == WFI_NO_CODE ? x : x + ((uint64_t)1 << low) - 1;
}

/* Groups of three bits, each after a flag bit, which is 1 before the last group. */
static inline uint64_t wfi_bits_nibble(wfi_bits_in *b) {
    uint64_t x = 0;
    for (int groups = 0; groups < 19; groups++) {
        uint64_t last = wfi_bits_take(b, 1), three = wfi_bits_take(b, 3);
        if (three == WFI_NO_CODE) return three;
        x = x << 3 | three;
        if (last) return x;
    }
    return WFI_NO_CODE;
}

static inline uint64_t wfi_bits_golomb(wfi_bits_in *b, unsigned modulus) {
    uint64_t whole = wfi_bits_unary(b), rest = whole == WFI_NO_CODE ? whole : wfi_bits_minimal(b, modulus);
    if (rest == WFI_NO_CODE || whole > ((uint64_t)1 << WFI_PEEK) / modulus) return WFI_NO_CODE;
    return whole * modulus + rest;
}

static inline uint64_t wfi_bits_number(wfi_bits_in *b, wfi_coding coding) {
    switch (coding.code) {
    case WFI_CODE_UNARY: return wfi_bits_unary(b);
    case WFI_CODE_GAMMA: return wfi_bits_gamma(b);
    case WFI_CODE_DELTA: return wfi_bits_delta(b);
    case WFI_CODE_ZETA: return wfi_bits_zeta(b, coding.k);
    case WFI_CODE_NIBBLE: return wfi_bits_nibble(b);
    case WFI_CODE_GOLOMB: return wfi_bits_golomb(b, coding.k);
    }
    return WFI_NO_CODE;
}

#endif
