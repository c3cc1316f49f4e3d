/* See edges_where.h.  A cell is parsed only where it is compared, as what the other side is; two columns are compared as
 * numbers.  A time without a zone is one of UTC; a whole number of 10^8 and more beside a time is a Unix time, in
 * seconds, or by its size in milliseconds or microseconds; smaller ones are refused. */
#include "io/text/edges_where.h"
#include "io/text/cell_values.h"
#include "io/text/spelling.h"
#include "stream/numbers.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {"a number", "a text", "a time", "true or false"};

/* --- reading ---------------------------------------------------------------------------------------- */

typedef struct naming {
    weft_ctx *ctx;
    wfi_names *names;
    weft_status st;
} naming;

static int number_of(void *of, const char *name, size_t length) {
    naming *n = of;
    uint32_t number;
    n->st = wfi_names_number(n->ctx, n->names, name, length, &number);
    return n->st ? -1 : (int)number;
}

static weft_status parse(naming *n, const char *text, bool columns, wfi_condition *c) {
    wfi_condition_fault fault;
    if (wfi_condition_parse(text, &(wfi_condition_columns){n, number_of, columns}, c, &fault)) return WEFT_OK;
    return n->st ? n->st : wfi_fail(n->ctx, WEFT_EINVAL, "`edges_where`: character %zu: %s", fault.place, fault.what);
}

weft_status wfi_edges_where_read(weft_ctx *ctx, const char *text, wfi_names *names, bool columns, wfi_condition **out) {
    naming n = {.ctx = ctx, .names = names};
    size_t known = names->count;
    wfi_condition *c = *out = wfi_take_zeroed(ctx, 1, wfi_condition_room(text));
    if (!c) return WEFT_ENOMEM;
    weft_status st = parse(&n, text, columns, c);
    if (st == WEFT_EINVAL && c->truths) { /* true > 5: then it is a column */
        wfi_names_cut(names, known);
        st = parse(&n, text, true, c);
        if (st) wfi_names_cut(names, known);
        if (st) st = parse(&n, text, columns, c); /* the fault of the usual reading */
    }
    if (!st) return WEFT_OK;
    wfi_free(c);
    *out = NULL;
    return st;
}

/* --- cells ------------------------------------------------------------------------------------------ */

static bool scan_number(const char *text, size_t length, wfi_value *v) {
    char copy[WFI_NUMBER_ROOM];
    const char *p = copy;
    int64_t digits;
    unsigned decimals;
    if (wfi_scan_short(text, length, &digits, &decimals)) {
        v->whole = !decimals;
        v->integer = digits;
        v->real = wfi_short_value(digits, decimals);
        return true;
    }
    if (!length || length >= sizeof copy) return false;
    if (text[length - 1] == 'F' &&
        ((length == 3 && !memcmp(text, "INF", 3)) || (length == 4 && !memcmp(text, "-INF", 4)))) {
        v->whole = false;
        v->real = *text == '-' ? -INFINITY : INFINITY; /* as values of a column of reals are written */
        return true;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (wfi_scan_f64(&p, &v->real) || p != copy + length) return false;
    v->whole = wfi_scan_whole(text, length, &v->integer);
    return true;
}

/* A number, in a text table with the decimal sign that the caller said. */
static bool scan_spelt(const wfi_cell_row *row, const wfi_cell_text *cell, wfi_value *v) {
    char copy[WFI_NUMBER_ROOM];
    const wfi_field f = {.text = cell->text, .length = cell->length};
    if (!row->decimal) return scan_number(cell->text, cell->length, v);
    return wfi_respell(&f, row->decimal, copy) && scan_number(copy, strlen(copy), v);
}

static bool is_time(const wfi_cell_text *cell, int64_t *time) {
    weft_time_form form;
    return wfi_time_scan(cell->text, cell->length, time, &form);
}

static bool scan_cell(const wfi_cell_row *row, const wfi_cell_text *cell, wfi_value *v) {
    int64_t time;
    uint8_t truth;
    switch (v->kind) {
    case WFI_VALUE_NUMBER: return scan_spelt(row, cell, v);
    case WFI_VALUE_TEXT:
        v->text = cell->text;
        v->length = cell->length;
        return true;
    case WFI_VALUE_TIME:
        if (!is_time(cell, &time) &&
            !(wfi_is_plain_integer(cell->text, cell->length, &time) && wfi_time_of_unix(time, &time)))
            return false;
        v->integer = time;
        return true;
    case WFI_VALUE_TRUTH:
        if (!wfi_cell_is_truth(cell->text, cell->length, true, &truth)) return false;
        v->integer = truth;
        return true;
    }
    return false;
}

static int value_of_cell(void *of, const wfi_test *t, int column, wfi_value *v) {
    wfi_cell_row *row = of;
    const wfi_cell_text *cell = &row->cell[column];
    bool ordered = row->text_table && t->relation != WFI_EQUAL && t->relation != WFI_UNEQUAL;
    int64_t whole;
    if (!cell->text || (t->other >= 0 && !row->cell[t->other].text)) return 0;
    v->kind = t->kind;
    /* A text in quotes that is a time is one beside a cell that is, and in the order of a table that tells no types. */
    if (t->kind == WFI_VALUE_TEXT && t->literal.whole && (ordered || is_time(cell, &whole))) v->kind = WFI_VALUE_TIME;
    bool good = scan_cell(row, cell, v);
    row->column = column;
    row->kind = kinds[v->kind];
    if (v->kind == WFI_VALUE_TEXT && ordered && (scan_spelt(row, cell, v) || is_time(cell, &whole))) {
        row->kind = "a text (numbers and times stand without quotes)";
        good = false;
    }
    if (!good && v->kind == WFI_VALUE_TIME && wfi_is_plain_integer(cell->text, cell->length, &whole) &&
        wfi_is_date_not_unix_time(whole))
        row->kind = "a time (" WFI_NO_UNIX_TIME "; compare them with numbers)";
    return good ? 1 : -1;
}

int wfi_edges_where_cells(const wfi_condition *c, wfi_cell_row *row) {
    return wfi_condition_holds(c, value_of_cell, row);
}

/* --- typed columns ---------------------------------------------------------------------------------- */

/* A column of whole numbers is compared with a time: all have to be Unix times. */
static weft_status check_unix(weft_ctx *ctx, const wfi_column_source *s, uint64_t rows) {
    const int64_t *values = s->values;
    uint64_t first = rows;
#pragma omp parallel for reduction(min : first) schedule(static) num_threads(wfi_threads_for(ctx, rows, 1 << 16))
    for (uint64_t row = 0; row < rows; row++)
        if (row < first && wfi_has_bit(s->valid, row) && wfi_is_date_not_unix_time(values[row])) first = row;
    if (first == rows) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "`edges_where`: column '%s' holds %lld, and is compared with a time: %s", s->name,
                    (long long)values[first], WFI_NO_UNIX_TIME "; compare them with numbers");
}

