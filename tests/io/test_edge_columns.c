/* Columns of edges: kept, merged, filtered and stored; the same bytes for any number of threads; damage is refused. */
#include "attributes/attributes.h"
#include "binary_refused.h"

#include <math.h>

static const char table[] = "from,to,amount,date,note,paid\n"
                            "1,2,10,2024-03-01,\"a, \"\"b\"\"\",true\n"
                            "2,3,7,2024-03-02,,false\n"
                            "1,2,-4,2024-01-01,x,\n"
                            "3,3,,2024-02-29,y,true\n";

static weft_graph *read_table(const weft_read_params *given, const char *text, const char *keep, weft_status want) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    if (!ctx) weft_ctx_new(&ctx);
    if (given) p = *given;
    p.keep = keep;
    weft_graph *g = NULL;
    weft_status st = weft_read_memory(ctx, text, strlen(text), "t.csv", &p, &g);
    if (st != want) HARNESS_FAIL("status %d: %s", (int)st, weft_ctx_message(ctx));
    return g;
}

/* "1-2:10 1-2:-" and so on: a column in the order of the arcs. */
static const char *column_text(const weft_graph *g, const char *name, char *to, size_t room) {
    weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
    weft_csr out = {.size = sizeof out};
    size_t used = 0;
    *to = 0;
    if (weft_graph_edge_column(ctx, g, name, &a) || weft_graph_out(ctx, g, &out)) return "no such column";
    for (weft_vid u = 0; u < out.vertices; u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            char text[64];
            int none;
            weft_attribute_text(&a, e, text, sizeof text, &none);
            used += (size_t)snprintf(to + used, room - used, "%s%lld-%lld:%s", used ? " " : "",
                                     (long long)weft_graph_id(g, u), (long long)weft_graph_id(g, out.targets[e]),
                                     none ? "-" : text);
        }
    return to;
}

static void check_column(const weft_graph *g, const char *name, weft_attribute_type type, const char *want) {
    char text[1024];
    weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
    CHECK_TEXT(column_text(g, name, text, sizeof text), want);
    if (weft_graph_edge_column(ctx, g, name, &a) == WEFT_OK) CHECK_U64(a.type, type);
}

