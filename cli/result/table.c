/* Rows for people (aligned, numbers to the right; on a terminal texts are cut so that a row is a line) and as JSON, in
 * one object or one each. */
#include "result/rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COLUMNS = 12, LEAST_TEXT = 16 };

typedef struct view {
    const rows *r;
    size_t head, tail; /* rows shown from the start and from the end */
    size_t columns;    /* shown, from the first */
    size_t width[MOST_COLUMNS];
    cell_text cell;
} view;

static void pad(size_t columns) {
    while (columns--) putchar(' ');
}

/* A name that is too wide loses its middle: names that begin alike differ at the end. */
static void put_text(const char *text, size_t width, size_t capacity) {
    if (width <= capacity) {
        fputs(text, stdout);
        return;
    }
    size_t head = (capacity - 1) / 2, tail = capacity - 1 - head;
    printf("%.*s…%s", (int)cli_text_bytes(text, head), text, text + cli_text_bytes(text, width - tail));
}

/* The widest texts give way until a row fits the terminal, then the last columns; the first two stay. */
static void fit(view *v) {
    size_t line = cli_terminal_columns(STDOUT_FILENO), all = 0;
    for (size_t c = 0; c < v->columns; c++) all += 2 + v->width[c];
    for (; line && all > line; all--) {
        size_t *widest = NULL;
        for (size_t c = 0; c < v->columns; c++)
            if (cell_is_text(v->r, &v->r->columns[c]) && v->width[c] > LEAST_TEXT && (!widest || v->width[c] > *widest))
                widest = &v->width[c];
        if (!widest) break;
        --*widest;
    }
    while (line && all > line && v->columns > 2) all -= 2 + v->width[--v->columns];
}

static bool show_row(view *v, size_t row, bool measure) {
    for (size_t c = 0; c < v->columns; c++) {
        const rows_column *column = &v->r->columns[c];
        if (!cell_print(v->r, column, row, &v->cell)) return false;
        cli_hide_controls(v->cell.text);
        size_t width = cli_text_width(v->cell.text);
        if (measure) {
            if (width > v->width[c]) v->width[c] = width;
            continue;
        }
        bool last = c + 1 == v->columns, left = cell_is_text(v->r, column);
        fputs("  ", stdout);
        if (!left) pad(v->width[c] - width);
        put_text(v->cell.text, width, left ? v->width[c] : width);
        if (left && !last && width < v->width[c]) pad(v->width[c] - width);
    }
    if (!measure) putchar('\n');
    return true;
}

static bool show_rows(view *v, bool measure) {
    size_t from_tail = v->r->count - v->tail;
    for (size_t row = 0; row < v->head; row++)
        if (!show_row(v, row, measure)) return false;
    if (!measure && v->head < from_tail) {
        cli_text buffer;
        printf("  ... %s more ...\n", cli_count(buffer, from_tail - v->head));
    }
    for (size_t row = from_tail; row < v->r->count; row++)
        if (!show_row(v, row, measure)) return false;
    return true;
}

int rows_print(const rows *r, size_t head, size_t tail) {
    view v = {.r = r, .head = head, .tail = tail};
    if (r->count <= head || r->count - head <= tail + 1) { /* leaving one row out would save nothing */
        v.head = r->count;
        v.tail = 0;
    }
    v.columns = r->column_count < MOST_COLUMNS ? r->column_count : MOST_COLUMNS;
    for (size_t c = 0; c < v.columns; c++) v.width[c] = cli_text_width(r->columns[c].name);
    bool fine = show_rows(&v, true);
    fit(&v);
    bool bold = cli_bold_wanted();
    if (bold) fputs("\033[1m", stdout);
    for (size_t c = 0; fine && c < v.columns; c++) {
        bool last = c + 1 == v.columns, left = cell_is_text(r, &r->columns[c]);
        size_t space = v.width[c] - cli_text_width(r->columns[c].name);
        fputs("  ", stdout);
        if (!left) pad(space);
        fputs(r->columns[c].name, stdout);
        if (left && !last) pad(space);
    }
    if (bold) fputs("\033[0m", stdout);
    putchar('\n');
    if (fine) fine = show_rows(&v, false);
    cli_text buffer;
    if (fine && v.columns < r->column_count)
        printf("  (%s more column%s; -o FILE saves all)\n", cli_count(buffer, r->column_count - v.columns),
               cli_s(r->column_count - v.columns));
    free(v.cell.text);
    return fine ? EXIT_DONE : EXIT_MEMORY;
}

