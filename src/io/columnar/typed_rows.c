/* See typed.h: cells become edges.  32-bit ids take a loop without calls, other ids wfi_collect (collect.h). */
#include "io/columnar/typed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PIECE = 1 << 16 /* edges handed over at a time */, POLL_BYTES = 1 << 20 };

weft_status wfi_fill_fault(wfi_fill *f, size_t slot, uint64_t row, const char *format, ...) {
    char text[WFI_WHY + 8], name[WFI_SAMPLE];
    WFI_FORMAT(text, sizeof text, format);
    const wfi_typed_column *c = &f->t->column[f->t->of[slot]];
    wfi_show_text(name, c->name, c->name_length);
    return wfi_fault_at(&f->fault, WEFT_EINPUT, row + 1, (uint64_t)f->t->of[slot] + 1, "row %llu of column '%s'%s%s",
                        (wfi_ull)row + 1, name, *text == ':' ? "" : " ", text);
}

/* The row of the file that edge i of a chunk comes from. */
static uint64_t row_at(const wfi_fill *f, uint64_t row, size_t i) { return row + (f->row_of ? f->row_of[i] : i); }

/* --- texts ------------------------------------------------------------------------------ */

static weft_status look_for_cancel(wfi_fill *f, size_t bytes) {
    f->hashed += bytes;
    if (f->hashed < POLL_BYTES) return WEFT_OK;
    f->hashed = 0;
    return wfi_cancelled(f->t->ctx) ? wfi_fail_cancelled(f->t->ctx) : WEFT_OK;
}

static weft_status name_cell(wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value) {
    wfi_slot *r = (wfi_slot *)(void *)self;
    wfi_fill *f = r->fill;
    uint32_t number = 0;
    if (length && memchr(text, '\0', length))
        return wfi_fill_fault(f, r->number, row, "is a name with a NUL byte in it");
    weft_status st = look_for_cancel(f, length);
    if (!st) st = wfi_names_number(f->t->ctx, f->t->table->edges.names[f->thread], text, length, &number);
    *value = number;
    return st;
}

static weft_status number_cell(wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value) {
    wfi_slot *r = (wfi_slot *)(void *)self;
    char shown[WFI_SAMPLE];
    if (wfi_scan_text(text, length, value) == WFI_NUMBER_OK) return WEFT_OK;
    wfi_show_text(shown, text, length);
    return wfi_fill_fault(r->fill, r->number, row, "is '%s', not a whole number of 64 bits (for names: `ids=string`)",
                          shown);
}

static weft_status direction_cell(wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value) {
    wfi_slot *r = (wfi_slot *)(void *)self;
    char shown[WFI_SAMPLE];
    wfi_show_text(shown, text, length);
    *value = !strcasecmp(shown, "directed");
    if (*value || !strcasecmp(shown, "undirected")) return WEFT_OK;
    return wfi_fill_fault(r->fill, r->number, row,
                          "is '%s', though the first says Directed or Undirected (`direction=directed` or "
                          "`direction=undirected` decides)",
                          shown);
}

/* --- ids and weights ---------------------------------------------------------------------- */

static weft_status check_limit(wfi_fill *f, wfi_role role, uint64_t row, size_t rows) {
    uint64_t limit = f->t->params->vertices;
    const wfi_cell *cell = f->slot[role].cell;
    for (size_t i = 0; i < rows && limit; i++)
        if ((uint64_t)cell[i].i >= limit)
            return wfi_fill_fault(f, role, row_at(f, row, i), "is %lld: with `vertices=%llu`, ids are 0 to %llu",
                                  (long long)cell[i].i, (wfi_ull)limit, (wfi_ull)limit - 1);
    return WEFT_OK;
}

/* The handler for texts of ends: names or numbers. */
typedef weft_status text_cell(wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value);
static text_cell *id_cell(const wfi_typed *t) { return t->names ? name_cell : number_cell; }

static weft_status settle_ids(wfi_fill *f, wfi_role role, uint64_t row, size_t rows) {
    wfi_type type = f->t->column[f->t->of[role]].type;
    wfi_cell *cell = f->slot[role].cell;
    bool is_number = type == WFI_TYPE_INT || type == WFI_TYPE_UINT;
    if (!is_number &&
        f->row_of) { /* their texts are in the pool: edges that the condition leaves out must not create names */
        for (size_t i = 0; i < rows; i++) {
            const wfi_names *pool = f->pool;
            uint64_t from = pool->start[cell[i].i], length = pool->start[cell[i].i + 1] - from;
            weft_status st =
                id_cell(f->t)(&f->slot[role].texts, row_at(f, row, i), pool->text + from, (size_t)length, &cell[i].i);
            if (st) return st;
        }
    }
    if (is_number && f->t->names) {
        for (size_t i = 0; i < rows; i++) {
            char text[24];
            unsigned length =
                type == WFI_TYPE_UINT ? wfi_print_u64(text, (uint64_t)cell[i].i) : wfi_print_i64(text, cell[i].i);
            weft_status st = name_cell(&f->slot[role].texts, row_at(f, row, i), text, length, &cell[i].i);
            if (st) return st;
        }
        return WEFT_OK;
    }
    if (type == WFI_TYPE_UINT)
        for (size_t i = 0; i < rows; i++)
            if (cell[i].i < 0)
                return wfi_fill_fault(f, role, row_at(f, row, i),
                                      "does not fit in 64 bits with sign (`ids=string` takes it as a name)");
    return f->t->names ? WEFT_OK : check_limit(f, role, row, rows);
}

