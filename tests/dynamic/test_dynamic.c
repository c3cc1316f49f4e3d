/* Dynamic graphs by eye: what each change does, how it is counted, what is refused, and that snapshots are graphs. */
#include "support.h"

#include "weft/check.h"

#include <math.h>

static weft_dynamic *empty(weft_ctx *ctx, weft_direction direction, weft_weight_type type, int names) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic *d = NULL;
    p.direction = direction;
    p.weight_type = type;
    p.names = names;
    return weft_dynamic_new(ctx, NULL, &p, &d) ? NULL : d;
}

typedef struct change {
    weft_change what;
    int64_t u, v;
    double w;
} change;

static weft_status apply(weft_ctx *ctx, weft_dynamic *d, size_t count, const change *c, weft_batch_stats *stats) {
    uint8_t what[16];
    int64_t u[16], v[16];
    double w[16];
    weft_batch b = WEFT_BATCH_DEFAULTS;
    for (size_t i = 0; i < count; i++) what[i] = (uint8_t)c[i].what, u[i] = c[i].u, v[i] = c[i].v, w[i] = c[i].w;
    b.count = count;
    b.changes = what;
    b.sources = u;
    b.targets = v;
    weft_graph *g = NULL;
    if (!weft_dynamic_snapshot(ctx, d, &g) && weft_graph_weight_type(g) == WEFT_WEIGHT_F64) b.weights = w;
    weft_graph_free(g);
    if (stats) *stats = (weft_batch_stats){.size = sizeof *stats};
    return weft_dynamic_apply(ctx, d, &b, stats);
}

/* "-7 2 | -7>2 2>-7": ids, then arcs by their ids, with weights after a colon. */
static void show(weft_ctx *ctx, weft_dynamic *d, char *text, size_t room) {
    weft_graph *g = NULL;
    weft_csr out = {.size = sizeof out};
    size_t used = 0;
    text[0] = '\0';
    if (weft_dynamic_snapshot(ctx, d, &g) || weft_graph_out(ctx, g, &out)) return;
    for (weft_vid v = 0; v < out.vertices; v++) {
        char id[32];
        weft_graph_id_text(g, v, id, sizeof id);
        used += (size_t)snprintf(text + used, room - used, "%s ", id);
    }
    used += (size_t)snprintf(text + used, room - used, "|");
    for (weft_vid v = 0; v < out.vertices; v++)
        for (weft_eid e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
            char from[32], to[32];
            weft_graph_id_text(g, v, from, sizeof from);
            weft_graph_id_text(g, out.targets[e], to, sizeof to);
            used += (size_t)snprintf(text + used, room - used, " %s>%s", from, to);
            if (out.weights)
                used += (size_t)snprintf(text + used, room - used, ":%g", ((const double *)out.weights)[e]);
        }
    weft_graph_free(g);
}

#define CHECK_SHOWN(d, want)                   \
    do {                                       \
        char shown_[1024];                     \
        show(ctx, (d), shown_, sizeof shown_); \
        CHECK_TEXT(shown_, want);              \
    } while (0)

