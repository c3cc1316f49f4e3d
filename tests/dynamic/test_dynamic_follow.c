/* Every tracker equals the algorithm run from scratch on a snapshot, to the bit, after every batch of random histories: with deletes,
 * weights, vertices that come and go, ids that shift the numbers of others.  WEFT_DYNAMIC_HISTORIES: how many (120). */
#include "model.h"
#include "weft/bfs.h"
#include "weft/sssp.h"

#include <math.h>

typedef struct followed {
    const char *algorithm;
    bool directed_only;
    weft_tracker *tracker;
    uint64_t incremental, all;
} followed;

typedef struct history {
    unsigned most, batches, largest;
    bool directed, of_vertices, forward;
    weft_weight_type type;
    id_style style;
    int threads;
    uint64_t seed;
} history;

/* Level by level the same columns, scalars, names, types, bytes. */
static void compare(weft_ctx *ctx, const weft_result *got, const weft_result *want, const char *name, const history *h,
                    unsigned batch) {
    uint64_t a = 1, b = 2;
    if (weft_result_column_count(got) != weft_result_column_count(want) ||
        weft_result_scalar_count(got) != weft_result_scalar_count(want))
        HARNESS_FAIL("%s: other columns or scalars", name);
    for (size_t i = 0; i < weft_result_column_count(want); i++) {
        const weft_column *x = weft_result_column_at(got, i), *y = weft_result_column_at(want, i);
        if (strcmp(x->name, y->name) || x->type != y->type || x->shape != y->shape || x->length != y->length)
            HARNESS_FAIL("%s: column %s is another", name, y->name);
        if (x->length && memcmp(x->data, y->data, x->length * weft_type_size(x->type)))
            HARNESS_FAIL("seed %" PRIu64 ", batch %u: %s differs in %s", h->seed, batch, name, x->name);
    }
    if (weft_result_digest(ctx, got, &a) || weft_result_digest(ctx, want, &b) || a != b)
        HARNESS_FAIL("seed %" PRIu64 ", batch %u: %s differs", h->seed, batch, name);
}

/* The source as a vertex of this snapshot: the one without a nearer parent. */
static weft_vid source_in(const weft_result *r) {
    const weft_vid *parent = weft_result_u32(r, "parent");
    size_t n = weft_result_column(r, "parent")->length;
    for (weft_vid v = 0; v < n; v++)
        if (parent[v] == v) return v;
    return WEFT_NO_VERTEX;
}

static void check(weft_ctx *ctx, followed *f, const weft_graph *g, const history *h, unsigned batch) {
    weft_result *got = NULL, *want = NULL;
    weft_tracker_info info = {.size = sizeof info};
    weft_status st = weft_tracker_result(ctx, f->tracker, &got);
    if (st == WEFT_ENOTFOUND && strstr(weft_ctx_message(ctx), "source")) return; /* it was removed; it may come back */
    if (st) HARNESS_FAIL("seed %" PRIu64 ", batch %u: %s: %s", h->seed, batch, f->algorithm, weft_ctx_message(ctx));
    if (weft_tracker_describe(ctx, f->tracker, &info) || !info.reason[0]) HARNESS_FAIL("no description");
    weft_bfs_params bfs = WEFT_BFS_DEFAULTS;
    weft_sssp_params sssp = WEFT_SSSP_DEFAULTS;
    const void *params = NULL;
    if (!strcmp(f->algorithm, "bfs") && weft_graph_vertices(g)) bfs.source = source_in(got), params = &bfs;
    if (!strcmp(f->algorithm, "sssp") && weft_graph_vertices(g)) sssp.source = source_in(got), params = &sssp;
    weft_plan *plan = NULL;
    if (weft_plan_new(ctx, f->algorithm, g, params, &plan) || weft_plan_run(plan, &want))
        HARNESS_FAIL("%s: %s", f->algorithm, weft_ctx_message(ctx));
    weft_plan_free(plan);
    compare(ctx, got, want, f->algorithm, h, batch);
    f->incremental += info.incremental != 0;
    f->all++;
    weft_result_free(got);
    weft_result_free(want);
}

