/* Buffers of a batch, reused by the next one; choice of one thread or all for small batches. See batch.h. */
#include "cuda/device.h"
#include "dynamic/batch.h"

#include <string.h>

void wfi_small_buffers_free(wfi_small_buffers *k) {
    if (!k) return;
    WFI_FREE(k->source, k->target, k->key, k->what, k->sort.key, k->sort.value, k->sort.places, k->placed);
    for (int i = 0; i < k->parts; i++) {
        wfi_free(k->part[i].edits);
        wfi_maker_end(&k->part[i].maker);
    }
    WFI_FREE(k->part, k);
}

/* A change may be two arcs, each in another group. */
static wfi_small_buffers *small_new(weft_ctx *ctx, uint64_t capacity) {
    wfi_small_buffers *k = wfi_take_zeroed(ctx, 1, sizeof *k);
    if (!k) return NULL;
    k->capacity = capacity;
    weft_status st = wfi_alloc(ctx, &k->source, capacity);
    if (!st) st = wfi_alloc(ctx, &k->target, capacity);
    if (!st) st = wfi_alloc(ctx, &k->key, 2 * capacity);
    if (!st) st = wfi_alloc(ctx, &k->what, 2 * capacity);
    if (!st) st = wfi_alloc(ctx, &k->sort.key, 2 * capacity);
    if (!st) st = wfi_alloc(ctx, &k->sort.value, 2 * capacity);
    if (!st) st = wfi_alloc(ctx, &k->sort.places, WFI_SORT_PLACES);
    if (!st) st = wfi_alloc(ctx, &k->placed, 4 * capacity);
    if (st) wfi_small_buffers_free(k);
    return st ? NULL : k;
}

weft_status wfi_small_buffers_parts(weft_ctx *ctx, wfi_small_buffers *k, int parts) {
    if (parts <= k->parts) return WEFT_OK;
    if (wfi_widen(ctx, &k->part, (size_t)parts)) return WEFT_ENOMEM;
    memset(k->part + k->parts, 0, (size_t)(parts - k->parts) * sizeof *k->part);
    k->parts = parts;
    return WEFT_OK;
}

int wfi_team_choice_choose(wfi_team_choice *team, int threads) {
    if (team->alone_us > 0 && !team->left) return threads;
    if (team->left) team->left--;
    return 1;
}

static double averaged(double of_late, double now) { return of_late > 0 ? 0.875 * of_late + 0.125 * now : now; }

/* A delayed batch counts as at most four times the time of one thread. While the team wins, the time of one thread
 * slowly grows, so that it is measured again. */
void wfi_team_choice_learn(wfi_team_choice *team, int threads, size_t groups, double us) {
    enum { MOST = 1 << 14, FIRST = 8 };
    double each = groups ? us / (double)groups : 0;
    if (threads == 1) {
        team->alone_us = averaged(team->alone_us, each);
        return;
    }
    double most = 4 * team->alone_us;
    team->team_us = averaged(team->team_us, each < most ? each : most);
    if (team->team_us > team->alone_us) {
        team->backoff = (uint32_t)wfi_min_u64(2 * team->backoff + FIRST, MOST);
        team->left = team->backoff;
        team->team_us = 0;
    } else if (each < team->alone_us) {
        team->backoff = 0;
        team->alone_us *= 1.002;
    }
}

void wfi_large_buffers_free(wfi_large_buffers *s) {
    if (!s) return;
    WFI_FREE(s->key, s->what, s->sort.key, s->sort.value, s->sort.places, s);
}

static bool serves(const wfi_large_buffers *s, uint64_t keys, size_t places, bool values) {
    return s && s->capacity >= keys && s->capacity / 64 <= keys && s->places >= places && (s->what || !values);
}

