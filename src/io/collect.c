/* See collect.h. */
#include "io/collect.h"

#include <string.h>

weft_status wfi_collector_reset(weft_ctx *ctx, wfi_collector *c, uint64_t room, bool weighted) {
    if (room > c->room || (weighted && !c->weights)) {
        wfi_collector_free(c);
        if (wfi_alloc(ctx, &c->narrow, 2 * room)) return WEFT_ENOMEM;
        if (weighted && wfi_alloc(ctx, &c->weights, room)) return WEFT_ENOMEM;
        c->room = room;
    }
    c->count = 0;
    c->is_wide = false;
    c->inexact = 0;
    c->weight_type = weighted ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_NONE;
    return WEFT_OK;
}

void wfi_collector_free(wfi_collector *c) {
    wfi_free(c->narrow);
    wfi_free(c->wide);
    wfi_free(c->weights);
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

void wfi_collect_weight(wfi_collector *c, float value, bool whole, uint32_t integer) {
    if (!whole && c->weight_type == WEFT_WEIGHT_U32) {
        for (uint64_t i = 0; i + 1 < c->count; i++) {
            float real = (float)c->weights[i];
            c->inexact += (double)real != (double)c->weights[i];
            memcpy(&c->weights[i], &real, sizeof real);
        }
        c->weight_type = WEFT_WEIGHT_F32;
    }
    if (c->weight_type == WEFT_WEIGHT_F32) {
        c->inexact += whole ? (double)value != (double)integer : integer;
        memcpy(&c->weights[c->count - 1], &value, sizeof value);
    } else {
        c->weights[c->count - 1] = integer;
    }
}

weft_status wfi_collector_deliver(weft_ctx *ctx, const wfi_collector *c, wfi_edges *edges, size_t at, uint32_t names) {
    wfi_piece piece = {.count = c->count, .names = names, .weight_type = c->weight_type, .inexact = c->inexact};
    weft_status st = c->is_wide ? wfi_alloc(ctx, &piece.wide, 2 * c->count) : wfi_alloc(ctx, &piece.narrow, 2 * c->count);
    if (!st && c->weights && c->weight_type != WEFT_WEIGHT_NONE) st = wfi_alloc(ctx, &piece.weights, c->count);
    if (st) goto done;
    if (c->is_wide)
        memcpy(piece.wide, c->wide, 2 * c->count * sizeof *piece.wide);
    else
        memcpy(piece.narrow, c->narrow, 2 * c->count * sizeof *piece.narrow);
    if (piece.weights) memcpy(piece.weights, c->weights, c->count * sizeof *piece.weights);
#pragma omp critical(wfi_deliver)
    st = wfi_edges_put(ctx, edges, at, &piece);
done:
    if (st) {
        wfi_free(piece.narrow);
        wfi_free(piece.wide);
        wfi_free(piece.weights);
    }
    return st;
}
