/* Trackers by eye: what they refuse, what they say, how near warm ranks are, and that a failed allocation costs no more than a run. */
#include "support.h"
#include "weft/bfs.h"
#include "weft/pagerank.h"
#include "weft/registry.h"
#include "weft/sssp.h"

#include <math.h>

static weft_dynamic *directed(weft_ctx *ctx) {
    weft_dynamic *d = NULL;
    return weft_dynamic_new(ctx, NULL, NULL, &d) ? NULL : d;
}

static weft_status add(weft_ctx *ctx, weft_dynamic *d, size_t count, const int64_t (*edges)[2], const uint8_t *what) {
    int64_t u[64], v[64];
    weft_batch b = WEFT_BATCH_DEFAULTS;
    for (size_t i = 0; i < count; i++) u[i] = edges[i][0], v[i] = edges[i][1];
    b.count = count;
    b.sources = u;
    b.targets = v;
    b.changes = what;
    return weft_dynamic_apply(ctx, d, &b, NULL);
}

#define ADD(d, ...)                                                                                                  \
    add(ctx, (d), sizeof((const int64_t[][2]){__VA_ARGS__}) / sizeof(int64_t[2]), (const int64_t[][2]){__VA_ARGS__}, \
        NULL)

static uint64_t edges_of(weft_ctx *ctx, weft_dynamic *d) {
    weft_dynamic_info info = {.size = sizeof info};
    return weft_dynamic_describe(ctx, d, &info) ? UINT64_MAX : info.edges;
}

static weft_tracker *track(weft_ctx *ctx, weft_dynamic *d, const char *algorithm, int warm, int refuse) {
    weft_track_params how = WEFT_TRACK_DEFAULTS;
    weft_tracker *t = NULL;
    how.warm = warm;
    how.refuse = refuse;
    return weft_dynamic_track(ctx, d, algorithm, NULL, &how, &t) ? NULL : t;
}

TEST(an_edge_that_closes_a_cycle_is_refused_with_the_cycle_and_its_batch_with_it) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = directed(ctx);
    REQUIRE(!ADD(d, {1, 2}, {2, 3}, {7, 8}));
    weft_tracker *t = track(ctx, d, "cycle", 0, 1);
    REQUIRE(t != NULL);
    CHECK(ADD(d, {3, 4}, {4, 1}, {8, 9}) == WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "the edge 4 -> 1 closes a cycle of 4: 1 -> 2 -> 3 -> 4 -> 1");
    CHECK_U64(edges_of(ctx, d), 3);
    CHECK(ADD(d, {5, 5}) == WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "the edge 5 -> 5 closes a cycle of 1: 5 -> 5");
    CHECK(!ADD(d, {4, 1}, {8, 1}, {3, 9}));
    CHECK(ADD(d, {9, 7}) == WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "the edge 9 -> 7 closes a cycle of 6: 7 -> 8 -> 1 -> 2 -> 3 -> 9 -> 7");
    uint8_t what[] = {WEFT_CHANGE_DELETE, WEFT_CHANGE_INSERT};
    CHECK(!add(ctx, d, 2, (const int64_t[][2]){{2, 3}, {9, 7}}, what)); /* one goes first: no cycle */
    weft_result *r = NULL;
    REQUIRE(!weft_tracker_result(ctx, t, &r));
    CHECK_U64(weft_result_scalar(r, "acyclic")->value.u64, 1);
    weft_result_free(r);
    weft_dynamic_free(d);
    CHECK(weft_tracker_result(ctx, t, &r) == WEFT_EINVAL);
    weft_tracker_free(t);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

enum { FEW_VERTICES = 5, FEW_CHANGES = 6 };

/* Vertex 0 ... of a graph as bits of a matrix. */
static bool reaches(const unsigned row[FEW_VERTICES], unsigned from, unsigned to) {
    unsigned seen = 1u << from, before = 0;
    while (seen != before) {
        before = seen;
        for (unsigned v = 0; v < FEW_VERTICES; v++)
            if (seen >> v & 1) seen |= row[v];
    }
    return seen >> to & 1;
}

/* False: an edge closes a cycle, and the rest does not count. */
static bool change_matrix(unsigned row[FEW_VERTICES], unsigned what, unsigned u, unsigned v) {
    if (what == WEFT_CHANGE_INSERT) {
        if (reaches(row, v, u)) return false;
        row[u] |= 1u << v;
    } else if (what == WEFT_CHANGE_DELETE) {
        row[u] &= ~(1u << v);
    } else if (what == WEFT_CHANGE_REMOVE_VERTEX) {
        row[u] = 0;
        for (unsigned w = 0; w < FEW_VERTICES; w++) row[w] &= ~(1u << u);
    }
    return true;
}