static weft_status add_ends(wfi_fill *f, size_t rows) {
    wfi_collector *c = &f->binder.collector;
    const wfi_cell *u = f->slot[WFI_ROLE_SOURCE].cell, *v = f->slot[WFI_ROLE_TARGET].cell;
    uint64_t all = 0;
    for (size_t i = 0; i < rows; i++) all |= (uint64_t)u[i].i | (uint64_t)v[i].i;
    if (all >> 32 || c->is_wide) {
        for (size_t i = 0; i < rows; i++) {
            weft_status st = wfi_collect(f->t->ctx, c, u[i].i, v[i].i);
            if (st) return st;
        }
        return WEFT_OK;
    }
    uint32_t *to = c->narrow + 2 * c->count;
    for (size_t i = 0; i < rows; i++) {
        to[2 * i] = (uint32_t)u[i].i;
        to[2 * i + 1] = (uint32_t)v[i].i;
    }
    c->count += rows;
    return WEFT_OK;
}

/* The weights of a column of reals as floats, or doubles. */
static weft_status real_weights(wfi_fill *f, uint64_t row, size_t rows, uint64_t first) {
    wfi_collector *c = &f->binder.collector;
    const wfi_cell *cell = f->slot[WFI_ROLE_WEIGHT].cell;
    for (size_t i = 0; i < rows; i++) {
        double d = cell[i].d;
        bool lost = !wfi_collects_doubles(c) && wfi_lost_as_float(d);
        if (lost || !isfinite(d))
            return wfi_fill_fault(f, WFI_ROLE_WEIGHT, row_at(f, row, i),
                                  "is %s (`weights=ignore` reads without weights)",
                                  isnan(d)   ? "not a number"
                                  : isinf(d) ? "infinite"
                                             : wfi_weight_fault(wfi_lost_as_float(d), false));
        if (wfi_collects_doubles(c))
            ((double *)c->weights)[first + i] = d;
        else
            ((float *)c->weights)[first + i] = (float)d;
    }
    if (!wfi_collects_doubles(c)) c->weight_type = WEFT_WEIGHT_F32;
    return WEFT_OK;
}

/* A whole number as a weight; one that is no uint32_t may have to be rounded. */
static wfi_weight whole_weight(wfi_cell cell, bool is_unsigned, bool as_double) {
    double value = is_unsigned ? (as_double ? (double)(uint64_t)cell.i : (double)(float)(uint64_t)cell.i)
                               : (as_double ? (double)cell.i : (double)(float)cell.i);
    bool rounded = is_unsigned ? value >= 0x1p64 || (uint64_t)value != (uint64_t)cell.i
                               : value >= 0x1p63 || (int64_t)value != cell.i;
    bool whole = (uint64_t)cell.i <= UINT32_MAX;
    return (wfi_weight){value, whole ? (uint32_t)cell.i : rounded, whole};
}

/* The weights of the edges from collector.count - rows on. */
static weft_status add_weights(wfi_fill *f, uint64_t row, size_t rows) {
    wfi_collector *c = &f->binder.collector;
    const wfi_cell *cell = f->slot[WFI_ROLE_WEIGHT].cell;
    wfi_type type = f->t->column[f->t->of[WFI_ROLE_WEIGHT]].type;
    uint64_t first = c->count - rows, all = 0;
    if (type == WFI_TYPE_REAL) return real_weights(f, row, rows, first);
    for (size_t i = 0; i < rows; i++) all |= (uint64_t)cell[i].i;
    if (c->weight_type == WEFT_WEIGHT_U32 && !(all >> 32)) {
        for (size_t i = 0; i < rows; i++) ((uint32_t *)c->weights)[first + i] = (uint32_t)cell[i].i;
        return WEFT_OK;
    }
    c->count = first; /* wfi_collect_weight stores at count - 1 */
    for (size_t i = 0; i < rows; i++) {
        c->count++;
        wfi_collect_weight(c, whole_weight(cell[i], type == WFI_TYPE_UINT, wfi_collects_doubles(c)));
    }
    return WEFT_OK;
}

