/* Edge lists that must be refused, each with the place of the fault: "file:line:column: what is wrong". */
#include "support.h"

typedef struct bad {
    const char *file;
    uint64_t line;
    uint64_t first, last; /* the columns that name the place: of a missing field any from its line's end on back */
    const char *part;     /* of the message; NULL = any */
    weft_id_reading ids;
} bad;

static const bad files[] = {
    {"truncated_last_line.txt", 3, 1, 2, NULL, WEFT_READ_IDS_AUTO},
    {"one_field.txt", 2, 1, 2, NULL, WEFT_READ_IDS_AUTO},
    {"one_column.txt", 1, 1, 2, NULL, WEFT_READ_IDS_AUTO},
    {"comment_then_one_field.txt", 5, 4, 6, NULL, WEFT_READ_IDS_AUTO},
    {"id_2_63.txt", 2, 3, 3, "64", WEFT_READ_IDS_AUTO},
    {"id_minus_2_63_less_one.txt", 2, 1, 1, "64", WEFT_READ_IDS_AUTO},
    {"id_20_digits.txt", 3, 1, 1, "64", WEFT_READ_IDS_AUTO},
    {"id_40_digits.txt", 1, 3, 3, "64", WEFT_READ_IDS_AUTO},
    {"weight_nan.txt", 2, 5, 5, "weights", WEFT_READ_IDS_AUTO},
    {"weight_inf.txt", 2, 5, 5, "weights", WEFT_READ_IDS_AUTO},
    {"weight_minus_infinity.csv", 2, 5, 5, "weights", WEFT_READ_IDS_AUTO},
    {"weight_beyond_float.txt", 1, 5, 5, "too large for a 32-bit weight", WEFT_READ_IDS_AUTO},
    {"weight_missing_later.txt", 3, 1, 4, "weight", WEFT_READ_IDS_AUTO},
    {"weight_missing_last.txt", 2, 1, 4, "weight", WEFT_READ_IDS_AUTO},
    {"weight_with_letters.txt", 2, 5, 6, "weight", WEFT_READ_IDS_AUTO},
    {"weight_two_signs.txt", 2, 5, 5, "weight", WEFT_READ_IDS_AUTO},
    {"weight_only_a_point.txt", 2, 5, 5, "weight", WEFT_READ_IDS_AUTO},
    {"weight_empty_field.csv", 2, 4, 5, "weight", WEFT_READ_IDS_AUTO},
    {"nul_in_id.txt", 2, 2, 2, "0x00", WEFT_READ_IDS_AUTO},
    {"nul_in_id.txt", 2, 2, 2, NULL, WEFT_READ_IDS_INTEGER},
    {"nul_line.txt", 2, 1, 1, "0x00", WEFT_READ_IDS_AUTO},
    {"nul_in_name.txt", 2, 7, 7, "0x00", WEFT_READ_IDS_AUTO},
    {"empty_first_field.csv", 2, 1, 1, NULL, WEFT_READ_IDS_INTEGER},
    {"empty_second_field.csv", 2, 2, 3, NULL, WEFT_READ_IDS_INTEGER},
    {"quote_not_closed.csv", 2, 1, 8, "quot", WEFT_READ_IDS_AUTO},
    {"garbage.bin", 1, 1, 512, NULL, WEFT_READ_IDS_AUTO},
    {"lone_returns.txt", 1, 4, 4, "carriage return", WEFT_READ_IDS_AUTO},
};

/* Does the message begin "name:line:column: " with the right numbers? */
static void check_place(const char *message, const char *name, uint64_t line, uint64_t first, uint64_t last) {
    size_t length = strlen(name);
    unsigned long long at_line = 0, at_column = 0;
    int used = 0;
    if (strncmp(message, name, length) || sscanf(message + length, ":%llu:%llu: %n", &at_line, &at_column, &used) < 2 ||
        !used || !message[length + (size_t)used]) {
        HARNESS_FAIL("\"%s\" does not begin \"%s:LINE:COLUMN: \" and a sentence", message, name);
        return;
    }
    if (at_line != line || at_column < first || at_column > last)
        HARNESS_FAIL("\"%s\": expected line %" PRIu64 ", column %" PRIu64 " to %" PRIu64, message, line, first, last);
}

TEST(every_bad_file_is_refused_with_its_place) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            char relative[256], path[4096];
            snprintf(relative, sizeof relative, "bad/edgelist/%s", files[i].file);
            data_path(relative, path, sizeof path);
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_read_params p = reading("edgelist");
            p.ids = files[i].ids;
            weft_graph *g = (weft_graph *)ctx;
            weft_status st = weft_read(ctx, path, &p, &g);
            if (st != WEFT_EINPUT) HARNESS_FAIL("%s: status %d (%s)", files[i].file, (int)st, weft_status_text(st));
            CHECK(g == NULL || st == WEFT_OK);
            if (st == WEFT_OK) weft_graph_free(g);
            if (st) check_place(weft_ctx_message(ctx), path, files[i].line, files[i].first, files[i].last);
            if (st && files[i].part) CHECK_HAS(weft_ctx_message(ctx), files[i].part);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST(no_bad_file_is_forgotten) {
    char folder[4096];
    DIR *d = opendir(data_path("bad/edgelist", folder, sizeof folder));
    REQUIRE(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        bool known = e->d_name[0] == '.';
        for (size_t i = 0; i < sizeof files / sizeof *files && !known; i++) known = !strcmp(e->d_name, files[i].file);
        if (!known) HARNESS_FAIL("%s is in no table", e->d_name);
    }
    closedir(d);
}