TEST(an_empty_one_grows_and_numbers_by_ascending_id) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = empty(ctx, WEFT_DIRECTED, WEFT_WEIGHT_NONE, 0);
    weft_batch_stats s;
    CHECK_SHOWN(d, "|");
    REQUIRE(!apply(ctx, d, 2, (change[]){{WEFT_CHANGE_INSERT, 5, 2, 0}, {WEFT_CHANGE_INSERT, 5, -7, 0}}, &s));
    CHECK_SHOWN(d, "-7 2 5 | 5>-7 5>2");
    CHECK_U64(s.inserted, 2);
    CHECK_U64(s.vertices_added, 3);
    CHECK_U64(s.version, 1);
    REQUIRE(!apply(ctx, d, 2, (change[]){{WEFT_CHANGE_ADD_VERTEX, -9, 0, 0}, {WEFT_CHANGE_INSERT, -9, 5, 0}}, &s));
    CHECK_SHOWN(d, "-9 -7 2 5 | -9>5 5>-7 5>2");
    weft_dynamic_free(d);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(changes_of_one_edge_act_one_after_the_other) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = empty(ctx, WEFT_UNDIRECTED, WEFT_WEIGHT_F64, 0);
    weft_batch_stats s;
    change first[] = {{WEFT_CHANGE_INSERT, 1, 2, 5}, {WEFT_CHANGE_WEIGHT, 2, 1, 7}, {WEFT_CHANGE_DELETE, 3, 4, 0},
                      {WEFT_CHANGE_INSERT, 2, 3, 1}, {WEFT_CHANGE_DELETE, 3, 2, 0}, {WEFT_CHANGE_WEIGHT, 2, 3, 9}};
    REQUIRE(!apply(ctx, d, LENGTH(first), first, &s));
    CHECK_SHOWN(d, "1 2 3 | 1>2:7 2>1:7");
    CHECK_U64(s.inserted, 1);
    CHECK_U64(s.absent, 2); /* 3-4, whose ends nobody knows, and 2-3 in the end */
    CHECK_U64(s.superseded, 3);
    change second[] = {{WEFT_CHANGE_INSERT, 2, 1, 7}, {WEFT_CHANGE_INSERT, 3, 3, 2}, {WEFT_CHANGE_INSERT, 2, 3, 1}};
    REQUIRE(!apply(ctx, d, LENGTH(second), second, &s));
    CHECK_U64(s.already_there, 1);
    CHECK_U64(s.inserted, 2);
    CHECK_SHOWN(d, "1 2 3 | 1>2:7 2>1:7 2>3:1 3>2:1 3>3:2");
    REQUIRE(!apply(ctx, d, 1, (change[]){{WEFT_CHANGE_INSERT, 3, 2, 4}}, &s));
    CHECK_U64(s.weights_changed, 1);
    CHECK_SHOWN(d, "1 2 3 | 1>2:7 2>1:7 2>3:4 3>2:4 3>3:2");
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST(a_vertex_stays_without_edges_until_it_is_removed_with_those_it_has) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = empty(ctx, WEFT_DIRECTED, WEFT_WEIGHT_NONE, 0);
    weft_batch_stats s;
    change edges[] = {{WEFT_CHANGE_INSERT, 1, 2, 0}, {WEFT_CHANGE_INSERT, 3, 1, 0}, {WEFT_CHANGE_INSERT, 2, 3, 0}};
    REQUIRE(!apply(ctx, d, 3, edges, NULL));
    REQUIRE(!apply(ctx, d, 1, (change[]){{WEFT_CHANGE_DELETE, 2, 3, 0}}, &s));
    CHECK_U64(s.deleted, 1);
    CHECK_SHOWN(d, "1 2 3 | 1>2 3>1");
    REQUIRE(
        !apply(ctx, d, 2, (change[]){{WEFT_CHANGE_REMOVE_VERTEX, 1, 0, 0}, {WEFT_CHANGE_REMOVE_VERTEX, 8, 0, 0}}, &s));
    CHECK_U64(s.deleted, 2);
    CHECK_U64(s.vertices_removed, 1);
    CHECK_U64(s.absent, 1);
    CHECK_SHOWN(d, "2 3 |");
    change back[] = {
        {WEFT_CHANGE_INSERT, 1, 3, 0}, {WEFT_CHANGE_REMOVE_VERTEX, 1, 0, 0}, {WEFT_CHANGE_INSERT, 1, 2, 0}};
    REQUIRE(!apply(ctx, d, 3, back, &s));
    CHECK_SHOWN(d, "1 2 3 | 1>2");
    CHECK_U64(s.superseded, 1);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST(names_are_numbered_by_their_bytes) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = empty(ctx, WEFT_UNDIRECTED, WEFT_WEIGHT_NONE, 1);
    const char *u[] = {"pear", "fig"}, *v[] = {"apple", "pear"};
    weft_batch b = WEFT_BATCH_DEFAULTS;
    b.count = 2;
    b.source_names = u;
    b.target_names = v;
    REQUIRE(!weft_dynamic_apply(ctx, d, &b, NULL));
    CHECK_SHOWN(d, "apple fig pear | apple>pear fig>pear pear>apple pear>fig");
    weft_graph *g = NULL;
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &g));
    CHECK(weft_graph_id_kind(g) == WEFT_IDS_STRING); /* packs, without a context */
    weft_graph_free(g);
    b.source_names = NULL;
    CHECK(weft_dynamic_apply(ctx, d, &b, NULL) == WEFT_EINVAL);
    CHECK(strstr(weft_ctx_message(ctx), "names"));
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST(a_snapshot_is_a_graph_for_every_algorithm_and_outlives_everything) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *base = NULL, *g = NULL;
    weft_dynamic *d = NULL;
    p.scale = 10;
    REQUIRE(!weft_generate(ctx, "rmat", &p, NULL, &base) && !weft_dynamic_new(ctx, base, NULL, &d));
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &g));
    REQUIRE(!apply(ctx, d, 1, (change[]){{WEFT_CHANGE_REMOVE_VERTEX, 0, 0, 0}}, NULL));
    weft_dynamic_free(d);
    CHECK_U64(weft_graph_arcs(g), weft_graph_arcs(base));
    weft_plan *plan = NULL;
    weft_result *a = NULL, *b = NULL;
    REQUIRE(!weft_plan_new(ctx, "pagerank", g, NULL, &plan));
    CHECK(strstr(weft_plan_reason(plan), "packed"));
    REQUIRE(!weft_plan_run(plan, &a) && !run_default(ctx, "pagerank", base, &b));
    CHECK(!memcmp(weft_result_f32(a, "rank"), weft_result_f32(b, "rank"), 4 * (size_t)weft_graph_vertices(base)));
    weft_plan_free(plan);
    REQUIRE(!weft_plan_new(ctx, "pagerank", g, NULL, &plan));
    CHECK(!strstr(weft_plan_reason(plan), "packed"));
    weft_plan_free(plan);
    int equal = 0;
    CHECK(!weft_graph_compare(ctx, g, base, &equal) && equal);
    weft_csr rows = {.size = sizeof rows};
    REQUIRE(!weft_graph_out(ctx, base, &rows) && rows.offsets[1] > 0);
    weft_vid first = rows.targets[0];
    uint64_t edges = weft_graph_edges(base);
    weft_result_free(a);
    weft_result_free(b);
    weft_graph_free(base);
    weft_ctx_free(ctx);
    CHECK(weft_graph_has_arc(g, 0, first, NULL));
    CHECK_U64(weft_graph_edges(g), edges);
    weft_graph_free(g);
}

