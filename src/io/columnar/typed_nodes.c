/* See typed.h: tables of vertices.  The id is the column that the caller names, by name or by number from 1, or else
 * the one with a telling name, or the only one; all others whose values have a type that attributes have become these.
 * Rows are taken in their order, by one thread. */
#include "core/comm.h"
#include "io/columnar/typed.h"
#include "io/table/nodes.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 10, SHOWN_NAME = 40 };

/* --- the choice ----------------------------------------------------------------------------------- */

static weft_status refuse(const wfi_typed *t, const char *reason) {
    char list[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < t->count && i < SHOWN; i++) {
        char name[WFI_SAMPLE];
        wfi_show_text(name, t->column[i].name, t->column[i].name_length);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%zu %s (%s)", i ? ", " : "", i + 1, name,
                                 t->column[i].type_name);
    }
    return wfi_fail_at(t->ctx, wfi_source_name(t->source), 1, 1,
                       "%s (`nodes=%.200s:COLUMN` says which it is, by number or name).  The columns: %s%s", reason,
                       wfi_source_name(t->source), list, t->count > SHOWN ? ", ..." : "");
}

static weft_status choose_id(const wfi_typed *t, const wfi_field *titles, int *id) {
    char reason[128];
    const char *p = t->nodes->wish;
    uint64_t number = 0;
    if (!p) {
        *id = wfi_nodes_by_name(titles, t->count);
        if (*id == -1 && t->count == 1) *id = 0;
        if (*id >= 0) return WEFT_OK;
        return refuse(t, *id == -1 ? "no column name identifies the ids of the vertices"
                                   : "several columns could be the ids of the vertices");
    }
    *id = wfi_nodes_by_wish(titles, t->count, p);
    if (*id < 0 && !wfi_scan_u64(&p, &number) && !*p && number && number <= t->count) *id = (int)number - 1;
    snprintf(reason, sizeof reason, "there is no column %.60s", t->nodes->wish);
    return *id >= 0 ? WEFT_OK : refuse(t, reason);
}

static weft_status check_id(const wfi_typed *t, int id) {
    const wfi_typed_column *c = &t->column[id];
    bool text = c->type == WFI_TYPE_TEXT || (c->type == WFI_TYPE_BYTES && t->params->ids == WEFT_READ_IDS_STRING);
    if (text || c->type == WFI_TYPE_INT || c->type == WFI_TYPE_UINT) return WEFT_OK;
    char reason[160], name[WFI_SAMPLE];
    wfi_show_text(name, c->name, c->name_length);
    snprintf(reason, sizeof reason, "column '%s' holds %s, which cannot be ids", name, c->type_name);
    return refuse(t, reason);
}

/* "tags (list), " and so on: columns that become no attributes. */
typedef struct passed_over {
    char list[1024];
    size_t count, used;
} passed_over;

static void pass_over(passed_over *left, const wfi_typed_column *c) {
    char name[WFI_SAMPLE];
    wfi_show_text(name, c->name, c->name_length);
    if (left->count++ < SHOWN && left->used < sizeof left->list)
        left->used += (size_t)snprintf(left->list + left->used, sizeof left->list - left->used, "%s%s (%s)",
                                       left->used ? ", " : "", *name ? name : "(no name)", c->type_name);
}

/* The columns beside become attributes. */
static weft_status take_columns(wfi_typed *t, int id, passed_over *left) {
    weft_status st = wfi_nodes_open_cells(t->ctx, t->source, t->params, t->table);
    size_t known = 0;
    for (size_t i = 0; i < t->count && !st; i++) {
        const wfi_typed_column *c = &t->column[i];
        int type = wfi_typed_declares(c);
        size_t column = WFI_NO_COLUMN, before = known;
        if ((int)i == id) continue;
        if (type >= 0) st = wfi_cells_column(t->table->cells, c->name, c->name_length, &column);
        if (!st && column != WFI_NO_COLUMN && wfi_cells_claim(t->table->cells, column)) {
            wfi_cells_declare(t->table->cells, column, type);
            t->of[WFI_ROLES + known] = (int)i;
            t->cell[known++] = column;
        }
        if (!st && known == before) pass_over(left, c);
    }
    return st;
}

