/* Cells as text, and the choice of the largest rows. */
#include "result/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(cell_text *to, size_t bytes) {
    if (bytes <= to->room) return true;
    char *grown = realloc(to->text, 2 * bytes + 64);
    if (!grown) {
        cli_fail(EXIT_MEMORY, "out of memory");
        return false;
    }
    to->text = grown;
    to->room = 2 * bytes + 64;
    return true;
}

/* Results may have hundreds of millions of rows, and printf is slower than the disk. */
static void put_number(cell_text *to, uint64_t magnitude, bool negative) {
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude);
    if (negative) digits[--at] = '-';
    to->length = sizeof digits - at;
    memcpy(to->text, digits + at, to->length);
    to->text[to->length] = 0;
}

static void put_i64(cell_text *to, int64_t x) { put_number(to, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, x < 0); }

static void put_string(cell_text *to, const char *text) {
    to->length = strlen(text);
    memcpy(to->text, text, to->length + 1);
}

static bool put_name(const weft_graph *g, weft_vid v, cell_text *to) {
    to->length = weft_graph_id_text(g, v, to->text, to->room);
    if (to->length < to->room) return true;
    if (!make_room(to, to->length + 1)) return false;
    weft_graph_id_text(g, v, to->text, to->room);
    return true;
}

static bool put_attribute(const weft_attribute *a, size_t v, cell_text *to) {
    to->length = weft_attribute_text(a, (weft_vid)v, to->text, to->room, NULL);
    if (to->length < to->room) return true;
    if (!make_room(to, to->length + 1)) return false;
    weft_attribute_text(a, (weft_vid)v, to->text, to->room, NULL);
    return true;
}

bool cell_print(const rows *r, const rows_column *column, size_t row, cell_text *to) {
    size_t i = rows_index(r, row);
    const void *data = column->data;
    cli_text room;
    if (!make_room(to, sizeof room)) return false;
    if (cell_is_none(column, i)) {
        bool empty = i >= column->length || column->type == CELL_TEXT || column->type == CELL_ATTRIBUTE;
        put_string(to, empty ? "" : "-1");
        return true;
    }
    size_t at = cell_place(column, i);
    switch (column->type) {
    case CELL_LEVEL:
    case CELL_U32: put_number(to, ((const uint32_t *)data)[at], false); break;
    case CELL_U64: put_number(to, ((const uint64_t *)data)[at], false); break;
    case CELL_I64: put_i64(to, ((const int64_t *)data)[at]); break;
    case CELL_F32: put_string(to, cli_real32(room, ((const float *)data)[at])); break;
    case CELL_F16:
    case CELL_BF16: put_string(to, cli_real16(room, cell_real16(column, at))); break;
    case CELL_F64: put_string(to, cli_real(room, ((const double *)data)[at])); break;
    case CELL_VERTEX:
        if (r->names) return put_name(r->g, cell_vertex(column, i), to);
        put_i64(to, weft_graph_id(r->g, cell_vertex(column, i)));
        break;
    case CELL_TEXT: {
        const char *text = ((const char *const *)data)[i];
        if (!make_room(to, strlen(text) + 1)) return false;
        put_string(to, text);
        break;
    }
    case CELL_ATTRIBUTE: return put_attribute(data, i, to);
    }
    return true;
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
