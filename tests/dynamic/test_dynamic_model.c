/* Random histories against the matrix of model.h: after every batch the graph has the right counts; snapshots that were kept are, at
 * the end, still the graphs they were, equal to ones built from all their edges. */
#include "model.h"

enum { KEPT = 6 };

typedef struct history {
    unsigned most, batches, largest, hub;
    bool directed, drop_loops, from_graph, of_vertices;
    weft_weight_type type;
    id_style style;
    int threads;
    uint64_t seed;
} history;

typedef struct kept {
    weft_graph *snapshot, *want;
} kept;

static void compare(weft_ctx *ctx, kept *k, const history *h, unsigned at) {
    int equal = 0;
    uint64_t got = 1, want = 2;
    if (weft_graph_compare(ctx, k->snapshot, k->want, &equal) || !equal)
        HARNESS_FAIL("seed %" PRIu64 ", batch %u: %s", h->seed, at, weft_ctx_message(ctx));
    if (weft_graph_fingerprint(ctx, k->snapshot, &got) || weft_graph_fingerprint(ctx, k->want, &want) || got != want)
        HARNESS_FAIL("seed %" PRIu64 ", batch %u: fingerprints differ", h->seed, at);
    weft_graph_free(k->snapshot);
    weft_graph_free(k->want);
    *k = (kept){NULL, NULL};
}

static uint64_t count_edges(const model *m) {
    uint64_t edges = 0;
    for (unsigned a = 0; a < m->most; a++)
        for (unsigned b = m->directed ? 0 : a; b < m->most; b++) edges += m->edge[(size_t)a * m->most + b];
    return edges;
}

static void check_counts(weft_ctx *ctx, weft_dynamic *d, const model *m, const weft_batch_stats *s, size_t count,
                         uint64_t edges_before, bool plain, const history *h) {
    weft_dynamic_info info = {.size = sizeof info};
    uint64_t vertices = 0, edges = count_edges(m);
    for (unsigned k = 0; k < m->most; k++) vertices += m->vertex[k];
    REQUIRE(weft_dynamic_describe(ctx, d, &info) == WEFT_OK);
    if (info.vertices != vertices || info.edges != edges)
        HARNESS_FAIL("seed %" PRIu64 ": %" PRIu64 " vertices and %" PRIu64 " edges, expected %" PRIu64 " and %" PRIu64,
                     h->seed, info.vertices, info.edges, vertices, edges);
    CHECK_U64(edges_before + s->inserted - s->deleted, edges);
    CHECK_U64(info.version, s->version);
    uint64_t all =
        s->inserted + s->deleted + s->weights_changed + s->already_there + s->absent + s->superseded + s->loops_dropped;
    if (plain) CHECK_U64(all, count);
}

static weft_dynamic *begin(weft_ctx *ctx, model *m, const history *h, dice *from) {
    weft_dynamic *d = NULL;
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.loops = h->drop_loops ? WEFT_LOOPS_DROP : WEFT_LOOPS_KEEP;
    p.direction = h->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.weight_type = h->type;
    p.names = h->style == NAME_IDS;
    if (!h->from_graph) return weft_dynamic_new(ctx, NULL, &p, &d) ? NULL : d;
    for (unsigned i = 0; i < 3 * h->most; i++) {
        change c = {WEFT_CHANGE_INSERT, (unsigned)roll(from, m->most), (unsigned)roll(from, m->most), 1};
        model_apply(m, &c);
    }
    weft_graph *base = model_graph(ctx, m);
    if (!base || weft_dynamic_new(ctx, base, &p, &d)) HARNESS_FAIL("no beginning: %s", weft_ctx_message(ctx));
    weft_graph_free(base);
    return d;
}

static void run(const history *h) {
    weft_ctx *ctx = new_ctx(h->threads, NULL);
    dice from = {h->seed, 0};
    model m = model_new(h->most, h->directed, h->type, h->style, h->drop_loops);
    weft_dynamic *d = begin(ctx, &m, h, &from);
    change *c = malloc(h->largest * sizeof *c);
    kept keep[KEPT] = {{NULL, NULL}};
    REQUIRE(d && c);
    for (unsigned b = 0; b < h->batches && harness_failures < 5; b++) {
        size_t count = (size_t)roll(&from, h->largest) + (b % 7 == 0 ? 0 : 1);
        uint64_t before = count_edges(&m);
        bool plain = true;
        for (size_t i = 0; i < count; i++) {
            c[i] = draw_change(&m, &from, h->hub, h->of_vertices && b % 3 == 0);
            model_apply(&m, &c[i]);
            plain = plain && c[i].what <= WEFT_CHANGE_WEIGHT;
        }
        weft_batch_stats stats = {.size = sizeof stats};
        if (give(ctx, d, &m, c, count, &stats)) HARNESS_FAIL("batch %u: %s", b, weft_ctx_message(ctx));
        check_counts(ctx, d, &m, &stats, count, before, plain, h);
        kept *k = &keep[roll(&from, KEPT)];
        if (k->snapshot) compare(ctx, k, h, b);
        if (roll(&from, 3)) {
            if (weft_dynamic_snapshot(ctx, d, &k->snapshot)) HARNESS_FAIL("no snapshot");
            k->want = model_graph(ctx, &m);
        }
    }
    kept last = {NULL, model_graph(ctx, &m)};
    if (weft_dynamic_snapshot(ctx, d, &last.snapshot)) HARNESS_FAIL("no snapshot");
    weft_dynamic_free(d);
    compare(ctx, &last, h, h->batches);
    for (unsigned i = 0; i < KEPT; i++)
        if (keep[i].snapshot) compare(ctx, &keep[i], h, h->batches + i);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    free(c);
    model_free(&m);
    weft_ctx_free(ctx);
}

static history drawn(uint64_t seed) {
    static const int threads[] = {1, 2, 3, 7};
    dice from = {seed, 1u << 20};
    history h = {.most = 1 + (unsigned)roll(&from, 150), .batches = 30, .largest = 1 + (unsigned)roll(&from, 300)};
    h.hub = roll(&from, 3) ? 0 : 50;
    h.directed = roll(&from, 2);
    h.drop_loops = roll(&from, 4) == 0;
    h.from_graph = roll(&from, 2);
    h.of_vertices = roll(&from, 3) != 0;
    h.type = (weft_weight_type)roll(&from, 4);
    h.style = (id_style)roll(&from, 3);
    h.threads = threads[roll(&from, 4)];
    h.seed = seed;
    return h;
}

TEST(small_histories_equal_the_matrix) {
    uint64_t histories = under_a_microscope() ? 40 : 300;
    for (uint64_t seed = 1; seed <= histories && harness_failures < 5; seed++) {
        history h = drawn(seed);
        run(&h);
    }
}

/* The first row passes 512 arcs and 2,048, and comes back as its edges and vertices go. */
TEST(histories_with_a_long_row_equal_the_matrix) {
    uint64_t histories = under_a_microscope() ? 2 : 6;
    for (uint64_t seed = 1000; seed < 1000 + histories && harness_failures < 5; seed++) {
        history h = drawn(seed);
        h.most = 700 + (unsigned)(seed % 4) * 800;
        h.largest = 4000;
        h.hub = 70;
        h.batches = 12;
        run(&h);
    }
}

TEST_MAIN()
