/* Columns of edges in documents that declare vertices by name: see listing.h.  The values of an edge are gathered under
 * the names that are wanted, held against the condition once the next edge begins, and kept as cells (edge_cells.h). */
#include "io/document/listing.h"

#include <string.h>

#define FAIL(l, place, ...) wfi_fail_in_text((l)->ctx, (l)->source, (l)->text, (place), __VA_ARGS__)

weft_status wfi_listing_open_fields(wfi_listing *l) {
    weft_status st = wfi_edge_fields_open(l->ctx, l->params, &l->fields);
    if (!st) st = wfi_binder_open(l->ctx, &l->binder, l->fields, 0);
    return st || !l->fields ? st : wfi_edge_cells_reset(l->ctx, &l->binder.cells, l->fields->kept);
}

void wfi_listing_close_fields(wfi_listing *l) {
    wfi_binder_close(&l->binder);
    wfi_edge_fields_free(l->fields);
}

size_t wfi_listing_field(const wfi_listing *l, const char *title, size_t length) {
    const wfi_names *n = l->fields ? l->fields->names : NULL;
    for (size_t i = 0; n && i < n->count; i++)
        if (n->start[i + 1] - n->start[i] == length && !memcmp(n->text + n->start[i], title, length)) return i;
    return SIZE_MAX;
}

bool wfi_listing_has_value(const wfi_listing *l, size_t field) { return l->binder.cell[field].text; }

weft_status wfi_listing_value(wfi_listing *l, size_t field, int type, const char *text, size_t length) {
    wfi_edge_binder *b = &l->binder;
    wfi_text_room *room = &b->room[field];
    if (b->cell[field].text) return WEFT_OK; /* of two the first counts */
    if (!length && type != WEFT_ATTRIBUTE_TEXT && type != WEFT_ATTRIBUTE_TIME) return WEFT_OK;
    if (WFI_ROOM(l->ctx, room->text, length, room->bytes, 32)) return WEFT_ENOMEM;
    if (length) memcpy(room->text, text, length);
    b->cell[field] = (wfi_cell_text){room->text, length};
    b->types[field] |= 1u << type;
    return WEFT_OK;
}

weft_status wfi_listing_end_edge(wfi_listing *l) {
    char why[WFI_WHY];
    weft_status st = WEFT_OK;
    if (!l->fields || !l->edge_count || l->edges_done == l->edge_count) return WEFT_OK;
    wfi_listed_edge *e = &l->edges[l->edge_count - 1];
    int meets = wfi_binder_meets(&l->binder);
    if (meets < 0) return FAIL(l, e->at, "this edge: %s", wfi_binder_why(&l->binder, why));
    if (meets) {
        st = wfi_binder_keep(l->ctx, &l->binder);
    } else {
        l->both_count -= e->both;
        l->edge_count--;
    }
    l->edges_done = l->edge_count;
    wfi_binder_clear(&l->binder);
    return st;
}

weft_status wfi_listing_check_fields(wfi_listing *l) {
    const wfi_edge_fields *f = l->fields;
    for (size_t i = 0; f && i < f->count; i++)
        if (!l->binder.types[i])
            return wfi_fail(l->ctx, WEFT_EINPUT, "%s: no edge has a value called '%.*s'", wfi_source_name(l->source),
                            (int)wfi_min_u64(f->names->start[i + 1] - f->names->start[i], 80),
                            f->names->text + f->names->start[i]);
    if (f && l->both_count && f->kept)
        return wfi_fail(l->ctx, WEFT_EINPUT,
                        "%s: `keep` does not know what becomes of edges that go both ways (`direction=undirected`)",
                        wfi_source_name(l->source));
    wfi_binder_count(&l->binder);
    return WEFT_OK;
}

weft_status wfi_listing_settle_fields(wfi_listing *l, wfi_edges *edges) {
    wfi_edge_fields *f = l->fields;
    weft_status st = WEFT_OK;
    if (!f) return WEFT_OK;
    wfi_names_free(f->titles); /* those of a table's columns */
    f->titles = NULL;
    if (f->kept && !(f->titles = wfi_names_new(l->ctx))) st = WEFT_ENOMEM;
    for (size_t i = 0; i < f->kept && !st; i++) {
        uint32_t number;
        st = wfi_names_number(l->ctx, f->titles, f->names->text + f->names->start[i],
                              (size_t)(f->names->start[i + 1] - f->names->start[i]), &number);
    }
    return st ? st : wfi_edge_fields_settle(l->ctx, l->source, f, edges);
}
