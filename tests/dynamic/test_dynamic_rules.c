/* Rows on a GPU, without one: what stands behind cuda/gpu_rows.h is here the same rules (cuda/arc_changes.h), change by change and arc by arc, in the host's
 * memory.  So all of a dynamic graph on a GPU is tested on every machine, but for the kernels that walk through the rules. */
#include "core/scan.h"
#include "cuda/trail.h"

#include "histories.h"

struct wfi_gpu_rows {
    unsigned users;
    weft_vid n;
    weft_eid arcs;
    unsigned words;
    weft_eid *offsets;
    weft_vid *targets;
    uint32_t *weights;
};

static unsigned long rows_there; /* none may be left */

static struct wfi_gpu_rows *room_for(weft_vid n, weft_eid arcs, unsigned words) {
    struct wfi_gpu_rows *r = malloc(sizeof *r);
    if (!r) exit(1);
    *r = (struct wfi_gpu_rows){1, n, arcs, words, malloc(((size_t)n + 1) * 8), malloc(arcs * 4 + 4), NULL};
    r->weights = malloc(arcs * words * 4 + 4);
    if (!r->offsets || !r->targets || !r->weights) exit(1);
    rows_there++;
    return r;
}

struct wfi_gpu_rows *__wrap_wfi_gpu_rows_keep(struct wfi_gpu_rows *r);
struct wfi_gpu_rows *__wrap_wfi_gpu_rows_keep(struct wfi_gpu_rows *r) {
    r->users++;
    return r;
}

void __wrap_wfi_gpu_rows_drop(struct wfi_gpu_rows *r);
void __wrap_wfi_gpu_rows_drop(struct wfi_gpu_rows *r) {
    if (!r || --r->users) return;
    rows_there--;
    free(r->offsets);
    free(r->targets);
    free(r->weights);
    free(r);
}

uint64_t __wrap_wfi_gpu_rows_bytes(const struct wfi_gpu_rows *r);
uint64_t __wrap_wfi_gpu_rows_bytes(const struct wfi_gpu_rows *r) {
    return 8 * ((uint64_t)r->n + 1) + (4 + 4 * r->words) * r->arcs;
}

weft_vid __wrap_wfi_gpu_rows_count(const struct wfi_gpu_rows *r);
weft_vid __wrap_wfi_gpu_rows_count(const struct wfi_gpu_rows *r) { return r->n; }

int __wrap_wfi_gpu_rows_index(const struct wfi_gpu_rows *r);
int __wrap_wfi_gpu_rows_index(const struct wfi_gpu_rows *r) {
    (void)r;
    return 0;
}

weft_status __wrap_wfi_mirror_adopt(weft_ctx *ctx, weft_graph *g, struct wfi_gpu_rows *r);
weft_status __wrap_wfi_mirror_adopt(weft_ctx *ctx, weft_graph *g, struct wfi_gpu_rows *r) {
    (void)ctx;
    CHECK(g->n == r->n && g->arcs == r->arcs && wfi_weight_bytes(g->weight_type) == 4 * r->words);
    return WEFT_OK;
}

weft_status __wrap_wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out);
weft_status __wrap_wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out) {
    (void)ctx;
    struct wfi_gpu_rows *r = room_for(g->n, g->arcs, (unsigned)wfi_weight_bytes(g->weight_type) / 4);
    memcpy(r->offsets, g->out.offsets, ((size_t)g->n + 1) * 8);
    if (g->arcs) memcpy(r->targets, g->out.targets, g->arcs * 4);
    if (g->arcs && r->words) memcpy(r->weights, g->out.weights, g->arcs * r->words * 4);
    *out = r;
    return WEFT_OK;
}

weft_status __wrap_wfi_gpu_rows_bring(weft_ctx *ctx, struct wfi_gpu_rows *r, const wfi_rows *to);
weft_status __wrap_wfi_gpu_rows_bring(weft_ctx *ctx, struct wfi_gpu_rows *r, const wfi_rows *to) {
    (void)ctx;
    memcpy(to->offsets, r->offsets, ((size_t)r->n + 1) * 8);
    if (r->arcs) memcpy(to->targets, r->targets, r->arcs * 4);
    if (r->arcs && r->words) memcpy(to->weights, r->weights, r->arcs * r->words * 4);
    return WEFT_OK;
}

/* --- merging ------------------------------------------------------------------------------- */

static bool goes(const uint64_t *removed, uint64_t v) { return removed[v / 64] >> v % 64 & 1; }

