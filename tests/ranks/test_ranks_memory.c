/* Every allocation of one rank fails once, or it is asked to stop, while ranks read or generate a graph together, count it, send rows to where they are wanted,
 * and write it: all ranks fail, none waits for another, nothing leaks, and no file is left. */
#include "virtual_ranks.h"

#include "ranks/spread.h"

#include <inttypes.h>

typedef struct attempt {
    const char *kind, *in, *out; /* a generator, or a file to read */
    const weft_read_params *params;
    int rank; /* the one that has no memory, or is to stop */
    counting memory;
    bool stops;
    _Atomic int looks; /* for a request to stop, before there is one */
    weft_status status[MOST_RANKS];
    bool leaks;
} attempt;

static weft_status make(weft_ctx *ctx, const attempt *a, weft_graph **g) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = 6;
    p.max_weight = 9;
    return a->kind ? weft_generate(ctx, a->kind, &p, NULL, g) : weft_read(ctx, a->in, a->params, g);
}

static void try_on_rank(weft_ctx *ctx, wfi_comm *comm, void *user) {
    attempt *a = user;
    weft_graph *g = NULL;
    wfi_spread *spread = NULL;
    weft_graph_info info = {.size = sizeof info};
    uint64_t fingerprint;
    if (comm->link.rank == a->rank && weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &a->memory)) exit(1);
    if (comm->link.rank == a->rank && a->stops) weft_ctx_set_cancel(ctx, stop_after, &a->looks);
    weft_status st = make(ctx, a, &g);
    if (!st) st = weft_graph_describe(ctx, g, &info);
    if (!st) st = weft_graph_fingerprint(ctx, g, &fingerprint);
    if (!st) st = wfi_spread_new(ctx, g, g->n / 8 + 1, &spread);
    if (!st) st = weft_write(ctx, g, a->out, NULL);
    wfi_spread_free(spread);
    weft_graph_free(g);
    a->status[comm->link.rank] = st;
    if (weft_ctx_memory_in_use(ctx)) a->leaks = true;
}

/* Fails the first allocation, then the second, ..., until all is well. */
static void fail_each(const char *title, attempt a, const char *folder) {
    enum { RANKS = 3, MOST = 5000 };
    uint64_t failed = 0;
    for (uint64_t allowed = 0; allowed < MOST; allowed++) {
        a.memory = (counting){.allowed = allowed, .once = true};
        on_ranks(RANKS, try_on_rank, &a);
        if (a.leaks || a.memory.live_blocks)
            HARNESS_FAIL("%s: allocation %" PRIu64 " of rank %d fails, and memory leaks", title, allowed, a.rank);
        for (int r = 1; r < RANKS; r++)
            if (a.status[r] != a.status[0])
                HARNESS_FAIL("%s: allocation %" PRIu64 " of rank %d fails: status %d and %d", title, allowed, a.rank,
                             a.status[0], a.status[r]);
        if (!a.status[0]) {
            CHECK_U64(count_entries(folder), 1);
            unlink(a.out);
            /* A failure that does not matter is not the end, unless there was none. */
            if (a.memory.calls <= allowed) break;
            continue;
        }
        failed++;
        if (a.status[0] != WEFT_ENOMEM)
            HARNESS_FAIL("%s: allocation %" PRIu64 " of rank %d fails: status %d", title, allowed, a.rank, a.status[0]);
        CHECK_U64(count_entries(folder), 0);
    }
    CHECK(failed > 30);
}

TEST(every_allocation_of_a_rank_may_fail) {
    static const char *const texts[] = {
        "1000000000 5 0.5\n5 70000 1\n70000 1000000000 3\n123 5 7\n9 5000000000 2\n",
        "0 1\n1 2\n2 0\n3 1\n3 3\n0 1\n9 8\n10 17\n18 19\n20 4\n",
        "source,target\n\"an\nna\",bert\nbert,carl\ndora,emil\nanna,dora\n",
    };
    static const char *const names[] = {"sparse.wel", "dense.txt", "names.csv"};
    char folder[64], beside[64], in[128], out[128];
    REQUIRE(make_temp(folder, sizeof folder) && make_temp(beside, sizeof beside));
    snprintf(out, sizeof out, "%s/graph.weft", folder);
    for (int rank = 0; rank < 2; rank++) {
        for (size_t i = 0; i < LENGTH(texts); i++) {
            weft_read_params p = WEFT_READ_DEFAULTS;
            if (i == 0) p.weight_type = WEFT_WEIGHT_F64;
            if (i == 1) p.direction = WEFT_UNDIRECTED;
            snprintf(in, sizeof in, "%s/%s", beside, names[i]);
            REQUIRE(write_file(in, texts[i], strlen(texts[i])));
            fail_each(names[i], (attempt){.in = in, .out = out, .params = &p, .rank = rank}, folder);
        }
        fail_each("rmat", (attempt){.kind = "rmat", .out = out, .rank = rank}, folder);
    }
    remove_temp(folder);
    remove_temp(beside);
}

TEST(a_rank_may_be_asked_to_stop_at_any_time) {
    char folder[64], beside[64], in[128], out[128];
    static const char text[] = "anna bert\nbert carl\ndora emil\nanna dora\n";
    int stopped = 0;
    REQUIRE(make_temp(folder, sizeof folder) && make_temp(beside, sizeof beside));
    snprintf(out, sizeof out, "%s/graph.weft", folder);
    snprintf(in, sizeof in, "%s/names.txt", beside);
    REQUIRE(write_file(in, text, strlen(text)));
    for (int generates = 0; generates < 2; generates++)
        for (int looks = 0; looks < 500; looks++) {
            attempt a = {
                .kind = generates ? "rmat" : NULL, .in = in, .out = out, .rank = 1, .stops = true, .looks = looks};
            a.memory.allowed = COUNT_ONLY;
            on_ranks(3, try_on_rank, &a);
            CHECK(!a.leaks);
            CHECK(a.status[0] == WEFT_OK || a.status[0] == WEFT_ECANCELLED);
            CHECK(a.status[0] == a.status[1] && a.status[0] == a.status[2]);
            CHECK_U64(count_entries(folder), a.status[0] ? 0 : 1);
            unlink(out);
            stopped += a.status[0] != WEFT_OK;
            if (!a.status[0]) break;
        }
    CHECK(stopped > 10);
    remove_temp(folder);
    remove_temp(beside);
}

TEST_MAIN()
