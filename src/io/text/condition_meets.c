/* Cells and values of columns against a condition (condition.h).
 * Method: the tree is walked, and a cell is parsed only where it is compared.  Whole numbers are compared exactly.  A
 * time without a zone is one of UTC; a whole number of 10^8 and more beside a time is a Unix time, in seconds, or by
 * its size in milliseconds or microseconds; smaller ones are refused.  A cell without a value meets no comparison. */
#include "io/text/cell_values.h"
#include "io/text/condition_tree.h"
#include "io/text/numbers.h"
#include "io/text/spelling.h"

#include <math.h>
#include <string.h>

enum { NUMBER_ROOM = 64 };

static const char *const kinds[] = {"a number", "a text", "a time", "true or false"};

/* --- comparing ------------------------------------------------------------------------------------- */

static bool decide(comparator how, bool less, bool more) {
    switch (how) {
    case LESS: return less;
    case AT_MOST: return !more;
    case MORE: return more;
    case AT_LEAST: return !less;
    case EQUAL: return !less && !more;
    case UNEQUAL: return less || more;
    }
    return false;
}

static bool compare(const node *n, operand_kind of, const value *a, const value *b) {
    if (of == KIND_TEXT) {
        int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
        return decide(n->how, order < 0 || (!order && a->length < b->length),
                      order > 0 || (!order && a->length > b->length));
    }
    if (of != KIND_NUMBER || (a->whole && b->whole))
        return decide(n->how, a->integer<b->integer, a->integer> b->integer);
    return isnan(a->real) || isnan(b->real) ? false : decide(n->how, a->real<b->real, a->real> b->real);
}

bool wfi_scan_whole(const char *text, size_t length, __int128 *whole) {
    enum { MOST_DIGITS = 29 };
    size_t i = length && (*text == '-' || *text == '+'), sign = i;
    unsigned __int128 size = 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
        if (i < sign + MOST_DIGITS) size = size * 10 + (unsigned)(text[i] - '0');
    *whole = length && *text == '-' ? -(__int128)size : (__int128)size;
    return i == length && i > sign && i - sign <= MOST_DIGITS;
}

static bool scan_number(const char *text, size_t length, value *v) {
    char room[NUMBER_ROOM];
    const char *p = room;
    int64_t digits;
    unsigned decimals;
    if (wfi_scan_short(text, length, &digits, &decimals)) {
        v->whole = !decimals;
        v->integer = digits;
        v->real = wfi_short_value(digits, decimals);
        return true;
    }
    if (!length || length >= sizeof room) return false;
    if (text[length - 1] == 'F' &&
        ((length == 3 && !memcmp(text, "INF", 3)) || (length == 4 && !memcmp(text, "-INF", 4)))) {
        v->whole = false;
        v->real = *text == '-' ? -INFINITY : INFINITY; /* as values of a column of reals are written */
        return true;
    }
    memcpy(room, text, length);
    room[length] = '\0';
    if (wfi_scan_f64(&p, &v->real) || p != room + length) return false;
    v->whole = wfi_scan_whole(text, length, &v->integer);
    return true;
}

/* A number of a text table whose decimal sign the caller said. */
static bool scan_spelt(const wfi_condition *c, const wfi_cell_text *cell, value *v) {
    char room[WFI_NUMBER_ROOM];
    const wfi_field f = {.text = cell->text, .length = cell->length};
    if (!c->decimal) return scan_number(cell->text, cell->length, v);
    return wfi_respell(&f, c->decimal, room) && scan_number(room, strlen(room), v);
}

static bool scan_cell(const wfi_condition *c, operand_kind of, const wfi_cell_text *cell, value *v) {
    weft_time_form form;
    int64_t time;
    uint8_t truth;
    switch (of) {
    case KIND_NUMBER: return scan_spelt(c, cell, v);
    case KIND_TEXT:
        v->text = cell->text;
        v->length = cell->length;
        return true;
    case KIND_TIME:
        if (!wfi_time_scan(cell->text, cell->length, &time, &form) &&
            !(wfi_is_plain_integer(cell->text, cell->length, &time) && wfi_time_of_unix(time, &time)))
            return false;
        v->integer = time;
        return true;
    case KIND_TRUTH:
        if (!wfi_cell_is_truth(cell->text, cell->length, true, &truth)) return false;
        v->integer = truth;
        return true;
    }
    return false;
}

