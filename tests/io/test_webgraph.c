/* BV-compressed graphs: golden pairs of files under any of their names (those called java... were written by the
 * framework itself), bad ones with node and bit, a METIS file that has the same extension, a real one.  All codes and
 * settings go through test_webgraph_codes.sh. */
#include "format_support.h"

#define TWELVE                                                                                                       \
    "directed none [0 1 2 3 4 5 6 7 8 9 10 11] 0>1 0>2 0>3 0>4 0>5 0>7 1>1 1>2 1>3 1>4 1>5 1>9 3>0 3>3 3>4 3>6 3>7 " \
    "3>8 3>11 4>3 4>4 4>6 4>7 4>8 4>10 4>11 5>5 6>0 6>1 6>2 6>3 6>4 6>5 6>6 6>7 6>8 6>9 6>10 6>11 8>8 8>11 9>1 9>2 " \
    "9>3 9>4 9>5 9>8 10>0 10>11"

static const golden_file golden[] = {
    {"java", TWELVE, 49, NULL},
    {"java_codes", TWELVE, 49, NULL},
    {"no_window", TWELVE, 49, NULL},
    {"no_intervals", TWELVE, 49, NULL},
    {"little", TWELVE, 49, NULL},
    {"rust", TWELVE, 49, NULL},
    {"old_class", "directed none [0 1 2 3 4 5 6 7] 0>1 0>7 1>0 7>2", 4, NULL},
    {"big_class", "directed none [0] 0>0", 1, NULL},
    {"empty", "directed none []", 0, NULL},
    {"no_arcs", "directed none [0 1 2]", 0, NULL},
    {"padded", "directed none [0 1] 0>1 1>0", 2, NULL},
    {"spaced", "directed none [0 1] 0>1 1>0", 2, NULL},
};

TEST(a_graph_is_read_by_either_file_or_by_its_basename) {
    static const char *const extensions[] = {"", ".graph", ".properties"};
    char folder[512], path[1024];
    data_path("golden/webgraph", folder, sizeof folder);
    CHECK_I64(count_entries(folder), 2 * LENGTH(golden));
    for (size_t i = 0; i < LENGTH(golden); i++)
        for (size_t k = 0; k < LENGTH(extensions); k++) {
            snprintf(path, sizeof path, "%s/%s%s", folder, golden[i].file, extensions[k]);
            check_golden_file("webgraph", path, &golden[i], 1 + (int)k);
        }
}

