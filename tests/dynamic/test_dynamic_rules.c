/* Batches of a graph whose rows lie on a GPU, which faked_rows.h stands in for: the matrix of model.h, the counts of a graph in the host's memory, answers that
 * follow, a file. */
#include "faked_rows.h"

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

TEST_MAIN()
