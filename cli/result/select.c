/* Selection and order of rows by flags.  --where leaves rows out; --top, --bottom and --by select from the rest; --sort
 * orders the selected rows; --head cuts.  Ties go by row.  Empty cells come last, in either direction. */
#include "result/select.h"
#include "result/graph_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 16 };

const char *select_flag(const cli_options *o) {
    return o->where                     ? "--where"
           : o->sort                    ? "--sort"
           : o->by                      ? "--by"
           : o->top != CLI_NOT_GIVEN    ? "--top"
           : o->bottom != CLI_NOT_GIVEN ? "--bottom"
           : o->head != CLI_NOT_GIVEN   ? "--head"
                                        : NULL;
}

bool select_is_asked(const cli_options *o) {
    return o->where || o->sort || o->bottom != CLI_NOT_GIVEN || o->head != CLI_NOT_GIVEN;
}

/* --- order ---------------------------------------------------------------------------------------- */

typedef struct sort_key {
    const rows_column *column;
    bool smallest_first;
} sort_key;

typedef struct sorting {
    const rows *r;
    sort_key key[MOST_KEYS];
    size_t count;
} sorting;

static bool is_empty(const rows_column *c, size_t row) {
    return cell_is_none(c, row) || (cell_is_real(c) && !isfinite(cell_real(c, row)));
}

#define THREE_WAY(x, y) (((x) > (y)) - ((x) < (y)))

static int compare_texts(const rows_column *c, size_t a, size_t b) {
    size_t m, n;
    if (c->type == CELL_TEXT) return strcmp(((const char *const *)c->data)[a], ((const char *const *)c->data)[b]);
    const char *x = cell_attribute_text(c, a, &m), *y = cell_attribute_text(c, b, &n);
    int order = memcmp(x, y, m < n ? m : n);
    return order ? order : THREE_WAY(m, n);
}

static int compare_values(const rows *r, const rows_column *c, size_t a, size_t b) {
    if (cell_is_real(c)) {
        double x = cell_real(c, a), y = cell_real(c, b);
        return THREE_WAY(x, y);
    }
    if (c->type == CELL_TEXT || cell_attribute_type(c) == WEFT_ATTRIBUTE_TEXT) return compare_texts(c, a, b);
    if (c->type == CELL_VERTEX && r->names) /* names are numbered in the order of their bytes */
        return THREE_WAY(cell_vertex(c, a), cell_vertex(c, b));
    __int128 x = cell_whole(r->g, c, a), y = cell_whole(r->g, c, b);
    return THREE_WAY(x, y);
}

static int compare_rows(const void *x, const void *y, void *with) {
    const sorting *s = with;
    weft_vid a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    for (size_t k = 0; k < s->count; k++) {
        const sort_key *key = &s->key[k];
        bool no_a = is_empty(key->column, a), no_b = is_empty(key->column, b);
        if (no_a != no_b) return no_a ? 1 : -1;
        int order = no_a ? 0 : compare_values(s->r, key->column, a, b);
        if (order) return key->smallest_first ? order : -order;
    }
    return THREE_WAY(a, b);
}

const char *select_columns(const rows *r, size_t first, select_names list) {
    size_t used = 0;
    *list = 0;
    for (size_t i = first; i < r->column_count; i++) {
        size_t length = strlen(r->columns[i].name), left = sizeof(select_names) - used;
        if (length + 2 + sizeof ", ..." > left) return strcpy(list + used, used ? ", ..." : "..."), list;
        used += (size_t)snprintf(list + used, left, "%s%s", used ? ", " : "", r->columns[i].name);
    }
    return list;
}

int select_no_column(const rows *r, size_t first, const char *whose, const char *wanted) {
    cli_nearest nearest = {wanted, NULL, 0};
    select_names list;
    for (size_t i = first; i < r->column_count; i++) cli_nearest_try(&nearest, r->columns[i].name);
    if (nearest.best)
        return cli_fail(EXIT_USAGE, "%s has no column '%s'; did you mean %s?", whose, wanted, nearest.best);
    return cli_fail(EXIT_USAGE, "%s has no column '%s'; it has %s", whose, wanted, select_columns(r, first, list));
}

static const rows_column *find_column(const rows *r, const char *whose, const char *name, size_t length, int *code) {
    char wanted[128];
    int at = rows_find(r, name, length);
    if (at >= 0) return &r->columns[at];
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    *code = select_no_column(r, 0, whose, wanted);
    return NULL;
}

