/* The digest: golden values made from its definition by another program, threads, and that damage shows. */
#include "core/scan.h"

#include "harness.h"

enum { MIB = 1 << 20 };

static unsigned char *pattern(size_t bytes) {
    unsigned char *p = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)(i * 167 + (i >> 8) * 13 + 7);
    return p;
}

TEST(golden_values) {
    static const struct {
        size_t bytes;
        uint64_t seed, digest;
    } golden[] = {
        {0, 0, 0xde2b33fd0a6d8507u},        {0, 1, 0xe70ae9e3f114b3e8u},       {1, 0, 0x46a0ece7ba08df76u},
        {7, 0, 0x7b8fca73bc5cd0bdu},        {8, 0, 0xd75e18781665d229u},       {31, 0, 0x5e8f8d798934d6fdu},
        {32, 0, 0xe690a17c906029f9u},       {33, 5, 0xcfc51486064a8159u},      {1000, 0, 0x1dd478f2bd83dfd8u},
        {1048575, 0, 0x277287d762d53413u},  {1048576, 0, 0x8b5caaafb1debdf0u}, {1048577, 0, 0xf278940f0d736864u},
        {3000000, 42, 0xe6da87a568f4af04u}, {5242897, 0, 0x41c35425d91b831au},
    };
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        unsigned char *p = pattern(golden[i].bytes);
        for (int threads = 1; threads <= 3; threads++) {
            weft_ctx_set_threads(ctx, threads);
            CHECK_U64(wfi_digest(ctx, p, golden[i].bytes, golden[i].seed), golden[i].digest);
        }
        free(p);
    }
    CHECK_U64(wfi_digest(ctx, "Weft", 4, 0), 0x08117a1ff96d584cu);
    weft_ctx_free(ctx);
}

TEST(the_long_form_gives_the_same_digest) {
    size_t bytes = (size_t)130 * MIB + 5; /* three parts */
    weft_ctx *ctx;
    uint64_t digest = 0;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    unsigned char *p = pattern(bytes);
    CHECK_U64(wfi_digest_long(ctx, "test", p, bytes, 7, &digest), WEFT_OK);
    CHECK_U64(digest, wfi_digest(ctx, p, bytes, 7));
    CHECK_U64(wfi_digest_long(ctx, "test", p, 0, 7, &digest), WEFT_OK);
    CHECK_U64(digest, wfi_digest(ctx, p, 0, 7));
    free(p);
    weft_ctx_free(ctx);
}

static int stop(void *user) {
    (void)user;
    return 1;
}

TEST(the_long_form_stops_on_request) {
    weft_ctx *ctx;
    uint64_t digest;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_ctx_set_cancel(ctx, stop, NULL);
    CHECK_U64(wfi_digest_long(ctx, "test", "abc", 3, 0, &digest), WEFT_ECANCELLED);
    weft_ctx_free(ctx);
}

TEST(it_does_not_matter_how_the_bytes_are_aligned) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    unsigned char *p = pattern(1000), *q = malloc(1010);
    for (size_t shift = 0; shift < 9; shift++) {
        memcpy(q + shift, p, 1000);
        CHECK_U64(wfi_digest(ctx, q + shift, 1000, 0), wfi_digest(ctx, p, 1000, 0));
    }
    free(p);
    free(q);
    weft_ctx_free(ctx);
}

TEST(every_single_bit_matters) {
    enum { BYTES = 200 };
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    unsigned char *p = pattern(BYTES);
    uint64_t seen[8 * BYTES + 1], whole = wfi_digest(ctx, p, BYTES, 0);
    for (size_t i = 0; i < 8 * BYTES; i++) {
        p[i / 8] ^= (unsigned char)(1 << i % 8);
        seen[i] = wfi_digest(ctx, p, BYTES, 0);
        p[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    seen[8 * BYTES] = whole;
    CHECK_U64(wfi_sort_u64(ctx, seen, 8 * BYTES + 1), WEFT_OK);
    CHECK_U64(wfi_unique_u64(seen, 8 * BYTES + 1), 8 * BYTES + 1);
    free(p);
    weft_ctx_free(ctx);
}

TEST(blocks_that_change_places_length_and_seed_matter) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    unsigned char *p = calloc(2 * MIB, 1);
    p[5] = 1;
    uint64_t first = wfi_digest(ctx, p, 2 * MIB, 0);
    p[5] = 0;
    p[MIB + 5] = 1;
    CHECK(wfi_digest(ctx, p, 2 * MIB, 0) != first);
    CHECK(wfi_digest(ctx, p, 10, 0) != wfi_digest(ctx, p, 11, 0)); /* all zero: only the length differs */
    CHECK(wfi_digest(ctx, p, 10, 0) != wfi_digest(ctx, p, 10, 1));
    free(p);
    weft_ctx_free(ctx);
}

TEST_MAIN()
