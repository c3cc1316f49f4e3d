/* GraphML: every rule of the format by a golden file, every fault at its line and column; what is written comes back. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"plain.graphml", "undirected none [1 2 5] 1-2", 1, NULL},
    {"bare.graphml", "directed none [a b] b>a", 1, NULL},
    {"networkx.graphml", "directed f32 [0 1 12] 0>1:3 1>12:2.5", 2, NULL},
    {"networkx_multigraph.graphml", "undirected u32 [a & b c] a & b-c:4", 2, NULL},
    {"igraph.graphml", "undirected u32 [n0 n1] n0-n1:2", 1, NULL},
    {"yed.graphml", "directed none [n0 n1] n0>n1", 1, NULL},
    {"gephi.graphml", "undirected f32 [7 9] 7-9:1", 1, NULL},
    {"default.graphml", "undirected u32 [1 2] 1-2:5 2-2:8", 2, NULL},
    {"value.graphml", "undirected f32 [1 2] 1-2:0.5", 1, NULL},
    {"value_of_words.graphml", "undirected none [1 2] 1-2", 1, NULL},
    {"weight_before_value.graphml", "undirected u32 [1 2] 1-2:3", 1, NULL},
    {"own_direction.graphml", "directed none [1 2] 1>1 2>1", 2, NULL},
    {"isolated.graphml", "directed none [1 3]", 0, NULL},
    {"nothing.graphml", "undirected none []", 0, NULL},
    {"two_graphs.graphml", "undirected none [1]", 0, "more than one graph"},
    {"prefixed.graphml", "directed none [1 2] 1>2", 1, NULL},
    {"markup.graphml", "directed u32 [<a> say \"hi\"] <a>>say \"hi\":42", 1, NULL},
    {"latin1.graphml", "directed none [Zoë café] Zoë>café", 1, NULL},
    {"spaces.graphml", "directed none [ a b c\nd] a b>c\nd", 1, NULL},
    {"weft.graphml", "directed none [10 9] 9>10", 1, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("graphml", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"empty.graphml", "1:1", "expected an element, found the end of the file", 0},
    {"only_space.graphml", "3:1", "expected an element, found the end of the file", 0},
    {"words.graphml", "1:1", "text outside the document's element", 0},
    {"web_page.graphml", "2:1", "this is a web page, not a graph: is it the error page", 0},
    {"other_root.graphml", "2:1", "expected <graphml>, found <svg>", 0},
    {"no_graph.graphml", "1:1", "expected a <graph> within <graphml>", 0},
    {"cut.graphml", "4:1", "the file ends inside <graph> of line 2", 0},
    {"cut_in_tag.graphml", "3:13", "expected an attribute, > or /> in <node", 0},
    {"cut_in_value.graphml", "3:10", "the value of id does not end", 0},
    {"quote_missing.graphml", "4:25", "expected an attribute, > or /> in <edge", 0},
    {"quote_open.graphml", "5:1", "a < within the value of target: is a quote missing?", 0},
    {"not_closed.graphml", "5:1", "</graph>, where </edge> was expected for the element of line 4", 0},
    {"wrong_close.graphml", "4:29", "</node>, where </edge> was expected for the element of line 4", 0},
    {"closed_twice.graphml", "2:1", "</graphml> closes nothing", 0},
    {"two_roots.graphml", "2:1", "a second element after the end of the document", 0},
    {"text_after.graphml", "2:1", "text outside the document's element", 0},
    {"text_between.graphml", "4:1", "text where only elements are expected", 0},
    {"cdata_between.graphml", "4:10", "text where only elements are expected", 0},
    {"unquoted.graphml", "4:10", "expected the value of id in quotes", 0},
    {"no_value.graphml", "4:9", "expected = and a value after the attribute id", 0},
    {"no_space.graphml", "4:17", "expected a space before the next attribute", 0},
    {"attribute_twice.graphml", "4:14", "a second id", 0},
    {"less_than.graphml", "4:16", "expected a name after < (for the character itself: &lt;)", 0},
    {"comment_open.graphml", "4:1", "a comment that does not end", 0},
    {"cdata_open.graphml", "4:28", "a CDATA section that does not end", 0},
    {"instruction_open.graphml", "4:1", "a processing instruction that does not end", 0},
    {"doctype_open.graphml", "1:1", "a DOCTYPE that does not end", 0},
    {"doctype_entities.graphml", "2:19", "a DOCTYPE with declarations is not read: remove everything from [ to ]", 0},
    {"doctype_late.graphml", "2:1", "a DOCTYPE after the first element", 0},
    {"entity.graphml", "4:12", "an entity that is not one of the five of XML (&amp; &lt; &gt;", 0},
    {"ampersand.graphml", "4:13", "a single &: write &amp;", 0},
    {"reference_zero.graphml", "4:12", "this reference does not stand for a character that XML allows", 0},
    {"reference_surrogate.graphml", "4:12", "this reference does not stand for a character that XML allows", 0},
    {"reference_empty.graphml", "4:12", "this reference does not stand for a character that XML allows", 0},
    {"reference_huge.graphml", "4:12", "this reference does not stand for a character that XML allows", 0},
    {"control_character.graphml", "4:12", "the character U+0001 is not allowed in XML", 0},
    {"nul_byte.graphml", "4:12", "the character U+0000 is not allowed in XML", 0},
    {"not_utf8.graphml", "4:14", "this byte (0xe9) is not UTF-8: convert the file, or name its", 0},
    {"overlong.graphml", "4:11", "this byte (0xc0) is not UTF-8: convert the file, or name its", 0},
    {"encoding.graphml", "1:31", "the encoding windows-1252 is not read: convert the file to UTF-8", 0},
    {"declaration.graphml", "1:20", "expected ?> at the end of <?xml", 0},
    {"nested.graphml", "4:14", "<graph> is not expected within <node> (graphs within nodes or", 0},
    {"nested_in_edge.graphml", "4:29", "<graph> is not expected within <edge> (graphs within nodes or", 0},
    {"hyperedge.graphml", "4:1", "<hyperedge> is not expected within <graph> (edges of more than", 0},
    {"port.graphml", "4:14", "<port> is not expected within <node> (ports are not read: remove", 0},
    {"sourceport.graphml", "4:1", "an edge between ports (ports are not read: remove them)", 0},
    {"locator.graphml", "4:1", "<locator> is not expected within <graph> (content in other files", 0},
    {"late_key.graphml", "4:1", "<key> is not expected within <graph> (keys are expected before", 0},
    {"unknown_element.graphml", "4:1", "<Edge> is not expected within <graph>", 0},
    {"unknown_at_top.graphml", "2:1", "<node> is not expected within <graphml>", 0},
    {"node_without_id.graphml", "4:1", "<node> without id", 0},
    {"node_twice.graphml", "4:11", "vertex '2' is declared a second time", 0},
    {"source_missing.graphml", "4:1", "<edge> without source", 0},
    {"target_missing.graphml", "4:1", "<edge> without target", 0},
    {"unknown_source.graphml", "4:15", "there is no vertex '7'", 0},
    {"unknown_target.graphml", "4:26", "there is no vertex '7'", 0},
    {"edgedefault.graphml", "2:21", "edgedefault is directed or undirected", 0},
    {"edgedefault_missing.graphml", "3:1", "neither this edge (directed) nor the graph (edgedefault) tells", 0},
    {"directed_word.graphml", "4:39", "directed is true or false", 0},
    {"mixed.graphml", "5:1", "directed and undirected edges in one file: `direction=directed` or", 0},
    {"key_without_id.graphml", "2:1", "<key> without id", 0},
    {"key_twice.graphml", "3:1", "the attribute 'a' is declared a second time", 0},
    {"data_without_key.graphml", "4:29", "<data> without key", 0},
    {"unknown_key.graphml", "4:29", "no key for edges has the id 'w'", 0},
    {"key_of_nodes.graphml", "5:29", "no key for edges has the id 'w'", 0},
    {"weight_word.graphml", "6:3", "expected a number for the weight, found 'heavy'", 0},
    {"weight_empty.graphml", "5:44", "expected a number for the weight, found ''", 0},
    {"weight_nan.graphml", "5:43", "weight 'NaN' is not a finite number", 0},
    {"weight_huge.graphml", "5:43", "weight '1e39' is too large", 0},
    {"weight_missing.graphml", "6:1", "this edge has no weight, though others have", 0},
    {"weight_element.graphml", "5:44", "expected text in <data>, found an element", 0},
    {"weight_twice.graphml", "5:51", "a second weight for this edge", 0},
    {"two_defaults.graphml", "3:1", "a second default for the weight", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("graphml", bad, LENGTH(bad)); }

#define HEAD "<graphml><key id='w' for='edge' attr.name='weight'/><key id='c' for='edge' attr.name='cost'/>"

TEST(weights_and_direction_can_be_asked_for) {
    const char *text =
        HEAD "<graph edgedefault='undirected'><node id='1'/><node id='2'/>"
             "<edge source='2' target='1'><data key='w'>4</data><data key='c'>7</data></edge></graph></graphml>";
    weft_read_params p = reading("graphml");
    p.direction = WEFT_DIRECTED;
    check_read(text, &p, "directed u32 [1 2] 2>1:4");
    p.weight_col = "Cost";
    check_read(text, &p, "directed u32 [1 2] 2>1:7");
    p.ids = WEFT_READ_IDS_STRING;
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read(text, &p, "directed none [1 2] 2>1");
    weft_ctx *ctx = new_ctx(0, NULL);
    p.weights = WEFT_WEIGHTS_AUTO;
    p.weight_col = "price";
    CHECK(!read_text(ctx, text, &p));
    CHECK_HAS(weft_ctx_message(ctx), "text: no attribute of the edges is called 'price'; there are: weight, cost");
    p.weight_col = NULL;
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(
        ctx, "<graphml><graph edgedefault='directed'><node id='1'/>\n<edge source='1' target='1'/></graph></graphml>",
        &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:1: this edge has no weight");
    weft_ctx_free(ctx);
}

TEST(a_flag_settles_what_the_file_leaves_open) {
    weft_read_params p = reading("graphml");
    p.direction = WEFT_DIRECTED;
    check_read("<graphml><graph><node id='1'/><node id='2'/><edge source='2' target='1'/></graph></graphml>", &p,
               "directed none [1 2] 2>1");
    p.direction = WEFT_UNDIRECTED;
    check_read("<graphml><graph edgedefault='directed'><node id='1'/><node id='2'/><edge source='2' target='1'/>"
               "<edge source='2' target='2' directed='false'/></graph></graphml>",
               &p, "undirected none [1 2] 1-2 2-2");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read(
        "<graphml><graph><node id='1'/><edge source='1' target='1'><data key='none'>x</data></edge></graph></graphml>",
        &p, "undirected none [1] 1-1");
}

/* What was passed over is said, once, and what was not is not. */
TEST(notes_name_the_attributes_passed_over) {
    static const struct {
        const char *file, *note;
    } files[] = {{"networkx.graphml", NULL},
                 {"gephi.graphml", "passed over: edge attributes Modularity"},
                 {"weight_before_value.graphml", "passed over: edge attributes value"},
                 {"yed.graphml", "passed over: edge attributes description"},
                 {"plain.graphml", NULL}};
    for (size_t i = 0; i < LENGTH(files); i++) {
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        char relative[64], path[512];
        snprintf(relative, sizeof relative, "golden/graphml/%s", files[i].file);
        weft_graph *g = NULL;
        CHECK(!weft_read(ctx, data_path(relative, path, sizeof path), NULL, &g));
        CHECK_I64(notes.count, files[i].note != NULL);
        if (files[i].note) CHECK_HAS(notes.text, files[i].note);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("graphml"), text, strlen(text), name);
}

