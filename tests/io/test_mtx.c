/* Matrix Market: every rule of the format by a golden file, every fault at its line and column, round trips. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"pattern_general.mtx", "directed none [1 2 3] 1>2 2>3 3>1", 3, NULL},
    {"integer_general.mtx", "directed u32 [1 2 3] 1>2:5 2>3:0 3>1:4.2949673e+09", 3, NULL},
    {"integer_negative.mtx", "directed f32 [1 2] 1>2:-5 2>1:7", 2, NULL},
    {"real_general.mtx", "directed f32 [1 2 3] 1>1:0.5 1>2:1000 2>3:-2.25 3>1:7", 4, NULL},
    {"double_general.mtx", "directed f32 [1 2] 2>1:0.125", 1, NULL},
    {"real_whole.mtx", "directed u32 [1 2] 1>2:3 2>1:4", 2, NULL},
    {"pattern_symmetric.mtx", "undirected none [1 2 3] 1-1 1-2 2-3", 3, NULL},
    {"integer_symmetric.mtx", "undirected u32 [1 2 3] 1-2:4 1-3:6 2-2:9", 3, NULL},
    {"real_symmetric.mtx", "undirected f32 [1 2] 1-2:1.5", 1, NULL},
    {"symmetric_upper.mtx", "undirected none [1 2 3] 1-2 1-3", 2, NULL},
    {"symmetric_both.mtx", "undirected u32 [1 2 3] 1-2:3 3-3:1", 3, NULL},
    {"real_skew.mtx", "directed f32 [1 2 3] 1>2:-3.5 2>1:3.5 2>3:1 3>2:-1", 2, NULL},
    {"integer_skew.mtx", "directed f32 [1 2 3] 1>2:-3 1>3:0 2>1:3 3>1:0", 2, NULL},
    {"pattern_skew.mtx", "directed none [1 2] 1>2 2>1", 1, NULL},
    {"array_general.mtx", "directed f32 [1 2 3] 1>2:2 1>3:-1 2>1:1.5", 3, "taken as the same vertex"},
    {"array_integer.mtx", "directed u32 [1 2] 1>1:1 2>2:4.2949673e+09", 2, NULL},
    {"array_symmetric.mtx", "undirected u32 [1 2 3] 1-1:7 1-3:2 2-3:5", 3, NULL},
    {"array_skew.mtx", "directed f32 [1 2 3] 1>2:-1 2>1:1 2>3:2 3>2:-2", 2, NULL},
    {"array_skew_1.mtx", "directed none [1]", 0, NULL},
    {"array_no_final_newline.mtx", "directed u32 [1 2] 1>1:3 1>2:4", 2, "taken as the same vertex"},
    {"banner_case.mtx", "directed none [1 2] 1>2", 1, NULL},
    {"one_percent.mtx", "directed none [1 2] 1>2", 1, "one % instead of two"},
    {"no_banner.mtx", "directed f32 [1 2 3] 1>2:0.5 3>3:1", 2, "taken as a real coordinate general"},
    {"no_banner_pattern.mtx", "directed none [1 2 3] 1>2 3>3", 2, "taken as a pattern coordinate general"},
    {"no_banner_array.mtx", "directed u32 [1 2] 1>2:2 2>1:1", 2, "taken as a real array general"},
    {"comments.mtx", "directed none [1 2] 1>2", 1, NULL},
    {"comments_among_entries.mtx", "directed none [1 2 3] 1>2 2>3", 2, "comments among the entries"},
    {"blank_lines.mtx", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"crlf.mtx", "directed u32 [1 2 3] 1>2:3 2>3:4", 2, NULL},
    {"no_final_newline.mtx", "directed u32 [1 2] 1>2:3 2>1:44", 2, NULL},
    {"blanks_and_tabs.mtx", "directed u32 [1 2] 1>2:3 2>1:4", 2, NULL},
    {"rectangular.mtx", "directed none [1 2 3 4 5] 1>5 2>3", 2, "2 rows and 5 columns"},
    {"rectangular_tall.mtx", "directed none [1 2 3 4] 3>1", 1, "taken as the same vertex"},
    {"no_entries.mtx", "directed none [1 2 3 4]", 0, "taken as the same vertex"},
    {"no_vertices.mtx", "undirected none []", 0, NULL},
    {"size_line_is_last.mtx", "directed none [1 2]", 0, NULL},
    {"duplicates.mtx", "directed u32 [1 2] 1>2:3 2>2:1", 4, NULL},
    {"ids_base.mtx", "directed none [0 1 2] 0>1 2>0", 2, NULL},
    {"ids_integer.mtx", "undirected none [-7 40 9000000000000] -7-40 -7-9000000000000", 2, NULL},
    {"ids_unordered.mtx", "directed none [30 10 20] 30>10 10>20", 2, NULL},
    {"ids_string.mtx", "directed none [Ada Lovelace 42 Zo\xc3\xab] Ada Lovelace>42 42>Zo\xc3\xab", 2, NULL},
    {"ids_string_crlf.mtx", "directed none [a b] a>b", 1, NULL},
    {"ids_lookalikes.mtx", "directed none [1 2] 1>2", 1, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("mtx", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"complex.mtx", "1:34", "complex", WEFT_EUNSUPPORTED},
    {"complex_array.mtx", "1:29", "complex", WEFT_EUNSUPPORTED},
    {"hermitian.mtx", "1:39", "Hermitian", WEFT_EUNSUPPORTED},
    {"vector.mtx", "1:16", "must be matrix", 0},
    {"layout.mtx", "1:23", "coordinate or array", 0},
    {"field.mtx", "1:34", "pattern, integer or real", 0},
    {"symmetry_missing.mtx", "1:38", "general, symmetric or skew-symmetric", 0},
    {"sixth_word.mtx", "1:47", "sixth word", 0},
    {"array_pattern.mtx", "1:29", "cannot be a pattern", 0},
    {"no_size_line.mtx", "3:1", "before its size line", 0},
    {"banner_alone.mtx", "1:49", "before its size line", 0},
    {"not_square.mtx", "3:1", "symmetric matrix must be square, this one is 3 by 4", 0},
    {"skew_not_square.mtx", "2:1", "skew-symmetric matrix must be square", 0},
    {"size_two_numbers.mtx", "2:4", "three whole numbers", 0},
    {"size_four_numbers.mtx", "2:7", "three whole numbers", 0},
    {"size_negative.mtx", "2:3", "three whole numbers", 0},
    {"size_junk.mtx", "2:7", "three whole numbers", 0},
    {"size_word.mtx", "2:1", "three whole numbers", 0},
    {"size_overflow.mtx", "2:5", "does not fit in 64 bits", 0},
    {"array_three_numbers.mtx", "2:5", "two whole numbers", 0},
    {"too_many_vertices.mtx", "2:1", "at most 4294967294 vertices", 0},
    {"too_empty.mtx", "2:1", "4000000000 vertices and only 1 entries", 0},
    {"lying_entries.mtx", "2:5", "promises 1000000000000 entries, but only 4 bytes follow", 0},
    {"array_lying.mtx", "2:12", "promises 16000000000000000000 values, but only 2 bytes follow", 0},
    {"too_few.mtx", "2:5", "promises 3 entries, but 2 follow", 0},
    {"too_many.mtx", "2:5", "promises 1 entry, but 2 follow", 0},
    {"row_beyond.mtx", "4:1", "this row is beyond 3", 0},
    {"column_beyond.mtx", "4:4", "this column is beyond 3", 0},
    {"row_zero.mtx", "3:1", "row 0: ids start at 1", 0},
    {"column_zero.mtx", "3:3", "column 0: ids start at 1", 0},
    {"negative.mtx", "3:3", "negative column", 0},
    {"index_overflow.mtx", "3:3", "this column is beyond 3", 0},
    {"column_missing.mtx", "3:2", "the column is missing", 0},
    {"junk_after.mtx", "3:9", "end of the line after the value", 0},
    {"pattern_with_value.mtx", "3:5", "a pattern has no values", 0},
    {"glued.mtx", "3:2", "expected a blank after the row", 0},
    {"commas.mtx", "3:2", "expected a blank after the row", 0},
    {"word.mtx", "4:1", "expected a number for the row", 0},
    {"value_missing.mtx", "4:4", "the value is missing", 0},
    {"value_missing_at_end.mtx", "4:5", "the value is missing", 0},
    {"value_word.mtx", "3:5", "expected a number for the value", 0},
    {"nan.mtx", "4:5", "not a finite number (`weights=ignore`", 0},
    {"infinity.mtx", "3:5", "not a finite number", 0},
    {"beyond_float.mtx", "3:5", "too large for a 32-bit weight", 0},
    {"fraction_in_integer.mtx", "4:5", "expected a whole number", 0},
    {"exponent_in_integer.mtx", "3:5", "expected a whole number", 0},
    {"skew_diagonal.mtx", "4:1", "no entries on its diagonal", 0},
    {"nul_byte.mtx", "4:2", "expected a blank after the row", 0},
    {"nul_line.mtx", "4:1", "expected a number for the row", 0},
    {"array_too_few.mtx", "6:1", "ends after 3 values, the size line promises 4", 0},
    {"array_too_many.mtx", "7:1", "more values than the 4", 0},
    {"array_word.mtx", "5:1", "value in row 1, column 2", 0},
    {"array_glued.mtx", "5:2", "value in row 1, column 2", 0},
    {"array_nan.mtx", "5:1", "not a finite number", 0},
    {"array_fraction.mtx", "5:1", "expected a whole number", 0},
    {"ids_out_of_order.mtx", "5:5", "expected that of vertex 2", 0},
    {"ids_too_few.mtx", "4:1", "ends after 2, but there are 3 vertices", 0},
    {"ids_too_many.mtx", "4:1", "ends after 2, but there are 1 vertices", 0},
    {"ids_same_number.mtx", "6:1", "given to vertex 1 already", 0},
    {"ids_same_name.mtx", "4:1", "given to vertex 1 already", 0},
    {"ids_not_a_number.mtx", "3:7", "expected an id", 0},
    {"ids_number_too_big.mtx", "3:7", "does not fit in 64 bits", 0},
    {"ids_no_id.mtx", "3:5", "a vertex number, a blank and the vertex's id", 0},
    {"ids_kind.mtx", "2:11", "\"integer\" or \"string\"", 0},
    {"ids_twice.mtx", "3:7", "a second time", 0},
    {"ids_base_word.mtx", "2:12", "expected the first id", 0},
    {"ids_nul_in_name.mtx", "3:8", "NUL byte", 0},
    {"ids_base_too_big.mtx", "2:1", "do not fit in 64 bits", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("mtx", bad, LENGTH(bad)); }

/* --- what the caller asks for ------------------------------------------------------- */

