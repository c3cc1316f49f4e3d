/* See typed.h: kept values as text.  A value is printed as in a text table and parsed again when its column gets a
 * type, so that part files of different types, conditions and missing values mean the same in both.  A 32-bit real is
 * printed with the fewest digits that identify it, so that 0.1 stays 0.1. */
#include "io/attributes.h"
#include "io/columnar/typed.h"
#include "stream/iso_time.h"

#include <math.h>
#include <string.h>

_Static_assert((int)WFI_CELL_ROOM >= (int)WFI_VALUE_ROOM, "a cell has room for a value");

int wfi_typed_declares(const wfi_typed_column *c) {
    switch (c->type) {
    case WFI_TYPE_INT:
    case WFI_TYPE_UINT: return WEFT_ATTRIBUTE_WHOLE;
    case WFI_TYPE_REAL: return WEFT_ATTRIBUTE_REAL;
    case WFI_TYPE_TEXT:
    case WFI_TYPE_BYTES: return WEFT_ATTRIBUTE_TEXT;
    case WFI_TYPE_BOOL: return WEFT_ATTRIBUTE_BOOL;
    case WFI_TYPE_NOTHING: return WFI_CELL_BY_CONTENT;
    case WFI_TYPE_TIME: return c->unit == WFI_NO_DATE ? -1 : WEFT_ATTRIBUTE_TIME;
    case WFI_TYPE_OTHER: break;
    }
    return -1;
}

/* Microseconds since 1970; false: out of range. */
static bool micros_of(wfi_time_unit unit, int64_t count, int64_t *micros, bool *cut) {
    static const int64_t factor[] = {[WFI_DAYS] = 86400000000, [WFI_DAYS_IN_MILLIS] = 1000,
                                     [WFI_SECONDS] = 1000000,  [WFI_MILLIS] = 1000,
                                     [WFI_MICROS] = 1,         [WFI_NANOS] = 1};
    int64_t rest = unit == WFI_NANOS ? count % 1000 : 0;
    if (unit == WFI_NANOS) count = count / 1000 - (rest < 0);
    *cut |= rest != 0;
    return !__builtin_mul_overflow(count, factor[unit], micros);
}

static weft_status time_text(wfi_fill *f, size_t slot, int64_t count, char room[WFI_CELL_ROOM], wfi_cell_text *to) {
    const wfi_typed_column *c = &f->t->column[f->t->of[slot]];
    int64_t micros = 0;
    bool days = c->unit == WFI_DAYS || c->unit == WFI_DAYS_IN_MILLIS;
    bool fits = micros_of(c->unit, count, &micros, &f->slot[slot].cut);
    weft_time_form form = days ? WEFT_TIME_DAY : c->utc ? WEFT_TIME_UTC : WEFT_TIME_LOCAL;
    to->length = fits ? wfi_time_print(room, micros, form) : wfi_print_i64(room, count);
    return WEFT_OK;
}

weft_status wfi_fill_text(wfi_fill *f, size_t slot, size_t i, char room[WFI_CELL_ROOM], wfi_cell_text *to) {
    const wfi_slot *s = &f->slot[slot];
    *to = (wfi_cell_text){.text = NULL};
    if (!s->cell || (s->null && s->null[i])) return WEFT_OK;
    wfi_cell cell = s->cell[i];
    to->text = room;
    const wfi_typed_column *c = &f->t->column[f->t->of[slot]];
    switch (c->type) {
    case WFI_TYPE_INT: to->length = wfi_print_i64(room, cell.i); break;
    case WFI_TYPE_UINT: to->length = wfi_print_u64(room, (uint64_t)cell.i); break;
    case WFI_TYPE_REAL:
        to->length = c->single && isfinite(cell.d) ? wfi_print_f32(room, (float)cell.d) : wfi_print_real(room, cell.d);
        break;
    case WFI_TYPE_BOOL:
        to->text = cell.i ? "true" : "false";
        to->length = cell.i ? 4 : 5;
        break;
    case WFI_TYPE_TIME: return time_text(f, slot, cell.i, room, to);
    default:
        to->text = f->pool->text + f->pool->start[cell.i];
        to->length = (size_t)(f->pool->start[cell.i + 1] - f->pool->start[cell.i]);
    }
    return WEFT_OK;
}

weft_status wfi_pooled_cell(wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value) {
    wfi_fill *f = ((wfi_slot *)(void *)self)->fill;
    uint32_t number = 0;
    (void)row;
    weft_status st = wfi_names_number(f->t->ctx, f->pool, length ? text : "", length, &number);
    *value = number;
    return st;
}

static bool is_nan(const wfi_fill *f, size_t field, size_t i) {
    size_t slot = WFI_ROLES + field;
    return f->binder.cell[field].text && f->t->column[f->t->of[slot]].type == WFI_TYPE_REAL &&
           isnan(f->slot[slot].cell[i].d);
}

/* Does row i of the chunk meet the condition?  NaN meets none.  -1: a cell is of the wrong kind, and the fault is set.
 */
static int meets(wfi_fill *f, uint64_t row, size_t i) {
    wfi_edge_binder *b = &f->binder;
    char why[WFI_WHY];
    for (size_t k = 0; k < b->fields->count; k++)
        if (is_nan(f, k, i)) b->cell[k].text = NULL;
    int yes = wfi_binder_meets(b);
    if (yes < 0) wfi_fill_fault(f, WFI_ROLES + (size_t)b->asked.column, row + i, ": %s", wfi_binder_why(b, why));
    return yes;
}

static void move_ends(wfi_fill *f, size_t from, size_t to) {
    for (int role = 0; role < WFI_ROLES; role++)
        if (f->slot[role].cell) f->slot[role].cell[to] = f->slot[role].cell[from];
    f->row_of[to] = (uint32_t)from;
}

weft_status wfi_fill_fields(wfi_fill *f, uint64_t row, size_t *rows) {
    const wfi_edge_fields *fields = f->t->table->fields;
    wfi_cell_text *cell = f->binder.cell;
    size_t left = 0;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < *rows && !st; i++) {
        for (size_t k = 0; k < fields->count && !st; k++) st = wfi_fill_text(f, WFI_ROLES + k, i, f->room[k], &cell[k]);
        int stays = !st && fields->condition ? meets(f, row, i) : 1;
        if (stays < 0) return WEFT_EINPUT;
        if (!stays) continue;
        if (f->row_of) move_ends(f, i, left);
        left++;
        for (size_t k = 0; k < fields->kept && fields->condition && !st;
             k++) /* NaN is kept, although no condition holds for it */
            if (!cell[k].text) st = wfi_fill_text(f, WFI_ROLES + k, i, f->room[k], &cell[k]);
        if (!st) st = wfi_binder_keep(f->t->ctx, &f->binder);
    }
    *rows = left;
    return st;
}
