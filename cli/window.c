/* weft convert IN OUT --window date:month: a graph for each month in a column of times.
 * Method: the edges are read with all parallel ones, so that those of different months stay apart; each month's are
 * chosen by a condition on the column, and only then become one by the rules.  Times are of UTC; days are counted in
 * the proleptic Gregorian calendar.  All files are written into a folder beside OUT, and get their names when none can
 * fail any more. */
#include "cli.h"
#include "iso_time.h"
#include "place.h"
#include "result/attributes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum span { YEAR, MONTH, WEEK, DAY, HOUR, SPANS } span;
static const char *const span_words[SPANS] = {"year", "month", "week", "day", "hour"};

enum { MOST_WINDOWS = 100000 };
#define HOUR_US INT64_C(3600000000)
#define DAY_US  (24 * HOUR_US)

typedef struct windows {
    weft_ctx *ctx;
    weft_graph *g;
    const cli_options *options;
    char *column;
    span span;
    int64_t *start; /* of each window, ascending */
    size_t count, capacity;
    uint64_t missing; /* edges without a value */
    const char *out;
    char *folder;    /* beside OUT, for files until all are written; NULL: there is none */
    uint64_t *edges; /* of each window */
} windows;

/* --- the calendar -------------------------------------------------------------------------------- */

typedef struct date {
    int64_t year;
    int month, day;
} date;

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Years begin in March, so that the leap day comes last: 400 years have 146097 days. */
static date date_of(int64_t days) {
    days += 719468; /* from 0000-03-01 to 1970-01-01 */
    int64_t era = floor_div(days, 146097), of_era = days - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int month = (int)((5 * of_year + 2) / 153); /* from March on */
    date d = {era * 400 + year + (month > 9), month < 10 ? month + 3 : month - 9,
              (int)(of_year - (153 * month + 2) / 5 + 1)};
    return d;
}

static int64_t days_of(date d) {
    int64_t year = d.year - (d.month < 3), era = floor_div(year, 400), of_era = year - era * 400;
    int month = d.month < 3 ? d.month + 9 : d.month - 3;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 + d.day - 1 - 719468;
}

/* The start of a time's window, and the start of the next one. */
static int64_t begin_of(span s, int64_t time) {
    int64_t day = floor_div(time, DAY_US);
    date d = date_of(day);
    switch (s) {
    case YEAR: return days_of((date){d.year, 1, 1}) * DAY_US;
    case MONTH: return days_of((date){d.year, d.month, 1}) * DAY_US;
    case WEEK: return (day - (day + 3 - 7 * floor_div(day + 3, 7))) * DAY_US; /* 1970-01-01 was a Thursday */
    case DAY: return day * DAY_US;
    case HOUR:
    case SPANS: break;
    }
    return floor_div(time, HOUR_US) * HOUR_US;
}

static int64_t end_of(span s, int64_t start) {
    date d = date_of(floor_div(start, DAY_US));
    switch (s) {
    case YEAR: return days_of((date){d.year + 1, 1, 1}) * DAY_US;
    case MONTH: return days_of((date){d.year + (d.month == 12), d.month % 12 + 1, 1}) * DAY_US;
    case WEEK: return start + 7 * DAY_US;
    case DAY: return start + DAY_US;
    case HOUR:
    case SPANS: break;
    }
    return start + HOUR_US;
}

/* 2024, 2024-03, 2024-W09, 2024-03-01, 2024-03-01T13. */
static void name_of(span s, int64_t start, char *to, size_t capacity) {
    int64_t day = floor_div(start, DAY_US);
    date d = date_of(day), thursday = date_of(day + 3); /* a week belongs to the year of its Thursday */
    int week = (int)((day + 3 - days_of((date){thursday.year, 1, 1})) / 7) + 1;
    int hour = (int)((start - day * DAY_US) / HOUR_US);
    long long year = (long long)d.year;
    switch (s) {
    case YEAR: snprintf(to, capacity, "%04lld", year); break;
    case MONTH: snprintf(to, capacity, "%04lld-%02d", year, d.month); break;
    case WEEK: snprintf(to, capacity, "%04lld-W%02d", (long long)thursday.year, week); break;
    case DAY: snprintf(to, capacity, "%04lld-%02d-%02d", year, d.month, d.day); break;
    case HOUR: snprintf(to, capacity, "%04lld-%02d-%02dT%02d", year, d.month, d.day, hour); break;
    case SPANS: break;
    }
}

