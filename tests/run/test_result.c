/* Results that a caller makes: an answer from elsewhere can be held to the library's verifiers. */
#include "support.h"

#include "weft/check.h"
#include "weft/triangles.h"
#include <math.h>

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

TEST(the_first_by_a_column_come_with_ties_in_order_and_the_unreached_last) {
    static const uint32_t level[] = {3, WEFT_UNREACHED, 1, 3, 0};
    static const double distance[] = {1, (double)INFINITY, (double)NAN, -2, 1};
    static const uint16_t none = 0;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_vid out[5];
    size_t count = 7;
    weft_column c = {sizeof c, "level", WEFT_U32, WEFT_SHAPE_VERTICES, 5, level, 0};
    CHECK_U64(weft_top_k(ctx, &c, 0, WEFT_LARGEST_FIRST, 3, out, &count), WEFT_OK);
    CHECK(count == 3 && out[0] == 0 && out[1] == 3 && out[2] == 2);
    CHECK_U64(weft_top_k(ctx, &c, 0, WEFT_SMALLEST_FIRST, 9, out, &count), WEFT_OK);
    CHECK(count == 5 && out[0] == 4 && out[1] == 2 && out[2] == 0 && out[3] == 3 && out[4] == 1);
    c = (weft_column){sizeof c, "distance", WEFT_F64, WEFT_SHAPE_VERTICES, 5, distance, 0};
    CHECK_U64(weft_top_k(ctx, &c, 0, WEFT_LARGEST_FIRST, 5, out, &count), WEFT_OK);
    CHECK(count == 5 && out[0] == 0 && out[1] == 4 && out[2] == 3 && out[3] == 1 && out[4] == 2);
    c.width = 5;
    c.length = 1;
    CHECK_U64(weft_top_k(ctx, &c, 5, WEFT_LARGEST_FIRST, 1, out, &count), WEFT_EINVAL);
    CHECK_U64(count, 0);
    c = (weft_column){sizeof c, "none", WEFT_F16, WEFT_SHAPE_TABLE, 0, &none, 0};
    CHECK_U64(weft_top_k(ctx, &c, 0, WEFT_LARGEST_FIRST, 5, out, &count), WEFT_OK);
    CHECK_U64(count, 0);
    weft_ctx_free(ctx);
}

TEST(the_first_of_many_rows_are_the_same_for_any_number_of_threads) {
    enum { ROWS = 700000 };
    static uint32_t level[ROWS];
    static weft_vid one[ROWS], many[ROWS];
    weft_column c = {sizeof c, "level", WEFT_U32, WEFT_SHAPE_VERTICES, ROWS, level, 0};
    for (uint32_t v = 0; v < ROWS; v++) level[v] = v % 1013 == 5 ? WEFT_UNREACHED : v * 2654435761u % 5000;
    weft_ctx *alone = new_ctx(1, NULL), *team = new_ctx(7, NULL);
    for (size_t k = 1; k <= ROWS; k = k * 90 + 7) {
        size_t a, b;
        CHECK_U64(weft_top_k(alone, &c, 0, WEFT_LARGEST_FIRST, k, one, &a), WEFT_OK);
        CHECK_U64(weft_top_k(team, &c, 0, WEFT_LARGEST_FIRST, k, many, &b), WEFT_OK);
        CHECK(a == k && b == k && !memcmp(one, many, k * sizeof *one));
        for (size_t i = 1; i < k; i++) {
            uint32_t before = level[one[i - 1]], now = level[one[i]];
            CHECK(now == WEFT_UNREACHED || before > now || (before == now && one[i - 1] < one[i]));
        }
    }
    weft_ctx_free(alone);
    weft_ctx_free(team);
}

TEST(groups_come_by_size_and_then_by_vertex) {
    static const weft_vid of[] = {4, 2, 2, WEFT_NO_VERTEX, 4, 0, 7};
    static const weft_vid groups[] = {2, 4, 0, 7};
    static const uint64_t sizes[] = {2, 2, 1, 1};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_vid *group;
    uint64_t *size;
    size_t count = 9;
    weft_column c = {sizeof c, "component", WEFT_VERTEX, WEFT_SHAPE_VERTICES, 7, of, 0};
    CHECK_U64(weft_group_sizes(ctx, &c, &group, &size, &count), WEFT_OK);
    CHECK_U64(count, 4);
    CHECK(!memcmp(group, groups, sizeof groups) && !memcmp(size, sizes, sizeof sizes));
    weft_free(ctx, group);
    weft_free(ctx, size);
    c.length = 0;
    CHECK_U64(weft_group_sizes(ctx, &c, &group, &size, &count), WEFT_OK);
    CHECK_U64(count, 0);
    weft_free(ctx, group);
    weft_free(ctx, size);
    c.type = WEFT_U32;
    CHECK_U64(weft_group_sizes(ctx, &c, &group, &size, &count), WEFT_EINVAL);
    CHECK(!group && !size);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_digest_sees_every_byte) {
    weft_ctx *ctx = new_ctx(1, NULL);
    uint64_t digest[3];
    for (int i = 0; i < 3; i++) {
        uint16_t values[] = {1, 2, (uint16_t)(i == 2 ? 4 : 3)};
        weft_result *r = NULL;
        weft_column c = {sizeof c, "x", WEFT_BF16, WEFT_SHAPE_TABLE, 3, values, 0};
        REQUIRE(!weft_result_new(ctx, &r) && !weft_result_add_column(ctx, r, &c));
        CHECK_U64(weft_result_digest(ctx, r, &digest[i]), WEFT_OK);
        weft_result_free(r);
    }
    CHECK(digest[0] == digest[1] && digest[1] != digest[2]);
    CHECK(weft_type_size(WEFT_BF16) == 2 && weft_type_size(WEFT_VERTEX) == 4 && weft_type_size((weft_type)99) == 0);
    weft_ctx_free(ctx);
}

TEST_MAIN()
