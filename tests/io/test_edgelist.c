/* Reading edge lists: one golden file for every rule, and the answer a person gives when reading it; what can be asked for. */
#include "support.h"

typedef struct golden {
    const char *file;
    const char *graph; /* as graph_text shows it */
    weft_id_kind ids;
    int64_t base; /* when dense */
} golden;

static const golden with_defaults[] = {
    {"hash_comments.txt", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"percent_comments.txt", "directed none [1 2 3] 1>2 2>3", WEFT_IDS_DENSE, 1},
    {"indented_comment.txt", "directed none [1 2 3] 1>2 2>3", WEFT_IDS_DENSE, 1},
    {"crlf.txt", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"crlf_weighted.csv", "directed u32 [1 2 3] 1>2:5 2>3:6", WEFT_IDS_DENSE, 1},
    {"no_final_newline.txt", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"no_final_newline_weighted.txt", "directed u32 [0 1 2] 0>1:10 1>2:20", WEFT_IDS_DENSE, 0},
    {"blank_lines.txt", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"tabs.tsv", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"many_spaces.txt", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"leading_spaces.txt", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"trailing_spaces.txt", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"comma.csv", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"comma_and_space.csv", "directed u32 [0 1 2] 0>1:7 1>2:8", WEFT_IDS_DENSE, 0},
    {"semicolon.csv", "directed u32 [0 1 2] 0>1:7 1>2:8", WEFT_IDS_DENSE, 0},
    {"header_row.csv", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"header_row_weight.csv", "directed u32 [1 5 7] 1>5:59 1>7:73", WEFT_IDS_SPARSE, 0},
    {"header_row.tsv", "directed none [3 4 5] 3>4 4>5", WEFT_IDS_DENSE, 3},
    {"header_row_quoted.csv", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"header_row_names.csv", "directed u32 [alice bob carol] alice>bob:3 bob>carol:4", WEFT_IDS_STRING, 0},
    {"byte_order_mark.csv", "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE, 0},
    {"konect_sym.txt", "undirected none [1 2 3] 1-2 1-3 2-3", WEFT_IDS_DENSE, 1},
    {"konect_asym.txt", "directed f32 [1 2 3] 1>2:1.5 2>3:2.5", WEFT_IDS_DENSE, 1},
    {"snap_undirected.txt", "undirected none [0 1 2] 0-1 1-2", WEFT_IDS_DENSE, 0},
    {"snap_directed.txt", "directed none [0 1 2] 0>1 1>0 1>2", WEFT_IDS_DENSE, 0},
    {"lightgraphs_directed.csv", "directed none [1 2 3] 1>2 2>1 2>3", WEFT_IDS_DENSE, 1},
    {"lightgraphs_undirected.csv", "undirected none [1 2 3] 1-2 2-3", WEFT_IDS_DENSE, 1},
    {"lightgraphs_short.csv", "undirected none [1 2 3] 1-2 2-3", WEFT_IDS_DENSE, 1},
    {"weights_whole.txt", "directed u32 [0 1 2] 0>1:0 1>2:4.29496730e+09", WEFT_IDS_DENSE, 0},
    {"weights_too_big_for_whole.txt", "directed f32 [0 1 2] 0>1:4.2949673e+09 1>2:1", WEFT_IDS_DENSE, 0},
    {"weights_decimal.txt", "directed f32 [0 1 2] 0>1:0.5 1>2:2.25", WEFT_IDS_DENSE, 0},
    {"weights_long.txt", "directed f32 [0 1 2] 0>1:0.5 1>2:2.25 2>0:1", WEFT_IDS_DENSE, 0},
    {"weights_long.csv", "directed f32 [0 1 2] 0>1:0.5 1>2:2.25", WEFT_IDS_DENSE, 0},
    {"weights_exponent.txt", "directed f32 [0 1 2] 0>1:1000 1>2:0.25", WEFT_IDS_DENSE, 0},
    {"weights_negative.txt", "directed f32 [0 1 2] 0>1:-3 1>2:4", WEFT_IDS_DENSE, 0},
    {"weights_whole_then_decimal.txt", "directed f32 [0 1 2 3 4] 0>1:3 1>2:4 2>3:0.5 3>4:5", WEFT_IDS_DENSE, 0},
    {"weights_and_time.csv", "directed f32 [610 937 977] 610>937:-2 610>977:1", WEFT_IDS_SPARSE, 0},
    {"extra_columns.txt", "directed u32 [0 1 2] 0>1:5 1>2:6", WEFT_IDS_DENSE, 0},
    {"sparse_ids.txt",
     "directed none [-9223372036854775808 5 1000000000000 9223372036854775807] -9223372036854775808>5 "
     "5>1000000000000 9223372036854775807>5",
     WEFT_IDS_SPARSE, 0},
    {"negative_ids.txt",
     "directed f32 [-2147483648 -1 2147483647] -2147483648>-1:0.5 -1>-1:1 2147483647>-2147483648:0.25", WEFT_IDS_SPARSE,
     0},
    {"dense_from_minus_one.txt", "directed none [-1 0 1] -1>0 0>1", WEFT_IDS_DENSE, -1},
    {"dense_from_five.txt", "directed none [5 6 7] 6>5 7>5", WEFT_IDS_DENSE, 5},
    {"ids_descend.txt", "directed none [10 20 30] 20>10 30>20", WEFT_IDS_SPARSE, 0},
    {"plus_sign.txt", "directed none [1 2 3] 1>2 2>3", WEFT_IDS_DENSE, 1},
    {"leading_zeros.txt", "directed none [007 009 8] 007>8 8>009", WEFT_IDS_STRING, 0},
    {"leading_zeros_gap.txt", "directed none [007 009] 007>009", WEFT_IDS_STRING, 0},
    {"names.txt", "directed none [Zed alice bob carol] Zed>alice alice>carol bob>alice", WEFT_IDS_STRING, 0},
    {"names_utf8.txt", "directed none [Genève Zürich 東京] Genève>東京 Zürich>Genève", WEFT_IDS_STRING, 0},
    {"names_quoted.csv", "directed none [a b c d, e say \"hi\"] a b>c d, e>a b say \"hi\">c", WEFT_IDS_STRING, 0},
    {"names_like_numbers.txt", "directed none [1 10 2 x] 1>2 10>1 2>x", WEFT_IDS_STRING, 0},
    {"names_weighted.tsv", "directed u32 [a b c] a>c:3 b>a:2", WEFT_IDS_STRING, 0},
    {"names_with_comments.txt", "directed none [ann ben cat] ann>ben ben>cat", WEFT_IDS_STRING, 0},
    {"self_loop.txt", "directed none [0 1] 0>0 0>1", WEFT_IDS_DENSE, 0},
    {"duplicates.txt", "directed u32 [0 1] 0>1:2 1>0:3", WEFT_IDS_DENSE, 0},
};

/* Weights are compared as numbers: the same value may be printed in two ways. */
static bool same_text(const char *a, const char *b) {
    while (*a && *b) {
        if (*a == ':' && *b == ':') {
            char *after_a, *after_b;
            if ((float)strtod(a + 1, &after_a) != (float)strtod(b + 1, &after_b)) return false;
            a = after_a, b = after_b;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static weft_graph *read_golden(weft_ctx *ctx, const char *file, const weft_read_params *params) {
    char relative[256], path[4096];
    snprintf(relative, sizeof relative, "golden/edgelist/%s", file);
    weft_graph *g = NULL;
    if (weft_read(ctx, data_path(relative, path, sizeof path), params, &g))
        HARNESS_FAIL("%s: %s", file, weft_ctx_message(ctx));
    return g;
}

static void check_golden(const golden *want, const weft_read_params *params, int threads) {
    warnings w;
    weft_ctx *ctx = new_ctx(threads, &w);
    weft_graph *g = read_golden(ctx, want->file, params);
    if (g) {
        char text[4096];
        weft_graph_info info = info_of(ctx, g);
        if (!same_text(graph_text(g, text, sizeof text), want->graph))
            HARNESS_FAIL("%s reads as \"%s\", expected \"%s\"", want->file, text, want->graph);
        if (info.id_kind != want->ids) HARNESS_FAIL("%s: wrong kind of ids: %d", want->file, (int)info.id_kind);
        if (info.id_kind == WEFT_IDS_DENSE) CHECK_I64(info.id_base, want->base);
        CHECK_TEXT(info.format, "edgelist");
        if (w.count) HARNESS_FAIL("%s: unexpected warning: %s", want->file, w.text);
    }
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(every_golden_file_reads_as_a_person_reads_it) {
    for (size_t i = 0; i < sizeof with_defaults / sizeof *with_defaults; i++) {
        check_golden(&with_defaults[i], NULL, 1);
        check_golden(&with_defaults[i], NULL, 3);
    }
}

TEST(no_golden_file_is_forgotten) {
    char folder[4096];
    DIR *d = opendir(data_path("golden/edgelist", folder, sizeof folder));
    REQUIRE(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        bool known = e->d_name[0] == '.' || !strcmp(e->d_name, "empty.txt") || !strcmp(e->d_name, "only_comments.txt");
        for (size_t i = 0; i < sizeof with_defaults / sizeof *with_defaults && !known; i++)
            known = !strcmp(e->d_name, with_defaults[i].file);
        if (!known) HARNESS_FAIL("%s has no expected answer", e->d_name);
    }
    closedir(d);
}

TEST(weights_that_begin_later_are_refused_unless_nobody_wants_them) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_read_params p = WEFT_READ_DEFAULTS;
    CHECK(!read_text(ctx, "1 2\n2 3 5\n", NULL));
    CHECK_TEXT(weft_ctx_message(ctx), "text:2:5: more than the 2 fields that the first line has (weights are on every "
                                      "line, or on none: `weights=ignore`; an adjacency list: `format=adjlist`)");
    p.weights = WEFT_WEIGHTS_IGNORE;
    weft_graph *g = read_text(ctx, "1 2\n2 3 5\n", &p);
    REQUIRE(g != NULL);
    CHECK(weft_graph_weight_type(g) == WEFT_WEIGHT_NONE);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void check_reads_as(const char *text, const char *want) {
    weft_ctx *ctx = new_ctx(1, NULL);
    char seen[256];
    weft_graph *g = read_text(ctx, text, NULL);
    if (g)
        CHECK_TEXT(graph_text(g, seen, sizeof seen), want);
    else
        HARNESS_FAIL("%.200s: %s", text, weft_ctx_message(ctx));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void check_refused(const char *text, const char *message) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, text, NULL);
    if (g)
        HARNESS_FAIL("read: %.200s", text);
    else
        CHECK_HAS(weft_ctx_message(ctx), message);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Wherever a line stands: the head of a file is looked at as a whole, and what follows is not. */
static void check_refused_at_both_ends(const char *first, const char *line, const char *place) {
    static char text[1 << 20];
    for (int after = 0; after < 2; after++) {
        size_t used = 0;
        for (int i = 0; i < (after ? 20000 : 3); i++) used += (size_t)sprintf(text + used, "%s\n", first);
        sprintf(text + used, "%s\n", line);
        char want[64];
        snprintf(want, sizeof want, "text:%d:%s", after ? 20001 : 4, place);
        check_refused(text, want);
    }
}

TEST(files_that_were_joined_are_refused_at_the_second_header) {
    static char joined[1 << 18];
    size_t used = (size_t)sprintf(joined, "source,target\n");
    for (int i = 0; i < 20000; i++) used += (size_t)sprintf(joined + used, "ann,bob\n");
    sprintf(joined + used, "source,target\nbob,ann\n");
    const char *const text[] = {"source,target\n1,2\nsource,target\n2,3\n", joined,
                                "source  target\n------  ------\n1       2\n"};
    static const char *const place[] = {"text:3:1: ", "text:20002:1: ", "text:2:1: "};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) check_refused(text[i], place[i]);
}

TEST(the_weight_of_an_edge_is_its_own) {
    check_reads_as("1 2 {'a': {'weight': 9}, 'weight': 2}\n2 3 {'weight': 4}\n", "directed u32 [1 2 3] 1>2:2 2>3:4");
    check_refused("1 2 {}\n2 3 {'weight': 5}\n", "text:2:16: a weight, but the first line has none");
    check_refused("(1, 2)\n(2, 3, 4)\n", "text:2:8: a weight, but the first line has none");
}

TEST(a_column_beside_a_whole_pair_of_ends_is_none_of_them) {
    static const char *const heads[] = {"from,to,source",      "parent,child,source",      "u,v,source",
                                        "citing,cited,source", "from_node,to_node,source", "from,to,target",
                                        "node1,node2,target",  "sender,receiver,from"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s\n1,2,web\n2,3,web\n", heads[i]);
        check_reads_as(text, "directed none [1 2 3] 1>2 2>3");
    }
}

/* Beyond the part that is looked at first: an id with a zero at its front makes all of them text, a name that begins with # makes lines
 * that do doubtful. */
TEST(what_comes_late_is_noticed) {
    static char text[1 << 20];
    static const struct {
        const char *line, *last, *want;
    } cases[] = {{"1001 1002", "1002 0007", NULL},
                 {"1001 1002 5", "1002 0007 6", NULL},
                 {"from,to\n1001,1002", "1002,0007", NULL},
                 {"ann bob", "cid #ann\n#ann bob", "text:20002:1: this line begins with the name of a vertex, '#ann'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *newline = strchr(cases[i].line, '\n');
        size_t used = (size_t)sprintf(text, "%s\n", cases[i].line);
        for (int k = 1; k < 20000; k++) used += (size_t)sprintf(text + used, "%s\n", newline ? newline + 1 : cases[i].line);
        sprintf(text + used, "%s\n", cases[i].last);
        if (cases[i].want) {
            check_refused(text, cases[i].want);
            continue;
        }
        warnings notes = {0};
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_graph *g = read_text(ctx, text, NULL);
        weft_vid v;
        if (!g || weft_graph_find(ctx, g, "0007", &v)) HARNESS_FAIL("%s: %s", cases[i].last, weft_ctx_message(ctx));
        CHECK_HAS(notes.text, "leading zeros");
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(what_could_be_a_matrix_is_asked_about) {
    check_refused("0,1,0\n1,0,1\n0,1,0\n", "text:1:1: edges with weights, or a matrix of 3 rows?");
}

TEST(a_line_of_a_spreadsheet_that_names_the_separator_is_understood) {
    check_reads_as("sep=;\r\nsource;target;weight\r\na;b;1,5\r\n", "directed f32 [a b] a>b:1.5");
    check_reads_as("sep=;\na7;b7;1,5\nb7;a7;1,5\n", "directed f32 [a7 b7] a7>b7:1.5 b7>a7:1.5");
}

TEST(fields_that_are_not_read_may_be_quoted_or_empty) {
    static const char *const text[] = {"1 2 3 a\n2 3 4 \"b c\" d\n", "1,2,3,\n2,3,4,\n", "1 2 3 a\r\n2 3 4 b c \r\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) check_reads_as(text[i], "directed u32 [1 2 3] 1>2:3 2>3:4");
}

TEST(what_a_list_names_is_what_it_has) {
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"# weft edge list directed names\n#v u\nx\ty\ny\tz\n", "directed none [u x y z] x>y y>z"},
        {"# weft edge list directed names\nx\ty\ny\tz\n#v u\n#v \"a\nb\"\n", "directed none [a\nb u x y z] x>y y>z"},
        {"# weft edge list directed names\nx\ty{z}\na->\tb\n", "directed none [a-> b x y{z}] a->>b x>y{z}"},
        {"# weft edge list directed names\n\"1\"\t\"2\"\nNA\t\"1\"\n", "directed none [1 2 NA] 1>2 NA>1"},
        {"1.2.3.4 5.6.7.8\n5.6.7.8 9.9.9.9\n",
         "directed none [1.2.3.4 5.6.7.8 9.9.9.9] 1.2.3.4>5.6.7.8 5.6.7.8>9.9.9.9"},
        {"1 2\n3 4 # a comment\n", "directed none [1 2 3 4] 1>2 3>4"},
        {"source,target\n\"-0\",\"0\"\nx,y\n", "directed none [-0 0 x y] -0>0 x>y"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_reads_as(cases[i].text, cases[i].want);
}

TEST(nothing_is_dropped_behind_a_long_beginning) {
    static char text[1 << 18];
    size_t used = 0;
    for (int i = 0; i < 6000; i++) used += (size_t)sprintf(text + used, "# a comment\n");
    sprintf(text + used, "1 2 3\n");
    check_refused(text, "text:6001:5: ");
    used = 0;
    for (int i = 1; i < 10000; i++) used += (size_t)sprintf(text + used, "%d,%d,\n", i, i + 1);
    sprintf(text + used, "5,6,7\n");
    check_refused(text, "text:10000:5: ");
}

TEST(two_signs_that_could_separate_are_asked_about) {
    static const char *const text[] = {"1 2,3\n2 3,4\n", "1 000,2\n3,4\n",
                                       "10 -19\tbar\n17 4\tfoo\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) check_refused(text[i], "which sign separates the fields?");
}

TEST(what_a_list_has_no_field_for_is_refused_wherever_it_stands) {
    static const struct {
        const char *first, *line, *place;
    } cases[] = {
        {"1 2 3", "2 3 2,5", "5: "},
        {"1 2 3", "2 3 2;5", "6: "},
        {"1\t2\t3", "2\t3\t1,234", "5: "},
        {"5,6,1", "7,8,1,5", "7: "},
        {"5,6,1", "7,8,1 000", "6: "},
        {"5\t6\t1", "7\t8\t1 000", "7: "},
        {"5\t6", "1 000\t2", "7: "},
        {"5\t6\t1", "7\t\t3\t15", "3: "},
        {"5\t6", "\t7\t8", "1: "},
        {"5\t6\tx", "7\t\t8", "3: "},
        {"1 2 3", "2 3 4 5", "7: "},
        {"1 2", "2 3 x", "5: "},
        {"1,2", "77777,888\r1,3", ""},
        {"1,2", "77 777,888", ""},
        {"1,2", "777,8 888", ""},
        {"1,2", "7,8,9", "5: "},
        {"1,2", "77;88", ""},
        {"1,2", "77 88", ""},
        {"1 2", "99 5,0", ""},
        {"a b", "b c d e", "5: "},
        {"a b", "New York Boston", "10: "},
        {"1 2", "3 NA", "3: "},
        {"1 2", "--- ---", "1: "},
        {"1,2", "3,null", "3: "},
        {"a\tb", "a\rb\tc", "2: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused_at_both_ends(cases[i].first, cases[i].line, cases[i].place);
}

TEST(quoted_names_may_stand_between_any_separators) {
    static const char *const text[] = {"\"a a\" \"b\"\n\"c\" d\n",      "\"a a\"   \"b\" \r\n\"c\"\td\n",
                                       "\"a a\",\"b\"\n\"c\",d\n",      "\"a a\" , \"b\"\n\"c\" ,d",
                                       "\"a a\"\t\"b\"\n\"c\"\td\r\n",  "\"a a\" \t \"b\"\n\"c\"\t\td\n",
                                       "\"a a\";\"b\"\n\"c\" ; \"d\"\n"};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.header = WEFT_HEADER_NO; /* words above names are asked about */
    char seen[256];
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        weft_graph *g = read_text(ctx, text[i], &p);
        if (!g) HARNESS_FAIL("%zu: %s", i, weft_ctx_message(ctx));
        if (g) CHECK_TEXT(graph_text(g, seen, sizeof seen), "directed none [a a b c d] a a>b c>d");
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(what_follows_a_closing_quote_is_not_swallowed) {
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK(!read_text(ctx, "x y\n\"a\"bc d\n", NULL));
    CHECK_TEXT(weft_ctx_message(ctx), "text:2:4: 'bc', but a separator after the closing quote was expected");
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.header = WEFT_HEADER_NO;
    CHECK(!read_text(ctx, "x,y\n\"a\" b,d\n", &p));
    CHECK_TEXT(weft_ctx_message(ctx), "text:2:5: 'b,d', but a separator after the closing quote was expected");
    weft_ctx_free(ctx);
}

TEST(runs_of_tabs_are_one_separator) {
    weft_ctx *ctx = new_ctx(2, NULL);
    char text[256];
    weft_graph *g = read_text(ctx, "1\t\t2\n2\t \t3\n", NULL);
    REQUIRE(g != NULL);
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 3] 1>2 2>3");
    weft_graph_free(g);
    g = read_text(ctx, "new york\t\tboston\n", NULL);
    REQUIRE(g != NULL);
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [boston new york] new york>boston");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_file_without_edges_is_an_empty_graph_with_a_warning) {
    static const char *const files[] = {"empty.txt", "only_comments.txt"};
    for (int i = 0; i < 2; i++) {
        warnings w;
        weft_ctx *ctx = new_ctx(2, &w);
        weft_graph *g = read_golden(ctx, files[i], NULL);
        REQUIRE(g != NULL);
        CHECK_U64(weft_graph_vertices(g), 0);
        CHECK_U64(info_of(ctx, g).records, 0);
        CHECK_U64(w.count, 1);
        CHECK_HAS(w.text, files[i]);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(records_count_lines_and_drops_are_counted) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_golden(ctx, "duplicates.txt", NULL);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.records, 4);
    CHECK_U64(info.duplicates_dropped, 2);
    CHECK_U64(info.edges, 2);
    CHECK(info.load_ms >= 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void check_with(const char *file, const weft_read_params *params, const char *graph, weft_id_kind ids) {
    golden want = {file, graph, ids, 0};
    check_golden(&want, params, 2);
}

TEST(direction_and_duplicates_can_be_asked_for) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    check_with("duplicates.txt", &p, "undirected u32 [0 1] 0-1:2", WEFT_IDS_DENSE);
    check_with("snap_directed.txt", &p, "undirected none [0 1 2] 0-1 1-2", WEFT_IDS_DENSE);
    p.duplicates = WEFT_DUPLICATES_SUM;
    check_with("duplicates.txt", &p, "undirected u32 [0 1] 0-1:18", WEFT_IDS_DENSE);
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    p.direction = WEFT_DIRECTED;
    check_with("snap_undirected.txt", &p, "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE);
    p.loops = WEFT_LOOPS_DROP;
    check_with("self_loop.txt", &p, "directed none [0 1] 0>1", WEFT_IDS_DENSE);
}

TEST(weights_can_be_ignored_or_required) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_with("weights_decimal.txt", &p, "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE);
    check_with("extra_columns.txt", &p, "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE);
    p.weights = WEFT_WEIGHTS_REQUIRE;
    check_with("weights_decimal.txt", &p, "directed f32 [0 1 2] 0>1:0.5 1>2:2.25", WEFT_IDS_DENSE);
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK(read_text(ctx, "0 1\n1 2\n", &p) == NULL);
    CHECK_HAS(weft_ctx_message(ctx), "weight");
    p.weights = WEFT_WEIGHTS_IGNORE;
    weft_graph *g = read_text(ctx, "0 1 nan\n1 2 inf\n2 3 friend\n", &p);
    CHECK(g != NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(ids_can_be_read_as_names_or_as_numbers) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.ids = WEFT_READ_IDS_STRING;
    check_with("ids_descend.txt", &p, "directed none [10 20 30] 20>10 30>20", WEFT_IDS_STRING);
    check_with("leading_zeros.txt", &p, "directed none [007 009 8] 007>8 8>009", WEFT_IDS_STRING);
    p.ids = WEFT_READ_IDS_INTEGER;
    check_with("leading_zeros_gap.txt", &p, "directed none [7 9] 7>9", WEFT_IDS_SPARSE);
    check_with("ids_descend.txt", &p, "directed none [10 20 30] 20>10 30>20", WEFT_IDS_SPARSE);
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK(read_text(ctx, "1 2\n2 x\n", &p) == NULL);
    CHECK_HAS(weft_ctx_message(ctx), "text:2:3: ");
    weft_ctx_free(ctx);
}

TEST(the_number_of_vertices_can_be_given) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.vertices = 5;
    check_with("hash_comments.txt", &p, "directed none [0 1 2 3 4] 0>1 1>2", WEFT_IDS_DENSE);
    check_with("percent_comments.txt", &p, "directed none [0 1 2 3 4] 1>2 2>3", WEFT_IDS_DENSE);
    p.vertices = 3;
    check_with("hash_comments.txt", &p, "directed none [0 1 2] 0>1 1>2", WEFT_IDS_DENSE);
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "# no edges\n", &p);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_vertices(g), 3);
    CHECK_U64(info_of(ctx, g).isolated, 3);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