TEST(changes_count_one_after_the_other_also_before_a_vertex_goes) {
    static const uint8_t kinds[] = {WEFT_CHANGE_INSERT, WEFT_CHANGE_INSERT, WEFT_CHANGE_DELETE,
                                    WEFT_CHANGE_REMOVE_VERTEX};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = directed(ctx);
    weft_tracker *t = track(ctx, d, "cycle", 0, 1);
    dice from = {11, 0};
    unsigned row[FEW_VERTICES] = {0}, refused = 0;
    REQUIRE(t != NULL);
    for (unsigned b = 0; b < 3000; b++) {
        int64_t edges[FEW_CHANGES][2];
        uint8_t what[FEW_CHANGES];
        unsigned next[FEW_VERTICES];
        size_t count = 1 + (size_t)roll(&from, FEW_CHANGES);
        bool good = true;
        memcpy(next, row, sizeof next);
        for (size_t i = 0; i < count; i++) {
            what[i] = kinds[roll(&from, sizeof kinds)];
            edges[i][0] = (int64_t)roll(&from, FEW_VERTICES);
            edges[i][1] = (int64_t)roll(&from, FEW_VERTICES);
            good = good && change_matrix(next, what[i], (unsigned)edges[i][0], (unsigned)edges[i][1]);
        }
        weft_status st = add(ctx, d, count, edges, what);
        if (st != (good ? WEFT_OK : WEFT_EINVAL)) HARNESS_FAIL("batch %u: %s", b, weft_ctx_message(ctx));
        refused += !good;
        if (good) memcpy(row, next, sizeof row);
        uint64_t want = 0;
        for (unsigned v = 0; v < FEW_VERTICES; v++) want += (uint64_t)__builtin_popcount(row[v]);
        CHECK_U64(edges_of(ctx, d), want);
    }
    CHECK(refused > 100 && refused < 2900);
    weft_tracker_free(t);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST(without_refusal_a_cycle_is_reported_and_forgotten_when_it_is_broken) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = directed(ctx);
    weft_tracker *t = track(ctx, d, "cycle", 0, 0);
    weft_result *r = NULL;
    REQUIRE(t && !ADD(d, {1, 2}, {2, 3}, {3, 1}, {3, 4}) && !weft_tracker_result(ctx, t, &r));
    CHECK_U64(weft_result_scalar(r, "acyclic")->value.u64, 0);
    CHECK_U64(weft_result_column(r, "cycle")->length, 3);
    weft_result_free(r);
    uint8_t what = WEFT_CHANGE_DELETE;
    REQUIRE(!add(ctx, d, 1, (const int64_t[][2]){{2, 3}}, &what) && !weft_tracker_result(ctx, t, &r));
    CHECK_U64(weft_result_scalar(r, "acyclic")->value.u64, 1);
    weft_tracker_info info = {.size = sizeof info};
    CHECK(!weft_tracker_describe(ctx, t, &info) && info.incremental);
    weft_result_free(r);
    weft_tracker_free(t);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST(what_makes_no_sense_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = directed(ctx), *both = NULL;
    weft_tracker *t = NULL;
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    REQUIRE(!weft_dynamic_new(ctx, NULL, &p, &both));
    CHECK(weft_dynamic_track(ctx, d, "fame", NULL, NULL, &t) == WEFT_ENOTFOUND && !t);
    CHECK(!track(ctx, d, "degree", 0, 1));
    CHECK(strstr(weft_ctx_message(ctx), "refuse"));
    CHECK(!track(ctx, d, "bfs", 1, 0));
    CHECK(strstr(weft_ctx_message(ctx), "warm"));
    CHECK(!track(ctx, both, "cycle", 0, 1));
    CHECK(strstr(weft_ctx_message(ctx), "directed"));
    weft_vid list[] = {0};
    weft_bfs_params bfs = WEFT_BFS_DEFAULTS;
    bfs.sources = list;
    bfs.source_count = 1;
    CHECK(weft_dynamic_track(ctx, d, "bfs", &bfs, NULL, &t) == WEFT_EUNSUPPORTED);
    bfs.sources = NULL;
    bfs.source_count = 0;
    bfs.source = 5;
    CHECK(weft_dynamic_track(ctx, d, "bfs", &bfs, NULL, &t) == WEFT_EINVAL);
    weft_dynamic_free(d);
    weft_dynamic_free(both);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* With a graph that has no vertices yet, and with one that has no more of them; those who need a source say so. */
TEST(any_algorithm_is_tracked_from_nothing_and_to_nothing) {
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const char *name = weft_algorithm_at(i)->name;
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_dynamic *d = directed(ctx);
        weft_tracker *t = track(ctx, d, name, 0, 0);
        if (!t) HARNESS_FAIL("%s: %s", name, weft_ctx_message(ctx));
        for (int step = 0; step < 5 && t; step++) {
            static const uint8_t what[][2] = {{WEFT_CHANGE_INSERT, WEFT_CHANGE_ADD_VERTEX},
                                              {WEFT_CHANGE_REMOVE_VERTEX, WEFT_CHANGE_REMOVE_VERTEX}};
            weft_result *got = NULL, *want = NULL;
            weft_graph *g = NULL;
            weft_plan *plan = NULL;
            uint64_t digest[2] = {0, 0};
            CHECK(!weft_dynamic_snapshot(ctx, d, &g));
            weft_status ran = weft_plan_new(ctx, name, g, NULL, &plan);
            if (!ran) ran = weft_plan_run(plan, &want);
            weft_status st = weft_tracker_result(ctx, t, &got);
            if (st != ran) HARNESS_FAIL("%s, step %d: %s", name, step, weft_ctx_message(ctx));
            if (!ran && !st)
                CHECK(!weft_result_digest(ctx, want, &digest[0]) && !weft_result_digest(ctx, got, &digest[1]));
            if (digest[0] != digest[1]) HARNESS_FAIL("%s, step %d: another result", name, step);
            weft_result_free(got);
            weft_result_free(want);
            weft_plan_free(plan);
            weft_graph_free(g);
            CHECK(!add(ctx, d, 2, (const int64_t[][2]){{1, 2}, {2, 0}}, what[step % 2]));
        }
        weft_tracker_free(t);
        weft_dynamic_free(d);
        weft_ctx_free(ctx);
    }
}

TEST(a_source_that_nobody_gave_is_the_one_of_a_run) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = directed(ctx);
    dice from = {12, 0};
    weft_tracker *t = track(ctx, d, "bfs", 0, 0);
    weft_tracker_info info = {.size = sizeof info};
    REQUIRE(t != NULL);
    for (unsigned b = 0; b < 400; b++) {
        int64_t edge[1][2] = {{(int64_t)roll(&from, 12), (int64_t)roll(&from, 12)}};
        uint8_t what = roll(&from, 12) ? WEFT_CHANGE_INSERT : WEFT_CHANGE_REMOVE_VERTEX;
        weft_graph *g = NULL;
        weft_result *r = NULL, *want = NULL;
        if (roll(&from, 3) == 0) what = WEFT_CHANGE_DELETE;
        REQUIRE(!add(ctx, d, 1, edge, &what) && !weft_dynamic_snapshot(ctx, d, &g) && !weft_bfs(ctx, g, NULL, &want) &&
                !weft_tracker_result(ctx, t, &r));
        size_t length = weft_result_column(want, "level")->length;
        REQUIRE(weft_result_column(r, "level")->length == length);
        CHECK(!memcmp(weft_result_u32(r, "level"), weft_result_u32(want, "level"), length * sizeof(uint32_t)));
        CHECK(!memcmp(weft_result_u32(r, "parent"), weft_result_u32(want, "parent"), length * sizeof(uint32_t)));
        weft_result_free(r);
        weft_result_free(want);
        weft_graph_free(g);
    }
    CHECK(!weft_tracker_describe(ctx, t, &info) && info.followed > 100 && info.recomputed > 10);
    weft_tracker_free(t);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST(a_source_stays_the_same_id_while_numbers_shift) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = directed(ctx);
    weft_bfs_params p = WEFT_BFS_DEFAULTS;
    weft_tracker *t = NULL;
    weft_result *r = NULL;
    REQUIRE(!ADD(d, {10, 20}, {20, 30}));
    p.source = 1; /* 20 */
    REQUIRE(!weft_dynamic_track(ctx, d, "bfs", &p, NULL, &t) && !weft_tracker_result(ctx, t, &r));
    weft_result_free(r);
    REQUIRE(!ADD(d, {5, 6}, {30, 6}) && !weft_tracker_result(ctx, t, &r)); /* 5 6 10 20 30 */
    static const uint32_t want[] = {WEFT_UNREACHED, 2, WEFT_UNREACHED, 0, 1};
    CHECK(!memcmp(weft_result_u32(r, "level"), want, sizeof want));
    weft_result_free(r);
    uint8_t what = WEFT_CHANGE_REMOVE_VERTEX;
    REQUIRE(!add(ctx, d, 1, (const int64_t[][2]){{20, 0}}, &what));
    CHECK(weft_tracker_result(ctx, t, &r) == WEFT_ENOTFOUND);
    REQUIRE(!ADD(d, {20, 5}) && !weft_tracker_result(ctx, t, &r));
    CHECK_U64(weft_result_scalar(r, "reached")->value.u64, 3); /* 20, 5, 6 */
    weft_result_free(r);
    weft_tracker_free(t);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

static weft_graph *rmat(weft_ctx *ctx, uint64_t scale, uint64_t seed) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = scale;
    p.seed = seed;
    return weft_generate(ctx, "rmat", &p, NULL, &g) ? NULL : g;
}

