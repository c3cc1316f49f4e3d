/* Growing list of pieces of edges: see edges.h. */
#include "graph/edges.h"
#include "attributes/edge_columns.h"

#include <string.h>

weft_status wfi_edges_put(weft_ctx *ctx, wfi_edges *edges, size_t at, const wfi_piece *piece) {
    if (at >= edges->capacity) {
        size_t capacity = edges->capacity ? edges->capacity * 2 : 64;
        while (capacity <= at) capacity *= 2;
        wfi_piece *pieces = wfi_resize(ctx, edges->pieces, capacity, sizeof *pieces);
        if (!pieces) return WEFT_ENOMEM;
        memset(pieces + edges->capacity, 0, (capacity - edges->capacity) * sizeof *pieces);
        edges->pieces = pieces;
        edges->capacity = capacity;
    }
    edges->pieces[at] = *piece;
    if (at >= edges->count) edges->count = at + 1;
    return WEFT_OK;
}

weft_status wfi_edges_reserve(weft_ctx *ctx, wfi_edges *edges, uint64_t count, weft_weight_type type, bool wide) {
    wfi_piece fresh = {.count = count, .weight_type = type};
    if (wide ? wfi_alloc(ctx, &fresh.wide, 2 * count) : wfi_alloc(ctx, &fresh.narrow, 2 * count)) return WEFT_ENOMEM;
    if (type != WEFT_WEIGHT_NONE) fresh.weights = wfi_take(ctx, (size_t)count, wfi_weight_bytes(type));
    bool complete = type == WEFT_WEIGHT_NONE || fresh.weights;
    if (complete && !wfi_edges_put(ctx, edges, edges->count, &fresh)) return WEFT_OK;
    WFI_FREE(fresh.narrow, fresh.wide, fresh.weights);
    return WEFT_ENOMEM;
}

weft_status wfi_edges_add(weft_ctx *ctx, wfi_edges *edges, uint64_t count, weft_weight_type type, wfi_piece **piece) {
    weft_status st = wfi_edges_reserve(ctx, edges, count, type, false);
    if (!st) *piece = &edges->pieces[edges->count - 1];
    return st;
}

void wfi_piece_put_ends(wfi_piece *p, uint64_t at, size_t count, unsigned side, const int64_t *id) {
    for (size_t i = 0; i < count; i++)
        if (p->wide)
            p->wide[2 * (at + i) + side] = id[i];
        else
            p->narrow[2 * (at + i) + side] = (uint32_t)id[i];
}

uint64_t wfi_edges_total(const wfi_edges *edges) {
    uint64_t total = 0;
    for (size_t i = 0; i < edges->count; i++) total += edges->pieces[i].count;
    return total;
}

void wfi_edges_free(wfi_edges *edges) {
    for (size_t i = 0; i < edges->count; i++)
        WFI_FREE(edges->pieces[i].narrow, edges->pieces[i].wide, edges->pieces[i].weights, edges->pieces[i].back,
                 edges->pieces[i].cells);
    for (size_t i = 0; i < edges->name_tables; i++) wfi_names_free(edges->names[i]);
    wfi_edge_columns_free(edges->columns);
    WFI_FREE(edges->names, edges->pieces);
    *edges = (wfi_edges){0};
}
