/* The arrays of a batch: see batch.h. */
#include "dynamic/batch.h"

#include <string.h>

void wfi_kept_free(wfi_kept *k) {
    if (!k) return;
    wfi_free(k->source);
    wfi_free(k->target);
    wfi_free(k->key);
    wfi_free(k->what);
    wfi_free(k->sort.key);
    wfi_free(k->sort.value);
    wfi_free(k->sort.places);
    wfi_free(k->placed);
    for (int i = 0; i < k->parts; i++) {
        wfi_free(k->part[i].edits);
        wfi_maker_end(&k->part[i].maker);
    }
    wfi_free(k->part);
    wfi_free(k);
}

/* Each change may be two arcs, and each arc of another group, which may be noted. */
static wfi_kept *keep(weft_ctx *ctx, uint64_t room) {
    wfi_kept *k = wfi_take_zeroed(ctx, 1, sizeof *k);
    if (!k) return NULL;
    k->room = room;
    weft_status st = wfi_alloc(ctx, &k->source, room);
    if (!st) st = wfi_alloc(ctx, &k->target, room);
    if (!st) st = wfi_alloc(ctx, &k->key, 2 * room);
    if (!st) st = wfi_alloc(ctx, &k->what, 2 * room);
    if (!st) st = wfi_alloc(ctx, &k->sort.key, 2 * room);
    if (!st) st = wfi_alloc(ctx, &k->sort.value, 2 * room);
    if (!st) st = wfi_alloc(ctx, &k->sort.places, WFI_SORT_PLACES);
    if (!st) st = wfi_alloc(ctx, &k->placed, 4 * room);
    if (st) wfi_kept_free(k);
    return st ? NULL : k;
}

weft_status wfi_kept_parts(weft_ctx *ctx, wfi_kept *k, int parts) {
    if (parts <= k->parts) return WEFT_OK;
    wfi_merge *part = wfi_resize(ctx, k->part, (size_t)parts, sizeof *part);
    if (!part) return WEFT_ENOMEM;
    memset(part + k->parts, 0, (size_t)(parts - k->parts) * sizeof *part);
    k->part = part;
    k->parts = parts;
    return WEFT_OK;
}

int wfi_pace_choose(wfi_pace *pace, int threads) {
    if (pace->alone_us > 0 && !pace->left) return threads;
    if (pace->left) pace->left--;
    return 1;
}

/* While a team wins, what is known of one thread grows old, and counts for less. */
void wfi_pace_learn(wfi_pace *pace, int threads, size_t groups, double us) {
    enum { MOST = 1 << 14, FIRST = 8 };
    double each = groups ? us / (double)groups : 0;
    if (threads == 1) {
        pace->alone_us = pace->alone_us > 0 ? 0.75 * pace->alone_us + 0.25 * each : each;
    } else if (each > pace->alone_us) {
        pace->aside = (uint32_t)wfi_min_u64(2 * pace->aside + FIRST, MOST);
        pace->left = pace->aside;
    } else {
        pace->aside = 0;
        pace->alone_us *= 1.01;
    }
}

/* Fresh pages for the list would take a good part of what a batch of some ten thousand changes takes. */
weft_status wfi_list_take(weft_ctx *ctx, weft_dynamic *d, size_t groups, wfi_placed **list) {
    if (d->list && wfi_block_bytes(d->list) >= groups * sizeof **list) {
        *list = d->list;
        d->list = NULL;
        return WEFT_OK;
    }
    return wfi_alloc(ctx, list, groups + groups / 8);
}

void wfi_list_give(weft_dynamic *d, wfi_placed *list) {
    static const size_t MOST = (size_t)16 << 20;
    if (!list) return;
    if (wfi_block_bytes(list) > MOST) {
        wfi_free(list);
        return;
    }
    wfi_free(d->list);
    d->list = list;
}

/* Fresh pages for each batch would take longer than the GPU does. */
static weft_status lend_gpu_room(wfi_batch *b) {
    weft_dynamic *d = b->d;
    uint64_t count = b->given->count;
    if (count > d->gpu_room || !d->gpu_source) {
        wfi_free(d->gpu_source);
        wfi_free(d->gpu_target);
        d->gpu_source = d->gpu_target = NULL;
        weft_status st = wfi_alloc(b->ctx, &d->gpu_source, count);
        if (!st) st = wfi_alloc(b->ctx, &d->gpu_target, count);
        if (st) return st;
        d->gpu_room = count;
    }
    b->lent = true;
    b->source = d->gpu_source;
    b->target = d->gpu_target;
    return WEFT_OK;
}

weft_status wfi_batch_begin(wfi_batch *b) {
    uint64_t count = b->given->count, room = 64;
    if (b->d->store->on_gpu) return lend_gpu_room(b);
    if (count > WFI_KEPT_MOST) return WEFT_OK;
    wfi_kept **place = &b->d->kept;
    while (room < count) room *= 2;
    if (!*place || (*place)->room < count) {
        wfi_kept *larger = keep(b->ctx, room);
        if (!larger) return WEFT_ENOMEM;
        wfi_kept_free(*place);
        *place = larger;
    }
    b->kept = *place;
    b->lent = true;
    b->source = b->kept->source;
    b->target = b->kept->target;
    b->changes.key = b->kept->key;
    b->changes.what = b->kept->what;
    return WEFT_OK;
}

void wfi_batch_end(wfi_batch *b) {
    wfi_free(b->removal);
    wfi_free(b->changes.removed);
    if (!b->lent) {
        wfi_free(b->source);
        wfi_free(b->target);
    }
    if (b->kept) return;
    wfi_free(b->changes.key);
    wfi_free(b->changes.what);
}
