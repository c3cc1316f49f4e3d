/* Radix sort against qsort and against what a stable sort must do, over sizes around every threshold and threads. */
#include "core/scan.h"

#include "harness.h"
#include "sort_bits.h"

static weft_ctx *context(int threads) {
    weft_ctx *ctx = NULL;
    if (weft_ctx_new(&ctx) == WEFT_OK) weft_ctx_set_threads(ctx, threads);
    return ctx;
}

static int compare_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void fill(uint64_t *a, size_t count, unsigned low, unsigned bits, uint64_t seed) {
    uint64_t mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    for (size_t i = 0; i < count; i++) a[i] = (wfi_mix(seed + i * 3 + 1) & mask) << low;
}

static void check_sorted_like_qsort(weft_ctx *ctx, const uint64_t *keys, size_t count) {
    uint64_t *a = malloc((count + 1) * sizeof *a), *b = malloc((count + 1) * sizeof *b);
    memcpy(a, keys, count * sizeof *a);
    memcpy(b, keys, count * sizeof *b);
    CHECK_U64(wfi_sort_u64(ctx, a, count), WEFT_OK);
    qsort(b, count, sizeof *b, compare_u64);
    CHECK(memcmp(a, b, count * sizeof *a) == 0);
    free(a);
    free(b);
}

TEST(u64_are_sorted_as_by_qsort) {
    static const size_t sizes[] = {0, 1, 2, 3, 100, 4095, 4096, 32767, 32768, 100003};
    static const unsigned bits[] = {1, 8, 11, 12, 33, 64};
    uint64_t *keys = malloc(100003 * sizeof *keys);
    for (int threads = 1; threads <= 7; threads += 3) {
        weft_ctx *ctx = context(threads);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
                fill(keys, sizes[s], 0, bits[b], s);
                check_sorted_like_qsort(ctx, keys, sizes[s]);
            }
        }
        weft_ctx_free(ctx);
    }
    free(keys);
}

TEST(keys_that_differ_only_in_the_middle_or_at_both_ends) {
    enum { COUNT = 40000 };
    weft_ctx *ctx = context(3);
    uint64_t *keys = malloc(COUNT * sizeof *keys);
    fill(keys, COUNT, 40, 5, 1);
    for (size_t i = 0; i < COUNT; i++) keys[i] |= 0x8000000000000003u;
    check_sorted_like_qsort(ctx, keys, COUNT);
    fill(keys, COUNT, 0, 2, 2);
    for (size_t i = 0; i < COUNT; i++) keys[i] |= (wfi_mix(i) & 3) << 62;
    check_sorted_like_qsort(ctx, keys, COUNT);
    for (size_t i = 0; i < COUNT; i++) keys[i] = 17;
    check_sorted_like_qsort(ctx, keys, COUNT);
    for (size_t i = 0; i < COUNT; i++) keys[i] = COUNT - i;
    check_sorted_like_qsort(ctx, keys, COUNT);
    for (size_t i = 0; i < COUNT; i++) keys[i] = i * i;
    check_sorted_like_qsort(ctx, keys, COUNT);
    free(keys);
    weft_ctx_free(ctx);
}

TEST(pairs_are_sorted_stably_by_the_low_bits_alone) {
    static const size_t sizes[] = {0, 1, 50, 5000, 60000};
    static const unsigned key_bits[] = {0, 1, 7, 20, 23, 64};
    for (int threads = 1; threads <= 5; threads += 2) {
        weft_ctx *ctx = context(threads);
        for (size_t s = 0; s < 5; s++) {
            for (size_t b = 0; b < 6; b++) {
                size_t count = sizes[s], wrong = 0;
                uint64_t *key = malloc((count + 1) * sizeof *key), *before = malloc((count + 1) * sizeof *before);
                uint32_t *value = malloc((count + 1) * sizeof *value);
                fill(before, count, 0, b == 5 ? 10 : 64, s); /* 64 bits: few distinct keys, so that ties matter */
                memcpy(key, before, count * sizeof *key);
                for (size_t i = 0; i < count; i++) value[i] = (uint32_t)i;
                CHECK_U64(wfi_sort_pairs(ctx, key, value, count, key_bits[b]), WEFT_OK);
                uint64_t mask = key_bits[b] == 64 ? UINT64_MAX : ((uint64_t)1 << key_bits[b]) - 1;
                for (size_t i = 0; i < count; i++) wrong += value[i] >= count || before[value[i]] != key[i];
                for (size_t i = 1; i < count; i++) {
                    uint64_t x = key[i - 1] & mask, y = key[i] & mask;
                    wrong += x > y || (x == y && value[i - 1] >= value[i]);
                }
                CHECK_U64(wrong, 0);
                free(key);
                free(before);
                free(value);
            }
        }
        weft_ctx_free(ctx);
    }
}

