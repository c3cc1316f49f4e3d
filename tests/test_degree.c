/* degree, and with it what all algorithms share: the registry, parameters, plans, results. */
#include "support.h"

TEST(degree_is_registered_with_what_it_gives) {
    const weft_algorithm_info *a = weft_algorithm_find("degree");
    REQUIRE(a != NULL);
    CHECK_TEXT(a->name, "degree");
    CHECK(a->help && a->help[0]);
    CHECK(a->on_cpu);
    CHECK_U64(a->params_size, sizeof(weft_degree_params));
    static const char *const wanted[] = {"in", "out", "total", "degree", "count"};
    for (int w = 0; w < 5; w++) {
        bool found = false;
        for (size_t i = 0; i < a->result_count; i++) found = found || !strcmp(a->results[i].name, wanted[w]);
        if (!found) HARNESS_FAIL("degree does not list its result %s", wanted[w]);
    }
    bool listed = false;
    for (size_t i = 0; i < weft_algorithm_count(); i++) listed = listed || weft_algorithm_at(i) == a;
    CHECK(listed);
    CHECK(weft_algorithm_at(weft_algorithm_count()) == NULL);
    CHECK(weft_algorithm_find("no-such-thing") == NULL);
}

static void check_column(const weft_result *r, const char *name, const uint64_t *want, size_t length, int per_vertex) {
    const weft_column *c = weft_result_column(r, name);
    const uint64_t *got = weft_result_u64(r, name);
    if (!c || !got) {
        HARNESS_FAIL("no column %s of u64", name);
        return;
    }
    CHECK_U64(c->length, length);
    CHECK(c->type == WEFT_U64);
    CHECK((c->per_vertex == 1) == (per_vertex == 1));
    for (size_t i = 0; i < length && i < c->length; i++)
        if (got[i] != want[i]) HARNESS_FAIL("%s[%zu] is %" PRIu64 ", expected %" PRIu64, name, i, got[i], want[i]);
}

TEST(degrees_of_a_directed_graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, "0 1\n0 2\n1 2\n3 3\n2 0\n", NULL);
    weft_result *r = NULL;
    REQUIRE(g && weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    check_column(r, "out", (uint64_t[]){2, 1, 1, 1}, 4, 1);
    check_column(r, "in", (uint64_t[]){1, 1, 2, 1}, 4, 1);
    check_column(r, "total", (uint64_t[]){3, 2, 3, 2}, 4, 1);
    check_column(r, "degree", (uint64_t[]){2, 3}, 2, 2);
    check_column(r, "count", (uint64_t[]){2, 2}, 2, 2);
    CHECK(weft_result_f32(r, "out") == NULL);
    CHECK(weft_result_u64(r, "no-such-column") == NULL);
    CHECK(weft_result_column_at(r, weft_result_column_count(r)) == NULL);
    weft_result_free(r);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(degrees_of_an_undirected_graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.build.direction = WEFT_UNDIRECTED;
    weft_graph *g = read_text(ctx, "0 1\n0 2\n0 3\n1 2\n", &p);
    weft_result *r = NULL;
    REQUIRE(g && weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    check_column(r, "out", (uint64_t[]){3, 2, 2, 1}, 4, 1);
    check_column(r, "in", (uint64_t[]){3, 2, 2, 1}, 4, 1);
    check_column(r, "total", (uint64_t[]){3, 2, 2, 1}, 4, 1);
    check_column(r, "degree", (uint64_t[]){1, 2, 3}, 3, 2);
    check_column(r, "count", (uint64_t[]){1, 2, 1}, 3, 2);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(an_empty_graph_has_empty_columns) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(weft_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    CHECK_U64(weft_degree(ctx, g, NULL, &r), WEFT_OK);
    REQUIRE(r != NULL);
    const weft_column *c = weft_result_column(r, "total");
    CHECK(c && c->length == 0);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_plan_says_how_and_runs_many_times) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1\n1 2\n2 0\n", NULL);
    weft_plan *plan = NULL;
    REQUIRE(g && weft_plan_new(ctx, "degree", g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_device(plan) == WEFT_DEVICE_CPU || weft_plan_device(plan) == WEFT_DEVICE_CUDA);
    CHECK(weft_plan_method(plan)[0] != 0);
    CHECK(weft_plan_reason(plan)[0] != 0);
    CHECK(weft_plan_host_bytes(plan) >= 3 * 3 * sizeof(uint64_t));
    for (int run = 0; run < 3; run++) {
        weft_result *r = NULL;
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        check_column(r, "total", (uint64_t[]){2, 2, 2}, 3, 1);
        weft_result_free(r);
    }
    weft_plan_free(plan);
    plan = (weft_plan *)ctx;
    CHECK_U64(weft_plan_new(ctx, "no-such-thing", g, NULL, &plan), WEFT_ENOTFOUND);
    CHECK(plan == NULL);
    CHECK_HAS(weft_ctx_message(ctx), "no-such-thing");
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_device_that_is_not_there_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1\n", NULL);
    const weft_algorithm_info *a = weft_algorithm_find("degree");
    REQUIRE(g && a);
    if (!a->on_cuda) {
        weft_result *r = NULL;
        CHECK_U64(weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA), WEFT_OK);
        CHECK_U64(weft_degree(ctx, g, NULL, &r), WEFT_EDEVICE);
        CHECK(r == NULL);
        CHECK(weft_ctx_message(ctx)[0] != 0);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(threads_do_not_change_degrees) {
    enum { N = 5000, M = 60000 };
    static weft_vid u[M], v[M];
    for (uint64_t i = 0; i < M; i++) {
        u[i] = (weft_vid)(random_at(1, i) % N);
        v[i] = (weft_vid)(random_at(2, i) % (1 + i % N));
    }
    uint64_t *first = NULL;
    static const int threads[] = {1, 2, 3, 7};
    for (int t = 0; t < 4; t++) {
        weft_ctx *ctx = new_ctx(threads[t], NULL);
        weft_graph *g = NULL;
        weft_result *r = NULL;
        REQUIRE(weft_graph_from_edges(ctx, N, M, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
        REQUIRE(weft_degree(ctx, g, NULL, &r) == WEFT_OK);
        const uint64_t *total = weft_result_u64(r, "total");
        REQUIRE(total != NULL);
        if (!first) {
            REQUIRE((first = malloc(N * sizeof *first)) != NULL);
            memcpy(first, total, N * sizeof *first);
            uint64_t sum = 0;
            for (int i = 0; i < N; i++) sum += total[i];
            CHECK_U64(sum, 2 * weft_graph_arcs(g));
        }
        CHECK(memcmp(first, total, N * sizeof *first) == 0);
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(first);
}

TEST_MAIN()
