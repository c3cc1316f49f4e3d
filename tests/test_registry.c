/* Every registered algorithm has its verifier, its test, its page and a complete descriptor; every format and
 * generator says what it is. */
#include "check.h"
#include "harness.h"
#include "weft.h"

#include <unistd.h>

static bool exists(const char *pattern, const char *name) {
    char path[512];
    const char *root = getenv("WEFT_SOURCE_DIR");
    int used = snprintf(path, sizeof path, "%s/", root ? root : ".");
    snprintf(path + used, sizeof path - (size_t)used, pattern, name);
    return access(path, R_OK) == 0;
}

TEST(every_algorithm_has_verifier_test_and_page) {
    CHECK(weft_algorithm_count() > 0);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        if (!weft_check_find(a->name)) HARNESS_FAIL("%s has no verifier in check/", a->name);
        if (!exists("tests/test_%s.c", a->name)) HARNESS_FAIL("%s has no tests/test_%s.c", a->name, a->name);
        if (!exists("docs/algo/%s.md", a->name)) HARNESS_FAIL("%s has no docs/algo/%s.md", a->name, a->name);
    }
}

TEST(every_descriptor_is_complete) {
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        CHECK(weft_algorithm_find(a->name) == a);
        CHECK(a->help && a->help[0] && a->params_standard && a->result_count && (a->on_cpu || a->on_cuda));
        CHECK(a->top_by && a->top_by[0]);
        size_t size;
        memcpy(&size, a->params_standard, sizeof size);
        CHECK_U64(size, a->params_size);
        for (size_t p = 0; p < a->param_count; p++) {
            CHECK(a->params[p].name && a->params[p].help);
            CHECK(a->params[p].offset + sizeof(int) <= a->params_size);
        }
    }
}

/* The karate club, or for algorithms of directed graphs only the same with each edge taken one way. */
static weft_status plan_for_karate(weft_ctx *ctx, const weft_algorithm_info *a, weft_graph *const g[2],
                                   weft_plan **plan) {
    weft_status st = weft_plan_new(ctx, a->name, g[0], NULL, plan);
    return st == WEFT_EINVAL && strstr(weft_ctx_message(ctx), "directed graph")
               ? weft_plan_new(ctx, a->name, g[1], NULL, plan)
               : st;
}

/* What the descriptor promises is what a run gives. */
TEST(results_are_as_described) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g[2] = {NULL, NULL};
    weft_build_params one_way = WEFT_BUILD_DEFAULTS;
    one_way.direction = WEFT_DIRECTED;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g[0]) == WEFT_OK);
    REQUIRE(weft_generate(ctx, "karate", NULL, &one_way, &g[1]) == WEFT_OK);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(plan_for_karate(ctx, a, g, &plan) == WEFT_OK);
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        CHECK_U64(weft_result_column_count(r) + weft_result_scalar_count(r), a->result_count);
        for (size_t k = 0; k < a->result_count; k++) {
            const weft_result_info *info = &a->results[k];
            const weft_column *column = weft_result_column(r, info->name);
            const weft_scalar *scalar = weft_result_scalar(r, info->name);
            if (info->per_vertex) {
                REQUIRE(column);
                CHECK(column->type == info->type && column->per_vertex == info->per_vertex);
                if (info->per_vertex == 1) CHECK_U64(column->length, weft_graph_vertices(g[0]));
            } else {
                REQUIRE(scalar);
                CHECK(scalar->type == info->type);
            }
        }
        weft_result_free(r);
        weft_plan_free(plan);
    }
    for (int i = 0; i < 2; i++) weft_graph_free(g[i]);
    weft_ctx_free(ctx);
}

TEST(formats_and_generators_introduce_themselves) {
    CHECK(weft_format_count() >= 14);
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        CHECK(f->name[0] && f->title[0] && (f->can_read || f->can_write));
    }
    CHECK(weft_format_at(weft_format_count()) == NULL);
    CHECK(weft_generator_count() >= 14);
    for (size_t i = 0; i < weft_generator_count(); i++) {
        const weft_generator_info *k = weft_generator_at(i);
        CHECK(k->name[0] && k->help[0]);
        for (size_t p = 0; p < k->param_count; p++) CHECK(k->params[p].offset < sizeof(weft_generate_params));
    }
}

TEST_MAIN()
