/* See device.h. */
#include "ranks/device.h"

#include <string.h>

weft_eid wfi_device_in_arcs(const wfi_spread *s) {
    const wfi_view *in = wfi_in_at_hand(s->g);
    weft_eid arcs = 0;
    if (!in) return s->in_arcs;
    for (size_t b = 0; b < s->blocks; b++)
        if (s->part[b].first < s->part[b].end) arcs += in->offsets[s->part[b].end] - in->offsets[s->part[b].first];
    return arcs;
}

void wfi_device_rows_lay_out(wfi_workspace *w, const wfi_spread *s, bool in, bool arcs, bool weighted, wfi_view *side) {
    weft_eid count = in ? wfi_device_in_arcs(s) : s->arcs;
    memset(side, 0, WFI_MOST_BLOCKS * sizeof *side);
    wfi_array(w, &side->offsets, (uint64_t)s->vertices + s->blocks);
    if (arcs) wfi_array(w, &side->targets, count);
    if (arcs && weighted) side->weights = wfi_carve(w, "weights", count, wfi_weight_bytes(s->g->weight_type), false);
}

/* The rows at hand if the spread has not made any. */
static wfi_view rows_of(const wfi_spread *s, const wfi_part *p, bool in) {
    const wfi_view *hand = wfi_in_at_hand(s->g);
    if (!in) return p->out;
    return p->in.offsets || !hand ? p->in : wfi_part_rows(p, hand);
}

static weft_status upload(weft_ctx *ctx, const wfi_spread *s, bool in, wfi_view *side) {
    size_t each = wfi_weight_bytes(s->g->weight_type);
    wfi_view to = *side;
    weft_status st = WEFT_OK;
    to.n = s->g->n;
    to.type = s->g->weight_type;
    for (size_t b = 0; b < s->blocks && !st; b++) {
        const wfi_part *p = &s->part[b];
        weft_eid arcs = 0;
        to.first = p->first;
        to.count = p->end - p->first;
        if (to.count) { /* without rows the offsets may be on another rank */
            wfi_view from = rows_of(s, p, in);
            to.base = from.offsets[0];
            arcs = from.offsets[to.count] - to.base;
            if (!from.weights) to.weights = NULL;
            st = wfi_upload(ctx, wfi_own_offsets(&to), from.offsets, ((size_t)to.count + 1) * sizeof *from.offsets);
            if (!st && to.targets)
                st = wfi_upload(ctx, wfi_own_targets(&to), from.targets + to.base, arcs * sizeof *from.targets);
            if (!st && to.weights)
                st = wfi_upload(ctx, wfi_own_weights(&to), (const char *)from.weights + to.base * each, arcs * each);
        }
        side[b] = to;
        if (to.count) to.offsets += (size_t)to.count + 1;
        if (to.targets) to.targets += arcs;
        if (to.weights) to.weights = (const char *)to.weights + arcs * each;
    }
    return st;
}

weft_status wfi_device_rows_send(weft_ctx *ctx, const wfi_spread *s, bool in, wfi_view *side) {
    wfi_view *there = s->there[in];
    size_t bytes = WFI_MOST_BLOCKS * sizeof *side;
    if (there->offsets == side->offsets && side->offsets) {
        memcpy(side, there, bytes);
        return WEFT_OK;
    }
    there->offsets = NULL;
    weft_status st = upload(ctx, s, in, side);
    if (!st) memcpy(there, side, bytes);
    return st;
}