TEST(the_first_element_is_recognised) {
    CHECK_I64(sniff("<graphml>", "x.txt"), 3);
    CHECK_I64(sniff("\xef\xbb\xbf\n<?xml version=\"1.0\"?>\n<!-- <gexf> -->\n<!DOCTYPE graphml>\n<g:graphml x=''", "x"),
              3);
    CHECK_I64(sniff("<!DOCTYPE graphml [<!ENTITY a \"b\">]><graphml>", "x"), 3);
    CHECK_I64(sniff("<gexf>", "x"), 0);
    CHECK_I64(sniff("<graphmls>", "x"), 0);
    CHECK_I64(sniff("<!-- <graphml>", "x"), 0);
    CHECK_I64(sniff("<", "x"), 0);
    CHECK_I64(sniff("garbage", "x.graphml"), 1);
    CHECK_I64(sniff("", "x"), 0);
}

/* count times the text, before and after something. */
static weft_status read_repeated(weft_ctx *ctx, const char *before, const char *each, const char *after_each,
                                 size_t count, const char *end) {
    size_t room = strlen(before) + count * (strlen(each) + strlen(after_each)) + strlen(end) + 1, used;
    char *text = malloc(room);
    if (!text) exit(1);
    used = (size_t)sprintf(text, "%s", before);
    for (size_t i = 0; i < count; i++) used += (size_t)sprintf(text + used, "%s", each);
    for (size_t i = 0; i < count; i++) used += (size_t)sprintf(text + used, "%s", after_each);
    used += (size_t)sprintf(text + used, "%s", end);
    weft_graph *g = NULL;
    weft_read_params p = reading("graphml");
    weft_status st = weft_read_memory(ctx, text, used, "deep", &p, &g);
    weft_graph_free(g);
    free(text);
    return st;
}