static const struct {
    const char *file, *place, *part; /* place: extension, line and column of the fault */
    weft_status status;
} bad[] = {
    {"cut", ".graph:1:3", "the file ends within the row of node 0 of 4", 0},
    {"zeros", ".graph:1:9", "the file ends within the row of node 0 of 4", 0},
    {"degree", ".graph:1:1", "node 0, bit 0: the row is longer than there are vertices (4)", 0},
    {"residual", ".graph:1:1", "node 0, bit 5: the target is not one of the 4 vertices", 0},
    {"residual_before", ".graph:1:1", "node 0, bit 5: the target is not one of the 4 vertices", 0},
    {"gap", ".graph:1:2", "node 0, bit 9: the target is not one of the 4 vertices", 0},
    {"back_before", ".graph:1:1", "node 0, bit 3: the row copied from lies before the first", 0},
    {"back_window", ".graph:1:3", "node 2, bit 16: the row copied from is farther back than the window of 1", 0},
    {"blocks", ".graph:1:3", "node 1, bit 17: more blocks than the 2 entries", 0},
    {"block_long", ".graph:1:3", "node 1, bit 20: a block goes beyond the row", 0},
    {"block_second", ".graph:1:3", "node 1, bit 23: a block goes beyond the row", 0},
    {"copied_more", ".graph:1:2", "node 1, bit 15: 2 entries are copied, but the row has 1", 0},
    {"twice", ".graph:1:2", "node 1, bit 12: the row lists target 1 twice", 0},
    {"intervals", ".graph:1:1", "node 0, bit 6: more intervals", 0},
    {"interval_left", ".graph:1:2", "node 0, bit 9: an interval does not begin at one of the 4 vertices", 0},
    {"interval_second", ".graph:1:2", "node 0, bit 11: an interval does not begin at one of the 4 vertices", 0},
    {"interval_long", ".graph:1:2", "node 0, bit 10: an interval is longer than the row", 0},
    {"interval_beyond", ".graph:1:2", "node 0, bit 12: an interval goes beyond the 4 vertices", 0},
    {"arcs_more", ".graph:1:2", "more than the 1 arcs that the properties promise", 0},
    {"arcs_fewer", ".graph:1:3", "the rows hold 2 arcs, but the properties promise 3", 0},
    {"tail", ".graph:1:2", "the last row ends at bit 15, but more than padding follows", 0},
    {"tail_bit", ".graph:1:2", "the last row ends at bit 15, but more than padding follows", 0},
    {"tail_long", ".graph:1:2", "the last row ends at bit 15, but more than padding follows", 0},
    {"nodes_bits", ".graph:1:1", "promise 4000000000 nodes, but the file has only 8 bits", 0},
    {"nodes_most", ".properties:4:7", "nodes can be 4294967294 at most", 0},
    {"nodes_missing", ".properties:1:1", "the key nodes is missing", 0},
    {"nodes_word", ".properties:4:7", "expected a whole number, found 'many'", 0},
    {"arcs_minus", ".properties:5:6", "expected a whole number, found '-1'", 0},
    {"version", ".properties:3:9", "version can be 1 at most", 0},
    {"zetak_0", ".properties:9:7", "zetak is at least 1", 0},
    {"zetak_29", ".properties:1:1", "zetak can be 28 at most", 0},
    {"endianness", ".properties:11:12", "expected big or little, found 'middle'", 0},
    {"flag_code", ".properties:10:37", "Weft does not know RESIDUALS_PI2", WEFT_EUNSUPPORTED},
    {"flag_field", ".properties:10:18", "Weft does not know LABELS_GAMMA", WEFT_EUNSUPPORTED},
    {"class_ef", ".properties:2:12", "EFGraph is stored in a way that Weft does not read", WEFT_EUNSUPPORTED},
    {"class_labelled", ".properties:2:12", "name that one, hollywood", WEFT_EUNSUPPORTED},
};

