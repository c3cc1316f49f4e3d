/* METIS and Chaco files: one golden file for each rule, bad files with the place of their fault, real files, and what
 * can and cannot be written. */
#include "format_support.h"

static const golden_file golden[] = {
    {"plain.graph", "undirected none [1 2 3 4] 1-2 1-3 2-3 3-4", 4, NULL},
    {"blank_rows.graph", "undirected none [1 2 3 4 5 6] 2-5", 1, NULL},
    {"blanks_in_blank_rows.graph", "undirected none [1 2 3] 2-3", 1, NULL},
    {"no_final_newline.graph", "undirected none [1 2] 1-2", 1, NULL},
    {"crlf.graph", "undirected none [1 2 3] 2-3", 1, NULL},
    {"comments.graph", "undirected none [1 2 3] 1-2 2-3", 2, NULL},
    {"edge_weights.graph", "undirected u32 [1 2 3] 1-2:7 2-3:4.2949673e+09", 2, NULL},
    {"real_weights.graph", "undirected f32 [1 2 3] 1-2:0.5 2-3:2", 2, NULL},
    {"vertex_weights.graph", "undirected none [1 2 3] 1-2 2-3", 2, "vertex weights are skipped"},
    {"three_vertex_weights.graph", "undirected u32 [1 2 3] 1-2:5 2-3:6", 2, "vertex weights are skipped"},
    {"format_zero.graph", "undirected none [1 2] 1-2", 1, NULL},
    {"ncon_without_weights.graph", "undirected none [1 2] 1-2", 1, NULL},
    {"sizes.graph", "undirected none [1 2 3] 1-2 2-3", 2, "the number in front of each row is skipped"},
    {"sizes_and_weights.graph", "undirected none [1 2 3] 1-2 2-3", 2, "and the number before them are skipped"},
    {"sizes_and_edge_weights.graph", "undirected u32 [1 2 3] 1-2:8 2-3:9", 2, "in front of each row is skipped"},
    {"chaco_numbers.chaco", "undirected none [1 2 3] 1-2 2-3", 2, "the number in front of each row is skipped"},
    {"dimacs_loops.metis", "undirected none [1 2 3] 1-1 1-2 2-3", 3, NULL},
    {"dimacs_parallel.graph", "undirected none [1 2 3] 1-2 2-3", 3, NULL},
    {"loop_once.graph", "undirected none [1 2] 1-1 1-2", 2, NULL},
    {"loop_twice.graph", "undirected none [1 2] 1-1 1-2", 2, NULL},
    {"gapbs_directed.graph", "directed none [1 2 3 4] 1>2 1>3 3>4", 3, "read as a directed graph"},
    {"gapbs_directed_weights.graph", "directed u32 [1 2 3 4] 1>2:7 1>3:8 3>4:9", 3, "read as a directed graph"},
    {"empty.graph", "undirected none []", 0, NULL},
    {"empty_with_blank_lines.graph", "undirected none []", 0, NULL},
    {"ids_base.graph", "undirected none [100 101] 100-101", 1, NULL},
    {"ids_with_gaps.graph", "undirected none [-5 40 9000000000] -5-9000000000", 1, NULL},
    {"ids_names.graph", "undirected none [Ada Lovelace b] Ada Lovelace-b", 1, NULL},
};

