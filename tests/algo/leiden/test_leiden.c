/* leiden: known answers, recorded labels, connected communities, and results that the verifier refuses. */
#include "community_support.h"

TEST(small_graphs_have_known_answers) { check_by_eye("leiden"); }

TEST(vertices_without_arcs_are_alone) { check_without_arcs("leiden"); }

TEST(cliques_are_communities_within_the_resolution) { check_cliques("leiden"); }

TEST(wrong_parameters_and_weights_are_refused_by_name) { check_refusals("leiden"); }

TEST(weights_that_vanish_are_said) { check_vanishing("leiden"); }

static const record records[] = {
    {KARATE, PLAIN, 1, 2, 0, 0x51323c3b6be1c8a9},
    {KARATE, PLAIN, 1, 0, 3, 0x51323c3b6be1c8a9},
    {RMAT, PLAIN, 1, 2, 0, 0x3dff145a4d460e8f},
    {RMAT, DIRECTED, 1, 2, 1, 0xcdefc542960592eb},
    {RMAT, WEIGHTS, 1.5, 2, 0, 0xf7a7d14f2e5b4b4b},
    {RMAT, DIRECTED | WEIGHTS, 1, 1, 0, 0xf7055dd97cf3ad1c},
    {RMAT, CPM, 0.02, 2, 0, 0x05a3fc0f613a615e},
    {RMAT, CPM | DIRECTED | WEIGHTS, 0.5, 2, 0, 0xe396852c9afc1463},
    {GRID, PLAIN, 1, 2, 0, 0x54e56d9d0300d91e},
    {BLOCKS, PLAIN, 1, 0, 0, 0x318685f74b5e6cd9},
    {BLOCKS, DIRECTED | WEIGHTS, 2, 2, 9, 0x59735d2f70d27569},
    {STAR, PLAIN, 1, 2, 0, 0x7beaa6004e2922df},
    {STAR, CPM, 0.05, 2, 0, 0x853d3184c79b6962},
    {RING, PLAIN, 1, 2, 0, 0x9e70e7ee81a2d5a2},
    {RING, CPM, 0.3, 2, 0, 0x4fb932a6b49ca28d},
    {LOOPS, PLAIN, 1, 2, 0, 0xd53c205fbd7e5196},
    {LOOPS, DIRECTED, 1, 2, 0, 0xd53c205fbd7e5196},
    {PLAIN_PAIRS, PLAIN, 1, 2, 0, 0x14156293f7a9f6c5},
};

TEST(labels_are_as_recorded_on_any_number_of_threads) { check_recorded("leiden", records, LENGTH(records)); }

TEST(levels_are_nested) { check_levels("leiden"); }

TEST(labels_to_begin_with_are_used) { check_initial("leiden"); }

TEST(the_verifier_refuses_what_was_tampered_with) {
    check_tampering("leiden");
    check_poor_partitions("leiden");
}

TEST(a_community_that_is_not_connected_is_refused) {
    weft_check_report report;
    CHECK(!accepts_parted("leiden", &report));
    CHECK_HAS(report.message, "not connected");
}

TEST(a_run_stops_on_request) { check_stopping("leiden"); }

TEST_MAIN()
