/* GML: every rule of the format by a golden file, every fault at its line and column. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"plain.gml", "undirected none [1 2 5] 1-2", 1, NULL},
    {"directed.gml", "directed u32 [0 1] 0>1:4 1>0:3", 2, NULL},
    {"directed_0.gml", "undirected none [0 1] 0-1", 1, NULL},
    {"directed_last.gml", "directed none [0 1] 1>0", 1, NULL},
    {"weight.gml", "undirected f32 [0 1] 0-1:2.5 1-1:-1", 2, NULL},
    {"weight_and_value.gml", "undirected u32 [0 1] 0-1:2 1-1:3", 2, NULL},
    {"edges_first.gml", "undirected none [3 7] 3-7", 1, NULL},
    {"nested.gml", "undirected none [0 1] 0-1", 1, NULL},
    {"comments.gml", "undirected none [0 1] 0-1", 1, NULL},
    {"strings_over_lines.gml", "undirected none [0 1] 0-1", 1, NULL},
    {"one_line.gml", "undirected none [0 1] 0-1", 1, NULL},
    {"negative_ids.gml", "undirected none [-5 9000000000] -5-9000000000", 1, NULL},
    {"isolated.gml", "undirected none [1 2 3]", 0, NULL},
    {"nothing.gml", "undirected none []", 0, NULL},
    {"duplicates.gml", "undirected u32 [1 2] 1-2:3", 2, NULL},
    {"crlf.gml", "undirected none [0] 0-0", 1, NULL},
    {"two_graphs.gml", "undirected none [1]", 0, "more than one graph"},
    {"networkx.gml", "directed u32 [0 1] 0>1:3 1>1:2", 2, NULL},
    {"weft_names.gml", "directed f32 [ 10 Zoë & \"Jo\"] Zoë & \"Jo\">10:2", 1, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("gml", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"empty.gml", "1:1", "expected a graph", 0},
    {"no_graph.gml", "3:1", "expected a graph", 0},
    {"graph_without_list.gml", "1:7", "expected [ after graph", 0},
    {"not_closed.gml", "3:1", "ends inside a list", 0},
    {"node_not_closed.gml", "3:1", "ends inside a list", 0},
    {"closed_twice.gml", "2:1", "closes nothing", 0},
    {"string_not_closed.gml", "2:9", "a string that does not end", 0},
    {"value_missing.gml", "2:13", "expected a whole number for id", 0},
    {"label_missing.gml", "2:21", "expected a value for label", 0},
    {"id_word.gml", "2:13", "expected a whole number for id", 0},
    {"id_string.gml", "2:13", "expected a whole number for id", 0},
    {"id_fraction.gml", "2:13", "expected a whole number for id", 0},
    {"id_overflow.gml", "2:13", "does not fit in 64 bits", 0},
    {"id_missing.gml", "2:3", "a node without an id", 0},
    {"id_twice.gml", "2:15", "a second id", 0},
    {"node_twice.gml", "4:13", "node 1 is declared a second time", 0},
    {"node_without_list.gml", "2:8", "expected [ after node", 0},
    {"source_missing.gml", "3:3", "an edge without a source", 0},
    {"target_missing.gml", "3:3", "an edge without a target", 0},
    {"unknown_source.gml", "3:17", "no node with the id 2", 0},
    {"unknown_target.gml", "2:26", "no node with the id 3", 0},
    {"no_nodes.gml", "2:17", "no node with the id 1", 0},
    {"directed_2.gml", "2:12", "directed is 0 or 1", 0},
    {"weight_word.gml", "2:35", "expected a number for the weight", 0},
    {"weight_nan.gml", "2:34", "not a finite number", 0},
    {"weight_missing.gml", "3:3", "this edge has no weight, though others have", 0},
    {"nul_byte.gml", "2:15", "expected the name of an attribute", 0},
    {"junk.gml", "2:3", "expected the name of an attribute", 0},
    {"weft_label_missing.gml", "3:13", "this node has no label, though weftIds says that labels are the", 0},
    {"weft_label_twice.gml", "4:22", "vertex 'a' is declared a second time", 0},
    {"weft_label_entity.gml", "2:23", "an entity that is not one of the five of XML (&amp; &lt; &gt;", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("gml", bad, LENGTH(bad)); }

TEST(weights_and_direction_can_be_asked_for) {
    const char *text = "graph [ node [ id 1 ] node [ id 2 ] edge [ source 2 target 1 weight 4 ] "
                       "edge [ source 2 target 2 weight 6 ] ]";
    weft_read_params p = reading("gml");
    p.direction = WEFT_DIRECTED;
    check_read(text, &p, "directed u32 [1 2] 2>1:4 2>2:6");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read(text, &p, "directed none [1 2] 2>1 2>2");
    check_read("graph [ node [ id 1 ] edge [ source 1 target 1 weight \"heavy\" ] ]", &p, "directed none [1] 1>1");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK(!read_text(ctx, "graph [ node [ id 1 ]\nedge [ source 1 target 1 ] ]", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:1: this edge has no weight");
    p = reading("gml");
    p.weight_col = "cost";
    check_read("graph [ node [ id 1 ] edge [ source 1 target 1 weight 4 cost 7 value 5 ] ]", &p,
               "undirected u32 [1] 1-1:7");
    CHECK(!read_text(ctx, "graph [ node [ id 1 ]\nedge [ source 1 target 1 weight 4 ] ]", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:1: this edge has no cost");
    weft_ctx_free(ctx);
}

TEST(labels_and_numbers_of_nodes_are_no_loss) {
    static const struct {
        const char *text;
        int notes;
    } texts[] = {{"graph [ node [ id 1 label \"one\" ] ]", 0},
                 {"graph [ node [ id 1 graphics [ x 1 ] ] ]", 1},
                 {"graph [ node [ id 1 tag \"a\" tag \"b\" ] ]", 1},
                 {"graph [ node [ id 1 label \"1\" ] node [ id -2 label \"-2\" ] ]", 0},
                 {"graph [ weftIds \"label\" node [ id 1 label \"one\" ] ]", 0},
                 {"graph [ node [ id 1 label 7 ] ]", 0}};
    for (size_t i = 0; i < LENGTH(texts); i++) {
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_graph *g = read_text(ctx, texts[i].text, NULL);
        CHECK(g != NULL);
        CHECK_I64(notes.count, texts[i].notes);
        if (notes.count) {
            const char *part = strstr(texts[i].text, "graphics") ? "lists among" : "second values among";
            CHECK_HAS(notes.text, part);
            CHECK_HAS(notes.text, "the attributes of nodes");
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

static void check_written(const char *list, const weft_read_params *params, const char *want) {
    char folder[256], path[512];
    size_t bytes;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/graph.gml", folder);
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, list, params);
    REQUIRE(g != NULL);
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
    char *text = read_file(path, &bytes);
    REQUIRE(text != NULL);
    CHECK_TEXT(text, want);
    free(text);
    check_round_trip(ctx, g, "graph.gml", list);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(graphs_are_written_in_ascii) {
    weft_read_params p = reading("edgelist");
    p.duplicates = WEFT_DUPLICATES_KEEP;
    check_written("-7\t9\t3\n-7\t9\t4\n", &p,
                  "Creator \"Weft\"\ngraph [\n  directed 1\n  multigraph 1\n  node [ id -7 label \"-7\" ]\n"
                  "  node [ id 9 label \"9\" ]\n  edge [ source -7 target 9 weight 3 ]\n"
                  "  edge [ source -7 target 9 weight 4 ]\n]\n");
    p.direction = WEFT_UNDIRECTED;
    check_written("\"Zo\xc3\xab & \"\"Jo\"\"\"\t<a>\t1e30\na\ta\t2.5\n", &p,
                  "Creator \"Weft\"\ngraph [\n  directed 0\n  weftIds \"label\"\n  node [ id 0 label \"<a>\" ]\n"
                  "  node [ id 1 label \"Zo&#235; &amp; &quot;Jo&quot;\" ]\n  node [ id 2 label \"a\" ]\n"
                  "  edge [ source 0 target 1 weight 1.0e+30 ]\n  edge [ source 2 target 2 weight 2.5 ]\n]\n");
}

TEST(what_is_written_comes_back) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = reading("edgelist");
    p.ids = WEFT_READ_IDS_STRING;
    weft_graph *g = read_text(ctx, "10\t9\n9\t007\n", &p);
    REQUIRE(g != NULL);
    check_round_trip(ctx, g, "graph.gml", "numbers as names");
    weft_graph_free(g);
    for (uint64_t seed = 0; seed < 60; seed++) {
        char what[128];
        g = small_random_graph(ctx, seed, what, sizeof what);
        check_round_trip(ctx, g, "graph.gml", what);
        weft_graph_free(g);
    }
    g = read_text(ctx, "a\tb\001c\n", NULL);
    REQUIRE(g != NULL);
    CHECK_U64(weft_write(ctx, g, "/nowhere/graph.gml", NULL), WEFT_EIO);
    weft_write_params out = WEFT_WRITE_DEFAULTS;
    out.format = "gml";
    CHECK_U64(weft_write(ctx, g, "/dev/null", &out), WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "gml cannot hold the name of vertex 'b\\x01c'");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("gml"), text, strlen(text), name);
}

TEST(a_graph_list_is_recognised) {
    CHECK_I64(sniff("graph [\n node", "x.txt"), 3);
    CHECK_I64(sniff("Creator \"a\nb\"\n# c\nVersion 1\ngraph\n[", "x"), 3);
    CHECK_I64(sniff("graph {\n a -- b\n}", "x.dot"), 0);
    CHECK_I64(sniff("alice bob\nbob carol\n", "x.txt"), 0);
    CHECK_I64(sniff("garbage", "x.gml"), 1);
    CHECK_I64(sniff("", "x"), 0);
}

/* A list in a list in a list ... must not be followed by recursion. */
TEST(lists_may_be_nested_as_deep_as_they_like) {
    enum { DEPTH = 300000 };
    char *text = malloc(DEPTH * 5 + 64);
    if (!text) exit(1);
    size_t used = (size_t)sprintf(text, "graph [ ");
    for (int i = 0; i < DEPTH; i++) used += (size_t)sprintf(text + used, "a[");
    for (int i = 0; i < DEPTH; i++) text[used++] = ']';
    used += (size_t)sprintf(text + used, " node [ id 3 ] ]");
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    CHECK(!weft_read_memory(ctx, text, used, "deep.gml", NULL, &g));
    if (g) CHECK_U64(weft_graph_vertices(g), 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(text);
}

TEST(published_graphs_are_read) {
    if (!shared_data()) SKIP("the shared data is not here");
    static const struct {
        const char *file;
        uint64_t vertices, records, edges;
        int directed;
        weft_weight_type weights;
    } files[] = {{"igraph/karate.gml", 34, 78, 78, 0, WEFT_WEIGHT_NONE},
                 {"igraph/celegansneural.gml", 297, 2359, 2345, 1, WEFT_WEIGHT_U32}};
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(files); i++) {
        char path[1024];
        weft_graph *g = NULL;
        snprintf(path, sizeof path, "%s/%s", shared_data(), files[i].file);
        CHECK(!weft_read(ctx, path, NULL, &g));
        if (!g) continue;
        weft_graph_info info = info_of(ctx, g);
        CHECK_TEXT(info.format, "gml");
        CHECK_U64(info.vertices, files[i].vertices);
        CHECK_U64(info.records, files[i].records);
        CHECK_U64(info.edges, files[i].edges);
        CHECK_I64(info.directed, files[i].directed);
        CHECK_I64(info.weight_type, files[i].weights);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