static const bad_file bad[] = {
    {"nothing.graph", "1:1", "ends without a header line", 0},
    {"only_comments.graph", "3:1", "ends without a header line", 0},
    {"no_edge_count.graph", "1:2", "expected the number of edges", 0},
    {"header_word.graph", "1:3", "expected the number of edges in the header line, found 'two'", 0},
    {"header_negative.graph", "1:1", "expected the number of vertices", 0},
    {"header_too_many_vertices.graph", "1:1", "more than the 4294967294 allowed", 0},
    {"header_vertices_2_64.graph", "1:1", "more than the 4294967294 allowed", 0},
    {"header_format.graph", "1:5", "three digits 0 or 1, not '012'", 0},
    {"header_format_long.graph", "1:5", "three digits", 0},
    {"header_five_numbers.graph", "1:11", "at most four numbers", 0},
    {"too_few_rows.graph", "5:1", "after 3 rows, but its header promises 4", 0},
    {"lying_header.graph", "4:1", "after 2 rows, but its header promises 4000000000", 0},
    {"row_too_many.graph", "5:2", "a row too many", 0},
    {"neighbour_zero.graph", "2:3", "neighbour '0' is not one of the vertices 1 to 3", 0},
    {"neighbour_beyond.graph", "3:5", "neighbour '4' is not one of the vertices 1 to 3", 0},
    {"neighbour_2_64.graph", "2:1", "is not one of the vertices 1 to 2", 0},
    {"neighbour_negative.graph", "3:1", "expected a neighbour", 0},
    {"neighbour_word.graph", "3:1", "found '1x'", 0},
    {"nul.graph", "3:1", "\\x00", 0},
    {"weight_missing.graph", "3:2", "the row ends where the weight", 0},
    {"weight_word.graph", "3:3", "expected the weight of an edge, found 'heavy'", 0},
    {"weight_nan.graph", "2:3", "`weights=ignore`", 0},
    {"vertex_weights_missing.graph", "3:4", "after 2 of the 3 numbers", 0},
    {"sizes_neighbour_beyond.graph", "3:6", "not one of the vertices 1 to 3", 0},
    {"not_symmetric.graph", "3:4", "row 2 lists 3, but row 3 does not list 2", 0},
    {"not_symmetric_weights.graph", "3:5", "row 2 lists 3, but row 3 lists 2 with another weight", 0},
    {"not_symmetric_count.graph", "2:1", "row 2 lists 1 another number of times", 0},
    {"edges_counted_twice.graph", "1:3", "promises 4 edges, that is 8 entries, but the rows hold 4", 0},
    {"too_many_edges.graph", "1:3", "promises 1 edge, that is 2 entries, but the rows hold 4", 0},
    {"ids_too_few.graph", "2:1", "the list of ids ends after 1", 0},
};

TEST(each_rule_has_a_golden_file) { check_golden_files("metis", golden, LENGTH(golden)); }

TEST(bad_files_are_refused_with_their_place) { check_bad_files("metis", bad, LENGTH(bad)); }

static weft_status read_as(weft_ctx *ctx, const char *text, const weft_read_params *p, char *to, size_t room) {
    weft_graph *g = NULL;
    weft_status st = weft_read_memory(ctx, text, strlen(text), "m.graph", p, &g);
    if (!st) graph_text(g, to, room);
    weft_graph_free(g);
    return st;
}

TEST(the_caller_may_choose_direction_and_weights) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char text[512];
    weft_read_params p = reading("metis");
    p.direction = WEFT_DIRECTED;
    CHECK(!read_as(ctx, "3 3 1\n1 4 2 5\n1 5 3 6\n2 6\n", &p, text, sizeof text));
    CHECK_TEXT(text, "directed u32 [1 2 3] 1>1:4 1>2:5 2>1:5 2>3:6 3>2:6");
    p.direction = WEFT_UNDIRECTED;
    CHECK(!read_as(ctx, "3 2 1\n2 5\n3 6\n\n", &p, text, sizeof text));
    CHECK_TEXT(text, "undirected u32 [1 2 3] 1-2:5 2-3:6");
    p = reading("metis");
    p.weights = WEFT_WEIGHTS_IGNORE;
    CHECK(!read_as(ctx, "2 1 1\n2 nan\n1 whatever\n", &p, text, sizeof text));
    CHECK_TEXT(text, "undirected none [1 2] 1-2");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK_U64(read_as(ctx, "2 1\n2\n1\n", &p, text, sizeof text), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "no weights");
    p = reading("metis");
    p.duplicates = WEFT_DUPLICATES_KEEP;
    CHECK(!read_as(ctx, "2 2 1\n2 5 2 6\n1 6 1 5\n", &p, text, sizeof text));
    CHECK_TEXT(text, "undirected u32 [1 2] 1-2:5 1-2:6");
    weft_ctx_free(ctx);
}

