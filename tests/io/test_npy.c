/* NumPy .npy: golden files as NumPy wrote them, bad files with the byte of their fault, shapes and flags. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"duplicates.npy", "directed none [1 2] 1>2 2>2", 3, NULL},
    {"edge_index.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"edge_index_fortran.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"fields.npy", "directed f32 [1 2 3] 2>1:0.5 3>2:1.5", 2, NULL},
    {"fields_half.npy", "directed f32 [1 2] 1>2:0.25", 1, NULL},
    {"fields_padded.npy", "directed u32 [1 2 3] 1>2:7 2>3:4", 2, NULL},
    {"fields_unweighted.npy", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"keys_in_any_order.npy", "directed none [3 4] 3>4", 1, NULL},
    {"no_edges.npy", "directed none []", 0, "no edges"},
    {"no_edges_index.npy", "directed none []", 0, "no edges"},
    {"one_edge.npy", "directed none [2 4] 4>2", 1, NULL},
    {"one_edge_index.npy", "directed none [2 4] 4>2", 1, NULL},
    {"rows.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"rows_fortran.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_i1.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_i2.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_i2_big.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_i4.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_i4_big.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_i8_big.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_u1.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_u2.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_u2_big.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_u4.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_u4_big.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_u8.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"type_u8_big.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"version_2.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"version_3.npy", "directed none [0 1 2 5] 0>1 1>2 2>5", 3, NULL},
    {"wide_ids.npy",
     "directed none [-5 3 7 1099511627776 9223372036854775807] -5>1099511627776 3>3 9223372036854775807>7", 3, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("npy", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"bools.npy", "1:1", "an array of type '|b1': the ends of edges are whole numbers", 0},
    {"bytes_product.npy", "1:1", "the header claims more elements than a file can hold", 0},
    {"cut.npy", "1:70", "2 elements of 8 bytes take 16 bytes, but 15 follow", 0},
    {"dict_and_more.npy", "1:71", "text after the } of the header of the array", 0},
    {"dict_open.npy", "1:26", "expected , or } in the header of the array", 0},
    {"empty.npy", "1:1", "not a NumPy array: it must begin with \\x93NUMPY", 0},
    {"fields_float_ends.npy", "1:1", "column 1 has the type '<f8': the ends of edges are whole numbers", 0},
    {"fields_large.npy", "1:209", "weight 1e+39 is too large for a 32-bit weight; `weight_type=f64` keeps", 0},
    {"fields_many.npy", "1:1036", "more than 64 fields", 0},
    {"fields_nan.npy", "1:233", "weight nan is not a finite number (`weights=ignore` reads without weights)", 0},
    {"fields_nested.npy", "1:40", "a field that is an array: save the edges with plain fields", 0},
    {"fields_none.npy", "1:23", "an empty record, or a record of more than 4 GiB", 0},
    {"fields_square.npy", "1:1", "a structured array of 2 dimensions, expected one", 0},
    {"fields_unknown.npy", "1:1", "no column name identifies the ends of the", 0},
    {"floats.npy", "1:1", "an array of type '<f8': the ends of edges are whole numbers", 0},
    {"header_cut.npy", "1:9", "the file ends within the header of the array", 0},
    {"id_beyond.npy", "1:153", "an id beyond 2^63-1", 0},
    {"key_twice.npy", "1:35", "an unknown or repeated key in the header of the array", 0},
    {"key_unknown.npy", "1:35", "an unknown or repeated key in the header of the array", 0},
    {"length_cut.npy", "1:9", "the file ends within the header of the array", 0},
    {"longer.npy", "1:70", "2 elements of 8 bytes take 16 bytes, but 17 follow", 0},
    {"lying.npy", "1:82", "2000000000000 elements of 8 bytes take 16000000000000 bytes, but 16", 0},
    {"magic.npy", "1:1", "not a NumPy array: it must begin with \\x93NUMPY", 0},
    {"matrix.npy", "1:1", "an array of 20 × 20: edges are an array of m × 2 or 2 × m (an", 0},
    {"names.npy", "1:1", "an array of type '<U1': the ends of edges are whole numbers", 0},
    {"no_shape.npy", "1:53", "the header of the array has no 'shape'", 0},
    {"not_a_dict.npy", "1:11", "expected { in the header of the array", 0},
    {"objects.npy", "1:21", "an array of Python objects: save it with a type, as by", 0},
    {"one_column.npy", "1:1", "an array of 4 × 1: edges are an array of m × 2 or 2 × m", 0},
    {"one_dimension.npy", "1:1", "an array of 1 dimension: edges are an array of m × 2 or 2 × m", 0},
    {"order_word.npy", "1:45", "fortran_order is True or False", 0},
    {"scalar.npy", "1:1", "an array of 0 dimensions: edges are an array of m × 2 or 2 × m", 0},
    {"shape_negative.npy", "1:62", "expected a size in the header of the array", 0},
    {"shape_overflow.npy", "1:81", "a size beyond 64 bits", 0},
    {"shape_product.npy", "1:87", "more elements than a file can hold", 0},
    {"shape_word.npy", "1:62", "expected a size in the header of the array", 0},
    {"string_open.npy", "1:12", "a string in the header of the array without an end, or with escapes", 0},
    {"text.npy", "1:1", "not a NumPy array: it must begin with \\x93NUMPY", 0},
    {"three_columns.npy", "1:1", "an array with more than two columns, and no names that identify the ends", 0},
    {"three_dimensions.npy", "1:1", "an array of 3 dimensions: edges are an array of m × 2 or 2 × m", 0},
    {"two_by_two.npy", "1:1", "an array of 2 × 2 may hold its edges as rows or as columns", 0},
    {"type_size.npy", "1:1", "an array of type '<i3': the ends of edges are whole numbers", 0},
    {"type_unknown.npy", "1:21", "'int' is not a type of NumPy", 0},
    {"version_0.npy", "1:7", "version 0.0 of NumPy's format, expected 1.0, 2.0 or 3.0", 0},
    {"version_1_1.npy", "1:7", "version 1.1 of NumPy's format, expected 1.0, 2.0 or 3.0", 0},
    {"version_4.npy", "1:7", "version 4.0 of NumPy's format, expected 1.0, 2.0 or 3.0", 0},
};

TEST(bad_files_are_refused_with_their_byte) { check_bad_files("npy", bad, LENGTH(bad)); }

/* An array of int64 in C order. */
typedef struct made {
    char bytes[4096];
    size_t length;
} made;

