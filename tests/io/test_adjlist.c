/* Adjacency lists: golden and bad files, both directions, real files of LDBC. */
#include "format_support.h"

static const golden_file golden[] = {
    {"plain.adjlist", "directed none [1 2 3] 1>2 1>3 2>3 3>1", 4, NULL},
    {"isolated.adjlist", "directed none [-7 5 10 20] 10>20", 1, NULL},
    {"wide_ids.adjlist", "directed none [1 9000000000] 1>1 1>9000000000 9000000000>1", 3, NULL},
    {"no_final_newline.adjlist", "directed none [0 1] 0>1", 1, NULL},
    {"empty.adjlist", "directed none []", 0, "no edges"},
    {"names_later.adjlist", "directed none [1 2 three] 1>2 2>three", 2, NULL},
    {"names_first.adjlist", "directed none [1 2 x] 1>2 x>2", 2, NULL},
};

static const bad_file bad[] = {
    {"id_2_63.adjlist", "1:3", "does not fit in 64 bits", 0},
    {"decimal.adjlist", "1:5", "'3.5'", 0},
    {"nul.adjlist", "2:3", "(NUL)", 0},
};

TEST(golden_files) { check_golden_files("adjlist", golden, LENGTH(golden)); }

TEST(bad_files_are_refused_with_their_place) { check_bad_files("adjlist", bad, LENGTH(bad)); }

TEST(an_edge_listed_in_both_rows_is_one_edge) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char text[256];
    weft_read_params p = reading("adjlist");
    p.direction = WEFT_UNDIRECTED;
    weft_graph *g = read_text(ctx, "1 2 3\n2 1\n3\n4\n", &p);
    REQUIRE(g);
    CHECK_TEXT(graph_text(g, text, sizeof text), "undirected none [1 2 3 4] 1-2 1-3");
    CHECK_U64(info_of(ctx, g).isolated, 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(it_is_never_guessed) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    REQUIRE(!weft_read_memory(ctx, "1 2\n2 3\n", 8, "graph.txt", NULL, &g));
    CHECK_TEXT(info_of(ctx, g).format, "edgelist");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* LDBC lists the same graph as adjacency lists and as .v and .e. */
TEST(the_two_listings_of_ldbc_agree) {
    if (!shared_data()) SKIP("the shared data is not here");
    weft_ctx *ctx = new_ctx(0, NULL);
    for (int undirected = 0; undirected < 2; undirected++) {
        char path[4096];
        const char *which = undirected ? "undirected" : "directed";
        weft_graph *list = NULL, *edges = NULL;
        weft_read_params p = reading("adjlist");
        p.direction = undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
        p.weights = WEFT_WEIGHTS_IGNORE;
        snprintf(path, sizeof path, "%s/graphalytics-validation/example/example-%s-input", shared_data(), which);
        REQUIRE(!weft_read(ctx, path, &p, &list));
        snprintf(path, sizeof path, "%s/graphalytics-validation/example/example-%s.e", shared_data(), which);
        p.format = "ldbc";
        REQUIRE(!weft_read(ctx, path, &p, &edges));
        int equal = 0;
        CHECK(!weft_graph_compare(ctx, list, edges, &equal));
        if (!equal) HARNESS_FAIL("%s: %s", which, weft_ctx_message(ctx));
        weft_graph_free(list);
        weft_graph_free(edges);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