static void time_text(int64_t time, cli_text to) {
    int64_t day = floor_div(time, DAY_US);
    date d = date_of(day);
    snprintf(to, sizeof(cli_text), "%04lld-%02d-%02dT%02d:00:00", (long long)d.year, d.month, d.day,
             (int)((time - day * DAY_US) / HOUR_US));
}

/* --- which there are ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void make_distinct(windows *w) {
    size_t kept = 0;
    if (w->count) qsort(w->start, w->count, sizeof *w->start, compare);
    for (size_t i = 0; i < w->count; i++)
        if (!i || w->start[i] != w->start[i - 1]) w->start[kept++] = w->start[i];
    w->count = kept;
}

static int add(windows *w, int64_t start) {
    if (w->count && w->start[w->count - 1] == start) return EXIT_DONE;
    if (w->count == w->capacity) {
        make_distinct(w);
        if (w->count > MOST_WINDOWS)
            return cli_fail(EXIT_USAGE, "--window: more than %d %ss", MOST_WINDOWS, span_words[w->span]);
    }
    if (w->count * 2 >= w->capacity) {
        size_t capacity = w->capacity ? 2 * w->capacity : 1024;
        int64_t *more = realloc(w->start, capacity * sizeof *more);
        if (!more) return cli_fail(EXIT_MEMORY, "out of memory");
        w->start = more;
        w->capacity = capacity;
    }
    w->start[w->count++] = start;
    return EXIT_DONE;
}

static int look(windows *w, weft_attribute *a) {
    *a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    weft_status st = weft_graph_edge_column(w->ctx, w->g, w->column, a);
    if (st == WEFT_ENOTFOUND) return cli_fail(EXIT_USAGE, "--window: %s", weft_ctx_message(w->ctx));
    return st ? cli_fail_status(w->ctx, st) : EXIT_DONE;
}

static int refuse_type(const windows *w) {
    return cli_fail(EXIT_INPUT, "--window: the column '%s' does not hold times such as 2024-03-01", w->column);
}

/* Parses the column's texts as times of one form, by edge; edges without a text are missing. */
static int read_texts(const windows *w, const weft_attribute *a, int64_t *times, uint8_t *valid, weft_attribute *made) {
    weft_csr out = {.size = sizeof out};
    weft_status st = weft_graph_out(w->ctx, w->g, &out);
    bool directed = weft_graph_directed(w->g), first = true;
    for (weft_vid u = 0; !st && u < out.vertices; u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            char text[64];
            weft_time_form form;
            if (!directed && out.targets[e] < u) continue;
            uint64_t edge = made->count++;
            size_t length = weft_attribute_text(a, e, text, sizeof text, NULL);
            if (!length) continue;
            if (length >= sizeof text || !wfi_time_scan(text, length, &times[edge], &form)) return refuse_type(w);
            if (!first && form != made->form) return refuse_type(w);
            made->form = form;
            first = false;
            valid[edge >> 3] |= (uint8_t)(1u << (edge & 7));
        }
    return st ? cli_fail_status(w->ctx, st) : EXIT_DONE;
}

/* GraphML, GEXF and GML have times only as texts: converts the column to times. */
static int make_times(windows *w, const weft_attribute *a) {
    int64_t *times = cli_take(a->count, sizeof *times);
    uint8_t *valid = times ? cli_take(a->count / 8 + 1, 1) : NULL;
    weft_attribute made = WEFT_ATTRIBUTE_DEFAULTS;
    const weft_attribute *list[] = {&made};
    weft_graph *fresh = NULL;
    made.name = w->column;
    made.type = WEFT_ATTRIBUTE_TIME;
    made.values = times;
    made.valid = valid;
    int code = valid ? read_texts(w, a, times, valid, &made) : EXIT_MEMORY;
    weft_status st = code ? WEFT_OK : weft_graph_with_edge_columns(w->ctx, w->g, list, 1, &fresh);
    if (st) code = cli_fail_status(w->ctx, st);
    if (fresh) {
        weft_graph_free(w->g);
        w->g = fresh;
    }
    free(times);
    free(valid);
    return code;
}