static weft_status bind_column(weft_ctx *ctx, wfi_test *t, const wfi_column_source *s, uint64_t rows) {
    static const struct {
        const char *held;
        bool with[4]; /* a number, a text, a time, true or false */
    } types[] = {[WEFT_ATTRIBUTE_WHOLE] = {"whole numbers", {true, false, true, false}},
                 [WEFT_ATTRIBUTE_REAL] = {"numbers", {true}},
                 [WEFT_ATTRIBUTE_BOOL] = {"truth values", {false, false, false, true}},
                 [WEFT_ATTRIBUTE_TEXT] = {"texts", {false, true}},
                 [WEFT_ATTRIBUTE_TIME] = {"times", {false, false, true}}};
    bool time = s->type == WEFT_ATTRIBUTE_TIME;
    if (time && t->kind == WFI_VALUE_TEXT && t->literal.whole) t->kind = WFI_VALUE_TIME;
    if (!types[s->type].with[t->kind])
        return wfi_fail(ctx, WEFT_EINVAL, "`edges_where`: column '%s' holds %s, and is compared with %s%s", s->name,
                        types[s->type].held, kinds[t->kind],
                        time && t->kind == WFI_VALUE_TEXT ? " (times stand without quotes: 2024-03-01)" : "");
    return s->type == WEFT_ATTRIBUTE_WHOLE && t->kind == WFI_VALUE_TIME ? check_unix(ctx, s, rows) : WEFT_OK;
}

weft_status wfi_edges_where_bind(weft_ctx *ctx, wfi_condition *c, const wfi_column_source *columns, uint64_t rows) {
    weft_status st = WEFT_OK;
    for (int i = 0; i < c->tests && !st; i++) {
        st = bind_column(ctx, &c->test[i], &columns[c->test[i].column], rows);
        if (!st && c->test[i].other >= 0) st = bind_column(ctx, &c->test[i], &columns[c->test[i].other], rows);
    }
    return st;
}

typedef struct typed_row {
    const wfi_column_source *columns;
    uint64_t row;
} typed_row;

static int value_of_column(void *of, const wfi_test *t, int column, wfi_value *v) {
    const typed_row *at = of;
    const wfi_column_source *s = &at->columns[column];
    if (!wfi_has_bit(s->valid, at->row)) return 0;
    v->kind = t->kind;
    v->whole = s->type == WEFT_ATTRIBUTE_WHOLE;
    switch (s->type) {
    case WEFT_ATTRIBUTE_WHOLE: {
        int64_t whole = ((const int64_t *)s->values)[at->row];
        v->real = (double)whole;
        bool fits = t->kind != WFI_VALUE_TIME || wfi_time_of_unix(whole, &whole);
        v->integer = whole;
        return fits;
    }
    case WEFT_ATTRIBUTE_REAL: v->real = ((const double *)s->values)[at->row]; break;
    case WEFT_ATTRIBUTE_BOOL: v->integer = ((const uint8_t *)s->values)[at->row]; break;
    case WEFT_ATTRIBUTE_TIME: v->integer = ((const int64_t *)s->values)[at->row]; break;
    case WEFT_ATTRIBUTE_TEXT: {
        uint32_t number = ((const uint32_t *)s->values)[at->row];
        v->text = s->text + s->starts[number];
        v->length = (size_t)(s->starts[number + 1] - s->starts[number]);
        break;
    }
    }
    return 1;
}

bool wfi_edges_where_holds(const wfi_condition *c, const wfi_column_source *columns, uint64_t row) {
    return wfi_condition_holds(c, value_of_column, &(typed_row){columns, row}) > 0;
}
