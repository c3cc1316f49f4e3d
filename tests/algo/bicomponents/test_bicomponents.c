/* bicomponents: graphs that one sees through, deep ones and a hub; the verifier refuses what is wrong. */
#include "order_support.h"
#include "weft/bicomponents.h"

static weft_result *run_of(weft_ctx *ctx, const weft_graph *g, int tree) {
    weft_bicomponents_params p = WEFT_BICOMPONENTS_DEFAULTS;
    p.edges = p.tree = tree;
    return verified_run(ctx, "bicomponents", g, &p);
}

typedef struct wanted {
    const char *components, *group, *component, *bridge, *tree_component, *tree_point;
    uint64_t count, points, bridges, groups;
} wanted;

static void expect(const char *edges, uint64_t n, weft_direction direction, wanted want) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char text[1024];
    weft_graph *g = arcs_of(ctx, n, edges, direction, WEFT_DUPLICATES_KEEP);
    weft_result *r = run_of(ctx, g, 1);
    REQUIRE(r);
    CHECK_TEXT(column_text(r, "components", text, sizeof text), want.components);
    CHECK_TEXT(column_text(r, "group", text, sizeof text), want.group);
    CHECK_TEXT(column_text(r, "component", text, sizeof text), want.component);
    CHECK_TEXT(column_text(r, "bridge", text, sizeof text), want.bridge);
    CHECK_TEXT(column_text(r, "tree_component", text, sizeof text), want.tree_component);
    CHECK_TEXT(column_text(r, "tree_point", text, sizeof text), want.tree_point);
    CHECK_U64(scalar_of(r, "components"), want.count);
    CHECK_U64(scalar_of(r, "points"), want.points);
    CHECK_U64(scalar_of(r, "bridges"), want.bridges);
    CHECK_U64(scalar_of(r, "groups"), want.groups);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(small_graphs_have_the_components_one_sees) {
    expect("", 0, WEFT_UNDIRECTED, (wanted){"", "", "", "", "", "", 0, 0, 0, 0});
    expect("", 2, WEFT_UNDIRECTED, (wanted){"0 0", "0 1", "", "", "", "", 0, 0, 0, 2});
    expect("0>1", 2, WEFT_UNDIRECTED, (wanted){"1 1", "0 1", "1", "1", "", "", 1, 0, 1, 2});
    expect("0>1 1>2 2>0", 3, WEFT_UNDIRECTED, (wanted){"1 1 1", "0 0 0", "1 1 1", "0 0 0", "", "", 1, 0, 0, 1});
    /* Two triangles with a common vertex, and one that hangs on them. */
    expect("0>1 0>2 1>2 2>3 2>4 3>4 4>5", 6, WEFT_UNDIRECTED,
           (wanted){"1 1 2 1 2 1", "0 0 0 0 0 5", "1 1 1 2 2 2 3", "0 0 0 0 0 0 1", "1 2 2 3", "2 2 4 4", 3, 2, 1, 2});
    /* A path: all but the ends are articulation points. */
    expect("0>1 1>2 2>3", 4, WEFT_UNDIRECTED,
           (wanted){"1 2 2 1", "0 1 2 3", "1 2 3", "1 1 1", "1 2 2 3", "1 1 2 2", 3, 2, 3, 4});
}

TEST(parallel_edges_are_a_cycle_and_loops_are_nothing) {
    wanted twice = {"1 1", "0 0", "1 1", "0 0", "", "", 1, 0, 0, 1};
    expect("0>1 0>1", 2, WEFT_UNDIRECTED, twice);
    expect("0>1 1>0", 2, WEFT_DIRECTED, twice);
    expect("0>0 0>1", 2, WEFT_UNDIRECTED, (wanted){"1 1", "0 1", "0 1", "0 1", "", "", 1, 0, 1, 2});
    expect("1>0 2>1 0>2", 3, WEFT_DIRECTED, (wanted){"1 1 1", "0 0 0", "1 1 1", "0 0 0", "", "", 1, 0, 0, 1});
}

static void expect_generated(const char *kind, uint64_t n, uint64_t count, uint64_t points, uint64_t bridges) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params made = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    made.n = n;
    REQUIRE(!weft_generate(ctx, kind, &made, NULL, &g));
    weft_result *r = run_of(ctx, g, 0);
    REQUIRE(r);
    CHECK_U64(scalar_of(r, "components"), count);
    CHECK_U64(scalar_of(r, "points"), points);
    CHECK_U64(scalar_of(r, "bridges"), bridges);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_long_path_a_ring_and_a_hub) {
    expect_generated("path", 200000, 199999, 199998, 199999);
    expect_generated("cycle", 100000, 1, 0, 0);
    expect_generated("star", 300001, 300000, 1, 300000);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, 6, "0>1 0>2 1>2 2>3 2>4 3>4 4>5", WEFT_UNDIRECTED, WEFT_DUPLICATES_KEEP);
    weft_bicomponents_params p = WEFT_BICOMPONENTS_DEFAULTS;
    p.tree = 1;
    static const char *const columns[] = {"components", "group", "component", "bridge", "tree_component", "tree_point"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        weft_result *r = verified_run(ctx, "bicomponents", g, &p);
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        REQUIRE(r);
        ((uint32_t *)(uintptr_t)weft_result_column(r, columns[i])->data)[0] ^= 1;
        REQUIRE(weft_check(ctx, "bicomponents", g, &p, r, &report) == WEFT_OK);
        CHECK(!report.passed);
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