/* The time of an arc with a value; conditions read whole numbers in the same way. */
static int time_of(const windows *w, const weft_attribute *a, uint64_t arc, int64_t *time) {
    int64_t value = *time = ((const int64_t *)a->values)[arc];
    bool whole = a->type == WEFT_ATTRIBUTE_WHOLE;
    if (whole && wfi_is_date_not_unix_time(value))
        return cli_fail(EXIT_INPUT, "--window: the column '%s' holds %lld: " WFI_NO_UNIX_TIME, w->column,
                        (long long)value);
    bool fits = !whole || wfi_time_of_unix(value, time);
    if (fits && *time >= days_of((date){1, 1, 1}) * DAY_US && *time < days_of((date){10000, 1, 1}) * DAY_US)
        return EXIT_DONE;
    return cli_fail(EXIT_INPUT, "--window: the column '%s' has times that are not of the years 1 to 9999", w->column);
}

static int find_windows(windows *w) {
    weft_attribute a;
    int code = look(w, &a);
    if (!code && a.type == WEFT_ATTRIBUTE_TEXT && !(code = make_times(w, &a))) code = look(w, &a);
    if (code) return code;
    if (a.missing == a.count)
        return cli_fail(EXIT_INPUT, "--window: no edge%s has a value in '%s', so there is no %s to write",
                        w->options->edges_where ? " that meets --edges-where" : "", w->column, span_words[w->span]);
    if (a.type != WEFT_ATTRIBUTE_TIME && a.type != WEFT_ATTRIBUTE_WHOLE) return refuse_type(w);
    weft_status st = edge_columns_missing(w->ctx, w->g, &a, &w->missing);
    code = st ? cli_fail_status(w->ctx, st) : EXIT_DONE;
    for (uint64_t e = 0; e < a.count && !code; e++) {
        int64_t time;
        if (a.valid && !(a.valid[e >> 3] >> (e & 7) & 1)) continue;
        code = time_of(w, &a, e, &time);
        if (!code) code = add(w, begin_of(w->span, time));
    }
    if (!code && a.type == WEFT_ATTRIBUTE_WHOLE)
        cli_note(w->options, "--window: the whole numbers in '%s' are taken for Unix times", w->column);
    if (!code) make_distinct(w);
    return code;
}

/* --- writing --------------------------------------------------------------------------------------- */

/* OUT.csv.gz becomes OUT-2024-03.csv.gz, or, while files are written, FOLDER/OUT-2024-03.csv.gz.  To be freed. */
static char *path_of(const windows *w, size_t window, const char *folder) {
    const char *out = w->out, *slash = strrchr(out, '/'), *base = slash ? slash + 1 : out, *dot = strrchr(base, '.');
    if (dot && dot > base && (!strcmp(dot, ".gz") || !strcmp(dot, ".zst")))
        for (const char *p = dot - 1; p > base; p--)
            if (*p == '.') {
                dot = p;
                break;
            }
    if (!dot || dot == base) dot = out + strlen(out);
    if (folder) out = base;
    cli_text name;
    name_of(w->span, w->start[window], name, sizeof name);
    size_t capacity = strlen(w->out) + strlen(name) + (folder ? strlen(folder) : 0) + 3;
    char *path = cli_take(capacity, 1);
    if (path)
        snprintf(path, capacity, "%s%s%.*s-%s%s", folder ? folder : "", folder ? "/" : "", (int)(dot - out), out, name,
                 dot);
    return path;
}

static int open_folder(windows *w) {
    const char *slash = strrchr(w->out, '/');
    size_t length = slash ? (size_t)(slash - w->out) + 1 : 0, bytes = length + sizeof ".weft-XXXXXX";
    char *folder = cli_take(bytes, 1);
    w->edges = cli_take(w->count, sizeof *w->edges);
    if (folder) snprintf(folder, bytes, "%.*s.weft-XXXXXX", (int)length, w->out);
    if (!folder || !w->edges || !mkdtemp(folder)) {
        free(folder);
        return w->edges && folder ? cli_fail(EXIT_INPUT, "cannot make a folder beside %s: %s", w->out, strerror(errno))
                                  : EXIT_MEMORY;
    }
    w->folder = folder;
    return EXIT_DONE;
}

