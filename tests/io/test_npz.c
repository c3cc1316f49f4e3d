/* SciPy .npz: golden files of SciPy's layout, bad files with the byte of their fault, and what is written. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"array.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"big_endian.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"bool.npz", "directed none [0 1 2 3] 0>1 1>2 2>0 2>2", 4, NULL},
    {"bytes.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"comment_and_zip64.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"coo.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"coo_packed.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"coords.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"csc.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"csc_packed.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"csr.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"csr_packed.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"doubles.npz", "directed f32 [0 1 2 3] 0>1:1 1>2:1.5 2>0:2 2>2:2.5", 4, NULL},
    {"duplicates.npz", "directed u32 [0 1] 0>1:1 1>0:3", 3, "SciPy adds them up"},
    {"edge_index.npz", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"edge_index_2x2.npz", "directed none [0 1 2] 0>1 1>2", 2, NULL},
    {"edge_index_rows.npz", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"edge_index_weight.npz", "directed f32 [0 1 2 3 4 5 6] 0>1:1 1>2:2 2>5:0.5", 3, NULL},
    {"floats.npz", "directed f32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"int64_indices.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"negative.npz", "directed f32 [0 1 2 3] 0>1:-2 1>2:-3 2>0:-4 2>2:-5", 4, NULL},
    {"no_entries.npz", "directed none [0 1 2]", 0, NULL},
    {"no_vertices.npz", "directed none []", 0, NULL},
    {"rounded.npz", "directed f32 [0 1 2 3] 0>1:16777216 1>2:-1 2>0:4 2>2:5", 4, "rounded"},
    {"spare_room.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"stored_zero.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:0 2>0:4 2>2:5", 4, NULL},
    {"unicode_format.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"written.npz", "directed u32 [0 1 2] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
    {"whole_doubles.npz", "directed u32 [0 1 2 3] 0>1:2 1>2:3 2>0:4 2>2:5", 4, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("npz", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"bsr.npz", "1:414", "format.npy: a matrix in SciPy's format bsr: save it with .tocsr()", 0},
    {"coo_beyond.npz", "1:219", "col.npy: 4 is not one of the vertices 0 to 3", 0},
    {"coo_data.npz", "1:755", "data.npy: expected 4 values in one dimension, found 3 in 1", 0},
    {"coo_lengths.npz", "1:219", "col.npy: 3 columns for 4 rows", 0},
    {"coo_negative.npz", "1:38", "row.npy: -1 is not one of the vertices 0 to 3", 0},
    {"coo_too_empty.npz", "1:38", "row.npy: 4000000000 vertices, but 4 entries: too sparse to be read as", 0},
    {"coords_three.npz", "1:593", "coords.npy: expected an array of integers of 2 × m", 0},
    {"crc.npz", "1:1", "indices.npy is damaged: its CRC-32 is 5919c616, expected f7715787", 0},
    {"cut.npz", "1:1221", "not a zip archive, or one whose end is missing", 0},
    {"cut_long.npz", "1:201", "not a zip archive, or one whose end is missing", 0},
    {"data_complex.npz", "1:766", "data.npy: values of type '<c16' cannot be weights (`weights=ignore` reads", 0},
    {"data_false.npz", "1:766", "data.npy: 1 stored values are False: A.eliminate_zeros() removes them", 0},
    {"data_infinite.npz", "1:906", "data.npy: weight -inf is not a finite number (`weights=ignore` reads", 0},
    {"data_large.npz", "1:918", "data.npy: weight 1e+39 is too large for a 32-bit weight; `weight_type=f64`", 0},
    {"data_longer.npz", "1:42", "indices.npy: 4 indices for 5 values", 0},
    {"data_nan.npz", "1:910", "data.npy: weight nan is not a finite number (`weights=ignore` reads", 0},
    {"data_short.npz", "1:766", "data.npy: expected 4 values in one dimension, found 2 in 1", 0},
    {"data_square.npz", "1:766", "data.npy: expected 4 values in one dimension, found 4 in 2", 0},
    {"deflate_damaged.npz", "1:458", "data.npy is damaged: its CRC-32 is 85cb7af1, expected a5da62ba", 0},
    {"dia.npz", "1:222", "format.npy: a matrix in SciPy's format dia: save it with .tocsr()", 0},
    {"directory_count.npz", "1:1204", "the zip directory lies outside the file", 0},
    {"directory_far.npz", "1:1204", "the zip directory lies outside the file", 0},
    {"directory_name.npz", "1:1150", "the zip directory is damaged", 0},
    {"directory_signature.npz", "1:1150", "the zip directory is damaged", 0},
    {"edge_index_float.npz", "1:45", "edge_index.npy: expected an array of integers of 2 × m, found 2", 0},
    {"edge_index_three.npz", "1:45", "edge_index.npy: expected an array of integers of 2 × m, found 2", 0},
    {"edge_weight_short.npz", "1:266", "edge_weight.npy: 2 weights for 3 edges", 0},
    {"empty.npz", "1:1", "not a zip archive, or one whose end is missing", 0},
    {"encrypted.npz", "1:728", "data.npy is encrypted", 0},
    {"format_long.npz", "1:414", "format.npy: expected the name of a format of SciPy, such as csr", 0},
    {"format_number.npz", "1:414", "format.npy: expected the name of a format of SciPy, such as csr", 0},
    {"format_unknown.npz", "1:414", "format.npy: expected the name of a format of SciPy, such as csr", 0},
    {"indices_beyond.npz", "1:178", "indices.npy: 4 is not one of the vertices 0 to 3", 0},
    {"indices_float.npz", "1:42", "indices.npy: expected one dimension of integers, found 1 of type '<f4'", 0},
    {"indices_negative.npz", "1:174", "indices.npy: -2 is not one of the vertices 0 to 3", 0},
    {"indptr_beyond.npz", "1:370", "indptr.npy: offset 4 is 5, expected 4 to 4", 0},
    {"indptr_falls.npz", "1:362", "indptr.npy: offset 2 is 1, expected 2 to 4", 0},
    {"indptr_first.npz", "1:354", "indptr.npy: offset 0 is 1, expected 0 to 0", 0},
    {"indptr_short.npz", "1:226", "indptr.npy: 4 offsets, expected 5 for 4 rows", 0},
    {"method.npz", "1:728", "data.npy is compressed by method 12, expected stored or deflated", 0},
    {"no_col.npz", "1:1", "the archive has no col.npy", 0},
    {"no_data.npz", "1:1", "the archive has no data.npy", 0},
    {"no_indptr.npz", "1:1", "the archive has no indptr.npy", 0},
    {"no_shape.npz", "1:1", "the archive has no shape.npy", 0},
    {"not_an_array.npz", "1:766", "data.npy: not a NumPy array: it must begin with \\x93NUMPY", 0},
    {"nothing_in_it.npz", "1:1", "neither a sparse matrix of SciPy (format.npy, shape.npy, data.npy,", 0},
    {"num_nodes_float.npz", "1:264", "num_nodes.npy: expected the number of vertices, one integer", 0},
    {"num_nodes_small.npz", "1:45", "edge_index.npy: id 5 is not one of the 5 vertices of num_nodes", 0},
    {"offset.npz", "1:1218", "data.npy is not where the zip directory says", 0},
    {"offset_far.npz", "1:1226", "data.npy is not where the zip directory says", 0},
    {"other_arrays.npz", "1:1", "neither a sparse matrix of SciPy (format.npy, shape.npy, data.npy,", 0},
    {"parts.npz", "1:1204", "a zip archive in several parts", 0},
    {"rectangle.npz", "1:568", "shape.npy: a matrix of 2 × 4: only a square one is a graph (bipartite", 0},
    {"shape_float.npz", "1:584", "shape.npy: expected one dimension of integers, found 1 of type '<f8'", 0},
    {"shape_huge.npz", "1:584", "shape.npy: 4294967296 vertices are more than 2^32-2", 0},
    {"shape_negative.npz", "1:584", "shape.npy: expected two sizes, rows and columns", 0},
    {"shape_three.npz", "1:584", "shape.npy: expected two sizes, rows and columns", 0},
    {"size_beyond.npz", "1:728", "data.npy extends beyond the end of the file", 0},
    {"size_impossible.npz", "1:458", "data.npy cannot have 2147483647 bytes: 80 are there", 0},
    {"size_other.npz", "1:458", "data.npy is damaged: its deflated data does not decompress to 161 bytes", 0},
    {"stored_sizes.npz", "1:728", "data.npy cannot have 100 bytes: 160 are there", 0},
    {"text.npz", "1:41", "not a zip archive, or one whose end is missing", 0},
    {"twice.npz", "1:547", "there are two members called edge_index.npy", 0},
    {"zip64_end.npz", "1:1224", "the zip64 end record is not where it should be", 0},
    {"zip64_missing.npz", "1:728", "data.npy cannot have 4294967295 bytes: 160 are there", 0},
};

TEST(bad_files_are_refused_with_their_byte) { check_bad_files("npz", bad, LENGTH(bad)); }

static void check_file(const char *name, const weft_read_params *params, const char *want) {
    char path[512], shown[1024] = "";
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_status st = weft_read(ctx, data_path(name, path, sizeof path), params, &g);
    if (st) snprintf(shown, sizeof shown, "%s", weft_ctx_message(ctx));
    if (g) graph_text(g, shown, sizeof shown);
    CHECK_HAS(shown, want);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(weights_and_direction_can_be_asked_for) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_file("golden/npz/csc.npz", &p, "directed none [0 1 2 3] 0>1 1>2 2>0 2>2");
    check_file("bad/npz/data_nan.npz", &p, "directed none [0 1 2 3] 0>1 1>2 2>0 2>2");
    check_file("bad/npz/data_complex.npz", &p, "directed none [0 1 2 3]");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    check_file("golden/npz/bool.npz", &p, "no weights here, but they were asked for: the values are bools");
    check_file("golden/npz/edge_index.npz", &p, "no weights here, but they were asked for");
    p.weights = WEFT_WEIGHTS_AUTO;
    p.direction = WEFT_UNDIRECTED;
    check_file("golden/npz/coo.npz", &p, "undirected u32 [0 1 2 3] 0-1:2 0-2:4 1-2:3 2-2:5");
    p.direction = WEFT_AS_FILE;
    p.duplicates = WEFT_DUPLICATES_SUM;
    check_file("golden/npz/duplicates.npz", &p, "directed u32 [0 1] 0>1:3 1>0:3");
}

TEST(choices_are_said) {
    static const struct {
        const char *file, *note;
    } files[] = {
        {"golden/npz/csr.npz", "a csr matrix of 4 \u00d7 4: entry (i, j) is an arc from i to j, its value the weight"},
        {"golden/npz/bool.npz", "entry (i, j) is an arc from i to j\n"},
        {"golden/npz/stored_zero.npz", "1 values are stored zeros"},
        {"golden/npz/edge_index.npz", "edge_index of 2 \u00d7 3: the first row holds the sources"}};
    for (size_t i = 0; i < LENGTH(files); i++) {
        warnings notes = {0, ""};
        char path[512];
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        weft_ctx_set_note(ctx, note_warning, &notes);
        CHECK(!weft_read(ctx, data_path(files[i].file, path, sizeof path), NULL, &g));
        CHECK_HAS(notes.text, files[i].note);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* --- writing ---------------------------------------------------------------------------- */