/* METIS holds no loops, no parallel edges and no direction: such graphs are refused by name. */
TEST(graphs_come_back_or_are_refused_by_name) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int came_back = 0, refused = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        char what[256];
        weft_graph *g = small_random_graph(ctx, seed, what, sizeof what);
        if (!g) continue;
        weft_graph_info info = info_of(ctx, g);
        weft_status st =
            weft_write(ctx, g, "/dev/null", &(weft_write_params){sizeof(weft_write_params), "metis", 0, 0});
        if (st) {
            refused++;
            CHECK_U64(st, WEFT_EUNSUPPORTED);
            const char *why = weft_ctx_message(ctx);
            CHECK(info.directed     ? strstr(why, "`direction=undirected`") != NULL
                  : info.self_loops ? strstr(why, "`loops=drop`") != NULL
                                    : strstr(why, "`duplicates=drop`") != NULL);
        } else {
            came_back++;
            CHECK(!info.directed && !info.self_loops);
            check_round_trip(ctx, g, "g.graph", what);
            check_round_trip(ctx, g, "g.graph.gz", what);
        }
        weft_graph_free(g);
    }
    CHECK(came_back > 5);
    CHECK(refused > 5);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* Ids of all kinds, more than fit in the first 64 KiB, as plain and as compressed file. */
TEST(ids_travel_in_comments) {
    weft_ctx *ctx = new_ctx(3, NULL);
    for (int names = 0; names < 2; names++) {
        enum { N = 6000 };
        char *text = malloc(N * 64);
        size_t used = 0;
        REQUIRE(text);
        for (int i = 0; i < N; i++)
            used += (size_t)sprintf(text + used, "%s%d %s%d\n", names ? "v" : "", 7 * i, names ? "v" : "", 7 * (i / 2));
        weft_read_params p = reading("edgelist");
        p.direction = WEFT_UNDIRECTED;
        p.loops = WEFT_LOOPS_DROP;
        weft_graph *g = NULL;
        REQUIRE(!weft_read_memory(ctx, text, used, "made", &p, &g));
        check_round_trip(ctx, g, "g.graph", names ? "names" : "gaps");
        check_round_trip(ctx, g, "g.graph.gz", names ? "names" : "gaps");
        check_round_trip(ctx, g, "g.graph.zst", names ? "names" : "gaps");
        weft_graph_free(g);
        free(text);
    }
    weft_ctx_free(ctx);
}

/* --- many blocks ------------------------------------------------------------- */

enum { RING = 300000 }; /* vertices: about 4 MB of text */

/* A ring with a comment before every 1000th row.  Row `broken` (from 1, 0 = none) lists a stranger for its second. */
static char *ring_text(uint64_t broken, size_t *bytes, uint64_t *line, uint64_t *column) {
    char *text = malloc(RING * 20 + 64);
    if (!text) exit(1);
    size_t used = (size_t)sprintf(text, "%d %d\n", RING, RING);
    uint64_t lines = 1;
    for (uint64_t v = 1; v <= RING; v++) {
        if (v % 1000 == 0) used += (size_t)sprintf(text + used, "%% row %" PRIu64 "\n", v), lines++;
        uint64_t before = v == 1 ? RING : v - 1, behind = v == RING ? 1 : v + 1;
        size_t start = used;
        used += (size_t)sprintf(text + used, "%" PRIu64 "  ", before);
        if (v == broken) *line = lines + 1, *column = used - start + 1;
        used += (size_t)sprintf(text + used, "%" PRIu64 "\n", v == broken ? 7 : behind);
        lines++;
    }
    *bytes = used;
    return text;
}

