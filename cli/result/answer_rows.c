/* The rows of an answer: columns of vertices and of tables in the form for the writers, and the selection by flags. */
#include "result/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STANDARD_TOP = 10 };

bool answer_lists(const weft_algorithm_info *algorithm) {
    for (size_t i = 0; i < algorithm->result_count; i++) {
        weft_shape shape = weft_algorithm_result_at(algorithm, i)->shape;
        if (shape == WEFT_SHAPE_VERTICES || shape == WEFT_SHAPE_EDGES) return false;
    }
    return !algorithm->verdict;
}

/* The shape of the main rows: edges, if the algorithm has values for edges and they were requested. */
static weft_shape shown_shape(const answer *a) {
    if (answer_lists(a->call->algorithm)) return WEFT_SHAPE_TABLE;
    for (size_t i = 0; i < weft_result_column_count(a->result); i++)
        if (weft_result_column_at(a->result, i)->shape == WEFT_SHAPE_EDGES) return WEFT_SHAPE_EDGES;
    return WEFT_SHAPE_VERTICES;
}

/* The first column after the id and the label, or after source and target; any column of a list. */
static size_t first_value(const answer *a) {
    weft_shape shape = shown_shape(a);
    return shape == WEFT_SHAPE_TABLE ? 0 : a->labels.texts || shape == WEFT_SHAPE_EDGES ? 2 : 1;
}

/* The result's column with this name, which an attribute may have, too. */
static bool is_called(const rows_column *column, const char *name) {
    if (column->type == CELL_ATTRIBUTE) return false;
    return strcmp(column->name, name) == 0 || (column->result && strcmp(column->result, name) == 0);
}

/* The algorithm's main result, or else the first.  NULL: there is none. */
static const rows_column *standard_column(const answer *a, size_t first) {
    size_t count = join_left_out(&a->main).column_count;
    for (size_t i = first; i < count; i++)
        if (is_called(&a->main_columns[i], a->call->algorithm->top_by)) return &a->main_columns[i];
    return count > first ? &a->main_columns[first] : NULL;
}

static const rows_column *sorting_column(const answer *a, int *code) {
    const char *asked = a->call->options.by;
    size_t first = first_value(a);
    if (!asked) return standard_column(a, first);
    for (size_t i = first; i < a->main.column_count; i++)
        if (strcmp(a->main_columns[i].name, asked) == 0) return &a->main_columns[i];
    *code = select_no_column(&a->main, first, a->call->name, asked);
    return NULL;
}

/* Is it a rank in an order, so that a list begins with the smallest? */
static bool is_order(const answer *a, const rows_column *column) {
    const char *ordinal = a->call->algorithm->ordinal;
    return ordinal && is_called(column, ordinal);
}

static size_t standard_limit(const cli_options *options) {
    return options->json || options->output ? SIZE_MAX : STANDARD_TOP;
}

static size_t limit_of(const cli_options *options) {
    return options->top != CLI_NOT_GIVEN ? (size_t)options->top : standard_limit(options);
}

answer_choice answer_chooses(const answer *a) {
    const cli_options *o = &a->call->options;
    const char *ordinal = a->call->algorithm->ordinal;
    size_t columns = 0;
    bool in_order = o->by != NULL;
    for (size_t i = 0; i < weft_result_column_count(a->result); i++) {
        const weft_column *c = weft_result_column_at(a->result, i);
        if (c->shape != WEFT_SHAPE_VERTICES) continue;
        columns += c->width ? c->width : 1;
        in_order = in_order || (ordinal && strcmp(c->name, ordinal) == 0);
    }
    if (!columns || o->table) return CHOOSES_NONE;
    if (o->where || o->bottom != CLI_NOT_GIVEN || o->head != CLI_NOT_GIVEN || limit_of(o) != SIZE_MAX)
        return CHOOSES_SOME;
    return o->sort || o->by || (in_order && columns == 1) ? CHOOSES_ORDER : CHOOSES_ALL;
}

/* Is the parameter set to a value other than no? */
static bool is_on(const answer *a, const weft_param_info *p, size_t i) {
    int value = 0;
    if (p->type == WEFT_PARAM_BOOL) memcpy(&value, (const char *)a->call->params + p->offset, sizeof value);
    return value || answer_words(a)[i];
}

/* The largest number of rows of a vertex in a list; 0: no limit, also where another parameter makes the limit
 * meaningless ("per-vertex edges,pairs" of `excludes`). */
