/* CSR as text: golden and bad files, labels, recognition, round trips. */
#include "format_support.h"

static const golden_file golden[] = {
    {"cyclic.csr", "directed none [0 1 2] 0>1 1>2 2>0", 3, NULL},
    {"acyclic.txt", "directed none [0 1 2] 0>1 0>2 1>2", 3, NULL},
    {"no_label.txt", "directed none [0 1 2] 0>2 2>0", 2, "if it is an edge list: `format=edgelist`"},
    {"english.csr", "directed none [0 1] 0>1", 1, NULL},
    {"wrapped.csr", "directed none [0 1 2 3] 0>1 1>2 3>0", 3, NULL},
    {"crlf.csr", "directed none [0 1 2] 0>2 2>0", 2, NULL},
    {"no_edges.csr", "directed none [0 1]", 0, NULL},
    {"no_edges_no_line.csr", "directed none [0 1]", 0, NULL},
    {"empty.csr", "directed none []", 0, NULL},
    {"duplicates.csr", "directed none [0 1] 0>0 0>1", 3, NULL},
};

static const bad_file bad[] = {
    {"nothing.csr", "1:1", "expected the numbers of vertices and of edges", 0},
    {"one_number.csr", "2:1", "expected the numbers of vertices and of edges", 0},
    {"lying_vertices.csr", "4:1", "4000000000 vertices and 1 edges take 4000000004 numbers", 0},
    {"lying_edges.csr", "4:1", "but the file has 6", 0},
    {"row_pointer_first.csr", "2:1", "the first row begins at 1, expected 0", 0},
    {"row_pointer_falls.csr", "2:5", "row 2 begins at 1, expected 2 to 2", 0},
    {"row_pointer_last.csr", "2:5", "the last row ends at 1, but there are 2 edges", 0},
    {"column_beyond.csr", "3:3", "not one of the vertices 0 to 1", 0},
    {"column_missing.csr", "4:1", "take 7 numbers, but the file has 6", 0},
    {"column_missing_label.csr", "4:1", "expected a number", 0},
    {"column_too_many.csr", "3:5", "take 7 numbers, but the file has 8", 0},
    {"label_unknown.csr", "4:1", "found 'maybe'", 0},
    {"label_inside.csr", "4:1", "take 6 numbers, but the file has 7", 0},
    {"negative.csr", "2:3", "found '-1'", 0},
    {"vertices_2_64.csr", "1:1", "does not fit in 64 bits", 0},
    {"nul.csr", "3:1", "\\x00", 0},
};

TEST(golden_files) { check_golden_files("csr", golden, LENGTH(golden)); }

TEST(bad_files_are_refused_with_their_place) { check_bad_files("csr", bad, LENGTH(bad)); }

TEST(the_label_is_kept) {
    static const struct {
        const char *file;
        weft_label label;
    } files[] = {{"cyclic.csr", WEFT_LABEL_CYCLIC},   {"acyclic.txt", WEFT_LABEL_ACYCLIC},
                 {"english.csr", WEFT_LABEL_ACYCLIC}, {"no_edges.csr", WEFT_LABEL_ACYCLIC},
                 {"crlf.csr", WEFT_LABEL_CYCLIC},     {"no_label.txt", WEFT_LABEL_NONE}};
    weft_ctx *ctx = new_ctx(1, NULL);
    for (size_t i = 0; i < LENGTH(files); i++) {
        char relative[128], path[1024], copy[512], folder[256];
        weft_graph *g = NULL, *back = NULL;
        snprintf(relative, sizeof relative, "golden/csr/%s", files[i].file);
        REQUIRE(!weft_read(ctx, data_path(relative, path, sizeof path), NULL, &g));
        CHECK_U64(info_of(ctx, g).label, files[i].label);
        REQUIRE(make_temp(folder, sizeof folder));
        snprintf(copy, sizeof copy, "%s/g.csr", folder);
        REQUIRE(!weft_write(ctx, g, copy, NULL) && !weft_read(ctx, copy, NULL, &back));
        CHECK_U64(info_of(ctx, back).label, files[i].label);
        weft_graph_free(g);
        weft_graph_free(back);
        remove_temp(folder);
    }
    weft_ctx_free(ctx);
}