weft_status wfi_typed_choose_nodes(wfi_typed *t) {
    wfi_field *titles;
    int id = -1;
    passed_over left = {.count = 0};
    bool shared = wfi_has_ranks(t->ctx);
    if (wfi_alloc_zeroed(t->ctx, &titles, t->count + 1)) return WEFT_ENOMEM;
    for (size_t i = 0; i < t->count; i++)
        titles[i] = (wfi_field){.text = t->column[i].name, .length = t->column[i].name_length};
    weft_status st = choose_id(t, titles, &id);
    wfi_free(titles);
    if (!st) st = check_id(t, id);
    if (!st) st = wfi_alloc(t->ctx, &t->cell, t->count + 1);
    if (st) return st;
    t->of[WFI_ROLE_SOURCE] = id;
    t->names = t->nodes->names != NULL;
    if (!shared) st = take_columns(t, id, &left);
    if (!st && left.count)
        wfi_note(t->ctx, "%s: passed over, of a type that attributes do not have or without a name of its own: %s%s",
                 wfi_source_name(t->source), left.list, left.count > SHOWN ? ", ..." : "");
    if (!st && t->count > 1)
        wfi_note(t->ctx, "%s: vertices by column %.*s; the others are %s", wfi_source_name(t->source),
                 (int)wfi_min_u64(t->column[id].name_length, SHOWN_NAME), t->column[id].name,
                 shared ? "passed over" : "attributes");
    return st;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static weft_status add_number(wfi_fill *f, uint64_t row, int64_t id) {
    const wfi_typed *t = f->t;
    const weft_read_params *params = t->params;
    int64_t low = params->vertices ? 0 : t->table->base;
    uint64_t count = params->vertices ? params->vertices : t->table->vertices;
    bool limited = params->vertices || t->table->dense;
    if (limited && (id < low || (uint64_t)id - (uint64_t)low >= count))
        return wfi_fill_fault(f, WFI_ROLE_SOURCE, row, "is id %lld: there are %llu ids from %lld on", (long long)id,
                              (wfi_ull)count, (long long)low);
    return wfi_table_extra(t->ctx, t->table, id);
}

/* The vertex of row i of the chunk; `text` is its id. */
static weft_status add_vertex(wfi_fill *f, uint64_t row, size_t i, const wfi_cell_text *text) {
    const wfi_typed *t = f->t;
    wfi_type type = t->column[t->of[WFI_ROLE_SOURCE]].type;
    int64_t id = f->slot[WFI_ROLE_SOURCE].cell[i].i;
    uint32_t number;
    if (t->names && memchr(text->text, '\0', text->length))
        return wfi_fill_fault(f, WFI_ROLE_SOURCE, row, "is a name with a NUL byte in it");
    if (t->names) return wfi_names_number(t->ctx, t->nodes->names, text->text, text->length, &number);
    if (type == WFI_TYPE_UINT && id < 0)
        return wfi_fill_fault(f, WFI_ROLE_SOURCE, row,
                              "does not fit in 64 bits with sign (`ids=string` takes it as a name)");
    if (type != WFI_TYPE_INT && type != WFI_TYPE_UINT && wfi_scan_text(text->text, text->length, &id) != WFI_NUMBER_OK)
        return wfi_fill_fault(f, WFI_ROLE_SOURCE, row,
                              "is '%.*s', but the ids of the edges are whole numbers (for names: `ids=string`)",
                              (int)wfi_min_u64(text->length, SHOWN_NAME), text->text);
    return add_number(f, row, id);
}

weft_status wfi_fill_vertices(wfi_fill *f, uint64_t row, size_t rows) {
    wfi_cells *cells = f->t->table->cells;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < rows && !st; i++) {
        wfi_cell_text id, value;
        st = wfi_fill_text(f, WFI_ROLE_SOURCE, i, f->room[0], &id);
        if (!st) st = add_vertex(f, row + i, i, &id);
        if (!st && cells) st = wfi_cells_row(cells, id.text, id.length);
        for (size_t slot = WFI_ROLES; slot < f->t->slots.count && f->t->of[slot] >= 0 && !st; slot++) {
            st = wfi_fill_text(f, slot, i, f->room[slot], &value);
            int type = wfi_typed_declares(&f->t->column[f->t->of[slot]]);
            if (!st && value.text)
                st = wfi_cells_put(cells, f->t->cell[slot - WFI_ROLES], type, value.text, value.length);
        }
    }
    f->t->nodes->rows += rows;
    return st;
}
