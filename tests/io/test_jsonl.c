/* JSON lines: golden files, faults at their line and column, blocks of several threads, flags, and the writer. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"arrays.jsonl", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"arrays_weights.jsonl", "directed u32 [1 2 3] 1>2:5 2>3:6", 2, NULL},
    {"bom.jsonl", "directed none [1 2 3] 1>2 1>3", 2, NULL},
    {"direction.jsonl", "undirected none [a b c] a-b b-c", 2, NULL},
    {"empty.jsonl", "directed none []", 0, "no edges"},
    {"escapes.jsonl", "directed none [a\tb é 😀] a\tb>é é>😀", 2, NULL},
    {"floats.jsonl", "directed none [-5 0 1 2] 0>-5 1>2", 2, NULL},
    {"huge_ids.jsonl", "directed none [1 99999999999999999999] 99999999999999999999>1", 1, NULL},
    {"lines.json", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"names.jsonl", "directed none [7 ann bob] ann>bob bob>7", 2, NULL},
    {"one_line.txt", "directed none [3 4] 3>4", 1, NULL},
    {"pandas_lines.jsonl", "directed f32 [1 2 3] 1>2:0.5 2>1:2 2>3:1.5", 3, NULL},
    {"passed_over.jsonl", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"plain.jsonl", "directed none [1 2 4] 1>2 2>4", 2, NULL},
    {"quoted_numbers.jsonl", "directed none [1 10 2] 1>2 2>10", 2, NULL},
    {"weights.ndjson", "directed f32 [1 2 4] 1>2:0.5 2>4:2", 2, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("jsonl", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"both_forms.jsonl", "2:11", "ids that are numbers stand bare in one place and in quotes", 0},
    {"columns.jsonl", "1:1", "no column name identifies the ends of the edges", 0},
    {"directions.jsonl", "2:31", "directed and undirected edges in one file: `direction=directed` or", 0},
    {"id_bool.jsonl", "1:11", "the source is true: an id is a whole number or a string", 0},
    {"id_exponent.jsonl", "1:11", "the source is 1e3: an id is a whole number or a string", 0},
    {"id_fraction.jsonl", "1:11", "the source is 1.5: an id is a whole number or a string", 0},
    {"id_object.jsonl", "1:11", "the source is an object: an id is a whole number or a string", 0},
    {"key_twice.jsonl", "1:22", "a second value for the same key", 0},
    {"longer.jsonl", "1:1", "several columns could be the weight, and no header names", 0},
    {"mixed_rows.jsonl", "2:1", "a row of the table is an array, where an object was expected", 0},
    {"nan.jsonl", "1:33", "NaN is not a value in JSON (Python writes it for a number that", 0},
    {"not_json.jsonl", "1:1", "a row of the table is a number, where an object or an array", 0},
    {"not_utf8.jsonl", "1:12", "this is not UTF-8, which JSON must be (iconv -f LATIN1 -t", 0},
    {"over_lines.jsonl", "1:13", "the line ends inside a value (one object or array per line is", 0},
    {"scalar.jsonl", "1:1", "a row of the table is a number, where an object or an array", 0},
    {"source_missing.jsonl", "2:1", "this row has no \"source\"", 0},
    {"string_open.jsonl", "1:15", "expected a comma or } here", 0},
    {"surrogate.jsonl", "1:12", "an unpaired surrogate, which is not a character (\\ud83d needs", 0},
    {"target_null.jsonl", "2:22", "the target is null: an id is a whole number or a string", 0},
    {"times.jsonl", "1:1", "a column of numbers that look like times: is it a weight", 0},
    {"two_a_line.jsonl", "1:25", "more text after the value on this line: one object or", 0},
    {"weight_huge.jsonl", "1:33", "the weight is too large for a 32-bit weight; `weight_type=f64` keeps", 0},
    {"weight_missing.jsonl", "2:1", "this row has no \"weight\" (`weights=ignore` reads without", 0},
    {"weight_null.jsonl", "2:33", "the weight is null, where a number was expected", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("jsonl", bad, LENGTH(bad)); }

TEST(flags_choose_columns_ids_and_weights) {
    weft_read_params p = reading("jsonl");
    p.source_col = "b";
    p.target_col = "a";
    check_read("{\"a\":1,\"b\":2}\n{\"b\":3,\"a\":4}\n", &p, "directed none [1 2 3 4] 2>1 3>4");
    p.weight_col = "gr\xc3\xb6\xc3\x9f"
                   "e"; /* as pandas writes it, with escapes */
    check_read("{\"a\":1,\"b\":2,\"gr\\u00f6\\u00dfe\":7}\n", &p, "directed u32 [1 2] 2>1:7");
    p = reading("jsonl");
    p.ids = WEFT_READ_IDS_INTEGER;
    check_read("{\"source\":\"10\",\"target\":2}\n", &p, "directed none [2 10] 10>2");
    p.ids = WEFT_READ_IDS_STRING;
    check_read("{\"source\":\"10\",\"target\":10}\n", &p, "directed none [10] 10>10");
    p = reading("jsonl");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read("{\"source\":1,\"target\":2,\"weight\":null}\n", &p, "directed none [1 2] 1>2");
    p.vertices = 4;
    check_read("[1,2]\n[3,0]\n", &p, "directed none [0 1 2 3] 1>2 3>0");
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK(!read_text(ctx, "[1,2]\n[4,0]\n", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:2: id 4: with `vertices=4`");
    p = reading("jsonl");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(ctx, "{\"source\":1,\"target\":2}\n", &p));
    CHECK_HAS(weft_ctx_message(ctx), "weights were asked for");
    weft_ctx_free(ctx);
}