/* Histories of which half of the arcs lead forward only have few cycles, so that orders are followed too. */
static change draw(const history *h, const model *m, dice *from, bool of_vertices) {
    change c = draw_change(m, from, 10, of_vertices);
    if (h->seed % 4) c.w++; /* weights of 0 are a case of their own */
    if (h->forward && c.u > c.v && roll(from, 200)) {
        unsigned swap = c.u;
        c.u = c.v;
        c.v = swap;
    }
    if (h->forward && c.u == c.v && roll(from, 100)) c.v = (c.v + 1) % m->most;
    return c;
}

static void run(const history *h, followed *list, size_t count) {
    weft_ctx *ctx = new_ctx(h->threads, NULL);
    dice from = {h->seed, 0};
    model m = model_new(h->most, h->directed, h->type, h->style, false);
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic *d = NULL;
    p.direction = h->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.weight_type = h->type;
    p.names = h->style == NAME_IDS;
    change *c = malloc((h->largest + 4) * sizeof *c);
    if (weft_dynamic_new(ctx, NULL, &p, &d) || !c) HARNESS_FAIL("no beginning");
    for (unsigned b = 0; b < h->batches && harness_failures < 5; b++) {
        size_t size = b == 0 ? h->largest : b % 3 ? 1 + roll(&from, 4) : 1 + (size_t)roll(&from, h->largest);
        for (size_t i = 0; i < size; i++) c[i] = draw(h, &m, &from, h->of_vertices && b % 5 == 3);
        if (give(ctx, d, &m, c, size, NULL)) HARNESS_FAIL("batch %u: %s", b, weft_ctx_message(ctx));
        weft_graph *g = NULL;
        if (weft_dynamic_snapshot(ctx, d, &g)) HARNESS_FAIL("no snapshot");
        for (size_t i = 0; i < count; i++) {
            if (list[i].directed_only && !h->directed) continue;
            if (b == 0 && weft_dynamic_track(ctx, d, list[i].algorithm, NULL, NULL, &list[i].tracker))
                HARNESS_FAIL("%s: %s", list[i].algorithm, weft_ctx_message(ctx));
            if (b % 4 != 2) check(ctx, &list[i], g, h, b); /* not every batch is asked about */
        }
        weft_graph_free(g);
    }
    bool first = roll(&from, 2);
    if (first) weft_dynamic_free(d);
    for (size_t i = 0; i < count; i++) {
        weft_tracker_free(list[i].tracker);
        list[i].tracker = NULL;
    }
    if (!first) weft_dynamic_free(d);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    free(c);
    model_free(&m);
    weft_ctx_free(ctx);
}

static history drawn(uint64_t seed) {
    static const int threads[] = {1, 2, 3, 7};
    dice from = {seed, 1u << 21};
    history h = {.most = 2 + (unsigned)roll(&from, 120), .batches = 30};
    h.largest = 1 + h.most * (unsigned)(1 + roll(&from, 3));
    h.directed = roll(&from, 2);
    h.forward = roll(&from, 3) != 0;
    h.of_vertices = roll(&from, 2);
    h.type = (weft_weight_type)roll(&from, 4);
    h.style = (id_style)roll(&from, 3);
    h.threads = threads[roll(&from, 4)];
    h.seed = seed;
    return h;
}

TEST(every_tracker_equals_a_run_after_every_batch) {
    followed list[] = {
        {"degree", false, NULL, 0, 0},     {"components", false, NULL, 0, 0}, {"triangles", false, NULL, 0, 0},
        {"clustering", false, NULL, 0, 0}, {"kcore", false, NULL, 0, 0},      {"toposort", true, NULL, 0, 0},
        {"cycle", true, NULL, 0, 0},       {"bfs", false, NULL, 0, 0},        {"sssp", false, NULL, 0, 0},
        {"pagerank", false, NULL, 0, 0},   {"labelprop", false, NULL, 0, 0}};
    const char *text = getenv("WEFT_DYNAMIC_HISTORIES");
    uint64_t histories = text ? strtoull(text, NULL, 10) : under_a_microscope() ? 24 : 120;
    for (uint64_t seed = 1; seed <= histories && harness_failures < 5; seed++) {
        history h = drawn(seed);
        run(&h, list, LENGTH(list));
    }
    /* That all results come from scratch would be right too, and not the point: two thirds of the batches are small. */
    for (size_t i = 0; i < LENGTH(list) - 2; i++) {
        if (list[i].incremental * 8 < list[i].all)
            HARNESS_FAIL("%s: %" PRIu64 " of %" PRIu64 " followed", list[i].algorithm, list[i].incremental,
                         list[i].all);
    }
}

TEST_MAIN()
