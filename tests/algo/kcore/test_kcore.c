/* kcore: core numbers one can count by hand, what is ignored, and the sweeps. */
#include "order_support.h"
#include "weft/kcore.h"

static void expect(const char *arcs, uint64_t n, const char *core, uint64_t degeneracy) {
    for (int direction = WEFT_DIRECTED; direction <= WEFT_UNDIRECTED; direction++) {
        weft_ctx *ctx = new_ctx(0, NULL);
        char text[1024];
        weft_graph *g = arcs_of(ctx, n, arcs, (weft_direction)direction, WEFT_DUPLICATES_DROP);
        weft_result *r = verified_run(ctx, "kcore", g, NULL);
        REQUIRE(r);
        CHECK_TEXT(column_text(r, "core", text, sizeof text), core);
        CHECK_U64(scalar_of(r, "degeneracy"), degeneracy);
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(small_graphs_have_the_cores_one_sees) {
    expect("", 0, "", 0);
    expect("", 1, "0", 0);
    expect("", 3, "0 0 0", 0);
    expect("0>1", 3, "1 1 0", 1);
    expect("0>1 1>2 2>3", 4, "1 1 1 1", 1);
    expect("0>1 0>2 0>3 0>4", 5, "1 1 1 1 1", 1);
    expect("0>1 1>2 2>3 3>0", 4, "2 2 2 2", 2);
    expect("0>1 0>2 0>3 1>2 1>3 2>3", 4, "3 3 3 3", 3);
    expect("0>1 0>2 0>3 1>2 1>3 2>3 3>4 4>5 5>3 5>6", 8, "3 3 3 3 2 2 1 0", 3);
}

TEST(loops_directions_and_repetitions_do_not_count) {
    expect("0>0", 1, "0", 0);
    expect("0>1 1>0 0>0 1>1", 2, "1 1", 1);
    weft_ctx *ctx = new_ctx(0, NULL);
    for (int direction = WEFT_DIRECTED; direction <= WEFT_UNDIRECTED; direction++) {
        char text[64];
        weft_graph *g = arcs_of(ctx, 3, "0>1 0>1 1>0 1>2 1>2 2>2", (weft_direction)direction, WEFT_DUPLICATES_KEEP);
        weft_result *r = verified_run(ctx, "kcore", g, NULL);
        REQUIRE(r);
        CHECK_TEXT(column_text(r, "core", text, sizeof text), "1 1 1");
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(the_core_that_is_asked_for_is_listed) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const char *const members[] = {"", "0 1 2 3 4 5 6", "0 1 2 3 4 5", "0 1 2 3", ""};
    weft_graph *g = directed_of(ctx, 8, "0>1 0>2 0>3 1>2 1>3 2>3 3>4 4>5 5>3 5>6");
    for (size_t k = 0; k < LENGTH(members); k++) {
        weft_kcore_params p = WEFT_KCORE_DEFAULTS;
        char text[64];
        p.k = k;
        weft_result *r = verified_run(ctx, "kcore", g, &p);
        REQUIRE(r);
        CHECK_TEXT(column_text(r, "members", text, sizeof text), members[k]);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void expect_modes(const char *arcs, uint64_t n, const char *in, const char *out, const char *all) {
    const char *want[] = {out, in, all};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, n, arcs, WEFT_DIRECTED, WEFT_DUPLICATES_KEEP);
    for (int mode = WEFT_CORE_OUT; mode <= WEFT_CORE_ALL; mode++) {
        weft_kcore_params p = WEFT_KCORE_DEFAULTS;
        char text[256];
        p.mode = (weft_core_mode)mode;
        weft_result *r = verified_run(ctx, "kcore", g, &p);
        REQUIRE(r);
        CHECK_TEXT(column_text(r, "core", text, sizeof text), want[mode - WEFT_CORE_OUT]);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(arcs_in_out_or_both_can_count) {
    expect_modes("0>1", 2, "0 0", "0 0", "1 1");
    expect_modes("0>1 1>0", 2, "1 1", "1 1", "2 2");
    expect_modes("0>1 0>1 1>0 1>1", 2, "1 1", "1 1", "2 2");
    expect_modes("0>1 1>2 2>0 2>3", 4, "1 1 1 1", "1 1 1 0", "2 2 2 1");
    expect_modes("0>1 0>2 1>0 1>2 2>0 2>1 3>0 3>1 3>2", 4, "2 2 2 0", "2 2 2 2", "4 4 4 3");
}

TEST(a_mode_that_does_not_exist_is_refused) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_result *r = NULL;
    weft_graph *g = directed_of(ctx, 2, "0>1");
    weft_kcore_params p = WEFT_KCORE_DEFAULTS;
    p.mode = (weft_core_mode)4;
    CHECK_U64(weft_kcore(ctx, g, &p, &r), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "kcore: no such mode");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    weft_kcore_params p = WEFT_KCORE_DEFAULTS;
    p.k = 4;
    weft_result *r = verified_run(ctx, "kcore", g, &p);
    REQUIRE(r);
    CHECK(refused(ctx, "kcore", g, NULL, r));
    writable_u32(r, "core")[7]--;
    CHECK(refused(ctx, "kcore", g, &p, r));
    writable_u32(r, "core")[7]++;
    writable_u32(r, "members")[0]++;
    CHECK(refused(ctx, "kcore", g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_karate_club_has_degeneracy_4) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    weft_result *r = verified_run(ctx, "kcore", g, NULL);
    REQUIRE(r);
    CHECK_U64(scalar_of(r, "degeneracy"), 4);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(same_bytes_with_any_number_of_threads) {
    check_same_bytes_for_all_threads("kcore", WEFT_DIRECTED);
    check_same_bytes_for_all_threads("kcore", WEFT_UNDIRECTED);
}

TEST(a_run_can_be_stopped_anywhere) {
    check_cancelling("kcore", &shapes[0]);
    check_cancelling("kcore", &shapes[5]);
}

/* Large enough that what making the transpose holds for each thread does not show. */
TEST(memory_is_what_the_plan_said) {
    check_peak("kcore", &(struct generated){"rmat", .scale = 17, .degree = 16, .p = NAN});
    check_peak("kcore", &(struct generated){"uniform", .n = 200000, .degree = 10, .p = NAN});
}

TEST_MAIN()
