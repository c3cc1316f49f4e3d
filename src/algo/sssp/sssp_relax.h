/* Delta-stepping on CPU cores: the state of a search, its bins, and the relaxing of rows.  Method, encoding and papers
 * are in sssp_cpu.c, which has the phases.  Inline, because each combination of encoding and weights has its own
 * copy. */
#ifndef WFI_SSSP_RELAX_H
#define WFI_SSSP_RELAX_H

#include "algo/sssp/sssp.h"
#include "core/barrier.h"

#include <math.h>

enum {
    CHUNK = 64, /* words of 4 bytes: HELD vertices, then their number, then the next chunk */
    HELD = CHUNK - 2,
    BINS = 128, /* of the window; bin BINS is FAR */
    FAR = BINS,
    AHEAD = 16,       /* arcs between prefetch and use */
    FILTER_AHEAD = 8, /* likewise with a filter */
    ROW_AHEAD = 32,   /* arcs of a row that are prefetched at once; the hardware prefetches longer rows */
    LINE = 16,        /* arcs in a cache line */
    OFFERS = 64,      /* that wait for the words of their targets */
    HUB_PIECE = 1024  /* arcs; a longer row is cut into such chunks */
};
#define NO_CHUNK UINT32_MAX
#define LAST_BIN ((uint64_t)1 << 62) /* of all larger quotients, infinity included */

typedef struct bin {
    uint32_t head, size; /* the first chunk, the only partial one; number of vertices */
} bin;

typedef struct wfi_sssp_worker {
    bin bins[BINS + 1];
    uint32_t free; /* list of free chunks */
    bool zero_seen;
    uint32_t offers; /* packed only */
    uint64_t puts;   /* into bins, since the search began */
    weft_vid offered_to[OFFERS];
    uint64_t offered[OFFERS];
    uint64_t lowest; /* lowest bin with entries, by position in the window; FAR + 1: none */
    uint64_t lowest_far;
    char apart[64];
} worker;

typedef enum phase { EMPTY_BIN, RELAX_HUBS, SPREAD_FAR, REFILL, FINISHED } phase;

typedef struct stepping {
    weft_ctx *ctx;
    const weft_graph *g;
    uint64_t *word;
    uint32_t *near;            /* filtered: the distance in the word or, for a moment, a larger one */
    double per_delta;          /* double: bins a unit of distance */
    unsigned shift;            /* packed: delta is 2^shift */
    uint32_t *pool, *frontier; /* chunks; the chunks of the current bin */
    uint32_t chunks;
    worker *workers;
    uint64_t base;  /* the window's first bin */
    uint32_t place; /* position of the current bin in the window */
    uint32_t span;  /* number of bins emptied at once, from `place` on */
    uint64_t puts;  /* of all threads, before the step */
    weft_vid *hubs; /* deferred in this step; inclusive sums of the numbers of chunks of their rows */
    uint64_t *hub_pieces;
    uint32_t hub_capacity;
    const wfi_sssp_ends *ends;
    size_t settled; /* number of leading targets that are settled */
    phase next;
    wfi_barrier barrier;
    _Atomic uint32_t used, hub_count;
    _Alignas(64) _Atomic uint32_t published;
    _Alignas(64) _Atomic uint64_t taken; /* entries of the frontier, or chunks of hubs */
    _Atomic bool ran_dry, too_far, cancelled;
} stepping;

/* Combinations of encoding and weights, constant in each copy of the code. */
typedef enum way { PACKED_U32, FILTERED_U32, DOUBLE_U32, DOUBLE_F32, DOUBLE_F64 } way;
#define COPIED static inline __attribute__((always_inline))

COPIED bool is_filtered(way k) { return k == FILTERED_U32; }
COPIED bool is_packed(way k) { return k == PACKED_U32 || is_filtered(k); }

COPIED uint64_t bin_of(const stepping *s, uint64_t word, way k) {
    if (is_packed(k)) return (word >> 32) >> s->shift;
    double q = wfi_double_of(word) * s->per_delta;
    return q < (double)LAST_BIN ? (uint64_t)q : LAST_BIN;
}

COPIED bool unreached(uint64_t word, way k) {
    return is_packed(k) ? word == UINT64_MAX : word == wfi_bits_of(INFINITY);
}

/* --- bins ------------------------------------------------------------------ */

