/* See slab.h. */
#include "dynamic/slab.h"

#include <pthread.h>

enum { LEAST = 1 << 14, LARGEST = 2 << 20, HEADER = 128 /* of wfi_take */, MOST_PARKED = 64 };

struct wfi_slab {
    char *base;
    uint32_t units;
    _Atomic int32_t free; /* units; momentarily too low, because bits are cleared first */
    /* Accessed by the owner, or under the lock. */
    uint32_t cursor;    /* next position to search */
    uint32_t too_large; /* units of the last request that did not fit; UINT32_MAX: none */
    int32_t free_then;  /* free units at that request */
    bool owned;
    _Atomic uint64_t taken[]; /* a bit per unit */
};

struct wfi_slab_allocator {
    pthread_mutex_t lock;
    wfi_slab **slab;
    size_t slabs, capacity;
    wfi_slab *parked[MOST_PARKED]; /* owned, without a current user */
    unsigned parks;
    uint64_t bytes, freed; /* bytes of all slabs; bytes freed since the last trim */
};

wfi_slab_allocator *wfi_slabs_new(weft_ctx *ctx) {
    wfi_slab_allocator *a = wfi_take_zeroed(ctx, 1, sizeof *a);
    if (a) pthread_mutex_init(&a->lock, NULL);
    return a;
}

static void free_slab(wfi_slab *s) { WFI_FREE(s->base, s); }

void wfi_slabs_free(wfi_slab_allocator *a) {
    if (!a) return;
    for (size_t i = 0; i < a->slabs; i++) free_slab(a->slab[i]);
    wfi_free(a->slab);
    pthread_mutex_destroy(&a->lock);
    wfi_free(a);
}

/* --- units ---------------------------------------------------------------------- */

static uint64_t taken_at(const wfi_slab *s, uint32_t unit) {
    return atomic_load_explicit(&s->taken[unit / 64], memory_order_acquire) >> unit % 64;
}

/* The end of the free run from `unit` on, searched up to `wanted` units. */
static uint32_t run_end(const wfi_slab *s, uint32_t unit, uint32_t wanted) {
    uint32_t at = unit;
    while (at < s->units && at - unit < wanted) {
        uint64_t taken = taken_at(s, at);
        if (taken) return at + (uint32_t)__builtin_ctzll(taken);
        at += 64 - at % 64;
    }
    return at < s->units ? at : s->units;
}

static bool find(const wfi_slab *s, uint32_t from, uint32_t wanted, uint32_t *found) {
    for (uint32_t at = from; at + wanted <= s->units;) {
        uint64_t taken = taken_at(s, at), vacant = ~taken & (UINT64_MAX >> at % 64);
        if (!vacant) {
            at += 64 - at % 64;
            continue;
        }
        at += (uint32_t)__builtin_ctzll(vacant);
        uint32_t stop = run_end(s, at, wanted);
        if (stop >= at + wanted) {
            *found = at;
            return true;
        }
        at = stop + 1;
    }
    return false;
}

/* The bits of units first ... first + count - 1 in word w. */
static uint64_t bits_in(uint32_t w, uint32_t first, uint32_t count) {
    uint32_t low = first > w * 64 ? first - w * 64 : 0, high = first + count - w * 64;
    return (high < 64 ? ((uint64_t)1 << high) - 1 : UINT64_MAX) & UINT64_MAX << low;
}

static void *take_units(wfi_slab *s, uint32_t wanted) {
    uint32_t at;
    if (atomic_load_explicit(&s->free, memory_order_relaxed) < (int32_t)wanted) return NULL;
    if (!find(s, s->cursor, wanted, &at) && !find(s, 0, wanted, &at)) return NULL;
    for (uint32_t w = at / 64; w <= (at + wanted - 1) / 64; w++)
        atomic_fetch_or_explicit(&s->taken[w], bits_in(w, at, wanted), memory_order_relaxed);
    atomic_fetch_sub_explicit(&s->free, (int32_t)wanted, memory_order_relaxed);
    s->cursor = at + wanted < s->units ? at + wanted : 0;
    return s->base + (size_t)at * WFI_SLAB_UNIT;
}

/* Counts the units as free last: after that, the slab may be freed. */
void wfi_slab_give(wfi_slab *s, void *block, size_t bytes) {
    uint32_t at = (uint32_t)((size_t)((char *)block - s->base) / WFI_SLAB_UNIT);
    uint32_t count = (uint32_t)(wfi_in_units(bytes) / WFI_SLAB_UNIT);
    for (uint32_t w = at / 64; w <= (at + count - 1) / 64; w++)
        atomic_fetch_and_explicit(&s->taken[w], ~bits_in(w, at, count), memory_order_release);
    atomic_fetch_add_explicit(&s->free, (int32_t)count, memory_order_release);
}

/* --- slabs ---------------------------------------------------------------------- */

/* Geometric growth by a quarter, so that small graphs stay small. */
static size_t next_size(const wfi_slab_allocator *a, size_t bytes) {
    size_t size = LEAST;
    while (size < LARGEST && (size < a->bytes / 4 || size < 4 * bytes)) size *= 2;
    return size;
}