static size_t written_bytes(weft_ctx *ctx, const weft_graph *g, const char *folder, int level, weft_graph **back) {
    char path[512];
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    weft_read_params in = WEFT_READ_DEFAULTS;
    size_t bytes = 0;
    p.level = level;
    in.direction = WEFT_DIRECTED;
    in.duplicates = WEFT_DUPLICATES_MIN;
    snprintf(path, sizeof path, "%s/g.npz", folder);
    if (weft_write(ctx, g, path, &p) || weft_read(ctx, path, &in, back)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(read_file(path, &bytes));
    return bytes;
}

TEST(stored_and_deflated_come_back) {
    char folder[256];
    REQUIRE(make_temp(folder, sizeof folder));
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    for (uint64_t seed = 0; seed < 30; seed++) {
        char what[128];
        weft_graph *made = small_random_graph(ctx, seed, what, sizeof what), *back[3] = {NULL};
        REQUIRE(made != NULL);
        if (!weft_graph_directed(made)) { /* it would come back directed */
            weft_graph_free(made);
            continue;
        }
        weft_graph *g = NULL; /* without parallel arcs */
        int equal = 0;
        written_bytes(ctx, made, folder, 0, &g);
        for (int level = 0; g && level < 3; level++) {
            w = (warnings){0, ""};
            written_bytes(ctx, g, folder, 4 * level, &back[level]);
            CHECK_I64(w.count, 0);
            if (!back[level] || weft_graph_compare(ctx, g, back[level], &equal) || !equal)
                HARNESS_FAIL("%s, level %d: %s", what, 4 * level, weft_ctx_message(ctx));
            weft_graph_free(back[level]);
        }
        weft_graph_free(g);
        weft_graph_free(made);
    }
    weft_graph *g = read_text(ctx, "0 1 5\n", NULL);
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.level = -1;
    char path[512];
    snprintf(path, sizeof path, "%s/g.npz", folder);
    CHECK_I64(weft_write(ctx, g, path, &p), WEFT_EINVAL);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(a_level_packs) {
    char folder[256];
    REQUIRE(make_temp(folder, sizeof folder));
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL, *back = NULL;
    p.n = 5000;
    REQUIRE(!weft_generate(ctx, "path", &p, NULL, &g));
    size_t stored = written_bytes(ctx, g, folder, 0, &back);
    weft_graph_free(back);
    size_t packed = written_bytes(ctx, g, folder, 9, &back);
    CHECK(packed < stored / 2);
    CHECK_U64(out_rows(back).arcs, out_rows(g).arcs);
    weft_graph_free(back);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

/* What scipy.sparse.load_npz expects, byte by byte: the golden file is what was written when SciPy had read it. */
TEST(the_bytes_are_those_that_scipy_has_read) {
    char folder[256], path[512], want_path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1 2\n1 2 3\n2 0 4\n2 2 5\n", NULL);
    REQUIRE(g != NULL);
    snprintf(path, sizeof path, "%s/g.npz", folder);
    CHECK(!weft_write(ctx, g, path, NULL));
    size_t bytes, want;
    char *got = read_file(path, &bytes);
    char *expected = read_file(data_path("golden/npz/written.npz", want_path, sizeof want_path), &want);
    CHECK_U64(bytes, want);
    if (bytes == want) CHECK(got && expected && !memcmp(got, expected, bytes));
    free(got);
    free(expected);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(what_is_lost_is_said) {
    static const struct {
        const char *text, *warning;
        weft_direction direction;
    } graphs[] = {{"1 2\n2 1\n", "cannot store ids", WEFT_DIRECTED},
                  {"ann ben\n", "cannot store ids", WEFT_AS_FILE},
                  {"0 1\n", "cannot say that a graph is undirected", WEFT_UNDIRECTED},
                  {"0 1\n0 1\n", "parallel arcs", WEFT_AS_FILE}};
    char folder[256], path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        warnings w;
        weft_ctx *ctx = new_ctx(1, &w);
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.direction = graphs[i].direction;
        p.duplicates = WEFT_DUPLICATES_KEEP;
        weft_graph *g = read_text(ctx, graphs[i].text, &p);
        snprintf(path, sizeof path, "%s/g.npz", folder);
        CHECK(!weft_write(ctx, g, path, NULL));
        CHECK_I64(w.count, 1);
        CHECK_HAS(w.text, graphs[i].warning);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    remove_temp(folder);
}

/* An undirected graph has both arcs, so --undirected brings it back. */
TEST(undirected_graphs_come_back_when_asked_for) {
    char folder[256], path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    weft_graph *g = read_text(ctx, "0 1 5\n1 2 6\n2 2 7\n", &p), *back = NULL;
    char text[256];
    snprintf(path, sizeof path, "%s/g.npz", folder);
    CHECK(!weft_write(ctx, g, path, NULL) && !weft_read(ctx, path, &p, &back));
    if (back) CHECK_TEXT(graph_text(back, text, sizeof text), "undirected u32 [0 1 2] 0-1:5 1-2:6 2-2:7");
    weft_graph_free(g);
    weft_graph_free(back);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(an_archive_of_arrays_is_recognised) {
    static const char head[] = "PK\3\4\24\0\0\0\0\0\0\0\41\0\0\0\0\0\0\0\0\0\0\0\0\0\7\0\0\0row.npy";
    CHECK_I64(wfi_format_sure(wfi_format_named("npz"), head, sizeof head - 1, "x"), 3);
    CHECK_I64(wfi_format_sure(wfi_format_named("npz"), head, sizeof head - 2, "x"), 0);
    CHECK_I64(wfi_format_sure(wfi_format_named("npz"), "PK\3\4", 4, "x.zip"), 0);
    CHECK_I64(wfi_format_sure(wfi_format_named("npz"), "PK\3\4", 4, "x.npz"), 1);
}

TEST_MAIN()
