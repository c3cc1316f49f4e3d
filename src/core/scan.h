/* Parallel prefix sums, radix sort and digest of arrays. Results do not depend on the number of threads. */
#ifndef WFI_SCAN_H
#define WFI_SCAN_H

#include "core/workspace.h"

/* Exclusive scan: a[i] becomes the sum of a[0] ... a[i-1]; a[count] becomes the total, so a has count + 1 elements. */
void wfi_exclusive_scan(const weft_ctx *ctx, uint64_t *a, size_t count);

/* Sorts in ascending order. Allocates scratch of the array's size. */
weft_status wfi_sort_u64(weft_ctx *ctx, uint64_t *a, size_t count);
/* Stable sort by the low `key_bits` bits of key. Allocates scratch. */
weft_status wfi_sort_pairs(weft_ctx *ctx, uint64_t *key, uint32_t *value, size_t count, unsigned key_bits);
/* wfi_sort_pairs with scratch from a workspace. */
typedef struct wfi_sort_scratch {
    uint64_t *key, *places;
    uint32_t *value;
} wfi_sort_scratch;
/* Size of `places` for up to 4096 keys, which a single thread sorts. */
enum { WFI_SORT_PLACES = 1 << 11 };
/* Size of `places` for `count` keys. */
size_t wfi_sort_places(const weft_ctx *ctx, size_t count);
void wfi_sort_lay_out(wfi_workspace *w, const weft_ctx *ctx, size_t count, wfi_sort_scratch *scratch);
weft_status wfi_sort_pairs_in(weft_ctx *ctx, const wfi_sort_scratch *scratch, uint64_t *key, uint32_t *value,
                              size_t count, unsigned key_bits);
/* Stable sort by `bits` bits from bit `first` on; value may be NULL. */
typedef struct wfi_sort_keys {
    uint64_t *key;
    uint32_t *value;
    size_t count;
    unsigned first, bits;
} wfi_sort_keys;
weft_status wfi_sort_bits_in(weft_ctx *ctx, const wfi_sort_scratch *scratch, wfi_sort_keys keys);

/* Ascending comparison for qsort. */
int wfi_by_u32(const void *a, const void *b);
int wfi_by_u64(const void *a, const void *b);

/* Removes equal neighbours; returns the number of remaining elements. */
size_t wfi_unique_u64(uint64_t *a, size_t count);

/* 64-bit digest of bytes, computed in parallel over blocks of 1 MiB; depends on the bytes and the seed only. Detects
 * damage, not malice. */
uint64_t wfi_digest(weft_ctx *ctx, const void *data, size_t bytes, uint64_t seed);

/* wfi_digest for large arrays: reports progress as `stage` and stops on request. */
weft_status wfi_digest_long(weft_ctx *ctx, const char *stage, const void *data, size_t bytes, uint64_t seed,
                            uint64_t *digest);

/* Digest of bytes in several places: wfi_digest_blocks sums block values from block number `first` on (only the last
 * block of all may be shorter than WFI_DIGEST_BLOCK); wfi_digest_end makes the digest from the sum over all blocks. */
enum { WFI_DIGEST_BLOCK = 1 << 20 };
uint64_t wfi_digest_blocks(weft_ctx *ctx, const void *data, size_t bytes, uint64_t first, uint64_t seed);
uint64_t wfi_digest_end(uint64_t sum, uint64_t bytes, uint64_t seed);

/* One round of mixing: spreads the bits of a counter or small key. */
static inline uint64_t wfi_mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

#endif