/* Called without the lock, because the system may take its time. */
static wfi_slab *new_slab(weft_ctx *ctx, size_t size) {
    uint32_t units = (uint32_t)((size - HEADER) / WFI_SLAB_UNIT), words = units / 64 + 1;
    wfi_slab *s = wfi_take_zeroed(ctx, 1, sizeof *s + words * sizeof *s->taken);
    if (!s) return NULL;
    s->base = wfi_take(ctx, size - HEADER, 1);
    if (!s->base) {
        wfi_free(s);
        return NULL;
    }
    s->units = units;
    s->owned = true;
    s->too_large = UINT32_MAX;
    atomic_init(&s->free, (int32_t)units);
    return s;
}

static weft_status add_slab(weft_ctx *ctx, wfi_slab_allocator *a, wfi_slab *s) {
    weft_status st = wfi_reserve_one(ctx, &a->slab, a->slabs, &a->capacity);
    if (st) return st;
    a->slab[a->slabs++] = s;
    a->bytes += (uint64_t)s->units * WFI_SLAB_UNIT;
    return WEFT_OK;
}

/* False if a search would probably fail: a smaller request failed there and less than a sixteenth was freed since. */
static bool may_have(const wfi_slab *s, uint32_t wanted) {
    int32_t vacant = atomic_load_explicit(&s->free, memory_order_relaxed), part = (int32_t)s->units / 16;
    return vacant >= (int32_t)wanted && vacant >= part && (wanted < s->too_large || vacant >= s->free_then + part);
}

/* A parked slab, or the one with most free units. */
static wfi_slab *choose(wfi_slab_allocator *a, uint32_t wanted) {
    wfi_slab *best = NULL;
    int32_t most = 0;
    for (unsigned i = a->parks; i--;) {
        wfi_slab *s = a->parked[i];
        if (!may_have(s, wanted)) continue;
        a->parked[i] = a->parked[--a->parks];
        return s;
    }
    for (size_t i = 0; i < a->slabs; i++) {
        wfi_slab *s = a->slab[i];
        int32_t vacant = atomic_load_explicit(&s->free, memory_order_relaxed);
        if (s->owned || vacant <= most || !may_have(s, wanted)) continue;
        best = s;
        most = vacant;
    }
    if (best) best->owned = true;
    return best;
}

static weft_status next_slab(weft_ctx *ctx, wfi_slab_allocator *a, size_t bytes, uint32_t wanted, wfi_slab **mine) {
    pthread_mutex_lock(&a->lock);
    if (*mine) {
        (*mine)->too_large = wanted;
        (*mine)->free_then = atomic_load_explicit(&(*mine)->free, memory_order_relaxed);
        (*mine)->owned = false;
    }
    wfi_slab *s = *mine = choose(a, wanted);
    if (s && wanted >= s->too_large) s->too_large = UINT32_MAX;
    size_t size = next_size(a, bytes);
    pthread_mutex_unlock(&a->lock);
    if (s) return WEFT_OK;
    s = new_slab(ctx, size);
    if (!s) return WEFT_ENOMEM;
    pthread_mutex_lock(&a->lock);
    weft_status st = add_slab(ctx, a, s);
    pthread_mutex_unlock(&a->lock);
    if (st)
        free_slab(s);
    else
        *mine = s;
    return st;
}

void *wfi_slab_take(weft_ctx *ctx, wfi_slab_allocator *a, wfi_slab **mine, size_t bytes) {
    uint32_t wanted = (uint32_t)(wfi_in_units(bytes) / WFI_SLAB_UNIT);
    for (;;) {
        void *block = *mine ? take_units(*mine, wanted) : NULL;
        if (block) return block;
        if (next_slab(ctx, a, bytes, wanted, mine)) return NULL;
    }
}

void wfi_slab_park(wfi_slab_allocator *a, wfi_slab **mine) {
    wfi_slab *s = *mine;
    if (!s) return;
    *mine = NULL;
    pthread_mutex_lock(&a->lock);
    if (a->parks < MOST_PARKED)
        a->parked[a->parks++] = s;
    else
        s->owned = false;
    pthread_mutex_unlock(&a->lock);
}

static bool is_empty(const wfi_slab *s) {
    return atomic_load_explicit(&s->free, memory_order_acquire) == (int32_t)s->units;
}

static void free_empty(wfi_slab_allocator *a) {
    uint64_t spare = 0, most = a->bytes / 3;
    size_t kept = 0;
    for (unsigned i = a->parks; i--;) {
        if (!is_empty(a->parked[i])) continue;
        a->parked[i]->owned = false;
        a->parked[i] = a->parked[--a->parks];
    }
    for (size_t i = 0; i < a->slabs; i++) {
        wfi_slab *s = a->slab[i];
        uint64_t bytes = (uint64_t)s->units * WFI_SLAB_UNIT;
        bool empty = !s->owned && is_empty(s);
        if (empty && spare + bytes > most) {
            a->bytes -= bytes;
            free_slab(s);
            continue;
        }
        spare += empty ? bytes : 0;
        a->slab[kept++] = s;
    }
    a->slabs = kept;
}

void wfi_slabs_trim(wfi_slab_allocator *a, uint64_t freed) {
    pthread_mutex_lock(&a->lock);
    a->freed += freed;
    if (a->freed > a->bytes / 16) {
        a->freed = 0;
        free_empty(a);
    }
    pthread_mutex_unlock(&a->lock);
}