/* Removes the folder with its files. */
static void close_folder(windows *w) {
    for (size_t i = 0; w->folder && i < w->count; i++) {
        char *path = path_of(w, i, w->folder);
        if (path) unlink(path);
        free(path);
    }
    if (w->folder) rmdir(w->folder);
    free(w->folder);
    free(w->edges);
}

/* A message about a file in the folder names the final file instead. */
static int save(windows *w, const weft_graph *part, const char *path) {
    cli_line said;
    cli_fail_into(said, sizeof said);
    int code = cli_save_graph(w->ctx, part, w->options, path);
    cli_fail_into(NULL, 0);
    const char *base = strrchr(w->folder, '/');
    char *found = code ? strstr(said, w->folder) : NULL;
    size_t kept = base ? (size_t)(base - w->folder) + 1 : 0, length = strlen(w->folder) + 1;
    if (found) memmove(found + kept, found + length, strlen(found + length) + 1);
    return code ? cli_fail(code, "%s", said) : EXIT_DONE;
}

static int write_window(windows *w, size_t window, const char *keep) {
    cli_text from, to;
    char condition[512];
    weft_graph *part = NULL;
    weft_read_params rules = WEFT_READ_DEFAULTS;
    weft_build_params build = cli_build_params(w->options);
    rules.keep = keep;
    rules.merge = w->options->merge_rules;
    rules.direction = build.direction;
    rules.duplicates = build.duplicates;
    /* As in weft_read, which keeps parallel edges of a .weft file with columns. */
    bool as_read = !keep && !rules.merge && rules.direction != WEFT_UNDIRECTED;
    if (as_read && rules.duplicates == WEFT_DUPLICATES_DROP) rules.duplicates = WEFT_DUPLICATES_KEEP;
    rules.loops = build.loops;
    int64_t start = w->start[window], end = end_of(w->span, start);
    bool last =
        end >= days_of((date){10000, 1, 1}) * DAY_US; /* conditions cannot express such times, and no data have them */
    time_text(start, from);
    time_text(end, to);
    int used = snprintf(condition, sizeof condition, "`%s` >= %s", w->column, from);
    if (!last) snprintf(condition + used, sizeof condition - (size_t)used, " and `%s` < %s", w->column, to);
    weft_status st = weft_graph_filter_edges(w->ctx, w->g, condition, &rules, &part);
    cli_progress_erase();
    if (st) return cli_fail_status(w->ctx, st);
    char *path = path_of(w, window, w->folder);
    int code = path ? save(w, part, path) : EXIT_MEMORY;
    w->edges[window] = weft_graph_edges(part);
    free(path);
    weft_graph_free(part);
    return code;
}

/* Can the file get its name?  It must be neither the input, nor a folder, nor written in place. */
static int check_name(const windows *w, size_t window, const char *in) {
    char *path = path_of(w, window, NULL);
    int code = path ? cli_check_not_read(w->options, in, path) : EXIT_MEMORY;
    if (!code) code = cli_check_output(NULL, path);
    if (!code && wfi_is_in_place(path)) code = cli_fail(EXIT_USAGE, "%s is not a file", path);
    free(path);
    return code;
}

/* Links are followed, and a replaced file passes on its mode, as everywhere. */
static int give_name(const windows *w, size_t window) {
    char *from = path_of(w, window, w->folder), *path = path_of(w, window, NULL), target[PATH_MAX];
    struct stat before;
    cli_text edges;
    int why = from && path ? wfi_real_target(path, target) : ENOMEM;
    if (!why && !stat(target, &before) && chmod(from, before.st_mode & 07777)) why = errno;
    if (!why && rename(from, target)) why = errno;
    if (!why && !w->options->quiet) {
        cli_put(stdout, "wrote  %s: %s edge%s", path, cli_count(edges, w->edges[window]), cli_s(w->edges[window]));
        putchar('\n');
    }
    int code =
        why ? cli_fail(cli_exit_of_error(why), "cannot write %s: %s", path ? path : w->out, strerror(why)) : EXIT_DONE;
    free(from);
    free(path);
    return code;
}

