/* Results that a caller makes: an answer from elsewhere can be held to the library's verifiers. */
#include "support.h"
#include "weft_check.h"

static const weft_triangles_params standard = WEFT_TRIANGLES_DEFAULTS;

/* One triangle and a vertex apart. */
static weft_graph *small_graph(weft_ctx *ctx) {
    static const weft_vid from[] = {0, 1, 2}, to[] = {1, 2, 0};
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    build.direction = WEFT_UNDIRECTED;
    return weft_graph_from_edges(ctx, 4, 3, from, to, NULL, WEFT_WEIGHT_NONE, &build, &g) ? NULL : g;
}

static weft_status answer(weft_ctx *ctx, const uint64_t corners[4], weft_result **r) {
    weft_column column = {sizeof column, "triangles", WEFT_U64, WEFT_SHAPE_VERTICES, 4, corners, 0};
    weft_scalar total = {sizeof total, "triangles", WEFT_U64, {.u64 = 1}};
    weft_status st = weft_result_new(ctx, r);
    if (!st) st = weft_result_add_column(ctx, *r, &column);
    return st ? st : weft_result_add_scalar(ctx, *r, &total);
}

TEST(an_answer_from_elsewhere_is_verified_like_the_librarys) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = small_graph(ctx);
    REQUIRE(g);
    const uint64_t answers[2][4] = {{1, 1, 1, 0}, {1, 1, 0, 1}};
    for (int wrong = 0; wrong < 2; wrong++) {
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        weft_result *r = NULL;
        REQUIRE(!answer(ctx, answers[wrong], &r));
        CHECK(!weft_check(ctx, "triangles", g, &standard, r, &report));
        CHECK(report.passed == !wrong);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(values_are_copied_and_a_matrix_keeps_its_width) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_result *r = NULL;
    float cells[6] = {1, 2, 3, 4, 5, 6};
    weft_column matrix = {sizeof matrix, "f", WEFT_F32, WEFT_SHAPE_VERTICES, 2, cells, 3},
                none = {sizeof none, "none", WEFT_VERTEX, WEFT_SHAPE_TABLE, 0, NULL, 0};
    REQUIRE(!weft_result_new(ctx, &r));
    CHECK(!weft_result_add_column(ctx, r, &matrix));
    CHECK(!weft_result_add_column(ctx, r, &none));
    cells[5] = 0;
    const weft_column *back = weft_result_column(r, "f");
    REQUIRE(back);
    CHECK_U64(back->width, 3);
    CHECK(((const float *)back->data)[5] == 6);
    CHECK_U64(weft_result_column(r, "none")->length, 0);
    weft_result_free(r);
    weft_ctx_free(ctx);
}

TEST(too_many_columns_and_too_little_memory_are_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_result *r = NULL;
    uint64_t one = 1;
    weft_column column = {sizeof column, "x", WEFT_U64, WEFT_SHAPE_TABLE, 1, &one, 0};
    weft_status st = weft_result_new(ctx, &r);
    for (int i = 0; i < 100 && !st; i++) st = weft_result_add_column(ctx, r, &column);
    CHECK(st == WEFT_EINVAL);
    weft_result_free(r);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    CHECK(!weft_result_new(ctx, &r));
    CHECK(!weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + 1));
    CHECK(weft_result_add_column(ctx, r, &column) == WEFT_ENOMEM);
    CHECK_U64(weft_result_column_count(r), 0);
    weft_result_free(r);
    weft_ctx_free(ctx);
}

TEST_MAIN()
