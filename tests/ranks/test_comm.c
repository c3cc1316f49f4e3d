/* The collective calls: on virtual ranks, and under a launcher (test_ranks_mpi.sh) as one rank of several. */
#include "launched_ranks.h"
#include "virtual_ranks.h"

#include "ranks/links.h"

enum { LONG = 1000 };

/* Failures of all ranks: harness.h counts for one thread. */
static _Atomic int wrong;
static void expect_at(bool right, int line) {
    if (right) return;
    fprintf(stderr, "%s:%d: wrong on a rank\n", __FILE__, line);
    wrong++;
}
#define expect(right) expect_at(right, __LINE__)

/* Parts of different lengths, one of them empty. */
static uint64_t length_of(int rank) { return rank == 1 ? 0 : 3 + (uint64_t)rank * 5; }
static uint8_t byte_of(int rank, uint64_t i) { return (uint8_t)(rank * 31 + (int)i * 7); }

static void gathers(weft_ctx *ctx, wfi_comm *comm, void *user) {
    int size = comm->link.size, me = comm->link.rank;
    uint64_t start[MOST_RANKS + 1] = {0}, before = comm->sent;
    uint8_t all[4096] = {0};
    (void)user;
    for (int r = 0; r < size; r++) start[r + 1] = start[r] + length_of(r);
    for (uint64_t i = 0; i < length_of(me); i++) all[start[me] + i] = byte_of(me, i);
    expect(wfi_allgather(ctx, all, start) == WEFT_OK);
    for (int r = 0; r < size; r++)
        for (uint64_t i = 0; i < length_of(r); i++) expect(all[start[r] + i] == byte_of(r, i));
    expect(comm->sent - before == length_of(me) * (uint64_t)(size - 1));
}

/* From a to b: a different number for every pair, 0 for some. */
static uint64_t pair(int a, int b) { return (uint64_t)(a * 3 + b * 5) % 7; }

static void exchanges(weft_ctx *ctx, wfi_comm *comm, void *user) {
    int size = comm->link.size, me = comm->link.rank;
    uint64_t go[MOST_RANKS + 1] = {0}, come[MOST_RANKS + 1];
    uint8_t send[256], receive[256];
    (void)user;
    for (int r = 0; r < size; r++) {
        go[r + 1] = go[r] + pair(me, r);
        for (uint64_t i = go[r]; i < go[r + 1]; i++) send[i] = (uint8_t)(me * 16 + r);
    }
    expect(wfi_receive_starts(ctx, go, come) == WEFT_OK);
    for (int r = 0; r < size; r++) expect(come[r + 1] - come[r] == pair(r, me));
    expect(wfi_alltoall(ctx, send, go, receive, come) == WEFT_OK);
    for (int r = 0; r < size; r++)
        for (uint64_t i = come[r]; i < come[r + 1]; i++) expect(receive[i] == (uint8_t)(r * 16 + me));
}

static void reduces(weft_ctx *ctx, wfi_comm *comm, void *user) {
    int size = comm->link.size, me = comm->link.rank;
    uint64_t start[MOST_RANKS + 1] = {0}, all[MOST_RANKS * 100], mine[100], values[LONG], each[MOST_RANKS];
    uint64_t ranks = (uint64_t)size, sum = ranks * (ranks - 1) / 2;
    (void)user;
    for (int r = 0; r < size; r++) start[r + 1] = start[r] + length_of(r);
    for (uint64_t i = 0; i < start[size]; i++) all[i] = i << 40 | (uint64_t)me;
    expect(wfi_reduce_scatter(ctx, all, start, mine) == WEFT_OK);
    for (uint64_t i = 0; i < length_of(me); i++) expect(mine[i] == ((start[me] + i) << 40) * ranks + sum);
    for (int how = WFI_SUM; how <= WFI_MAX; how++) {
        for (uint64_t i = 0; i < LONG; i++) values[i] = i + (uint64_t)me;
        expect(wfi_allreduce(ctx, values, LONG, (wfi_reduction)how) == WEFT_OK);
        for (uint64_t i = 0; i < LONG; i++)
            expect(values[i] == (how == WFI_SUM ? i * ranks + sum : how == WFI_MIN ? i : i + ranks - 1));
    }
    uint64_t large = me ? UINT64_MAX : 7; /* no sign */
    expect(wfi_allreduce(ctx, &large, 1, WFI_MIN) == WEFT_OK && large == 7);
    expect(wfi_allgather_u64(ctx, (uint64_t)me * 9, each) == WEFT_OK);
    for (int r = 0; r < size; r++) expect(each[r] == (uint64_t)r * 9);
}

static void agrees(weft_ctx *ctx, wfi_comm *comm, void *user) {
    int size = comm->link.size, me = comm->link.rank, bad = size - 1;
    (void)user;
    expect(wfi_agree(ctx, WEFT_OK) == WEFT_OK);
    weft_status st = me == bad ? wfi_fail(ctx, WEFT_ENOMEM, "it is full") : WEFT_OK;
    expect(wfi_agree(ctx, st) == WEFT_ENOMEM);
    char text[64] = "it is full";
    if (me != bad) snprintf(text, sizeof text, "rank %d: it is full", bad);
    expect(!strcmp(weft_ctx_message(ctx), text));
    /* Of several failures the first rank's. */
    st = me ? wfi_fail(ctx, WEFT_EIO, "another") : wfi_fail(ctx, WEFT_EINPUT, "the first");
    expect(wfi_agree(ctx, st) == WEFT_EINPUT);
    expect(strstr(weft_ctx_message(ctx), "the first"));
}

static const rank_work works[] = {gathers, exchanges, reduces, agrees};

/* As one rank of those that a launcher started, or on virtual ranks. */
static void everywhere(rank_work work) {
    static const int sizes[] = {1, 2, 3, 5, 8, 16};
    wrong = 0;
    for (size_t i = 0; i < LENGTH(sizes); i++) on_ranks(sizes[i], work, NULL);
    CHECK_U64((uint64_t)wrong, 0);
}

TEST(gathered_parts_come_from_all_ranks) { everywhere(gathers); }
TEST(every_pair_of_ranks_exchanges_what_is_meant_for_the_other) { everywhere(exchanges); }
TEST(numbers_of_all_ranks_are_reduced) { everywhere(reduces); }
TEST(a_failure_of_one_rank_is_everybodys) { everywhere(agrees); }

TEST(launched_ranks_talk_over_the_plugin) {
    wfi_link link;
    if (!open_launched(&link)) {
        if (!harness_failures) SKIP("not under a launcher");
        return;
    }
    CHECK(link.local_size == link.size && link.local_rank == link.rank);
    const char *cores = getenv("WEFT_TEST_CORES"); /* that the launcher may use */
    CHECK(cores ? link.local_cores == atoi(cores) : link.local_cores > 0 && link.local_cores <= LAUNCHED_CORES);
    wrong = 0;
    weft_ctx *ctx = new_ctx(1, NULL);
    wfi_comm *comm = wfi_comm_new(&link);
    wfi_ctx_set_comm(ctx, comm);
    for (size_t i = 0; i < LENGTH(works); i++) works[i](ctx, comm, NULL);
    weft_ctx_free(ctx);
    CHECK_U64((uint64_t)wrong, 0);
    printf("rank %d of %d: %s\n", link.rank, link.size, link.name);
}

TEST_MAIN()