TEST(a_small_batch_is_followed_a_large_one_is_not_and_both_say_why) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *base = rmat(ctx, 10, 1);
    weft_dynamic *d = NULL;
    weft_tracker_info info = {.size = sizeof info};
    weft_result *r = NULL;
    REQUIRE(base && !weft_dynamic_new(ctx, base, NULL, &d));
    weft_tracker *t = track(ctx, d, "components", 0, 0), *plain = track(ctx, d, "labelprop", 0, 0);
    REQUIRE(t && plain && !weft_tracker_result(ctx, t, &r) && !weft_tracker_describe(ctx, t, &info));
    CHECK(!info.incremental && !strcmp(info.reason, "the first result"));
    weft_result_free(r);
    REQUIRE(!ADD(d, {1, 2}, {3, 2000}) && !weft_tracker_result(ctx, t, &r) && !weft_tracker_describe(ctx, t, &info));
    CHECK(info.incremental && info.followed == 1 && info.recomputed == 1 && info.version == 1);
    CHECK(strstr(info.reason, "followed"));
    weft_result_free(r);
    int64_t u[5000], v[5000];
    weft_batch b = WEFT_BATCH_DEFAULTS;
    for (int i = 0; i < 5000; i++) u[i] = i % 71, v[i] = i % 1024;
    b.count = 5000;
    b.sources = u;
    b.targets = v;
    REQUIRE(!weft_dynamic_apply(ctx, d, &b, NULL) && !weft_tracker_result(ctx, t, &r));
    REQUIRE(!weft_tracker_describe(ctx, t, &info));
    CHECK(!info.incremental && info.recomputed == 2);
    CHECK(strstr(info.reason, "5000 changes"));
    weft_result_free(r);
    REQUIRE(!weft_tracker_result(ctx, plain, &r) && !weft_tracker_describe(ctx, plain, &info));
    CHECK(strstr(info.reason, "always"));
    weft_result_free(r);
    weft_tracker_free(t);
    weft_tracker_free(plain);
    weft_dynamic_free(d);
    weft_graph_free(base);
    weft_ctx_free(ctx);
}