TEST(a_rectangle_is_warned_of) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_read_params p = reading("mtx");
    weft_graph *g = read_text(ctx, "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n", &p);
    REQUIRE(g != NULL);
    CHECK_U64(w.count, 1);
    CHECK_HAS(w.text, "2 rows and 3 columns: row and column k are taken as the same vertex");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(ignored_weights_are_not_looked_at) {
    weft_read_params p = reading("mtx");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 nan\n2 1 many things\n2 2\n", &p,
               "directed none [1 2] 1>2 2>1 2>2");
    check_read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 inf\n", &p,
               "directed none [1 2] 1>2 2>1");
    check_read("%%MatrixMarket matrix array real general\n2 2\nnan\n0\n-0.0\n2.5\n", &p, "directed none [1 2] 1>1 2>2");
}

TEST(required_weights_must_be_there) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_read_params p = reading("mtx");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(ctx, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:1:34: weights are required");
    check_read("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 3\n", &p, "directed u32 [1 2] 1>2:3");
    weft_ctx_free(ctx);
}

TEST(a_symmetric_matrix_read_as_directed_has_both_arcs) {
    weft_read_params p = reading("mtx");
    p.direction = WEFT_DIRECTED;
    check_read("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 3 7\n", &p,
               "directed u32 [1 2 3] 1>2:5 2>1:5 3>3:7");
    check_read("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n0\n", &p,
               "directed u32 [1 2] 1>1:1 1>2:2 2>1:2");
}