static int write_windows(windows *w, const char *in, const char *keep) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < w->count && !code; i++) code = check_name(w, i, in);
    if (!code && w->count) code = open_folder(w);
    for (size_t i = 0; i < w->count && !code; i++) code = write_window(w, i, keep);
    for (size_t i = 0; i < w->count && !code; i++) code = give_name(w, i);
    close_folder(w);
    return code;
}

static int read_window(windows *w, const char *text) {
    const char *colon = strrchr(text, ':');
    size_t k = 0, length = colon ? (size_t)(colon - text) : 0;
    while (colon && k < SPANS && strcmp(span_words[k], colon + 1) != 0) k++;
    if (!length || k == SPANS || length > 200 || memchr(text, '`', length))
        return cli_fail(EXIT_USAGE, "--window %s: expected COLUMN:SPAN with year, month, week, day or hour", text);
    w->span = (span)k;
    w->column = cli_take(length + 1, 1);
    if (!w->column) return EXIT_MEMORY;
    memcpy(w->column, text, length);
    w->column[length] = 0;
    return EXIT_DONE;
}

static int check(const cli_call *call, const char *in, const char *out) {
    const cli_options *o = &call->options;
    if (!out || cli_is_stdout(out))
        return cli_fail(EXIT_USAGE, "--window writes files: weft convert IN OUT --window ...");
    if (call->operand_count == 2 && o->output)
        return cli_fail(EXIT_USAGE, "weft convert has one name for the files, but there are two: %s and -o %s",
                        call->operands[1], o->output);
    if (o->json) return cli_fail(EXIT_USAGE, "--json cannot describe the files of --window");
    if (o->weight_from || o->no_attributes)
        return cli_fail(EXIT_USAGE, "--window cannot be combined with --weight-from or --no-attributes");
    int code = cli_check_not_read(o, in, out);
    return code ? code : cli_check_target(o, o->output ? "-o" : NULL, out);
}

static bool lists(const char *names, const char *name) {
    for (const char *p = names; p && *p;) {
        size_t length = strcspn(p, ",");
        if (length == strlen(name) && !memcmp(p, name, length)) return true;
        p += length + (p[length] != 0);
    }
    return false;
}

int cli_windows(cli_call *call) {
    cli_options *o = &call->options;
    const char *in = call->operands[0], *out = call->operand_count == 2 ? call->operands[1] : o->output;
    windows w = {.options = o, .out = out};
    const char *kept = o->keep && *o->keep ? o->keep : NULL;
    char *keep = NULL;
    int code = check(call, in, out);
    if (!code) code = read_window(&w, o->window);
    bool all = !o->keep && !strcmp(cli_format_of_path(in), "weft"); /* columns of such a file stay */
    if (!code && !all) {
        size_t bytes = strlen(w.column) + (kept ? strlen(kept) : 0) + 2;
        keep = cli_take(bytes, 1);
        if (!keep) code = EXIT_MEMORY;
        if (keep) snprintf(keep, bytes, "%s%s%s", kept ? kept : "", kept ? "," : "", w.column);
    }
    o->keep = keep;
    o->all_edges = true;
    if (!code) code = cli_open(o, &w.ctx);
    if (!code) code = cli_load(w.ctx, o, in, &w.g);
    if (!code) code = find_windows(&w);
    if (!code) code = write_windows(&w, in, all ? NULL : kept ? kept : "");
    cli_text count;
    if (!code && w.count && !all && !lists(kept, w.column)) /* the reader's note names the kept column */
        cli_note(o, "'%s' selects the windows, and is not written (--keep %s writes it)", w.column, w.column);
    if (!code && w.missing)
        cli_note(o, "%s edge%s without a value in '%s' %s in no file", cli_count(count, w.missing), cli_s(w.missing),
                 w.column, w.missing == 1 ? "is" : "are");
    weft_graph_free(w.g);
    weft_ctx_free(w.ctx);
    free(w.start);
    free(w.column);
    free(keep);
    return code;
}
