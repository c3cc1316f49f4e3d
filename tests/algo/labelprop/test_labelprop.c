/* labelprop: known answers on tiny graphs, a plain step on random ones, cycles of labels, hubs, one answer for any
 * number of threads, and failures. */
#include "support.h"

#include "weft/check.h"
#include "weft/labelprop.h"

static weft_graph *graph_of(weft_ctx *ctx, const char *text, bool undirected) {
    weft_read_params p = reading("edgelist");
    p.direction = undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
    return read_text(ctx, text, &p);
}

static weft_result *run_steps(weft_ctx *ctx, const weft_graph *g, uint64_t steps) {
    weft_labelprop_params p = WEFT_LABELPROP_DEFAULTS;
    p.max_iterations = steps;
    weft_result *r = NULL;
    if (weft_labelprop(ctx, g, &p, &r)) HARNESS_FAIL("labelprop: %s", weft_ctx_message(ctx));
    return r;
}

static bool verified(weft_ctx *ctx, const weft_graph *g, uint64_t steps, const weft_result *r) {
    weft_labelprop_params p = WEFT_LABELPROP_DEFAULTS;
    p.max_iterations = steps;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "labelprop", g, &p, r, &report)) return false;
    return report.passed;
}

/* "1 1 3 (2 communities, 2 iterations)" */
static const char *answer_text(const weft_graph *g, const weft_result *r, char *to, size_t room) {
    to[0] = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        char id[64];
        weft_graph_id_text(g, weft_result_u32(r, "label")[v], id, sizeof id);
        append(to, room, "%s ", id);
    }
    append(to, room, "(%" PRIu64 " communities, %" PRIu64 " iterations)",
           weft_result_scalar(r, "communities")->value.u64, weft_result_scalar(r, "iterations")->value.u64);
    return to;
}

static const struct {
    const char *edges;
    bool undirected;
    uint64_t steps;
    const char *answer;
} tiny[] = {
    {"1 2\n", true, 0, "1 2 (2 communities, 0 iterations)"},
    {"1 2\n", true, 1, "2 1 (2 communities, 1 iterations)"}, /* two vertices change places for ever ... */
    {"1 2\n", true, 2, "1 2 (2 communities, 2 iterations)"},
    {"1 2\n", true, 9, "2 1 (2 communities, 2 iterations)"}, /* ... and the step asked for decides */
    {"1 2\n", true, 10, "1 2 (2 communities, 2 iterations)"},
    {"1 2\n2 1\n3 2\n", false, 1, "2 1 2 (2 communities, 1 iterations)"}, /* 2 counts twice for 1, 1 twice for 2 */
    {"1 2\n1 3\n2 3\n", true, 10, "1 1 1 (1 communities, 3 iterations)"},
    {"1 2\n2 3\n3 4\n", true, 1, "2 1 2 3 (3 communities, 1 iterations)"},
    {"1 1\n2 3\n2 2\n", true, 10, "1 2 2 (2 communities, 2 iterations)"}, /* a loop is an arc like others */
    {"7 7\n", false, 10, "7 (1 communities, 1 iterations)"},
    {"1 5\n2 5\n3 5\n4 5\n", true, 1, "5 5 5 5 1 (2 communities, 1 iterations)"}, /* a star */
    {"1 5\n2 5\n3 5\n4 5\n", true, 10, "1 1 1 1 5 (2 communities, 3 iterations)"},
};

