/* See device_rows.h. */
#include "ranks/device.h"

#include <string.h>

weft_eid wfi_device_in_arcs(const wfi_spread *s) {
    const wfi_rows *in = wfi_in_at_hand(s->g);
    weft_eid arcs = 0;
    if (!in) return s->in_arcs;
    for (size_t b = 0; b < s->blocks; b++)
        if (s->part[b].first < s->part[b].end) arcs += in->offsets[s->part[b].end] - in->offsets[s->part[b].first];
    return arcs;
}

void wfi_device_rows_lay_out(wfi_workspace *w, const wfi_spread *s, bool in, bool arcs, bool weighted,
                             wfi_device_side *side) {
    weft_eid count = in ? wfi_device_in_arcs(s) : s->arcs;
    *side = (wfi_device_side){.offsets = NULL};
    wfi_array(w, &side->offsets, (uint64_t)s->vertices + s->blocks);
    if (arcs) wfi_array(w, &side->targets, count);
    if (arcs && weighted) side->weights = wfi_carve(w, "weights", count, wfi_weight_bytes(s->g->weight_type), false);
}

/* Rows of incoming arcs that are at hand need not have been asked for. */
static wfi_rows rows_of(const wfi_spread *s, const wfi_part *p, bool in) {
    const wfi_rows *hand = wfi_in_at_hand(s->g);
    if (!in) return p->out;
    return p->in.offsets || !hand ? p->in : wfi_part_rows(p, hand);
}

static weft_status upload(weft_ctx *ctx, const wfi_spread *s, bool in, wfi_device_side *side) {
    size_t each = wfi_weight_bytes(s->g->weight_type);
    uint64_t at = 0, row = 0;
    weft_status st = WEFT_OK;
    for (size_t b = 0; b < s->blocks && !st; b++) {
        const wfi_part *p = &s->part[b];
        weft_vid count = p->end - p->first;
        wfi_rank_rows *to = &side->part[b];
        *to = (wfi_rank_rows){.count = count};
        if (!count) continue; /* then its offsets may not be here */
        wfi_rows from = rows_of(s, p, in);
        weft_eid base = from.offsets[0], arcs = from.offsets[count] - base;
        to->offsets = side->offsets + row;
        to->base = base;
        st = wfi_upload(ctx, side->offsets + row, from.offsets, ((size_t)count + 1) * sizeof *from.offsets);
        row += (uint64_t)count + 1;
        if (!side->targets || !arcs) continue;
        to->targets = side->targets + at;
        if (!st) st = wfi_upload(ctx, side->targets + at, from.targets + base, arcs * sizeof *from.targets);
        if (side->weights && from.weights) {
            char *weights = (char *)side->weights + at * each;
            to->weights = weights;
            if (!st) st = wfi_upload(ctx, weights, (const char *)from.weights + base * each, arcs * each);
        }
        at += arcs;
    }
    return st;
}

weft_status wfi_device_rows_send(weft_ctx *ctx, const wfi_spread *s, bool in, wfi_device_side *side) {
    wfi_rows_there *there = &s->there[in];
    if (there->offsets == side->offsets && side->offsets) {
        memcpy(side->part, there->part, sizeof side->part);
        return WEFT_OK;
    }
    there->offsets = NULL;
    weft_status st = upload(ctx, s, in, side);
    if (st) return st;
    memcpy(there->part, side->part, sizeof there->part);
    there->offsets = side->offsets;
    return WEFT_OK;
}
