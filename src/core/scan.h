/* Prefix sums, radix sort and a digest over arrays, in parallel; results never depend on the thread count. */
#ifndef WFI_SCAN_H
#define WFI_SCAN_H

#include "core/workspace.h"

/* Exclusive scan: a[i] becomes the sum of a[0] ... a[i-1]; a[count] receives the total, so a has count+1 elements. */
void wfi_exclusive_scan(const weft_ctx *ctx, uint64_t *a, size_t count);

/* Ascending order.  Needs as much scratch as the array. */
weft_status wfi_sort_u64(weft_ctx *ctx, uint64_t *a, size_t count);
/* Stable, by the low `key_bits` bits of key. */
weft_status wfi_sort_pairs(weft_ctx *ctx, uint64_t *key, uint32_t *value, size_t count, unsigned key_bits);
/* The same with scratch of a workspace. */
typedef struct wfi_sort_scratch {
    uint64_t *key, *places;
    uint32_t *value;
} wfi_sort_scratch;
/* Elements of `places` that suffice for up to 4096 keys, which one thread sorts. */
enum { WFI_SORT_PLACES = 1 << 11 };
/* Those that so many keys need. */
size_t wfi_sort_places(const weft_ctx *ctx, size_t count);
void wfi_sort_lay_out(wfi_workspace *w, const weft_ctx *ctx, size_t count, wfi_sort_scratch *scratch);
weft_status wfi_sort_pairs_in(weft_ctx *ctx, const wfi_sort_scratch *scratch, uint64_t *key, uint32_t *value,
                              size_t count, unsigned key_bits);
/* Stable, by `bits` bits from bit `first` on; value may be NULL. */
typedef struct wfi_sort_keys {
    uint64_t *key;
    uint32_t *value;
    size_t count;
    unsigned first, bits;
} wfi_sort_keys;
weft_status wfi_sort_bits_in(weft_ctx *ctx, const wfi_sort_scratch *scratch, wfi_sort_keys keys);

/* For qsort: ascending. */
int wfi_by_u32(const void *a, const void *b);
int wfi_by_u64(const void *a, const void *b);

/* Keeps the first of equal neighbours; returns how many are left. */
size_t wfi_unique_u64(uint64_t *a, size_t count);

/* 64-bit digest of bytes.  Cut in blocks of 1 MiB that are digested in parallel, so its value is a property of the
 * bytes alone.  Detects damage, not malice. */
uint64_t wfi_digest(weft_ctx *ctx, const void *data, size_t bytes, uint64_t seed);

/* The same digest for arrays that take a while: tells the progress callback as `stage` and stops on request. */
weft_status wfi_digest_long(weft_ctx *ctx, const char *stage, const void *data, size_t bytes, uint64_t seed,
                            uint64_t *digest);

/* For bytes that are not all in one place: the sum of the values of blocks, from number `first` on, of which only the
 * last of all may be shorter than WFI_DIGEST_BLOCK; and the digest from the sum over all blocks. */
enum { WFI_DIGEST_BLOCK = 1 << 20 };
uint64_t wfi_digest_blocks(weft_ctx *ctx, const void *data, size_t bytes, uint64_t first, uint64_t seed);
uint64_t wfi_digest_end(uint64_t sum, uint64_t bytes, uint64_t seed);

/* One round of mixing: turns a counter or a small key into well-spread bits. */
static inline uint64_t wfi_mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

#endif