TEST(tiny_graphs_have_known_answers) {
    for (size_t i = 0; i < LENGTH(tiny); i++) {
        char text[256];
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = graph_of(ctx, tiny[i].edges, tiny[i].undirected);
        REQUIRE(g);
        weft_result *r = run_steps(ctx, g, tiny[i].steps);
        REQUIRE(r);
        CHECK_TEXT(answer_text(g, r, text, sizeof text), tiny[i].answer);
        CHECK(verified(ctx, g, tiny[i].steps, r));
        weft_result_free(r);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(vertices_without_arcs_keep_their_labels) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (uint64_t n = 0; n < 4; n++) {
        weft_graph *g = NULL;
        weft_result *r = NULL;
        REQUIRE(weft_graph_from_edges(ctx, n, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
        REQUIRE(weft_labelprop(ctx, g, NULL, &r) == WEFT_OK);
        CHECK_U64(weft_result_scalar(r, "communities")->value.u64, n);
        for (weft_vid v = 0; v < n; v++) CHECK_U64(weft_result_u32(r, "label")[v], v);
        CHECK(verified(ctx, g, 10, r));
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(a_complete_graph_is_one_community) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 100;
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "complete", &p, NULL, &g) == WEFT_OK);
    weft_result *r = run_steps(ctx, g, 10);
    REQUIRE(r);
    for (weft_vid v = 0; v < 100; v++) CHECK_U64(weft_result_u32(r, "label")[v], 0);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- larger graphs ----------------------------------------------------------------- */

/* Communities of `size` that are dense inside and joined by a few arcs; vertex 0 is joined to `hub` others. */
static weft_graph *blocks(weft_ctx *ctx, uint64_t seed, weft_vid n, weft_vid size, weft_vid hub, bool undirected) {
    uint64_t m = 6 * (uint64_t)n + hub;
    weft_vid *u = malloc(m * sizeof *u), *v = malloc(m * sizeof *v);
    dice d = {seed, 0};
    for (uint64_t i = 0; i < m; i++) {
        u[i] = (weft_vid)roll(&d, n);
        v[i] = roll(&d, 20) ? u[i] / size * size + (weft_vid)roll(&d, size) : (weft_vid)roll(&d, n);
        if (v[i] >= n) v[i] = n - 1;
        if (i < hub) u[i] = 0, v[i] = (weft_vid)i;
    }
    weft_build_params b = WEFT_BUILD_DEFAULTS;
    b.direction = undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
    b.duplicates = seed % 2 ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_DROP;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &b, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(u), free(v);
    return g;
}

static weft_graph *large_graph(weft_ctx *ctx, size_t i) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    switch (i) {
    case 0: p.scale = 13, p.degree = 16; return weft_generate(ctx, "rmat", &p, NULL, &g) ? NULL : g;
    case 1: p.scale = 12, p.degree = 16, p.undirected = 1; return weft_generate(ctx, "rmat", &p, NULL, &g) ? NULL : g;
    case 2: return blocks(ctx, 1, 30000, 40, 0, true);
    case 3: return blocks(ctx, 2, 40000, 40, 35000, false); /* a hub beyond what one thread counts */
    case 4: return blocks(ctx, 3, 30000, 300, 30000, true);
    case 5: p.rows = 100, p.columns = 100; return weft_generate(ctx, "grid", &p, NULL, &g) ? NULL : g;
    default: return NULL;
    }
}

TEST(threads_do_not_change_a_byte_and_every_step_is_right) {
    static const int threads[] = {1, 2, 3, 7};
    static const uint64_t steps[] = {1, 2, 5, 10, 41};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < LENGTH(steps); k++) {
            weft_ctx *maker = new_ctx(2, NULL);
            weft_graph *g = large_graph(maker, i);
            REQUIRE(g);
            weft_result *first = NULL;
            for (size_t t = 0; t < LENGTH(threads); t++) {
                weft_ctx *ctx = new_ctx(threads[t], NULL);
                weft_result *r = run_steps(ctx, g, steps[k]);
                REQUIRE(r);
                if (first) {
                    CHECK(!memcmp(weft_result_u32(first, "label"), weft_result_u32(r, "label"),
                                  4 * (size_t)weft_graph_vertices(g)));
                    CHECK_U64(weft_result_scalar(r, "iterations")->value.u64,
                              weft_result_scalar(first, "iterations")->value.u64);
                    weft_result_free(r);
                } else {
                    first = r;
                    CHECK(verified(ctx, g, steps[k], r));
                }
                weft_ctx_free(ctx);
            }
            weft_result_free(first);
            weft_graph_free(g);
            weft_ctx_free(maker);
        }
}

TEST(the_verifier_refuses_what_was_tampered_with) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = blocks(ctx, 2, 500, 20, 0, false);
    REQUIRE(g);
    weft_result *r = run_steps(ctx, g, 10);
    REQUIRE(r && verified(ctx, g, 10, r));
    weft_vid *label = (weft_vid *)(uintptr_t)weft_result_u32(r, "label"), right = label[7];
    const weft_vid others[] = {right + 1, 499, WEFT_NO_VERTEX};
    for (size_t i = 0; i < LENGTH(others); i++) {
        label[7] = others[i];
        CHECK(!verified(ctx, g, 10, r));
    }
    label[7] = right;
    CHECK(verified(ctx, g, 10, r));
    CHECK(!verified(ctx, g, 1, r));
    weft_scalar *done = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "iterations");
    done->value.u64--;
    CHECK(!verified(ctx, g, 10, r));
    done->value.u64++;
    weft_scalar *communities = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "communities");
    communities->value.u64++;
    CHECK(!verified(ctx, g, 10, r));
    communities->value.u64--;
    CHECK(verified(ctx, g, 10, r));
    weft_graph *another = blocks(ctx, 4, 500, 20, 0, false);
    CHECK(another && !verified(ctx, another, 10, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_graph_free(another);
    weft_ctx_free(ctx);
}

/* --- resources ----------------------------------------------------------------- */

TEST(a_run_stops_on_request) {
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_graph *g = large_graph(ctx, 4);
    REQUIRE(g);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    for (int allowed = 0; allowed < 600; allowed += 60) {
        _Atomic int left = allowed;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        CHECK(weft_labelprop(ctx, g, NULL, &r) == WEFT_ECANCELLED && !r);
        CHECK_U64(weft_ctx_memory_in_use(ctx), before);
    }
    weft_ctx_set_cancel(ctx, NULL, NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(memory_is_what_the_plan_says) {
    for (size_t i = 0; i < 6; i++)
        for (int again = 0; again < 2; again++) { /* the second time the transpose is there */
            weft_ctx *maker = new_ctx(2, NULL);
            weft_graph *g = large_graph(maker, i);
            REQUIRE(g);
            weft_csr in = {.size = sizeof in};
            if (again) CHECK(weft_graph_in(maker, g, &in) == WEFT_OK);
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_plan *plan = NULL;
            weft_result *r = NULL;
            REQUIRE(weft_plan_new(ctx, "labelprop", g, NULL, &plan) == WEFT_OK);
            CHECK(weft_plan_run(plan, &r) == WEFT_OK);
            CHECK_NEAR(weft_ctx_memory_peak(ctx), weft_plan_host_bytes(plan), 0.1 * (double)weft_plan_host_bytes(plan));
            CHECK_HAS(weft_plan_reason(plan), weft_graph_directed(g) ? "incoming arcs" : "undirected");
            weft_result_free(r);
            weft_plan_free(plan);
            weft_graph_free(g);
            weft_ctx_free(ctx);
            weft_ctx_free(maker);
        }
}

TEST_MAIN()