TEST(a_general_matrix_read_as_undirected_is_symmetrised) {
    weft_read_params p = reading("mtx");
    p.direction = WEFT_UNDIRECTED;
    check_read("%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 1\n3 1\n", &p,
               "undirected none [1 2 3] 1-2 1-3");
}

/* --- recognising -------------------------------------------------------------------- */

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("mtx"), text, strlen(text), name);
}

TEST(a_banner_is_recognised_whatever_the_name) {
    CHECK_I64(sniff("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "x.txt"), 3);
    CHECK_I64(sniff("%matrixmarket matrix coordinate complex general\n2 2 1\n", "x"), 3);
    CHECK_I64(sniff("%%MatrixMarket matrix coordinate pattern general\n2 2 0", "x"), 3);
    CHECK_I64(sniff("%%MatrixMarket matrix nonsense\n", "x.txt"), 3);
    CHECK_I64(sniff("% MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "x.txt"), 0);
}

TEST(an_edge_list_below_a_banner_is_left_to_the_edge_list) {
    const char *text = "%%MatrixMarket matrix coordinate pattern symmetric\n%64 64 704\n9 8\n10 7\n";
    CHECK_I64(sniff(text, "hamming6-4.edgelist"), 0);
    CHECK_I64(sniff(text, "hamming6-4.mtx"), 3);
}

TEST(without_a_banner_the_name_and_the_body_must_agree) {
    CHECK_I64(sniff("3 3 2\n1 2 .5\n3 3 1\n", "x.mtx"), 2);
    CHECK_I64(sniff("3 3 2\n1 2 .5\n3 3 1\n", "x.txt"), 0);
    CHECK_I64(sniff("2 2\n1\n2\n3\n4\n", "x.mtx"), 2);
    CHECK_I64(sniff("2 1\n3 1\n4 1\n", "karate_mod.mtx"), 0);
    CHECK_I64(sniff("2 1 1\n3 1 1\n", "x.mtx"), 0);
    CHECK_I64(sniff("9q a9 1\nts a9 1\n", "karate_str.mtx"), 0);
    CHECK_I64(sniff("3 3 1\n1 2\n2 3\n", "x.mtx"), 0);
    CHECK_I64(sniff("", "x.mtx"), 0);
}

/* --- round trips -------------------------------------------------------------------- */

TEST(random_graphs_come_back_as_they_were) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char what[128];
    for (uint64_t seed = 0; seed < 150; seed++) {
        weft_graph *g = small_random_graph(ctx, seed, what, sizeof what);
        if (g) check_round_trip(ctx, g, "g.mtx", what);
        weft_graph_free(g);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(ids_of_every_kind_come_back) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(golden); i++) {
        if (strncmp(golden[i].file, "ids_", 4)) continue;
        char path[1024], relative[128];
        weft_graph *g = NULL;
        snprintf(relative, sizeof relative, "golden/mtx/%s", golden[i].file);
        CHECK(!weft_read(ctx, data_path(relative, path, sizeof path), NULL, &g));
        if (g) check_round_trip(ctx, g, "g.mtx", golden[i].file);
        if (g) check_round_trip(ctx, g, "g.gr", golden[i].file);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(restored_ids_can_be_looked_up) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_vid v = 9;
    weft_graph *g = read_text(ctx,
                              "%%MatrixMarket matrix coordinate pattern general\n%weft ids string\n%id 1 pear\n"
                              "%id 2 fig\n%id 3 apple\n3 3 0\n",
                              NULL);
    REQUIRE(g);
    CHECK(!weft_graph_find(ctx, g, "fig", &v));
    CHECK_U64(v, 1);
    CHECK(!weft_graph_find(ctx, g, "apple", &v));
    CHECK_U64(v, 2);
    CHECK(weft_graph_find(ctx, g, "plum", &v) == WEFT_ENOTFOUND);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- large files -------------------------------------------------------------------- */

enum { MANY = 30000 };

/* `entries` lines over MANY vertices, names first if wanted; a fault in the line of entry `fault`, if it is not 0. */
static char *large_text(bool names, size_t entries, size_t fault, size_t *bytes) {
    char *text = malloc(200 + MANY * 32 + entries * 32);
    if (!text) exit(1);
    dice d = {5, 0};
    size_t used = (size_t)sprintf(text, "%%%%MatrixMarket matrix coordinate integer general\n");
    if (names) used += (size_t)sprintf(text + used, "%%weft ids string\n");
    for (int v = 1; names && v <= MANY; v++)
        used += (size_t)sprintf(text + used, "%%id %d name %u\n", v, (unsigned)v * 40503u % 65537u);
    used += (size_t)sprintf(text + used, "%d %d %zu\n", MANY, MANY, entries);
    for (size_t i = 1; i <= entries; i++) {
        uint64_t u = roll(&d, MANY) + 1, v = i == fault ? MANY + 1 : roll(&d, MANY) + 1, w = roll(&d, 1000);
        used += (size_t)sprintf(text + used, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", u, v, w);
    }
    *bytes = used;
    return text;
}

TEST(any_number_of_threads_reads_the_same_graph) {
    size_t bytes;
    for (int names = 0; names < 2; names++) {
        char *text = large_text(names, 200000, 0, &bytes);
        uint64_t first = 0;
        for (int threads = 1; threads <= 7; threads += 2) {
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_graph *g = NULL;
            CHECK(!weft_read_memory(ctx, text, bytes, "large.mtx", NULL, &g));
            if (g && threads == 1) first = fingerprint_of(ctx, g);
            if (g) CHECK_U64(fingerprint_of(ctx, g), first);
            if (g) CHECK_U64(info_of(ctx, g).records, 200000);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
        free(text);
    }
}

TEST(a_fault_far_into_the_file_is_named_by_its_line) {
    size_t bytes;
    for (int names = 0; names < 2; names++) {
        char *text = large_text(names, 200000, 150000, &bytes), place[64];
        snprintf(place, sizeof place, "large.mtx:%d:", names ? 2 + 1 + MANY + 150000 : 2 + 150000);
        for (int threads = 1; threads <= 3; threads++) {
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_graph *g = NULL;
            CHECK(weft_read_memory(ctx, text, bytes, "large.mtx", NULL, &g) == WEFT_EINPUT);
            CHECK_HAS(weft_ctx_message(ctx), place);
            CHECK_HAS(weft_ctx_message(ctx), "this column is beyond 30000");
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
        free(text);
    }
}

TEST(a_long_list_of_ids_comes_back_through_every_compression) {
    size_t bytes;
    weft_ctx *ctx = new_ctx(0, NULL);
    char *text = large_text(true, 5000, 0, &bytes);
    weft_graph *g = NULL;
    CHECK(!weft_read_memory(ctx, text, bytes, "large.mtx", NULL, &g));
    REQUIRE(g);
    static const char *const files[] = {"g.mtx", "g.mtx.gz", "g.mtx.zst", "g.gr", "g.gr.gz", "g.gr.zst"};
    for (size_t i = 0; i < LENGTH(files); i++) check_round_trip(ctx, g, files[i], "30000 names");
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(text);
}

/* --- real files --------------------------------------------------------------------- */

TEST(matrices_of_other_programs_are_read) {
    static const real_file files[] = {
        {"lagraph/A.mtx", 7, 15, 15, 0, WEFT_WEIGHT_NONE},
        {"lagraph/west0067.mtx", 67, 294, 294, 1, WEFT_WEIGHT_F32},
        {"lagraph/west0067_noheader.mtx", 67, 294, 294, 1, WEFT_WEIGHT_F32},
        {"lagraph/west0067_jumbled.mtx", 67, 294, 294, 1, WEFT_WEIGHT_F32},
        {"lagraph/full.mtx", 3, 9, 9, 1, WEFT_WEIGHT_F32},
        {"lagraph/full_noheader.mtx", 3, 9, 9, 1, WEFT_WEIGHT_F32},
        {"lagraph/full_symmetric.mtx", 4, 10, 10, 0, WEFT_WEIGHT_F32},
        {"lagraph/skew_int32.mtx", 6, 10, 20, 1, WEFT_WEIGHT_F32},
        {"lagraph/lp_afiro.mtx", 51, 102, 102, 1, WEFT_WEIGHT_F32},
        {"lagraph/LFAT5_hypersparse.mtx", 2000, 30, 30, 0, WEFT_WEIGHT_F32},
        {"lagraph/bcsstk13.mtx.zst", 2003, 42943, 42943, 0, WEFT_WEIGHT_F32},
        {"lagraph/pushpull.mtx.zst", 4000, 99208, 99208, 0, WEFT_WEIGHT_NONE},
        {"cugraph/dolphins.mtx", 62, 159, 159, 0, WEFT_WEIGHT_NONE},
        {"cugraph/netscience.mtx", 1589, 2742, 2742, 0, WEFT_WEIGHT_F32},
        {"networkit/chesapeake.mtx", 39, 170, 170, 0, WEFT_WEIGHT_NONE},
    };
    if (!shared_data()) SKIP("the shared data is not here");
    check_real_files("mtx", files, LENGTH(files));
}

TEST_MAIN()
