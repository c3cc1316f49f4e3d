/* Columns of edges in documents that declare vertices by name: see listing.h.  The values of an edge are gathered under
 * the names that are wanted, held against the condition once the next edge begins, and kept as cells (edge_cells.h). */
#include "io/document/listing.h"

#include <string.h>

#define FAIL(l, place, ...) wfi_fail_in_text((l)->ctx, (l)->source, (l)->text, (place), __VA_ARGS__)

weft_status wfi_listing_open_fields(wfi_listing *l) {
    weft_status st = wfi_edge_fields_open(l->ctx, l->params, &l->fields);
    if (st || !l->fields) return st;
    size_t count = l->fields->count + 2; /* a table's columns true and false come later (edge_fields.c) */
    if (wfi_alloc_zeroed(l->ctx, &l->cell, count) || wfi_alloc_zeroed(l->ctx, &l->value, count)) return WEFT_ENOMEM;
    return WEFT_OK;
}

void wfi_listing_close_fields(wfi_listing *l) {
    for (size_t i = 0; l->fields && l->value && i < l->fields->count; i++) wfi_free(l->value[i].text);
    WFI_FREE(l->cell, l->value);
    wfi_edge_cells_free(&l->edge_cells);
    wfi_edge_fields_free(l->fields);
}

size_t wfi_listing_field(const wfi_listing *l, const char *title, size_t length) {
    const wfi_names *n = l->fields ? l->fields->names : NULL;
    for (size_t i = 0; n && i < n->count; i++)
        if (n->start[i + 1] - n->start[i] == length && !memcmp(n->text + n->start[i], title, length)) return i;
    return SIZE_MAX;
}

bool wfi_listing_has_value(const wfi_listing *l, size_t field) { return l->cell[field].text; }

weft_status wfi_listing_value(wfi_listing *l, size_t field, int type, const char *text, size_t length) {
    struct wfi_listed_value *v = &l->value[field];
    if (l->cell[field].text) return WEFT_OK; /* of two the first counts */
    if (!length && type != WEFT_ATTRIBUTE_TEXT && type != WEFT_ATTRIBUTE_TIME) return WEFT_OK;
    if (WFI_ROOM(l->ctx, v->text, length, v->room, 32)) return WEFT_ENOMEM;
    if (length) memcpy(v->text, text, length);
    l->cell[field] = (wfi_cell_text){v->text, length};
    l->fields->types[field] |= 1u << type;
    v->seen = true;
    return WEFT_OK;
}

weft_status wfi_listing_end_edge(wfi_listing *l) {
    wfi_edge_fields *f = l->fields;
    wfi_cell_row row = {.cell = l->cell};
    int meets = 1;
    weft_status st = WEFT_OK;
    if (!f || !l->edge_count || l->edges_done == l->edge_count) return WEFT_OK;
    wfi_listed_edge *e = &l->edges[l->edge_count - 1];
    if (f->condition) meets = wfi_edges_where_cells(f->condition, &row);
    size_t at = meets < 0 ? (size_t)row.column : 0;
    if (meets < 0)
        return FAIL(l, e->at, "this edge: '%.*s' is not %s, which `edges_where` compares '%.*s' with",
                    (int)wfi_min_u64(l->cell[at].length, 40), l->cell[at].text, row.kind,
                    (int)wfi_min_u64(f->names->start[at + 1] - f->names->start[at], 40),
                    f->names->text + f->names->start[at]);
    if (!meets) {
        f->left_out++;
        l->both_count -= e->both;
        l->edge_count--;
    } else if (f->kept) {
        if (l->edge_cells.rows == l->edge_cells.room) st = wfi_edge_cells_grow(l->ctx, &l->edge_cells, f->kept);
        if (!st) st = wfi_edge_cells_put(l->ctx, &l->edge_cells, l->cell);
    }
    l->edges_done = l->edge_count;
    for (size_t i = 0; i < f->count; i++) l->cell[i] = (wfi_cell_text){0};
    return st;
}

weft_status wfi_listing_settle_fields(wfi_listing *l, wfi_edges *edges) {
    wfi_edge_fields *f = l->fields;
    weft_status st = WEFT_OK;
    if (!f) return WEFT_OK;
    for (size_t i = 0; i < f->count; i++)
        if (!l->value[i].seen)
            return wfi_fail(l->ctx, WEFT_EINPUT, "%s: no edge has a value called '%.*s'", wfi_source_name(l->source),
                            (int)wfi_min_u64(f->names->start[i + 1] - f->names->start[i], 80),
                            f->names->text + f->names->start[i]);
    if (l->both_count && f->kept)
        return wfi_fail(l->ctx, WEFT_EINPUT,
                        "%s: `keep` does not know what becomes of edges that go both ways (`direction=undirected`)",
                        wfi_source_name(l->source));
    if (f->kept) st = wfi_edge_cells_pack(l->ctx, &l->edge_cells, &edges->pieces[0].cells);
    wfi_names_free(f->titles); /* those of a table's columns */
    f->titles = NULL;
    if (!st && f->kept && !(f->titles = wfi_names_new(l->ctx))) st = WEFT_ENOMEM;
    for (size_t i = 0; i < f->kept && !st; i++) {
        uint32_t number;
        st = wfi_names_number(l->ctx, f->titles, f->names->text + f->names->start[i],
                              (size_t)(f->names->start[i + 1] - f->names->start[i]), &number);
    }
    return st ? st : wfi_edge_fields_settle(l->ctx, l->source, f, edges);
}
