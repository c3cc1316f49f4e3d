/* louvain: known answers, recorded labels, and results that the verifier refuses. */
#include "community_support.h"

TEST(small_graphs_have_known_answers) { check_by_eye("louvain"); }

TEST(vertices_without_arcs_are_alone) { check_without_arcs("louvain"); }

TEST(cliques_are_communities_within_the_resolution) { check_cliques("louvain"); }

TEST(wrong_parameters_and_weights_are_refused_by_name) { check_refusals("louvain"); }

TEST(weights_that_vanish_are_said) { check_vanishing("louvain"); }

static const record records[] = {
    {KARATE, PLAIN, 1, 2, 0, 0x51323c3b6be1c8a9},
    {KARATE, PLAIN, 1, 0, 3, 0x51323c3b6be1c8a9},
    {RMAT, PLAIN, 1, 2, 0, 0x5e32f8aa6cd66050},
    {RMAT, DIRECTED, 1, 2, 1, 0x1ff595f6562fb267},
    {RMAT, WEIGHTS, 1.5, 2, 0, 0x16390e7e5a39e308},
    {RMAT, DIRECTED | WEIGHTS, 1, 1, 0, 0x8f624935587a3270},
    {RMAT, CPM, 0.02, 2, 0, 0x74e11aa08543149e},
    {RMAT, CPM | DIRECTED | WEIGHTS, 0.5, 2, 0, 0x0125c0368fde0c11},
    {GRID, PLAIN, 1, 2, 0, 0xe922344f531e20c6},
    {BLOCKS, PLAIN, 1, 0, 0, 0x6ca6ccc1d599eddd},
    {BLOCKS, DIRECTED | WEIGHTS, 2, 2, 9, 0xf0606aec0f46bcba},
    {STAR, PLAIN, 1, 2, 0, 0x7beaa6004e2922df},
    {STAR, CPM, 0.05, 2, 0, 0x853d3184c79b6962},
    {RING, PLAIN, 1, 2, 0, 0x9e70e7ee81a2d5a2},
    {RING, CPM, 0.3, 2, 0, 0x4fb932a6b49ca28d},
    {LOOPS, PLAIN, 1, 2, 0, 0x948a679c722926f8},
    {LOOPS, DIRECTED, 1, 2, 0, 0x948a679c722926f8},
    {PLAIN_PAIRS, PLAIN, 1, 2, 0, 0x14156293f7a9f6c5},
};

TEST(labels_are_as_recorded_on_any_number_of_threads) { check_recorded("louvain", records, LENGTH(records)); }

TEST(levels_are_nested) { check_levels("louvain"); }

TEST(labels_to_begin_with_are_used) { check_initial("louvain"); }

TEST(the_verifier_refuses_what_was_tampered_with) {
    check_tampering("louvain");
    check_poor_partitions("louvain");
}

TEST(a_community_that_is_not_connected_is_said) {
    weft_check_report report;
    CHECK(accepts_parted("louvain", &report));
    CHECK_HAS(report.message, "1 community is not connected");
}

/* Each vertex alone, which weft_check refuses: six of them would gain 1/3 - 1/18 by joining a neighbour. */
TEST(a_partition_is_recounted_whether_or_not_it_could_gain) {
    on o = {"louvain", new_ctx(2, NULL), NULL, WEFT_LEIDEN_DEFAULTS};
    weft_graph *g = graph_of_lines(o.ctx, "0 1\n2 3\n4 5\n", PLAIN);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    o.g = g;
    weft_result *r = verified_run(&o, "three edges");
    REQUIRE(r);
    put_partition(r, "0 1 2 3 4 5", -6 / 36.0, 6, 1);
    CHECK(!weft_check_partition(o.ctx, g, &o.params, r, &report) && report.passed);
    CHECK_HAS(report.message, "single vertices that move would still gain 1.67");
    set_scalar(r, "modularity", -6 / 36.0 + 1e-11);
    CHECK(!weft_check_partition(o.ctx, g, &o.params, r, &report) && !report.passed);
    put_partition(r, "0 0 0 0 4 4", 1 - (16 + 4) / 36.0, 2, 4);
    CHECK(!weft_check_partition(o.ctx, g, &o.params, r, &report) && report.passed);
    CHECK_HAS(report.message, "1 community is not connected");
    put_partition(r, "0 0 1 1 4 4", 1 - (16 + 4) / 36.0, 2, 4);
    CHECK(!weft_check_partition(o.ctx, g, &o.params, r, &report) && !report.passed);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(o.ctx);
}

TEST(a_run_stops_on_request) { check_stopping("louvain"); }

TEST_MAIN()
