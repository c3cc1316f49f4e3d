/* Plans and the memory limit: a run that would not fit is refused before it begins, with what it would need. */
#include "cuda/device.h"
#include "variants.h"
#include "weft/degree.h"

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

static void check_method(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v, const weft_graph *g) {
    weft_plan *plan = NULL;
    weft_status st = weft_plan_new(ctx, a->name, g, v->params, &plan);
    if (refused_as_undirected(a, g, st) || refused_by_gpu(a, v, g, st)) return;
    REQUIRE(st == WEFT_OK);
    int id = weft_plan_method_id(plan);
    if (id < 0 || (size_t)id >= a->method_count || strcmp(a->methods[id], weft_plan_method(plan)) != 0)
        HARNESS_FAIL("%s: the method '%s' is not among those of its descriptor", a->name, weft_plan_method(plan));
    weft_plan_free(plan);
}

/* A method has a number, which outlasts its words. */
TEST(methods_are_those_of_the_descriptor) {
    char none[256];
    weft_ctx *ctx = new_ctx(2, NULL);
    bool gpu = wfi_cuda_devices(none, sizeof none) > 0;
    for (int kind = 0; kind < 4; kind++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        p.n = 600;
        p.scale = 12;
        p.max_weight = kind % 2 ? 9 : 0;
        build.direction = kind < 2 ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        REQUIRE(weft_generate(ctx, kind ? "rmat" : "cyclic", &p, kind ? &build : NULL, &g) == WEFT_OK);
        for (size_t i = 0; i < weft_algorithm_count(); i++)
            for (int on_gpu = 0; on_gpu <= (gpu && weft_algorithm_at(i)->on_cuda); on_gpu++) {
                variants list = variants_of(weft_algorithm_at(i), g, true);
                weft_ctx_set_device(ctx, on_gpu ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
                for (size_t k = 0; k < list.count; k++)
                    if (!list.at[k].run && variant_fits(&list.at[k], g))
                        check_method(ctx, list.algorithm, &list.at[k], g);
                variants_free(&list);
            }
        weft_graph_free(g);
    }
    CHECK(weft_plan_method_id(NULL) == -1);
    weft_ctx_free(ctx);
}

TEST_MAIN()
