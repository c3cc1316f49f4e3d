/* sssp: known answers on tiny graphs, Dijkstra on random ones, the rule of parents, one answer for any number of
 * threads and any delta, and failures. */
#include "sssp_support.h"

#include "weft/check.h"

enum { MOST = 4096 };

static weft_graph *graph_of(weft_ctx *ctx, const char *text, bool undirected) {
    weft_read_params p = reading("edgelist");
    p.direction = undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
    return read_text(ctx, text, &p);
}

static bool verified(weft_ctx *ctx, const weft_graph *g, weft_vid source, const weft_result *r) {
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    p.source = source;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "sssp", g, &p, r, &report)) return false;
    if (!report.passed) fprintf(stderr, "    %s\n", report.message);
    return report.passed;
}

/* "0/a 1.5/a inf/-": distance and parent of each vertex. */
static const char *answer_text(const weft_graph *g, const weft_result *r, char *to, size_t room) {
    const double *distance = weft_result_f64(r, "distance");
    const uint32_t *parent = weft_result_u32(r, "parent");
    to[0] = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        char id[64] = "-";
        if (parent[v] != WEFT_NO_VERTEX) weft_graph_id_text(g, parent[v], id, sizeof id);
        append(to, room, "%s%.9g/%s", v ? " " : "", distance[v], id);
    }
    return to;
}

static const struct {
    const char *edges;
    bool undirected;
    const char *source, *answer;
} tiny[] = {
    {"0 1 4\n0 2 1\n2 1 2\n1 3 1\n", false, "0", "0/0 3/2 1/0 4/1"},
    {"0 1 4\n0 2 1\n2 1 2\n1 3 1\n", false, "3", "inf/- inf/- inf/- 0/3"},
    {"0 1 4\n0 2 1\n2 1 2\n1 3 1\n", true, "3", "4/2 1/3 3/1 0/3"},
    {"0 1 0.5\n1 2 0.25\n0 2 1.5\n", false, "0", "0/0 0.5/0 0.75/1"},
    {"0 0 3\n0 1 2\n1 1 0\n", false, "0", "0/0 2/0"},                       /* loops */
    {"0 1\n1 2\n2 3\n5 6\n", true, "0", "0/0 1/0 2/1 3/2 inf/- inf/-"},     /* a path without weights, another */
    {"0 1 1\n0 2 1\n1 3 1\n2 3 1\n", false, "0", "0/0 1/0 1/0 2/1"},        /* of two parents the smaller */
    {"9 1 0\n1 2 0\n2 1 0\n2 3 0\n3 1 0\n", false, "9", "0/9 0/1 0/2 0/9"}, /* a circle of zeros, whole */
    {"9 1 0\n1 2 0.0\n2 1 0\n3 1 0.5\n2 3 0.5\n", false, "9", "0/9 0/1 0.5/2 0/9"}, /* and fractional */
    {"4 1 7\n1 2 0\n4 2 7\n2 3 0\n1 3 0\n", false, "4", "7/4 7/4 7/1 0/4"},         /* nearer ones before level ones */
    {"7 3 0\n7 2 5\n3 2 5\n2 3 0\n", false, "7", "5/3 0/7 0/7"},
    {"0 1 4000000000\n1 2 4000000000\n2 3 4000000000\n3 0 1\n", false, "0",
     "0/0 4e+09/0 8e+09/1 1.2e+10/2"},                                               /* beyond 2^32 */
    {"5 4 1\n5 3 1\n5 2 1\n5 1 1\n", true, "1", "0/1 2/5 2/5 2/5 1/1"},              /* a star from a leaf */
    {"0 1 1e-30\n0 2 1\n2 3 1e-30\n3 2 1e-30\n", false, "0", "0/0 1e-30/0 1/0 1/2"}, /* too small to be felt */
};