/* Several blocks; `odd` stands as a line of its own at byte 3 MiB. */
static char *many_lines(const char *pattern, const char *odd, size_t *bytes) {
    char *text = malloc(5u << 20);
    if (!text) exit(1);
    size_t used = 0;
    bool put = false;
    for (unsigned i = 0; used < (4u << 20); i++) {
        if (used > (3u << 20) && odd && !put) {
            used += (size_t)sprintf(text + used, "%s\n", odd);
            put = true;
        }
        used += (size_t)sprintf(text + used, pattern, i % 3000, i * 7 % 3001);
    }
    *bytes = used;
    return text;
}

static void check_threads(const char *pattern, uint64_t vertices) {
    size_t bytes;
    char *text = many_lines(pattern, NULL, &bytes);
    uint64_t first = 0;
    for (int threads = 1; threads <= 7; threads += 3) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_read_params p = WEFT_READ_DEFAULTS;
        weft_graph *g = NULL;
        uint64_t print = 0;
        if (weft_read_memory(ctx, text, bytes, "x.jsonl", &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        if (g) CHECK(!weft_graph_fingerprint(ctx, g, &print));
        if (g) CHECK_U64(weft_graph_vertices(g), vertices);
        if (threads == 1) first = print;
        CHECK_U64(print, first);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(text);
}

TEST(threads_make_no_difference) {
    check_threads("{\"source\":%u,\"target\":%u}\n", 3001);
    check_threads("{\"source\":\"n%u\",\"target\":\"n%u\",\"weight\":0.5}\n", 3001);
    check_threads("[%u, %u]\n", 3001);
}

/* What the head could not know. */
static void check_late(const char *pattern, const char *odd, const char *part) {
    size_t bytes;
    char *text = many_lines(pattern, odd, &bytes), place[64];
    size_t line = 1;
    const char *at = strstr(text, odd);
    for (const char *p = text; p < at; p++) line += *p == '\n';
    snprintf(place, sizeof place, "x.jsonl:%zu:", line);
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        CHECK_I64(weft_read_memory(ctx, text, bytes, "x.jsonl", NULL, &g), WEFT_EINPUT);
        CHECK_HAS(weft_ctx_message(ctx), place);
        CHECK_HAS(weft_ctx_message(ctx), part);
        weft_ctx_free(ctx);
    }
    free(text);
}

TEST(late_lines_are_held_against_the_first) {
    const char *numbers = "{\"source\":%u,\"target\":%u}\n", *names = "{\"source\":\"a%u\",\"target\":\"b%u\"}\n";
    check_late(numbers, "{\"source\":\"x\",\"target\":1}",
               "in quotes, but ids are whole numbers in the first lines (for names: `ids=string`)");
    check_late(numbers, "{\"source\":1,\"target\":2,\"weight\":3}", "the key \"weight\", which no row before has");
    check_late(numbers, "{\"source\":1,\"trget\":2}", "no \"target\"");
    check_late(numbers, "{\"source\":1,\"target\":99999999999999999999}", "does not fit in 64 bits");
    check_late("[%u,%u]\n", "[1,2,3]", "more values than those before");
    check_late("{\"source\":\"%u\",\"target\":\"%u\"}\n", "{\"source\":1,\"target\":\"2\"}",
               "bare in one place and in quotes");
    check_late(names, "{\"source\":\"a\",\"target\":\"b\"", "the line ends inside a value");
}

TEST(late_ids_in_both_forms_are_refused) {
    size_t bytes;
    char *text = many_lines("{\"source\":\"a%u\",\"target\":\"b%u\"}\n", "{\"source\":1,\"target\":\"1\"}", &bytes);
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    CHECK_I64(weft_read_memory(ctx, text, bytes, "x.jsonl", NULL, &g), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "bare in one place and in quotes");
    weft_ctx_free(ctx);
    free(text);
}

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("jsonl"), text, strlen(text), name);
}

