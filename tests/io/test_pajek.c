/* Pajek: every rule of the format by a golden file, every fault at its line and column. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"arcs.net", "directed u32 [ann ben cat] ann>ben:4 ben>cat:5", 2, NULL},
    {"edges.net", "undirected f32 [ann ben cat] ann-ben:1 ben-cat:2.5", 2, NULL},
    {"no_labels.net", "directed none [1 2 3 4] 1>2 2>3", 2, NULL},
    {"some_labels.net", "undirected none [1 2 3] 1-3", 1, NULL},
    {"same_labels.net", "undirected none [1 2 3] 1-3", 1, NULL},
    {"empty_label.net", "undirected none [1 2] 1-2", 1, NULL},
    {"integer_labels.net", "directed none [-7 0 10] -7>0 0>10", 2, NULL},
    {"blank_in_label.net", "directed none [New York Rio \xc3\xa9] New York>Rio \xc3\xa9", 1, NULL},
    {"vertices_in_any_order.net", "directed none [ann ben cat] ann>cat", 1, NULL},
    {"arcs_and_edges.net", "directed u32 [1 2 3] 1>2:5 2>3:7 3>2:7 3>3:1", 3, NULL},
    {"empty_arcs_then_edges.net", "undirected none [1 2] 1-2", 1, NULL},
    {"some_weights.net", "directed f32 [1 2 3] 1>2:0.5 2>3:1", 2, NULL},
    {"lists.net", "directed none [1 2 3 4] 1>2 1>3 3>4 4>3", 3, NULL},
    {"edges_list.net", "undirected none [1 2 3 4] 1-2 1-3 1-4", 3, NULL},
    {"matrix.net", "directed f32 [1 2 3] 1>2:2 2>3:1 3>1:-1.5 3>3:3", 4, NULL},
    {"two_mode_matrix.net", "directed u32 [1 2 3 4 5] 1>3:1 1>5:1 2>4:1", 3, NULL},
    {"two_mode.net", "undirected none [1 2 3] 1-2 1-3", 2, NULL},
    {"comments.net", "directed none [1 2] 1>2", 1, NULL},
    {"crlf.net", "directed u32 [ann ben] ann>ben:3", 1, NULL},
    {"relations.net", "directed u32 [1 2 3] 1>2:1 1>3:2 2>3:4 3>1:2", 3, NULL},
    {"attributes.net", "directed u32 [1 2] 1>2:3 2>1:1", 2, NULL},
    {"attributes_without_value.net", "directed none [1 2] 1>2 2>1", 2, NULL},
    {"duplicates.net", "directed u32 [1 2] 1>2:2", 2, NULL},
    {"no_edges.net", "directed none [1 2]", 0, NULL},
    {"no_edges_undirected.net", "undirected none [1 2]", 0, NULL},
    {"nothing.net", "directed none []", 0, NULL},
    {"no_final_newline.net", "undirected none [1 2] 1-2", 1, NULL},
    {"two_networks.net", "directed none [1 2] 1>2", 1, "more than one network"},
    {"partition.net", "directed none [1 2] 1>2", 1, "what follows *Partition was not read"},
    {"another_extension.txt", "directed none [1 2] 1>2", 1, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("pajek", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"empty.net", "1:1", "expected *Vertices", 0},
    {"no_vertices.net", "1:1", "expected *Vertices before *Arcs", 0},
    {"edge_list.net", "1:1", "expected *Vertices", 0},
    {"no_count.net", "1:10", "expected the number of vertices", 0},
    {"count_word.net", "1:11", "expected the number of vertices", 0},
    {"count_huge.net", "1:1", "more than 2^32-2 vertices", 0},
    {"too_empty.net", "1:1", "too sparse to be read as a graph", 0},
    {"first_kind.net", "1:13", "vertices of the first kind", 0},
    {"count_and_more.net", "1:13", "vertices of the first kind", 0},
    {"vertex_word.net", "2:1", "expected the number of a vertex, found 'one'", 0},
    {"vertex_beyond.net", "3:1", "no vertex '3': they are numbered 1 to 2", 0},
    {"vertex_zero.net", "2:1", "no vertex '0'", 0},
    {"vertex_twice.net", "4:1", "vertex 1 is declared a second time", 0},
    {"quote_open.net", "2:3", "quotes do not end", 0},
    {"quote_within.net", "2:8", "a quote within a label", 0},
    {"nul_in_label.net", "2:5", "a NUL byte in a label", 0},
    {"arc_beyond.net", "3:3", "no vertex '3'", 0},
    {"arc_word.net", "3:3", "found 'ann'", 0},
    {"arc_fraction.net", "3:1", "found '1.5'", 0},
    {"arc_negative.net", "3:3", "found '-2'", 0},
    {"arc_overflow.net", "3:3", "no vertex '99999999999999999999'", 0},
    {"arc_alone.net", "3:2", "the second vertex is missing", 0},
    {"value_word.net", "3:5", "found 'heavy'", 0},
    {"value_half.net", "3:5", "found '3x'", 0},
    {"value_nan.net", "3:5", "not a finite number", 0},
    {"value_large.net", "3:5", "too large for a 32-bit weight", 0},
    {"list_beyond.net", "3:5", "no vertex '3'", 0},
    {"matrix_row_short.net", "4:4", "ends after 2 of 3 values", 0},
    {"matrix_row_long.net", "3:5", "more than 2 values", 0},
    {"matrix_few_rows.net", "5:1", "ends after 2 of 3 rows", 0},
    {"matrix_many_rows.net", "4:1", "expected the end of the matrix", 0},
    {"matrix_word.net", "3:3", "found 'x'", 0},
    {"section_unknown.net", "2:1", "found '*Links'", 0},
    {"nul_byte.net", "3:3", "expected the number of a vertex", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("pajek", bad, LENGTH(bad)); }

TEST(direction_can_be_asked_for) {
    const char *mixed = "*Vertices 3\n*Arcs\n1 2\n2 1\n*Edges\n2 3\n3 3\n";
    weft_read_params p = reading(NULL);
    p.direction = WEFT_UNDIRECTED;
    check_read(mixed, &p, "undirected none [1 2 3] 1-2 2-3 3-3");
    p.direction = WEFT_DIRECTED;
    check_read(mixed, &p, "directed none [1 2 3] 1>2 2>1 2>3 3>2 3>3");
    check_read("*Vertices 2\n*Edges\n1 2\n", &p, "directed none [1 2] 1>2 2>1");
}

TEST(weights_can_be_asked_for) {
    weft_read_params p = reading("pajek");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read("*Vertices 2\n*Arcs\n1 2 heavy\n2 2 5\n", &p, "directed none [1 2] 1>2 2>2");
    check_read("*Vertices 2\n*Matrix\n0 7\n0 0\n", &p, "directed none [1 2] 1>2");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    check_read("*Vertices 2\n*Arcs\n1 2 5\n2 2\n", &p, "directed u32 [1 2] 1>2:5 2>2:1");
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK(!read_text(ctx, "*Vertices 2\n*Arcs\n1 2\n", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:1:1: no weights here");
    weft_ctx_free(ctx);
}

TEST(the_kind_of_ids_can_be_asked_for) {
    const char *names = "*Vertices 2\n1 \"ann\"\n2 \"ben\"\n*Arcs\n1 2\n",
               *numbers = "*Vertices 2\n1 10\n2 9\n*Arcs\n1 2\n";
    weft_read_params p = reading("pajek");
    p.ids = WEFT_READ_IDS_INTEGER;
    check_read(names, &p, "directed none [1 2] 1>2");
    check_read(numbers, &p, "directed none [9 10] 10>9");
    p.ids = WEFT_READ_IDS_STRING;
    check_read(names, &p, "directed none [ann ben] ann>ben");
    check_read(numbers, &p, "directed none [10 9] 10>9"); /* names: by their bytes */
}

