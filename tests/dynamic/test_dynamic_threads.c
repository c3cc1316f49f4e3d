/* One thread applies batches while others take snapshots, look at them and let go of them.  Every batch adds an edge to each end of a
 * path, so that a snapshot that mixes two states is seen: its vertices are consecutive, and one more than its edges.  `make tsan` runs
 * it under ThreadSanitizer. */
#include "support.h"

#include <pthread.h>

enum { READERS = 4, BATCHES = 300 };

typedef struct shared {
    weft_dynamic *d;
    _Atomic bool done;
    _Atomic int bad, looks;
} shared;

static void *read_on(void *user) {
    shared *s = user;
    weft_ctx *ctx = new_ctx(1, NULL);
    uint64_t before = 0;
    bool last;
    do {
        last = atomic_load(&s->done);
        weft_graph *g = NULL;
        weft_csr out = {.size = sizeof out};
        bool good = !weft_dynamic_snapshot(ctx, s->d, &g) && !weft_graph_out(ctx, g, &out);
        good = good && out.vertices == out.arcs + 1 && out.arcs % 2 == 0 && out.arcs >= before;
        for (weft_vid v = 0; good && v + 1 < out.vertices; v++)
            good = out.targets[out.offsets[v]] == v + 1 && weft_graph_id(g, v) == (int64_t)v - (int64_t)out.arcs / 2;
        before = good ? out.arcs : before;
        weft_dynamic_info info = {.size = sizeof info};
        good = good && !weft_dynamic_describe(ctx, s->d, &info) && info.version >= before / 2;
        if (!good) atomic_fetch_add(&s->bad, 1);
        atomic_fetch_add(&s->looks, 1);
        weft_graph_free(g);
    } while (!last);
    weft_ctx_free(ctx);
    return NULL;
}

/* A file keeps the batches, or none does. */
static void write_and_read(const char *path) {
    weft_ctx *ctx = new_ctx(2, NULL);
    shared s = {NULL, false, 0, 0};
    int64_t zero = 0;
    uint8_t add = WEFT_CHANGE_ADD_VERTEX;
    weft_batch b = WEFT_BATCH_DEFAULTS;
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.durable = WEFT_DURABLE_NEVER;
    b.count = 1;
    b.changes = &add;
    b.sources = b.targets = &zero;
    REQUIRE(path ? !weft_dynamic_open(ctx, path, &p, &s.d) : !weft_dynamic_new(ctx, NULL, &p, &s.d));
    REQUIRE(!weft_dynamic_apply(ctx, s.d, &b, NULL));
    pthread_t reader[READERS];
    for (int i = 0; i < READERS; i++) REQUIRE(!pthread_create(&reader[i], NULL, read_on, &s));
    for (int64_t k = 0; k < BATCHES; k++) {
        int64_t u[] = {k, -k - 1}, v[] = {k + 1, -k};
        b.count = 2;
        b.changes = NULL;
        b.sources = u;
        b.targets = v;
        if (weft_dynamic_apply(ctx, s.d, &b, NULL)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        if (path && k % 100 == 50 && weft_dynamic_compact(ctx, s.d)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    }
    atomic_store(&s.done, true);
    for (int i = 0; i < READERS; i++) pthread_join(reader[i], NULL);
    CHECK_U64(s.bad, 0);
    CHECK(s.looks >= READERS);
    weft_dynamic_info info = {.size = sizeof info};
    CHECK(!weft_dynamic_describe(ctx, s.d, &info));
    CHECK_U64(info.versions, 1);
    CHECK_U64(info.edges, 2 * BATCHES);
    weft_dynamic_free(s.d);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(readers_see_whole_batches_while_a_writer_applies_them) { write_and_read(NULL); }

TEST(readers_see_whole_batches_while_a_writer_logs_them) {
    char folder[256], path[300];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.weft", folder);
    REQUIRE(!weft_dynamic_new(ctx, NULL, NULL, &d) && !weft_dynamic_snapshot(ctx, d, &g));
    REQUIRE(!weft_write(ctx, g, path, NULL));
    write_and_read(path);
    remove_temp(folder);
    weft_graph_free(g);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST_MAIN()