static struct wfi_gpu_rows *filtered(const struct wfi_gpu_rows *old, const wfi_arc_batch *b, uint64_t *counts) {
    struct wfi_gpu_rows *r = room_for(old->n, old->arcs, old->words);
    weft_eid to = 0;
    for (weft_vid v = 0; v < old->n; v++) {
        r->offsets[v] = to;
        for (weft_eid e = old->offsets[v]; e < old->offsets[v + 1]; e++) {
            weft_vid u = old->targets[e];
            if (goes(b->removed, v) || goes(b->removed, u)) {
                counts[WFI_DELETED] += b->directed || v <= u;
                counts[WFI_ARCS_OUT]++;
                counts[WFI_LOOPS_OUT] += u == v;
                continue;
            }
            r->targets[to] = u;
            memcpy(r->weights + to * r->words, old->weights + e * r->words, r->words * 4);
            to++;
        }
    }
    r->offsets[old->n] = r->arcs = to;
    return r;
}

/* As the kernels do it: each step for all before the next. */
static struct wfi_gpu_rows *merged(const wfi_arc_changes *c, uint64_t *counts) {
    uint64_t *at = calloc(c->count + 1, 8), *tally = calloc(c->count + 1, 8);
    wfi_fate *fate = calloc(c->count + 1, sizeof *fate);
    wfi_arc_edits e = {calloc(c->count + 1, 8), calloc(c->count + 1, 4), calloc(c->count + 1, 8), 0};
    if (!at || !tally || !fate || !e.at || !e.row || !e.shift) exit(1);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < c->count; i++) {
        fate[i] = wfi_judge(c, i, &at[i]);
        weft_vid row = wfi_key_row(c->bits, c->key[i]), target = wfi_key_target(c->bits, c->key[i]);
        counts[fate[i]] += fate[i] != WFI_NO_CHANGE && (c->directed || row <= target);
        counts[WFI_ARCS_IN] += fate[i] == WFI_INSERTED;
        counts[WFI_ARCS_OUT] += fate[i] == WFI_DELETED;
        counts[WFI_LOOPS_IN] += fate[i] == WFI_INSERTED && row == target;
        counts[WFI_LOOPS_OUT] += fate[i] == WFI_DELETED && row == target;
        tally[i] = sum;
        sum += wfi_tally(fate[i]);
    }
    tally[c->count] = sum;
    e.count = wfi_tally_edits(sum);
    for (uint64_t i = 0; i <= c->count; i++) {
        uint64_t k = wfi_tally_edits(tally[i]);
        if (i < c->count && !wfi_is_edit(fate[i])) continue;
        e.shift[k] = wfi_tally_shift(tally[i]);
        if (i == c->count) break;
        e.at[k] = at[i];
        e.row[k] = wfi_key_row(c->bits, c->key[i]);
        if (k) CHECK(e.at[k - 1] <= e.at[k]);
    }
    struct wfi_gpu_rows *r = room_for(c->rows, c->old_arcs + (uint64_t)e.shift[e.count], c->words);
    memset(r->targets, 0xff, r->arcs * 4);
    for (uint64_t v = 0; v <= c->rows; v++) r->offsets[v] = wfi_new_offset(c, &e, 0, e.count, (weft_vid)v);
    /* Tiles of 5: edits lie before, in and behind each. */
    for (weft_eid p = 0, to; p < c->old_arcs; p++) {
        uint64_t low = wfi_not_below_u64(e.at, 0, e.count, p / 5 * 5);
        uint64_t high = wfi_not_below_u64(e.at, 0, e.count, p / 5 * 5 + 5);
        if (!wfi_new_place(&e, low, high, p, &to)) continue;
        r->targets[to] = c->targets[p];
        memcpy(r->weights + to * c->words, c->weights + p * c->words, c->words * 4);
    }
    for (uint64_t i = 0; i < c->count; i++) {
        if (fate[i] != WFI_INSERTED && fate[i] != WFI_WEIGHED) continue;
        weft_eid to = at[i] + (uint64_t)wfi_tally_shift(tally[i]);
        if (fate[i] == WFI_INSERTED) r->targets[to] = wfi_key_target(c->bits, c->key[i]);
        if (c->words) memcpy(r->weights + to * c->words, c->fresh + (size_t)c->place[i] * c->words, c->words * 4);
    }
    free(at);
    free(tally);
    free(fate);
    free(e.at);
    free(e.row);
    free(e.shift);
    return r;
}

weft_status __wrap_wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *b, uint64_t *counts,
                                      double *ms, struct wfi_gpu_rows **out);
