/* See typed.h: tables of vertices.  The column of ids is the one that the caller names, by name or by number from 1,
 * or else the one with a known name, or the only one.  Every other column becomes an attribute if attributes have its
 * type.  One thread takes the rows in their order. */
#include "core/comm.h"
#include "io/columnar/typed.h"
#include "io/table/nodes.h"
#include "io/table/nodes_table.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_NAME = 40 };

/* --- the choice ----------------------------------------------------------------------------------- */

static weft_status check_id(const wfi_typed *t, size_t id) {
    const wfi_typed_column *c = &t->column[id];
    bool text = c->type == WFI_TYPE_TEXT || (c->type == WFI_TYPE_BYTES && t->params->ids == WEFT_READ_IDS_STRING);
    if (text || c->type == WFI_TYPE_INT || c->type == WFI_TYPE_UINT) return WEFT_OK;
    char reason[160], name[WFI_SAMPLE];
    wfi_show_text(name, c->name, c->name_length);
    snprintf(reason, sizeof reason, "column '%s' holds %s, which cannot be ids", name, c->type_name);
    return wfi_nodes_refuse(t->nodes, reason);
}

/* The other columns become attributes. */
static weft_status take_columns(wfi_typed *t) {
    wfi_nodes_table *n = t->nodes;
    weft_status st = wfi_nodes_open_cells(t->ctx, t->source, t->params, t->table);
    size_t known = WFI_ROLES;
    n->cells = t->table->cells;
    for (size_t i = 0; i < t->count && !st; i++) {
        const wfi_typed_column *c = &t->column[i];
        st = wfi_nodes_take_column(n, i, c->name, c->name_length, wfi_typed_declares(c));
        if (!st && n->cell[i] != WFI_NO_COLUMN) t->of[known++] = (int)i;
    }
    return st;
}

weft_status wfi_typed_choose_nodes(wfi_typed *t) {
    wfi_nodes_table *n = t->nodes;
    bool shared = wfi_has_ranks(t->ctx);
    if (wfi_alloc(t->ctx, &n->top, t->count) || wfi_alloc(t->ctx, &n->below, t->count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < t->count; i++) {
        n->top[i] = (wfi_field){.text = t->column[i].name, .length = t->column[i].name_length};
        n->below[i] = (wfi_field){.text = t->column[i].type_name, .length = strlen(t->column[i].type_name)};
    }
    n->columns = n->columns_below = t->count;
    weft_status st = wfi_nodes_choose(n);
    if (!st) st = check_id(t, n->at);
    if (st) return st;
    t->of[WFI_ROLE_SOURCE] = (int)n->at;
    t->names = n->names != NULL;
    if (!shared) st = take_columns(t);
    if (!st) wfi_nodes_note_left(n);
    if (!st && t->count > 1)
        wfi_note(t->ctx, "%s: vertices by column %.*s; the others are %s", wfi_source_name(t->source),
                 (int)wfi_min_u64(t->column[n->at].name_length, SHOWN_NAME), t->column[n->at].name,
                 shared ? "passed over" : "attributes");
    return st;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* The vertex of row i of the chunk; `text` is its id. */
static weft_status add_vertex(wfi_fill *f, uint64_t row, size_t i, const wfi_cell_text *text) {
    const wfi_typed *t = f->t;
    wfi_type type = t->column[t->of[WFI_ROLE_SOURCE]].type;
    int64_t id = f->slot[WFI_ROLE_SOURCE].cell[i].i;
    if (!t->names && type == WFI_TYPE_UINT && id < 0)
        return wfi_fill_fault(f, WFI_ROLE_SOURCE, row,
                              "does not fit in 64 bits with sign (`ids=string` takes it as a name)");
    if (!t->names && type != WFI_TYPE_INT && type != WFI_TYPE_UINT &&
        wfi_scan_text(text->text, text->length, &id) != WFI_NUMBER_OK)
        return wfi_fill_fault(f, WFI_ROLE_SOURCE, row,
                              "is '%.*s', but the ids of the edges are whole numbers (for names: `ids=string`)",
                              (int)wfi_min_u64(text->length, SHOWN_NAME), text->text);
    weft_status st = wfi_nodes_vertex(t->nodes, text->text, text->length, id);
    return st == WEFT_EINPUT && *t->nodes->why ? wfi_fill_fault(f, WFI_ROLE_SOURCE, row, ": %s", t->nodes->why) : st;
}

weft_status wfi_fill_vertices(wfi_fill *f, uint64_t row, size_t rows) {
    wfi_nodes_table *n = f->t->nodes;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < rows && !st; i++) {
        wfi_cell_text id, value;
        st = wfi_fill_text(f, WFI_ROLE_SOURCE, i, f->room[0], &id);
        if (!st) st = add_vertex(f, row + i, i, &id);
        if (!st && n->cells) st = wfi_cells_row(n->cells, id.text, id.length);
        for (size_t slot = WFI_ROLES; slot < f->t->slots.count && f->t->of[slot] >= 0 && !st; slot++) {
            int column = f->t->of[slot];
            st = wfi_fill_text(f, slot, i, f->room[slot], &value);
            if (!st && value.text)
                st = wfi_cells_put(n->cells, n->cell[column], wfi_typed_declares(&f->t->column[column]), value.text,
                                   value.length);
        }
        n->rows++;
    }
    return st;
}