/* "rank:desc,id": numbers descend and texts ascend where nothing is said. */
static int read_keys(const char *text, const char *whose, sorting *s) {
    int code = EXIT_DONE;
    while (*text && !code) {
        size_t length = strcspn(text, ","), name = length;
        const char *colon = memchr(text, ':', length), *way = colon ? colon + 1 : "";
        size_t way_length = colon ? length - (size_t)(way - text) : 0;
        bool asc = way_length == 3 && strncmp(way, "asc", 3) == 0,
             desc = way_length == 4 && strncmp(way, "desc", 4) == 0;
        if (colon) name = (size_t)(colon - text);
        if (s->count == MOST_KEYS) return cli_fail(EXIT_USAGE, "--sort takes at most %d columns", MOST_KEYS);
        if (colon && !asc && !desc)
            return cli_fail(EXIT_USAGE, "--sort: a column is followed by :asc or :desc, not '%.*s'",
                            (int)(length - name), colon);
        const rows_column *column = find_column(s->r, whose, text, name, &code);
        if (column)
            s->key[s->count++] =
                (sort_key){column, asc || (!desc && (cell_is_text(s->r, column) || column->type == CELL_VERTEX))};
        text += length + (text[length] == ',');
    }
    return !code && !s->count ? cli_fail(EXIT_USAGE, "--sort names no column") : code;
}

/* --- rows ------------------------------------------------------------------------------------------- */