weft_status __wrap_wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *b, uint64_t *counts,
                                      double *ms, struct wfi_gpu_rows **out) {
    uint64_t count = b->directed ? b->count : 2 * b->count;
    uint64_t *key = malloc(count * 8 + 8);
    uint32_t *place = malloc(count * 4 + 4);
    unsigned bits = wfi_bits(b->rows ? b->rows : 1);
    if (!key || !place) exit(1);
    memset(counts, 0, WFI_COUNTS * sizeof *counts);
    old = b->removed ? filtered(old, b, counts) : __wrap_wfi_gpu_rows_keep(old);
    for (uint64_t k = 0; k < count; k++) {
        key[k] = wfi_key_of(bits, b->directed, k, b->source, b->target, b->changes);
        place[k] = (uint32_t)(b->directed ? k : k / 2);
    }
    weft_status st = count > 1 ? wfi_sort_bits(ctx, key, place, count, 2, 2 * bits) : WEFT_OK;
    wfi_arc_changes c = {key,       place,        count,        bits,         b->rows,    b->directed, old->n,
                         old->arcs, old->offsets, old->targets, old->weights, b->weights, old->words};
    if (!st) *out = merged(&c, counts);
    *ms = 1;
    __wrap_wfi_gpu_rows_drop(old);
    free(key);
    free(place);
    return st;
}

/* --- tests ------------------------------------------------------------------------------------ */

TEST(histories_equal_the_matrix) {
    uint64_t histories = under_a_microscope() ? 10 : 30;
    for (uint64_t seed = 1; seed <= histories && harness_failures < 5; seed++) {
        history h = drawn(seed);
        h.device = WEFT_DEVICE_CUDA;
        run_history(&h);
    }
    CHECK_U64(rows_there, 0);
}

TEST(histories_with_a_hub_and_large_batches_equal_the_matrix) {
    for (uint64_t seed = 100000; seed < 100002 && harness_failures < 5; seed++) {
        history h = drawn_large(seed);
        h.device = WEFT_DEVICE_CUDA;
        run_history(&h);
    }
    CHECK_U64(rows_there, 0);
}

/* What a batch counts as does not depend on where its rows lie. */
TEST(batches_count_as_in_the_hosts_memory) {
    for (uint64_t seed = 1; seed <= 40 && harness_failures < 5; seed++) {
        history h = drawn(seed);
        weft_ctx *ctx = new_ctx(2, NULL);
        dice from = {seed, 0};
        model m = model_new(h.most, h.directed, h.type, h.style, h.drop_loops);
        weft_dynamic *d[2];
        change c[300];
        for (int i = 0; i < 2; i++) {
            weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
            p.loops = h.drop_loops ? WEFT_LOOPS_DROP : WEFT_LOOPS_KEEP;
            p.direction = h.directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
            p.weight_type = h.type;
            p.names = h.style == NAME_IDS;
            p.device = i ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU;
            REQUIRE(weft_dynamic_new(ctx, NULL, &p, &d[i]) == WEFT_OK);
        }
        for (unsigned b = 0; b < 20; b++) {
            size_t count = (size_t)roll(&from, 300);
            weft_batch_stats s[2] = {{.size = sizeof *s}, {.size = sizeof *s}};
            for (size_t i = 0; i < count; i++) c[i] = draw_change(&m, &from, h.hub, h.of_vertices);
            for (int i = 0; i < 2; i++) REQUIRE(give(ctx, d[i], &m, c, count, &s[i]) == WEFT_OK);
            CHECK(s[0].gpu_ms == 0 && s[1].gpu_ms > 0);
            s[1].gpu_ms = 0;
            CHECK(!memcmp(&s[0], &s[1], sizeof *s));
        }
        for (int i = 0; i < 2; i++) weft_dynamic_free(d[i]);
        model_free(&m);
        weft_ctx_free(ctx);
    }
}