/* |x - x*|, x* from a run in doubles to a tolerance that leaves no doubt. */
static double distance_to_exact(weft_ctx *ctx, weft_dynamic *d, const weft_result *r) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *exact = NULL;
    double distance = 0;
    p.precision = WEFT_PRECISION_F64;
    p.tolerance = 1e-14;
    p.max_iterations = 1000;
    if (weft_dynamic_snapshot(ctx, d, &g) || weft_pagerank(ctx, g, &p, &exact)) return INFINITY;
    const float *rank = weft_result_f32(r, "rank");
    const double *want = weft_result_f64(exact, "rank");
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) distance += fabs((double)rank[v] - want[v]);
    weft_result_free(exact);
    weft_graph_free(g);
    return distance;
}

TEST(warm_ranks_are_within_their_bound_in_fewer_iterations_on_any_number_of_threads) {
    uint64_t digest[2] = {0, 1};
    for (int threads = 1; threads <= 2; threads++) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *base = rmat(ctx, 12, 1);
        weft_dynamic *d = NULL;
        REQUIRE(base && !weft_dynamic_new(ctx, base, NULL, &d));
        weft_tracker *t = track(ctx, d, "pagerank", 1, 0);
        uint64_t iterations[3];
        for (unsigned i = 0; i < 3; i++) {
            weft_result *r = NULL;
            weft_tracker_info info = {.size = sizeof info};
            if (i) REQUIRE(!ADD(d, {1, 2}, {3, 4}, {5, 100000}, {2, 9}));
            REQUIRE(t && !weft_tracker_result(ctx, t, &r) && !weft_tracker_describe(ctx, t, &info));
            iterations[i] = weft_result_scalar(r, "iterations")->value.u64;
            double distance = distance_to_exact(ctx, d, r);
            if (!(distance <= info.error_bound) || info.error_bound > 1e-4)
                HARNESS_FAIL("%g from exact, the bound says %g", distance, info.error_bound);
            if (weft_result_digest(ctx, r, &digest[threads - 1])) HARNESS_FAIL("no digest");
            weft_result_free(r);
        }
        CHECK(iterations[1] < iterations[0] && iterations[2] < iterations[0]);
        weft_tracker_free(t);
        weft_dynamic_free(d);
        weft_graph_free(base);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    CHECK_U64(digest[0], digest[1]);
}