static uint64_t rows_each(const answer *a) {
    const weft_algorithm_info *algorithm = a->call->algorithm;
    const char *each = algorithm->rows_each, *excluding = each ? algorithm->excludes : NULL;
    uint64_t most = 0;
    while (excluding && (strncmp(excluding, each, strlen(each)) != 0 || excluding[strlen(each)] != ' '))
        excluding = strchr(excluding, '|') ? strchr(excluding, '|') + 1 : NULL;
    for (size_t i = 0; each && i < algorithm->param_count; i++) {
        const weft_param_info *p = weft_algorithm_param_at(algorithm, i);
        const char *named = excluding ? strstr(excluding, p->name) : NULL;
        if (named && named < excluding + strcspn(excluding, "|") && is_on(a, p, i)) return 0;
        if (!strcmp(p->name, each)) memcpy(&most, (const char *)a->call->params + p->offset, sizeof most);
    }
    return most;
}

/* The default order of a list is its own, unless a flag asks for the largest. */
static int choose_listed(answer *a, const cli_options *options, const rows_column *by) {
    bool counted = options->top != CLI_NOT_GIVEN || options->bottom != CLI_NOT_GIVEN;
    const select_standard standard = {counted ? by : NULL, false, standard_limit(options)};
    uint64_t each = rows_each(a), top = options->top == CLI_NOT_GIVEN ? 0 : options->top;
    if (each && each < weft_graph_vertices(a->g) && top > each)
        cli_note(options, "--top %" PRIu64 ": %s has at most %" PRIu64 " row%s for each %s; --%s %" PRIu64 " has more",
                 top, a->call->name, each, cli_s(each), a->main_columns->name, a->call->algorithm->rows_each, top);
    if (!select_is_asked(options) && !options->by && !counted && standard.limit == SIZE_MAX) return EXIT_DONE;
    return select_rows(options, a->call->name, &standard, &a->main, &a->order, &a->met);
}

static int choose_rows(answer *a, const cli_options *options) {
    int code = EXIT_DONE;
    const rows_column *by = sorting_column(a, &code);
    if (code || !by) return code; /* there is no column of vertices or edges */
    a->main.count = a->met = a->main_columns->length;
    if (shown_shape(a) == WEFT_SHAPE_TABLE) return choose_listed(a, options, by);
    if (select_is_asked(options) || by->type == CELL_ATTRIBUTE) {
        select_standard standard = {by, is_order(a, by), standard_limit(options)};
        return select_rows(options, a->call->name, &standard, &a->main, &a->order, &a->met);
    }
    size_t limit = limit_of(options);
    bool in_order =
        options->by || (join_left_out(&a->main).column_count == first_value(a) + 1 && is_order(a, by)); /* alone */
    if (limit == SIZE_MAX && !in_order) return EXIT_DONE; /* everything, in the order of vertices or edges */
    weft_order first = is_order(a, by) ? WEFT_SMALLEST_FIRST : WEFT_LARGEST_FIRST;
    code = rows_top(a->ctx, by, first, limit, &a->order, &a->main.count);
    a->main.order = a->order;
    return code;
}

/* The first rows of a table, unless a flag says otherwise. */
static int choose_table_rows(answer *a) {
    const cli_options *options = &a->call->options;
    const select_standard standard = {NULL, false, SIZE_MAX};
    if (select_is_asked(options) || options->by)
        return select_rows(options, a->call->name, &standard, &a->table, &a->order, &a->met);
    if (options->top < a->table.count) a->table.count = (size_t)options->top;
    return EXIT_DONE;
}

/* The number of columns, those of matrices one by one, and the length of the longest name. */
static size_t count_columns(const answer *a, size_t *longest_name) {
    size_t total = 0;
    *longest_name = 0;
    for (size_t i = 0; i < weft_result_column_count(a->result); i++) {
        const weft_column *column = weft_result_column_at(a->result, i);
        size_t name = join_room(a->call->name, column->name) + sizeof "18446744073709551615";
        total += column->width ? column->width : 1;
        if (name > *longest_name) *longest_name = name;
    }
    return total;
}

