/* Random histories against the matrix of model.h: after every batch the graph has the right counts; snapshots that were kept are, at
 * the end, still the graphs they were, equal to ones built from all their edges. */
#ifndef WEFT_TESTS_DYNAMIC_HISTORIES_H
#define WEFT_TESTS_DYNAMIC_HISTORIES_H

#include "model.h"

enum { KEPT = 6, HUB = 5, LONG = 2048 };

typedef struct history {
    unsigned most, batches, largest, hub;
    bool directed, drop_loops, from_graph, of_vertices, large;
    weft_weight_type type;
    id_style style;
    int threads;
    weft_device device; /* that rows lie on */
    uint64_t seed;
} history;

typedef struct kept {
    weft_graph *snapshot, *want;
} kept;

static inline void compare(weft_ctx *ctx, kept *k, const history *h, unsigned at) {
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

static inline void check_counts(weft_ctx *ctx, weft_dynamic *d, const model *m, const weft_batch_stats *s, size_t count,
                                uint64_t edges_before, bool plain, const history *h) {
    weft_dynamic_info info = {.size = sizeof info};
    uint64_t vertices = 0, edges = m->edges;
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

static inline weft_dynamic *begin(weft_ctx *ctx, model *m, const history *h, dice *from) {
    weft_dynamic *d = NULL;
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.loops = h->drop_loops ? WEFT_LOOPS_DROP : WEFT_LOOPS_KEEP;
    p.direction = h->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.weight_type = h->type;
    p.names = h->style == NAME_IDS;
    p.device = h->device;
    if (!h->from_graph) return weft_dynamic_new(ctx, NULL, &p, &d) ? NULL : d;
    /* The base has the larger half of the ids: others come below the smallest later. */
    unsigned upper = m->most - m->most / 2;
    for (unsigned i = 0; i < 3 * upper; i++) {
        unsigned u = m->by_id[m->most / 2 + roll(from, upper)], v = m->by_id[m->most / 2 + roll(from, upper)];
        change c = {WEFT_CHANGE_INSERT, u, v, 1};
        model_apply(m, &c);
    }
    weft_graph *base = model_graph(ctx, m);
    if (!base || weft_dynamic_new(ctx, base, &p, &d)) HARNESS_FAIL("no beginning: %s", weft_ctx_message(ctx));
    weft_graph_free(base);
    return d;
}

/* A batch of the usual kind; or one that joins the hub to nearly all, and changes much else. */
static inline size_t draw_batch(const history *h, const model *m, unsigned b, dice *from, change *c) {
    if (!h->large || b % 16 != 2) {
        size_t count = (size_t)roll(from, h->largest) + (b % 7 == 0 ? 0 : 1);
        for (size_t i = 0; i < count; i++) c[i] = draw_change(m, from, h->hub, h->of_vertices && b % 3 == 0);
        return count;
    }
    size_t count = 0;
    for (unsigned k = 0; k < m->most; k++)
        if (roll(from, 40)) c[count++] = (change){WEFT_CHANGE_INSERT, HUB, k, (double)roll(from, 5)};
    for (unsigned k = 0; k < m->most; k++) c[count++] = draw_change(m, from, 0, false);
    return count;
}

/* True: the hub had more than 2,048 arcs after a batch. */
static inline bool run_history(const history *h) {
    weft_ctx *ctx = new_ctx(h->threads, NULL);
    dice from = {h->seed, 0};
    model m = model_new(h->most, h->directed, h->type, h->style, h->drop_loops);
    weft_dynamic *d = begin(ctx, &m, h, &from);
    change *c = malloc((h->largest + 2 * h->most) * sizeof *c);
    kept keep[KEPT] = {{NULL, NULL}};
    bool was_long = false;
    if (!d || !c) HARNESS_FAIL("no beginning");
    for (unsigned b = 0; b < h->batches && harness_failures < 5; b++) {
        size_t count = draw_batch(h, &m, b, &from, c);
        uint64_t before = m.edges;
        bool plain = true;
        for (size_t i = 0; i < count; i++) {
            model_apply(&m, &c[i]);
            plain = plain && c[i].what <= WEFT_CHANGE_WEIGHT;
        }
        weft_batch_stats stats = {.size = sizeof stats};
        if (give(ctx, d, &m, c, count, &stats)) HARNESS_FAIL("batch %u: %s", b, weft_ctx_message(ctx));
        check_counts(ctx, d, &m, &stats, count, before, plain, h);
        was_long = was_long || (h->most > HUB && m.row[HUB] > LONG);
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
    return was_long;
}

static inline history drawn(uint64_t seed) {
    static const int threads[] = {1, 2, 3, 7};
    dice from = {seed, 1u << 20};
    history h = {.most = 1 + (unsigned)roll(&from, 150), .batches = 30, .largest = 1 + (unsigned)roll(&from, 500)};
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

/* One of those with a hub of more than 2,048 arcs, whose row becomes long and comes back, and batches that change most of the graph. */
static inline history drawn_large(uint64_t seed) {
    history h = drawn(seed);
    h.most = 2200 + (unsigned)(seed % 3) * 100;
    h.hub = 50;
    h.large = true;
    return h;
}

#endif
