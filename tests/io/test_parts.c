/* Folders of part files: what counts as a part, in which order, and which folders are refused. */
#include "support.h"

#include <sys/stat.h>

/* A folder made from a list of "name" and "content"; a name that ends in / is a folder. */
typedef struct entry {
    const char *name, *content;
} entry;

static void make_folder(char *folder, size_t room, const entry *entries) {
    REQUIRE(make_temp(folder, room));
    for (const entry *e = entries; e->name; e++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, e->name);
        for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
            *p = '\0';
            mkdir(path, 0777);
            *p = '/';
        }
        if (path[strlen(path) - 1] != '/') REQUIRE(write_file(path, e->content, strlen(e->content)));
    }
}

static void check_folder(const entry *entries, const char *end, const weft_read_params *params, const char *want,
                         const char *note) {
    for (int threads = 1; threads < 4; threads += 2) {
        char folder[256], path[512], text[512];
        warnings w, notes = {0, ""};
        weft_ctx *ctx = new_ctx(threads, &w);
        weft_graph *g = NULL;
        weft_ctx_set_note(ctx, note_warning, &notes);
        make_folder(folder, sizeof folder, entries);
        snprintf(path, sizeof path, "%s%s", folder, end);
        if (weft_read(ctx, path, params, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        if (g) CHECK_TEXT(graph_text(g, text, sizeof text), want);
        CHECK_HAS(notes.text, note);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
        remove_temp(folder);
    }
}

static void check_refused(const entry *entries, const weft_read_params *params, weft_status status, const char *place,
                          const char *part) {
    char folder[256], start[512];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    make_folder(folder, sizeof folder, entries);
    weft_status st = weft_read(ctx, folder, params, &g);
    snprintf(start, sizeof start, "%s%s: ", folder, place);
    if (st != status || strncmp(weft_ctx_message(ctx), start, strlen(start)) || !strstr(weft_ctx_message(ctx), part))
        HARNESS_FAIL("status %d, \"%s\", expected %d, \"%s ... %s\"", (int)st, weft_ctx_message(ctx), (int)status,
                     start, part);
    CHECK(!g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

static const entry spark[] = {
    {"_SUCCESS", ""},
    {"._SUCCESS.crc", "crc"},
    {".part-00000.crc", "crc"},
    {"part-00000-11c0ffee-aaaa-bbbb-cccc-0123456789ab-c000.csv", "1,2\n2,3\n"},
    {"part-00001-11c0ffee-aaaa-bbbb-cccc-0123456789ab-c000.csv", ""},
    {"part-00002-11c0ffee-aaaa-bbbb-cccc-0123456789ab-c000.csv", "3,4\n"},
    {NULL, NULL},
};

TEST(parts_are_one_table) {
    check_folder(spark, "", NULL, "directed none [1 2 3 4] 1>2 2>3 3>4", "read 3 part files as one table");
    check_folder(spark, "/", NULL, "directed none [1 2 3 4] 1>2 2>3 3>4", "read 3 part files as one table");
    weft_read_params p = reading("csv");
    p.direction = WEFT_UNDIRECTED;
    check_folder(spark, "///", &p, "undirected none [1 2 3 4] 1-2 2-3 3-4", "read 3 part files as one table");
}

/* Merged weights and the edges that remain are those of the first in the order of names. */
TEST(parts_stand_in_the_order_of_their_names) {
    static const entry parts[] = {{"p10", "1 2 7\n"}, {"p9", "1 2 5\n1 3 2\n"}, {"p11", "1 4 1.5\n"}, {NULL, NULL}};
    weft_read_params p = reading(NULL);
    p.duplicates = WEFT_DUPLICATES_KEEP;
    check_folder(parts, "", &p, "directed f32 [1 2 3 4] 1>2:7 1>2:5 1>3:2 1>4:1.5", "read 3 part files");
}

TEST(names_are_shared_by_all_parts) {
    static const entry parts[] = {{"a-0.txt", "ann bob\nbob cid\n"}, {"a-1.txt", "cid ann\ndon bob\n"}, {NULL, NULL}};
    check_folder(parts, "", NULL, "directed none [ann bob cid don] ann>bob bob>cid cid>ann don>bob",
                 "read 2 part files");
}

TEST(each_part_has_its_header) {
    static const entry parts[] = {{"part-0.csv", "target,source,year\n2,1,2020\n"},
                                  {"part-1.csv", "target,source,year\n"},
                                  {"part-2.csv", "target,source,year\n3,2,2021\n"},
                                  {NULL, NULL}};
    static const entry late[] = {{"part-0.csv", "source,target,weight\n"},
                                 {"part-1.csv", "source,target,weight\nann,bob,2\n"},
                                 {"part-2.csv", "source,target,weight\n"},
                                 {NULL, NULL}};
    static const entry other[] = {{"p-0.csv", "source,target\n1,2\n"}, {"p-1.csv", "src,dst\n2,3\n"}, {NULL, NULL}};
    static const entry kinds[] = {
        {"p-0.csv", "source,target\n1,2\n"}, {"p-1.csv", "source,target\na,b\n"}, {NULL, NULL}};
    static const entry weights[] = {{"p-0.txt", "1 2\n"}, {"p-1.txt", "1 2 3\n"}, {NULL, NULL}};
    check_folder(parts, "", NULL, "directed none [1 2 3] 1>2 2>3", "read 3 part files");
    check_folder(late, "", NULL, "directed u32 [ann bob] ann>bob:2", "read 3 part files");
    check_refused(other, NULL, WEFT_EINPUT, "/p-1.csv:1:1", "this part has different columns from the first");
    check_refused(kinds, NULL, WEFT_EINPUT, "/p-1.csv:1:1", "`ids=string`");
    check_refused(weights, NULL, WEFT_EINPUT, "/p-1.txt:1:1", "");
    weft_read_params p = reading(NULL);
    p.ids = WEFT_READ_IDS_STRING;
    check_folder(kinds, "", &p, "directed none [1 2 a b] 1>2 a>b", "read 2 part files");
}

TEST(other_writers_names) {
    static const entry duckdb[] = {{"data_0.csv", "1,2\n"}, {"data_1.csv", "2,3\n"}, {NULL, NULL}};
    static const entry hadoop[] = {
        {"_SUCCESS", ""}, {"part-r-00000", "1\t2\n"}, {"part-r-00001", "2\t3\n"}, {NULL, NULL}};
    static const entry appended[] = {{"part-00000-11c0ffee-aaaa-bbbb-cccc-0123456789ab-c000.csv", "1,2\n"},
                                     {"part-00000-deadbeef-fade-cafe-face-deadbeefcafe-c000.csv", "2,3\n"},
                                     {NULL, NULL}};
    static const entry done[] = {{"_SUCCESS", ""}, {"x.csv", "1,2\n"}, {"y.csv", "2,3\n"}, {NULL, NULL}};
    static const entry single[] = {{"edges.csv", "1,2\n2,3\n"}, {NULL, NULL}};
    check_folder(duckdb, "", NULL, "directed none [1 2 3] 1>2 2>3", "read 2 part files");
    check_folder(hadoop, "", NULL, "directed none [1 2 3] 1>2 2>3", "read 2 part files");
    check_folder(appended, "", NULL, "directed none [1 2 3] 1>2 2>3", "read 2 part files");
    check_folder(done, "", NULL, "directed none [1 2 3] 1>2 2>3", "read 2 part files");
    check_folder(single, "", NULL, "directed none [1 2 3] 1>2 2>3", "read 1 part file as");
}

TEST(folders_named_by_a_column_are_gone_into) {
    static const entry hive[] = {{"year=2020/month=1/part-0.csv", "1,2\n"},
                                 {"year=2020/month=2/part-0.csv", "2,3\n"},
                                 {"year=2021/month=1/part-0.csv", "3,4\n"},
                                 {NULL, NULL}};
    static const entry mixed[] = {{"year=2020/part-0.csv", "1,2\n"}, {"part-1.csv", "2,3\n"}, {NULL, NULL}};
    static const entry other[] = {{"2020/part-0.csv", "1,2\n"}, {NULL, NULL}};
    check_folder(hive, "", NULL, "directed none [1 2 3 4] 1>2 2>3 3>4",
                 "read 3 part files as one table; passed over what the folders' names add: year, month");
    check_refused(mixed, NULL, WEFT_EINPUT, "", "name one of them");
    check_refused(other, NULL, WEFT_EINPUT, "", "is a directory with another in it, 2020");
}

TEST(folders_that_are_no_finished_table_are_refused) {
    static const entry nothing[] = {{"_SUCCESS", ""}, {NULL, NULL}};
    static const entry working[] = {{"_temporary/", ""}, {"part-0.csv", "1,2\n"}, {NULL, NULL}};
    static const entry left[] = {{"_temporary/", ""}, {"_SUCCESS", ""}, {"part-0.csv", "1,2\n"}, {NULL, NULL}};
    static const entry neo4j[] = {{"edges.csv", "1,2\n"}, {"nodes.csv", "1,2\n"}, {NULL, NULL}};
    static const entry delta[] = {{"_delta_log/", ""}, {"part-0.csv", "1,2\n"}, {NULL, NULL}};
    static const entry hudi[] = {{".hoodie/", ""}, {"part-0.csv", "1,2\n"}, {NULL, NULL}};
    check_refused(nothing, NULL, WEFT_EIO, "", "is a directory, and there are no part files");
    check_refused(working, NULL, WEFT_EINPUT, "", "has not finished");
    check_folder(left, "", NULL, "directed none [1 2] 1>2", "read 1 part file");
    check_refused(neo4j, NULL, WEFT_EINPUT, "", "edges.csv and nodes.csv in it do not look like parts of one table");
    check_refused(delta, NULL, WEFT_EUNSUPPORTED, "", "a table of Delta Lake");
    check_refused(hudi, NULL, WEFT_EUNSUPPORTED, "", "a table of Hudi");
}

TEST(errors_name_the_part) {
    static const entry broken[] = {{"p-0.csv", "1,2\n"}, {"p-1.csv", "3,4\n5,\n"}, {NULL, NULL}};
    static const entry matrix[] = {
        {"p-0.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n"}, {"p-1.mtx", ""}, {NULL, NULL}};
    static const entry two[] = {{"p-0.csv", "1,2\n"}, {"p-1.csv", "graph [ node [ id 1 ] ]\n"}, {NULL, NULL}};
    static const entry zipped[] = {{"p-0", "1,2\n"}, {"p-1", "PK\x03\x04"}, {NULL, NULL}};
    check_refused(broken, NULL, WEFT_EINPUT, "/p-1.csv:2:3", "");
    check_refused(matrix, NULL, WEFT_EINPUT, "/p-0.mtx:1:1", "but this is Matrix Market: name one file");
    check_refused(two, NULL, WEFT_EINPUT, "/p-1.csv:1:1", "but");
    check_refused(zipped, NULL, WEFT_EUNSUPPORTED, "/p-1:1:1", "zip");
}

TEST(parts_may_be_packed) {
    char folder[256], path[512], text[256];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    weft_write_params to = WEFT_WRITE_DEFAULTS;
    to.format = "csv";
    REQUIRE(make_temp(folder, sizeof folder));
    for (int i = 0; i < 2; i++) {
        REQUIRE((g = read_text(ctx, i ? "5 6\n" : "7 8\n8 9\n", NULL)) != NULL);
        snprintf(path, sizeof path, "%s/part-%d.csv.gz", folder, i);
        if (weft_write(ctx, g, path, &to)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        weft_graph_free(g);
        g = NULL;
    }
    if (weft_read(ctx, folder, NULL, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (g) CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [5 6 7 8 9] 5>6 7>8 8>9");
    weft_graph_free(g);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST_MAIN()