static int meet_where(const char *text, const rows *r, weft_vid *order, size_t *count) {
    where *w = NULL;
    int code = where_read(text, r, &w);
    size_t kept = 0;
    for (size_t row = 0; row < *count && !code; row++) {
        if (row % 4096 == 0 && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
        int holds = where_holds(w, order[row]);
        if (holds < 0) code = EXIT_MEMORY;
        if (holds > 0) order[kept++] = order[row];
    }
    where_free(w);
    *count = kept;
    return code;
}

static void cut(size_t *count, uint64_t limit) {
    if (limit < *count) *count = (size_t)limit;
}

static int choose(const cli_options *o, const char *whose, const select_standard *standard, const rows *r,
                  weft_vid *order, size_t *count) {
    int code = EXIT_DONE;
    sorting s = {.r = r};
    bool counted = o->top != CLI_NOT_GIVEN || o->bottom != CLI_NOT_GIVEN;
    const rows_column *by = o->by ? find_column(r, whose, o->by, strlen(o->by), &code) : standard->by;
    if (code) return code;
    if (by && (counted || o->by || !(o->sort || o->head != CLI_NOT_GIVEN || standard->limit == SIZE_MAX))) {
        bool bottom = o->bottom != CLI_NOT_GIVEN;
        s.key[s.count++] = (sort_key){by, bottom != (standard->smallest_first && by == standard->by)};
        qsort_r(order, *count, sizeof *order, compare_rows, &s);
    }
    cut(count, o->bottom != CLI_NOT_GIVEN ? o->bottom : o->top);
    s.count = 0;
    if (o->sort) {
        code = read_keys(o->sort, whose, &s);
        if (!code) qsort_r(order, *count, sizeof *order, compare_rows, &s);
    }
    cut(count, o->head != CLI_NOT_GIVEN ? o->head : counted ? UINT64_MAX : standard->limit);
    return code;
}

int select_rows(const cli_options *options, const char *whose, const select_standard *standard, rows *r,
                weft_vid **order, size_t *met) {
    rows all = *r;
    size_t count = r->count;
    all.order = NULL;
    if (count >= WEFT_NO_VERTEX)
        return cli_fail(EXIT_USAGE, "%s: more than %u rows are saved with -o, but not chosen from or sorted", whose,
                        WEFT_NO_VERTEX - 1);
    *order = cli_take(count, sizeof **order);
    if (!*order) return EXIT_MEMORY;
    for (size_t i = 0; i < count; i++) (*order)[i] = (weft_vid)i;
    int code = options->where ? meet_where(options->where, &all, *order, &count) : EXIT_DONE;
    *met = count;
    if (!code) code = choose(options, whose, standard, &all, *order, &count);
    r->order = *order;
    r->count = count;
    return code;
}

/* --- labels ------------------------------------------------------------------------------------------- */

int select_check(const cli_options *options) {
    if (options->table && (options->labels || options->label))
        return cli_fail(EXIT_USAGE, "--label%s is about vertices, and --table shows none", options->labels ? "s" : "");
    if (options->no_formulas && !graph_out_wanted(options)) {
        rows_format format = ROWS_JSON;
        if (options->output && rows_format_of_path(options->output, false, &format)) return EXIT_USAGE;
        if (format != ROWS_CSV && format != ROWS_TSV)
            return cli_fail(EXIT_USAGE, "--no-formulas is for tables: -o FILE.csv or .tsv");
    }
    char *path = options->labels ? vertex_table_file(options->labels) : NULL;
    if (options->labels && !path) return EXIT_MEMORY;
    int code = cli_check_not_input(path, options->output);
    if (!code) code = cli_check_not_input(path, options->sizes_file);
    free(path);
    return code;
}

/* A text called label or name that each vertex has, and no two the same: *found says whether there is one. */
static int find_telling(weft_ctx *ctx, const weft_graph *g, weft_attribute *found) {
    static const char *const names[] = {"label", "name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
        if (weft_graph_attribute(ctx, g, names[i], &a) || a.type != WEFT_ATTRIBUTE_TEXT || a.missing || !a.count)
            continue;
        uint8_t *seen = cli_take((size_t)a.text_count, 1);
        if (!seen) return EXIT_MEMORY;
        const uint32_t *text = a.values;
        uint64_t v = 0;
        while (v < a.count && !seen[text[v]]++) v++;
        free(seen);
        if (v < a.count) continue;
        *found = a;
        return EXIT_DONE;
    }
    found->values = NULL;
    return EXIT_DONE;
}

/* The values of an attribute as texts, after the list of them in one block; NULL where there is none. */
static int take_attribute(const weft_attribute *a, select_labels *l) {
    size_t n = (size_t)a->count, bytes = n * sizeof *l->texts;
    for (weft_vid v = 0; v < n; v++) bytes += weft_attribute_text(a, v, NULL, 0, NULL) + 1;
    if (!(l->texts = cli_take(bytes, 1))) return EXIT_MEMORY;
    char *to = (char *)(l->texts + n);
    for (weft_vid v = 0; v < n; v++) {
        int missing;
        size_t length = weft_attribute_text(a, v, to, bytes, &missing);
        l->texts[v] = missing ? NULL : to;
        to += length + 1;
    }
    l->column = (rows_column){.name = a->name, .type = CELL_TEXT, .data = l->texts, .length = n};
    return EXIT_DONE;
}

static int open_attribute(weft_ctx *ctx, const cli_options *options, const weft_graph *g, select_labels *l) {
    weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
    l->by_itself = !options->label;
    if (options->label) {
        weft_status st = weft_graph_attribute(ctx, g, options->label, &a);
        if (st) return cli_fail_status(ctx, st);
        return take_attribute(&a, l);
    }
    int code = find_telling(ctx, g, &a);
    return code || !a.values ? code : take_attribute(&a, l);
}

int select_labels_open(weft_ctx *ctx, const cli_options *options, const weft_graph *g, bool screen, select_labels *l) {
    if (!options->labels && (options->label || screen)) return open_attribute(ctx, options, g, l);
    if (!options->labels) return EXIT_DONE;
    const char *name = vertex_table_column_name(options->labels);
    bool number = name && *name && strspn(name, "0123456789") == strlen(name);
    char *path = vertex_table_file(options->labels);
    size_t column = 0;
    int code = path ? vertex_table_open(ctx, g, path, name && !number, &l->table) : EXIT_MEMORY;
    const vertex_table *t = &l->table;
    if (!code && name) code = vertex_table_find(t, name, &column);
    if (!code && !name) column = t->id_column == 0;
    if (!code && column >= t->columns) code = cli_fail(EXIT_INPUT, "%s has no column beside the ids", path);
    if (!code && !(l->texts = vertex_table_texts(t, g, column))) code = EXIT_MEMORY;
    if (!code && t->strangers)
        cli_note(options, "%s: %zu row%s of vertices that the graph does not have passed over", path, t->strangers,
                 cli_s(t->strangers));
    if (!code)
        l->column = (rows_column){.name = t->header && *t->fields[column] ? t->fields[column] : "label",
                                  .type = CELL_TEXT,
                                  .data = l->texts,
                                  .length = weft_graph_vertices(g)};
    l->table.path = ""; /* of use only while it is read */
    free(path);
    return code;
}

void select_labels_close(select_labels *l) {
    free(l->texts);
    vertex_table_close(&l->table);
    *l = (select_labels){0};
}