/* \N, as databases write it, has no value; in quotes it is a text, and so it is written. */
TEST(null_is_a_missing_value) {
    static const char text[] = "from,to,amount,note\n1,2,\\N,\"\\N\"\n1,3,5,\\N\n2,3,4,x\n";
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.weights = WEFT_WEIGHTS_IGNORE;
    weft_graph *g = read_table(&p, text, "amount,note", WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:- 1-3:5 2-3:4");
    check_column(g, "note", WEFT_ATTRIBUTE_TEXT, "1-2:\\N 1-3:- 2-3:x");
    weft_graph_free(g);
    p.edges_where = "amount < 5 or amount > 4";
    g = read_table(&p, text, "note", WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "note", WEFT_ATTRIBUTE_TEXT, "1-3:- 2-3:x");
    weft_graph_free(g);
}

TEST(values_stand_by_their_arcs) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = read_table(&p, table, "amount,date,note,paid", WEFT_OK);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_edge_columns(g), 4);
    CHECK_U64(weft_graph_attributes(g), 0);
    check_column(g, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10 1-2:-4 2-3:7 3-3:-");
    check_column(g, "date", WEFT_ATTRIBUTE_TIME, "1-2:2024-03-01 1-2:2024-01-01 2-3:2024-03-02 3-3:2024-02-29");
    check_column(g, "note", WEFT_ATTRIBUTE_TEXT, "1-2:a, \"b\" 1-2:x 2-3:- 3-3:y");
    check_column(g, "paid", WEFT_ATTRIBUTE_BOOL, "1-2:true 1-2:- 2-3:false 3-3:true");
    weft_graph_free(g);
    p.direction = WEFT_UNDIRECTED;
    g = read_table(&p, table, "amount", WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10 1-2:-4 2-1:10 2-1:-4 2-3:7 3-2:7 3-3:-");
    weft_graph_free(g);
}

TEST(edges_become_one_by_a_rule_or_not_at_all) {
    static const struct {
        const char *merge, *want;
        weft_attribute_type type;
    } rules[] = {{"amount:sum", "1-2:6 2-3:7 3-3:-", WEFT_ATTRIBUTE_WHOLE},
                 {"amount:count", "1-2:2 2-3:1 3-3:0", WEFT_ATTRIBUTE_WHOLE},
                 {"amount:mean", "1-2:3 2-3:7 3-3:-", WEFT_ATTRIBUTE_REAL},
                 {"amount:min", "1-2:-4 2-3:7 3-3:-", WEFT_ATTRIBUTE_WHOLE},
                 {"amount:first", "1-2:10 2-3:7 3-3:-", WEFT_ATTRIBUTE_WHOLE},
                 {"amount:last", "1-2:-4 2-3:7 3-3:-", WEFT_ATTRIBUTE_WHOLE}};
    weft_read_params p = WEFT_READ_DEFAULTS;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        p.merge = rules[i].merge;
        weft_graph *g = read_table(&p, table, "amount", WEFT_OK);
        REQUIRE(g != NULL);
        check_column(g, "amount", rules[i].type, rules[i].want);
        weft_graph_free(g);
    }
    p.merge = NULL;
    CHECK(!read_table(&p, table, "amount", WEFT_EINPUT));
    CHECK(strstr(weft_ctx_message(ctx), "column 'amount': 2 edges from 1 to 2 become one, but no rule merges their values"));
    p.merge = "date:sum";
    CHECK(!read_table(&p, table, "date", WEFT_EINPUT));
    p.merge = "note:max";
    CHECK(!read_table(&p, table, "amount", WEFT_EINVAL));
    p.merge = "amount:max,amount:min";
    CHECK(!read_table(&p, table, "amount", WEFT_EINVAL));
    p.merge = "amount:sum"; /* 2^63 does not fit */
    CHECK(!read_table(&p, "u,v,amount\n1,2,9223372036854775807\n1,2,1\n", "amount", WEFT_EINPUT));
    p.duplicates = WEFT_DUPLICATES_KEEP;
    CHECK(!read_table(&p, table, "amount", WEFT_EINVAL)); /* a rule for nothing */
}

TEST(conditions_choose_edges_as_they_are_read) {
    static const struct {
        const char *where;
        uint64_t edges;
    } cases[] = {{"amount > 5", 2},
                 {"5 < amount", 2},
                 {"not amount > 5", 2},
                 {"amount != 7", 2},
                 {"date >= 2024-02-29", 3},
                 {"date > 2024-02-29T00:00:00Z and date < 2024-03-02", 1},
                 {"date = 2024-02-29T01:00+01:00", 1},
                 {"note = 'a, \"b\"'", 1},
                 {"note > 'b'", 2},
                 {"amount = '7'", 1},
                 {"date >= '2024-03-01T00:00:00Z'", 2},
                 {"'2024-02-29 00:00' = date", 1},
                 {"paid = true or amount = -4", 3},
                 {"`amount`=10.0", 1}};
    static const char *const slips[] = {"amount >",    "amount 5",      "(amount > 5",      "1 < 2",
                                        "nothing = 1", "amount > 5 or", "date > 2024-13-01"};
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        p.edges_where = cases[i].where;
        weft_graph *g = read_table(&p, table, "note", WEFT_OK);
        REQUIRE(g != NULL);
        CHECK_U64(weft_graph_edges(g), cases[i].edges);
        weft_graph_free(g);
    }
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        weft_graph *g = NULL;
        p.edges_where = slips[i];
        weft_status st = weft_read_memory(ctx, table, strlen(table), "t.csv", &p, &g);
        CHECK(st == WEFT_EINVAL || st == WEFT_EINPUT);
        CHECK(!g);
    }
    static const struct {
        const char *where, *said;
    } quoted[] = {{"amount > '5'", "t.csv:2:5: '10' is not a text (numbers and times stand without quotes)"},
                  {"date > 'a'", "t.csv:2:8: '2024-03-01' is not a text"},
                  {"note > '2024-03-01'", "t.csv:2:20: 'a, \"b\"' is not a time"}};
    for (size_t i = 0; i < sizeof quoted / sizeof *quoted; i++) {
        p.edges_where = quoted[i].where;
        CHECK(!read_table(&p, table, NULL, WEFT_EINPUT));
        CHECK(strstr(weft_ctx_message(ctx), quoted[i].said));
    }
    p.edges_where = "note > 5";
    CHECK(!read_table(&p, table, NULL, WEFT_EINPUT));
    CHECK(strstr(weft_ctx_message(ctx), "t.csv:2:20: 'a, \"b\"' is not a number"));
    p.edges_where = "t >= 2024-03-01"; /* Unix times */
    weft_graph *g = read_table(&p, "u,v,t\n1,2,1709251199\n1,3,1709251200\n1,4,1709251200000\n", NULL, WEFT_OK);
    CHECK_U64(weft_graph_edges(g), 2);
    weft_graph_free(g);
}

