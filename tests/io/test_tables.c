/* Tables as people have them: every file of tests/data/tables is read without a flag as the program that wrote it means
 * it, or refused with a sentence that helps; none is read as something else.  Flags overrule what is seen. */
#include "support.h"
#include "table_corpus.h"

#include <ctype.h>

enum { LEAST_TABLES = 60, LEAST_RIGHT = 50 };

/* --- one file ------------------------------------------------------------------------------- */

typedef struct reading_of {
    weft_status status;
    char graph[4096], message[4096];
    warnings notes, warned;
} reading_of;

static void read_table(const char *path, const weft_read_params *params, int threads, reading_of *r) {
    *r = (reading_of){0};
    weft_ctx *ctx = new_ctx(threads, &r->warned);
    weft_graph *g = NULL;
    weft_ctx_set_note(ctx, note_warning, &r->notes);
    r->status = weft_read(ctx, path, params, &g);
    snprintf(r->message, sizeof r->message, "%s", r->status ? weft_ctx_message(ctx) : "");
    if (g) graph_text(g, r->graph, sizeof r->graph);
    if (r->status && g) HARNESS_FAIL("%s: there is a graph after a failure", path);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* What was read, for the person who looks at a failure. */
static void fail_with(const char *file, const char *writer, const char *expected, const reading_of *r) {
    HARNESS_FAIL("%s (%s)\n  expected  %s\n  read      %s\n  message   %s\n  notes     %s%s  warnings  %s%s", file,
                 writer, expected, *r->graph ? r->graph : "nothing", *r->message ? r->message : "none", r->notes.text,
                 *r->notes.text ? "" : "none\n", r->warned.text, *r->warned.text ? "" : "none");
}

/* "file:line:column: " and a sentence. */
static bool names_a_place(const char *message, const char *path) {
    size_t length = strlen(path);
    if (strncmp(message, path, length)) return false;
    const char *p = message + length;
    for (int i = 0; i < 2; i++) {
        if (*p++ != ':' || !isdigit((unsigned char)*p)) return false;
        while (isdigit((unsigned char)*p)) p++;
    }
    return p[0] == ':' && p[1] == ' ' && p[2];
}

/* The parts are looked for after the path, which is full of words. */
static bool is_refused(const reading_of *r, const char *path, const char *part, const char *more) {
    if (r->status != WEFT_EINPUT && r->status != WEFT_EUNSUPPORTED) return false;
    if (!names_a_place(r->message, path)) return false;
    const char *said = r->message + strlen(path);
    return (!part || strstr(said, part)) && (!more || strstr(said, more));
}

static bool is_read(const reading_of *r, const char *graph, const char *note) {
    return !r->status && !strcmp(r->graph, graph) && (!note || strstr(r->notes.text, note));
}

static bool as_expected(const table_row *row, const char *path, const reading_of *r) {
    switch (row->outcome) {
    case RIGHT: return is_read(r, row->text, row->more);
    case REFUSED: return is_refused(r, path, row->text, row->more);
    default: return is_read(r, row->text, NULL) || is_refused(r, path, NULL, NULL);
    }
}

static void check_row(const table_row *row, int threads, size_t *read, size_t *refused) {
    char path[1024], relative[256], expected[4096];
    static const char *const want[] = {"", "to be refused: ", "to be refused, or "};
    snprintf(relative, sizeof relative, "tables/%s", row->file);
    reading_of r;
    read_table(data_path(relative, path, sizeof path), NULL, threads, &r);
    snprintf(expected, sizeof expected, "%s%s%s%s", want[row->outcome], row->text,
             !row->more              ? ""
             : row->outcome == RIGHT ? ", and a note with: "
                                     : " ... ",
             row->more ? row->more : "");
    if (!as_expected(row, path, &r))
        fail_with(row->file, row->writer, expected, &r);
    else
        ++*(r.status ? refused : read);
}

TEST(tables_are_read_as_they_are_meant_or_refused) {
    size_t read = 0, refused = 0, count = LENGTH(table_rows);
    for (size_t i = 0; i < count; i++) check_row(&table_rows[i], 1, &read, &refused);
    printf("%zu tables: %zu read right without a flag, %zu refused with a sentence, %zu wrong\n", count, read, refused,
           count - read - refused);
    CHECK(count >= LEAST_TABLES);
    CHECK(read >= LEAST_RIGHT);
}

TEST(several_threads_read_tables_the_same_way) {
    size_t read = 0, refused = 0;
    for (size_t i = 0; i < LENGTH(table_rows); i++) check_row(&table_rows[i], 3, &read, &refused);
}

TEST(every_file_of_the_folder_is_listed_once) {
    char folder[1024];
    CHECK_I64(count_entries(data_path("tables", folder, sizeof folder)), LENGTH(table_rows));
    for (size_t i = 0; i < LENGTH(table_rows); i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(table_rows[i].file, table_rows[j].file)) HARNESS_FAIL("%s is listed twice", table_rows[i].file);
}

/* --- flags ---------------------------------------------------------------------------------- */

typedef struct flag_row {
    table_outcome outcome;
    const char *file, *source_col, *target_col, *weight_col;
    weft_header_use header;
    char separator;
    weft_weights_use weights;
    const char *text, *more;
} flag_row;

#define HEADER(use)  .header = WEFT_HEADER_##use
#define WEIGHTS(use) .weights = WEFT_WEIGHTS_##use

/* clang-format off */
static const flag_row flag_rows[] = {
    /* by name and by number: what no header word tells */
    {RIGHT, "pandas_unknown_words.csv", "alpha", "beta", .text = "directed none [1 2 3] 1>2 2>3", .more = "columns: alpha → beta; passed over: gamma, delta"},
    {RIGHT, "pandas_unknown_words.csv", "alpha", "beta", "delta", .text = "directed u32 [1 2 3] 1>2:4 2>3:6", .more = "columns: alpha → beta, delta; passed over: gamma"},
    {RIGHT, "pandas_unknown_words.csv", "4", "1", "3", .text = "directed u32 [1 2 4 6] 4>1:3 6>2:5", .more = "columns: delta → alpha, gamma; passed over: beta"},
    {RIGHT, "follower_numbers.csv", "follower", "followee", .text = "directed none [1 2 3] 1>2 2>3"},
    {RIGHT, "follower_numbers.csv", "followee", "follower", .text = "directed none [1 2 3] 2>1 3>2"},
    {RIGHT, "head_tail.csv", "tail", "head", .text = "directed none [1 2 3] 2>1 3>2"},
    {RIGHT, "openflights.csv", "source airport", "destination apirport", .text = "directed none [AER ASF KZN] AER>KZN ASF>KZN"},
    {RIGHT, "openflights.csv", "4", "6", "stops", .text = "directed u32 [2965 2966 2990] 2965>2990:0 2966>2990:0"},
    {RIGHT, "excel_german_words.csv", "Quelle", "Ziel", "Gewicht", .text = "directed f32 [1 2 3] 1>2:0.5 2>3:1.5"},
    {RIGHT, "one_known_word.csv", .target_col = "friend", .text = "directed none [ann bob cid] ann>bob bob>cid"},
    {RIGHT, "relation_numbers.jsonl", "1", "3", .text = "directed none [1 2 3] 1>2 2>3 3>1"},
    {RIGHT, "gene_terms.tsv", "2", "3", .text = "directed none [1 2 GO:0002020 GO:0005576] 1>GO:0005576 2>GO:0002020 2>GO:0005576"},
    {RIGHT, "gene_terms.tsv", "Gene", "Term", .text = "directed none [1 2 GO:0002020 GO:0005576] 1>GO:0005576 2>GO:0002020 2>GO:0005576", .more = "columns: Gene → Term; passed over: species, Evidence"},
    {RIGHT, "triples.tsv", "1", "3", .text = "directed none [/m/017dcd /m/027rn /m/06cx9 /m/06v8s0] /m/017dcd>/m/06v8s0 /m/027rn>/m/06cx9 /m/06cx9>/m/017dcd", HEADER(NO)},

    /* against what the header says */
    {RIGHT, "pandas_target_first.csv", "target", "source", .text = "directed none [1 2 3] 1>2 2>3 3>1"},
    {RIGHT, "pandas_target_first.csv", "1", "2", .text = "directed none [1 2 3] 1>2 2>3 3>1"},
    {RIGHT, "pandas_timestamp_weight.csv", .weight_col = "timestamp", .text = "directed u32 [1 2 3] 1>2:1.28924191e+09 2>3:1.28924314e+09"},
    {RIGHT, "pandas_timestamp_weight.csv", .weight_col = "3", .text = "directed u32 [1 2 3] 1>2:1.28924191e+09 2>3:1.28924314e+09"},
    {RIGHT, "pandas_years.csv", .weight_col = "year_to", .text = "directed u32 [1 2 3] 1>2:1999 2>3:2004"},
    {RIGHT, "pandas_index.csv", "2", "3", .text = "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4"},
    {RIGHT, "gephi_directed.csv", .weight_col = "Id", .text = "directed u32 [1 2 3] 1>2:10 2>3:11"},

    /* without a header */
    {RIGHT, "two_weights.csv", .weight_col = "4", .text = "directed u32 [1 2 3] 1>2:6 2>3:8"},
    {RIGHT, "two_weights.txt", .weight_col = "3", .text = "directed u32 [1 2 3] 1>2:5 2>3:7"},
    {RIGHT, "two_weights.txt", "4", "3", "1", .text = "directed u32 [5 6 7 8] 6>5:1 8>7:2"},
    {RIGHT, "two_weights.csv", "1", "2", .text = "directed none [1 2 3] 1>2 2>3"},
    {REFUSED, "two_weights.csv", WEIGHTS(IGNORE), .text = "`source_col=N` `target_col=N`", .more = "the ends of the edges"},
    {REFUSED, "biogrid_bare.txt", WEIGHTS(IGNORE), .text = "`source_col=N` `target_col=N`"},
    {RIGHT, "biogrid_bare.txt", "2", "3", .text = "directed none [90 2318 6416 84665] 6416>2318 84665>90"},
    {RIGHT, "snap_rating_time.csv", WEIGHTS(IGNORE), .text = "directed none [1 2 5 6 15] 1>15 6>2 6>5"},
    {RIGHT, "relation_numbers.csv", "1", "3", .text = "directed none [1 2 3] 1>2 2>3 3>1"},
    {RIGHT, "relation_numbers.csv", .weight_col = "3", .text = "directed u32 [1 2 3 KNOWS LIKES] 1>KNOWS:2 2>LIKES:3 3>KNOWS:1"},
    {RIGHT, "snap_temporal.txt", .weight_col = "3", .text = "directed u32 [1 2 3 4 5] 1>2:1.08204096e+09 3>4:1.08215584e+09 5>2:1.08241439e+09"},
    {RIGHT, "snap_temporal.txt", WEIGHTS(IGNORE), .text = "directed none [1 2 3 4 5] 1>2 3>4 5>2"},
    {RIGHT, "snap_rating_time.csv", .weight_col = "4", .text = "directed f32 [1 2 5 6 15] 1>15:1.28924314e+09 6>2:1.28924186e+09 6>5:1.28924198e+09"},

    /* is the first line a header? */
    {RIGHT, "follower_followee.csv", HEADER(NO), .text = "directed none [ann bob cid followee follower] ann>bob bob>cid follower>followee"},
    {RIGHT, "follower_followee.csv", "1", "2", HEADER(YES), .text = "directed none [ann bob cid] ann>bob bob>cid"},
    {EITHER, "follower_followee.csv", HEADER(YES), .text = "directed none [ann bob cid] ann>bob bob>cid"},
    {RIGHT, "follower_followee.csv", "followee", "follower", .text = "directed none [ann bob cid] bob>ann cid>bob"},
    {RIGHT, "names_again.csv", "1", "2", HEADER(YES), .text = "directed none [ann bob cid dan] bob>cid dan>ann"},
    {RIGHT, "names_blanks_once.txt", "tom", "jerry", HEADER(YES), .text = "directed none [ann bob cid] ann>bob bob>cid"},
    {RIGHT, "gephi_minimal.csv", HEADER(NO), .text = "directed none [Source Target ann bob cid] Source>Target ann>bob bob>cid"},
    {RIGHT, "letters.txt", HEADER(NO), .text = "directed none [u v w] u>v v>w w>u"},
    {RIGHT, "letters.txt", HEADER(YES), .text = "directed none [u v w] v>w w>u"},
    {RIGHT, "counts_two.txt", HEADER(NO), .text = "directed none [1 2 3] 1>2 2>3 3>2"},

    /* separators */
    {RIGHT, "sqlite.txt", .separator = '|', .text = "directed none [1 2 3] 1>2 2>3 3>1"},
    {RIGHT, "polars_pipe.csv", .separator = '|', .text = "directed none [ann bob|x cid] ann>bob|x bob|x>cid"},
    {RIGHT, "excel_german.csv", .separator = ';', .text = "directed f32 [1 2 3] 1>2:0.5 2>3:12.25 3>1:3"},
    {RIGHT, "pandas_index_tabs.tsv", .separator = '\t', .text = "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4"},
    {RIGHT, "names_weights_blanks.txt", .separator = ' ', .text = "directed u32 [ann bob cid dan] ann>bob:2 bob>cid:3 dan>ann:1"},

    /* weights */
    {RIGHT, "gephi_directed.csv", WEIGHTS(IGNORE), .text = "directed none [1 2 3] 1>2 2>3"},
    {RIGHT, "networkx_weight.txt", WEIGHTS(IGNORE), .text = "directed none [1 2 3] 1>2 2>3 3>1"},
    {RIGHT, "pandas_missing_weight.csv", WEIGHTS(IGNORE), .text = "directed none [1 2 3] 1>2 2>3"},
    {RIGHT, "kaggle_weights.csv", WEIGHTS(REQUIRE), .text = "directed u32 [ann bob cid dan] ann>bob:2 bob>cid:3 dan>ann:1"},
    {REFUSED, "pandas_years.csv", WEIGHTS(REQUIRE), .text = "weight"},

    /* flags that cannot be followed */
    {REFUSED, "pandas_no_index.csv", .source_col = "nope", .text = "nope", .more = "target"},
    {REFUSED, "pandas_no_index.csv", .target_col = "9", .text = "`target_col"},
    {REFUSED, "pandas_no_index.csv", .target_col = "0", .text = "`target_col"},
    {REFUSED, "pandas_no_index.csv", "source", "source", .text = ""},
    {REFUSED, "pandas_no_index.csv", .weight_col = "source", .text = ""},
    {REFUSED, "spark_graphframes.csv", .weight_col = "relationship", .text = "relationship"},
};
/* clang-format on */

TEST(flags_overrule_what_is_seen) {
    for (size_t i = 0; i < LENGTH(flag_rows); i++) {
        const flag_row *f = &flag_rows[i];
        weft_read_params params = WEFT_READ_DEFAULTS;
        params.source_col = f->source_col;
        params.target_col = f->target_col;
        params.weight_col = f->weight_col;
        params.header = f->header;
        params.separator = f->separator;
        params.weights = f->weights;
        char path[1024], relative[256], flags[256];
        snprintf(relative, sizeof relative, "tables/%s", f->file);
        snprintf(flags, sizeof flags, "source %s, target %s, weight %s, header %d, separator %d, weights %d",
                 f->source_col ? f->source_col : "-", f->target_col ? f->target_col : "-",
                 f->weight_col ? f->weight_col : "-", (int)f->header, f->separator, (int)f->weights);
        reading_of r;
        read_table(data_path(relative, path, sizeof path), &params, 2, &r);
        table_row row = {f->outcome, f->file, flags, f->text, f->more};
        if (!as_expected(&row, path, &r)) fail_with(f->file, flags, f->text, &r);
    }
}

/* A separator that the caller names makes the others part of names. */
TEST(other_separators_than_the_one_given_belong_to_names) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_read_params params = WEFT_READ_DEFAULTS;
    char text[256];
    params.separator = ' ';
    weft_graph *g = read_text(ctx, "a,b c;d\nc;d e|f\n", &params);
    if (g)
        CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [a,b c;d e|f] a,b>c;d c;d>e|f");
    else
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- what is said --------------------------------------------------------------------------- */

static void check_choice(const weft_graph_info *info) {
    CHECK_TEXT(info->source_column ? info->source_column : "none", "src");
    CHECK_TEXT(info->target_column ? info->target_column : "none", "dst");
    CHECK_TEXT(info->weight_column ? info->weight_column : "none", "weight");
    CHECK_U64(info->passed_over_count, 2);
    if (info->passed_over_count != 2) return;
    CHECK_TEXT(info->passed_over_columns[0], "");
    CHECK_TEXT(info->passed_over_columns[1], "year");
}

TEST(the_choice_is_kept_with_the_graph) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, ",src,dst,year,weight\n0,ann,bob,1999,3\n1,bob,cid,2001,4\n", NULL);
    if (g) {
        weft_graph_info info = info_of(ctx, g);
        check_choice(&info);
    } else {
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Nothing was chosen, so there is nothing to say. */
TEST(plain_lists_are_read_without_a_note) {
    static const char *const plain[] = {"1 2\n2 3\n3 1\n", "1\t2\n2\t3\n", "1,2\n2,3\n", "ann bob\nbob cid\n",
                                        "1 2 5\n2 3 7\n"};
    for (size_t i = 0; i < LENGTH(plain); i++) {
        warnings w, notes = {0};
        weft_ctx *ctx = new_ctx(1, &w);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_graph *g = read_text(ctx, plain[i], NULL);
        if (!g) HARNESS_FAIL("%s: %s", plain[i], weft_ctx_message(ctx));
        if (notes.count || w.count) HARNESS_FAIL("%s: %s%s", plain[i], notes.text, w.text);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Where a look-alike was understood, that is said. */
TEST(look_alikes_are_said) {
    static const char *const odd[] = {"1 2 {'weight': 3}\n2 3 {'weight': 4}\n",
                                      "1 2 {}\n2 3 {}\n",
                                      "(1, 2)\n(2, 3)\n",
                                      "[1, 2]\n[2, 3]\n",
                                      "1 -> 2\n2 -> 3\n",
                                      "4 3\n1 2\n2 3\n3 4\n"};
    for (size_t i = 0; i < LENGTH(odd); i++) {
        warnings notes = {0};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_graph *g = read_text(ctx, odd[i], NULL);
        if (!g) HARNESS_FAIL("%s: %s", odd[i], weft_ctx_message(ctx));
        if (g && !notes.count) HARNESS_FAIL("no note on %s", odd[i]);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Of a text of any length; of an empty graph that Weft wrote, and where the caller has said so, there is nothing to
 * say. */
static void check_comments_alone(const char *text, size_t bytes, weft_comment_use use, int threads, const char *said) {
    warnings notes = {0};
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_graph *g = NULL;
    weft_read_params params = WEFT_READ_DEFAULTS;
    params.comments = use;
    weft_ctx_set_note(ctx, note_warning, &notes);
    if (weft_read_memory(ctx, text, bytes, "text", &params, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (g) CHECK_U64(out_rows(g).vertices, 0);
    if (said ? !strstr(notes.text, said) : notes.count)
        HARNESS_FAIL("%.20s...: \"%s\", expected %s", text, notes.text, said ? said : "no note");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_file_of_comments_alone_says_so) {
    enum { LINES = 20000 };
    static const char one[] = "# nothing yet\n", ours[] = "# weft edge list: 0 vertices, 0 edges, directed\n";
    static char many[LINES * 16 + 1];
    size_t used = 0;
    for (int i = 0; i < LINES; i++) used += (size_t)snprintf(many + used, sizeof many - used, "#index%d\n", i);
    check_comments_alone(many, used, WEFT_COMMENTS_AUTO, 1, "all 20000 lines begin with #");
    check_comments_alone(many, used, WEFT_COMMENTS_AUTO, 4, "all 20000 lines begin with #");
    check_comments_alone(many, used, WEFT_COMMENTS_YES, 1, NULL);
    check_comments_alone(one, sizeof one - 1, WEFT_COMMENTS_AUTO, 1, "its 1 line begins with #");
    check_comments_alone(ours, sizeof ours - 1, WEFT_COMMENTS_AUTO, 1, NULL);
}

/* In Neo4j's files 1 of Person and 1 of Movie are two vertices: as one they may be read with a warning, or not at all. */
TEST(two_spaces_of_ids_are_not_merged_in_silence) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = read_text(ctx, ":START_ID(Person),:END_ID(Movie),:TYPE\n1,1,SAW\n2,1,SAW\n", NULL);
    if (g && !w.count && out_rows(g).vertices != 3) HARNESS_FAIL("person 1 and movie 1 became one vertex in silence");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- larger than the part that is looked at first ------------------------------------------- */

/* A path of `n` vertices whose names have a comma, a quote and a newline: each wherever a block may end. */
static char *long_table(uint64_t n, size_t *bytes) {
    size_t room = 128 * (size_t)n;
    char *text = malloc(room);
    if (!text) return NULL;
    size_t used = (size_t)snprintf(text, room, ",note,target,source,weight\n");
    for (uint64_t i = 0; i + 1 < n; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 "%" PRIu64 ",\"x,\n%.*s\",\"v,\n\"\"%07" PRIu64 "\",\"v,\n\"\"%07" PRIu64 "\",%" PRIu64
                                 "\n",
                                 i, (int)(i % 31), "a newline inside quotes is no end", i + 1, i, i);
    *bytes = used;
    return text;
}

TEST(quoted_newlines_hold_across_blocks_and_threads) {
    const uint64_t n = under_a_microscope() ? 20000 : 100000;
    size_t bytes;
    char *text = long_table(n, &bytes);
    REQUIRE(text);
    for (int threads = 1; threads <= 4; threads += 3) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        if (weft_read_memory(ctx, text, bytes, "text", NULL, &g)) {
            HARNESS_FAIL("%s", weft_ctx_message(ctx));
        } else {
            weft_csr out = out_rows(g);
            uint64_t wrong = 0;
            CHECK_U64(out.vertices, n);
            CHECK_U64(out.arcs, n - 1);
            CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_U32);
            for (weft_vid v = 0; v < out.vertices && out.arcs == n - 1;
                 v++) { /* names are in the order of their numbers */
                bool last = v + 1 == out.vertices;
                weft_eid e = out.offsets[v];
                wrong += out.offsets[v + 1] - e != !last;
                if (!last && e < out.arcs) wrong += out.targets[e] != v + 1 || (uint64_t)weight_at(g, &out, e) != v;
            }
            CHECK_U64(wrong, 0);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(text);
}

TEST_MAIN()
