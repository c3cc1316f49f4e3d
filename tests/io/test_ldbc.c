/* LDBC .v and .e: golden pairs of files under any of their names, compressed or not; bad ones; real ones. */
#include "format_support.h"

static const struct {
    const char *stem, *graph;
    uint64_t records, isolated;
} golden[] = {
    {"weighted", "directed f32 [1 2 3 5] 1>2:0.5 2>3:1", 2, 1},
    {"plain", "directed none [-2 3 7] 3>7 7>3", 2, 1},
    {"undirected", "undirected none [10 20 30] 10-20 20-30", 2, 0},
    {"directed", "directed none [1 2] 2>1", 1, 0},
    {"no_edges", "directed none [2 4]", 0, 2},
    {"comments", "directed none [1 2] 1>2 2>1", 2, 0},
    {"crlf", "directed u32 [1 2] 1>2:3 2>1:4", 2, 0},
    {"with_properties", "directed f32 [17 18 20] 17>18:0.5 18>17:2", 2, 1},
};

TEST(a_graph_is_read_by_either_file_or_by_its_bare_name) {
    static const char *const extensions[] = {".e", ".v", ""};
    for (size_t i = 0; i < LENGTH(golden); i++)
        for (size_t k = 0; k < LENGTH(extensions); k++)
            for (int threads = 1; threads < 4; threads += 2) {
                char relative[128], path[1024], text[512];
                warnings w;
                weft_ctx *ctx = new_ctx(threads, &w);
                weft_graph *g = NULL;
                snprintf(relative, sizeof relative, "golden/ldbc/%s.e", golden[i].stem);
                data_path(relative, path, sizeof path);
                strcpy(path + strlen(path) - 2, extensions[k]);
                if (weft_read(ctx, path, NULL, &g)) {
                    HARNESS_FAIL("%s", weft_ctx_message(ctx));
                } else {
                    weft_graph_info info = info_of(ctx, g);
                    CHECK_TEXT(graph_text(g, text, sizeof text), golden[i].graph);
                    CHECK_U64(info.records, golden[i].records);
                    CHECK_U64(info.isolated, golden[i].isolated);
                    CHECK_TEXT(info.format, "ldbc");
                    CHECK_I64(w.count, info.direction_doubt != WEFT_DOUBT_NONE);
                }
                weft_graph_free(g);
                CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
                weft_ctx_free(ctx);
            }
}

static const struct {
    const char *named, *place, *part; /* place: the file, line and column of the fault */
} bad[] = {
    {"not_listed.e", "not_listed.e:2:3", "vertex 4 is not listed in the .v file"},
    {"not_listed.v", "not_listed.e:2:3", "vertex 4 is not listed in the .v file"},
    {"not_listed_far.e", "not_listed_far.e:2:2", "vertex 8000000000000 is not listed"},
    {"not_listed_gap.e", "not_listed_gap.e:2:3", "vertex 3 is not listed"},
    {"empty.e", "empty.e:1:1", "vertex 1 is not listed"},
    {"vertex_word.e", "vertex_word.v:2:1", "found 'two'"},
    {"vertex_two.e", "vertex_two.v:2:3", "expected the end of the line, as in the first, found '"},
    {"vertex_2_63.e", "vertex_2_63.v:2:2", "does not fit in 64 bits"},
    {"edge_word.e", "edge_word.e:1:3", "found 'x'"},
    {"edge_one_end.e", "edge_one_end.e:2:2", "found the end of the line"},
    {"edge_tail.e", "edge_tail.e:2:5", "expected the end of the line, as in the first, found '3'"},
    {"weight_missing.e", "weight_missing.e:2:4", "expected a weight, as in the first line"},
    {"weight_nan.e", "weight_nan.e:1:5", "`weights=ignore`"},
    {"weight_word.e", "weight_word.e:2:5", "expected a weight, found 'x'"},
    {"weight_tail.e", "weight_tail.e:2:7", "expected the end of the line"},
    {"property_missing.e", "property_missing.v:2:2", "expected 1 property, as in the first line, found fewer"},
    {"property_more.e", "property_more.e:3:11", "expected 2 properties, as in the first line, found 'z'"},
    {"nul.e", "nul.e:2:3", "\\x00"},
    {"properties", "properties.properties:2:20", "expected true or false, found 'perhaps'"},
};

