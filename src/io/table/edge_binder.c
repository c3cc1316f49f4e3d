/* See edge_binder.h. */
#include "io/table/edge_binder.h"

#include <stdio.h>

weft_status wfi_binder_open(weft_ctx *ctx, wfi_edge_binder *b, wfi_edge_fields *fields, size_t more) {
    *b = (wfi_edge_binder){.fields = fields};
    if (!fields) return WEFT_OK;
    size_t count = fields->count + 2; /* columns called true and false may join them (edge_fields.c) */
    if (wfi_alloc_zeroed(ctx, &b->cell, count + more) || wfi_alloc_zeroed(ctx, &b->place, count) ||
        wfi_alloc_zeroed(ctx, &b->room, count) || wfi_alloc_zeroed(ctx, &b->types, count))
        return WEFT_ENOMEM;
    return WEFT_OK;
}

void wfi_binder_close(wfi_edge_binder *b) {
    for (size_t i = 0; b->room && i < b->fields->count; i++) wfi_free(b->room[i].text);
    WFI_FREE(b->cell, b->place, b->room, b->types);
    wfi_edge_cells_free(&b->cells);
    wfi_collector_free(&b->collector);
}

weft_status wfi_binders_new(weft_ctx *ctx, wfi_edge_fields *fields, size_t more, int threads, wfi_edge_binder **out) {
    weft_status st = wfi_alloc_zeroed(ctx, out, (size_t)threads);
    for (int t = 0; t < threads && !st; t++) st = wfi_binder_open(ctx, &(*out)[t], fields, more);
    return st;
}

void wfi_binders_free(wfi_edge_binder *binders, int threads) {
    for (int t = 0; binders && t < threads; t++) wfi_binder_close(&binders[t]);
    wfi_free(binders);
}

void wfi_binder_count(const wfi_edge_binder *b) {
    wfi_edge_fields *f = b->fields;
    if (!f || !b->types) return; /* nothing is wanted, or the binder could not be opened */
    f->left_out += b->left_out;
    for (size_t i = 0; i < f->count; i++) f->types[i] |= b->types[i];
}

weft_status wfi_binder_begin(weft_ctx *ctx, wfi_edge_binder *b, uint64_t room, weft_weight_type type) {
    weft_status st = wfi_collector_reset(ctx, &b->collector, room, type);
    return st || !b->fields ? st : wfi_edge_cells_reset(ctx, &b->cells, b->fields->kept);
}

weft_status wfi_binder_deliver(weft_ctx *ctx, wfi_edge_binder *b, wfi_edges *edges, size_t at, uint32_t names) {
    if (b->cells.columns && wfi_edge_cells_pack(ctx, &b->cells, &b->collector.cells)) return WEFT_ENOMEM;
    return wfi_collector_deliver(ctx, &b->collector, edges, at, names);
}

int wfi_binder_meets(wfi_edge_binder *b) {
    if (!b->fields->condition) return 1;
    b->asked = (wfi_cell_row){.cell = b->cell, .text_table = b->fields->text_table, .decimal = b->fields->decimal};
    int meets = wfi_edges_where_cells(b->fields->condition, &b->asked);
    b->left_out += !meets;
    return meets;
}

const char *wfi_binder_why(const wfi_edge_binder *b, char why[WFI_WHY]) {
    const wfi_names *names = b->fields->names;
    int at = b->asked.column;
    const wfi_cell_text *cell = &b->cell[at];
    uint64_t from = names->start[at], length = names->start[at + 1] - from;
    snprintf(why, WFI_WHY, "'%.*s' is not %s, which `edges_where` compares '%.*s' with",
             (int)wfi_min_u64(cell->length, 40), cell->text, b->asked.kind, (int)wfi_min_u64(length, 40),
             names->text + from);
    return why;
}
