/* Parquet: every encoding, codec and writer by a golden file, every fault at its place.  The files come from
 * tests/conformance/columnar_files.py. */
#include "columnar_support.h"
#include "io/io.h"

#define ENDS "directed none [ann bob cy dora] ann>bob ann>cy bob>cy cy>ann dora>ann"

/* clang-format off */
static const golden_file golden[] = {
    {"plain.parquet",
     "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1",
     5, NULL},
    {"snappy_dictionary.parquet",
     "directed f32 [1 2 3 9] 1>2:0.5 1>3:4 2>3:1.25 3>1:-3 9>1:0.75",
     5, NULL},
    {"zstd_v2.parquet",
     "directed none [ann bob cy dora] ann>bob ann>cy bob>cy cy>ann dora>ann",
     5, NULL},
    {"gzip_small_ints.parquet",
     "directed u32 [1 2 3 9] 1>2:5 1>3:4.2949673e+09 2>3:0 3>1:7 9>1:1",
     5, NULL},
    {"lz4_texts.parquet",
     "directed none [ a name beyond twelve bytes ann bob cy dora] ann> ann>a name beyond twelve bytes bob>"
     "bob cy>a name beyond twelve bytes dora>bob",
     5, NULL},
    {"delta_ints.parquet",
     "directed none [0 3 1000003 3000009 4000012 9000027 10000030 12000036] 0>3 1000003>3 3000009>3 400001"
     "2>3 9000027>3 10000030>3 12000036>3",
     300, NULL},
    {"delta_int32.parquet",
     "directed none [-2147483648 0 5 6 2147483647 4294967295] -2147483648>4294967295 5>6 2147483647>0",
     3, NULL},
    {"delta_lengths.parquet",
     "directed none [ann bob cy dora] ann>bob ann>cy bob>cy cy>ann dora>ann",
     5, NULL},
    {"delta_texts.parquet",
     "directed none [no node1 node10 node2] no>no node1>node10 node10>no node10>node2 node2>node1",
     5, NULL},
    {"stream_split.parquet",
     "directed f32 [1 2 3 9] 1>2:0.5 1>3:4 2>3:1.25 3>1:-3 9>1:0.75",
     5, NULL},
    {"checksums.parquet",
     "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1",
     5, NULL},
    {"large_ids.parquet",
     "directed f32 [-7 0 1 1099511627776 9223372036854775807] -7>1:1.09951163e+12 1099511627776>0:-1 92233"
     "72036854775807>1099511627776:3",
     3, NULL},
    {"direction.parquet",
     "undirected none [1 2 3] 1-2 2-3",
     2, NULL},
    {"many_rows.parquet",
     "directed none [s0 s1 s2 s3 t0 t1 t2] s0>t0 s1>t1 s2>t2 s3>t0",
     80000, NULL},
    {"no_rows.parquet",
     "directed none []",
     0, "no edges"},
    {"unused_names.parquet",
     "directed none [a b c] a>b b>c",
     2, NULL},
    {"passed_over.parquet",
     "directed none [1 2] 1>2 2>1",
     2, NULL},
    {"pandas_index.parquet",
     "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1",
     5, NULL},
    {"fastparquet.parquet",
     "directed f32 [1 2 3 9] 1>2:0.5 1>3:4 2>3:1.25 3>1:-3 9>1:0.75",
     5, NULL},
    {"polars.parquet",
     "directed u32 [ a name beyond twelve bytes ann bob cy dora] ann>:4.2949673e+09 ann>a name beyond twel"
     "ve bytes:5 bob>bob:0 cy>a name beyond twelve bytes:7 dora>bob:1",
     5, NULL},
    {"columns.parquet", ENDS, 5, NULL},
    {"columns_v2.parquet", ENDS, 5, NULL},
    {"columns_old.parquet", ENDS, 5, NULL},
    {"duckdb.parquet",
     "directed f32 [ann bob cy dora] ann>bob:0.5 ann>cy:4 bob>cy:1.25 cy>ann:-3 dora>ann:0.75",
     5, NULL},
};

