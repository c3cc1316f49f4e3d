/* Mirrors that follow: the rows of a snapshot on a GPU, which faked_rows.h stands in for, made from those of an earlier one (cuda/trail.h). */
#include "cuda/trail.h"

#include "faked_rows.h"

enum { TOWNS = 60, LARGEST = 40 };

/* A graph in the host's memory, whose snapshots go to the GPU now and then. */
typedef struct travel {
    weft_ctx *ctx;
    weft_dynamic *d;
    dice from;
    weft_weight_type type;
    bool directed, settled; /* no vertices come */
    int64_t ids;            /* so far, all in use */
    unsigned followed, uploaded;
} travel;

static weft_dynamic *depart(travel *t) {
    enum { ROADS = 900 };
    weft_vid u[ROADS], v[ROADS];
    double w[ROADS];
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    weft_dynamic *d = NULL;
    build.direction = t->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    for (unsigned i = 0; i < ROADS; i++) {
        u[i] = (weft_vid)roll(&t->from, TOWNS);
        v[i] = (weft_vid)roll(&t->from, TOWNS);
        put_weight(t->type, w, i, (double)roll(&t->from, 4));
    }
    if (weft_graph_from_edges(t->ctx, TOWNS, ROADS, u, v, t->type ? w : NULL, t->type, &build, &g) ||
        weft_dynamic_new(t->ctx, g, NULL, &d))
        HARNESS_FAIL("no beginning: %s", weft_ctx_message(t->ctx));
    t->ids = TOWNS;
    weft_graph_free(g);
    return d;
}

/* Edges come and go; now and then a vertex with a larger id, which shifts no number. */
static weft_status change_some(travel *t, size_t count) {
    int64_t u[LARGEST], v[LARGEST];
    uint8_t what[LARGEST];
    double w[LARGEST];
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    for (size_t i = 0; i < count; i++) {
        bool grows = !t->settled && roll(&t->from, 50) == 0;
        u[i] = grows ? t->ids++ : (int64_t)roll(&t->from, (uint64_t)t->ids);
        v[i] = (int64_t)roll(&t->from, (uint64_t)t->ids);
        what[i] = grows ? WEFT_CHANGE_INSERT : (uint8_t)roll(&t->from, t->type ? 3 : 2);
        put_weight(t->type, w, i, (double)roll(&t->from, 4));
    }
    batch.count = count;
    batch.sources = u;
    batch.targets = v;
    batch.changes = what;
    batch.weights = t->type ? w : NULL;
    return weft_dynamic_apply(t->ctx, t->d, &batch, NULL);
}

static weft_status one_vertex(travel *t, weft_change what, int64_t id) {
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    uint8_t only = (uint8_t)what;
    batch.count = 1;
    batch.sources = batch.targets = &id;
    batch.changes = &only;
    return weft_dynamic_apply(t->ctx, t->d, &batch, NULL);
}

static bool same_rows(const weft_graph *g, const struct wfi_gpu_rows *r) {
    return r->n == g->n && r->arcs == g->arcs && !memcmp(r->offsets, g->out.offsets, ((size_t)g->n + 1) * 8) &&
           !memcmp(r->targets, g->out.targets, g->arcs * 4) &&
           (!r->words || !memcmp(r->weights, g->out.weights, g->arcs * r->words * 4));
}

/* What wfi_mirror_need_out does. */
static void use_on_gpu(travel *t, const weft_graph *g) {
    struct wfi_gpu_rows *rows = NULL;
    uint64_t changes;
    REQUIRE(wfi_graph_ready(t->ctx, g) == WEFT_OK);
    bool leads = wfi_trail_reaches(g, 0, &changes);
    REQUIRE(wfi_trail_follow(t->ctx, g, 0, &rows) == WEFT_OK);
    CHECK((rows != NULL) == leads);
    CHECK(!wfi_trail_reaches(g, 1, &changes)); /* another GPU */
    if (rows) CHECK(same_rows(g, rows));
    t->followed += rows != NULL;
    t->uploaded += rows == NULL;
    if (!rows) REQUIRE(__wrap_wfi_gpu_rows_new(t->ctx, g, &rows) == WEFT_OK);
    if (g->trail) wfi_trail_offer(g->trail, g->version, rows);
    __wrap_wfi_gpu_rows_drop(rows);
}

