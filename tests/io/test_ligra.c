/* Ligra's adjacency graphs: golden files, bad files with the place of their fault, and a file of many blocks. */
#include "format_support.h"

static const golden_file golden[] = {
    {"plain.adj", "directed none [0 1 2] 0>1 0>2 1>2 2>0", 4, NULL},
    {"one_line.ligra", "directed none [0 1 2] 1>0 1>2", 2, NULL},
    {"weighted.ligra", "directed u32 [0 1 2] 0>1:8 0>2:7 2>0:4.2949673e+09", 3, NULL},
    {"negative_weights.ligra", "directed f32 [0 1] 0>1:-3 1>0:4", 2, NULL},
    {"real_weights.ligra", "directed f32 [0 1] 0>1:0.5 1>0:4", 2, NULL},
    {"no_edges.ligra", "directed none [0 1]", 0, NULL},
    {"empty.ligra", "directed none []", 0, NULL},
};

static const bad_file bad[] = {
    {"nothing.ligra", "1:1", "expected AdjacencyGraph", 0},
    {"hypergraph.ligra", "1:1", "found 'AdjacencyHypergraph'", 0},
    {"only_the_word.ligra", "3:1", "expected the numbers of vertices and of edges", 0},
    {"too_few_numbers.ligra", "10:1", "take 9 numbers, but the file has 8", 0},
    {"too_many_numbers.ligra", "7:1", "take 5 numbers, but the file has 6", 0},
    {"weights_missing.ligra", "7:1", "take 6 numbers, but the file has 5", 0},
    {"lying_vertices.ligra", "5:1", "4000000000 vertices", 0},
    {"lying_edges.ligra", "5:1", "18446744073709551615 edges", 0},
    {"too_many_vertices.ligra", "2:1", "more than the 2^32-2 allowed", 0},
    {"offset_first.ligra", "4:1", "the first row begins at 1, expected 0", 0},
    {"offset_falls.ligra", "6:1", "row 2 begins at 1, expected 2 to 2", 0},
    {"offset_beyond.ligra", "5:1", "row 1 begins at 2, expected 0 to 1", 0},
    {"target_beyond.ligra", "7:1", "not one of the vertices 0 to 1", 0},
    {"target_negative.ligra", "6:1", "found '-1'", 0},
    {"target_real_in_weighted.ligra", "6:1", "a whole number that is not negative", 0},
    {"number_2_64.ligra", "5:1", "does not fit in 64 bits", 0},
    {"word.ligra", "5:3", "found '1x'", 0},
    {"weight_nan.ligra", "6:1", "`weights=ignore`", 0},
    {"nul.ligra", "6:1", "\\x00", 0},
};

TEST(golden_files) { check_golden_files("ligra", golden, LENGTH(golden)); }

TEST(bad_files_are_refused_with_their_place) { check_bad_files("ligra", bad, LENGTH(bad)); }

TEST(the_caller_may_choose_direction_and_weights) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char text[256];
    weft_read_params p = reading(NULL);
    p.direction = WEFT_UNDIRECTED;
    p.weights = WEFT_WEIGHTS_IGNORE;
    weft_graph *g = read_text(ctx, "WeightedAdjacencyGraph 2 2 0 1 1 0 nan ?", &p);
    REQUIRE(g);
    CHECK_TEXT(graph_text(g, text, sizeof text), "undirected none [0 1] 0-1");
    weft_graph_free(g);
    p = reading("ligra");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(ctx, "AdjacencyGraph 1 0 0", &p));
    CHECK_HAS(weft_ctx_message(ctx), "no weights");
    weft_ctx_free(ctx);
}

/* Rows, targets and weights that lie in several blocks of text, one of them with numbers beyond 32 bits. */
TEST(the_lists_may_cross_blocks) {
    enum { N = 100000, DEGREE = 3 };
    char *text = malloc((size_t)N * (1 + 2 * DEGREE) * 20 + 64);
    REQUIRE(text);
    size_t used = (size_t)sprintf(text, "WeightedAdjacencyGraph\n%d\n%d\n", N, N * DEGREE);
    for (int v = 0; v < N; v++) used += (size_t)sprintf(text + used, "%d\n", v * DEGREE);
    for (uint64_t e = 0; e < N * DEGREE; e++) used += (size_t)sprintf(text + used, "%d\n", (int)((e * 77) % N));
    for (uint64_t e = 0; e < N * DEGREE; e++)
        used += (size_t)sprintf(text + used, e == 5 ? "%d000000000000\n" : "%d\n", (int)(e % 1000));
    weft_read_params p = reading(NULL);
    p.duplicates = WEFT_DUPLICATES_KEEP;
    uint64_t print[2];
    for (int i = 0; i < 2; i++) {
        weft_ctx *ctx = new_ctx(i ? 3 : 1, NULL);
        weft_graph *g = NULL;
        REQUIRE(!weft_read_memory(ctx, text, used, "made", &p, &g));
        CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_F32);
        weft_csr out = out_rows(g);
        for (uint64_t e = 6; e < N * DEGREE; e += 1009) { /* every row holds its own three targets */
            weft_vid u = (weft_vid)(e / DEGREE), v = (weft_vid)((e * 77) % N);
            weft_eid at;
            if (!weft_graph_has_arc(g, u, v, &at) || weight_at(g, &out, at) != (double)(e % 1000)) {
                HARNESS_FAIL("arc %" PRIu64 ", %u to %u, is missing or has another weight", e, u, v);
                break;
            }
        }
        print[i] = fingerprint_of(ctx, g);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    CHECK_U64(print[0], print[1]);
    free(text);
}

TEST_MAIN()