TEST(parallel_edges_are_refused) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    const weft_vid u[] = {0, 0}, v[] = {1, 1};
    build.duplicates = WEFT_DUPLICATES_KEEP;
    p.device = WEFT_DEVICE_CUDA;
    REQUIRE(weft_graph_from_edges(ctx, 2, 2, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g) == WEFT_OK);
    CHECK(weft_dynamic_new(ctx, g, &p, &d) == WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "parallel edges");
    CHECK_U64(rows_there, 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* What goes by ids and slots alone does not ask where rows lie. */
TEST(answers_follow_rows_on_the_gpu) {
    static const char *const tracked[] = {"components", "kcore", "degree"};
    for (uint64_t seed = 1; seed <= 6 && harness_failures < 5; seed++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        dice from = {seed, 3};
        model m = model_new(60, false, WEFT_WEIGHT_NONE, DENSE_IDS, true);
        weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
        weft_dynamic *d = NULL;
        weft_tracker *t[3] = {NULL, NULL, NULL};
        change c[40];
        p.direction = WEFT_UNDIRECTED;
        p.loops = WEFT_LOOPS_DROP;
        p.device = WEFT_DEVICE_CUDA;
        REQUIRE(weft_dynamic_new(ctx, NULL, &p, &d) == WEFT_OK);
        for (int k = 0; k < 3; k++) REQUIRE(weft_dynamic_track(ctx, d, tracked[k], NULL, NULL, &t[k]) == WEFT_OK);
        for (unsigned b = 0; b < 20; b++) {
            size_t count = (size_t)roll(&from, b ? 4 : 40);
            for (size_t i = 0; i < count; i++) {
                c[i] = draw_change(&m, &from, 0, b % 4 == 3);
                model_apply(&m, &c[i]);
            }
            REQUIRE(give(ctx, d, &m, c, count, NULL) == WEFT_OK);
            weft_graph *want = model_graph(ctx, &m);
            for (int k = 0; k < 3; k++) {
                weft_result *got = NULL, *scratch = NULL;
                weft_plan *plan = NULL;
                uint64_t digest[2] = {1, 2};
                CHECK(!weft_tracker_result(ctx, t[k], &got) && !weft_result_digest(ctx, got, &digest[0]));
                CHECK(!weft_plan_new(ctx, tracked[k], want, NULL, &plan) && !weft_plan_run(plan, &scratch) &&
                      !weft_result_digest(ctx, scratch, &digest[1]));
                CHECK_U64(digest[0], digest[1]);
                weft_result_free(got);
                weft_result_free(scratch);
                weft_plan_free(plan);
            }
            weft_graph_free(want);
        }
        for (int k = 0; k < 3; k++) weft_tracker_free(t[k]);
        weft_dynamic_free(d);
        CHECK_U64(rows_there, 0);
        model_free(&m);
        weft_ctx_free(ctx);
    }
}

TEST(a_file_keeps_batches_of_rows_on_the_gpu) {
    weft_ctx *ctx = new_ctx(2, NULL);
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.weft", folder);
    model m = model_new(80, true, WEFT_WEIGHT_F32, NAME_IDS, false);
    dice from = {11, 4};
    change c[100];
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    weft_write_params write = WEFT_WRITE_DEFAULTS;
    write.format = "weft";
    p.weight_type = WEFT_WEIGHT_F32;
    p.names = 1;
    p.durable = WEFT_DURABLE_NEVER;
    p.device = WEFT_DEVICE_CUDA;
    REQUIRE(!weft_dynamic_new(ctx, NULL, &p, &d) && !weft_dynamic_snapshot(ctx, d, &g));
    REQUIRE(!weft_write(ctx, g, path, &write));
    weft_graph_free(g);
    weft_dynamic_free(d);
    for (unsigned turn = 0; turn < 4; turn++) {
        d = NULL;
        p.device = turn % 2 ? WEFT_DEVICE_CPU : WEFT_DEVICE_CUDA;
        REQUIRE(weft_dynamic_open(ctx, path, &p, &d) == WEFT_OK);
        for (unsigned b = 0; b < 3; b++) {
            for (size_t i = 0; i < 100; i++) {
                c[i] = draw_change(&m, &from, 0, true);
                model_apply(&m, &c[i]);
            }
            REQUIRE(give(ctx, d, &m, c, 100, NULL) == WEFT_OK);
        }
        if (turn == 2) CHECK(weft_dynamic_compact(ctx, d) == WEFT_OK);
        kept k = {NULL, model_graph(ctx, &m)};
        REQUIRE(!weft_dynamic_snapshot(ctx, d, &k.snapshot));
        compare(ctx, &k, &(history){.seed = turn}, turn);
        weft_dynamic_free(d);
    }
    remove_temp(folder);
    CHECK_U64(rows_there, 0);
    model_free(&m);
    weft_ctx_free(ctx);
}

/* --- mirrors that follow --------------------------------------------------------------------- */

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
    bool leads = wfi_trail_leads(g, 0, &changes);
    REQUIRE(wfi_trail_follow(t->ctx, g, 0, &rows) == WEFT_OK);
    CHECK((rows != NULL) == leads);
    CHECK(!wfi_trail_leads(g, 1, &changes)); /* another GPU */
    if (rows) CHECK(same_rows(g, rows));
    t->followed += rows != NULL;
    t->uploaded += rows == NULL;
    if (!rows) REQUIRE(__wrap_wfi_gpu_rows_new(t->ctx, g, &rows) == WEFT_OK);
    if (g->trail) wfi_trail_show(g->trail, g->version, rows);
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
