/* Blocks in slabs (dynamic/slab.h): none overlaps another, what is given back is taken again, and empty slabs go. */
#include "dynamic/slab.h"

#include "model.h"

#include <omp.h>

enum { BLOCKS = 3000, TURNS = 60000, TEAM = 3 };

typedef struct lent {
    unsigned char *block;
    size_t bytes;
    wfi_slab *slab;
} lent;

static size_t draw_size(dice *from) { return 1 + (size_t)roll(from, roll(from, 20) ? 6000 : WFI_SLAB_MOST); }

static lent take(weft_ctx *ctx, wfi_slab_allocator *g, wfi_slab **mine, size_t bytes, unsigned char mark) {
    lent l = {wfi_slab_take(ctx, g, mine, bytes), bytes, NULL};
    if (!l.block) exit(1);
    CHECK((uintptr_t)l.block % 64 == 0);
    l.slab = *mine;
    memset(l.block, mark, bytes);
    return l;
}

static void give_back(lent *l, unsigned char mark) {
    size_t wrong = 0;
    for (size_t i = 0; i < l->bytes; i++) wrong += l->block[i] != mark;
    CHECK_U64(wrong, 0);
    wfi_slab_give(l->slab, l->block, l->bytes);
    l->block = NULL;
}

TEST(blocks_do_not_overlap_and_their_room_is_used_again) {
    weft_ctx *ctx = new_ctx(1, NULL);
    wfi_slab_allocator *g = wfi_slabs_new(ctx);
    static lent l[BLOCKS];
    wfi_slab *mine = NULL;
    dice from = {1, 2};
    uint64_t live = 0, most = 0, in_use = 0;
    for (unsigned turn = 0; turn < TURNS && harness_failures < 5; turn++) {
        size_t i = (size_t)roll(&from, BLOCKS);
        unsigned char mark = (unsigned char)(i % 251);
        if (l[i].block) {
            live -= l[i].bytes;
            give_back(&l[i], mark);
            wfi_slabs_trim(g, l[i].bytes);
        } else {
            l[i] = take(ctx, g, &mine, draw_size(&from), mark);
            live += l[i].bytes;
        }
        if (roll(&from, 50) == 0) wfi_slab_park(g, &mine);
        most = live > most ? live : most;
        in_use = weft_ctx_memory_in_use(ctx) > in_use ? weft_ctx_memory_in_use(ctx) : in_use;
    }
    CHECK(in_use < 2 * most); /* what is given back is not lost in pieces */
    for (size_t i = 0; i < BLOCKS; i++)
        if (l[i].block) give_back(&l[i], (unsigned char)(i % 251));
    wfi_slab_park(g, &mine);
    wfi_slabs_trim(g, most);
    CHECK(weft_ctx_memory_in_use(ctx) < in_use / 2);
    wfi_slabs_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* Each of a team takes, and gives back what another took. */
TEST(others_give_back_what_one_takes) {
    weft_ctx *ctx = new_ctx(TEAM, NULL);
    wfi_slab_allocator *g = wfi_slabs_new(ctx);
    static lent l[TEAM][BLOCKS];
    for (unsigned round = 0; round < 6 && harness_failures < 5; round++) {
#pragma omp parallel num_threads(TEAM)
        {
            int me = omp_get_thread_num(), other = (me + 1) % omp_get_num_threads();
            wfi_slab *mine = NULL;
            dice from = {round, (uint64_t)me};
            for (size_t i = 0; i < BLOCKS / 2; i++)
                l[me][i] = take(ctx, g, &mine, 1 + (size_t)roll(&from, 3000), (unsigned char)(me + 1));
#pragma omp barrier
            for (size_t i = 0; i < BLOCKS / 2; i++) { /* while the others take more */
                give_back(&l[other][i], (unsigned char)(other + 1));
                l[me][BLOCKS / 2 + i] = take(ctx, g, &mine, 1 + (size_t)roll(&from, 3000), (unsigned char)(me + 1));
            }
            wfi_slabs_trim(g, 1 << 20);
            for (size_t i = BLOCKS / 2; i < BLOCKS; i++) give_back(&l[me][i], (unsigned char)(me + 1));
            wfi_slab_park(g, &mine);
        }
    }
    wfi_slabs_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_slab_that_cannot_be_had_is_told) {
    for (uint64_t at = 0; at < 6; at++) {
        counting heap = {.allowed = at, .once = true};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
        wfi_slab *mine = NULL;
        wfi_slab_allocator *g = wfi_slabs_new(ctx);
        if (!g) g = wfi_slabs_new(ctx);
        REQUIRE(g != NULL);
        unsigned failed = 0;
        for (unsigned i = 0; i < 40; i++) failed += wfi_slab_take(ctx, g, &mine, 5000) == NULL;
        CHECK(failed <= 1);
        wfi_slab_park(g, &mine);
        wfi_slabs_free(g);
        CHECK_U64(heap.live_blocks, 0);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