/* The columns are named twice, by the table and by the document. */
TEST(a_json_table_with_kept_columns_leaves_nothing) {
    static const char text[] = "{\"columns\":[\"source\",\"target\",\"amount\"],\"index\":[0,1],"
                               "\"data\":[[\"a\",\"b\",1],[\"b\",\"c\",2]]}";
    uint64_t held = weft_ctx_memory_in_use(ctx);
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL;
    p.keep = "amount";
    CHECK_U64(weft_read_memory(ctx, text, sizeof text - 1, "split.json", &p, &g), WEFT_OK);
    CHECK_U64(weft_graph_edges(g), 2);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), held);
}

/* Years, yyyymmdd, days since some day and 0, in a table and in a .weft file. */
TEST(small_whole_numbers_are_no_unix_times) {
    static const char *const texts[] = {"u,v,t\n1,2,1999\n1,3,2015\n",
                                        "u,v,t\n1,2,20240301\n",
                                        "u,v,t\n1,2,20240301123000\n",
                                        "u,v,t\n1,2,202403011230\n",
                                        "u,v,t\n1,2,45000\n",
                                        "u,v,t\n1,2,0\n",
                                        "u,v,t\n1,2,1709251200\n1,3,-99999999\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.edges_where = "t >= 2000-01-01";
        CHECK(!read_table(&p, texts[i], NULL, WEFT_EINPUT));
        CHECK_HAS(weft_ctx_message(ctx), "is not a time (whole numbers below 100000000 are years");
        p.edges_where = NULL;
        weft_graph *g = read_table(&p, texts[i], "t", WEFT_OK), *back = NULL;
        REQUIRE(g != NULL);
        const char *path = file_path("years.weft");
        CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
        p.edges_where = "2000-01-01 <= t";
        CHECK_U64(weft_read(ctx, path, &p, &back), WEFT_EINVAL);
        CHECK_HAS(weft_ctx_message(ctx), "and is compared with a time: whole numbers below 100000000 are years");
        p.edges_where = "t > -100000000";
        CHECK_U64(weft_read(ctx, path, &p, &back), WEFT_OK);
        weft_graph_free(back);
        weft_graph_free(g);
    }
}

/* The decimal sign is that of all columns, and asked for where others have commas and a point may be one of
 * thousands. */