static const bad_file bad[] = {
    {"brotli.parquet", "1:1", "the column is compressed with BROTLI", WEFT_EUNSUPPORTED},
    {"bytes_ids.parquet", "1:1", "column 'source' holds bytes, which the file does not mark as text", 0},
    {"checksum.parquet", "1:5", "its checksum is wrong", 0},
    {"cut_short.parquet", "1:1842", "the file does not end with PAR1", 0},
    {"deep_footer.parquet", "1:23", "the footer is damaged here", 0},
    {"dictionary_index.parquet", "1:43", "a value is beyond the end of the dictionary", 0},
    {"dictionary_width.parquet", "1:43", "the width of its values is not 0 to 32 bits", 0},
    {"encrypted.parquet", "1:1", "the file is encrypted", WEFT_EUNSUPPORTED},
    {"footer_damaged.parquet", "1:1654", "the footer is damaged here", 0},
    {"footer_too_long.parquet", "1:1839", "the footer claims 1073741824 bytes", 0},
    {"gzip.parquet", "1:5", "the gzip data is damaged", 0},
    {"large_unsigned.parquet", "1:1", "row 1 of column 'source' does not fit in 64 bits with sign", 0},
    {"large_weight.parquet", "1:3", "row 1 of column 'weight' is too large for a 32-bit weight", 0},
    {"lz4_copy.parquet", "1:5", "the LZ4 data copies from before its start", 0},
    {"lz4_literal.parquet", "1:5", "the LZ4 data ends within a literal", 0},
    {"mixed_ids.parquet", "1:1", "column 'source' holds int64", 0},
    {"nan_weight.parquet", "2:3", "row 2 of column 'weight' is not a number", 0},
    {"nested.parquet", "1:1", "column 'source' holds nested values, which cannot be ids", 0},
    {"no_ends.parquet", "1:1", "no column name identifies the ends of the edges", 0},
    {"nul_in_name.parquet", "2:1", "row 2 of column 'source' is a name with a NUL byte in it", 0},
    {"null.parquet", "2:2", "row 2 of column 'target' is null", 0},
    {"null_weight.parquet", "2:3", "row 2 of column 'weight' is null", 0},
    {"only_magic.parquet", "1:5", "the file does not end with PAR1", 0},
    {"other.parquet", "1:1", "a Parquet file begins with PAR1, this one does not", 0},
    {"other_direction.parquet", "2:3", "row 2 of column 'type' is 'friend', though the first says Directed or Undirected", 0},
    {"page_header.parquet", "1:5", "its header is damaged", 0},
    {"page_too_long.parquet", "1:5", "it is longer than the column", 0},
    {"real_ids.parquet", "1:1", "column 'source' holds decimals", 0},
    {"snappy_copy.parquet", "1:5", "the snappy data copies from before its start", 0},
    {"snappy_length.parquet", "1:5", "the snappy data gives a different length than the file", 0},
    {"snappy_literal.parquet", "1:5", "the snappy data ends within a literal", 0},
    {"text_weight.parquet", "1:1", "the column of weights holds something other than numbers", 0},
    {"time_weight.parquet", "1:3", "column 'weight' holds times, which cannot be weights", 0},
    {"two_directions.parquet", "2:3", "directed and undirected edges in one file: `direction=directed` or `direction=undirected` makes them all the same", 0},
    {"zstd.parquet", "1:5", "the zstd data is damaged", 0},
};
/* clang-format on */

TEST(golden_files_are_read_as_they_say) { check_golden_files("parquet", golden, LENGTH(golden)); }

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("parquet", bad, LENGTH(bad)); }

/* By arc: ann>bob, ann>cy, bob>cy, cy>ann, dora>ann. */
#define VALUES                                                                                                       \
    "whole:i64[5|9007199254740993|-|-7|0] large:text[-|2|18446744073709551615|1|3] real:f64[0.1|-2.5|-|1e+300|nan] " \
    "single:f64[0.5|4|1.25|-|0.1] truth:bool[true|true|-|false|true] "                                               \
    "text:text[x||a name beyond twelve bytes|-|x] day:time[2024-02-29|0001-01-01|-|1969-12-31|2100-01-01] "          \
    "local:time[2024-03-01T12:30:00|2024-03-01T00:00:00|-|1969-12-31T23:59:59.000001|2000-01-01T00:00:00] "          \
    "utc:time[2024-03-01T12:00:00.123Z|1970-01-01T00:00:00Z|-|1969-12-31T23:59:59.999Z|1970-01-01T00:00:00.001Z] "   \
    "nanos:time[2024-03-01T12:00:00|1970-01-01T00:00:00|-|1969-12-31T23:59:59.999999|1970-01-01T00:00:00.000001] "   \
    "nothing:text[-|-|-|-|-]"
#define KEPT "whole,large,real,single,truth,text,day,local,utc,nanos,nothing"
#define OLD  "old:time[2024-03-01T12:30:00|2024-03-01T00:00:00|-|1969-12-31T00:00:00|2000-01-01T00:00:00]"

TEST(values_of_all_types_are_kept_with_the_edges) {
    check_kept("golden/parquet/columns.parquet", KEPT, NULL, VALUES);
    check_kept("golden/parquet/columns_v2.parquet", KEPT, NULL, VALUES);
    check_kept("golden/parquet/columns.parquet", "old", NULL, OLD);
    check_kept("golden/parquet/columns_old.parquet", "old", NULL, OLD);
}

TEST(a_condition_leaves_edges_out_with_their_ends) {
    check_kept("golden/parquet/columns.parquet", "whole", "truth = true and day < 2050-01-01",
               "whole:i64[5|9007199254740993]");
    check_kept("golden/parquet/columns_v2.parquet", "text", "not real >= 0",
               "text:text[|a name beyond twelve bytes|x]");
    check_kept("golden/parquet/columns.parquet", "real", "target = 'ann'", "real:f64[1e+300|nan]");
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.edges_where = "utc >= 2024-01-01";
    check_file("golden/parquet/columns.parquet", &p, "directed none [ann bob] ann>bob");
    p.edges_where = "text > 5";
    check_refused("golden/parquet/columns.parquet", &p,
                  "columns.parquet:1:8: row 1 of column 'text': 'x' is not a number");
    p.edges_where = "whole >= 2024-01-01";
    check_refused("golden/parquet/columns.parquet", &p, "'5' is not a time (whole numbers below 100000000 are years");
    p.edges_where = "list > 5";
    check_refused("golden/parquet/columns.parquet", &p, "column 'list' holds nested values, which cannot be kept");
}