static uint32_t take_chunk(stepping *s, worker *w) {
    uint32_t c = w->free;
    if (c != NO_CHUNK) {
        w->free = s->pool[(size_t)c * CHUNK + HELD + 1];
        return c;
    }
    if (atomic_load_explicit(&s->used, memory_order_relaxed) >= s->chunks) return NO_CHUNK;
    c = atomic_fetch_add_explicit(&s->used, 1, memory_order_relaxed);
    return c < s->chunks ? c : NO_CHUNK;
}

static void give_chunk(stepping *s, worker *w, uint32_t c) {
    s->pool[(size_t)c * CHUNK + HELD + 1] = w->free;
    w->free = c;
}

static void put(stepping *s, worker *w, size_t place, weft_vid v) {
    bin *b = &w->bins[place];
    uint32_t *chunk = b->head == NO_CHUNK ? NULL : s->pool + (size_t)b->head * CHUNK;
    if (!chunk || chunk[HELD] == HELD) {
        uint32_t c = take_chunk(s, w);
        if (c == NO_CHUNK) {
            atomic_store_explicit(&s->ran_dry, true, memory_order_relaxed);
            return;
        }
        chunk = s->pool + (size_t)c * CHUNK;
        chunk[HELD] = 0;
        chunk[HELD + 1] = b->head;
        b->head = c;
    }
    chunk[chunk[HELD]++] = v;
    b->size++;
    w->puts++;
}

static void empty_bins(worker *w) {
    for (size_t i = 0; i <= FAR; i++) w->bins[i] = (bin){NO_CHUNK, 0};
    w->free = NO_CHUNK;
}

COPIED void put_by_word(stepping *s, worker *w, weft_vid v, uint64_t word, way k) {
    uint64_t at = bin_of(s, word, k) - s->base;
    put(s, w, at < BINS ? (size_t)at : FAR, v);
}

/* --- relaxing -------------------------------------------------------------- */