TEST(decimal_signs_hold_for_columns) {
    static const char text[] = "u;v;amount;qty\n1;2;0,5;1.234\n2;3;1,5;2.000\n3;1;12,25;3\n";
    weft_read_params p = WEFT_READ_DEFAULTS;
    CHECK(!read_table(&p, text, "qty", WEFT_EINPUT));
    CHECK_HAS(weft_ctx_message(ctx), "t.csv:2:9: '1.234', where other columns have decimal commas");
    CHECK_HAS(weft_ctx_message(ctx), "`decimal=comma` or `decimal=point`");
    p.edges_where = "qty > 100";
    CHECK(!read_table(&p, text, NULL, WEFT_EINPUT));
    CHECK_HAS(weft_ctx_message(ctx), "`decimal=comma` or `decimal=point`");
    p.edges_where = "amount > 1";
    CHECK(!read_table(&p, text, NULL, WEFT_EINPUT));
    CHECK_HAS(weft_ctx_message(ctx), "'0,5' is not a number, which `edges_where` compares 'amount' with (`decimal=");
    p.decimal = ',';
    p.edges_where = "qty > 100 and amount < 1.5";
    weft_graph *g = read_table(&p, text, "qty,amount", WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "qty", WEFT_ATTRIBUTE_WHOLE, "1-2:1234");
    check_column(g, "amount", WEFT_ATTRIBUTE_REAL, "1-2:0.5");
    weft_graph_free(g);
    p.decimal = '.';
    p.edges_where = NULL;
    g = read_table(&p, text, "qty,amount", WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "qty", WEFT_ATTRIBUTE_REAL, "1-2:1.234 2-3:2 3-1:3");
    check_column(g, "amount", WEFT_ATTRIBUTE_TEXT, "1-2:0,5 2-3:1,5 3-1:12,25");
    weft_graph_free(g);
    p.decimal = 0; /* 1.5 has a point whatever others have, and addresses are no numbers */
    g = read_table(&p, "u;v;amount;qty;ip\n1;2;0,5;1.234;192.168.100.200\n2;3;1,5;1.5;1.1.1.1\n", "qty,ip", WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "qty", WEFT_ATTRIBUTE_REAL, "1-2:1.234 2-3:1.5");
    weft_graph_free(g);
}

/* A table long enough for several blocks. */
static char *long_table(size_t rows) {
    char *text = malloc(64 * rows + 64), *p = text;
    p += sprintf(p, "u,v,a,t,n\n");
    for (size_t i = 0; i < rows; i++) {
        unsigned x = (unsigned)(i * 2654435761u >> 7);
        p += sprintf(p, "%u,%u,%d.%u,2024-01-%02u,n%u\n", x % 997, x / 997 % 997, (int)(x % 1000) - 500, x % 10,
                     x % 28 + 1, x % 50);
    }
    return text;
}

TEST(the_same_bytes_for_any_number_of_threads) {
    char *text = long_table(120000);
    bytes first = {NULL, 0};
    static const int threads[] = {1, 2, 3, 7};
    for (int i = 0; i < 4; i++) {
        weft_ctx *c = new_ctx(threads[i], NULL);
        weft_read_params p = WEFT_READ_DEFAULTS;
        weft_graph *g = NULL;
        p.keep = "a,t,n";
        p.merge = "a:mean,t:max,n:min";
        p.edges_where = "a > -100 and not n = 'n7'";
        p.direction = WEFT_UNDIRECTED;
        if (weft_read_memory(c, text, strlen(text), "t.csv", &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(c));
        const char *path = file_path("threads.weft");
        CHECK_U64(weft_write(c, g, path, NULL), WEFT_OK);
        bytes b = load_file(path);
        if (!i)
            first = b;
        else {
            CHECK(b.count == first.count && !memcmp(b.data, first.data, b.count));
            free(b.data);
        }
        unlink(path);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(c), 0);
        weft_ctx_free(c);
    }
    free(first.data);
    free(text);
}

static bytes file_of_table(void) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = read_table(&p, table, "amount,date,note,paid", WEFT_OK);
    const char *path = file_path("edges.weft");
    bytes b = {NULL, 0};
    if (g && weft_write(ctx, g, path, NULL) == WEFT_OK) b = load_file(path);
    unlink(path);
    weft_graph_free(g);
    return b;
}