TEST(choices_are_said) {
    static const struct {
        const char *text, *note;
    } files[] = {{"*Vertices 2\n1 a\n2 b\n*Arcs\n1 2\n", "identified by their labels"},
                 {"*Vertices 2\n1 a\n2 a\n*Arcs\n1 2\n", "two vertices have the same label"},
                 {"*Vertices 2\n1 a\n*Arcs\n1 2\n", "not every vertex has a label"},
                 {"*Vertices 2\n*Arcs\n1 2\n*Edges\n1 2\n", "1 arcs and 1 edges: the graph is directed"},
                 {"*Vertices 2\n*Arcs\n1 2\n2 1 3\n", "1 of 2 arcs and edges have no value: their weight is 1"},
                 {"*Vertices 2 1\n*Arcs\n1 2\n", "two-mode"},
                 {"*Vertices 2\n*Arcs :3 \"likes\"\n1 2\n", "several relations"},
                 {"*Vertices 2\n*Arcs\n1 2 1 [4-*]\n", "have times"}};
    for (size_t i = 0; i < LENGTH(files); i++) {
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_graph *g = read_text(ctx, files[i].text, NULL);
        CHECK(g != NULL);
        CHECK_I64(notes.count, 1);
        CHECK_HAS(notes.text, files[i].note);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("pajek"), text, strlen(text), name);
}

TEST(the_first_section_is_recognised) {
    CHECK_I64(sniff("*Vertices 3\n", "x.txt"), 3);
    CHECK_I64(sniff("% a comment\n\n  *network name\n", "x"), 3);
    CHECK_I64(sniff("1 2\n2 3\n", "x.net"), 0);
    CHECK_I64(sniff("*Arcs\n1 2\n", "x.net"), 0);
    CHECK_I64(sniff("*Verticesome 3", "x.net"), 0);
    CHECK_I64(sniff("", "x.net"), 0);
}

TEST(a_net_file_of_pairs_is_an_edge_list) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    CHECK(!weft_read_memory(ctx, "1 2\n2 3\n", 8, "pairs.net", NULL, &g));
    if (g) CHECK_TEXT(info_of(ctx, g).format, "edgelist");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