COPIED bool lower(uint64_t *place, uint64_t fresh, uint64_t *old) {
    *old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (fresh < *old)
        if (__atomic_compare_exchange_n(place, old, fresh, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return true;
    return false;
}

COPIED double weight_of(const void *weights, weft_eid e, way k) {
    if (k == DOUBLE_F64) return ((const double *)weights)[e];
    if (k == DOUBLE_F32) return (double)((const float *)weights)[e];
    return (double)((const uint32_t *)weights)[e];
}

/* The row being relaxed. */
typedef struct source_row {
    weft_vid u;
    uint64_t word; /* of u */
    const void *weights;
} source_row;

COPIED void offer_double(stepping *s, worker *w, source_row row, weft_eid e, weft_vid v, way k) {
    uint64_t fresh = wfi_bits_of(wfi_double_of(row.word) + weight_of(row.weights, e, k)), old;
    if (lower(&s->word[v], fresh, &old)) put_by_word(s, w, v, fresh, k);
}

/* The filter is lowered after the word and before the vertex is put in its bin, so that a thread that takes the vertex
 * out finds the distance of that bin, or a smaller one. */
COPIED void lower_filter(stepping *s, weft_vid v, uint32_t far) {
    uint32_t old = __atomic_load_n(&s->near[v], __ATOMIC_RELAXED);
    while (far < old &&
           !__atomic_compare_exchange_n(&s->near[v], &old, far, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* A vertex is put in a bin only if its distance has fallen, not if it only got a smaller parent. */
COPIED void apply_offers(stepping *s, worker *w, way k) {
    for (uint32_t i = 0; i < w->offers; i++) {
        weft_vid v = w->offered_to[i];
        uint64_t fresh = w->offered[i], old;
        if (!lower(&s->word[v], fresh, &old) || fresh >> 32 >= old >> 32) continue;
        if (is_filtered(k)) lower_filter(s, v, (uint32_t)(fresh >> 32));
        put_by_word(s, w, v, fresh, k);
    }
    w->offers = 0;
}

/* Reads the filter, or the word without one.  Equal distances pass: the smaller parent wins. */
COPIED bool is_nearer(const stepping *s, weft_vid v, uint64_t fresh, way k) {
    if (is_filtered(k)) return fresh >> 32 <= __atomic_load_n(&s->near[v], __ATOMIC_RELAXED);
    return fresh < __atomic_load_n(&s->word[v], __ATOMIC_RELAXED);
}

/* Most arcs lead to vertices with a smaller distance.  Offers to the others are batched, so that the cache lines of
 * their words, which other cores may hold, are prefetched together, for writing. */
COPIED void offer_packed(stepping *s, worker *w, source_row row, weft_eid e, weft_vid v, way k) {
    uint32_t mine = (uint32_t)(row.word >> 32), weight = ((const uint32_t *)row.weights)[e];
    uint64_t far = (uint64_t)mine + weight, fresh = far << 32 | row.u;
    if (far >= UINT32_MAX) {
        atomic_store_explicit(&s->too_far, true, memory_order_relaxed);
    } else if (is_nearer(s, v, fresh, k)) {
        __builtin_prefetch(&s->word[v], 1);
        if (!weight) w->zero_seen = true;
        w->offered_to[w->offers] = v;
        w->offered[w->offers++] = fresh;
        if (w->offers == OFFERS) apply_offers(s, w, k);
    }
}

COPIED void offer(stepping *s, worker *w, source_row row, weft_eid e, weft_vid v, way k) {
    if (is_packed(k))
        offer_packed(s, w, row, e, v, k);
    else
        offer_double(s, w, row, e, v, k);
}

COPIED void call_for(const stepping *s, weft_vid v, way k) {
    __builtin_prefetch(is_filtered(k) ? (const void *)&s->near[v] : &s->word[v]);
}

COPIED uint64_t word_of(const stepping *s, weft_vid u, way k) {
    if (is_filtered(k)) return (uint64_t)__atomic_load_n(&s->near[u], __ATOMIC_RELAXED) << 32;
    return __atomic_load_n(&s->word[u], __ATOMIC_RELAXED);
}

/* Relaxes the arcs e ... end - 1 of u. */
COPIED void relax(stepping *s, worker *w, weft_vid u, weft_eid e, weft_eid end, way k) {
    const weft_vid *targets = s->g->out.targets;
    const void *weights = s->g->out.weights;
    uint64_t mine = word_of(s, u, k);
    const weft_eid ahead = is_filtered(k) ? FILTER_AHEAD : AHEAD;
    for (; e + ahead < end; e++) {
        call_for(s, targets[e + ahead], k);
        offer(s, w, (source_row){u, mine, weights}, e, targets[e], k);
    }
    for (; e < end; e++) offer(s, w, (source_row){u, mine, weights}, e, targets[e], k);
}

/* True if u was taken from an earlier bin before, by a shorter path. */
COPIED bool stale(const stepping *s, weft_vid u, way k) { return bin_of(s, word_of(s, u, k), k) < s->base + s->place; }

/* Rows are visited in no particular order, so the operands of a chunk are prefetched: distances and offsets, then the
 * rows of entries that are not stale, which move to the chunk's front.  Returns their number. */
COPIED uint32_t call_for_rows(const stepping *s, uint32_t *chunk, way k) {
    const weft_eid *offsets = s->g->out.offsets;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < chunk[HELD]; i++) {
        __builtin_prefetch(&offsets[chunk[i]]);
        call_for(s, chunk[i], k);
    }
    for (uint32_t i = 0; i < chunk[HELD]; i++) {
        weft_vid u = chunk[i];
        if (stale(s, u, k)) continue;
        weft_eid row = offsets[u], end = wfi_min_u64(offsets[u + 1], row + ROW_AHEAD);
        for (; row < end; row += LINE) {
            __builtin_prefetch(&s->g->out.targets[row]);
            if (k == DOUBLE_F64)
                __builtin_prefetch((const double *)s->g->out.weights + row);
            else
                __builtin_prefetch((const uint32_t *)s->g->out.weights + row);
        }
        chunk[kept++] = u;
    }
    return kept;
}

/* Defers the row of u; false if there is no space, or only one thread. */
static bool put_by(stepping *s, weft_vid u) {
    if (atomic_load_explicit(&s->hub_count, memory_order_relaxed) >= s->hub_capacity) return false;
    uint32_t at = atomic_fetch_add_explicit(&s->hub_count, 1, memory_order_relaxed);
    if (at >= s->hub_capacity) return false;
    s->hubs[at] = u;
    return true;
}

COPIED void relax_chunk(stepping *s, worker *w, uint32_t c, way k) {
    const weft_eid *offsets = s->g->out.offsets;
    uint32_t *chunk = s->pool + (size_t)c * CHUNK, count = call_for_rows(s, chunk, k);
    for (uint32_t i = 0; i < count; i++) {
        weft_vid u = chunk[i];
        weft_eid e = offsets[u], end = offsets[u + 1];
        if (end - e <= HUB_PIECE || !put_by(s, u)) relax(s, w, u, e, end, k);
    }
    if (is_packed(k)) apply_offers(s, w, k);
    give_chunk(s, w, c);
}

#endif