static bool is_order(const node *n) { return n->how != EQUAL && n->how != UNEQUAL; }

/* A text in quotes that is a time is one beside a cell that is, and in the order of a table that tells no types. */
static operand_kind kind_beside(const wfi_condition *c, const node *n, const wfi_cell_text *cell) {
    int64_t unused;
    weft_time_form form;
    if (n->of != KIND_TEXT || !n->literal.whole) return n->of;
    bool time = (c->text_table && is_order(n)) || wfi_time_scan(cell->text, cell->length, &unused, &form);
    return time ? KIND_TIME : KIND_TEXT;
}

static bool is_number_or_time(const wfi_condition *c, const wfi_cell_text *cell) {
    value v = {0};
    int64_t unused;
    weft_time_form form;
    return scan_spelt(c, cell, &v) || wfi_time_scan(cell->text, cell->length, &unused, &form);
}

static int compare_text(const wfi_condition *c, const node *n, const wfi_cell_text *cells, int *column,
                        const char **kind) {
    value a, other;
    const value *b = n->other < 0 ? &n->literal : &other;
    if (!cells[n->column].text || (n->other >= 0 && !cells[n->other].text)) return 0;
    operand_kind of = kind_beside(c, n, &cells[n->column]);
    *kind = kinds[of];
    *column = n->column;
    if (of == KIND_TEXT && c->text_table && is_order(n) && is_number_or_time(c, &cells[n->column])) {
        *kind = "a text (numbers and times stand without quotes)";
        return -1;
    }
    if (!scan_cell(c, of, &cells[n->column], &a)) {
        int64_t whole;
        const wfi_cell_text *cell = &cells[n->column];
        bool below =
            of == KIND_TIME && wfi_is_plain_integer(cell->text, cell->length, &whole) && wfi_is_no_unix_time(whole);
        if (below) *kind = "a time (" WFI_NO_UNIX_TIME "; compare them with numbers)";
        return -1;
    }
    *column = n->other;
    if (n->other >= 0 && !scan_cell(c, of, &cells[n->other], &other)) return -1;
    return compare(n, of, &a, b);
}

static int holds_text(const wfi_condition *c, int at, const wfi_cell_text *cells, int *column, const char **kind) {
    const node *n = &c->nodes[at];
    if (n->kind == NODE_COMPARISON) return compare_text(c, n, cells, column, kind);
    int left = holds_text(c, n->left, cells, column, kind);
    if (left < 0 || n->kind == NODE_NOT) return left < 0 ? left : !left;
    if (left == (n->kind == NODE_OR)) return left;
    return holds_text(c, n->right, cells, column, kind);
}

int wfi_condition_meets_text(const wfi_condition *c, const wfi_cell_text *cells, int *column, const char **kind) {
    return holds_text(c, c->root, cells, column, kind);
}

/* --- typed columns ---------------------------------------------------------------------------------- */

static operand_kind kind_of(const node *n, weft_attribute_type type) {
    return n->of == KIND_TEXT && n->literal.whole && type == WEFT_ATTRIBUTE_TIME ? KIND_TIME : n->of;
}

static bool is_of(operand_kind of, weft_attribute_type type) {
    switch (type) {
    case WEFT_ATTRIBUTE_WHOLE: return of == KIND_NUMBER || of == KIND_TIME;
    case WEFT_ATTRIBUTE_REAL: return of == KIND_NUMBER;
    case WEFT_ATTRIBUTE_BOOL: return of == KIND_TRUTH;
    case WEFT_ATTRIBUTE_TEXT: return of == KIND_TEXT;
    case WEFT_ATTRIBUTE_TIME: return of == KIND_TIME;
    }
    return false;
}