static void look_at_direction(wfi_fill *f, uint64_t row, size_t rows) {
    const wfi_cell *cell = f->slot[WFI_ROLE_DIRECTION].cell;
    for (size_t i = 0; i < rows; i++)
        if (!f->first_seen[cell[i].i]) f->first_seen[cell[i].i] = row_at(f, row, i) + 1;
}

/* An empty piece. */
static weft_status begin_piece(wfi_fill *f) {
    return wfi_binder_begin(f->t->ctx, &f->binder, PIECE,
                            wfi_first_weight_type(f->t->params, f->t->of[WFI_ROLE_WEIGHT] >= 0));
}

static weft_status fill_edges(wfi_fill *f, uint64_t row, size_t rows) {
    weft_status st = f->binder.collector.count + rows > PIECE ? wfi_fill_flush(f) : WEFT_OK;
    if (!st && !f->binder.collector.count) st = begin_piece(f);
    if (!st && f->t->table->fields) st = wfi_fill_fields(f, row, &rows);
    if (!st) st = settle_ids(f, WFI_ROLE_SOURCE, row, rows);
    if (!st) st = settle_ids(f, WFI_ROLE_TARGET, row, rows);
    if (!st) st = add_ends(f, rows);
    if (!st && f->t->of[WFI_ROLE_WEIGHT] >= 0) st = add_weights(f, row, rows);
    if (!st && f->t->of[WFI_ROLE_DIRECTION] >= 0) look_at_direction(f, row, rows);
    return st;
}

weft_status wfi_fill_rows(wfi_fill *f, uint64_t row, size_t rows) {
    weft_ctx *ctx = f->t->ctx;
    weft_status st = f->t->nodes ? wfi_fill_vertices(f, row, rows) : fill_edges(f, row, rows);
    if (st) return st;
    uint64_t done = atomic_fetch_add(f->rows_done, rows) + rows;
    if (f->thread == 0) wfi_progress(ctx, "reading", done, f->rows);
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* --- beginning and end ---------------------------------------------------------------------- */

weft_status wfi_fill_open(wfi_fill *f, const wfi_typed *t, int thread) {
    *f = (wfi_fill){.t = t, .thread = thread};
    wfi_edge_fields *fields = t->nodes ? NULL : t->table->fields;
    bool asks = fields && fields->condition, pools = t->nodes || fields;
    if (t->names && !t->nodes && !wfi_table_names(t->ctx, t->table, (size_t)thread)) return WEFT_ENOMEM;
    if (wfi_binder_open(t->ctx, &f->binder, fields, 0)) return WEFT_ENOMEM;
    if (pools && (!(f->pool = wfi_names_new(t->ctx)) || !(f->room = wfi_take(t->ctx, t->slots.count, sizeof *f->room))))
        return WEFT_ENOMEM;
    if (asks && wfi_alloc(t->ctx, &f->row_of, t->chunk)) return WEFT_ENOMEM;
    if (wfi_alloc_zeroed(t->ctx, &f->slot, t->slots.count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < t->slots.count; i++) {
        wfi_slot *slot = &f->slot[i];
        bool end = i == WFI_ROLE_SOURCE || i == WFI_ROLE_TARGET;
        slot->fill = f;
        slot->number = i;
        slot->texts.cell = i == WFI_ROLE_DIRECTION                       ? direction_cell
                           : t->nodes || i >= WFI_ROLES || (end && asks) ? wfi_pooled_cell
                                                                         : id_cell(t);
        if (t->of[i] < 0 || t->column[t->of[i]].type == WFI_TYPE_NOTHING) continue; /* nulls only: no cells */
        if (wfi_alloc(t->ctx, &slot->cell, t->chunk)) return WEFT_ENOMEM;
        if (wfi_slot_may_be_null(i) && wfi_alloc(t->ctx, &slot->null, t->chunk)) return WEFT_ENOMEM;
    }
    return WEFT_OK;
}

weft_status wfi_fill_flush(wfi_fill *f) {
    if (!f->binder.collector.count) return WEFT_OK;
    weft_status st = wfi_binder_deliver(f->t->ctx, &f->binder, f->part, f->part->count, (uint32_t)f->thread);
    f->binder.collector.count = 0;
    return st;
}

void wfi_fill_close(wfi_fill *f) {
    for (size_t i = 0; f->slot && i < f->t->slots.count; i++) WFI_FREE(f->slot[i].cell, f->slot[i].null);
    WFI_FREE(f->slot, f->room, f->row_of);
    wfi_names_free(f->pool);
    wfi_binder_close(&f->binder);
}