TEST(bad_files_are_refused_with_their_place) {
    char folder[512];
    data_path("bad/ldbc", folder, sizeof folder);
    for (size_t i = 0; i < LENGTH(bad); i++)
        for (int threads = 1; threads < 4; threads += 2) {
            char path[1024], start[1024];
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_graph *g = NULL;
            snprintf(path, sizeof path, "%s/%s", folder, bad[i].named);
            snprintf(start, sizeof start, "%s/%s: ", folder, bad[i].place);
            CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EINPUT);
            CHECK(!g);
            if (strncmp(weft_ctx_message(ctx), start, strlen(start)) || !strstr(weft_ctx_message(ctx), bad[i].part))
                HARNESS_FAIL("the message is \"%s\", expected \"%s ... %s\"", weft_ctx_message(ctx), start,
                             bad[i].part);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST(properties_are_passed_over_and_counted) {
    char path[1024];
    warnings notes = {0, ""};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_ctx_set_note(ctx, note_warning, &notes);
    REQUIRE(!weft_read(ctx, data_path("golden/ldbc/with_properties.e", path, sizeof path), NULL, &g));
    CHECK_I64(notes.count, 2);
    CHECK_HAS(notes.text, "with_properties.v: passed over 1 property per line");
    CHECK_HAS(notes.text, "with_properties.e: passed over 2 properties per line");
    weft_graph_free(g);
    g = NULL;
    notes = (warnings){0, ""};
    REQUIRE(!weft_read(ctx, data_path("golden/ldbc/weighted.e", path, sizeof path), NULL, &g));
    CHECK_I64(notes.count, 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(an_edge_file_alone_is_read_with_a_warning) {
    char path[1024], text[256];
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = NULL;
    REQUIRE(!weft_read(ctx, data_path("golden/ldbc/alone.e", path, sizeof path), NULL, &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [5 6 9] 5>6 6>9");
    CHECK_I64(w.count, 1);
    CHECK_HAS(w.text, "there is no .v file");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_vertex_file_alone_is_refused) {
    char folder[256], path[512];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.v", folder);
    REQUIRE(write_file(path, "1\n2\n", 4));
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "no .e file");
    path[strlen(path) - 2] = 0;
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EIO);
    strcat(path, "x");
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EIO);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(the_caller_may_choose_direction_and_weights) {
    char path[1024], text[256];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_read_params p = reading(NULL);
    p.direction = WEFT_DIRECTED;
    REQUIRE(!weft_read(ctx, data_path("golden/ldbc/undirected.e", path, sizeof path), &p, &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [10 20 30] 10>20 20>30");
    weft_graph_free(g);
    p.direction = WEFT_UNDIRECTED;
    p.weights = WEFT_WEIGHTS_IGNORE;
    REQUIRE(!weft_read(ctx, data_path("bad/ldbc/weight_word.e", path, sizeof path), &p, &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "undirected none [1 2] 1-2");
    weft_graph_free(g);
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK_U64(weft_read(ctx, data_path("golden/ldbc/plain.e", path, sizeof path), &p, &g), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "no weights");
    weft_ctx_free(ctx);
}

/* Files of several blocks, compressed with what the library itself writes: an edge list is an .e file. */
TEST(compressed_files_of_many_blocks_are_found_and_read) {
    enum { N = 250000 };
    char folder[256], path[512];
    warnings w;
    weft_ctx *ctx = new_ctx(3, &w);
    REQUIRE(make_temp(folder, sizeof folder));
    char *ids = malloc(N * 12), *list = malloc(N * 24);
    size_t id_bytes = 0, list_bytes = 0;
    REQUIRE(ids && list);
    for (int v = N - 1; v >= 0; v--) id_bytes += (size_t)sprintf(ids + id_bytes, "%d\n", 3 * v + 1);
    for (int v = 0; v + 1 < N; v += 2)
        list_bytes += (size_t)sprintf(list + list_bytes, "%d %d\n", 3 * v + 1, 3 * (v / 2) + 1);
    snprintf(path, sizeof path, "%s/g.v", folder);
    REQUIRE(write_file(path, ids, id_bytes));
    weft_graph *g = NULL, *whole = NULL;
    weft_read_params p = reading("edgelist");
    REQUIRE(!weft_read_memory(ctx, list, list_bytes, "list", &p, &g));
    snprintf(path, sizeof path, "%s/g.e.zst", folder);
    weft_write_params to = WEFT_WRITE_DEFAULTS;
    to.format = "edgelist";
    REQUIRE(!weft_write(ctx, g, path, &to));
    snprintf(path, sizeof path, "%s/g", folder);
    if (weft_read(ctx, path, NULL, &whole)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (whole) {
        CHECK_U64(weft_graph_vertices(whole), N);
        CHECK_U64(weft_graph_edges(whole), weft_graph_edges(g));
        weft_vid u = 0, v = 0;
        CHECK(!weft_graph_find(ctx, whole, "300001", &u) && !weft_graph_find(ctx, whole, "150001", &v));
        CHECK(weft_graph_has_arc(whole, u, v, NULL));
    }
    weft_graph_free(g);
    weft_graph_free(whole);
    free(ids);
    free(list);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(the_real_examples_have_the_counts_of_their_properties) {
    if (!shared_data()) SKIP("the shared data is not here");
    static const struct {
        const char *stem;
        uint64_t vertices, edges;
    } files[] = {{"example/example-directed", 10, 17},
                 {"example/example-undirected", 9, 12},
                 {"sssp/dir-input", 10, 13},
                 {"sssp/undir-input", 12, 14}};
    for (size_t i = 0; i < LENGTH(files); i++) {
        char path[4096];
        warnings w;
        weft_ctx *ctx = new_ctx(0, &w);
        weft_graph *g = NULL;
        snprintf(path, sizeof path, "%s/graphalytics-validation/%s", shared_data(), files[i].stem);
        if (weft_read(ctx, path, NULL, &g)) {
            HARNESS_FAIL("%s", weft_ctx_message(ctx));
        } else {
            weft_graph_info info = info_of(ctx, g);
            CHECK_U64(info.vertices, files[i].vertices);
            CHECK_U64(info.records, files[i].edges);
            CHECK_U64(info.weight_type, WEFT_WEIGHT_F32);
            CHECK_I64(w.count, 0);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