/* Text in memory that must be refused at a place. */
static void check_refused(const char *text, size_t bytes, const weft_read_params *p, uint64_t line, uint64_t first,
                          uint64_t last, const char *part) {
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(ctx, text, bytes, "text", p, &g), WEFT_EINPUT);
        check_place(weft_ctx_message(ctx), "text", line, first, last);
        if (part) CHECK_HAS(weft_ctx_message(ctx), part);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(what_is_no_integer_is_refused_when_integers_were_asked_for) {
    static const struct {
        const char *text;
        uint64_t line, first, last;
    } cases[] = {
        {"1 2\n12x 3\n", 2, 1, 3}, {"1 2\n1.5 3\n", 2, 1, 2}, {"1 2\n- 3\n", 2, 1, 1},      {"1 2\n0x10 3\n", 2, 1, 2},
        {"1 2\n3 4e2\n", 2, 3, 4}, {"1 2\n3 \"4\n", 2, 3, 3}, {"u,v\n1,2\nc,3\n", 3, 1, 1},
    };
    weft_read_params p = reading("edgelist");
    p.ids = WEFT_READ_IDS_INTEGER;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i].text, strlen(cases[i].text), &p, cases[i].line, cases[i].first, cases[i].last, NULL);
}

TEST(ids_outside_the_given_vertices_are_refused) {
    weft_read_params p = reading("edgelist");
    p.vertices = 4;
    check_refused("0 1\n3 2\n2 4\n", 12, &p, 3, 3, 3, "4");
    check_refused("0 1\n-1 2\n", 9, &p, 2, 1, 1, "-1");
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    p.vertices = (uint64_t)1 << 40;
    CHECK_U64(weft_read_memory(ctx, "0 1\n", 4, "text", &p, &g), WEFT_EINVAL);
    CHECK(g == NULL);
    weft_ctx_free(ctx);
}

/* --- faults far behind the head ---------------------------------------------- */

enum { BEFORE = 300000 }; /* lines: several MB, so the fault stands in a later block than the first */

static char *long_file(const char *fault, const char *after, size_t *bytes) {
    char *text = malloc((size_t)BEFORE * 32 + 1024);
    if (!text) exit(1);
    size_t used = 0;
    for (int i = 0; i < BEFORE; i++) used += (size_t)sprintf(text + used, "%d %d %d\n", i, i * 7 % BEFORE, i % 9);
    used += (size_t)sprintf(text + used, "%s\n", fault);
    for (int i = 0; i < BEFORE; i++) used += (size_t)sprintf(text + used, "%s", i % 1000 ? "" : after);
    *bytes = used;
    return text;
}

TEST(a_name_after_many_numbers_is_refused_with_a_hint) {
    size_t bytes;
    char *text = long_file("5 alice 3", "1 2 3\n", &bytes);
    check_refused(text, bytes, NULL, BEFORE + 1, 3, 3, "`ids=string`");
    free(text);
}

TEST(the_first_fault_in_the_file_wins) {
    size_t bytes;
    char *text = long_file("1 2 nan", "oops\n1 99999999999999999999 1\n", &bytes);
    check_refused(text, bytes, NULL, BEFORE + 1, 5, 5, NULL);
    free(text);
}

TEST(a_line_of_a_megabyte_is_refused_where_it_ends) {
    size_t bytes = 3u << 20;
    char *text = malloc(bytes);
    REQUIRE(text != NULL);
    memcpy(text, "1 2\n", 4);
    memset(text + 4, '7', bytes - 4);
    weft_read_params p = reading("edgelist");
    p.ids = WEFT_READ_IDS_INTEGER;
    check_refused(text, bytes, &p, 2, 1, bytes, NULL);
    free(text);
}

/* --- the file system ----------------------------------------------------------- */

static void check_not_opened(const char *path) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = (weft_graph *)ctx;
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EIO);
    CHECK(g == NULL);
    CHECK_HAS(weft_ctx_message(ctx), path);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(what_cannot_be_opened_says_so) {
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    check_not_opened(folder);
    snprintf(path, sizeof path, "%s/missing.txt", folder);
    check_not_opened(path);
    remove_temp(folder);
}

TEST(what_may_not_be_read_says_so) {
    if (geteuid() == 0) SKIP("root may read everything");
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/locked.txt", folder);
    REQUIRE(write_file(path, "0 1\n", 4));
    REQUIRE(chmod(path, 0) == 0);
    check_not_opened(path);
    remove_temp(folder);
}

TEST_MAIN()
