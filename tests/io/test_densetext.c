/* Dense 0/1 matrices as text: golden and bad files, labels, recognition, round trips. */
#include "format_support.h"

static const golden_file golden[] = {
    {"cyclic.dense", "directed none [0 1 2] 0>1 1>2 2>0", 3, NULL},
    {"acyclic.txt", "directed none [0 1 2] 0>1 0>2 1>2", 3, NULL},
    {"unseparated.txt", "directed none [0 1 2 3] 0>1 1>2 1>3 3>0", 4, NULL},
    {"mixed.dense", "directed none [0 1] 0>0 0>1 1>1", 3, NULL},
    {"crlf.dense", "directed none [0 1] 0>1 1>0", 2, NULL},
    {"one_vertex.txt", "directed none [0] 0>0", 1, NULL},
    {"empty.dense", "directed none []", 0, NULL},
};

static const bad_file bad[] = {
    {"nothing.dense", "1:1", "expected the number of vertices", 0},
    {"word.dense", "1:1", "found 'three'", 0},
    {"two_numbers.dense", "2:3", "the row has 1 number", 0},
    {"too_many_vertices.dense", "1:1", "2^32-2", 0},
    {"lying_size.dense", "2:5", "the row has 4 entries, expected 4000000000", 0},
    {"row_short.dense", "3:3", "the row has 2 entries, expected 3", 0},
    {"row_long.dense", "3:7", "more than 3 entries", 0},
    {"mark_two.dense", "3:2", "expected 0 or 1, found '2'", 0},
    {"rows_missing.dense", "4:1", "ends before the last row", 0},
    {"rows_missing_label.dense", "4:1", "the label comes before the last row", 0},
    {"rows_too_many.dense", "5:1", "more rows than the first line promises", 0},
    {"row_behind_label.dense", "5:1", "more rows than the first line promises", 0},
    {"label_unknown.dense", "4:1", "found 'cicla'", 0},
    {"label_twice.dense", "5:1", "a second label", 0},
    {"label_tail.dense", "4:9", "found 'yes'", 0},
    {"nul.dense", "3:2", "\\x00", 0},
};

TEST(golden_files) { check_golden_files("dense", golden, LENGTH(golden)); }

TEST(bad_files_are_refused_with_their_place) { check_bad_files("dense", bad, LENGTH(bad)); }

TEST(the_label_is_kept) {
    static const struct {
        const char *text;
        weft_label label;
    } texts[] = {{"2\n01\n10\nciclica\n", WEFT_LABEL_CYCLIC},
                 {"2\n01\n00\n\naciclica", WEFT_LABEL_ACYCLIC},
                 {"2\n0 1\n0 0\nACYCLIC\n", WEFT_LABEL_ACYCLIC},
                 {"2\n01\n00\n", WEFT_LABEL_NONE}};
    weft_ctx *ctx = new_ctx(1, NULL);
    for (size_t i = 0; i < LENGTH(texts); i++) {
        char folder[256], path[512];
        weft_read_params p = reading(NULL);
        weft_graph *g = read_text(ctx, texts[i].text, &p), *back = NULL;
        REQUIRE(g && make_temp(folder, sizeof folder));
        CHECK_TEXT(info_of(ctx, g).format, "dense");
        CHECK_U64(info_of(ctx, g).label, texts[i].label);
        snprintf(path, sizeof path, "%s/g.dense", folder);
        REQUIRE(!weft_write(ctx, g, path, NULL) && !weft_read(ctx, path, NULL, &back));
        CHECK_U64(info_of(ctx, back).label, texts[i].label);
        weft_graph_free(g);
        weft_graph_free(back);
        remove_temp(folder);
    }
    weft_ctx_free(ctx);
}

TEST(directed_graphs_come_back) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int tried = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        char what[256];
        weft_graph *g = small_random_graph(ctx, seed, what, sizeof what);
        weft_csr out = out_rows(g);
        bool parallel = false;
        for (weft_vid v = 0; v < out.vertices; v++)
            for (weft_eid e = out.offsets[v] + 1; e < out.offsets[v + 1]; e++)
                parallel = parallel || out.targets[e] == out.targets[e - 1];
        if (weft_graph_directed(g) && !weft_graph_weight_type(g) && !parallel) {
            check_round_trip(ctx, g, "g.dense", what);
            tried++;
        }
        weft_graph_free(g);
    }
    CHECK(tried > 10);
    weft_ctx_free(ctx);
}

TEST(parallel_edges_are_not_lost_in_silence) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_vid from[] = {0, 0, 0}, to[] = {1, 1, 1};
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = NULL;
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "dense";
    REQUIRE(!weft_graph_from_edges(ctx, 2, 3, from, to, NULL, WEFT_WEIGHT_NONE, &build, &g));
    CHECK(!weft_write(ctx, g, "/dev/null", &p));
    CHECK_HAS(w.text, "2 arcs are left out");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_matrix_that_nobody_wants_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "dense";
    REQUIRE(!weft_graph_from_edges(ctx, 20001, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &g));
    CHECK_U64(weft_write(ctx, g, "/dev/null", &p), WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "20000");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* About 3 MB: rows are numbered across blocks. */
TEST(rows_are_numbered_across_blocks) {
    enum { N = 1200, M = 30000 };
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_vid from[M], to[M];
    for (uint64_t i = 0; i < M; i++) {
        from[i] = (weft_vid)(random_at(9, 2 * i) % N);
        to[i] = (weft_vid)(random_at(9, 2 * i + 1) % N);
    }
    weft_graph *g = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, N, M, from, to, NULL, WEFT_WEIGHT_NONE, NULL, &g));
    check_round_trip(ctx, g, "g.dense", "many rows");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