TEST(tiny_graphs_have_known_answers) {
    for (size_t i = 0; i < LENGTH(tiny); i++)
        for (int delta = 0; delta < 3; delta++) {
            char text[512];
            weft_vid source;
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_graph *g = graph_of(ctx, tiny[i].edges, tiny[i].undirected);
            REQUIRE(g && weft_graph_find(ctx, g, tiny[i].source, &source) == WEFT_OK);
            weft_result *r = run_from(ctx, g, source, (const double[]){0, 1e-300, 1e300}[delta]);
            REQUIRE(r);
            CHECK_TEXT(answer_text(g, r, text, sizeof text), tiny[i].answer);
            CHECK(verified(ctx, g, source, r));
            weft_result_free(r);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

/* Floats would make the two ways alike, and the distance another number. */
TEST(doubles_are_added_as_doubles) {
    warnings told;
    weft_ctx *ctx = new_ctx(2, &told);
    weft_vid u[] = {0, 0, 1, 1}, v[] = {1, 2, 2, 3};
    double w[] = {0.1, 0.3, 0.2, 1e-20};
    weft_graph *g = NULL;
    REQUIRE(weft_graph_from_edges(ctx, 4, 4, u, v, w, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
    weft_result *r = run_from(ctx, g, 0, 0);
    REQUIRE(r);
    const double *distance = weft_result_f64(r, "distance");
    CHECK_NEAR(distance[1], 0.1, 0);
    CHECK_NEAR(distance[2], 0.3, 0); /* 0.1 + 0.2 is more */
    CHECK_U64(weft_result_u32(r, "parent")[2], 0);
    CHECK_NEAR(distance[3], 0.1, 0);
    CHECK(verified(ctx, g, 0, r));
    weft_result_free(r);
    weft_graph_free(g);

    /* A length beyond the largest double; the arc from 1 to 2 is longer than that, too, but there is a shorter way. */
    CHECK_U64(told.count, 0);
    double far[] = {1e308, 1.5e308, 1e308, 1e308};
    REQUIRE(weft_graph_from_edges(ctx, 4, 4, u, v, far, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
    r = NULL;
    CHECK_U64(weft_sssp(ctx, g, NULL, &r), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "sssp: lengths of paths, their sum or their reciprocals are beyond 1.8e+308");
    r = run_from(ctx, g, 3, 0); /* no arc leaves 3 */
    REQUIRE(r);
    weft_result_free(r);
    weft_graph_free(g);
    REQUIRE(weft_graph_from_edges(ctx, 3, 3, u, v, far, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
    r = run_from(ctx, g, 0, 0);
    REQUIRE(r);
    CHECK_NEAR(weft_result_f64(r, "distance")[2], 1.5e308, 0);
    CHECK(verified(ctx, g, 0, r));
    weft_result_free(r);
    weft_graph_free(g);

    double below[] = {1, 1, -1e-300, 1};
    REQUIRE(weft_graph_from_edges(ctx, 4, 4, u, v, below, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
    r = NULL;
    CHECK_U64(weft_sssp(ctx, g, NULL, &r), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "from 1 to 2 has weight -1e-300, but");
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(no_vertices_and_one) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (uint64_t n = 0; n < 2; n++) {
        weft_graph *g = NULL;
        weft_result *r = NULL;
        REQUIRE(weft_graph_from_edges(ctx, n, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
        REQUIRE(weft_sssp(ctx, g, NULL, &r) == WEFT_OK);
        CHECK_U64(weft_result_scalar(r, "reached")->value.u64, n);
        CHECK_NEAR(weft_result_scalar(r, "max_distance")->value.f64, 0, 0);
        CHECK(verified(ctx, g, WEFT_NO_VERTEX, r));
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(the_standard_source_has_most_arcs) {
    weft_ctx *ctx = new_ctx(1, NULL);
    char text[128];
    weft_graph *g = graph_of(ctx, "0 1 1\n2 0 5\n2 1 1\n3 0 1\n3 1 1\n", false);
    weft_result *r = NULL;
    REQUIRE(g && weft_sssp(ctx, g, NULL, &r) == WEFT_OK);
    CHECK_TEXT(answer_text(g, r, text, sizeof text), "5/2 1/2 0/2 inf/-");
    CHECK_U64(weft_result_scalar(r, "reached")->value.u64, 3);
    CHECK_NEAR(weft_result_scalar(r, "max_distance")->value.f64, 5, 0);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_makes_no_sense_is_refused) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of(ctx, "ann bob 0.5\nbob eve -1.5\neve ann 2\n", false);
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    weft_result *r = NULL;
    REQUIRE(g);
    CHECK(weft_sssp(ctx, g, NULL, &r) == WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "from bob to eve has weight -1.5");
    weft_graph_free(g);
    g = graph_of(ctx, "0 1 1\n", false);
    p.source = 2;
    CHECK(weft_sssp(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "2 vertices");
    p = (weft_sssp_params)WEFT_SSSP_DEFAULTS;
    p.delta = -1;
    CHECK(weft_sssp(ctx, g, &p, &r) == WEFT_EINVAL);
    p.delta = (double)NAN;
    CHECK(weft_sssp(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK(!r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- random graphs --------------------------------------------------------------- */

/* The textbook, with a scan for the nearest. */
static void dijkstra(const weft_graph *g, weft_vid source, double *distance) {
    static bool settled[MOST];
    weft_csr out = out_rows(g);
    for (weft_vid v = 0; v < out.vertices; v++) distance[v] = INFINITY, settled[v] = false;
    distance[source] = 0;
    for (;;) {
        weft_vid u = WEFT_NO_VERTEX;
        for (weft_vid v = 0; v < out.vertices; v++)
            if (!settled[v] && !isinf(distance[v]) && (u == WEFT_NO_VERTEX || distance[v] < distance[u])) u = v;
        if (u == WEFT_NO_VERTEX) return;
        settled[u] = true;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            double w = out.weights ? weight_at(g, &out, e) : 1;
            if (distance[u] + w < distance[out.targets[e]]) distance[out.targets[e]] = distance[u] + w;
        }
    }
}

TEST(distances_are_those_of_dijkstra) {
    static double want[MOST];
    static const uint64_t ranges[] = {2, 10, 300, 1u << 31};
    for (uint64_t seed = 0; seed < 64; seed++) {
        weft_ctx *ctx = new_ctx(1 + (int)(seed % 3), NULL);
        dice d = {seed, 1000};
        weft_vid n = (weft_vid)(2 + roll(&d, 600));
        weft_graph *g = random_graph(ctx, seed, n, roll(&d, 5 * n), seed & 1, (weft_weight_type)(1 + seed / 2 % 3),
                                     ranges[seed / 4 % 4]);
        REQUIRE(g);
        weft_vid source = (weft_vid)roll(&d, n);
        weft_result *r = run_from(ctx, g, source, seed % 5 ? 0 : 1 + (double)roll(&d, 100));
        dijkstra(g, source, want);
        CHECK(r && !memcmp(want, weft_result_f64(r, "distance"), n * sizeof *want));
        CHECK(r && verified(ctx, g, source, r));
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(threads_delta_and_a_transpose_do_not_change_a_byte) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < 7; i++) {
        weft_ctx *first_ctx = new_ctx(1, NULL);
        weft_graph *g = large_graph(first_ctx, i);
        REQUIRE(g);
        size_t n = weft_graph_vertices(g);
        weft_result *first = run_from(first_ctx, g, WEFT_NO_VERTEX, 0);
        REQUIRE(first);
        CHECK(verified(first_ctx, g, WEFT_NO_VERTEX, first));
        for (size_t k = 0; k < 2 * LENGTH(threads); k++) {
            weft_ctx *ctx = new_ctx(threads[k / 2], NULL);
            weft_csr in = {.size = sizeof in};
            if (k == 6) CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
            weft_result *r = run_from(ctx, g, WEFT_NO_VERTEX, k % 2 ? 1 + (double)(37 * k) : 0);
            REQUIRE(r);
            CHECK(!memcmp(weft_result_f64(first, "distance"), weft_result_f64(r, "distance"), 8 * n));
            CHECK(!memcmp(weft_result_u32(first, "parent"), weft_result_u32(r, "parent"), 4 * n));
            CHECK_U64(weft_result_scalar(r, "reached")->value.u64, weft_result_scalar(first, "reached")->value.u64);
            weft_result_free(r);
            weft_ctx_free(ctx);
        }
        weft_result_free(first);
        weft_graph_free(g);
        weft_ctx_free(first_ctx);
    }
}

TEST(bins_that_overflow_are_filled_again) {
    for (int threads = 1; threads <= 4; threads++) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = graph_of_hubs(ctx);
        REQUIRE(g);
        for (int delta = 1; delta < 300; delta = delta * 4 + 1) {
            weft_result *r = run_from(ctx, g, 0, delta);
            REQUIRE(r);
            CHECK_NEAR(weft_result_scalar(r, "max_distance")->value.f64, 39 + 10000 - 3900, 0);
            CHECK(verified(ctx, g, 0, r));
            weft_result_free(r);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* --- the verifier -------------------------------------------------------------- */

TEST(the_verifier_refuses_what_was_tampered_with) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = random_graph(ctx, 3, 500, 2000, false, WEFT_WEIGHT_F32, 20);
    REQUIRE(g);
    weft_result *r = run_from(ctx, g, 0, 0);
    REQUIRE(r && verified(ctx, g, 0, r));
    double *distance = (double *)(uintptr_t)weft_result_f64(r, "distance");
    weft_vid *parent = (weft_vid *)(uintptr_t)weft_result_u32(r, "parent");
    weft_vid v = 1;
    while (isinf(distance[v]) || distance[v] == 0) v++;
    const double tampers[] = {0, distance[v] * 2, distance[v] / 2, INFINITY, (double)NAN, -1};
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    p.source = 0;
    double right = distance[v];
    for (size_t i = 0; i < LENGTH(tampers); i++) {
        distance[v] = tampers[i];
        CHECK(weft_check(ctx, "sssp", g, &p, r, &report) == WEFT_OK && !report.passed);
    }
    distance[v] = right;
    weft_vid right_parent = parent[v];
    const weft_vid strangers[] = {v, WEFT_NO_VERTEX, right_parent ? 0 : 1};
    for (size_t i = 0; i < LENGTH(strangers); i++) {
        parent[v] = strangers[i];
        CHECK(weft_check(ctx, "sssp", g, &p, r, &report) == WEFT_OK && !report.passed);
    }
    parent[v] = right_parent;
    CHECK(verified(ctx, g, 0, r));
    p.source = v;
    CHECK(weft_check(ctx, "sssp", g, &p, r, &report) == WEFT_OK && !report.passed);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- resources ----------------------------------------------------------------- */

static void check_stops(weft_graph *of(weft_ctx *, size_t), size_t which) {
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_graph *g = of(ctx, which);
    REQUIRE(g);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    for (int allowed = 0; allowed < 200; allowed += 20) {
        _Atomic int left = allowed;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        CHECK(weft_sssp(ctx, g, NULL, &r) == WEFT_ECANCELLED && !r);
        CHECK_U64(weft_ctx_memory_in_use(ctx), before);
    }
    weft_ctx_set_cancel(ctx, NULL, NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_run_stops_on_request) {
    check_stops(large_graph, 4);
    check_stops(unit_graph, 4);
}

TEST(memory_is_what_the_plan_says) {
    for (size_t i = 0; i < 7; i++) {
        weft_ctx *maker = new_ctx(0, NULL), *ctx = new_ctx(2, NULL);
        weft_graph *g = large_graph(maker, i);
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(g && weft_plan_new(ctx, "sssp", g, NULL, &plan) == WEFT_OK);
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        CHECK_NEAR(weft_ctx_memory_peak(ctx), weft_plan_host_bytes(plan), 0.1 * (double)weft_plan_host_bytes(plan));
        CHECK_HAS(weft_plan_reason(plan), weft_graph_weight_type(g) ? "delta" : "levels");
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
        weft_ctx_free(maker);
    }
}

static void check_method(weft_ctx *ctx, const weft_graph *g, const char *method) {
    weft_plan *plan = NULL;
    REQUIRE(!weft_plan_new(ctx, "sssp", g, NULL, &plan));
    CHECK_TEXT(weft_plan_method(plan), method);
    weft_plan_free(plan);
}

/* A directed graph is searched from both sides as soon as something else has built its transpose. */
TEST(without_weights_the_search_is_breadth_first) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *directed = unit_graph(ctx, 0), *undirected = unit_graph(ctx, 1), *weighted = large_graph(ctx, 0);
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    weft_plan *early = NULL;
    weft_result *r = NULL;
    REQUIRE(directed && undirected && weighted);
    check_method(ctx, undirected, "breadth-first, direction-optimising");
    check_method(ctx, weighted, "delta-stepping, packed");
    check_method(ctx, directed, "breadth-first, top-down");
    REQUIRE(!weft_plan_new(ctx, "sssp", directed, &p, &early));
    weft_csr in = {.size = sizeof in};
    REQUIRE(!weft_graph_in(ctx, directed, &in));
    check_method(ctx, directed, "breadth-first, direction-optimising");
    check_against_bfs(ctx, directed, WEFT_NO_VERTEX, "with a transpose");
    REQUIRE(!weft_plan_run(early, &r));
    CHECK(verified(ctx, directed, WEFT_NO_VERTEX, r));
    weft_result_free(r);
    weft_plan_free(early);
    weft_graph_free(directed);
    weft_graph_free(undirected);
    weft_graph_free(weighted);
    weft_ctx_free(ctx);
}

TEST(without_weights_distances_are_levels) {
    char what[64];
    for (size_t i = 0; i < UNIT_GRAPHS; i++)
        for (int threads = 1; threads < 4; threads += 2) {
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_graph *g = unit_graph(ctx, i);
            REQUIRE(g);
            snprintf(what, sizeof what, "graph %zu without weights, %d threads", i, threads);
            check_against_bfs(ctx, g, WEFT_NO_VERTEX, what);
            check_against_bfs(ctx, g, weft_graph_vertices(g) / 2, what);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

static void expect_distances(weft_ctx *ctx, const weft_graph *g, const weft_sssp_params *p, const char *want,
                             const char *parents) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_result *r = NULL;
    char text[256] = "", from[256] = "";
    REQUIRE(weft_sssp(ctx, g, p, &r) == WEFT_OK);
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        append(text, sizeof text, "%s%g", v ? " " : "", weft_result_f64(r, "distance")[v]);
        append(from, sizeof from, "%s%d", v ? " " : "", (int)weft_result_u32(r, "parent")[v]);
    }
    CHECK_TEXT(text, want);
    CHECK_TEXT(from, parents);
    CHECK_U64(weft_check(ctx, "sssp", g, p, r, &report), WEFT_OK);
    if (!report.passed) HARNESS_FAIL("%s", report.message);
    weft_result_free(r);
}

TEST(several_sources_and_targets_that_end_the_search) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_vid u[] = {0, 1, 2, 3, 4, 0}, v[] = {1, 2, 3, 4, 5, 2}, sources[] = {3, 0, 0}, targets[] = {2, 1},
             none[] = {1, 6};
    uint32_t whole[] = {2, 2, 5, 1, 1, 9};
    float part[] = {2, 2, 5, 1, 1, 9};
    double fine[] = {2, 2, 5, 1, 1, 9};
    const void *weights[] = {whole, part, fine};
    for (int type = 0; type < 3; type++) {
        weft_graph *g = NULL;
        REQUIRE(!weft_graph_from_edges(ctx, 7, LENGTH(u), u, v, weights[type],
                                       (weft_weight_type)(WEFT_WEIGHT_U32 + type), NULL, &g));
        weft_sssp_params p = WEFT_SSSP_DEFAULTS;
        p.sources = sources;
        p.source_count = LENGTH(sources);
        expect_distances(ctx, g, &p, "0 2 4 0 1 2 inf", "0 0 1 3 3 4 -1");
        p = (weft_sssp_params)WEFT_SSSP_DEFAULTS;
        p.source = 0;
        p.targets = targets;
        p.target_count = LENGTH(targets);
        expect_distances(ctx, g, &p, "0 2 4 inf inf inf inf", "0 0 1 -1 -1 -1 -1");
        p.targets = targets + 1;
        p.target_count = 1;
        expect_distances(ctx, g, &p, "0 2 inf inf inf inf inf", "0 0 -1 -1 -1 -1 -1");
        p.targets = none; /* one has no path: nothing is left out */
        p.target_count = 2;
        expect_distances(ctx, g, &p, "0 2 4 9 10 11 inf", "0 0 1 2 3 4 -1");
        weft_result *r = NULL;
        p.sources = sources;
        p.source_count = 1;
        CHECK_U64(weft_sssp(ctx, g, &p, &r), WEFT_EINVAL);
        CHECK_TEXT(weft_ctx_message(ctx), "sssp: `source` and `sources` exclude each other");
        p.source = WEFT_NO_VERTEX;
        p.sources = NULL;
        CHECK_U64(weft_sssp(ctx, g, &p, &r), WEFT_EINVAL);
        CHECK_TEXT(weft_ctx_message(ctx), "sssp: sources and source_count go together: 1 of them, but no array");
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* Targets that are reached at once, soon, late, or never, from one source and from several, some of them twice. */
TEST(without_weights_sources_and_targets_are_those_of_bfs) {
    char what[64];
    for (size_t i = 0; i < UNIT_GRAPHS; i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = unit_graph(ctx, i);
        REQUIRE(g);
        weft_vid n = weft_graph_vertices(g);
        weft_vid sources[] = {n / 2, 0, n / 3, 0}, targets[] = {n / 2, n / 2 + 1, n / 2 + 40, n - 1, n / 4};
        for (size_t from = 0; from <= LENGTH(sources); from++)
            for (size_t to = 0; to <= LENGTH(targets); to++) {
                weft_sssp_params p = WEFT_SSSP_DEFAULTS;
                p.sources = from ? sources : NULL, p.source_count = from;
                p.targets = to ? targets : NULL, p.target_count = to;
                snprintf(what, sizeof what, "graph %zu without weights, %zu sources, %zu targets", i, from, to);
                check_ends_against_bfs(ctx, g, p, what);
            }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
