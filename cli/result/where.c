/* --where: a condition (condition.h) on the cells of a row.  Needs: rows whose columns stay.
 * A cell without a value (missing, not reached, infinite) meets no comparison.  A number that is compared with a column
 * of f32 or less is rounded to it, as the column's own values were. */
#include "condition.h"
#include "result/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct where {
    const rows *r;
    rows plain; /* the same without an order */
    size_t row;
    cell_text cell[2];
    char why[512];
    wfi_condition *c;
};

/* --- columns ---------------------------------------------------------------------------------------- */

static int number_of(void *of, const char *name, size_t length) {
    where *w = of;
    select_names list;
    int number = rows_find(w->r, name, length);
    if (number < 0)
        snprintf(w->why, sizeof w->why, "no column is called '%.*s'; there are %s%s",
                 (int)(length < 127 ? length : 127), name, select_columns(w->r, 0, list),
                 cli_ranks_alone() ? "" : ": ranks pass over attributes of the graph");
    return number;
}

static wfi_value_kind kind_of(const rows *r, const rows_column *c) {
    if (cell_attribute_type(c) == WEFT_ATTRIBUTE_TIME) return WFI_VALUE_TIME;
    return cell_is_text(r, c) ? WFI_VALUE_TEXT : WFI_VALUE_NUMBER;
}

/* What a number is rounded to where it is compared with a column of such a type. */
static double rounded(cell_type type, double x) {
    switch (type) {
    case CELL_F32: return (double)(float)x;
    case CELL_F16: return (double)weft_f16_value(weft_f16_of((float)x));
    case CELL_BF16: return (double)weft_bf16_value(weft_bf16_of((float)x));
    default: return x;
    }
}

/* What is wrong with a comparison of its two sides; NULL: they are both numbers, texts or times. */
static const char *bind(const rows *r, wfi_test *t) {
    const rows_column *c = &r->columns[t->column];
    wfi_value_kind other = t->other >= 0                ? kind_of(r, &r->columns[t->other])
                           : t->kind == WFI_VALUE_TRUTH ? WFI_VALUE_NUMBER
                                                        : t->kind;
    t->kind = kind_of(r, c);
    if (t->kind == WFI_VALUE_TIME && t->other < 0)
        return other == WFI_VALUE_TIME || (other == WFI_VALUE_TEXT && t->literal.whole)
                   ? NULL
                   : "the column has times: compare it with one, such as 2024-03-01 or '2024-03-01 12:30'";
    t->literal.real = rounded(c->type, t->literal.real);
    if (t->kind == other) return NULL;
    return t->kind == WFI_VALUE_TIME || other == WFI_VALUE_TIME
               ? "a time is compared with something else"
               : "a text is compared with a number; texts and names stand in quotes: id = 'x'";
}

int where_read(const char *text, const rows *r, where **out) {
    where *w = *out = cli_take(1, sizeof *w);
    if (!w) return EXIT_MEMORY;
    w->r = r;
    w->plain = *r;
    w->plain.order = NULL;
    w->c = cli_take(wfi_condition_room(text), 1);
    if (!w->c) return EXIT_MEMORY;
    wfi_condition_fault fault;
    bool truths = rows_find(r, "true", 4) >= 0 || rows_find(r, "false", 5) >= 0;
    bool good = wfi_condition_parse(text, &(wfi_condition_columns){w, number_of, truths}, w->c, &fault);
    for (int i = 0; i < w->c->tests && good; i++) {
        fault = (wfi_condition_fault){w->c->test[i].place, bind(r, &w->c->test[i])};
        good = !fault.what;
    }
    if (good) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "--where: character %zu: %s; see: weft help where", fault.place,
                    fault.what ? fault.what : w->why);
}

void where_free(where *w) {
    if (!w) return;
    free(w->cell[0].text);
    free(w->cell[1].text);
    free(w->c);
    free(w);
}

/* --- rows ------------------------------------------------------------------------------------------- */

static int value_of(void *of, const wfi_test *t, int column, wfi_value *v) {
    where *w = of;
    const rows_column *c = &w->r->columns[column];
    cell_text *cell = &w->cell[column == t->other];
    v->kind = t->kind;
    if (cell_is_none(c, w->row)) return 0;
    if (t->kind == WFI_VALUE_TEXT && c->type == CELL_ATTRIBUTE) {
        v->text = cell_attribute_text(c, w->row, &v->length);
        return 1;
    }
    if (t->kind == WFI_VALUE_TEXT) {
        if (!cell_print(&w->plain, c, w->row, cell)) return -1;
        v->text = cell->text;
        v->length = cell->length;
        return 1;
    }
    v->whole = !cell_is_real(c);
    if (v->whole) v->integer = cell_whole(w->r->g, c, w->row);
    v->real = v->whole ? (double)v->integer : cell_real(c, w->row);
    return v->whole || isfinite(v->real);
}

int where_holds(where *w, size_t row) {
    w->row = row;
    return wfi_condition_holds(w->c, value_of, w);
}