TEST(rows_are_numbered_across_blocks) {
    size_t bytes;
    uint64_t line, column, print[2];
    char *text = ring_text(0, &bytes, &line, &column);
    weft_read_params p = reading("metis");
    for (int i = 0; i < 2; i++) {
        weft_ctx *ctx = new_ctx(i ? 3 : 1, NULL);
        weft_graph *g = NULL;
        REQUIRE(!weft_read_memory(ctx, text, bytes, "ring", &p, &g));
        weft_csr out = out_rows(g);
        CHECK_U64(weft_graph_edges(g), RING);
        CHECK(!csr_fault(&out));
        for (weft_vid v = 1; v + 1 < RING; v++)
            if (out.targets[out.offsets[v]] != v - 1 || out.targets[out.offsets[v] + 1] != v + 1) {
                HARNESS_FAIL("row %u is wrong", v);
                break;
            }
        print[i] = fingerprint_of(ctx, g);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    CHECK_U64(print[0], print[1]);
    free(text);
}

/* The entry to blame is found again in any block, of a plain and of a compressed file. */
TEST(an_entry_without_its_mirror_is_named_in_any_block) {
    char folder[256], path[512], start[600];
    REQUIRE(make_temp(folder, sizeof folder));
    size_t bytes;
    uint64_t line, column;
    char *text = ring_text(250123, &bytes, &line, &column);
    snprintf(path, sizeof path, "%s/ring.graph", folder);
    REQUIRE(write_file(path, text, bytes));
    char command[1100];
    snprintf(command, sizeof command, "gzip -1 -c '%s' > '%s.gz' 2>/dev/null", path, path);
    bool packed = system(command) == 0;
    for (int i = 0; i < 1 + packed; i++) {
        weft_ctx *ctx = new_ctx(3, NULL);
        weft_graph *g = NULL;
        if (i) strcat(path, ".gz");
        CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EINPUT);
        snprintf(start, sizeof start, "%s:%" PRIu64 ":%" PRIu64 ": row 250123 lists 7", path, line, column);
        CHECK_HAS(weft_ctx_message(ctx), start);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    free(text);
    remove_temp(folder);
}

/* --- real files ---------------------------------------------------------------- */

TEST(the_real_files_have_the_counts_of_the_manifest) {
    if (!shared_data()) SKIP("the shared data is not here");
    char path[4096];
    size_t bytes;
    snprintf(path, sizeof path, "%s/MANIFEST.tsv", shared_data());
    char *manifest = read_file(path, &bytes);
    REQUIRE(manifest);
    int files = 0;
    for (char *row = strtok(manifest, "\n"); row; row = strtok(NULL, "\n")) {
        char file[512], counts[64];
        unsigned long long vertices, edges;
        if (sscanf(row, "%*[^\t]\t%511[^\t]\t%63[0-9\t]", file, counts) != 2) continue;
        if (!strstr(file, ".graph") || sscanf(counts, "%llu\t%llu", &vertices, &edges) != 2) continue;
        warnings w;
        weft_ctx *ctx = new_ctx(0, &w);
        weft_graph *g = NULL;
        snprintf(path, sizeof path, "%s/%s", shared_data(), file);
        if (weft_read(ctx, path, NULL, &g)) {
            HARNESS_FAIL("%s", weft_ctx_message(ctx));
        } else {
            weft_graph_info info = info_of(ctx, g);
            bool from_gapbs = !strncmp(file, "gapbs/", 6);
            CHECK_U64(info.vertices, vertices);
            CHECK_U64(info.records, edges);
            CHECK_U64(info.edges, edges);
            CHECK_U64(info.directed, from_gapbs);
            if (from_gapbs) CHECK_HAS(w.text, "directed");
        }
        files++;
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    CHECK_I64(files, 17);
    free(manifest);
}

TEST_MAIN()
