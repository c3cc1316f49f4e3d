/* Arrow files and streams: every layout, codec and writer by a golden file, every fault at its place.  The files come from
 * tests/conformance/columnar_files.py. */
#include "columnar_support.h"
#include "io/io.h"

/* clang-format off */
static const golden_file golden[] = {
    {"columns.arrow", "directed none [ann bob cy dora] ann>bob ann>cy bob>cy cy>ann dora>ann", 5, NULL},
    {"columns_zstd.ipc", "directed none [ann bob cy dora] ann>bob ann>cy bob>cy cy>ann dora>ann", 5, NULL},
    {"plain.arrow",
     "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1",
     5, NULL},
    {"stream.ipc",
     "directed f32 [1 2 3 9] 1>2:0.5 1>3:4 2>3:1.25 3>1:-3 9>1:0.75",
     5, NULL},
    {"stream_without_end.ipc",
     "directed f32 [1 2 3 9] 1>2:0.5 1>3:4 2>3:1.25 3>1:-3 9>1:0.75",
     5, "no mark of its end"},
    {"stream_old.ipc",
     "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1",
     5, NULL},
    {"file_old.arrow",
     "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1",
     5, NULL},
    {"many_rows.arrow",
     "directed none [v0 v1 v2 v3 v4] v0>v1 v1>v2 v2>v3 v3>v4",
     80000, NULL},
    {"lz4.feather",
     "directed f32 [1 2 3 9] 1>2:0.5 1>3:4 2>3:1.25 3>1:-3 9>1:0.75",
     5, NULL},
    {"zstd_texts.feather",
     "directed none [ a name beyond twelve bytes ann bob cy dora] ann> ann>a name beyond twelve bytes bob>"
     "bob cy>a name beyond twelve bytes dora>bob",
     5, NULL},
    {"lz4_texts.arrow",
     "directed none [vertex number 0 vertex number 1 vertex number 2 vertex number 3 vertex number 4 verte"
     "x number 5 vertex number 6 vertex number 7 vertex number 8] vertex number 0>vertex number 1 vertex n"
     "umber 1>vertex number 0 vertex number 1>vertex number 2 vertex number 2>vertex number 3 vertex numbe"
     "r 3>vertex number 4 vertex number 4>vertex number 5 vertex number 5>vertex number 6 vertex number 6>"
     "vertex number 7 vertex number 7>vertex number 8 vertex number 8>vertex number 0",
     200, NULL},
    {"large_texts.arrow",
     "directed none [ a name beyond twelve bytes ann bob cy dora] ann> ann>a name beyond twelve bytes bob>"
     "bob cy>a name beyond twelve bytes dora>bob",
     5, NULL},
    {"views.arrow",
     "directed none [ a name beyond twelve bytes ann bob cy dora] ann> ann>a name beyond twelve bytes bob>"
     "bob cy>a name beyond twelve bytes dora>bob",
     5, NULL},
    {"views_zstd.arrow",
     "directed none [ a name beyond twelve bytes ann bob cy dora] ann> ann>a name beyond twelve bytes bob>"
     "bob cy>a name beyond twelve bytes dora>bob",
     5, NULL},
    {"dictionary.arrow",
     "directed u32 [a b c] a>b:3 b>c:3",
     2, NULL},
    {"dictionary_delta.ipc",
     "directed none [a b c] a>b a>c b>a c>a",
     4, NULL},
    {"dictionary_replaced.ipc",
     "directed none [a b c d] a>b b>a c>a d>c",
     4, NULL},
    {"passed_over.arrow",
     "directed none [1 2] 1>2 2>1",
     2, NULL},
    {"direction.arrow",
     "directed none [1 2] 1>2 2>1",
     2, NULL},
    {"no_rows.arrow",
     "directed none []",
     0, "no edges"},
    {"pandas.feather",
     "directed u32 [1 2 3 9] 1>2:5 1>3:4.2949673e+09 2>3:0 3>1:7 9>1:1",
     5, NULL},
    {"polars.arrow",
     "directed u32 [ a name beyond twelve bytes ann bob cy dora] ann>:4.2949673e+09 ann>a name beyond twel"
     "ve bytes:5 bob>bob:0 cy>a name beyond twelve bytes:7 dora>bob:1",
     5, NULL},
    {"polars_stream.ipc",
     "directed u32 [ a name beyond twelve bytes ann bob cy dora] ann>:4.2949673e+09 ann>a name beyond twel"
     "ve bytes:5 bob>bob:0 cy>a name beyond twelve bytes:7 dora>bob:1",
     5, NULL},
    {"polars_categories.arrow",
     "directed u32 [ a name beyond twelve bytes ann bob cy dora] ann>:4.2949673e+09 ann>a name beyond twel"
     "ve bytes:5 bob>bob:0 cy>a name beyond twelve bytes:7 dora>bob:1",
     5, NULL},
};