/* By insertion, in one pass and insertion, in several; the most are enough for buckets.  With a key that a fifth of all have, too many of one kind for those, and
 * with others that differ in their last bits only, too many for insertion. */
TEST(keys_are_sorted_stably_by_bits_in_the_middle) {
    enum { MOST = 200000, FIRST = 2 };
    static const unsigned key_bits[] = {7, 11, 12, 19, 40, 62};
    static const size_t counts[] = {2, 24, 25, 195, 511, 512, 1000, 2047, 2048, 4095, 4096, 20000, MOST};
    uint64_t *key = malloc(MOST * sizeof *key), *alone = malloc(MOST * sizeof *alone),
             *before = malloc(MOST * sizeof *before);
    uint32_t *value = malloc(MOST * sizeof *value);
    for (int threads = 1; threads <= 3; threads++) {
        weft_ctx *ctx = context(threads);
        for (size_t b = 0; b < 18 * sizeof counts / sizeof *counts; b++) {
            unsigned bits = key_bits[b / 3 % 6], kind = (unsigned)(b % 3);
            size_t wrong = 0, count = counts[b / 18];
            fill(before, count, 0, b % 2 ? bits + FIRST : 64, b);
            for (size_t i = 0; i < count; i++) {
                if (kind == 1 && i % 5 == 0) before[i] = (uint64_t)5 << FIRST | (i & 3);
                if (kind == 2 && i % 16) before[i] = (before[i] & 0xff) | (uint64_t)1 << (bits - 1 + FIRST);
                key[i] = alone[i] = before[i];
                value[i] = (uint32_t)i;
            }
            CHECK_U64(sort_bits(ctx, (wfi_sort_keys){key, value, count, FIRST, bits}), WEFT_OK);
            CHECK_U64(sort_bits(ctx, (wfi_sort_keys){alone, NULL, count, FIRST, bits}), WEFT_OK);
            uint64_t mask = (((uint64_t)1 << bits) - 1) << FIRST;
            for (size_t i = 0; i < count; i++)
                wrong += value[i] >= count || before[value[i]] != key[i] || alone[i] != key[i];
            for (size_t i = 1; i < count; i++) {
                uint64_t x = key[i - 1] & mask, y = key[i] & mask;
                wrong += x > y || (x == y && value[i - 1] >= value[i]);
            }
            CHECK_U64(wrong, 0);
        }
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    free(key);
    free(alone);
    free(before);
    free(value);
}

TEST(unique_keeps_one_of_equal_neighbours) {
    uint64_t a[] = {1, 1, 2, 3, 3, 3, 9, 1};
    CHECK_U64(wfi_unique_u64(a, 8), 5);
    CHECK(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 9 && a[4] == 1);
    CHECK_U64(wfi_unique_u64(a, 0), 0);
    CHECK_U64(wfi_unique_u64(a, 1), 1);
}

TEST(no_memory_is_reported_and_nothing_leaks) {
    weft_ctx *ctx = context(2);
    uint64_t *keys = malloc(50000 * sizeof *keys);
    uint32_t *values = calloc(50000, sizeof *values);
    fill(keys, 50000, 0, 64, 9);
    weft_ctx_set_memory_limit(ctx, 50000 * 8 + 4096);
    CHECK_U64(wfi_sort_pairs(ctx, keys, values, 50000, 64), WEFT_ENOMEM);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_set_memory_limit(ctx, 0);
    CHECK_U64(wfi_sort_pairs(ctx, keys, values, 50000, 64), WEFT_OK);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    free(keys);
    free(values);
    weft_ctx_free(ctx);
}

TEST_MAIN()