TEST(what_makes_no_sense_is_refused_and_changes_nothing) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = empty(ctx, WEFT_DIRECTED, WEFT_WEIGHT_NONE, 0), *none = NULL;
    CHECK(apply(ctx, d, 2, (change[]){{WEFT_CHANGE_INSERT, 1, 2, 0}, {(weft_change)9, 1, 2, 0}}, NULL) == WEFT_EINVAL);
    CHECK(strstr(weft_ctx_message(ctx), "changes[1]"));
    CHECK(apply(ctx, d, 1, (change[]){{WEFT_CHANGE_WEIGHT, 1, 2, 0}}, NULL) == WEFT_EINVAL);
    CHECK_SHOWN(d, "|");
    weft_dynamic_free(d);
    static const weft_vid u[] = {0, 0}, v[] = {1, 1};
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    REQUIRE(!weft_graph_from_edges(ctx, 2, 2, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
    CHECK(weft_dynamic_new(ctx, g, NULL, &none) == WEFT_EUNSUPPORTED && !none);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(weights_that_are_no_numbers_are_refused_where_they_count) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_dynamic *d = empty(ctx, WEFT_DIRECTED, WEFT_WEIGHT_F64, 0);
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        change last = {WEFT_CHANGE_INSERT, 2, 3, bad[i]};
        CHECK(apply(ctx, d, 2, (change[]){{WEFT_CHANGE_INSERT, 1, 2, 1}, last}, NULL) == WEFT_EINVAL);
        CHECK(strstr(weft_ctx_message(ctx), "changes[1]: the weight "));
        CHECK(strstr(weft_ctx_message(ctx), " is no f64, the type of this graph's weights"));
    }
    CHECK_SHOWN(d, "|");
    REQUIRE(!apply(ctx, d, 1, (change[]){{WEFT_CHANGE_INSERT, 1, 2, 1.5}}, NULL));
    CHECK(apply(ctx, d, 1, (change[]){{WEFT_CHANGE_WEIGHT, 1, 2, NAN}}, NULL) == WEFT_EINVAL);
    CHECK_SHOWN(d, "1 2 | 1>2:1.5");
    /* Of what has no weight nothing is asked. */
    REQUIRE(
        !apply(ctx, d, 2, (change[]){{WEFT_CHANGE_DELETE, 1, 2, NAN}, {WEFT_CHANGE_ADD_VERTEX, 5, 5, INFINITY}}, NULL));
    CHECK_SHOWN(d, "1 2 5 |");
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

/* A limit that leaves no room for the batch: the graph is as before, and works once there is room. */
TEST(a_batch_over_the_memory_limit_leaves_the_last_state) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = empty(ctx, WEFT_DIRECTED, WEFT_WEIGHT_NONE, 0);
    REQUIRE(!apply(ctx, d, 1, (change[]){{WEFT_CHANGE_INSERT, 1, 2, 0}}, NULL));
    weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + 5000);
    CHECK(apply(ctx, d, 1, (change[]){{WEFT_CHANGE_INSERT, 3, 2, 0}}, NULL) == WEFT_ENOMEM);
    weft_ctx_set_memory_limit(ctx, 0);
    CHECK_SHOWN(d, "1 2 | 1>2");
    REQUIRE(!apply(ctx, d, 1, (change[]){{WEFT_CHANGE_INSERT, 3, 2, 0}}, NULL));
    CHECK_SHOWN(d, "1 2 3 | 1>2 3>2");
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