TEST(depth_and_attributes_are_bounded) {
    const char *before = "<graphml><graph edgedefault='directed'><node id='1'><data key='a'>",
               *end = "</data></node></graph></graphml>";
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK_U64(read_repeated(ctx, before, "<a>", "</a>", 996, end), WEFT_OK);
    CHECK_U64(read_repeated(ctx, before, "<a>", "</a>", 997, end), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "nested more than 1000 deep");
    CHECK_U64(read_repeated(ctx, before, "<a>", "", 3000000, ""), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "nested more than 1000 deep");
    CHECK_U64(read_repeated(ctx, "<graphml><graph ", "a='' ", "", 2, "/></graphml>"), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "a second a");
    weft_ctx_free(ctx);
}

static int say_stop(void *user) { return ++*(int *)user > 3; }

/* Whether between elements or within one huge comment. */
TEST(reading_can_be_cancelled) {
    weft_ctx *ctx = new_ctx(1, NULL);
    int asked = 0;
    weft_ctx_set_cancel(ctx, say_stop, &asked);
    CHECK_U64(read_repeated(ctx, "<graphml><graph edgedefault='directed'>", "<node id='1'/><!-- -->", "", 1, ""),
              WEFT_EINPUT);
    CHECK_U64(read_repeated(ctx, "<graphml>", "<desc/><desc>longer</desc>", "", 400000, ""), WEFT_ECANCELLED);
    asked = 0;
    CHECK_U64(read_repeated(ctx, "<graphml><!--", " a long comment", "", 1000000, ""), WEFT_ECANCELLED);
    weft_ctx_free(ctx);
}

