/* GEXF: every rule of the format by a golden file, every fault at its line and column. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"plain.gexf", "directed none [1 2 5] 2>1", 1, NULL},
    {"undirected.gexf", "undirected none [1 2] 1-2", 1, NULL},
    {"gephi.gexf", "undirected f32 [11 27 48] 11-27:17 11-48:1", 2, NULL},
    {"networkx.gexf", "directed u32 [a&b c] a&b>c:3 c>c:5", 2, NULL},
    {"own_type.gexf", "directed none [1 2] 2>1", 1, NULL},
    {"mutual_and_directed.gexf", "directed u32 [1 2 3] 1>2:4 2>1:4 3>1:5 3>3:6", 3, NULL},
    {"mutual_and_undirected.gexf", "undirected none [1 2 3] 1-2 1-3", 2, NULL},
    {"mutual.gexf", "undirected none [1 2] 1-2", 1, NULL},
    {"mutual_by_themselves.gexf", "directed none [1 2] 1>2 2>1", 1, NULL},
    {"attvalue_weight.gexf", "directed u32 [1 2] 1>2:9 2>1:2", 2, NULL},
    {"times.gexf", "directed none [1 2] 1>2", 1, "times are passed over"},
    {"nested.gexf", "directed none [a b c d e] a>e b>d", 2, "nodes lie within nodes"},
    {"pid.gexf", "undirected none [a b]", 0, "nodes lie within nodes"},
    {"kinds.gexf", "undirected none [1 2] 1-2", 2, NULL},
    {"nothing.gexf", "undirected none []", 0, NULL},
    {"two_graphs.gexf", "undirected none [1]", 0, "more than one graph"},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("gexf", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"empty.gexf", "1:1", "expected an element, found the end of the file", 0},
    {"other_root.gexf", "1:1", "expected <gexf>, found <graphml>", 0},
    {"no_graph.gexf", "1:1", "expected a <graph> within <gexf>", 0},
    {"cut.gexf", "2:15", "the file ends inside <nodes> of line 2", 0},
    {"unknown_at_top.gexf", "2:1", "<nodes> is not expected within <gexf>", 0},
    {"unknown_in_graph.gexf", "3:1", "<edge> is not expected within <graph>", 0},
    {"unknown_in_edges.gexf", "6:1", "<Edge> is not expected within <edges>", 0},
    {"edge_in_nodes.gexf", "2:8", "<edge> is not expected within <nodes>", 0},
    {"edge_in_edge.gexf", "6:29", "<edge> is not expected within <edge>", 0},
    {"unknown_in_attributes.gexf", "2:26", "<node> is not expected within <attributes>", 0},
    {"unknown_in_attvalues.gexf", "6:40", "<b> is not expected within <attvalues>", 0},
    {"class.gexf", "2:20", "class is node or edge", 0},
    {"class_missing.gexf", "2:1", "<attributes> without class", 0},
    {"title_missing.gexf", "2:26", "<attribute> without title", 0},
    {"attribute_twice.gexf", "3:1", "the attribute '1' is declared a second time", 0},
    {"node_without_id.gexf", "2:8", "<node> without id", 0},
    {"node_twice.gexf", "2:38", "vertex 'a' is declared a second time", 0},
    {"source_missing.gexf", "6:1", "<edge> without source", 0},
    {"target_missing.gexf", "6:1", "<edge> without target", 0},
    {"unknown_target.gexf", "6:26", "there is no vertex '3'", 0},
    {"type.gexf", "6:35", "type is directed, undirected or mutual", 0},
    {"defaultedgetype.gexf", "2:25", "defaultedgetype is directed, undirected or mutual", 0},
    {"mixed.gexf", "7:1", "directed and undirected edges in one file: `direction=directed` or", 0},
    {"weight_word.gexf", "6:37", "expected a number for the weight, found 'heavy'", 0},
    {"weight_comma.gexf", "6:37", "expected a number for the weight, found '1,5'", 0},
    {"weight_infinite.gexf", "6:37", "weight 'INF' is not a finite number", 0},
    {"weight_twice.gexf", "6:51", "a second weight for this edge", 0},
    {"value_missing.gexf", "6:40", "<attvalue> without value", 0},
    {"for_missing.gexf", "6:40", "<attvalue> without for", 0},
    {"unknown_attribute.gexf", "6:40", "no attribute of edges has the id '7'", 0},
    {"weight_over_time.gexf", "6:40", "weights that change over time are not read", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("gexf", bad, LENGTH(bad)); }

#define NODES "<nodes><node id='1'/><node id='2'/></nodes>"

TEST(weights_and_direction_can_be_asked_for) {
    const char *text =
        "<gexf><graph defaultedgetype='directed'><attributes class='edge'><attribute id='0' title='cost' type='long'/>"
        "</attributes>" NODES "<edges><edge source='1' target='2' weight='4' type='mutual'><attvalues>"
        "<attvalue for='0' value='7'/></attvalues></edge></edges></graph></gexf>";
    weft_read_params p = reading("gexf");
    check_read(text, &p, "directed u32 [1 2] 1>2:4 2>1:4");
    p.weight_col = "weight";
    check_read(text, &p, "directed u32 [1 2] 1>2:4 2>1:4");
    p.weight_col = "Cost";
    check_read(text, &p, "directed u32 [1 2] 1>2:7 2>1:7");
    p.direction = WEFT_UNDIRECTED;
    check_read(text, &p, "undirected u32 [1 2] 1-2:7");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read(text, &p, "undirected none [1 2] 1-2");
    weft_ctx *ctx = new_ctx(0, NULL);
    p = reading("gexf");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(ctx, "<gexf><graph>" NODES "<edges>\n<edge source='1' target='2'/></edges></graph></gexf>", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:1: this edge has no weight");
    weft_ctx_free(ctx);
}

/* An attribute that was asked for by name is not made up. */
TEST(a_weight_by_name_must_be_there) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_read_params p = reading("gexf");
    p.weight_col = "cost";
    CHECK(!read_text(
        ctx, "<gexf><graph>" NODES "<edges><edge source='1' target='2' weight='3'/></edges></graph></gexf>", &p));
    CHECK_HAS(weft_ctx_message(ctx), "no attribute of the edges is called 'cost'");
    CHECK(!read_text(
        ctx,
        "<gexf><graph><attributes class='edge'><attribute id='0' title='cost' type='long'/></attributes>" NODES
        "<edges><edge source='1' target='2'><attvalues><attvalue for='0' value='3'/></attvalues></edge>\n"
        "<edge source='1' target='1' weight='5'/></edges></graph></gexf>",
        &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:1: this edge has no cost, though others have");
    weft_ctx_free(ctx);
}

TEST(notes_say_what_was_understood) {
    static const struct {
        const char *file, *note;
        int count;
    } files[] = {{"gephi.gexf", "weight 1 for 1 edge without a weight", 2},
                 {"networkx.gexf", "passed over: edge attributes color", 1},
                 {"kinds.gexf", "the kinds of the edges", 1},
                 {"plain.gexf", "", 0}};
    for (size_t i = 0; i < LENGTH(files); i++) {
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        char relative[64], path[512];
        snprintf(relative, sizeof relative, "golden/gexf/%s", files[i].file);
        weft_graph *g = NULL;
        CHECK(!weft_read(ctx, data_path(relative, path, sizeof path), NULL, &g));
        CHECK_I64(notes.count, files[i].count);
        CHECK_HAS(notes.text, files[i].note);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("gexf"), text, strlen(text), name);
}

TEST(the_first_element_is_recognised) {
    CHECK_I64(sniff("<gexf>", "x.txt"), 3);
    CHECK_I64(sniff("<?xml version='1.0'?>\n<!-- a -->\n<gexf xmlns='x'>", "x"), 3);
    CHECK_I64(sniff("<graphml>", "x"), 0);
    CHECK_I64(sniff("garbage", "x.gexf"), 1);
}

/* A node in a node in a node ... must not be followed by recursion. */
TEST(nesting_is_bounded) {
    enum { DEPTH = 200000 };
    char *text = malloc(DEPTH * 32 + 64);
    if (!text) exit(1);
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_read_params p = reading("gexf");
    for (int depth = 400; depth <= DEPTH; depth += DEPTH - 400) {
        size_t used = (size_t)sprintf(text, "<gexf><graph>");
        for (int i = 0; i < depth; i++) used += (size_t)sprintf(text + used, "<nodes><node id='%d'>", i);
        for (int i = 0; i < depth && depth < DEPTH; i++) used += (size_t)sprintf(text + used, "</node></nodes>");
        if (depth < DEPTH) used += (size_t)sprintf(text + used, "</graph></gexf>");
        weft_graph *g = NULL;
        weft_status st = weft_read_memory(ctx, text, used, "deep", &p, &g);
        CHECK_U64(st, depth < DEPTH ? WEFT_OK : WEFT_EINPUT);
        if (g) CHECK_U64(weft_graph_vertices(g), 400);
        if (!g) CHECK_HAS(weft_ctx_message(ctx), "nested more than 1000 deep");
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
    free(text);
}

TEST_MAIN()