/* Allocation `at` fails, once: what it hits fails and can be repeated, and all answers are right.  True: there are not so many. */
static bool survives(uint64_t at) {
    static const char *const names[] = {"degree",   "components", "triangles", "kcore",
                                        "toposort", "cycle",      "bfs",       "sssp"};
    counting heap = {.allowed = at, .once = true};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_dynamic *d = NULL;
    weft_tracker *t[LENGTH(names)] = {NULL};
    int failed = 0;
    weft_status st = weft_dynamic_new(ctx, NULL, NULL, &d);
    if (st) failed++, st = weft_dynamic_new(ctx, NULL, NULL, &d);
    for (int64_t b = 0; b < 4 && !st; b++) {
        int64_t edges[40][2];
        uint8_t what[40];
        for (int64_t i = 0; i < 40; i++) {
            edges[i][0] = (i * 7 + b) % 19, edges[i][1] = 20 + (i * (b + 3)) % (30 + 40 * b);
            what[i] = i % 3 == 2 ? WEFT_CHANGE_DELETE : WEFT_CHANGE_INSERT;
        }
        size_t count = b ? 12 : 40;
        st = add(ctx, d, count, (const int64_t(*)[2])edges, what);
        if (st == WEFT_ENOMEM) failed++, st = add(ctx, d, count, (const int64_t(*)[2])edges, what);
        weft_graph *g = NULL;
        if (weft_dynamic_snapshot(ctx, d, &g)) failed++, weft_dynamic_snapshot(ctx, d, &g);
        for (size_t i = 0; i < LENGTH(names) && !st; i++) {
            weft_result *r = NULL, *want = NULL;
            uint64_t have = 1, must = 2;
            if (!t[i] && weft_dynamic_track(ctx, d, names[i], NULL, NULL, &t[i]))
                failed++, st = weft_dynamic_track(ctx, d, names[i], NULL, NULL, &t[i]);
            if (!st && weft_tracker_result(ctx, t[i], &r)) failed++, st = weft_tracker_result(ctx, t[i], &r);
            weft_bfs_params bfs = WEFT_BFS_DEFAULTS;
            weft_sssp_params sssp = WEFT_SSSP_DEFAULTS;
            const weft_vid *parent = st ? NULL : weft_result_u32(r, "parent");
            for (weft_vid v = 0; parent && bfs.source == WEFT_NO_VERTEX; v++)
                if (parent[v] == v) bfs.source = sssp.source = v;
            const void *params = i == 6 ? (void *)&bfs : i == 7 ? (void *)&sssp : NULL;
            weft_plan *plan = NULL;
            bool ran = !weft_plan_new(ctx, names[i], g, params, &plan) && !weft_plan_run(plan, &want);
            weft_plan_free(plan);
            if (!ran) { /* the failure was the run's own */
                failed++, plan = NULL;
                ran = !weft_plan_new(ctx, names[i], g, params, &plan) && !weft_plan_run(plan, &want);
                weft_plan_free(plan);
            }
            if (!st && ran && (weft_result_digest(ctx, r, &have) || weft_result_digest(ctx, want, &must)))
                HARNESS_FAIL("no digest: %s", weft_ctx_message(ctx));
            if (have != must) HARNESS_FAIL("allocation %" PRIu64 ", batch %d: %s differs", at, (int)b, names[i]);
            weft_result_free(r);
            weft_result_free(want);
        }
        weft_graph_free(g);
    }
    if (st) HARNESS_FAIL("allocation %" PRIu64 ": %s", at, weft_ctx_message(ctx));
    for (size_t i = 0; i < LENGTH(names); i++) weft_tracker_free(t[i]);
    weft_dynamic_free(d);
    CHECK_U64(heap.live_blocks, 0);
    if (failed > 1) HARNESS_FAIL("one allocation failed and %d calls did", failed);
    weft_ctx_free(ctx);
    return heap.calls <= at;
}

TEST(every_allocation_fails_once_and_every_answer_is_right) {
    uint64_t at = 0, step = under_a_microscope() ? 23 : 1;
    while (!survives(at) && harness_failures < 5) at += step;
    CHECK(at > 300); /* allocations that there are to fail */
}

TEST_MAIN()
