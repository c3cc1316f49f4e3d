/* DOT: what is written, letter by letter. */
#include "format_support.h"

static void check_dot(const char *list, const weft_read_params *params, const char *want) {
    weft_ctx *ctx = new_ctx(1, NULL);
    char folder[256], path[512];
    size_t bytes;
    weft_graph *g = read_text(ctx, list, params);
    REQUIRE(g && make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.dot", folder);
    CHECK(!weft_write(ctx, g, path, NULL));
    char *got = read_file(path, &bytes);
    CHECK_TEXT(got ? got : "", want);
    free(got);
    weft_graph_free(g);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(directed_with_weights) {
    weft_read_params p = reading("edgelist");
    check_dot("1 2 7\n2 5 8\n", &p,
              "digraph weft {\n  \"1\" -> \"2\" [label=\"7\"];\n  \"2\" -> \"5\" [label=\"8\"];\n}\n");
}

TEST(undirected_edges_once_with_loops) {
    weft_read_params p = reading("edgelist");
    p.direction = WEFT_UNDIRECTED;
    check_dot("1 2\n2 1\n2 2\n", &p, "graph weft {\n  \"1\" -- \"2\";\n  \"2\" -- \"2\";\n}\n");
}

TEST(isolated_vertices_are_listed) {
    weft_read_params p = reading("edgelist");
    p.vertices = 4;
    check_dot("1 3\n", &p, "digraph weft {\n  \"0\";\n  \"2\";\n  \"1\" -> \"3\";\n}\n");
}

TEST(names_are_quoted) {
    weft_read_params p = reading("edgelist");
    p.ids = WEFT_READ_IDS_STRING;
    check_dot("a\\b say\"hi\"\n", &p, "digraph weft {\n  \"a\\\\b\" -> \"say\\\"hi\\\"\";\n}\n");
}

TEST(large_graphs_are_refused_and_it_cannot_be_read) {
    enum { M = 100001 };
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_vid *from = calloc(M, sizeof *from), *to = calloc(M, sizeof *to);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "dot";
    weft_graph *g = NULL;
    REQUIRE(from && to && !weft_graph_from_edges(ctx, 1, M, from, to, NULL, WEFT_WEIGHT_NONE, &build, &g));
    CHECK_U64(weft_write(ctx, g, "/dev/null", &p), WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "small graphs");
    weft_graph_free(g);
    g = NULL;
    weft_read_params read = reading("dot");
    CHECK(weft_read_memory(ctx, "graph {}", 8, "g.dot", &read, &g) != WEFT_OK);
    free(from);
    free(to);
    weft_ctx_free(ctx);
}

TEST_MAIN()