weft_status wfi_large_buffers_take(wfi_batch *b, uint64_t keys) {
    wfi_large_buffers *s = b->large ? b->large : b->d->large;
    bool values = !b->changes.shift;
    size_t places = wfi_sort_places(b->ctx, keys);
    weft_status st = WEFT_OK;
    b->large = b->d->large = NULL;
    if (!serves(s, keys, places, values)) {
        wfi_large_buffers_free(s);
        st = wfi_alloc_zeroed(b->ctx, &s, 1);
        if (st) return st;
        s->capacity = keys;
        s->places = places;
        st = wfi_alloc(b->ctx, &s->key, keys);
        if (!st) st = wfi_alloc(b->ctx, &s->sort.key, keys);
        if (!st) st = wfi_alloc(b->ctx, &s->sort.places, places);
        if (!st && values) st = wfi_alloc(b->ctx, &s->what, keys);
        if (!st && values) st = wfi_alloc(b->ctx, &s->sort.value, keys);
        if (st) {
            wfi_large_buffers_free(s);
            return st;
        }
    }
    b->large = s;
    b->changes.key = s->key;
    b->changes.what = values ? s->what : NULL;
    return WEFT_OK;
}

/* Where memory is tight nothing is kept. */
static void give_large(wfi_batch *b) {
    wfi_large_buffers *s = b->large;
    if (!s) return;
    uint64_t bytes = s->capacity * (s->what ? 24 : 16);
    if (bytes <= b->d->store->bytes && !wfi_memory_is_tight(wfi_ctx_memory(b->ctx)))
        b->d->large = s;
    else
        wfi_large_buffers_free(s);
}

/* Fresh pages for the list would take a large part of the time of a batch of some ten thousand changes. */
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

/* Pins the block if possible, so that the GPU can copy from it directly. */
static void pin(weft_ctx *ctx, void *block) {
    wfi_pool_care care = wfi_cuda_care(ctx);
    if (!care.by) return;
    care.ready(care.by, block);
    care.drop(care.by);
}

/* Fresh pages for each batch would take longer than the GPU. */
static weft_status take_gpu_slots(wfi_batch *b) {
    enum {
        SOME = 1 << 12,
        MANY = 1 << 19
    }; /* below SOME changes pinning does not pay; a block for MANY changes can
                                              * be pinned */
    weft_dynamic *d = b->d;
    uint64_t count = b->given->count;
    if (count > d->gpu_capacity || !d->gpu_slots) {
        wfi_free(d->gpu_slots);
        d->gpu_slots = NULL;
        d->gpu_capacity = count > SOME && count < MANY ? MANY : count;
        weft_status st = wfi_alloc(b->ctx, &d->gpu_slots, 2 * d->gpu_capacity);
        if (st) return st;
    }
    if (count > SOME && !wfi_block_pinned(d->gpu_slots)) pin(b->ctx, d->gpu_slots);
    b->lent = true;
    b->source = d->gpu_slots;
    b->target = d->gpu_slots + d->gpu_capacity;
    return WEFT_OK;
}

weft_status wfi_batch_begin(wfi_batch *b) {
    uint64_t count = b->given->count, capacity = 64;
    if (b->d->store->on_gpu) return take_gpu_slots(b);
    if (count > WFI_SMALL_BATCH) return WEFT_OK;
    wfi_small_buffers **place = &b->d->small;
    while (capacity < count) capacity *= 2;
    if (!*place || (*place)->capacity < count) {
        wfi_small_buffers *larger = small_new(b->ctx, capacity);
        if (!larger) return WEFT_ENOMEM;
        wfi_small_buffers_free(*place);
        *place = larger;
    }
    b->small = *place;
    b->lent = true;
    b->source = b->small->source;
    b->target = b->small->target;
    b->changes.key = b->small->key;
    b->changes.what = b->small->what;
    return WEFT_OK;
}

void wfi_batch_end(wfi_batch *b) {
    WFI_FREE(b->removal, b->changes.removed);
    if (!b->lent) WFI_FREE(b->source, b->target);
    give_large(b);
}