static void check_written(const char *list, const weft_read_params *params, const char *want) {
    char folder[256], path[512];
    size_t bytes;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/graph.graphml", folder);
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, list, params);
    REQUIRE(g != NULL);
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
    char *text = read_file(path, &bytes);
    REQUIRE(text != NULL);
    CHECK_TEXT(text, want);
    free(text);
    check_round_trip(ctx, g, "graph.graphml", list);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(graphs_are_written_with_their_own_ids) {
    weft_read_params p = reading("edgelist");
    check_written(
        "7\t9\t3\n", &p,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n"
        "  <graph edgedefault=\"directed\">\n    <node id=\"7\"/>\n    <node id=\"9\"/>\n"
        "    <edge source=\"7\" target=\"9\"><data key=\"weight\">3</data></edge>\n  </graph>\n</graphml>\n");
    p.ids = WEFT_READ_IDS_STRING;
    p.direction = WEFT_UNDIRECTED;
    check_written(
        "1\t\"<é & \"\"\"\n", &p,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"ids\" for=\"graph\" attr.name=\"weft.ids\" attr.type=\"string\"/>\n"
        "  <graph edgedefault=\"undirected\">\n    <data key=\"ids\">names</data>\n    <node id=\"1\"/>\n"
        "    <node id=\"&lt;é &amp; &quot;\"/>\n    <edge source=\"1\" target=\"&lt;é &amp; &quot;\"/>\n  "
        "</graph>\n</graphml>\n");
}

/* Names that look like numbers stay names; random graphs with loops and parallel edges. */
TEST(what_is_written_comes_back) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = reading("edgelist");
    p.ids = WEFT_READ_IDS_STRING;
    weft_graph *g = read_text(ctx, "10\t9\n9\t007\n", &p);
    REQUIRE(g != NULL);
    check_round_trip(ctx, g, "graph.graphml", "numbers as names");
    weft_graph_free(g);
    for (uint64_t seed = 0; seed < 60; seed++) {
        char what[128];
        g = small_random_graph(ctx, seed, what, sizeof what);
        check_round_trip(ctx, g, "graph.graphml", what);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(names_that_xml_cannot_carry_are_refused) {
    static const struct {
        const char *list, *message;
    } lists[] = {
        {"a\tb\001c\n", "graphml cannot hold the name of vertex 'b\\x01c': its byte 2 (0x01) is a control character"},
        {"a\tcaf\xe9\n", "graphml cannot hold the name of vertex 'caf\\xe9': its byte 4 (0xe9) is no UTF-8 text"},
        {"a\t\xef\xbf\xbf\n", "its byte 1 (0xef)"}};
    char folder[256], path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/graph.graphml", folder);
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = reading("edgelist");
    for (size_t i = 0; i < LENGTH(lists); i++) {
        weft_graph *g = read_text(ctx, lists[i].list, &p);
        REQUIRE(g != NULL);
        CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_EUNSUPPORTED);
        CHECK_HAS(weft_ctx_message(ctx), lists[i].message);
        CHECK_I64(count_entries(folder), 0);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST_MAIN()