/* Small ones that dirty enough groups for a team; the delta buffers of some groups fill up, and these are merged. */
TEST(small_batches_over_many_groups_are_those_of_one_thread) {
    enum { N = 1 << 16, BATCH = 1800, TURNS = 60 };
    static int64_t u[BATCH], v[BATCH];
    static uint8_t what[BATCH];
    weft_ctx *ctx = new_ctx(3, NULL), *one = new_ctx(1, NULL);
    weft_graph *base = NULL, *got = NULL, *want = NULL;
    weft_dynamic *team = NULL, *alone = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    const weft_vid none = 0;
    dice from = {21, 22};
    REQUIRE(!weft_graph_from_edges(ctx, N, 0, &none, &none, NULL, WEFT_WEIGHT_NONE, &build, &base));
    REQUIRE(!weft_dynamic_new(ctx, base, NULL, &team) && !weft_dynamic_new(one, base, NULL, &alone));
    for (int turn = 0; turn < TURNS; turn++) {
        weft_batch b = WEFT_BATCH_DEFAULTS;
        weft_batch_stats s[2] = {{.size = sizeof *s}, {.size = sizeof *s}};
        for (int i = 0; i < BATCH; i++) {
            u[i] = (int64_t)roll(&from, roll(&from, 3) ? N : 4096);
            v[i] = (int64_t)roll(&from, 200);
            what[i] = roll(&from, 4) ? WEFT_CHANGE_INSERT : WEFT_CHANGE_DELETE;
        }
        b.count = BATCH;
        b.sources = u;
        b.targets = v;
        b.changes = what;
        REQUIRE(!weft_dynamic_apply(ctx, team, &b, &s[0]) && !weft_dynamic_apply(one, alone, &b, &s[1]));
        CHECK(!memcmp(&s[0], &s[1], sizeof *s));
    }
    REQUIRE(!weft_dynamic_snapshot(ctx, team, &got) && !weft_dynamic_snapshot(one, alone, &want));
    int equal = 0;
    CHECK(!weft_graph_compare(ctx, got, want, &equal) && equal);
    weft_graph_free(base);
    weft_graph_free(got);
    weft_graph_free(want);
    weft_dynamic_free(team);
    weft_dynamic_free(alone);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    CHECK_U64(weft_ctx_memory_in_use(one), 0);
    weft_ctx_free(ctx);
    weft_ctx_free(one);
}

/* Batches that several threads share: most dirty groups take the changes as deltas, and some are merged. */
TEST(large_batches_over_many_groups_are_those_of_one_thread) {
    enum { N = 1 << 20, SPREAD = 44000, DENSE = 4000, BATCH = SPREAD + DENSE, TURNS = 3 };
    static int64_t u[BATCH], v[BATCH];
    static weft_vid from[TURNS * BATCH], to[TURNS * BATCH];
    uint64_t all = 0;
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *base = NULL, *got = NULL, *want = NULL;
    weft_dynamic *d = NULL;
    build.direction = WEFT_DIRECTED;
    REQUIRE(!weft_graph_from_edges(ctx, N, 0, from, to, NULL, WEFT_WEIGHT_NONE, &build, &base));
    REQUIRE(!weft_dynamic_new(ctx, base, NULL, &d));
    for (int64_t turn = 0; turn < TURNS; turn++) {
        weft_batch b = WEFT_BATCH_DEFAULTS;
        for (int64_t i = 0; i < BATCH; i++) {
            bool dense = i % 11 == 0;
            u[i] = dense ? i / 11 % 640 * 100 + turn : i * 29 % N;
            v[i] = (i * 7919 + turn) % N;
            from[all] = (weft_vid)u[i];
            to[all++] = (weft_vid)v[i];
        }
        b.count = BATCH;
        b.sources = u;
        b.targets = v;
        REQUIRE(!weft_dynamic_apply(ctx, d, &b, NULL));
    }
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &got));
    REQUIRE(!weft_graph_from_edges(ctx, N, all, from, to, NULL, WEFT_WEIGHT_NONE, &build, &want));
    int equal = 0;
    CHECK(!weft_graph_compare(ctx, got, want, &equal) && equal);
    weft_graph_free(base);
    weft_graph_free(got);
    weft_graph_free(want);
    weft_dynamic_free(d);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST_MAIN()