/* Names the columns of a matrix f: f0, f1, ...  Names are in a->names, at the index of their column. */
static void add_columns(answer *a, const weft_column *column, size_t name_room) {
    const weft_algorithm_info *algorithm = a->call->algorithm;
    size_t parts = column->width ? column->width : 1;
    for (size_t part = 0; part < parts; part++) {
        rows_column *to = &a->main_columns[a->main.column_count];
        char *name = a->names + a->main.column_count * name_room, plain[128];
        *to = rows_column_of(column);
        if (column->width)
            snprintf(plain, sizeof plain, "%s%zu", column->name, part);
        else
            snprintf(plain, sizeof plain, "%s", column->name);
        join_name(&a->joined, &a->call->options, a->call->name, plain, name, name_room);
        to->name = name;
        to->part = part;
        to->groups = algorithm->groups && strcmp(column->name, algorithm->groups) == 0;
        a->main.column_count++;
    }
}

/* A label for each vertex on this rank. */
static int add_labels(answer *a) {
    rows_column *to = &a->main_columns[a->main.column_count++];
    *to = a->labels.column;
    if (!a->own) return EXIT_DONE;
    a->own_labels = cli_take(a->own_count + 1, sizeof *a->own_labels);
    if (!a->own_labels) return EXIT_MEMORY;
    for (size_t i = 0; i < a->own_count; i++) a->own_labels[i] = a->labels.texts[a->own[i]];
    to->data = a->own_labels;
    to->length = a->own_count;
    return EXIT_DONE;
}

int answer_rows(answer *a, const cli_options *options) {
    int code = EXIT_DONE;
    size_t table_length = 0, name_room, total = count_columns(a, &name_room);
    if (shown_shape(a) == WEFT_SHAPE_VERTICES && a->way == ROWS_HERE)
        code = join_open(a->ctx, options, a->g, &a->labels, &a->joined);
    if (code) return code;
    a->main_columns = cli_take(total + 2 + a->joined.count, sizeof *a->main_columns);
    a->table_columns = cli_take(total + 1, sizeof *a->table_columns);
    a->names = cli_take(total + 2, name_room ? name_room : 1);
    if (!a->main_columns || !a->table_columns || !a->names) return EXIT_MEMORY;
    bool names = cli_ids_are_names(a->g);
    weft_shape shown = shown_shape(a);
    if (shown != WEFT_SHAPE_VERTICES && a->labels.texts)
        return cli_fail(EXIT_USAGE, "--label%s is about vertices, and the rows are %s",
                        a->call->options.labels ? "s" : "", shown == WEFT_SHAPE_EDGES ? "edges" : "a list");
    size_t here = a->own ? a->own_count : weft_graph_vertices(a->g);
    a->main = (rows){.g = a->g, .names = names, .columns = a->main_columns};
    a->table = (rows){.g = a->g, .names = names, .columns = a->table_columns};
    for (size_t i = 0; i < weft_result_column_count(a->result); i++) {
        const weft_column *column = weft_result_column_at(a->result, i);
        if (column->shape == shown) {
            if (!a->main.column_count && shown == WEFT_SHAPE_VERTICES)
                a->main_columns[a->main.column_count++] =
                    (rows_column){.name = "id", .type = CELL_VERTEX, .data = a->own, .length = here};
            if (a->main.column_count == 1 && a->labels.texts) code = add_labels(a);
            if (code) return code;
            add_columns(a, column, name_room);
        } else if (column->shape == WEFT_SHAPE_TABLE) {
            a->table_columns[a->table.column_count++] = rows_column_of(column);
            if (column->length > table_length) table_length = column->length;
        }
    }
    if (a->main.column_count) {
        join_columns(&a->joined, &a->main_columns[a->main.column_count]);
        a->main.column_count += a->joined.count;
    }
    a->table.count = table_length;
    if (a->call->options.table && !a->table.column_count)
        return cli_fail(EXIT_USAGE,
                        answer_lists(a->call->algorithm) ? "the rows of %s are its table: leave out --table"
                                                         : "%s has no table to show",
                        a->call->name);
    if (a->way == ROWS_PASSING) code = cli_ranks_first_rows(a);
    if (!code) code = options->table ? choose_table_rows(a) : choose_rows(a, options);
    if (a->way == ROWS_CHOSEN && a->met_by_all) a->met = a->met_by_all;
    return code;
}

void answer_forget_rows(answer *a) {
    free(a->order);
    free(a->names);
    free(a->main_columns);
    free(a->table_columns);
    free(a->own_labels);
    join_close(&a->joined);
    a->order = NULL;
    a->names = NULL;
    a->main_columns = a->table_columns = NULL;
    a->own_labels = NULL;
    a->main = a->table = (rows){0};
}
