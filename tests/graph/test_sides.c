/* Sides that a program gives a graph: kept beside attributes, weights and columns of edges, or refused by name. */
#include "tiny.h"
#include "weft/experimental.h"

static const pair square[] = {{0, 1}, {2, 1}, {2, 3}, {0, 3}};
static const uint8_t two[] = {0, 1, 0, 1};

static weft_status give(weft_ctx *ctx, const uint8_t *side, const char *first, const char *second, weft_graph **out) {
    weft_graph *g = build(ctx, 4, square, 4, NULL);
    if (!g) return WEFT_ENOMEM;
    weft_status st = weft_graph_with_sides(ctx, g, first, second, side, out);
    weft_graph_free(g);
    return st;
}

TEST(sides_are_those_that_are_given) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g, *other;
    const char *name[2];
    REQUIRE(give(ctx, two, "user", "item", &g) == WEFT_OK);
    CHECK(weft_graph_sides(g, &name[0], &name[1]) && !strcmp(name[0], "user") && !strcmp(name[1], "item"));
    for (weft_vid v = 0; v < 4; v++) CHECK_U64((uint64_t)weft_graph_side(g, v), two[v]);
    static const uint8_t turned[] = {1, 0, 1, 0};
    CHECK_U64(weft_graph_with_sides(ctx, g, NULL, NULL, turned, &other), WEFT_OK);
    CHECK(weft_graph_sides(other, &name[0], &name[1]) && !strcmp(name[0], "0") && !strcmp(name[1], "1"));
    CHECK_U64((uint64_t)weft_graph_side(other, 0), 1);
    weft_graph_free(g);
    CHECK_GRAPH(other, "directed none [0 1 2 3] 0>1 0>3 2>1 2>3");
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(attributes_and_columns_of_edges_stay) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g, *with, *columns, *weighted;
    const int64_t age[] = {31, 7, 9, 4};
    weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
    const weft_attribute *const list[] = {&a};
    a.name = "age";
    a.count = 4;
    a.values = age;
    REQUIRE(give(ctx, two, NULL, NULL, &g) == WEFT_OK);
    REQUIRE(weft_graph_with_attributes(ctx, g, list, 1, &with) == WEFT_OK);
    REQUIRE(weft_graph_with_edge_columns(ctx, with, list, 1, &columns) == WEFT_OK);
    CHECK_U64(weft_graph_weighted_by(ctx, columns, "age", &weighted), WEFT_OK);
    weft_graph_free(g);
    CHECK_U64(weft_graph_with_sides(ctx, weighted, "a", "b", two, &g), WEFT_OK);
    const weft_graph *all[] = {with, columns, weighted, g};
    for (int i = 0; i < 4; i++) {
        CHECK(weft_graph_sides(all[i], NULL, NULL));
        CHECK_U64(weft_graph_attributes(all[i]), 1);
        CHECK_U64(weft_graph_edge_columns(all[i]), i > 0);
    }
    CHECK(info_of(ctx, g).weight_type == WEFT_WEIGHT_U32);
    weft_graph_free(with);
    weft_graph_free(columns);
    weft_graph_free(weighted);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(an_edge_within_a_side_is_named) {
    weft_ctx *ctx = new_ctx(1, NULL);
    static const uint8_t within[] = {0, 1, 0, 0}, third[] = {0, 1, 2, 1};
    weft_graph *g;
    CHECK_U64(give(ctx, within, "user", "item", &g), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "sides: an edge joins 0 and 3, which are both on side 'user'");
    CHECK_U64(give(ctx, third, NULL, NULL, &g), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "sides: entry 2 is 2, not 0 or 1");
    CHECK_U64(give(ctx, two, "a", "a", &g), WEFT_EINVAL);
    CHECK_U64(give(ctx, two, "", "a", &g), WEFT_EINVAL);
    CHECK_U64(give(ctx, NULL, NULL, NULL, &g), WEFT_EINVAL);
    CHECK(!g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_graph_without_vertices_has_sides) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = build(ctx, 0, NULL, 0, NULL), *with = NULL;
    CHECK_U64(weft_graph_with_sides(ctx, g, "a", "b", NULL, &with), WEFT_OK);
    CHECK(weft_graph_sides(with, NULL, NULL));
    weft_graph_free(g);
    weft_graph_free(with);
    weft_ctx_free(ctx);
}

TEST(every_allocation_may_fail) {
    uint64_t calls = 1;
    for (uint64_t allowed = 0; allowed < calls; allowed++) {
        counting heap = {.allowed = allowed ? allowed - 1 : COUNT_ONLY};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
        CHECK_U64(give(ctx, two, "user", "item", &g), allowed ? WEFT_ENOMEM : WEFT_OK);
        if (!allowed) calls = heap.calls + 1;
        weft_graph_free(g);
        weft_ctx_free(ctx);
        CHECK_U64(heap.live_blocks, 0);
    }
    CHECK(calls > 10);
}

TEST_MAIN()
