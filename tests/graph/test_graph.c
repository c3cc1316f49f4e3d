/* Building a graph from edges: tiny graphs whose answers are known by hand, and edges that must be refused. */
#include "tiny.h"

TEST(an_empty_graph_is_a_graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = build(ctx, 0, NULL, 0, NULL);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.vertices, 0);
    CHECK_U64(info.arcs, 0);
    CHECK_U64(info.isolated, 0);
    CHECK_NEAR(info.mean_degree, 0, 0);
    CHECK_NEAR(info.density, 0, 0);
    CHECK(!isnan(info.skew));
    weft_csr out = out_rows(g), in = {.size = sizeof in};
    REQUIRE(csr_fault(&out) == NULL);
    CHECK_U64(weft_graph_in(ctx, g, &in), WEFT_OK);
    CHECK(csr_fault(&in) == NULL);
    const weft_vid *order;
    CHECK_U64(weft_graph_degree_order(ctx, g, &order), WEFT_OK);
    uint64_t *value, *count;
    size_t length = 99;
    CHECK_U64(weft_graph_degree_distribution(ctx, g, 2, &value, &count, &length), WEFT_OK);
    CHECK_U64(length, 0);
    weft_free(ctx, value);
    weft_free(ctx, count);
    CHECK(!weft_graph_has_arc(g, 0, 0, NULL));
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(one_vertex_and_no_edges) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = build(ctx, 1, NULL, 0, NULL);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.vertices, 1);
    CHECK_U64(info.isolated, 1);
    CHECK_NEAR(info.density, 0, 0);
    CHECK(info.directed == 1);
    CHECK_TEXT(info.format, "memory");
    weft_graph_free(g);
    pair loop[] = {{0, 0}};
    g = build(ctx, 1, loop, 1, NULL);
    REQUIRE(g != NULL);
    info = info_of(ctx, g);
    CHECK_U64(info.self_loops, 1);
    CHECK_U64(info.edges, 1);
    CHECK_U64(info.arcs, 1);
    CHECK_U64(info.isolated, 0);
    weft_graph_free(g);
    CHECK_GRAPH(build(ctx, 3, NULL, 0, NULL), "directed none [0 1 2]");
    weft_ctx_free(ctx);
}

TEST(rows_are_sorted_whatever_the_order_of_edges) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{2, 1}, {0, 2}, {2, 0}, {0, 1}, {1, 0}};
    CHECK_GRAPH(build(ctx, 4, edges, LENGTH(edges), NULL), "directed none [0 1 2 3] 0>1 0>2 1>0 2>0 2>1");
    weft_ctx_free(ctx);
}

TEST(loops_are_kept_or_dropped_and_counted) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{1, 1}, {0, 1}, {2, 2}, {1, 1}};
    weft_build_params p = rules(WEFT_DIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    weft_graph *g = build(ctx, 3, edges, LENGTH(edges), &p);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.records, 4);
    CHECK_U64(info.self_loops, 2);
    CHECK_U64(info.self_loops_dropped, 0);
    CHECK_U64(info.duplicates_dropped, 1);
    CHECK_U64(info.edges, 3);
    CHECK_GRAPH(g, "directed none [0 1 2] 0>1 1>1 2>2");
    p.loops = WEFT_LOOPS_DROP;
    g = build(ctx, 3, edges, LENGTH(edges), &p);
    REQUIRE(g != NULL);
    info = info_of(ctx, g);
    CHECK_U64(info.records, 4);
    CHECK_U64(info.self_loops, 0);
    CHECK_U64(info.self_loops_dropped, 3);
    CHECK_U64(info.duplicates_dropped, 0);
    CHECK_U64(info.edges, 1);
    CHECK_U64(info.isolated, 1);
    CHECK_GRAPH(g, "directed none [0 1 2] 0>1");
    weft_ctx_free(ctx);
}

TEST(an_undirected_loop_is_one_edge_and_one_arc) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{0, 0}, {0, 1}};
    weft_build_params p = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    weft_graph *g = build(ctx, 2, edges, LENGTH(edges), &p);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.edges, 2);
    CHECK_U64(info.arcs, 3);
    CHECK_U64(info.self_loops, 1);
    CHECK_GRAPH(g, "undirected none [0 1] 0-0 0-1");
    weft_ctx_free(ctx);
}

