/* Snappy and LZ4: blocks made by hand, whose answer can be seen, and every lie a length can tell. */
#include "harness.h"
#include "io/columnar/unpack.h"

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

typedef const char *(*decoder)(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes);

/* A block of exactly its size on both sides, so that sanitizers see a step outside. */
static void check(decoder decode, const uint8_t *in, size_t in_bytes, const char *text, const char *fault) {
    size_t bytes = strlen(text);
    uint8_t *from = malloc(in_bytes ? in_bytes : 1), *to = malloc(bytes ? bytes : 1);
    if (!from || !to) exit(1);
    if (in_bytes) memcpy(from, in, in_bytes);
    const char *found = decode(from, in_bytes, to, bytes);
    if (!fault && (found || memcmp(to, text, bytes))) HARNESS_FAIL("\"%s\": %s", text, found ? found : "other bytes");
    if (fault && (!found || !strstr(found, fault)))
        HARNESS_FAIL("\"%s\": %s, expected %s", text, found ? found : "decoded", fault);
    free(from);
    free(to);
}

TEST(snappy_decodes_literals_and_copies) {
    check(wfi_snappy, BYTES(0), "", NULL);
    check(wfi_snappy, BYTES(3, 2 << 2, 'a', 'b', 'c'), "abc", NULL);
    check(wfi_snappy, BYTES(10, 1 << 2, 'a', 'b', 4 << 2 | 1, 2), "ababababab", NULL); /* 8 from 2 before */
    check(wfi_snappy, BYTES(6, 0, 'x', 4 << 2 | 2, 1, 0), "xxxxxx", NULL);             /* 5 from 1 before */
    check(wfi_snappy, BYTES(6, 2 << 2, 'a', 'b', 'c', 2 << 2 | 3, 3, 0, 0, 0), "abcabc",
          NULL);                                                               /* 4 bytes of distance */
    check(wfi_snappy, BYTES(4, 60 << 2, 3, 'a', 'b', 'c', 'd'), "abcd", NULL); /* a length of one byte */
    check(wfi_snappy, BYTES(20, 9 << 2, '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 9 << 2 | 2, 10, 0),
          "01234567890123456789", NULL);
}

TEST(snappy_believes_no_length) {
    check(wfi_snappy, BYTES(0x80, 0x80, 0x80, 0x80, 0x80, 1), "abc", "does not begin with a length");
    check(wfi_snappy, NULL, 0, "", "does not begin with a length");
    check(wfi_snappy, BYTES(4, 2 << 2, 'a', 'b', 'c'), "abc", "different length");
    check(wfi_snappy, BYTES(3, 2 << 2, 'a', 'b'), "abc", "within a literal");
    check(wfi_snappy, BYTES(3, 61 << 2, 9), "abc", "within a literal");
    check(wfi_snappy, BYTES(3, 63 << 2, 0xff, 0xff, 0xff, 0xff), "abc", "within a literal");
    check(wfi_snappy, BYTES(3, 3 << 2, 'a', 'b', 'c', 'd'), "abc", "more than its stated length");
    check(wfi_snappy, BYTES(3, 0, 'a', 0 << 2 | 1), "abc", "within a copy");
    check(wfi_snappy, BYTES(5, 0, 'a', 0 << 2 | 1, 2), "abcde", "before its start");
    check(wfi_snappy, BYTES(5, 0, 'a', 0 << 2 | 1, 0), "abcde", "before its start");
    check(wfi_snappy, BYTES(3, 0, 'a', 0 << 2 | 1, 1), "abc", "more than its stated length");
    check(wfi_snappy, BYTES(3, 0, 'a'), "abc", "too early");
}

TEST(lz4_decodes_blocks) {
    check(wfi_lz4_block, BYTES(0x30, 'a', 'b', 'c'), "abc", NULL);
    check(wfi_lz4_block, BYTES(0x20 | 2, 'a', 'b', 2, 0, 0x10, 'z'), "ababababz", NULL); /* 6 from 2 before */
    check(wfi_lz4_block, BYTES(0x1f, 'x', 1, 0, 1, 0), "xxxxxxxxxxxxxxxxxxxxx", NULL);   /* 4 + 15 + 1 from 1 before */
    check(wfi_lz4_block, BYTES(0xf0, 1, '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'),
          "0123456789abcdef", NULL);
}

TEST(lz4_believes_no_length) {
    check(wfi_lz4_block, BYTES(0x40, 'a', 'b', 'c'), "abc", "within a literal");
    check(wfi_lz4_block, BYTES(0xf0), "abc", "within a literal");
    check(wfi_lz4_block, BYTES(0xf0, 255, 255, 255), "abc", "within a literal");
    check(wfi_lz4_block, BYTES(0x40, 'a', 'b', 'c', 'd'), "abc", "more than its stated length");
    check(wfi_lz4_block, BYTES(0x10, 'a', 1), "abc", "within a copy");
    check(wfi_lz4_block, BYTES(0x1f, 'a', 1, 0, 255), "abc", "within a copy");
    check(wfi_lz4_block, BYTES(0x10, 'a', 2, 0), "abcde", "before its start");
    check(wfi_lz4_block, BYTES(0x10, 'a', 0, 0), "abcde", "before its start");
    check(wfi_lz4_block, BYTES(0x10, 'a', 1, 0), "abcd", "more than its stated length");
    check(wfi_lz4_block, BYTES(0x20, 'a', 'b'), "abc", "too early");
}

#define FRAME 0x04, 0x22, 0x4d, 0x18

TEST(lz4_decodes_frames) {
    check(wfi_lz4_frame, BYTES(FRAME, 0x60, 0x40, 0, 4, 0, 0, 0, 0x30, 'a', 'b', 'c', 0, 0, 0, 0), "abc", NULL);
    check(wfi_lz4_frame, BYTES(FRAME, 0x60, 0x40, 0, 3, 0, 0, 0x80, 'a', 'b', 'c', 0, 0, 0, 0), "abc", NULL);
    /* With a size and both checksums; the second block copies from the first. */
    check(wfi_lz4_frame,
          BYTES(FRAME, 0x5c, 0x40, 7, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0x80, 'a', 'b', 'c', 9, 9, 9, 9, 3, 0, 0, 0,
                0x00, 3, 0, 9, 9, 9, 9, 0, 0, 0, 0, 9, 9, 9, 9),
          "abcabca", NULL);
    check(wfi_lz4_frame,
          BYTES(FRAME, 0x60, 0x40, 0, 1, 0, 0, 0x80, 'a', 0, 0, 0, 0, FRAME, 0x60, 0x40, 0, 1, 0, 0, 0x80, 'b', 0, 0, 0,
                0),
          "ab", NULL); /* two frames */
    check(wfi_lz4_frame, BYTES(FRAME, 0x60, 0x40, 0, 4, 0, 0, 0, 0x30, 'a', 'b', 'c'), "abc", "ends too early");
    check(wfi_lz4_frame, BYTES(FRAME, 0x60, 0x40, 0, 9, 0, 0, 0, 0x30, 'a', 'b', 'c'), "abc", "ends too early");
    check(wfi_lz4_frame, BYTES(FRAME, 0x61, 0x40, 0, 0, 0, 0, 0), "", "needs a dictionary");
    check(wfi_lz4_frame, BYTES(FRAME, 0xa0, 0x40, 0, 0, 0, 0, 0), "", "version other than 1");
    check(wfi_lz4_frame, BYTES(1, 2, 3, 4, 5, 6, 7, 8), "", "does not begin with a frame");
    check(wfi_lz4_frame, BYTES(FRAME, 0x60, 0x40, 0, 4, 0, 0, 0x80, 'a', 'b', 'c', 'd', 0, 0, 0, 0), "abc",
          "more than its stated length");
}

TEST(what_can_be_claimed_is_bounded) {
    CHECK(wfi_unpacked_most(WFI_CODEC_SNAPPY, 100) < 3000);
    CHECK(wfi_unpacked_most(WFI_CODEC_ZSTD, 100) >= 100 * 32768);
    CHECK(wfi_unpacked_most(WFI_CODEC_ZSTD, UINT64_MAX / 2) == UINT64_MAX);
}

TEST_MAIN()
