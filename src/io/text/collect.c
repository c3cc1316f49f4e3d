/* See collect.h. */
#include "io/text/collect.h"

#include <string.h>

weft_status wfi_collector_reset(weft_ctx *ctx, wfi_collector *c, uint64_t room, weft_weight_type type) {
    if (room > c->room || (type != WEFT_WEIGHT_NONE && !c->weights)) {
        wfi_collector_free(c);
        if (wfi_alloc(ctx, &c->narrow, 2 * room)) return WEFT_ENOMEM;
        if (type != WEFT_WEIGHT_NONE) c->weights = wfi_take(ctx, room, wfi_weight_bytes(type));
        if (type != WEFT_WEIGHT_NONE && !c->weights) return WEFT_ENOMEM;
        c->room = room;
    }
    c->count = 0;
    c->is_wide = false;
    c->inexact = 0;
    c->weight_type = type;
    return WEFT_OK;
}

void wfi_collector_free(wfi_collector *c) {
    WFI_FREE(c->narrow, c->wide, c->weights, c->cells);
    *c = (wfi_collector){0};
}

weft_status wfi_collectors_new(weft_ctx *ctx, wfi_collector **out) {
    return wfi_alloc_zeroed(ctx, out, (size_t)wfi_threads(ctx));
}

void wfi_collectors_free(const weft_ctx *ctx, wfi_collector *collectors) {
    for (int t = 0; collectors && t < wfi_threads(ctx); t++) wfi_collector_free(&collectors[t]);
    wfi_free(collectors);
}

static weft_status become_wide(weft_ctx *ctx, wfi_collector *c) {
    if (!c->wide && wfi_alloc(ctx, &c->wide, 2 * c->room)) return WEFT_ENOMEM;
    for (uint64_t i = 0; i < 2 * c->count; i++) c->wide[i] = c->narrow[i];
    c->is_wide = true;
    return WEFT_OK;
}

weft_status wfi_collect(weft_ctx *ctx, wfi_collector *c, int64_t u, int64_t v) {
    if (!c->is_wide && (u < 0 || v < 0 || u > UINT32_MAX || v > UINT32_MAX) && become_wide(ctx, c)) return WEFT_ENOMEM;
    if (c->is_wide) {
        c->wide[2 * c->count] = u;
        c->wide[2 * c->count + 1] = v;
    } else {
        c->narrow[2 * c->count] = (uint32_t)u;
        c->narrow[2 * c->count + 1] = (uint32_t)v;
    }
    c->count++;
    return WEFT_OK;
}

/* All but the last weight, which is not there yet. */
static void become_floats(wfi_collector *c) {
    uint32_t *bits = c->weights;
    for (uint64_t i = 0; i + 1 < c->count; i++) {
        float real = (float)bits[i];
        c->inexact += (double)real != (double)bits[i];
        memcpy(&bits[i], &real, sizeof real);
    }
    c->weight_type = WEFT_WEIGHT_F32;
}

void wfi_collect_weight(wfi_collector *c, wfi_weight w) {
    if (!w.whole && c->weight_type == WEFT_WEIGHT_U32) become_floats(c);
    switch (c->weight_type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: ((uint32_t *)c->weights)[c->count - 1] = w.integer; break;
    case WEFT_WEIGHT_F32:
        ((float *)c->weights)[c->count - 1] = (float)w.value;
        c->inexact += w.whole ? (double)(float)w.value != (double)w.integer : w.integer;
        break;
    case WEFT_WEIGHT_F64:
        ((double *)c->weights)[c->count - 1] = w.value;
        if (!w.whole) c->inexact += w.integer;
        break;
    }
}

weft_status wfi_collector_deliver(weft_ctx *ctx, wfi_collector *c, wfi_edges *edges, size_t at, uint32_t names) {
    wfi_piece piece = {.count = c->count, .names = names, .cells = c->cells, .weight_type = c->weight_type, .inexact = c->inexact};
    weft_status st =
        c->is_wide ? wfi_alloc(ctx, &piece.wide, 2 * c->count) : wfi_alloc(ctx, &piece.narrow, 2 * c->count);
    size_t each = c->weights ? wfi_weight_bytes(c->weight_type) : 0;
    if (!st && each) {
        piece.weights = wfi_take(ctx, (size_t)c->count, each);
        if (!piece.weights) st = WEFT_ENOMEM;
    }
    if (st) goto done;
    if (c->is_wide)
        memcpy(piece.wide, c->wide, 2 * c->count * sizeof *piece.wide);
    else
        memcpy(piece.narrow, c->narrow, 2 * c->count * sizeof *piece.narrow);
    if (piece.weights) memcpy(piece.weights, c->weights, (size_t)c->count * each);
#pragma omp critical(wfi_deliver)
    st = wfi_edges_put(ctx, edges, at, &piece);
    if (!st) c->cells = NULL;
done:
    if (st) WFI_FREE(piece.narrow, piece.wide, piece.weights);
    return st;
}