TEST(duplicates_directed) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{0, 1}, {1, 0}, {0, 1}, {0, 1}};
    uint32_t w[] = {7, 9, 3, 5};
    weft_build_params p = rules(WEFT_DIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    weft_graph *g = build_weighted(ctx, 2, edges, LENGTH(edges), w, WEFT_WEIGHT_U32, &p);
    REQUIRE(g != NULL);
    CHECK_U64(info_of(ctx, g).duplicates_dropped, 2);
    CHECK_GRAPH(g, "directed u32 [0 1] 0>1:3 1>0:9");
    p.duplicates = WEFT_DUPLICATES_SUM;
    g = build_weighted(ctx, 2, edges, LENGTH(edges), w, WEFT_WEIGHT_U32, &p);
    REQUIRE(g != NULL);
    CHECK_U64(info_of(ctx, g).duplicates_dropped, 2);
    CHECK_GRAPH(g, "directed u32 [0 1] 0>1:15 1>0:9");
    p.duplicates = WEFT_DUPLICATES_KEEP;
    g = build(ctx, 2, edges, LENGTH(edges), &p);
    REQUIRE(g != NULL);
    CHECK_U64(info_of(ctx, g).duplicates_dropped, 0);
    CHECK_U64(info_of(ctx, g).edges, 4);
    CHECK_GRAPH(g, "directed none [0 1] 0>1 0>1 0>1 1>0");
    weft_ctx_free(ctx);
}

TEST(duplicates_undirected_in_either_direction) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{0, 1}, {1, 0}, {2, 1}, {2, 2}, {2, 2}};
    float w[] = {2.5f, 0.25f, 4, 1, -8};
    weft_build_params p = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    weft_graph *g = build_weighted(ctx, 3, edges, LENGTH(edges), w, WEFT_WEIGHT_F32, &p);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.records, 5);
    CHECK_U64(info.edges, 3);
    CHECK_U64(info.arcs, 5);
    CHECK_U64(info.duplicates_dropped, 2);
    CHECK_NEAR(info.min_weight, -8, 0);
    CHECK_NEAR(info.max_weight, 4, 0);
    CHECK_GRAPH(g, "undirected f32 [0 1 2] 0-1:0.25 1-2:4 2-2:-8");
    p.duplicates = WEFT_DUPLICATES_SUM;
    CHECK_GRAPH(build_weighted(ctx, 3, edges, LENGTH(edges), w, WEFT_WEIGHT_F32, &p),
                "undirected f32 [0 1 2] 0-1:2.75 1-2:4 2-2:-7");
    p.duplicates = WEFT_DUPLICATES_KEEP;
    g = build(ctx, 3, edges, LENGTH(edges), &p);
    REQUIRE(g != NULL);
    CHECK_U64(info_of(ctx, g).edges, 5);
    CHECK_U64(info_of(ctx, g).arcs, 8);
    CHECK_GRAPH(g, "undirected none [0 1 2] 0-1 0-1 1-2 2-2 2-2");
    weft_ctx_free(ctx);
}

