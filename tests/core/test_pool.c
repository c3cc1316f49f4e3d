/* A plan's pool and its blocks: what comes back is made ready once, pins end before their memory does, and touched pages keep what they hold. */
#include "core/memory.h"
#include "core/pool.h"
#include "support.h"

enum { LARGE = 5 << 20, SMALL = 1 << 10 };

typedef struct diary {
    int readied, ended, dropped;
    void *start;
} diary;

static void end(void *by, void *start) {
    diary *l = by;
    l->ended++;
    CHECK(start == l->start);
}

static void ready(void *by, void *block) {
    diary *l = by;
    size_t bytes;
    l->readied++;
    if (wfi_block_pinned(block) || !wfi_block_pages(block, &l->start, &bytes)) return;
    CHECK(bytes % 4096 == 0 && (uintptr_t)l->start % 4096 == 0);
    CHECK((char *)l->start <= (char *)block && (char *)l->start + bytes >= (char *)block + wfi_block_bytes(block));
    wfi_block_pin(block, (wfi_pin){end, l});
}

static void drop(void *by) { ((diary *)by)->dropped++; }

TEST(what_comes_back_is_made_ready_and_ends_with_the_pool) {
    weft_ctx *ctx = new_ctx(2, NULL);
    diary l = {0};
    wfi_pool *pool = wfi_pool_new(ctx);
    REQUIRE(pool);
    char *before = wfi_pool_take(ctx, pool, LARGE, 1);
    wfi_pool_give(pool, before);
    CHECK(!wfi_pool_cared_for(pool));
    wfi_pool_set_care(pool, (wfi_pool_care){ready, drop, &l});
    CHECK(wfi_pool_cared_for(pool));
    char *again = wfi_pool_take(ctx, pool, LARGE, 1);
    CHECK(again == before && !wfi_block_pinned(again));
    wfi_pool_give(pool, again);
    CHECK_I64(l.readied, 1);
    CHECK(wfi_block_pinned(again));
    wfi_pool_give(pool, wfi_pool_take(ctx, pool, LARGE, 1));
    CHECK_I64(l.ended, 0);
    wfi_pool_close(pool);
    CHECK_I64(l.ended, 1);
    void *late = wfi_pool_take(ctx, pool, LARGE, 1); /* of a result that outlives its plan */
    int so_far = l.readied;
    wfi_pool_give(pool, late);
    CHECK_I64(l.readied, so_far);
    CHECK_I64(l.dropped, 0);
    wfi_pool_release(pool);
    CHECK_I64(l.dropped, 1);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

static void *take(void *user, size_t bytes) {
    (void)user;
    return malloc(bytes);
}

static void give(void *user, void *block, size_t bytes) {
    (void)user;
    (void)bytes;
    free(block);
}

TEST(small_blocks_and_those_of_the_caller_have_no_pages_of_their_own) {
    weft_ctx *ctx = new_ctx(1, NULL);
    void *small = wfi_take(ctx, SMALL, 1), *start;
    size_t bytes;
    REQUIRE(small);
    CHECK(!wfi_block_pages(small, &start, &bytes));
    wfi_free(small);
    weft_ctx_set_allocator(ctx, take, give, NULL);
    void *theirs = wfi_take(ctx, LARGE, 1);
    REQUIRE(theirs);
    CHECK(!wfi_block_pages(theirs, &start, &bytes));
    wfi_free(theirs);
    weft_ctx_free(ctx);
}

TEST(touching_changes_nothing) {
    weft_ctx *ctx = new_ctx(3, NULL);
    unsigned char *a = wfi_take(ctx, LARGE, 1), *b = wfi_take(ctx, SMALL, 1);
    REQUIRE(a && b);
    for (size_t i = 0; i < LARGE; i++) a[i] = (unsigned char)(i * 7 + 1);
    for (size_t i = 0; i < SMALL; i++) b[i] = (unsigned char)(i * 5 + 3);
    wfi_span spans[] = {{a, LARGE}, {NULL, 0}, {b + 1, SMALL - 1}};
    wfi_touch(ctx, spans, sizeof spans / sizeof *spans);
    size_t wrong = 0;
    for (size_t i = 0; i < LARGE; i++) wrong += a[i] != (unsigned char)(i * 7 + 1);
    for (size_t i = 0; i < SMALL; i++) wrong += b[i] != (unsigned char)(i * 5 + 3);
    CHECK_U64(wrong, 0);
    wfi_free(a);
    wfi_free(b);
    weft_ctx_free(ctx);
}

TEST_MAIN()