static made make_array(const char *shape, const int64_t *values, size_t count) {
    made m;
    int used = snprintf(m.bytes + 10, 300, "{'descr': '<i8', 'fortran_order': False, 'shape': %s}", shape);
    memcpy(m.bytes, "\x93NUMPY\1\0", 8);
    m.bytes[8] = (char)used;
    m.bytes[9] = 0;
    memcpy(m.bytes + 10 + used, values, count * sizeof *values);
    m.length = 10 + (size_t)used + count * sizeof *values;
    return m;
}

/* NULL when it is refused. */
static const char *read_made(const made *m, const weft_read_params *params, char *room, size_t size, warnings *notes) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    if (notes) weft_ctx_set_note(ctx, note_warning, notes);
    weft_status st = weft_read_memory(ctx, m->bytes, m->length, "made.npy", params, &g);
    if (st)
        snprintf(room, size, "%s", weft_ctx_message(ctx));
    else
        graph_text(g, room, size);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return room;
}

TEST(flags_choose_columns_of_wider_arrays) {
    static const int64_t values[] = {7, 1, 2, 8, 2, 3, 9, 3, 1};
    made m = make_array("(3, 3)", values, 9);
    weft_read_params p = WEFT_READ_DEFAULTS;
    char text[1024];
    p.source_col = "2";
    p.target_col = "3";
    CHECK_TEXT(read_made(&m, &p, text, sizeof text, NULL), "directed none [1 2 3] 1>2 2>3 3>1");
    p.weight_col = "1";
    CHECK_TEXT(read_made(&m, &p, text, sizeof text, NULL), "directed u32 [1 2 3] 1>2:7 2>3:8 3>1:9");
    p.target_col = "4";
    CHECK_HAS(read_made(&m, &p, text, sizeof text, NULL), "made.npy:1:1: `target_col` 4: there is no such column");
}

