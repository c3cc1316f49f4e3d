/* Cells as text, and the choice of the largest rows. */
#include "result/rows.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(cell_text *to, size_t bytes) {
    if (bytes <= to->capacity) return true;
    char *grown = realloc(to->text, 2 * bytes + 64);
    if (!grown) {
        cli_fail(EXIT_MEMORY, "out of memory");
        return false;
    }
    to->text = grown;
    to->capacity = 2 * bytes + 64;
    return true;
}

static void put_string(cell_text *to, const char *text) {
    to->length = strlen(text);
    memcpy(to->text, text, to->length + 1);
}

static bool put_name(const weft_graph *g, weft_vid v, cell_text *to) {
    to->length = weft_graph_id_text(g, v, to->text, to->capacity);
    if (to->length < to->capacity) return true;
    if (!make_room(to, to->length + 1)) return false;
    weft_graph_id_text(g, v, to->text, to->capacity);
    return true;
}

static bool put_attribute(const weft_attribute *a, size_t v, cell_text *to) {
    to->length = weft_attribute_text(a, (weft_vid)v, to->text, to->capacity, NULL);
    if (to->length < to->capacity) return true;
    if (!make_room(to, to->length + 1)) return false;
    weft_attribute_text(a, (weft_vid)v, to->text, to->capacity, NULL);
    return true;
}

bool cell_print(const rows *r, const rows_column *column, size_t row, cell_text *to) {
    size_t i = rows_index(r, row);
    const void *data = column->data;
    cli_text buffer;
    if (!make_room(to, sizeof buffer)) return false;
    if (cell_is_none(column, i)) {
        bool empty = i >= column->length || column->type == CELL_TEXT || column->type == CELL_ATTRIBUTE;
        put_string(to, empty ? "" : "-1");
        return true;
    }
    size_t at = cell_place(column, i), length = 0;
    switch (column->type) {
    case CELL_F32: length = wfi_print_f32(to->text, ((const float *)data)[at]); break;
    case CELL_F64: length = wfi_print_f64(to->text, ((const double *)data)[at]); break;
    case CELL_F16:
    case CELL_BF16: put_string(to, cli_real16(buffer, cell_real16(column, at))); return true;
    case CELL_TEXT: {
        const char *text = ((const char *const *)data)[i];
        if (!make_room(to, strlen(text) + 1)) return false;
        put_string(to, text);
        return true;
    }
    case CELL_ATTRIBUTE: return put_attribute(data, i, to);
    case CELL_VERTEX:
        if (r->names) return put_name(r->g, cell_vertex(column, i), to);
        length = wfi_print_i64(to->text, weft_graph_id(r->g, cell_vertex(column, i)));
        break;
    case CELL_I64: length = wfi_print_i64(to->text, ((const int64_t *)data)[at]); break;
    default: length = wfi_print_u64(to->text, (uint64_t)cell_whole(r->g, column, i));
    }
    to->text[to->length = length] = 0;
    return true;
}

bool cell_is_real(const rows_column *c) {
    return c->type == CELL_F32 || c->type == CELL_F64 || c->type == CELL_F16 || c->type == CELL_BF16 ||
           cell_attribute_type(c) == WEFT_ATTRIBUTE_REAL;
}

double cell_real(const rows_column *c, size_t index) {
    size_t at = cell_place(c, index);
    switch (c->type) {
    case CELL_F32: return (double)((const float *)c->data)[at];
    case CELL_F64: return ((const double *)c->data)[at];
    case CELL_ATTRIBUTE: return cell_attribute_f64(c, index);
    default: return (double)cell_real16(c, at);
    }
}

__int128 cell_whole(const weft_graph *g, const rows_column *c, size_t index) {
    size_t at = cell_place(c, index);
    bool truth = cell_attribute_type(c) == WEFT_ATTRIBUTE_BOOL;
    switch (c->type) {
    case CELL_U64: return ((const uint64_t *)c->data)[at];
    case CELL_I64: return ((const int64_t *)c->data)[at];
    case CELL_VERTEX: return weft_graph_id(g, cell_vertex(c, index));
    case CELL_ATTRIBUTE: return truth ? cell_attribute_bool(c, index) : cell_attribute_i64(c, index);
    default: return ((const uint32_t *)c->data)[at];
    }
}

int rows_find(const rows *r, const char *name, size_t length) {
    for (size_t i = 0; i < r->column_count; i++)
        if (strlen(r->columns[i].name) == length && memcmp(r->columns[i].name, name, length) == 0) return (int)i;
    return -1;
}

rows_column rows_column_of(const weft_column *column) {
    cell_type type = column->type == WEFT_U32 && !column->width ? CELL_LEVEL : (cell_type)column->type;
    return (rows_column){.name = column->name,
                         .type = type,
                         .data = column->data,
                         .length = column->length,
                         .matrix = column->width ? column->name : NULL,
                         .result = column->width ? NULL : column->name,
                         .width = column->width};
}

/* --- the largest ---------------------------------------------------------------------- */

int rows_top(weft_ctx *ctx, const rows_column *by, weft_order first, size_t k, weft_vid **order, size_t *count) {
    weft_column column = WEFT_COLUMN_DEFAULTS;
    column.name = by->name;
    column.type = by->type == CELL_LEVEL ? WEFT_U32 : (weft_type)by->type;
    column.length = by->length;
    column.data = by->data;
    column.width = by->width;
    *order = cli_take(k < by->length ? k : by->length, sizeof **order);
    if (!*order) return EXIT_MEMORY;
    weft_status st = weft_top_k(ctx, &column, cell_place(by, 0), first, k, *order, count);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}
