/* JSON documents: every shape by a golden file, every fault at its line and column; and the tokenizer by itself. */
#include "format_support.h"
#include "io/io.h"
#include "io/json/jsonrows.h"

static const golden_file golden[] = {
    {"array_pairs.json", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"big_ids.json", "directed none [-9223372036854775808 9007199254740993] 9007199254740993>-9223372036854775808", 1,
     NULL},
    {"bom.json", "directed none [1 2] 1>2", 1, NULL},
    {"columns_lists.json", "directed none [1 2 3] 1>2 2>1 2>3", 3, NULL},
    {"cytoscape.json", "directed u32 [a b] a>b:2", 1, NULL},
    {"cytoscape_array.json", "directed none [a b] b>a", 1, NULL},
    {"cytoscape_flat.json", "directed none [a b] a>b", 1, NULL},
    {"d3_ids.json", "directed f32 [Myriel Napoleon] Napoleon>Myriel:1.5", 1, NULL},
    {"d3_names.json", "directed none [A B] A>B", 1, NULL},
    {"d3_places.json", "directed u32 [Myriel Napoleon Valjean] Napoleon>Myriel:1 Valjean>Myriel:8", 2, NULL},
    {"edge_directions.json", "undirected none [1 2] 1-2", 1, NULL},
    {"escapes.json", "directed none [a\"\\/b 😀é] a\"\\/b>😀é", 1, NULL},
    {"graphology.json", "undirected u32 [e t] e-t:2", 1, NULL},
    {"graphology_type.json", "undirected none [0 1] 0-1", 1, NULL},
    {"huge_ids.json", "directed none [1 99999999999999999999] 99999999999999999999>1", 1, NULL},
    {"ids_and_places.json", "directed none [x y] y>x", 1, NULL},
    {"jgf.json", "undirected u32 [A B] A-B:4", 1, NULL},
    {"keys_in_any_order.json", "undirected none [1 3] 1-3", 1, NULL},
    {"networkx_cytoscape.json", "directed u32 [0 1 3] 3>1:7", 1, NULL},
    {"networkx_edges.json", "directed none [a b lone ü] a>b b>ü", 3, NULL},
    {"networkx_links.json", "undirected f32 [1 2 4 9] 1-2:0.5 2-4:1.25", 2, NULL},
    {"no_ids_places.json", "directed none [0 1 2] 0>2", 1, NULL},
    {"no_nodes.json", "directed none [10 20] 10>20", 1, NULL},
    {"nothing.json", "directed none []", 0, NULL},
    {"pairs.json", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"pairs_weights.json", "directed f32 [a b] a>b:0.5", 1, NULL},
    {"pandas_columns.json", "directed f32 [1 2 3] 1>2:0.5 2>1:2 2>3:1.5", 3, NULL},
    {"pandas_records.json", "directed f32 [1 2 3] 1>2:0.5 2>1:2 2>3:1.5", 3, NULL},
    {"pandas_split.json", "directed f32 [1 2 3] 1>2:0.5 2>1:2 2>3:1.5", 3, NULL},
    {"pandas_table.json", "directed f32 [1 2 3] 1>2:0.5 2>1:2 2>3:1.5", 3, NULL},
    {"pandas_values.json", "directed f32 [1 2 3] 1>2:0.5 2>1:2 2>3:1.5", 3, NULL},
    {"records_direction.json", "undirected none [a b c] a-b b-c", 2, NULL},
    {"records_empty.json", "directed none []", 0, "no edges"},
    {"records_float_ids.json", "directed none [0 1 2] 1>2 2>0", 2, NULL},
    {"value_is_text.json", "directed none [1 2] 1>2", 1, NULL},
    {"vis.json", "directed none [1 2] 1>2", 1, NULL},
    {"weight_over_value.json", "directed u32 [1 2] 1>2:3", 1, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("json", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"adjacency.json", "1:101", "NetworkX's adjacency_data, which Weft does not read: write", 0},
    {"ambiguous_places.json", "1:10", "the nodes have no \"id\", and a \"name\" that is a number: do", 0},
    {"attribute_twice.json", "2:1", "a second \"a\"", 0},
    {"blank.json", "2:2", "the file is empty: expected a JSON document", 0},
    {"both_forms.json", "1:26", "ids that are numbers stand bare in one place and in quotes", 0},
    {"colon_missing.json", "1:10", "expected a colon after the key", 0},
    {"columns_kinds.json", "1:33", "the target is an array: an id is a number or a string", 0},
    {"columns_lengths.json", "1:28", "the columns have different numbers of rows", 0},
    {"columns_rows.json", "1:30", "the columns have different keys for their rows", 0},
    {"comma_last.json", "1:20", "a ] where a value was expected (a comma before it", 0},
    {"comma_last_object.json", "1:24", "a comma before }, which JSON does not allow", 0},
    {"comma_missing.json", "1:13", "expected a comma or } here", 0},
    {"comment.json", "1:12", "a comment, which JSON does not allow", 0},
    {"control.json", "1:8", "a control character in a string, which JSON writes as \\u00..", 0},
    {"cytoscape_elements.json", "1:13", "\"elements\" is neither an object nor an array", 0},
    {"cytoscape_empty.json", "1:13", "\"elements\" has no arrays \"nodes\" and \"edges\"", 0},
    {"cytoscape_no_id.json", "1:23", "an element without an \"id\" in its \"data\"", 0},
    {"directed_number.json", "1:13", "\"directed\" is true or false", 0},
    {"directions.json", "2:1", "directed and undirected edges in one file: `direction=directed` or", 0},
    {"edge_four.json", "1:18", "an edge as an array has two ends and perhaps a weight, and", 0},
    {"edge_number.json", "1:11", "an edge is a number, where an object was expected", 0},
    {"edge_one.json", "1:11", "an edge without a target", 0},
    {"empty.json", "1:1", "the file is empty: expected a JSON document", 0},
    {"escape.json", "1:7", "a backslash in a string that begins no escape of JSON", 0},
    {"exponent.json", "1:16", "this is not a number as JSON writes it", 0},
    {"graphs.json", "1:11", "several graphs in one file: save the one that is wanted by", 0},
    {"id_array.json", "1:17", "the id is an array: an id is a number or a string", 0},
    {"id_fraction.json", "1:17", "the id is 1.5: an id is a whole number or a string", 0},
    {"id_null.json", "1:17", "the id is null: an id is a whole number or a string", 0},
    {"id_twice.json", "1:19", "a second \"id\"", 0},
    {"infinity.json", "1:43", "Infinity is not a number in JSON", 0},
    {"leading_zero.json", "1:12", "a number that begins with 0, which JSON does not allow (a", 0},
    {"links_and_edges.json", "2:9", "both \"links\" and \"edges\": which are the edges", 0},
    {"links_object.json", "1:10", "\"links\" is an object, where an array was expected", 0},
    {"lone_surrogate.json", "1:13", "an unpaired surrogate, which is not a character (\\ud83d needs", 0},
    {"low_surrogate.json", "1:13", "an unpaired surrogate, which is not a character (\\ud83d needs", 0},
    {"minus.json", "1:12", "this is not a number as JSON writes it", 0},
    {"minus_infinity.json", "1:43", "-Infinity is not a number in JSON", 0},
    {"nan.json", "1:43", "NaN is not a value in JSON (Python writes it for a number that", 0},
    {"newline_in_string.json", "1:8", "a line end in a string, which JSON writes as \\n", 0},
    {"no_shape.json", "1:1", "this JSON has no shape that Weft knows: {\"nodes\": [...],", 0},
    {"no_shape_array.json", "1:1", "this JSON has no shape that Weft knows: {\"nodes\": [...],", 0},
    {"node_no_id.json", "1:20", "this node has no \"id\", though others have", 0},
    {"node_null.json", "1:11", "a node is null, where an object, a number or a string was", 0},
    {"node_twice.json", "1:28", "vertex 'a' is declared a second time", 0},
    {"nodes_alone.json", "1:10", "there are \"nodes\", but no \"links\" or \"edges\" (an empty", 0},
    {"nodes_number.json", "1:10", "\"nodes\" is a number, where an array was expected", 0},
    {"nodes_twice.json", "1:13", "a second \"nodes\"", 0},
    {"not_closed.json", "2:10", "the file ends inside a value", 0},
    {"not_utf8.json", "1:14", "this is not UTF-8, which JSON must be (iconv -f LATIN1 -t", 0},
    {"nul_byte.json", "1:10", "expected a value: a number, a string in double quotes, an", 0},
    {"nul_character.json", "1:14", "the character U+0000, which a name cannot have", 0},
    {"orient_index.json", "1:1", "an object of objects: if pandas wrote it, orient=\"records\"", 0},
    {"place_beyond.json", "1:68", "no node has the place 2: they are 0 to 1", 0},
    {"places_names.json", "1:43", "the nodes have no \"id\", \"key\" or \"name\": links can only", 0},
    {"plus.json", "1:12", "a number with a plus sign, which JSON does not allow", 0},
    {"point.json", "1:12", "this is not a number as JSON writes it", 0},
    {"python_true.json", "1:13", "True is Python: JSON has true (json.dumps writes JSON)", 0},
    {"scalar.json", "1:1", "this JSON has no shape that Weft knows: {\"nodes\": [...],", 0},
    {"single_quoted_value.json", "1:11", "a single quote: JSON has double quotes (Python prints", 0},
    {"single_quotes.json", "1:2", "a single quote: JSON has double quotes (Python prints", 0},
    {"source_missing.json", "1:30", "an edge without a source", 0},
    {"split_longer.json", "1:51", "this row has more values than there are columns", 0},
    {"split_names.json", "1:13", "the name of a column is a number, where a string was", 0},
    {"string_not_closed.json", "1:11", "this string has no closing quote", 0},
    {"table_columns.json", "1:1", "no column name identifies the ends of the edges", 0},
    {"table_longer.json", "1:1", "several columns could be the weight, and no header names", 0},
    {"table_missing.json", "2:1", "this row has no \"target\"", 0},
    {"table_row.json", "2:1", "a row of the table is an array, where an object was expected", 0},
    {"two_values.json", "2:1", "more text after the end of the value", 0},
    {"unicode_escape.json", "1:7", "a backslash in a string that begins no escape of JSON", 0},
    {"unknown_end.json", "1:51", "there is no vertex '2'", 0},
    {"weight_missing.json", "2:1", "this edge has no weight, though others have (`weights=ignore`", 0},
    {"weight_null.json", "1:43", "the weight is null, where a number was expected", 0},
    {"weight_text.json", "1:43", "the weight is a string, where a number was expected", 0},
    {"word.json", "1:11", "expected a value: a number, a string in double quotes, an", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("json", bad, LENGTH(bad)); }

/* --- the tokenizer ---------------------------------------------------------------------- */

static weft_status skip_text(const char *text, wfi_json *j) {
    wfi_json_value v;
    *j = (wfi_json){.p = text, .end = text + strlen(text)};
    weft_status st = wfi_json_next(j, &v);
    if (!st) st = wfi_json_skip(j, &v);
    return st ? st : wfi_json_finish(j);
}

TEST(what_is_json_is_taken_and_nothing_else) {
    static const char *const good[] = {"0",
                                       "-0",
                                       "1.5e-7",
                                       "1E+5",
                                       "true",
                                       " null ",
                                       "\"\"",
                                       "\"\\u00e9\\n\\/\"",
                                       "[]",
                                       "{}",
                                       "[[],[{}]]",
                                       "{\"a\":{\"b\":[1,2,{}]},\"c\":null}",
                                       "\"\x7f\xff\"",
                                       "[1\r\n,\t2]"};
    static const char *const wrong[] = {
        "",          "01",     "1.",   ".5",        "+1",      "1e",       "1e+",      "-",          "tru",
        "nul",       "[1,]",   "[,1]", "[1 2]",     "{\"a\"}", "{\"a\":}", "{a:1}",    "{\"a\":1,}", "\"\\q\"",
        "\"\\u12\"", "\"\n\"", "[1}",  "{\"a\":1]", "1 2",     "[",        "{\"a\":1", "\"abc"};
    wfi_json j;
    for (size_t i = 0; i < LENGTH(good); i++)
        if (skip_text(good[i], &j)) HARNESS_FAIL("%s: %s", good[i], j.why);
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        if (skip_text(wrong[i], &j) != WEFT_EINPUT) HARNESS_FAIL("%s passes", wrong[i]);
        if (!j.why || j.at < wrong[i] || j.at > wrong[i] + strlen(wrong[i])) HARNESS_FAIL("%s: no place", wrong[i]);
    }
}

TEST(values_may_be_nested_up_to_a_bound) {
    char text[2 * WFI_JSON_DEEPEST + 8];
    for (int more = 0; more < 2; more++) {
        size_t depth = WFI_JSON_DEEPEST + (size_t)more;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = 0;
        wfi_json j;
        CHECK_I64(skip_text(text, &j), more ? WEFT_EINPUT : WEFT_OK);
        if (more) CHECK_HAS(j.why, "nested deeper");
    }
}

static void check_text(const char *quoted, const char *want) {
    weft_ctx *ctx = new_ctx(1, NULL);
    wfi_json j = {.ctx = ctx, .p = quoted, .end = quoted + strlen(quoted)};
    wfi_text_room room = {0};
    wfi_json_value v;
    const char *text;
    size_t length;
    CHECK(!wfi_json_next(&j, &v));
    weft_status st = wfi_json_text(&j, &v, &room, &text, &length);
    if (!want)
        CHECK_I64(st, WEFT_EINPUT);
    else if (st || length != strlen(want) || memcmp(text, want, length))
        HARNESS_FAIL("%s: %s", quoted, st ? j.why : "another text");
    if (want) CHECK(wfi_json_is(&v, want, strlen(want)));
    if (want) CHECK(!wfi_json_is(&v, want, strlen(want) - 1));
    wfi_free(room.text);
    weft_ctx_free(ctx);
}

TEST(escapes_become_utf8) {
    check_text("\"plain \xc3\xa9\"", "plain \xc3\xa9");
    check_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
    check_text("\"\\u0041\\u00e9\\u20ac\\uD83D\\uDE00z\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
    check_text("\"\\ud800\"", NULL);
    check_text("\"\\ud800\\u0041\"", NULL);
    check_text("\"\\udc00\"", NULL);
    check_text("\"\\u0000\"", NULL);
    check_text("\"\xff\"", NULL);
    check_text("\"\xed\xa0\x80\"", NULL);
    check_text("\"\xc0\x80\"", NULL);
}

/* --- flags ---------------------------------------------------------------------------------- */

TEST(weights_ends_and_direction_can_be_asked_for) {
    const char *text = "{\"links\":[{\"source\":2,\"target\":1,\"weight\":4,\"cost\":7,\"a\":5,\"b\":6}]}";
    weft_read_params p = reading("json");
    p.direction = WEFT_UNDIRECTED;
    check_read(text, &p, "undirected u32 [1 2] 1-2:4");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read(text, &p, "undirected none [1 2] 1-2");
    p = reading("json");
    p.weight_col = "cost";
    p.source_col = "a";
    p.target_col = "b";
    check_read(text, &p, "directed u32 [5 6] 5>6:7");
    p.weight_col = "none";
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK(!read_text(ctx, text, &p));
    CHECK_HAS(weft_ctx_message(ctx), "no edge has the key \"none\"");
    weft_ctx_free(ctx);
    p = reading("json");
    p.ids = WEFT_READ_IDS_STRING;
    check_read("[[1,\"1\"],[\"2\",1]]", &p, "directed none [1 2] 1>1 2>1");
    p = reading("json");
    p.weight_col = "2";
    p.source_col = "3";
    p.target_col = "1";
    check_read("[[1,5,2],[4,6,1]]", &p, "directed u32 [1 2 4] 1>4:6 2>1:5");
}

static void keep_note(void *user, const char *text) {
    char *room = user;
    strncat(room, text, 200);
}

static void check_note(const char *text, const char *want) {
    char notes[1024] = "";
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_ctx_set_note(ctx, keep_note, notes);
    weft_graph *g = read_text(ctx, text, NULL);
    CHECK(g != NULL);
    if (want)
        CHECK_HAS(notes, want);
    else
        CHECK_TEXT(notes, "");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(choices_are_said) {
    check_note("{\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"links\":[{\"source\":0,\"target\":1}]}",
               "places in \"nodes\", counted from 0");
    check_note("{\"links\":[{\"source\":0,\"target\":1,\"value\":2}]}", "the weight of an edge is its \"value\"");
    check_note("{\"links\":[{\"source\":0,\"target\":1,\"value\":\"x\"}]}", "not taken as the weight");
    check_note("[{\"from\":0,\"to\":1,\"year\":1}]", "columns: from \u2192 to; passed over: year");
    check_note("{\"nodes\":[{\"id\":0}],\"links\":[{\"source\":0,\"target\":0,\"weight\":2}]}", NULL);
}

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("json"), text, strlen(text), name);
}

TEST(documents_are_recognised) {
    CHECK_I64(sniff("{\"nodes\": [", "x"), 3);
    CHECK_I64(sniff("{\"a\": [1], \"links\": [{", "x.jsonl"), 3);
    CHECK_I64(sniff("{\"a\": 1}", "x"), 2);
    CHECK_I64(sniff("\xef\xbb\xbf\n [ {\"source\"", "x.txt"), 2);
    CHECK_I64(sniff("[[1,2],[2,3]]", "x"), 2);
    CHECK_I64(sniff("[1, 2]\n[2, 3]\n", "x"), 0);
    CHECK_I64(sniff("[a] [b]\n", "x.txt"), 0);
    CHECK_I64(sniff("{a} {b}\n", "x.txt"), 0);
    CHECK_I64(sniff("{\"a\":1}\n{\"a\":2}\n", "x.json"), 1);
    CHECK_I64(sniff("1 2\n", "x.json"), 1);
    CHECK_I64(sniff("", "x"), 0);
}

/* A graph as large as a few thousand items asks whether to stop. */
static int stop_now(void *user) { return ++*(int *)user > 0; }

TEST(reading_can_be_stopped) {
    char *text = malloc(1 << 20);
    REQUIRE(text != NULL);
    size_t used = (size_t)sprintf(text, "[[1,2]");
    for (int i = 0; i < 50000; i++) used += (size_t)sprintf(text + used, ",[%d,%d]", i, i + 1);
    used += (size_t)sprintf(text + used, "]");
    weft_ctx *ctx = new_ctx(1, NULL);
    int asked = 0;
    weft_ctx_set_cancel(ctx, stop_now, &asked);
    weft_graph *g = NULL;
    CHECK_I64(weft_read_memory(ctx, text, used, "x.json", NULL, &g), WEFT_ECANCELLED);
    CHECK(!g);
    weft_ctx_free(ctx);
    free(text);
}

TEST_MAIN()