TEST(two_by_two_needs_flags) {
    static const int64_t values[] = {0, 1, 5, 6};
    made m = make_array("(2, 2)", values, 4);
    weft_read_params p = WEFT_READ_DEFAULTS;
    char text[1024];
    CHECK_HAS(read_made(&m, &p, text, sizeof text, NULL), "may hold its edges as rows or as columns");
    CHECK_HAS(text, "`source_col");
    p.source_col = "1";
    p.target_col = "2";
    CHECK_TEXT(read_made(&m, &p, text, sizeof text, NULL), "directed none [0 1 5 6] 0>1 5>6");
}

TEST(the_shape_is_said) {
    static const int64_t values[] = {0, 1, 1, 2, 2, 0};
    made rows = make_array("(3, 2)", values, 6), index = make_array("(2, 3)", values, 6);
    warnings notes = {0, ""};
    char text[1024];
    CHECK_TEXT(read_made(&rows, NULL, text, sizeof text, &notes), "directed none [0 1 2] 0>1 1>2 2>0");
    CHECK_HAS(notes.text, "made.npy: an array of 3 \u00d7 2: a row is an edge");
    notes = (warnings){0, ""};
    CHECK_TEXT(read_made(&index, NULL, text, sizeof text, &notes), "directed none [0 1 2] 0>2 1>0 1>2");
    CHECK_HAS(notes.text, "2 \u00d7 3: the first row holds the sources, the second the targets");
}

TEST(the_caller_may_count_the_vertices) {
    static const int64_t values[] = {0, 1, 1, 2, 2, 0};
    made m = make_array("(3, 2)", values, 6);
    weft_read_params p = WEFT_READ_DEFAULTS;
    char text[1024];
    p.vertices = 4;
    p.direction = WEFT_UNDIRECTED;
    CHECK_TEXT(read_made(&m, &p, text, sizeof text, NULL), "undirected none [0 1 2 3] 0-1 0-2 1-2");
    p.vertices = 2;
    CHECK_HAS(read_made(&m, &p, text, sizeof text, NULL), "made.npy: ");
    p.vertices = 0;
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK_HAS(read_made(&m, &p, text, sizeof text, NULL), "no weights here");
}

/* Several pieces, by several threads, in the order of the file. */
TEST(long_arrays_are_read_in_pieces) {
    enum { EDGES = 2500000 };
    size_t bytes = 128 + 2 * sizeof(uint32_t) * EDGES;
    char *data = malloc(bytes);
    REQUIRE(data != NULL);
    int used = snprintf(data + 10, 118, "{'descr': '<u4', 'fortran_order': False, 'shape': (%d, 2)}", EDGES);
    memset(data + 10 + used, ' ', (size_t)(118 - used));
    memcpy(data, "\x93NUMPY\1\0v\0", 10);
    for (uint32_t i = 0; i < EDGES; i++) {
        uint32_t ends[2] = {i % 50000, (uint32_t)(random_at(1, i) % 50000)};
        memcpy(data + 128 + 8 * (size_t)i, ends, 8);
    }
    uint64_t print[2] = {1, 2};
    for (int k = 0; k < 2; k++) {
        weft_ctx *ctx = new_ctx(1 + 2 * k, NULL);
        weft_graph *g = NULL;
        CHECK(!weft_read_memory(ctx, data, bytes, "long.npy", NULL, &g));
        if (g) {
            print[k] = fingerprint_of(ctx, g);
            CHECK_U64(info_of(ctx, g).records, EDGES);
        }
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    CHECK_U64(print[0], print[1]);
    _Atomic int left = 2;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_ctx_set_cancel(ctx, stop_after, &left);
    CHECK_I64(weft_read_memory(ctx, data, bytes, "long.npy", NULL, &g), WEFT_ECANCELLED);
    weft_ctx_free(ctx);
    free(data);
}

TEST(the_magic_is_recognised) {
    CHECK_I64(wfi_format_sure(wfi_format_named("npy"), "\x93NUMPY\1\0", 8, "x"), 3);
    CHECK_I64(wfi_format_sure(wfi_format_named("npy"), "1 2\n", 4, "x.npy"), 1);
    CHECK_I64(wfi_format_sure(wfi_format_named("npy"), "1 2\n", 4, "x.txt"), 0);
    CHECK_I64(wfi_format_sure(wfi_format_named("npy"), "", 0, "x"), 0);
}

TEST_MAIN()