/* Without the extension the content must be beyond doubt: lines that could be an edge list are one. */
TEST(an_edge_list_is_not_mistaken_for_it) {
    static const struct {
        const char *text, *format;
    } texts[] = {
        {"3 2\n0 1 1 2\n2 0\n", "csr"},  {"3 2\n0 1 1 2\n2 0\nciclica\n", "csr"},
        {"1 5\n0 5\n2 3\n", "edgelist"}, {"1 2\n0 2\n0 0\n", "edgelist"},
        {"1 0\n0 0\n", "edgelist"},      {"3 2\n0 1 7\n1 2 8\n", "edgelist"},
        {"2 3\n0 1 3\n1 0 1\n", "csr"},
    };
    weft_ctx *ctx = new_ctx(1, NULL);
    for (size_t i = 0; i < LENGTH(texts); i++) {
        weft_graph *g = NULL;
        if (weft_read_memory(ctx, texts[i].text, strlen(texts[i].text), "text", NULL, &g)) {
            if (!strcmp(texts[i].format, "csr")) HARNESS_FAIL("%s", weft_ctx_message(ctx));
            CHECK(!strstr(weft_ctx_message(ctx), "row"));
        } else {
            CHECK_TEXT(info_of(ctx, g).format, texts[i].format);
        }
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(directed_graphs_come_back) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int tried = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        char what[256];
        weft_graph *g = small_random_graph(ctx, seed, what, sizeof what);
        if (g && weft_graph_directed(g) && !weft_graph_weight_type(g)) {
            check_round_trip(ctx, g, "g.csr", what);
            tried++;
        }
        weft_graph_free(g);
    }
    CHECK(tried > 10);
    weft_ctx_free(ctx);
}

TEST(what_is_lost_is_said) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_read_params p = reading("edgelist");
    p.direction = WEFT_UNDIRECTED;
    weft_graph *g = read_text(ctx, "10 20 5\n20 30 6\n", &p);
    weft_write_params to = WEFT_WRITE_DEFAULTS;
    to.format = "csr";
    REQUIRE(g);
    CHECK(!weft_write(ctx, g, "/dev/null", &to));
    CHECK_I64(w.count, 3);
    CHECK_HAS(w.text, "weights are not stored");
    CHECK_HAS(w.text, "cannot store ids");
    CHECK_HAS(w.text, "both directions");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* One line of several megabytes, cut into blocks at its blanks. */
TEST(a_line_may_be_longer_than_a_block) {
    enum { N = 200000 };
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_vid *from = malloc(2 * sizeof *from * N), *to = malloc(2 * sizeof *to * N);
    REQUIRE(from && to);
    for (uint64_t i = 0; i < 2 * N; i++) {
        from[i] = (weft_vid)(random_at(3, 2 * i) % N);
        to[i] = (weft_vid)(random_at(3, 2 * i + 1) % N);
    }
    weft_graph *g = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, N, 2 * N, from, to, NULL, WEFT_WEIGHT_NONE, NULL, &g));
    check_round_trip(ctx, g, "g.csr", "long lines");
    check_round_trip(ctx, g, "g.csr.gz", "long lines");
    weft_graph_free(g);
    free(from);
    free(to);
    weft_ctx_free(ctx);
}

TEST(content_that_could_be_an_edge_list_gives_a_warning) {
    static const struct {
        const char *text, *format;
        int warnings;
    } cases[] = {
        {"2 2\n0 1 2\n0 1\n", NULL, 1},
        {"2 2\n0 1 2\n0 1\n", "csr", 0},
        {"2 2\n0 1 2\n0 1\nciclica\n", NULL, 0},
        {"2 1\n0 1 1\n1\n", NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        warnings w;
        weft_ctx *ctx = new_ctx(1, &w);
        weft_read_params params = reading(cases[i].format);
        weft_graph *g = read_text(ctx, cases[i].text, &params);
        REQUIRE(g != NULL);
        CHECK_U64(w.count, cases[i].warnings);
        if (w.count) CHECK(strstr(w.text, "`format=edgelist`") != NULL);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
