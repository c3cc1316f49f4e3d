/* Cells as text, and the choice of the largest rows. */
#include "rows.h"

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

bool cell_print(const rows *r, const rows_column *column, size_t row, cell_text *to) {
    size_t i = rows_index(r, row);
    const void *data = column->data;
    cli_text room;
    if (!make_room(to, sizeof room)) return false;
    if (cell_is_none(column, i)) {
        put_string(to, i >= column->length ? "" : "-1");
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
    }
    return true;
}

rows_column rows_column_of(const weft_column *column) {
    cell_type type = column->type == WEFT_U32 && !column->width ? CELL_LEVEL : (cell_type)column->type;
    return (rows_column){column->name,  type, column->data, column->length, column->width ? column->name : NULL,
                         column->width, 0};
}

/* --- the largest ---------------------------------------------------------------------- */

/* NaN and infinity, the distance of what was not reached, never head a list. */
static int compare_reals(double a, double b) {
    if (!isfinite(a) || !isfinite(b)) return (int)!!isfinite(a) - (int)!!isfinite(b);
    return (a > b) - (a < b);
}

/* All bits set is "not reached" or "no vertex": adding one makes it the smallest. */
static int compare_u32(uint32_t a, uint32_t b) { return (a + 1 > b + 1) - (a + 1 < b + 1); }

/* The first place heads a list of places; all bits set, no place, is the last without further ado. */
static int compare_places(uint32_t a, uint32_t b) { return (a < b) - (a > b); }

bool rows_is_order(const rows_column *column) {
    return column->type == CELL_LEVEL && strcmp(column->name, "position") == 0;
}

static int compare_values(const rows_column *by, size_t row_a, size_t row_b) {
    size_t a = cell_place(by, row_a), b = cell_place(by, row_b);
#define COMPARE(T) \
    return (((const T *)by->data)[a] > ((const T *)by->data)[b]) - (((const T *)by->data)[a] < ((const T *)by->data)[b])
    switch (by->type) {
    case CELL_LEVEL:
        if (rows_is_order(by)) return compare_places(((const uint32_t *)by->data)[a], ((const uint32_t *)by->data)[b]);
        return compare_u32(((const uint32_t *)by->data)[a], ((const uint32_t *)by->data)[b]);
    case CELL_U32:
    case CELL_VERTEX: return compare_u32(((const uint32_t *)by->data)[a], ((const uint32_t *)by->data)[b]);
    case CELL_U64: COMPARE(uint64_t);
    case CELL_I64: COMPARE(int64_t);
    case CELL_F32: return compare_reals(((const float *)by->data)[a], ((const float *)by->data)[b]);
    case CELL_F16:
    case CELL_BF16: return compare_reals((double)cell_real16(by, a), (double)cell_real16(by, b));
    case CELL_F64: return compare_reals(((const double *)by->data)[a], ((const double *)by->data)[b]);
    case CELL_TEXT: break;
    }
    return 0;
#undef COMPARE
}

/* Does vertex a come before b in the list? */
static bool comes_first(const rows_column *by, weft_vid a, weft_vid b) {
    int order = compare_values(by, a, b);
    return order ? order > 0 : a < b;
}

/* heap[0] is the last of the chosen: what a better row replaces. */
static void sift_down(const rows_column *by, weft_vid *heap, size_t count, size_t at) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && comes_first(by, heap[child], heap[child + 1])) child++;
        if (comes_first(by, heap[child], heap[at])) return;
        weft_vid moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
        at = child;
    }
}

int rows_top(const rows_column *by, size_t k, weft_vid **order, size_t *count) {
    size_t n = by->length;
    *count = k < n ? k : n;
    weft_vid *heap = *order = cli_take(*count, sizeof *heap);
    if (!heap) return EXIT_MEMORY;
    if (*count == 0) return EXIT_DONE;
    for (size_t i = 0; i < *count; i++) heap[i] = (weft_vid)i;
    for (size_t i = *count / 2; i-- > 0;) sift_down(by, heap, *count, i);
    for (size_t v = *count; v < n; v++) {
        if (!comes_first(by, (weft_vid)v, heap[0])) continue;
        heap[0] = (weft_vid)v;
        sift_down(by, heap, *count, 0);
    }
    for (size_t last = *count - 1; last > 0; last--) { /* heap sort: the last of the rest goes to the end */
        weft_vid moved = heap[0];
        heap[0] = heap[last];
        heap[last] = moved;
        sift_down(by, heap, last, 0);
    }
    return EXIT_DONE;
}