TEST(rows_of_a_snapshot_follow_from_those_of_an_earlier_one) {
    for (uint64_t seed = 0; seed < 32 && harness_failures < 5; seed++) {
        travel t = {.ctx = new_ctx(2, NULL),
                    .from = {seed, 77},
                    .type = (weft_weight_type)(seed % 4),
                    .directed = seed / 4 % 2};
        weft_graph *late = NULL;
        t.d = depart(&t);
        for (unsigned b = 0; b < 60; b++) {
            REQUIRE(change_some(&t, (size_t)roll(&t.from, 10)) == WEFT_OK);
            weft_graph *g = NULL;
            if (roll(&t.from, 3)) continue;
            REQUIRE(weft_dynamic_snapshot(t.ctx, t.d, &g) == WEFT_OK);
            if (!late && roll(&t.from, 2)) {
                late = g; /* used when the trail has gone on, or not yet begun */
                continue;
            }
            use_on_gpu(&t, g);
            weft_graph_free(g);
            if (late && !roll(&t.from, 4)) {
                use_on_gpu(&t, late);
                weft_graph_free(late);
                late = NULL;
            }
        }
        CHECK(t.followed > t.uploaded);
        weft_dynamic_free(t.d);
        if (late) use_on_gpu(&t, late);
        weft_graph_free(late);
        CHECK_U64(rows_there, 0);
        CHECK_U64(weft_ctx_memory_in_use(t.ctx), 0);
        weft_ctx_free(t.ctx);
    }
}

static bool follows(travel *t) {
    weft_graph *g = NULL;
    unsigned before = t->followed;
    if (weft_dynamic_snapshot(t->ctx, t->d, &g)) HARNESS_FAIL("no snapshot");
    use_on_gpu(t, g);
    weft_graph_free(g);
    return t->followed > before;
}

TEST(rows_do_not_follow_where_numbers_shift_or_too_much_changes) {
    travel t = {.ctx = new_ctx(2, NULL), .from = {5, 78}, .directed = true};
    t.d = depart(&t);
    CHECK(!follows(&t)); /* the first */
    CHECK(follows(&t));  /* the same state once more */
    REQUIRE(change_some(&t, 20) == WEFT_OK);
    CHECK(follows(&t));
    REQUIRE(one_vertex(&t, WEFT_CHANGE_ADD_VERTEX, t.ids) == WEFT_OK); /* behind all others */
    CHECK(follows(&t));
    for (int i = 0; i < 4; i++) REQUIRE(change_some(&t, LARGEST) == WEFT_OK);
    CHECK(!follows(&t)); /* more than an eighth of the arcs */
    REQUIRE(one_vertex(&t, WEFT_CHANGE_REMOVE_VERTEX, 3) == WEFT_OK);
    CHECK(!follows(&t));
    REQUIRE(one_vertex(&t, WEFT_CHANGE_ADD_VERTEX, 3) == WEFT_OK);
    CHECK(!follows(&t)); /* slots are vertices again, and a trail begins */
    REQUIRE(change_some(&t, 20) == WEFT_OK);
    CHECK(follows(&t));
    REQUIRE(one_vertex(&t, WEFT_CHANGE_ADD_VERTEX, -1) == WEFT_OK); /* before all others */
    CHECK(!follows(&t));
    CHECK(!follows(&t)); /* vertices are no longer slots */
    weft_dynamic_free(t.d);
    CHECK_U64(rows_there, 0);
    weft_ctx_free(t.ctx);
}

/* A batch that removes a vertex and brings it back leaves numbers alone, and takes its arcs. */
TEST(a_vertex_that_goes_and_comes_in_one_batch_ends_the_trail) {
    travel t = {.ctx = new_ctx(2, NULL), .from = {6, 79}};
    static const uint8_t what[] = {WEFT_CHANGE_REMOVE_VERTEX, WEFT_CHANGE_ADD_VERTEX};
    static const int64_t id[] = {7, 7};
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    batch.count = 2;
    batch.changes = what;
    batch.sources = batch.targets = id;
    t.d = depart(&t);
    CHECK(!follows(&t));
    REQUIRE(weft_dynamic_apply(t.ctx, t.d, &batch, NULL) == WEFT_OK);
    CHECK(!follows(&t));
    REQUIRE(change_some(&t, 20) == WEFT_OK);
    CHECK(follows(&t));
    weft_dynamic_free(t.d);
    weft_ctx_free(t.ctx);
}

/* A batch that is refused has not been. */
TEST(a_batch_that_fails_leaves_no_trail) {
    travel t = {.ctx = new_ctx(1, NULL), .from = {8, 80}, .directed = true, .settled = true};
    t.d = depart(&t);
    CHECK(!follows(&t));
    REQUIRE(change_some(&t, 20) == WEFT_OK);
    weft_ctx_set_memory_limit(t.ctx, weft_ctx_memory_in_use(t.ctx) + 3000);
    unsigned failed = 0;
    for (int i = 0; i < 20; i++) failed += change_some(&t, LARGEST) == WEFT_ENOMEM;
    CHECK(failed > 0);
    weft_ctx_set_memory_limit(t.ctx, 0);
    REQUIRE(change_some(&t, 5) == WEFT_OK);
    follows(&t);
    REQUIRE(change_some(&t, 5) == WEFT_OK);
    CHECK(follows(&t));
    weft_dynamic_free(t.d);
    weft_ctx_free(t.ctx);
}

TEST_MAIN()