TEST(a_table_of_vertices_may_be_parquet) {
    check_vertices(
        "golden/parquet/columns_old.parquet", ":target",
        "source:text[cy|ann|bob|-] "
        "old:time[1969-12-31T00:00:00|2024-03-01T12:30:00|2024-03-01T00:00:00|-] truth:bool[false|true|true|-]");
    check_no_vertices("golden/parquet/columns_old.parquet", "", "no column name identifies the ids of the vertices");
    check_no_vertices("golden/parquet/columns_old.parquet", ":old", "column 'old' holds times, which cannot be ids");
    check_no_vertices("golden/parquet/columns_old.parquet", ":9", "there is no column 9");
    check_no_vertices("bad/parquet/cut_short.parquet", "", "it was cut short");
}

TEST(the_message_shows_columns_with_their_first_values) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    check_refused("bad/parquet/no_ends.parquet", &p, "alpha: 10");
    check_refused("bad/parquet/no_ends.parquet", &p, "beta: x");
    check_refused("bad/parquet/no_ends.parquet", &p, "gamma: (nested values)");
}

TEST(columns_can_be_named) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.source_col = "target";
    p.target_col = "source";
    check_file("golden/parquet/plain.parquet", &p, "directed none [1 2 3 9] 1>3 1>9 2>1 3>1 3>2");
    p.target_col = "1";
    check_file("golden/parquet/plain.parquet", &p, "directed none [1 2 3 9] 1>3 1>9 2>1 3>1 3>2");
    p.source_col = "list";
    check_refused("golden/parquet/passed_over.parquet", &p, "one column cannot have two roles");
    p.target_col = "source";
    check_refused("golden/parquet/passed_over.parquet", &p, "column 'list' holds nested values, which cannot be ids");
    p.source_col = "flag";
    check_refused("golden/parquet/passed_over.parquet", &p, "column 'flag' holds booleans");
    p.source_col = "time";
    check_refused("golden/parquet/passed_over.parquet", &p, "column 'time' holds times");
    p.source_col = "nowhere";
    check_refused("golden/parquet/passed_over.parquet", &p, "there is no such column");
}

TEST(ids_can_be_names_or_numbers) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.ids = WEFT_READ_IDS_STRING;
    check_file("golden/parquet/delta_int32.parquet", &p,
               "directed none [-2147483648 0 2147483647 4294967295 5 6] -2147483648>4294967295 2147483647>0 5>6");
    check_file("bad/parquet/mixed_ids.parquet", &p, "directed none [1 2 a b] 1>a 2>b");
    check_file("bad/parquet/bytes_ids.parquet", &p, "directed none [a b] a>b b>a");
    check_file("bad/parquet/large_unsigned.parquet", &p, "directed none [1 9223372036854775808] 9223372036854775808>1");
    p.vertices = 5;
    check_refused("golden/parquet/plain.parquet", &p, "cannot be names too");
    p.ids = WEFT_READ_IDS_INTEGER;
    check_refused("golden/parquet/plain.parquet", &p,
                  "row 5 of column 'source' is 9: with `vertices=5`, ids are 0 to 4");
    p.vertices = 0;
    check_refused("golden/parquet/zstd_v2.parquet", &p, "row 1 of column 'source' is 'ann', not a whole number");
}

TEST(weights_and_direction_can_be_asked_for) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_file("golden/parquet/snappy_dictionary.parquet", &p, "directed none [1 2 3 9] 1>2 1>3 2>3 3>1 9>1");
    check_file("bad/parquet/nan_weight.parquet", &p, "directed none [1 2] 1>2 2>1");
    p.direction = WEFT_DIRECTED;
    check_file("golden/parquet/direction.parquet", &p, "directed none [1 2 3] 1>2 2>3");
    check_file("bad/parquet/two_directions.parquet", &p, "directed none [1 2] 1>2 2>1");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    check_refused("golden/parquet/plain.parquet", &p, "weights were asked for, but no column has them");
}

TEST(what_ends_too_early_is_refused) { check_cuts("golden/parquet/polars.parquet", "parquet", 0); }

static int sniff(const char *text, size_t bytes, const char *name) {
    return wfi_format_sure(wfi_format_named("parquet"), text, bytes, name);
}

TEST(a_magic_number_is_recognised) {
    CHECK_I64(sniff("PAR1\x15", 5, "x.txt"), 3);
    CHECK_I64(sniff("PARE\x15", 5, "x"), 3);
    CHECK_I64(sniff("PAR", 3, "x"), 0);
    CHECK_I64(sniff("a,b\n", 4, "x.pq"), 1);
    CHECK_I64(sniff("a,b\n", 4, "x.csv"), 0);
}

TEST_MAIN()