TEST(parallel_edges_with_columns_stay_unless_a_rule_joins_them) {
    bytes b = file_of_table();
    REQUIRE(b.count);
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL;
    CHECK_U64(weft_read_memory(ctx, b.data, b.count, "e.weft", NULL, &g), WEFT_OK);
    check_column(g, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10 1-2:-4 2-3:7 3-3:-");
    weft_graph_free(g);
    p.keep = "amount";
    p.loops = WEFT_LOOPS_DROP;
    p.edges_where = "amount < 20";
    CHECK_U64(weft_read_memory(ctx, b.data, b.count, "e.weft", &p, &g), WEFT_OK);
    check_column(g, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10 1-2:-4 2-3:7");
    weft_graph_free(g);
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    p.keep = "";
    CHECK_U64(weft_read_memory(ctx, b.data, b.count, "e.weft", &p, &g), WEFT_OK);
    CHECK_U64(weft_graph_arcs(g), 3);
    weft_graph_free(g);
    p.keep = "date";
    p.direction = WEFT_UNDIRECTED;
    CHECK_U64(weft_read_memory(ctx, b.data, b.count, "e.weft", &p, &g), WEFT_EINPUT);
    CHECK(strstr(weft_ctx_message(ctx), "(`merge=date:max`, or count, min, first, last;"));
    p.direction = WEFT_AS_FILE;
    p.duplicates = WEFT_DUPLICATES_MIN;
    CHECK_U64(weft_read_memory(ctx, b.data, b.count, "e.weft", &p, &g), WEFT_EINPUT);
    free(b.data);
}

TEST(files_come_back_filtered_merged_and_weighted) {
    bytes b = file_of_table();
    REQUIRE(b.count);
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL, *other = NULL;
    CHECK_U64(page_of(&b).header.version, 3);
    p.duplicates = WEFT_DUPLICATES_KEEP;
    CHECK_U64(weft_read_memory(ctx, b.data, b.count, "e.weft", &p, &g), WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "note", WEFT_ATTRIBUTE_TEXT, "1-2:a, \"b\" 1-2:x 2-3:- 3-3:y");
    CHECK_U64(weft_graph_filter_edges(ctx, g, "amount > 0 or note = 'y'", NULL, &other), WEFT_OK);
    check_column(other, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10 2-3:7 3-3:-");
    CHECK_U64(weft_graph_vertices(other), 3);
    weft_graph_free(other);
    CHECK_U64(weft_graph_filter_edges(ctx, g, "note > 3", NULL, &other), WEFT_EINVAL);
    CHECK_U64(weft_graph_filter_edges(ctx, g, "date > '2024-02-29'", NULL, &other), WEFT_OK);
    check_column(other, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10 2-3:7");
    weft_graph_free(other);
    CHECK_U64(weft_graph_filter_edges(ctx, g, "date > 'then'", NULL, &other), WEFT_EINVAL);
    CHECK_U64(weft_graph_filter_edges(ctx, g, "nothing > 3", NULL, &other), WEFT_ENOTFOUND);
    CHECK_U64(weft_graph_weighted_by(ctx, g, "amount", &other), WEFT_EINVAL); /* one is missing */
    CHECK_U64(weft_graph_weighted_by(ctx, g, "date", &other), WEFT_EINVAL);
    weft_graph_free(g);
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    p.merge = "amount:count,date:max";
    p.keep = "amount,date";
    p.direction = WEFT_UNDIRECTED;
    CHECK_U64(weft_read_memory(ctx, b.data, b.count, "e.weft", &p, &g), WEFT_OK);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_edge_columns(g), 2);
    check_column(g, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:2 2-1:2 2-3:1 3-2:1 3-3:0");
    CHECK_U64(weft_graph_weighted_by(ctx, g, "amount", &other), WEFT_OK);
    CHECK_U64(weft_graph_weight_type(other), WEFT_WEIGHT_U32);
    check_column(other, "date", WEFT_ATTRIBUTE_TIME,
                 "1-2:2024-03-01 2-1:2024-03-01 2-3:2024-03-02 3-2:2024-03-02 3-3:2024-02-29");
    weft_graph_free(g); /* the other keeps what it shares */
    weft_csr out = {.size = sizeof out};
    CHECK_U64(weft_graph_out(ctx, other, &out), WEFT_OK);
    CHECK_U64(((const uint32_t *)out.weights)[0], 2);
    CHECK_U64(weft_graph_weighted_by(ctx, other, NULL, &g), WEFT_OK);
    weft_graph_free(other);
    CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_NONE);
    CHECK_U64(weft_graph_out(ctx, g, &out), WEFT_OK);
    CHECK(!out.weights);
    check_column(g, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:2 2-1:2 2-3:1 3-2:1 3-3:0");
    weft_graph_free(g);
    free(b.data);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
}

/* Through a file of that format and back. */
static void check_format(const weft_graph *g, const char *name, const char *keep, weft_attribute_type time) {
    char path[512];
    snprintf(path, sizeof path, "%s", file_path(name));
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *again = NULL;
    p.keep = keep;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
    if (weft_read(ctx, path, &p, &again)) HARNESS_FAIL("%s: %s", name, weft_ctx_message(ctx));
    check_column(again, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10 1-2:-4 2-3:7 3-3:-");
    check_column(again, "date", time, "1-2:2024-03-01 1-2:2024-01-01 2-3:2024-03-02 3-3:2024-02-29");
    check_column(again, "note", WEFT_ATTRIBUTE_TEXT, "1-2:a, \"b\" 1-2:x 2-3:- 3-3:y");
    bool truths = !strstr(name, ".gml");
    check_column(again, "paid", truths ? WEFT_ATTRIBUTE_BOOL : WEFT_ATTRIBUTE_WHOLE,
                 truths ? "1-2:true 1-2:- 2-3:false 3-3:true" : "1-2:1 1-2:- 2-3:0 3-3:1");
    weft_graph_free(again);
    p.edges_where = truths ? "amount > 5 and paid = true" : "amount > 5 and paid = 1";
    CHECK_U64(weft_read(ctx, path, &p, &again), WEFT_OK);
    check_column(again, "amount", WEFT_ATTRIBUTE_WHOLE, "1-2:10");
    weft_graph_free(again);
    p.edges_where = "note > 5";
    CHECK(weft_read(ctx, path, &p, &again));
    p.edges_where = NULL;
    p.keep = "nothing";
    CHECK(weft_read(ctx, path, &p, &again));
    unlink(path);
}

TEST(formats_keep_them) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = read_table(&p, table, "amount,date,note,paid", WEFT_OK);
    REQUIRE(g != NULL);
    check_format(g, "x.weft", "amount,date,note,paid", WEFT_ATTRIBUTE_TIME);
    check_format(g, "x.csv", "amount,date,note,paid", WEFT_ATTRIBUTE_TIME);
    check_format(g, "x.tsv", "amount,date,note,paid", WEFT_ATTRIBUTE_TIME);
    check_format(g, "x.jsonl", "amount,date,note,paid", WEFT_ATTRIBUTE_TIME);
    check_format(g, "x.graphml", "amount,date,note,paid", WEFT_ATTRIBUTE_TEXT);
    check_format(g, "x.gexf", "amount,date,note,paid", WEFT_ATTRIBUTE_TEXT);
    check_format(g, "x.gml", "amount,date,note,paid", WEFT_ATTRIBUTE_TEXT);
    check_format(g, "x.json", "amount,date,note,paid", WEFT_ATTRIBUTE_TIME);
    check_format(g, "x.cyjs", "amount,date,note,paid", WEFT_ATTRIBUTE_TIME);
    weft_graph_free(g);
}

TEST(white_space_around_declared_values_does_not_count) {
    static const char graphml[] =
        "<graphml><key id='a' for='edge' attr.name='a' attr.type='double'><default> 2 </default></key>"
        "<key id='b' for='edge' attr.name='b' attr.type='boolean'/><key id='t' for='edge' attr.name='t' "
        "attr.type='string'/><graph edgedefault='directed'><node id='1'/><node id='2'/><node id='3'/>"
        "<edge source='1' target='2'><data key='a'>\n 5.5\n</data><data key='b'> true </data><data key='t'> x "
        "</data></edge>"
        "<edge source='2' target='3'><data key='b'> \n</data></edge></graph></graphml>";
    static const char gexf[] =
        "<gexf version='1.2'><graph defaultedgetype='directed'><attributes class='edge'>"
        "<attribute id='a' title='a' type='float'/><attribute id='b' title='b' type='boolean'/>"
        "<attribute id='t' title='t' type='string'/></attributes><nodes><node id='1'/><node id='2'/><node "
        "id='3'/></nodes>"
        "<edges><edge source='1' target='2'><attvalues><attvalue for='a' value=' 5.5 '/><attvalue for='b' value='true "
        "'/>"
        "<attvalue for='t' value=' x '/></attvalues></edge><edge source='2' target='3'><attvalues>"
        "<attvalue for='a' value=' 2'/></attvalues></edge></edges></graph></gexf>";
    static const char *const texts[] = {graphml, gexf}, *const names[] = {"x.graphml", "x.gexf"};
    for (size_t i = 0; i < 2; i++) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        weft_graph *g = NULL;
        p.keep = "a,b,t";
        if (weft_read_memory(ctx, texts[i], strlen(texts[i]), names[i], &p, &g))
            HARNESS_FAIL("%s: %s", names[i], weft_ctx_message(ctx));
        check_column(g, "a", WEFT_ATTRIBUTE_REAL, "1-2:5.5 2-3:2");
        check_column(g, "b", WEFT_ATTRIBUTE_BOOL, "1-2:true 2-3:-");
        check_column(g, "t", WEFT_ATTRIBUTE_TEXT, "1-2: x  2-3:-");
        weft_graph_free(g);
        p.edges_where = "a > 2 and b = true";
        CHECK_U64(weft_read_memory(ctx, texts[i], strlen(texts[i]), names[i], &p, &g), WEFT_OK);
        CHECK_U64(weft_graph_edges(g), 1);
        weft_graph_free(g);
    }
}

/* What readers would take for an end or the weight is called otherwise, and comes back by that name. */
TEST(names_of_ends_and_weights_are_not_written_twice) {
    static const struct {
        const char *name, *weight, *source; /* what the columns Weight and src are called in it */
    } formats[] = {{"x.csv", "Weight_2", "src_2"},  {"x.tsv", "Weight_2", "src_2"}, {"x.jsonl", "Weight_2", "src_2"},
                   {"x.graphml", "Weight_", "src"}, {"x.gexf", "Weight_", "src"},   {"x.gml", "Weight", "src"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        char keep[64];
        p.weights = WEFT_WEIGHTS_IGNORE;
        p.source_col = "u";
        p.target_col = "v";
        weft_graph *g = read_table(&p, "u,v,Weight,src\n1,2,5,x\n2,3,6,y\n", "Weight,src", WEFT_OK), *again = NULL;
        const char *path = file_path(formats[i].name);
        CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
        p = (weft_read_params)WEFT_READ_DEFAULTS;
        snprintf(keep, sizeof keep, "%s,%s", formats[i].weight, formats[i].source);
        p.keep = keep;
        if (weft_read(ctx, path, &p, &again)) HARNESS_FAIL("%s: %s", formats[i].name, weft_ctx_message(ctx));
        CHECK_U64(weft_graph_weight_type(again), WEFT_WEIGHT_NONE);
        check_column(again, formats[i].weight, WEFT_ATTRIBUTE_WHOLE, "1-2:5 2-3:6");
        check_column(again, formats[i].source, WEFT_ATTRIBUTE_TEXT, "1-2:x 2-3:y");
        unlink(path);
        weft_graph_free(again);
        weft_graph_free(g);
    }
}

TEST(two_quotes_in_a_header_are_one) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = read_table(&p, "u,v,\"a \"\"b\"\"\"\n1,2,5\n", "a \"b\"", WEFT_OK);
    REQUIRE(g != NULL);
    check_column(g, "a \"b\"", WEFT_ATTRIBUTE_WHOLE, "1-2:5");
    weft_graph_free(g);
    p.source_col = "x\"y";
    p.target_col = "z";
    g = read_table(&p, "\"x\"\"y\",z\nu,v\n", NULL, WEFT_OK);
    CHECK_U64(weft_graph_edges(g), 1);
    weft_graph_free(g);
}

static void check_wrong(wfi_weft_kind kind, size_t at, uint64_t value, size_t bytes_of_it, const char *part) {
    bytes b = file_of_table();
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    memcpy(b.data + section_of(&page, kind)->offset + at, &value, bytes_of_it);
    reseal(ctx, &b);
    check_refused(&b, b.count, WEFT_EINPUT, part);
    free(b.data);
}

/* `value` in documents: a weight, unless it is kept, or named as the weight besides. */
TEST(what_is_called_value_is_a_weight_or_a_column) {
    static const struct {
        const char *name, *text;
    } files[] = {{"v.gml", "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 value 3 ] ]"},
                 {"v.json", "{\"nodes\":[{\"id\":1},{\"id\":2}],\"links\":[{\"source\":1,\"target\":2,\"value\":3}]}"},
                 {"v.graphml", "<graphml><key id='v' for='edge' attr.name='value' attr.type='int'/>"
                               "<graph edgedefault='directed'><node id='1'/><node id='2'/><edge source='1' target='2'>"
                               "<data key='v'>3</data></edge></graph></graphml>"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int kept = 0; kept < 3; kept++) {
            weft_read_params p = WEFT_READ_DEFAULTS;
            weft_graph *g = NULL;
            p.keep = kept ? "value" : NULL;
            p.weight_col = kept == 2 ? "value" : NULL;
            if (!ctx) weft_ctx_new(&ctx);
            if (weft_read_memory(ctx, files[i].text, strlen(files[i].text), files[i].name, &p, &g))
                HARNESS_FAIL("%s: %s", files[i].name, weft_ctx_message(ctx));
            CHECK_U64(info_of(ctx, g).weight_type, kept == 1 ? WEFT_WEIGHT_NONE : WEFT_WEIGHT_U32);
            CHECK_U64(weft_graph_edge_columns(g), kept > 0);
            if (kept) check_column(g, "value", WEFT_ATTRIBUTE_WHOLE, "1-2:3");
            weft_graph_free(g);
        }
}

TEST(damage_is_refused) {
    const char *entries = "section \"columns\"";
    check_wrong(WFI_COLUMN_ENTRIES, 0, 2, 4, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 4, 7, 4, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 0, 0, 4, "section \"column values\""); /* a column of 3 vertices now */
    check_wrong(WFI_COLUMN_ENTRIES, 32, 0, 4, "columns of vertices come before those of edges");
    check_wrong(WFI_COLUMN_ENTRIES, 12, UINT32_MAX, 4, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 32 + 12, 0, 4, "two columns have the same name");
    check_wrong(WFI_COLUMN_ENTRIES, 16, UINT64_MAX, 8, "columns follow one another");
    check_wrong(WFI_COLUMN_ENTRIES, 24, 5, 8, "more values are missing");
    check_wrong(WFI_COLUMN_VALUES, 3 * 8, 1, 8,
                "at arc 3 of section \"column values\": a value that is missing is zero");
}

TEST(a_graph_without_columns_is_written_as_before) {
    weft_graph *g = read_table(NULL, "u,v,amount\n1,2,3\n2,3,4\n", NULL, WEFT_OK);
    const char *path = file_path("bare.weft");
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
    bytes b = load_file(path);
    CHECK_U64(page_of(&b).header.version, 1);
    unlink(path);
    free(b.data);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    ctx = NULL;
}

TEST_MAIN()
