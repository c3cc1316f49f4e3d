/* See slot_ids.h. */
#include "dynamic/slot_ids.h"

#include <string.h>

wfi_slot_ids *wfi_slot_ids_keep(wfi_slot_ids *ids) {
    atomic_fetch_add(&ids->holders, 1);
    return ids;
}

void wfi_slot_ids_drop(wfi_slot_ids *ids) {
    if (!ids || atomic_fetch_sub(&ids->holders, 1) != 1) return;
    wfi_free(ids->number);
    wfi_free(ids->start);
    wfi_free(ids->text);
    wfi_free(ids);
}

static wfi_slot_ids *with_room(weft_ctx *ctx, const wfi_slot_ids *like, uint64_t room, uint64_t text_room) {
    wfi_slot_ids *ids = wfi_take_zeroed(ctx, 1, sizeof *ids);
    if (!ids) return NULL;
    atomic_init(&ids->holders, 1);
    ids->names = like->names;
    ids->dense = like->dense;
    ids->base = like->base;
    ids->room = room;
    ids->text_room = text_room;
    weft_status st;
    if (ids->names) {
        st = wfi_alloc(ctx, &ids->start, room + 1);
        if (!st) ids->start[0] = 0;
        if (!st) st = wfi_alloc(ctx, &ids->text, text_room);
    } else {
        st = wfi_alloc(ctx, &ids->number, room);
    }
    if (st) wfi_slot_ids_drop(ids);
    return st ? NULL : ids;
}

wfi_slot_ids *wfi_slot_ids_new(weft_ctx *ctx, bool names, const weft_graph *base) {
    wfi_slot_ids like = {.names = names};
    if (!base) return with_room(ctx, &like, 0, 0);
    const wfi_ids *given = &base->ids;
    weft_vid n = base->n;
    like.names = given->kind == WEFT_IDS_STRING;
    if (given->kind == WEFT_IDS_DENSE) {
        like.dense = n;
        like.base = given->base;
        return with_room(ctx, &like, 0, 0);
    }
    wfi_slot_ids *ids = with_room(ctx, &like, n, like.names ? given->start[n] : 0);
    if (!ids) return NULL;
    if (ids->names) {
        memcpy(ids->start, given->start, ((size_t)n + 1) * sizeof *ids->start);
        memcpy(ids->text, given->text, (size_t)given->start[n]);
    } else {
        memcpy(ids->number, given->number, (size_t)n * sizeof *ids->number);
    }
    return ids;
}

weft_status wfi_slot_ids_room(weft_ctx *ctx, wfi_slot_ids **place, weft_vid slots, size_t bytes) {
    wfi_slot_ids *old = *place;
    uint64_t used = slots - old->dense, text = old->names ? old->start[used] : 0;
    if (used < old->room && text + bytes <= old->text_room) return WEFT_OK;
    uint64_t room = used < old->room ? old->room : used + used / 2 + 64;
    uint64_t text_room = !old->names ? 0 : wfi_max_u64(old->text_room, text + text / 2 + bytes + 1024);
    wfi_slot_ids *ids = with_room(ctx, old, room, text_room);
    if (!ids) return WEFT_ENOMEM;
    if (ids->names) {
        memcpy(ids->start, old->start, (size_t)(used + 1) * sizeof *ids->start);
        memcpy(ids->text, old->text, (size_t)text);
    } else if (used) {
        memcpy(ids->number, old->number, (size_t)used * sizeof *ids->number);
    }
    wfi_slot_ids_drop(old);
    *place = ids;
    return WEFT_OK;
}

int wfi_slot_compare(const wfi_slot_ids *ids, weft_vid a, weft_vid b) {
    if (!ids->names) {
        int64_t x = wfi_slot_number(ids, a), y = wfi_slot_number(ids, b);
        return (x > y) - (x < y);
    }
    uint64_t p = ids->start[a], q = ids->start[b], long_a = ids->start[a + 1] - p, long_b = ids->start[b + 1] - q;
    int order = memcmp(ids->text + p, ids->text + q, (size_t)wfi_min_u64(long_a, long_b));
    return order ? order : (long_a > long_b) - (long_a < long_b);
}