static void json_attribute(json *j, const char *key, const rows_column *column, size_t i) {
    switch (cell_attribute_type(column)) {
    case WEFT_ATTRIBUTE_WHOLE: json_i64(j, key, cell_attribute_i64(column, i)); break;
    case WEFT_ATTRIBUTE_REAL: json_f64(j, key, cell_attribute_f64(column, i)); break;
    case WEFT_ATTRIBUTE_BOOL: json_bool(j, key, cell_attribute_bool(column, i)); break;
    case WEFT_ATTRIBUTE_TEXT:
    case WEFT_ATTRIBUTE_TIME: break; /* a text */
    }
}

/* key is NULL inside an array. */
static bool json_cell(json *j, const char *key, const rows *r, const rows_column *column, size_t row,
                      cell_text *scratch) {
    size_t i = rows_index(r, row), at = cell_place(column, i);
    if (cell_is_none(column, i)) {
        json_null(j, key);
    } else if (cell_is_text(r, column)) {
        if (!cell_print(r, column, row, scratch)) return false;
        json_name(j, key, scratch->text, scratch->length);
    } else {
        switch (column->type) {
        case CELL_LEVEL:
        case CELL_U32: json_u64(j, key, ((const uint32_t *)column->data)[at]); break;
        case CELL_U64: json_u64(j, key, ((const uint64_t *)column->data)[at]); break;
        case CELL_I64: json_i64(j, key, ((const int64_t *)column->data)[at]); break;
        case CELL_F32: json_f32(j, key, ((const float *)column->data)[at]); break;
        case CELL_F16:
        case CELL_BF16: json_f16(j, key, cell_real16(column, at)); break;
        case CELL_F64: json_f64(j, key, ((const double *)column->data)[at]); break;
        case CELL_VERTEX: json_i64(j, key, weft_graph_id(r->g, cell_vertex(column, i))); break;
        case CELL_ATTRIBUTE: json_attribute(j, key, column, i); break;
        case CELL_TEXT: break; /* handled above */
        }
    }
    return true;
}

int rows_write_jsonl(FILE *to, const rows *r) {
    cell_text scratch = {NULL, 0, 0};
    int code = EXIT_DONE;
    for (size_t row = 0; row < r->count && !code; row++) {
        if (row % 4096 == 0 && ferror(to)) break; /* the failure is reported when the file is closed */
        code = row % 4096 == 0 && cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : rows_reach(r, row);
        json j;
        json_start_line(&j, to);
        for (size_t c = 0; c < r->column_count && !code; c++)
            if (!json_cell(&j, r->columns[c].name, r, &r->columns[c], row, &scratch)) code = EXIT_MEMORY;
        json_finish(&j);
    }
    free(scratch.text);
    return code;
}

int rows_json(json *j, const char *key, const rows *r) {
    cell_text scratch = {NULL, 0, 0};
    int code = EXIT_DONE;
    json_open_array(j, key, false);
    for (size_t row = 0; row < r->count && !code; row++) {
        if (row % 4096 == 0 && ferror(j->to)) break; /* said when the file is closed */
        code = row % 4096 == 0 && cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : rows_reach(r, row);
        json_open_object(j, NULL, true);
        for (size_t c = 0; c < r->column_count && !code; c++)
            if (!json_cell(j, r->columns[c].name, r, &r->columns[c], row, &scratch)) code = EXIT_MEMORY;
        json_close(j);
    }
    json_close(j);
    free(scratch.text);
    return code;
}

int rows_json_column(json *j, const rows *r, const rows_column *column) {
    cell_text scratch = {NULL, 0, 0};
    rows all = {.g = r->g, .names = r->names, .columns = column, .column_count = 1, .count = column->length};
    int code = EXIT_DONE;
    json_open_array(j, column->name, true);
    for (size_t row = 0; row < all.count && !code; row++) {
        if (row % 4096 == 0 && ferror(j->to)) break;
        if (row % 4096 == 0 && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
        if (!code && !json_cell(j, NULL, &all, column, row, &scratch)) code = EXIT_MEMORY;
    }
    json_close(j);
    free(scratch.text);
    return code;
}