static const bad_file bad[] = {
    {"batch_elsewhere.arrow", "1:9", "the footer says that a batch begins here, but none does", 0},
    {"batch_outside.arrow", "1:905", "the footer puts a batch outside of the file", 0},
    {"big_endian.ipc", "1:9", "the numbers are big-endian", WEFT_EUNSUPPORTED},
    {"buffer_outside.arrow", "1:473", "a buffer lies outside of the batch", 0},
    {"buffer_too_short.arrow", "1:473", "it has fewer values than the batch has rows", 0},
    {"cut_short.arrow", "1:1172", "the file does not end with ARROW1", 0},
    {"dictionary_index.arrow", "1:1", "row 1 of column 'source' is beyond the end of its dictionary", 0},
    {"dictionary_missing.ipc", "1:225", "the dictionary of the batch that begins here is missing", 0},
    {"feather_1.feather", "1:1", "this is Feather of version 1", WEFT_EUNSUPPORTED},
    {"footer_damaged.arrow", "1:905", "the schema that begins here is damaged", 0},
    {"footer_too_long.arrow", "1:1169", "the footer claims a size that the file has no room for", 0},
    {"half_weight.arrow", "1:1", "the column of weights holds something other than numbers", 0},
    {"lz4_copy.arrow", "1:201", "the LZ4 data copies from before its start", 0},
    {"lz4_frame.arrow", "1:201", "the LZ4 data does not begin with a frame", 0},
    {"negative_size.arrow", "1:201", "a buffer claims an impossible decompressed size", 0},
    {"nested.arrow", "1:1", "column 'source' holds lists, which cannot be ids", 0},
    {"no_ends.arrow", "1:1", "no column name identifies the ends of the edges", 0},
    {"null.arrow", "4:1", "row 4 of column 'source' is null", 0},
    {"null_in_dictionary.arrow", "2:1", "row 2 of column 'source' is null", 0},
    {"other.arrow", "1:1", "an Arrow file begins with ARROW1, a stream with the bytes ff ff ff ff; this one with neither", 0},
    {"real_ids.arrow", "1:1", "column 'source' holds decimals", 0},
    {"stream_cut.ipc", "1:681", "the message that begins here is longer than the file", 0},
    {"stream_cut_in_message.ipc", "1:185", "the message that begins here is longer than the file", 0},
    {"text_outside.arrow", "2:1", "row 2 of column 'source' lies outside of its batch", 0},
    {"two_streams.ipc", "1:897", "the stream ended before here", 0},
    {"unpacked_size.arrow", "1:201", "a buffer claims an impossible decompressed size", 0},
    {"view_outside.arrow", "1:1", "row 1 of column 'source' lies outside of its batch", 0},
    {"zstd.arrow", "1:201", "the zstd data is damaged", 0},
};
/* clang-format on */

TEST(golden_files_are_read_as_they_say) { check_golden_files("arrow", golden, LENGTH(golden)); }

/* By arc: ann>bob, ann>cy, bob>cy, cy>ann, dora>ann. */
#define VALUES                                                                                                     \
    "whole:i64[5|9007199254740993|-|-7|0] real:f64[0.1|-2.5|-|1e+300|nan] truth:bool[true|true|-|false|true] "     \
    "text:text[x||a name beyond twelve bytes|-|x] day:time[2024-02-29|0001-01-01|-|1969-12-31|2100-01-01] "        \
    "date:time[2024-02-29|0001-01-01|-|1969-12-31|2100-01-01] "                                                    \
    "local:time[2024-03-01T12:30:00|2024-03-01T00:00:00|-|1969-12-31T23:59:59.000001|2000-01-01T00:00:00] "        \
    "seconds:time[2024-03-01T12:00:00Z|1970-01-01T00:00:00Z|-|1969-12-31T23:59:59Z|1970-01-01T00:00:01Z] "         \
    "nanos:time[2024-03-01T12:00:00|1970-01-01T00:00:00|-|1969-12-31T23:59:59.999999|1970-01-01T00:00:00.000001] " \
    "nothing:text[-|-|-|-|-] coded:text[y|-|-|x|y]"
#define KEPT "whole,real,truth,text,day,date,local,seconds,nanos,nothing,coded"