TEST(bad_files_are_refused_with_node_and_bit) {
    char folder[512];
    data_path("bad/webgraph", folder, sizeof folder);
    CHECK_I64(count_entries(folder), 2 * LENGTH(bad));
    for (size_t i = 0; i < LENGTH(bad); i++)
        for (int by_content = 0; by_content < 2; by_content++) {
            char path[1024], start[1024];
            weft_ctx *ctx = new_ctx(1 + by_content, NULL);
            weft_graph *g = NULL;
            weft_read_params p = reading(by_content ? NULL : "webgraph");
            snprintf(path, sizeof path, "%s/%s.graph", folder, bad[i].file);
            snprintf(start, sizeof start, "%s/%s%s: ", folder, bad[i].file, bad[i].place);
            CHECK_U64(weft_read(ctx, path, &p, &g), bad[i].status ? bad[i].status : WEFT_EINPUT);
            CHECK(!g);
            if (strncmp(weft_ctx_message(ctx), start, strlen(start)) || !strstr(weft_ctx_message(ctx), bad[i].part))
                HARNESS_FAIL("the message is \"%s\", expected \"%s ... %s\"", weft_ctx_message(ctx), start,
                             bad[i].part);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

/* Copies golden/webgraph/NAME to FOLDER/TO. */
static void copy_golden(const char *name, const char *folder, const char *to) {
    char path[1024], relative[128];
    size_t bytes;
    snprintf(relative, sizeof relative, "golden/webgraph/%s", name);
    char *data = read_file(data_path(relative, path, sizeof path), &bytes);
    snprintf(path, sizeof path, "%s/%s", folder, to);
    REQUIRE(data && write_file(path, data, bytes));
    free(data);
}

TEST(one_file_alone_is_refused) {
    char folder[256], path[512];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(make_temp(folder, sizeof folder));
    copy_golden("java.graph", folder, "alone.graph");
    copy_golden("java.properties", folder, "lonely.properties");
    snprintf(path, sizeof path, "%s/alone.graph", folder);
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "no .properties file");
    snprintf(path, sizeof path, "%s/lonely.properties", folder);
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "no .graph file");
    snprintf(path, sizeof path, "%s/lonely", folder);
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EIO);
    weft_read_params p = reading("webgraph");
    CHECK_U64(weft_read_memory(ctx, "\x7d\xc5", 2, "x.graph", &p, &g), WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "is two files");
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(metis_files_keep_their_extension) {
    static const char text[] = "3 2\n2\n1 3\n2\n", other[] = "graph.x.directed = false\n";
    char folder[256], path[512], shown[256];
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = NULL;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/m.properties", folder);
    REQUIRE(write_file(path, other, sizeof other - 1));
    snprintf(path, sizeof path, "%s/m.graph", folder);
    REQUIRE(write_file(path, text, sizeof text - 1));
    if (weft_read(ctx, path, NULL, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (g) CHECK_TEXT(graph_text(g, shown, sizeof shown), "undirected none [1 2 3] 1-2 2-3");
    weft_graph_free(g);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(what_the_bits_look_like_does_not_matter_beside_properties) {
    /* The bits of a row of 3 targets that happen to be text. */
    char folder[256], path[512], shown[256];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    static const char properties[] = "graphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=3\narcs=1\nwindowsize=0\n"
                                     "minintervallength=0\ncompressionflags=OUTDEGREES_GAMMA|RESIDUALS_GAMMA\n";
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/t.properties", folder);
    REQUIRE(write_file(path, properties, sizeof properties - 1));
    snprintf(path, sizeof path, "%s/t.graph", folder);
    REQUIRE(write_file(path, "\x4e", 1)); /* 'N': 010 0111 0 is no row ... */
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EINPUT);
    REQUIRE(write_file(path, "\x5c", 1)); /* '\': 010 1 1 1 00: 0 > 0, and two empty rows */
    if (weft_read(ctx, path, NULL, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (g) CHECK_TEXT(graph_text(g, shown, sizeof shown), "directed none [0 1 2] 0>0");
    weft_graph_free(g);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(the_caller_may_choose_direction_and_weights) {
    char path[1024], text[256];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_read_params p = reading(NULL);
    data_path("golden/webgraph/old_class.graph", path, sizeof path);
    p.direction = WEFT_UNDIRECTED;
    REQUIRE(!weft_read(ctx, path, &p, &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "undirected none [0 1 2 3 4 5 6 7] 0-1 0-7 2-7");
    weft_graph_free(g);
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK_U64(weft_read(ctx, path, &p, &g), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "no weights");
    weft_ctx_free(ctx);
}

/* Packed, and the real bits give the arcs that were decoded from them elsewhere. */
TEST(a_real_graph_is_the_one_of_its_edge_list) {
    if (!shared_data()) SKIP("the shared data is not here");
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL, *list = NULL;
    char path[4096];
    int equal = 0;
    weft_read_params p = reading(NULL);
    p.vertices = 325557;
    snprintf(path, sizeof path, "%s/web-cnr-2000/cnr-2000", shared_data());
    if (weft_read(ctx, path, NULL, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    snprintf(path, sizeof path, "%s/web-cnr-2000/cnr-2000.el.zst", shared_data());
    if (weft_read(ctx, path, &p, &list)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (g && list && (weft_graph_compare(ctx, g, list, &equal) || !equal)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    weft_graph_free(g);
    weft_graph_free(list);
    weft_ctx_free(ctx);
}

TEST_MAIN()
