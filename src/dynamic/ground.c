/* See ground.h. */
#include "dynamic/ground.h"

#include <pthread.h>

enum { LEAST = 1 << 14, LARGEST = 2 << 20, HEADER = 128 /* of wfi_take */, LEFT = 64 };

struct wfi_plot {
    char *base;
    uint32_t cells;
    _Atomic int32_t free; /* cells; for an instant less than there are, as bits are cleared first */
    /* The owner's, or under the lock. */
    uint32_t cursor; /* where it looks next */
    uint32_t failed; /* the fewest cells for which no stretch was long enough; UINT32_MAX: none of late */
    int32_t tired;   /* free cells then */
    bool owned;
    _Atomic uint64_t taken[]; /* a bit a cell */
};

struct wfi_ground {
    pthread_mutex_t lock;
    wfi_plot **plot;
    size_t plots, room;
    wfi_plot *left[LEFT]; /* by those who may come back; owned by nobody else */
    unsigned lefts;
    uint64_t bytes, given; /* of all plots; given back since the last look */
};

wfi_ground *wfi_ground_new(weft_ctx *ctx) {
    wfi_ground *g = wfi_take_zeroed(ctx, 1, sizeof *g);
    if (g) pthread_mutex_init(&g->lock, NULL);
    return g;
}

static void free_plot(wfi_plot *p) {
    wfi_free(p->base);
    wfi_free(p);
}

void wfi_ground_free(wfi_ground *g) {
    if (!g) return;
    for (size_t i = 0; i < g->plots; i++) free_plot(g->plot[i]);
    wfi_free(g->plot);
    pthread_mutex_destroy(&g->lock);
    wfi_free(g);
}

/* --- cells ---------------------------------------------------------------------- */

static uint64_t taken_at(const wfi_plot *p, uint32_t cell) {
    return atomic_load_explicit(&p->taken[cell / 64], memory_order_acquire) >> cell % 64;
}

/* The end of the free stretch from `cell` on, as far as it matters. */
static uint32_t stretch_end(const wfi_plot *p, uint32_t cell, uint32_t wanted) {
    uint32_t at = cell;
    while (at < p->cells && at - cell < wanted) {
        uint64_t taken = taken_at(p, at);
        if (taken) return at + (uint32_t)__builtin_ctzll(taken);
        at += 64 - at % 64;
    }
    return at < p->cells ? at : p->cells;
}

static bool find(const wfi_plot *p, uint32_t from, uint32_t wanted, uint32_t *found) {
    for (uint32_t at = from; at + wanted <= p->cells;) {
        uint64_t taken = taken_at(p, at), vacant = ~taken & (UINT64_MAX >> at % 64);
        if (!vacant) {
            at += 64 - at % 64;
            continue;
        }
        at += (uint32_t)__builtin_ctzll(vacant);
        uint32_t stop = stretch_end(p, at, wanted);
        if (stop >= at + wanted) {
            *found = at;
            return true;
        }
        at = stop + 1;
    }
    return false;
}

/* The bits of cells first ... first + count - 1 in word w. */
static uint64_t bits_in(uint32_t w, uint32_t first, uint32_t count) {
    uint32_t low = first > w * 64 ? first - w * 64 : 0, high = first + count - w * 64;
    return (high < 64 ? ((uint64_t)1 << high) - 1 : UINT64_MAX) & UINT64_MAX << low;
}

static void *take_cells(wfi_plot *p, uint32_t wanted) {
    uint32_t at;
    if (atomic_load_explicit(&p->free, memory_order_relaxed) < (int32_t)wanted) return NULL;
    if (!find(p, p->cursor, wanted, &at) && !find(p, 0, wanted, &at)) return NULL;
    for (uint32_t w = at / 64; w <= (at + wanted - 1) / 64; w++)
        atomic_fetch_or_explicit(&p->taken[w], bits_in(w, at, wanted), memory_order_relaxed);
    atomic_fetch_sub_explicit(&p->free, (int32_t)wanted, memory_order_relaxed);
    p->cursor = at + wanted < p->cells ? at + wanted : 0;
    return p->base + (size_t)at * WFI_CELL;
}

/* Once the cells are counted as free, the plot may go. */
void wfi_plot_give(wfi_plot *p, void *block, size_t bytes) {
    uint32_t at = (uint32_t)((size_t)((char *)block - p->base) / WFI_CELL);
    uint32_t count = (uint32_t)(wfi_in_cells(bytes) / WFI_CELL);
    for (uint32_t w = at / 64; w <= (at + count - 1) / 64; w++)
        atomic_fetch_and_explicit(&p->taken[w], ~bits_in(w, at, count), memory_order_release);
    atomic_fetch_add_explicit(&p->free, (int32_t)count, memory_order_release);
}

/* --- plots ---------------------------------------------------------------------- */

/* A quarter of what is there, so that small graphs stay small. */
static size_t next_size(const wfi_ground *g, size_t bytes) {
    size_t size = LEAST;
    while (size < LARGEST && (size < g->bytes / 4 || size < 4 * bytes)) size *= 2;
    return size;
}

