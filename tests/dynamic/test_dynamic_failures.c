/* Every allocation of a history fails once: the call says so, the graph is as it was before, and the same call then succeeds. */
#include "model.h"

typedef struct story {
    bool directed;
    weft_weight_type type;
    id_style style;
    int threads;
} story;

enum { MOST = 700, BATCHES = 4, LARGEST = 900 };

static void draw_batch(const model *m, dice *from, change *c) {
    for (size_t i = 0; i < LARGEST; i++) c[i] = draw_change(m, from, 80, true);
}

/* One history with the allocator failing at call `at`, then only there.  True: it never failed. */
static bool survives(const story *s, uint64_t at, const uint64_t *want) {
    counting heap = {.allowed = at, .once = true};
    weft_ctx *ctx = new_ctx(s->threads, NULL);
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    model m = model_new(MOST, s->directed, s->type, s->style, false);
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.direction = s->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.weight_type = s->type;
    p.names = s->style == NAME_IDS;
    dice from = {3, 0};
    weft_dynamic *d = NULL;
    static change c[LARGEST];
    int failed = 0;
    weft_status st = weft_dynamic_new(ctx, NULL, &p, &d);
    if (st == WEFT_ENOMEM && !d) failed++, st = weft_dynamic_new(ctx, NULL, &p, &d);
    for (unsigned b = 0; b < BATCHES && !st; b++) {
        draw_batch(&m, &from, c);
        st = give(ctx, d, &m, c, LARGEST, NULL);
        weft_dynamic_info info = {.size = sizeof info};
        if (st == WEFT_ENOMEM) {
            failed++;
            CHECK(weft_ctx_message(ctx)[0]);
            if (!weft_dynamic_describe(ctx, d, &info)) CHECK_U64(info.version, b);
            st = give(ctx, d, &m, c, LARGEST, NULL);
        }
        weft_graph *g = NULL;
        uint64_t print = 0;
        weft_status shown = weft_dynamic_snapshot(ctx, d, &g);
        if (shown == WEFT_ENOMEM) failed++, shown = weft_dynamic_snapshot(ctx, d, &g);
        if (!shown) shown = weft_graph_fingerprint(ctx, g, &print);
        if (shown == WEFT_ENOMEM) failed++, shown = weft_graph_fingerprint(ctx, g, &print);
        if (shown || print != want[b]) HARNESS_FAIL("allocation %" PRIu64 ": batch %u is wrong", at, b);
        weft_graph_free(g);
    }
    if (st) HARNESS_FAIL("allocation %" PRIu64 ": %s", at, weft_ctx_message(ctx));
    weft_dynamic_free(d);
    CHECK_U64(heap.live_blocks, 0);
    if (failed > 1) HARNESS_FAIL("one allocation failed and %d calls did", failed);
    model_free(&m);
    weft_ctx_free(ctx);
    return !failed;
}

static void tell(const story *s) {
    uint64_t want[BATCHES];
    weft_ctx *ctx = new_ctx(1, NULL);
    model m = model_new(MOST, s->directed, s->type, s->style, false);
    dice from = {3, 0};
    static change c[LARGEST];
    for (unsigned b = 0; b < BATCHES; b++) {
        draw_batch(&m, &from, c);
        for (size_t i = 0; i < LARGEST; i++) model_apply(&m, &c[i]);
        weft_graph *g = model_graph(ctx, &m);
        REQUIRE(g && !weft_graph_fingerprint(ctx, g, &want[b]));
        weft_graph_free(g);
    }
    model_free(&m);
    weft_ctx_free(ctx);
    uint64_t at = 0, step = under_a_microscope() ? 5 : 1;
    while (!survives(s, at, want) && harness_failures < 5) at += step;
    CHECK(at > 20 * step);
}

TEST(directed_with_names) { tell(&(story){true, WEFT_WEIGHT_NONE, NAME_IDS, 1}); }
TEST(undirected_with_weights_and_numbers) { tell(&(story){false, WEFT_WEIGHT_F64, SPARSE_IDS, 2}); }

TEST_MAIN()