/* Bits that a float does not hold; sums in the order of the list; what is beyond doubles is refused. */
TEST(doubles_stay_doubles) {
    weft_ctx *ctx = new_ctx(2, NULL);
    pair edges[] = {{0, 1}, {0, 1}, {1, 2}, {1, 2}};
    double w[] = {0.1, 0.2, 1e300, 5e-324};
    weft_build_params p = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_SUM, WEFT_LOOPS_KEEP);
    weft_graph *g = build_weighted(ctx, 3, edges, LENGTH(edges), w, WEFT_WEIGHT_F64, &p);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_F64);
    weft_csr rows = out_rows(g), in = {.size = sizeof in};
    const double *made = rows.weights;
    CHECK_NEAR(made[0], 0.1 + 0.2, 0);
    CHECK_NEAR(made[1], 0.1 + 0.2, 0);
    CHECK_NEAR(made[2], 1e300, 0);
    weft_graph_info info = info_of(ctx, g);
    CHECK_NEAR(info.min_weight, 0.1 + 0.2, 0);
    CHECK_NEAR(info.max_weight, 1e300, 0);
    weft_graph_free(g);

    p = rules(WEFT_DIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    g = build_weighted(ctx, 3, edges, LENGTH(edges), w, WEFT_WEIGHT_F64, &p);
    REQUIRE(g != NULL && weft_graph_in(ctx, g, &in) == WEFT_OK);
    CHECK_NEAR(((const double *)in.weights)[0], 0.1, 0);
    CHECK_NEAR(((const double *)in.weights)[1], 5e-324, 0);
    weft_graph_free(g);

    double huge[] = {1.7e308, 1.7e308, 0, 0}, nan[] = {0, 0, NAN, 0};
    p.duplicates = WEFT_DUPLICATES_SUM;
    weft_vid u[] = {0, 0, 1, 1}, v[] = {1, 1, 2, 2};
    CHECK_U64(weft_graph_from_edges(ctx, 3, 4, u, v, huge, WEFT_WEIGHT_F64, &p, &g), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "does not fit in 64 bits");
    CHECK_U64(weft_graph_from_edges(ctx, 3, 4, u, v, nan, WEFT_WEIGHT_F64, &p, &g), WEFT_EINVAL);
    CHECK_U64(weft_graph_from_edges(ctx, 3, 4, u, v, nan, (weft_weight_type)4, &p, &g), WEFT_EINVAL);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_sum_of_whole_weights_never_wraps) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{0, 1}, {0, 1}};
    uint32_t w[] = {UINT32_MAX, 2};
    weft_build_params p = rules(WEFT_DIRECTED, WEFT_DUPLICATES_SUM, WEFT_LOOPS_KEEP);
    weft_graph *g = build_weighted(ctx, 2, edges, LENGTH(edges), w, WEFT_WEIGHT_U32, &p);
    if (g)
        CHECK(info_of(ctx, g).max_weight >= (double)UINT32_MAX);
    else
        CHECK(weft_ctx_message(ctx)[0] != 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(wrong_edges_are_refused_by_name) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = (weft_graph *)ctx;
    weft_vid u[] = {0, 3}, v[] = {1, 0};
    CHECK_U64(weft_graph_from_edges(ctx, 3, 2, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g), WEFT_EINVAL);
    CHECK(g == NULL);
    CHECK_HAS(weft_ctx_message(ctx), "3");
    CHECK_U64(weft_graph_from_edges(ctx, 3, 2, v, u, NULL, WEFT_WEIGHT_NONE, NULL, &g), WEFT_EINVAL);
    CHECK_U64(weft_graph_from_edges(ctx, 0, 1, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g), WEFT_EINVAL);
    CHECK_U64(weft_graph_from_edges(ctx, (uint64_t)1 << 40, 0, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g), WEFT_EINVAL);
    CHECK_U64(weft_graph_from_edges(ctx, 4, 2, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &g), WEFT_EINVAL);
    float w[] = {1, NAN};
    CHECK_U64(weft_graph_from_edges(ctx, 4, 2, u, v, w, WEFT_WEIGHT_F32, NULL, &g), WEFT_EINVAL);
    CHECK(g == NULL);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(rules_that_do_not_exist_are_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_vid u[] = {0, 1}, v[] = {1, 0};
    weft_build_params wrong[] = {rules((weft_direction)17, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP),
                                 rules(WEFT_DIRECTED, (weft_duplicates)17, WEFT_LOOPS_KEEP),
                                 rules(WEFT_DIRECTED, WEFT_DUPLICATES_DROP, (weft_loops)17)};
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        weft_graph *g = NULL;
        CHECK_U64(weft_graph_from_edges(ctx, 2, 2, u, v, NULL, WEFT_WEIGHT_NONE, &wrong[i], &g), WEFT_EINVAL);
        CHECK(g == NULL);
        weft_graph_free(g);
    }
    weft_build_params small = WEFT_BUILD_DEFAULTS;
    small.size = 3;
    weft_graph *g = NULL;
    CHECK_U64(weft_graph_from_edges(ctx, 2, 2, u, v, NULL, WEFT_WEIGHT_NONE, &small, &g), WEFT_EINVAL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_type_of_weights_asks_for_weights) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{0, 1}};
    CHECK(!build_weighted(ctx, 2, edges, 1, NULL, WEFT_WEIGHT_U32, NULL));
    CHECK_HAS(weft_ctx_message(ctx), "weights is NULL");
    CHECK_GRAPH(build_weighted(ctx, 2, edges, 1, NULL, WEFT_WEIGHT_NONE, NULL), "directed none [0 1] 0>1");
    weft_ctx_free(ctx);
}

TEST_MAIN()