/* Its memory is asked for without the lock, which others wait for. */
static wfi_plot *new_plot(weft_ctx *ctx, size_t size) {
    uint32_t cells = (uint32_t)((size - HEADER) / WFI_CELL), words = cells / 64 + 1;
    wfi_plot *p = wfi_take_zeroed(ctx, 1, sizeof *p + words * sizeof *p->taken);
    if (!p) return NULL;
    p->base = wfi_take(ctx, size - HEADER, 1);
    if (!p->base) {
        wfi_free(p);
        return NULL;
    }
    p->cells = cells;
    p->owned = true;
    p->failed = UINT32_MAX;
    atomic_init(&p->free, (int32_t)cells);
    return p;
}

static weft_status add_plot(weft_ctx *ctx, wfi_ground *g, wfi_plot *p) {
    if (g->plots == g->room) {
        size_t room = 2 * g->room + 16;
        wfi_plot **plot = wfi_resize(ctx, g->plot, room, sizeof *plot);
        if (!plot) return WEFT_ENOMEM;
        g->plot = plot;
        g->room = room;
    }
    g->plot[g->plots++] = p;
    g->bytes += (uint64_t)p->cells * WFI_CELL;
    return WEFT_OK;
}

/* Is it worth looking there for so many cells?  Not if there was no stretch for fewer, and little has been given back
 * since. */
static bool may_have(const wfi_plot *p, uint32_t wanted) {
    int32_t vacant = atomic_load_explicit(&p->free, memory_order_relaxed), part = (int32_t)p->cells / 16;
    return vacant >= (int32_t)wanted && vacant >= part && (wanted < p->failed || vacant >= p->tired + part);
}

/* One that was left, or the emptiest. */
static wfi_plot *choose(wfi_ground *g, uint32_t wanted) {
    wfi_plot *best = NULL;
    int32_t most = 0;
    for (unsigned i = g->lefts; i--;) {
        wfi_plot *p = g->left[i];
        if (!may_have(p, wanted)) continue;
        g->left[i] = g->left[--g->lefts];
        return p;
    }
    for (size_t i = 0; i < g->plots; i++) {
        wfi_plot *p = g->plot[i];
        int32_t vacant = atomic_load_explicit(&p->free, memory_order_relaxed);
        if (p->owned || vacant <= most || !may_have(p, wanted)) continue;
        best = p;
        most = vacant;
    }
    if (best) best->owned = true;
    return best;
}

static weft_status next_plot(weft_ctx *ctx, wfi_ground *g, size_t bytes, uint32_t wanted, wfi_plot **mine) {
    pthread_mutex_lock(&g->lock);
    if (*mine) {
        (*mine)->failed = wanted;
        (*mine)->tired = atomic_load_explicit(&(*mine)->free, memory_order_relaxed);
        (*mine)->owned = false;
    }
    wfi_plot *p = *mine = choose(g, wanted);
    if (p && wanted >= p->failed) p->failed = UINT32_MAX;
    size_t size = next_size(g, bytes);
    pthread_mutex_unlock(&g->lock);
    if (p) return WEFT_OK;
    p = new_plot(ctx, size);
    if (!p) return WEFT_ENOMEM;
    pthread_mutex_lock(&g->lock);
    weft_status st = add_plot(ctx, g, p);
    pthread_mutex_unlock(&g->lock);
    if (st)
        free_plot(p);
    else
        *mine = p;
    return st;
}

void *wfi_plot_take(weft_ctx *ctx, wfi_ground *g, wfi_plot **mine, size_t bytes) {
    uint32_t wanted = (uint32_t)(wfi_in_cells(bytes) / WFI_CELL);
    for (;;) {
        void *block = *mine ? take_cells(*mine, wanted) : NULL;
        if (block) return block;
        if (next_plot(ctx, g, bytes, wanted, mine)) return NULL;
    }
}

void wfi_plot_leave(wfi_ground *g, wfi_plot **mine) {
    wfi_plot *p = *mine;
    if (!p) return;
    *mine = NULL;
    pthread_mutex_lock(&g->lock);
    if (g->lefts < LEFT)
        g->left[g->lefts++] = p;
    else
        p->owned = false;
    pthread_mutex_unlock(&g->lock);
}

static bool is_empty(const wfi_plot *p) {
    return atomic_load_explicit(&p->free, memory_order_acquire) == (int32_t)p->cells;
}

static void free_empty_ones(wfi_ground *g) {
    uint64_t spare = 0, most = g->bytes / 3;
    size_t kept = 0;
    for (unsigned i = g->lefts; i--;) {
        if (!is_empty(g->left[i])) continue;
        g->left[i]->owned = false;
        g->left[i] = g->left[--g->lefts];
    }
    for (size_t i = 0; i < g->plots; i++) {
        wfi_plot *p = g->plot[i];
        uint64_t bytes = (uint64_t)p->cells * WFI_CELL;
        bool empty = !p->owned && is_empty(p);
        if (empty && spare + bytes > most) {
            g->bytes -= bytes;
            free_plot(p);
            continue;
        }
        spare += empty ? bytes : 0;
        g->plot[kept++] = p;
    }
    g->plots = kept;
}

void wfi_ground_tidy(wfi_ground *g, uint64_t given) {
    pthread_mutex_lock(&g->lock);
    g->given += given;
    if (g->given > g->bytes / 16) {
        g->given = 0;
        free_empty_ones(g);
    }
    pthread_mutex_unlock(&g->lock);
}