TEST(lines_of_objects_are_recognised) {
    CHECK_I64(sniff("{\"a\":1}\n{\"b\":2}\n", "x.json"), 3);
    CHECK_I64(sniff("{\"source\":1,\"target\":2}", "x"), 3);
    CHECK_I64(sniff("{\"nodes\":[],\"links\":[]}\n", "x"), 0);
    CHECK_I64(sniff("[1,2]\n[2,3]\n", "x.txt"), 0);
    CHECK_I64(sniff("[1,2]\n[2,3]\n", "x.jsonl"), 2);
    CHECK_I64(sniff("[1,2]\n[2,3]\n", "x.json"), 3);
    CHECK_I64(sniff("{\"a\":1,\"b\":2}", "x.jsonl"), 2);
    CHECK_I64(sniff("{\n\"a\":1}\n", "x"), 0);
    CHECK_I64(sniff("1 2\n", "x.ndjson"), 1);
    CHECK_I64(sniff("", "x"), 0);
}

TEST(small_graphs_come_back) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_build_params directed = WEFT_BUILD_DEFAULTS;
    directed.direction = WEFT_DIRECTED;
    weft_vid from[] = {0, 1, 2, 2}, to[] = {1, 2, 0, 2};
    float weights[] = {0.7f, 3, -1e-30f, 1e30f};
    weft_graph *g = NULL;
    CHECK(!weft_graph_from_edges(ctx, 3, 4, from, to, weights, WEFT_WEIGHT_F32, &directed, &g));
    check_round_trip(ctx, g, "x.jsonl", "floats");
    check_round_trip(ctx, g, "x.ndjson.gz", "packed");
    weft_graph_free(g);
    weft_read_params data = WEFT_READ_DEFAULTS;
    data.header = WEFT_HEADER_NO;
    g = read_text(ctx, "\"a \"\"quoted\"\" \\ name\"\tb\nb\t\"7\"\n\"\xc3\xa9\"\t\"1\"\n", &data);
    REQUIRE(g != NULL);
    check_round_trip(ctx, g, "x.jsonl", "names");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_is_lost_is_said) {
    warnings w;
    weft_ctx *ctx = new_ctx(0, &w);
    char folder[256], path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/x.jsonl", folder);
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    p.vertices = 3;
    weft_graph *g = read_text(ctx, "0 1\n", &p);
    REQUIRE(g != NULL);
    CHECK(!weft_write(ctx, g, path, NULL));
    CHECK_I64(w.count, 2);
    weft_graph_free(g);
    g = read_text(ctx, "M\xfcller b\n", NULL);
    REQUIRE(g != NULL);
    CHECK_I64(weft_write(ctx, g, path, NULL), WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "vertex 'M\\xfcller': its byte 2 (0xfc)");
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST_MAIN()
