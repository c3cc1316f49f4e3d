/* Who outlives whom, and whose the message is. */
#include "support.h"

static weft_graph *karate(weft_ctx *ctx) {
    weft_graph *g = NULL;
    return weft_generate(ctx, "karate", NULL, NULL, &g) ? NULL : g;
}

TEST(a_plan_keeps_its_graph_and_its_context) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = karate(ctx);
    weft_plan *plan = NULL;
    weft_result *r = NULL, *again = NULL;
    counting c = {.allowed = COUNT_ONLY};
    weft_graph_free(g);
    CHECK_U64(weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c), WEFT_OK);
    g = karate(ctx);
    REQUIRE(g && weft_plan_new(ctx, "pagerank", g, NULL, &plan) == WEFT_OK);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    CHECK_U64(weft_plan_run(plan, &r), WEFT_OK);
    CHECK_U64(weft_plan_run(plan, &again), WEFT_OK);
    weft_plan_free(plan);
    REQUIRE(r && again);
    CHECK(memcmp(weft_result_f32(r, "rank"), weft_result_f32(again, "rank"), 34 * sizeof(float)) == 0);
    weft_result_free(r);
    weft_result_free(again);
    CHECK_U64(c.live_blocks, 0); /* and then everything goes */
}

TEST(several_plans_share_a_graph) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = karate(ctx);
    weft_plan *plan[3] = {NULL};
    for (int i = 0; i < 3; i++) CHECK_U64(weft_plan_new(ctx, "degree", g, NULL, &plan[i]), WEFT_OK);
    weft_graph_free(g);
    for (int i = 0; i < 3; i++) {
        weft_result *r = NULL;
        CHECK_U64(weft_plan_run(plan[i], &r), WEFT_OK);
        weft_plan_free(plan[i]);
        weft_result_free(r);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(the_message_belongs_to_the_last_call) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = karate(ctx), *none = (weft_graph *)&ctx;
    weft_vid v;
    REQUIRE(g);
    CHECK_U64(weft_read(ctx, "/nowhere/at/all", NULL, &none), WEFT_EIO);
    CHECK(!none && weft_ctx_message(ctx)[0]);
    CHECK_U64(weft_graph_find(ctx, g, "1", &v), WEFT_OK);
    CHECK_TEXT(weft_ctx_message(ctx), "");
    CHECK_U64(weft_graph_find(ctx, g, "99", &v), WEFT_ENOTFOUND);
    CHECK_U64(v, WEFT_NO_VERTEX);
    CHECK_HAS(weft_ctx_message(ctx), "99");
    CHECK_U64(weft_read(ctx, NULL, NULL, &none), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "weft_read: path is NULL");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