TEST(values_of_all_types_are_kept_with_the_edges) {
    check_kept("golden/arrow/columns.arrow", KEPT, NULL, VALUES);
    check_kept("golden/arrow/columns_zstd.ipc", KEPT, NULL, VALUES);
    check_kept("golden/arrow/columns.arrow", "whole", "coded = 'y'", "whole:i64[5|0]");
    check_kept("golden/arrow/columns_zstd.ipc", "coded", "truth = true and seconds >= 1970-01-01", "coded:text[y|-|y]");
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.keep = "clock";
    check_refused("golden/arrow/columns.arrow", &p, "column 'clock' holds times, which cannot be kept");
}

TEST(a_table_of_vertices_may_be_arrow) {
    const char *want = "text:text[x|x|a name beyond twelve bytes|-] coded:text[x|y|-|-]";
    check_vertices("golden/arrow/columns.arrow", ":target", want);
    check_vertices("golden/arrow/columns_zstd.ipc", ":2", want);
    check_no_vertices("golden/arrow/columns.arrow", "", "no column name identifies the ids of the vertices");
}

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("arrow", bad, LENGTH(bad)); }

TEST(the_message_shows_columns_with_their_first_values) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    check_refused("bad/arrow/no_ends.arrow", &p, "alpha: 10");
    check_refused("bad/arrow/no_ends.arrow", &p, "beta: y");
    check_refused("bad/arrow/no_ends.arrow", &p, "gamma: p");
}

TEST(columns_can_be_named) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.source_col = "half";
    p.target_col = "source";
    check_refused("golden/arrow/passed_over.arrow", &p, "column 'half' holds half-precision floats");
    p.source_col = "none";
    check_refused("golden/arrow/passed_over.arrow", &p, "column 'none' holds nothing but nulls");
    p.source_col = "binary";
    check_refused("golden/arrow/passed_over.arrow", &p, "`ids=string` takes it as names");
    p.source_col = "label";
    p.target_col = "3";
    check_file("golden/arrow/views.arrow", &p,
               "directed none [ a name beyond twelve bytes bob] > a name beyond twelve bytes>a name beyond twelve "
               "bytes bob>bob");
    p.source_col = "gamma";
    p.target_col = "beta";
    check_file("bad/arrow/no_ends.arrow", &p, "directed none [p q x y] p>y q>x");
}

TEST(ids_can_be_names_or_numbers) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.ids = WEFT_READ_IDS_STRING;
    check_file("golden/arrow/plain.arrow", &p, "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1");
    p.ids = WEFT_READ_IDS_INTEGER;
    check_refused("golden/arrow/dictionary.arrow", &p, "row 1 of column 'source' is 'a', not a whole number");
    p.vertices = 12;
    check_file("golden/arrow/plain.arrow", &p, "directed none [0 1 2 3 4 5 6 7 8 9 10 11] 1>2 1>3 2>3 3>1 9>1");
}

TEST(what_ends_too_early_is_refused) {
    check_cuts("golden/arrow/polars.arrow", "arrow", 0);
    check_cuts("golden/arrow/dictionary.arrow", "arrow", 0);
    /* A stream may end after its schema and after each batch: once too early here, and once without its mark. */
    check_cuts("golden/arrow/polars_stream.ipc", "arrow", 2);
}

static int sniff(const void *text, size_t bytes, const char *name) {
    return wfi_format_sure(wfi_format_named("arrow"), text, bytes, name);
}

TEST(files_and_streams_are_recognised) {
    static const unsigned char stream[] = {0xff, 0xff, 0xff, 0xff, 0x18, 0, 0, 0, /* the root at 12, its vtable at 4 */
                                           12,   0,    0,    0,    8,    0, 8, 0, 0, 0, 4, 0,
                                           8,    0,    0,    0,    1,    0, 0, 0, 0, 0, 0, 0};
    CHECK_I64(sniff("ARROW1\0\0", 8, "x"), 3);
    CHECK_I64(sniff("FEA1\0\0\0\0", 8, "x"), 3);
    CHECK_I64(sniff("ARROW1s and names", 17, "x"), 0);
    CHECK_I64(sniff(stream, sizeof stream, "x"), 3);
    CHECK_I64(sniff("\xff\xff\xff\xff\x10\0\0\0\0\0\0\0\0\0\0\0", 16, "x"), 0);
    CHECK_I64(sniff("a b\n", 4, "x.feather"), 1);
    CHECK_I64(sniff("a b\n", 4, "x"), 0);
}

TEST_MAIN()