/* A column of whole numbers is compared with a time: all have to be Unix times. */
static weft_status check_unix(weft_ctx *ctx, const wfi_column_source *s, uint64_t rows) {
    const int64_t *values = s->values;
    uint64_t first = rows;
#pragma omp parallel for reduction(min : first) schedule(static) num_threads(wfi_threads_for(ctx, rows, 1 << 16))
    for (uint64_t row = 0; row < rows; row++)
        if (row < first && wfi_has_bit(s->valid, row) && wfi_is_no_unix_time(values[row])) first = row;
    if (first == rows) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "`edges_where`: column '%s' holds %lld, and is compared with a time: %s", s->name,
                    (long long)values[first], WFI_NO_UNIX_TIME "; compare them with numbers");
}

weft_status wfi_condition_bind(weft_ctx *ctx, const wfi_condition *c, const wfi_column_source *columns, uint64_t rows) {
    static const char *const held[] = {[WEFT_ATTRIBUTE_WHOLE] = "whole numbers",
                                       [WEFT_ATTRIBUTE_REAL] = "numbers",
                                       [WEFT_ATTRIBUTE_BOOL] = "truth values",
                                       [WEFT_ATTRIBUTE_TEXT] = "texts",
                                       [WEFT_ATTRIBUTE_TIME] = "times"};
    for (int i = 0; i < c->count; i++) {
        const node *n = &c->nodes[i];
        const int sides[2] = {n->column, n->other};
        for (int k = 0; n->kind == NODE_COMPARISON && k < 2; k++) {
            const wfi_column_source *s = sides[k] < 0 ? NULL : &columns[sides[k]];
            if (s && !is_of(kind_of(n, s->type), s->type))
                return wfi_fail(ctx, WEFT_EINVAL, "`edges_where`: column '%s' holds %s, and is compared with %s%s",
                                s->name, held[s->type], kinds[n->of],
                                n->of == KIND_TEXT && s->type == WEFT_ATTRIBUTE_TIME
                                    ? " (times stand without quotes: 2024-03-01)"
                                    : "");
            bool unix_time = s && s->type == WEFT_ATTRIBUTE_WHOLE && n->of == KIND_TIME;
            weft_status st = unix_time ? check_unix(ctx, s, rows) : WEFT_OK;
            if (st) return st;
        }
    }
    return WEFT_OK;
}

/* False: it has no value. */
static bool look(operand_kind of, const wfi_column_source *s, uint64_t row, value *v) {
    if (!wfi_has_bit(s->valid, row)) return false;
    switch (s->type) {
    case WEFT_ATTRIBUTE_WHOLE: {
        int64_t whole = ((const int64_t *)s->values)[row];
        v->whole = true;
        v->real = (double)whole;
        bool fits = of != KIND_TIME || wfi_time_of_unix(whole, &whole);
        v->integer = whole;
        return fits;
    }
    case WEFT_ATTRIBUTE_REAL: v->real = ((const double *)s->values)[row]; break;
    case WEFT_ATTRIBUTE_BOOL: v->integer = ((const uint8_t *)s->values)[row]; break;
    case WEFT_ATTRIBUTE_TIME: v->integer = ((const int64_t *)s->values)[row]; break;
    case WEFT_ATTRIBUTE_TEXT: {
        uint32_t number = ((const uint32_t *)s->values)[row];
        v->text = s->text + s->starts[number];
        v->length = (size_t)(s->starts[number + 1] - s->starts[number]);
        break;
    }
    }
    return true;
}

static bool holds(const wfi_condition *c, int at, const wfi_column_source *columns, uint64_t row) {
    const node *n = &c->nodes[at];
    value a = {0}, b = n->literal;
    switch (n->kind) {
    case NODE_OR: return holds(c, n->left, columns, row) || holds(c, n->right, columns, row);
    case NODE_AND: return holds(c, n->left, columns, row) && holds(c, n->right, columns, row);
    case NODE_NOT: return !holds(c, n->left, columns, row);
    case NODE_COMPARISON: break;
    }
    operand_kind of = kind_of(n, columns[n->column].type);
    return look(of, &columns[n->column], row, &a) && (n->other < 0 || look(of, &columns[n->other], row, &b)) &&
           compare(n, of, &a, &b);
}

bool wfi_condition_meets(const wfi_condition *c, const wfi_column_source *columns, uint64_t row) {
    return holds(c, c->root, columns, row);
}
