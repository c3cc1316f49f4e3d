/* Tables of thousands of columns: what their names say is found in time linear in their number, and can be stopped. */
#include "support.h"

#include "io/table/columns.h"

#include <sys/resource.h>

enum { MANY = 100000, NAME = 16 };

/* Columns that are called as `form` says of their number. */
static wfi_column *make_columns(char (*names)[NAME], void (*form)(char *, int)) {
    wfi_column *columns = calloc(MANY, sizeof *columns);
    for (int i = 0; columns && i < MANY; i++) {
        form(names[i], i);
        columns[i] = (wfi_column){.name = names[i], .name_length = strlen(names[i])};
    }
    return columns;
}

static void plain_name(char *name, int i) { snprintf(name, NAME, "c%d", i); }
static void last_are_kinds(char *name, int i) {
    snprintf(name, NAME, i == MANY - 2 ? "movie_id" : i == MANY - 1 ? "user_id" : "c%d", i);
}
static void kinds_twice(char *name, int i) { snprintf(name, NAME, i < 2 ? "movie" : i == 9 ? "User ID" : "c%d", i); }
static void one_pair(char *name, int i) {
    snprintf(name, NAME, i == 5 ? "to_station" : i == MANY - 1 ? "from_station" : i == 7 ? "from_city" : "c%d", i);
}
static void two_pairs(char *name, int i) {
    snprintf(name, NAME, i == 5 ? "to_station" : i == MANY - 1 || i == 8 ? "from_station" : "c%d", i);
}

/* All pairs of so many names would take minutes of the processor. */
TEST(names_of_many_columns_are_looked_at_once) {
    static const struct {
        void (*form)(char *, int);
        bool ends;
    } cases[] = {
        {plain_name, false}, {last_are_kinds, true}, {kinds_twice, false}, {one_pair, true}, {two_pairs, false}};
    struct rlimit before, limit;
    struct rusage used;
    CHECK(!getrlimit(RLIMIT_CPU, &before) && !getrusage(RUSAGE_SELF, &used));
    limit = before;
    limit.rlim_cur = (rlim_t)used.ru_utime.tv_sec + 100;
    if (before.rlim_max == RLIM_INFINITY || limit.rlim_cur < before.rlim_max) setrlimit(RLIMIT_CPU, &limit);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char(*names)[NAME] = malloc(MANY * sizeof *names);
        REQUIRE(names);
        wfi_column *columns = make_columns(names, cases[i].form);
        REQUIRE(columns);
        if (wfi_names_ends(columns, MANY) != cases[i].ends) HARNESS_FAIL("case %zu", i);
        free(columns);
        free(names);
    }
    setrlimit(RLIMIT_CPU, &before);
}

static int count_polls(void *user) {
    ++*(int *)user;
    return 0;
}

/* The number of times that reading a table with so many columns, called x0q_1, x1q_1, ..., asks if it shall stop. */
static int polls_of(int columns, const char *last, char *message, size_t room) {
    char *text = malloc((size_t)columns * 24 + 64);
    int polls = 0;
    size_t used = 0;
    weft_graph *g = NULL;
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_ctx_set_cancel(ctx, count_polls, &polls);
    p.header = WEFT_HEADER_YES;
    p.separator = ',';
    for (int i = 0; text && i < columns; i++) used += (size_t)sprintf(text + used, "%sx%dq_1", i ? "," : "", i);
    if (text) used += (size_t)sprintf(text + used, ",%s\n", last);
    for (int i = 0; text && i < columns; i++) used += (size_t)sprintf(text + used, "%d,", i);
    if (text) used += (size_t)sprintf(text + used, "7\n");
    weft_status st = text ? weft_read_memory(ctx, text, used, "text", &p, &g) : WEFT_ENOMEM;
    snprintf(message, room, "%s", st ? weft_ctx_message(ctx) : "");
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(text);
    return polls;
}

TEST(reading_the_names_can_be_stopped) {
    char message[512];
    int few = polls_of(3, "x1q_2", message, sizeof message), many = polls_of(4000, "x1q_2", message, sizeof message);
    CHECK(!*message); /* x1q_1 and x1q_2 are the ends */
    if (many < few + 4) HARNESS_FAIL("%d polls of 4,000 columns, %d of 3", many, few);
    polls_of(4000, "y_2", message, sizeof message);
    CHECK_HAS(message, "no column name identifies the ends of the edges");
}

TEST_MAIN()
