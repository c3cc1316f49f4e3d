/* bipartite: graphs whose sides and odd cycles one sees; the verifier refuses what is wrong. */
#include "order_support.h"

#include "weft/experimental.h"

static void expect(const char *edges, uint64_t n, weft_direction direction, const char *side, const char *cycle) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char text[512];
    weft_graph *g = arcs_of(ctx, n, edges, direction, WEFT_DUPLICATES_KEEP);
    weft_result *r = verified_run(ctx, "bipartite", g, NULL);
    REQUIRE(r);
    CHECK_TEXT(column_text(r, "side", text, sizeof text), side);
    CHECK_TEXT(column_text(r, "cycle", text, sizeof text), cycle);
    CHECK_U64(scalar_of(r, "bipartite"), !*cycle);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_smallest_vertex_of_each_component_is_on_the_first_side) {
    expect("", 0, WEFT_UNDIRECTED, "", "");
    expect("", 2, WEFT_DIRECTED, "0 0", "");
    expect("1>0 2>1 4>3", 5, WEFT_DIRECTED, "0 1 0 0 1", "");
    expect("0>1 1>2 2>3 3>0", 4, WEFT_UNDIRECTED, "0 1 0 1", "");
    expect("0>1 0>1 1>0", 2, WEFT_DIRECTED, "0 1", "");
}

TEST(an_odd_cycle_is_shown_from_its_smallest_vertex_on) {
    expect("0>0", 1, WEFT_UNDIRECTED, "-", "0");
    expect("2>1 1>0 0>2", 3, WEFT_DIRECTED, "- - -", "0 1 2");
    /* The triangle 2 3 4 hangs on a path; the square beside it is bipartite. */
    expect("0>1 1>2 2>3 3>4 4>2 5>6 6>7 7>8 8>5", 9, WEFT_UNDIRECTED, "- - - - - 0 1 0 1", "2 3 4");
    expect("4>1 1>3 3>0 0>2 2>4", 5, WEFT_UNDIRECTED, "- - - - -", "0 2 4 1 3");
    /* Of two triangles at the same depth that of the smaller edge; of one nearer to 0 that one. */
    expect("0>1 0>2 0>3 0>4 1>2 3>4", 5, WEFT_UNDIRECTED, "- - - - -", "0 1 2");
    expect("0>5 5>6 5>7 6>7 0>1 0>2 1>2", 8, WEFT_UNDIRECTED, "- - - 0 0 - - -", "0 1 2");
    /* The first component that has one. */
    expect("0>1 2>3 3>4 4>2 5>5", 6, WEFT_UNDIRECTED, "0 1 - - - -", "2 3 4");
}

TEST(long_rings) {
    for (uint64_t n = 99999; n <= 100000; n++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params made = WEFT_GENERATE_DEFAULTS;
        weft_graph *g = NULL;
        made.n = n;
        REQUIRE(!weft_generate(ctx, "cycle", &made, NULL, &g));
        weft_result *r = verified_run(ctx, "bipartite", g, NULL);
        REQUIRE(r);
        CHECK_U64(scalar_of(r, "bipartite"), n % 2 == 0);
        CHECK_U64(weft_result_column(r, "cycle")->length, n % 2 ? n : 0);
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(a_graph_that_has_sides_keeps_them) {
    static const char table[] = "user,item\n9,1\n9,2\n8,2\n";
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL;
    char text[64];
    p.sides = 1;
    p.direction = WEFT_UNDIRECTED;
    REQUIRE(!weft_read_memory(ctx, table, sizeof table - 1, "bought.csv", &p, &g));
    weft_result *r = verified_run(ctx, "bipartite", g, NULL);
    REQUIRE(r);
    CHECK_TEXT(column_text(r, "side", text, sizeof text), "1 1 0 0");
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, 6, "0>1 1>2 2>0 3>4 4>5", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_result *r = verified_run(ctx, "bipartite", g, NULL);
    REQUIRE(r);
    uint32_t *side = writable_u32(r, "side");
    static const struct {
        weft_vid v;
        uint32_t side;
    } slips[] = {{0, 0}, {3, 1}, {4, 0}, {5, 2}, {5, WEFT_UNREACHED}};
    for (size_t i = 0; i < LENGTH(slips); i++) {
        uint32_t was = side[slips[i].v];
        side[slips[i].v] = slips[i].side;
        CHECK(refused(ctx, "bipartite", g, NULL, r));
        side[slips[i].v] = was;
    }
    for (int i = 0; i < 3; i++) side[3 + i] ^= 1; /* sides that cross, but the smallest vertex is on the second */
    CHECK(refused(ctx, "bipartite", g, NULL, r));
    for (int i = 0; i < 3; i++) side[3 + i] ^= 1;
    uint32_t *cycle = writable_u32(r, "cycle");
    cycle[2] = 3;
    CHECK(refused(ctx, "bipartite", g, NULL, r));
    cycle[2] = 2;
    weft_scalar *first = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "first");
    first->value.u64++;
    CHECK(refused(ctx, "bipartite", g, NULL, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
