/* Plans and the memory limit: a run that would not fit is refused before it begins, with what it would need. */
#include "support.h"

TEST(a_plan_over_the_memory_limit_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 100000;
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    REQUIRE(weft_generate(ctx, "path", &p, NULL, &g) == WEFT_OK);
    REQUIRE(weft_plan_new(ctx, "degree", g, NULL, &plan) == WEFT_OK);
    uint64_t needed = weft_plan_host_bytes(plan);
    weft_plan_free(plan);
    uint64_t used = weft_ctx_memory_in_use(ctx), peak = weft_ctx_memory_peak(ctx);

    weft_ctx_set_memory_limit(ctx, used + needed / 2);
    CHECK(weft_plan_new(ctx, "degree", g, NULL, &plan) == WEFT_ENOMEM);
    CHECK(plan == NULL);
    CHECK_HAS(weft_ctx_message(ctx), "degree");
    CHECK_HAS(weft_ctx_message(ctx), "2.3 MiB more");
    CHECK_HAS(weft_ctx_message(ctx), "in total");
    CHECK(weft_degree(ctx, g, NULL, &r) == WEFT_ENOMEM);
    CHECK(r == NULL);
    CHECK_U64(weft_ctx_memory_in_use(ctx), used);
    CHECK_U64(weft_ctx_memory_peak(ctx), peak);

    weft_ctx_set_memory_limit(ctx, used + needed + (1 << 16));
    CHECK(weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    weft_result_free(r);
    weft_ctx_set_memory_limit(ctx, 1); /* less than is in use already */
    CHECK(weft_plan_new(ctx, "degree", g, NULL, &plan) == WEFT_ENOMEM);
    weft_ctx_set_memory_limit(ctx, 0);
    CHECK(weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The limit is asked when the plan is made, not against what its own runs left behind. */
TEST(a_plan_that_fits_can_be_run_again) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 50000;
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    REQUIRE(weft_generate(ctx, "path", &p, NULL, &g) == WEFT_OK);
    REQUIRE(weft_plan_new(ctx, "degree", g, NULL, &plan) == WEFT_OK);
    weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + weft_plan_host_bytes(plan) + (1 << 16));
    for (int i = 0; i < 3; i++) {
        weft_result *r = NULL;
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        weft_result_free(r);
    }
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
