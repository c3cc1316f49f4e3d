/* See base_columns.h. The first slots are the base's vertices in their order, so a column's row is a slot. For each
 * slot, the version that first removed it is recorded: older snapshots, which may be packed later, still have its
 * values. */
#include "dynamic/base_columns.h"
#include "attributes/attributes.h"

typedef struct wfi_base_columns {
    wfi_vertex_data *data;
    _Atomic uint64_t *lost; /* per slot: the first version without it; 0: none yet */
} base_columns;

void wfi_base_columns_free(base_columns *c) {
    static const weft_graph nobody;
    if (!c) return;
    wfi_vertex_data_free(&nobody, c->data);
    wfi_free((void *)c->lost);
    wfi_free(c);
}

/* Makes sources of the columns; the caller frees the list. */
static weft_status list(weft_ctx *ctx, const wfi_vertex_data *data, wfi_column_source **from) {
    weft_status st = wfi_alloc(ctx, from, data->count);
    for (size_t i = 0; i < data->count && !st; i++) (*from)[i] = wfi_column_as_source(data, i);
    return st;
}

weft_status wfi_base_columns_new(weft_ctx *ctx, const weft_graph *base, base_columns **out) {
    wfi_column_source *from = NULL;
    *out = NULL;
    if (!base || !base->attributes || !base->attributes->count) return WEFT_OK;
    base_columns *c = wfi_take_zeroed(ctx, 1, sizeof *c);
    if (!c) return WEFT_ENOMEM;
    weft_status st = list(ctx, base->attributes, &from);
    if (!st) st = wfi_vertex_data_make(ctx, base->n, from, base->attributes->count, &c->data);
    if (!st && !(c->lost = wfi_take_zeroed(ctx, base->n, sizeof *c->lost))) st = WEFT_ENOMEM;
    wfi_free(from);
    if (st)
        wfi_base_columns_free(c);
    else
        *out = c;
    return st;
}

void wfi_base_columns_lose(base_columns *c, const weft_vid *slots, size_t count, uint64_t version) {
    for (size_t i = 0; c && i < count; i++)
        if (slots[i] < c->data->rows && !atomic_load_explicit(&c->lost[slots[i]], memory_order_relaxed))
            atomic_store_explicit(&c->lost[slots[i]], version, memory_order_relaxed);
}

weft_status wfi_base_columns_copy(weft_ctx *ctx, const wfi_version *v, const weft_vid *order, weft_graph *g) {
    const base_columns *c = v->store->columns;
    wfi_column_source *from = NULL;
    weft_vid *row = NULL;
    if (!c) return WEFT_OK;
    weft_status st = list(ctx, c->data, &from);
    if (!st) st = wfi_alloc(ctx, &row, g->n);
    for (weft_vid i = 0; i < g->n && !st; i++) {
        weft_vid slot = order ? order[i] : i;
        bool there = slot < c->data->rows;
        uint64_t lost = there ? atomic_load_explicit(&c->lost[slot], memory_order_relaxed) : 0;
        row[i] = there && (!lost || v->number < lost) ? slot : WEFT_NO_VERTEX;
    }
    for (size_t i = 0; i < c->data->count && !st; i++) from[i].row = row;
    if (!st) st = wfi_vertex_data_replace(ctx, g, from, c->data->count);
    WFI_FREE(from, row);
    return st;
}
