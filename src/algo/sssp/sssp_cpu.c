/* Delta-stepping on CPU cores.  Needs: weights, >= 0.
 * Method: vertices wait in bins by distance / delta; the lowest bin is emptied, again and again while it refills,
 * then the next one.  All arcs of a vertex are relaxed at once [1, 2], and a thread whose own share of the bin stays
 * small empties it without waiting for the others (bucket fusion [2]).  Rows of hubs are put by, and then cut into pieces for all
 * threads; where bins lead to hardly any other vertex, as at the end of a search, several are emptied at once.
 * Encoding: a bin of a thread is a chain of chunks from one pool.  The bins stand for a window of BINS bins; what lies
 * beyond waits in one more, FAR, and is spread when the window moves.  A vertex may wait in several places: only its
 * word says where it belongs.  So when the pool runs dry entries may be lost: all bins are then filled again from the
 * words, which needs one entry a vertex, and memory is bounded before the run.
 * Most arcs lead to a vertex that is nearer already.  Packed words are therefore shadowed by a filter, the distances alone,
 * in half the memory; only what passes it is offered to the word, and offers wait until there are some, so that the words
 * come at once.
 * With targets it may end once all lie in bins that are done with: what is not farther than they are is final by then.
 * The words are a fixpoint that does not depend on the order of relaxations, hence not on threads or delta.
 * [1] Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49 (2003).
 * [2] Zhang et al., "Optimizing ordered graph algorithms with GraphIt", CGO 2020. */
#include "algo/sssp/sssp.h"
#include "core/barrier.h"

#include <math.h>
#include <omp.h>

enum {
    CHUNK = 64, /* words of 4 bytes: HELD vertices, then their number, then the next chunk */
    HELD = CHUNK - 2,
    BINS = 128, /* of the window; bin BINS is FAR */
    FAR = BINS,
    NEAR_ENOUGH = 1024, /* a thread goes on alone while its share of the bin is smaller */
    AHEAD = 8,          /* arcs between prefetch and use */
    ROW_AHEAD = 32,     /* arcs of a row that are called for at once; the processor sees to longer ones */
    LINE = 16,          /* arcs in a cache line */
    OFFERS = 64,        /* that wait for the words of their targets */
    HUB_PIECE = 1024,   /* arcs; a row longer than this is cut into such pieces */
    BARREN = 8          /* a step that put less than this part of what it took is followed by several bins at once */
};
#define NO_CHUNK UINT32_MAX
#define LAST_BIN ((uint64_t)1 << 62) /* all larger quotients, infinity too */

typedef struct bin {
    uint32_t head, size; /* first chunk, the only one not full; vertices in all */
} bin;

typedef struct wfi_sssp_worker {
    bin bins[BINS + 1];
    uint32_t free; /* chain of chunks */
    bool zero_seen;
    uint32_t offers; /* packed only */
    uint64_t puts;   /* into bins, since the search began */
    weft_vid offered_to[OFFERS];
    uint64_t offered[OFFERS];
    uint64_t lowest; /* of the bins that wait, as a place in the window; FAR + 1 = none */
    uint64_t lowest_far;
    char apart[64];
} worker;

typedef enum step { EMPTY_BIN, RELAX_HUBS, SPREAD_FAR, REFILL, FINISHED } step;

typedef struct search {
    weft_ctx *ctx;
    const weft_graph *g;
    uint64_t *word;
    uint32_t *near;            /* packed: the distance in the word or, for a moment, a larger one */
    double per_delta;          /* double: bins a unit of distance */
    unsigned shift;            /* packed: delta is 2^shift */
    uint32_t *pool, *frontier; /* chunks; those of the bin at work */
    uint32_t chunks;
    worker *workers;
    uint64_t base;  /* the window's first bin */
    uint32_t place; /* the bin at work, in the window */
    uint32_t span;  /* how many are, from there on */
    uint64_t puts;  /* of all threads, before the step */
    weft_vid *hubs; /* put by in this step, and how many pieces their rows have, up to and with each */
    uint64_t *hub_pieces;
    uint32_t hub_room;
    const wfi_sssp_ends *ends;
    size_t settled; /* targets that are, from the first on */
    step next;
    wfi_barrier barrier;
    _Atomic uint32_t used, hub_count;
    _Alignas(64) _Atomic uint32_t published;
    _Alignas(64) _Atomic uint64_t taken; /* entries of the frontier, or pieces of hubs */
    _Atomic bool ran_dry, too_far, cancelled;
} search;

/* The ways to walk a row: encoding and weights, known to the compiler in each copy of the code. */
typedef enum way { PACKED_U32, DOUBLE_U32, DOUBLE_F32, DOUBLE_F64 } way;
#define COPIED static inline __attribute__((always_inline))

COPIED bool is_packed(way k) { return k == PACKED_U32; }

COPIED uint64_t bin_of(const search *s, uint64_t word, way k) {
    if (is_packed(k)) return (word >> 32) >> s->shift;
    double q = wfi_double_of(word) * s->per_delta;
    return q < (double)LAST_BIN ? (uint64_t)q : LAST_BIN;
}

COPIED bool unreached(uint64_t word, way k) {
    return is_packed(k) ? word == UINT64_MAX : word == wfi_bits_of(INFINITY);
}

/* --- bins ------------------------------------------------------------------ */

static uint32_t take_chunk(search *s, worker *w) {
    uint32_t c = w->free;
    if (c != NO_CHUNK) {
        w->free = s->pool[(size_t)c * CHUNK + HELD + 1];
        return c;
    }
    if (atomic_load_explicit(&s->used, memory_order_relaxed) >= s->chunks) return NO_CHUNK;
    c = atomic_fetch_add_explicit(&s->used, 1, memory_order_relaxed);
    return c < s->chunks ? c : NO_CHUNK;
}

static void give_chunk(search *s, worker *w, uint32_t c) {
    s->pool[(size_t)c * CHUNK + HELD + 1] = w->free;
    w->free = c;
}

static void put(search *s, worker *w, size_t place, weft_vid v) {
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

COPIED void put_by_word(search *s, worker *w, weft_vid v, uint64_t word, way k) {
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

COPIED void offer_double(search *s, worker *w, const void *weights, weft_eid e, weft_vid v, double mine, way k) {
    uint64_t fresh = wfi_bits_of(mine + weight_of(weights, e, k)), old;
    if (lower(&s->word[v], fresh, &old)) put_by_word(s, w, v, fresh, k);
}

/* Equal distances are offered too: the smaller parent wins.  The filter falls after the word and before the vertex waits in
 * its bin, so that whoever takes it out finds the distance it waits for, or a better one. */
COPIED void settle_offers(search *s, worker *w, way k) {
    for (uint32_t i = 0; i < w->offers; i++) {
        weft_vid v = w->offered_to[i];
        uint64_t fresh = w->offered[i], old;
        uint32_t far = (uint32_t)(fresh >> 32), filter = __atomic_load_n(&s->near[v], __ATOMIC_RELAXED);
        if (!lower(&s->word[v], fresh, &old) || far >= old >> 32) continue;
        while (far < filter &&
               !__atomic_compare_exchange_n(&s->near[v], &filter, far, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
        put_by_word(s, w, v, fresh, k);
    }
    w->offers = 0;
}

/* Words are far away: offers wait until there are some, so that their words come at once. */
COPIED void offer_packed(search *s, worker *w, weft_vid u, weft_vid v, uint32_t mine, uint32_t far, way k) {
    __builtin_prefetch(&s->word[v], 1);
    __builtin_prefetch(&s->near[v], 1);
    if (far == mine) w->zero_seen = true;
    w->offered_to[w->offers] = v;
    w->offered[w->offers++] = (uint64_t)far << 32 | u;
    if (w->offers == OFFERS) settle_offers(s, w, k);
}

/* Most arcs lead to vertices that are nearer already: that is seen in the filter, which is half as large as the words. */
COPIED void offer(search *s, worker *w, const void *weights, weft_vid u, weft_vid v, weft_eid e, uint64_t mine, way k) {
    if (!is_packed(k)) {
        offer_double(s, w, weights, e, v, wfi_double_of(mine), k);
        return;
    }
    uint64_t far = mine + ((const uint32_t *)weights)[e];
    if (far >= UINT32_MAX)
        atomic_store_explicit(&s->too_far, true, memory_order_relaxed);
    else if (far <= __atomic_load_n(&s->near[v], __ATOMIC_RELAXED))
        offer_packed(s, w, u, v, (uint32_t)mine, (uint32_t)far, k);
}

COPIED void call_for_word(const search *s, weft_vid v, way k) {
    __builtin_prefetch(is_packed(k) ? (const void *)&s->near[v] : &s->word[v]);
}

/* The arcs e ... end-1 of u. */
COPIED void relax(search *s, worker *w, weft_vid u, weft_eid e, weft_eid end, way k) {
    const weft_vid *targets = s->g->out.targets;
    const void *weights = s->g->out.weights;
    uint64_t mine =
        is_packed(k) ? __atomic_load_n(&s->near[u], __ATOMIC_RELAXED) : __atomic_load_n(&s->word[u], __ATOMIC_RELAXED);
    for (; e + AHEAD < end; e++) {
        call_for_word(s, targets[e + AHEAD], k);
        offer(s, w, weights, u, targets[e], e, mine, k);
    }
    for (; e < end; e++) offer(s, w, weights, u, targets[e], e, mine, k);
}

/* It was here before, by a shorter way. */
COPIED bool stale(const search *s, weft_vid u, way k) {
    uint64_t word = is_packed(k) ? (uint64_t)__atomic_load_n(&s->near[u], __ATOMIC_RELAXED) << 32
                                 : __atomic_load_n(&s->word[u], __ATOMIC_RELAXED);
    return bin_of(s, word, k) < s->base + s->place;
}

/* Rows are met in no order, so what a chunk needs is called for at once: distances and offsets, then the rows of those that
 * are not stale, which move to its front.  Returns how many they are. */
COPIED uint32_t call_for_rows(const search *s, uint32_t *chunk, way k) {
    const weft_eid *offsets = s->g->out.offsets;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < chunk[HELD]; i++) {
        __builtin_prefetch(&offsets[chunk[i]]);
        call_for_word(s, chunk[i], k);
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

/* False: there is no more room, or no other thread. */
static bool put_by(search *s, weft_vid u) {
    if (atomic_load_explicit(&s->hub_count, memory_order_relaxed) >= s->hub_room) return false;
    uint32_t at = atomic_fetch_add_explicit(&s->hub_count, 1, memory_order_relaxed);
    if (at >= s->hub_room) return false;
    s->hubs[at] = u;
    return true;
}

COPIED void relax_chunk(search *s, worker *w, uint32_t c, way k) {
    const weft_eid *offsets = s->g->out.offsets;
    uint32_t *chunk = s->pool + (size_t)c * CHUNK, count = call_for_rows(s, chunk, k);
    for (uint32_t i = 0; i < count; i++) {
        weft_vid u = chunk[i];
        weft_eid e = offsets[u], end = offsets[u + 1];
        if (end - e <= HUB_PIECE || !put_by(s, u)) relax(s, w, u, e, end, k);
    }
    if (is_packed(k)) settle_offers(s, w, k);
    give_chunk(s, w, c);
}

/* --- phases, each ended by a barrier ------------------------------------------ */

static void publish(search *s, worker *w) {
    for (bin *b = &w->bins[s->place], *end = b + s->span; b < end; b++) {
        for (uint32_t c = b->head; c != NO_CHUNK; c = s->pool[(size_t)c * CHUNK + HELD + 1])
            s->frontier[atomic_fetch_add_explicit(&s->published, 1, memory_order_relaxed)] = c;
        *b = (bin){NO_CHUNK, 0};
    }
}

static bool wants_no_more(search *s) {
    if (wfi_cancelled(s->ctx)) atomic_store(&s->cancelled, true);
    return atomic_load_explicit(&s->cancelled, memory_order_relaxed);
}

COPIED void empty_bin(search *s, worker *w, way k) {
    uint64_t total = atomic_load_explicit(&s->published, memory_order_relaxed), i;
    while ((i = atomic_fetch_add_explicit(&s->taken, 1, memory_order_relaxed)) < total) {
        if (wants_no_more(s)) return;
        relax_chunk(s, w, s->frontier[i], k);
    }
    /* Wave by wave, not the newest first: what is nearer should go first, or more is done twice. */
    bin *own = &w->bins[s->place];
    while (own->size && own->size < NEAR_ENOUGH) {
        uint32_t c = own->head;
        *own = (bin){NO_CHUNK, 0};
        if (wants_no_more(s)) return;
        while (c != NO_CHUNK) {
            uint32_t next = s->pool[(size_t)c * CHUNK + HELD + 1];
            relax_chunk(s, w, c, k);
            c = next;
        }
    }
}

COPIED void relax_hubs(search *s, worker *w, way k) {
    uint32_t count = atomic_load_explicit(&s->hub_count, memory_order_relaxed);
    uint64_t piece, pieces = s->hub_pieces[count - 1];
    while ((piece = atomic_fetch_add_explicit(&s->taken, 1, memory_order_relaxed)) < pieces) {
        if (wants_no_more(s)) return;
        uint32_t low = 0, high = count - 1;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (s->hub_pieces[middle] <= piece)
                low = middle + 1;
            else
                high = middle;
        }
        weft_vid u = s->hubs[low];
        weft_eid e = s->g->out.offsets[u] + (piece - (low ? s->hub_pieces[low - 1] : 0)) * HUB_PIECE;
        relax(s, w, u, e, wfi_min_u64(e + HUB_PIECE, s->g->out.offsets[u + 1]), k);
    }
    if (is_packed(k)) settle_offers(s, w, k);
}

/* The lowest place of the window where something waits; what is FAR only counts when nothing is nearer. */
COPIED void find_lowest(search *s, worker *w, way k) {
    w->lowest = s->place;
    while (w->lowest <= FAR && !w->bins[w->lowest].size) w->lowest++;
    w->lowest_far = UINT64_MAX;
    if (w->lowest != FAR) return;
    for (uint32_t c = w->bins[FAR].head; c != NO_CHUNK; c = s->pool[(size_t)c * CHUNK + HELD + 1])
        for (uint32_t i = 0; i < s->pool[(size_t)c * CHUNK + HELD]; i++) {
            uint64_t b = bin_of(s, __atomic_load_n(&s->word[s->pool[(size_t)c * CHUNK + i]], __ATOMIC_RELAXED), k);
            if (b >= s->base + BINS && b < w->lowest_far) w->lowest_far = b;
        }
}

/* The window has moved: what was FAR is spread; who has moved nearer meanwhile has been settled there. */
COPIED void spread_far(search *s, worker *w, way k) {
    uint32_t c = w->bins[FAR].head;
    w->bins[FAR] = (bin){NO_CHUNK, 0};
    while (c != NO_CHUNK) {
        uint32_t held[HELD], *chunk = s->pool + (size_t)c * CHUNK, count = chunk[HELD], next = chunk[HELD + 1];
        memcpy(held, chunk, sizeof held);
        give_chunk(s, w, c);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t word = __atomic_load_n(&s->word[held[i]], __ATOMIC_RELAXED);
            if (bin_of(s, word, k) >= s->base) put_by_word(s, w, held[i], word, k);
        }
        c = next;
    }
}

COPIED void refill(search *s, worker *w, way k) {
    weft_vid n = s->g->n;
#pragma omp for schedule(static)
    for (weft_vid v = 0; v < n; v++)
        if (!unreached(s->word[v], k) && bin_of(s, s->word[v], k) >= s->base + s->place)
            put_by_word(s, w, v, s->word[v], k);
}

/* From the place at work on, until they hold something for each thread; one bin as long as steps bear fruit, since what is
 * nearer should go first then. */
static uint32_t bins_at_once(const search *s, size_t threads, bool barren) {
    uint32_t span = 1;
    uint64_t held = 0;
    if (!barren || threads == 1) return 1;
    for (uint32_t place = s->place; place < BINS && held < threads * NEAR_ENOUGH; place++) {
        for (size_t t = 0; t < threads; t++) held += s->workers[t].bins[place].size;
        span = place - s->place + 1;
    }
    return span;
}

/* False: there are none. */
static bool cut_hubs(search *s) {
    uint32_t count = (uint32_t)wfi_min_u64(atomic_load(&s->hub_count), s->hub_room);
    uint64_t pieces = 0;
    atomic_store(&s->hub_count, count);
    for (uint32_t i = 0; i < count; i++)
        s->hub_pieces[i] = pieces += (wfi_degree(&s->g->out, s->hubs[i]) + HUB_PIECE - 1) / HUB_PIECE;
    return count;
}

/* Are all targets in bins before this one?  What lies there is final. */
static bool arrived(search *s, uint64_t next, way k) {
    for (; s->settled < s->ends->target_count; s->settled++) {
        uint64_t word = s->word[s->ends->targets[s->settled]];
        if (unreached(word, k) || bin_of(s, word, k) >= next) return false;
    }
    return s->ends->target_count > 0;
}

/* By one thread, while the others wait: what all do next. */
static step choose_step(search *s, size_t threads, way k) {
    uint64_t lowest = FAR + 1, lowest_far = UINT64_MAX, puts = 0, took = (uint64_t)HELD * atomic_load(&s->published);
    for (size_t t = 0; t < threads; t++) {
        lowest = wfi_min_u64(lowest, s->workers[t].lowest);
        lowest_far = wfi_min_u64(lowest_far, s->workers[t].lowest_far);
        puts += s->workers[t].puts;
    }
    bool barren = s->next == EMPTY_BIN && (puts - s->puts) * BARREN < took;
    s->puts = puts;
    s->span = 1;
    atomic_store(&s->published, 0);
    atomic_store(&s->taken, 0);
    if (s->next == RELAX_HUBS) atomic_store(&s->hub_count, 0);
    if (atomic_load(&s->cancelled) || atomic_load(&s->too_far)) return FINISHED;
    if (atomic_exchange(&s->ran_dry, false)) {
        for (size_t t = 0; t < threads; t++) empty_bins(&s->workers[t]);
        atomic_store(&s->used, 0);
        atomic_store(&s->hub_count, 0); /* the words have them too */
        return REFILL;
    }
    if (cut_hubs(s)) return RELAX_HUBS;
    if (arrived(s, lowest < FAR ? s->base + lowest : lowest_far, k)) return FINISHED;
    if (lowest < FAR) {
        s->place = (uint32_t)lowest;
        s->span = bins_at_once(s, threads, barren);
        return EMPTY_BIN;
    }
    if (lowest_far == UINT64_MAX) return FINISHED;
    s->base = lowest_far;
    s->place = 0;
    return SPREAD_FAR;
}

COPIED void run_in_team(search *s, way k) {
    worker *w = &s->workers[omp_get_thread_num()];
    weft_vid n = s->g->n;
    uint64_t none = is_packed(k) ? UINT64_MAX : wfi_bits_of(INFINITY);
    empty_bins(w);
#pragma omp for schedule(static)
    for (weft_vid v = 0; v < n; v++) {
        s->word[v] = none;
        if (is_packed(k)) s->near[v] = UINT32_MAX;
    }
#pragma omp master
    for (size_t i = 0; i < s->ends->source_count; i++) {
        weft_vid source = s->ends->sources[i];
        if (!unreached(s->word[source], k)) continue; /* again */
        s->word[source] = is_packed(k) ? source : 0;
        if (is_packed(k)) s->near[source] = 0;
        put(s, w, 0, source);
    }
    while (s->next != FINISHED) {
        if (s->next == SPREAD_FAR) spread_far(s, w, k);
        if (s->next == REFILL) refill(s, w, k);
        if (s->next != RELAX_HUBS) publish(s, w);
        wfi_barrier_wait(&s->barrier);
        if (!omp_get_thread_num()) wfi_progress(s->ctx, "shortest paths", s->base + s->place, 0);
        if (s->next == RELAX_HUBS)
            relax_hubs(s, w, k);
        else
            empty_bin(s, w, k);
        find_lowest(s, w, k);
        if (!wfi_barrier_arrive(&s->barrier)) continue;
        s->next = choose_step(s, (size_t)omp_get_num_threads(), k);
        wfi_barrier_release(&s->barrier);
    }
}

static void run_as(search *s, way k) {
    switch (k) {
    case PACKED_U32: run_in_team(s, PACKED_U32); break;
    case DOUBLE_U32: run_in_team(s, DOUBLE_U32); break;
    case DOUBLE_F32: run_in_team(s, DOUBLE_F32); break;
    case DOUBLE_F64: run_in_team(s, DOUBLE_F64); break;
    }
}

static void run_team(search *s, way k, int threads) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp single
        wfi_barrier_open(&s->barrier, omp_get_num_threads());
        run_as(s, k);
    }
    wfi_barrier_close(&s->barrier);
}

/* --- the search -------------------------------------------------------------- */

static int threads_for(const weft_ctx *ctx, const weft_graph *g) { return wfi_threads_for(ctx, g->arcs, 1 << 15); }

/* One entry a vertex and a begun chunk in each bin must fit, so that a refill always does; ROOM times as many make refills
 * rare: uniform graphs of degree 32 held between 2 and 3 entries a vertex at once. */
enum { ROOM = 4 };
static uint32_t chunks_for(weft_vid n, int threads) {
    return (uint32_t)(ROOM * ((uint64_t)n / HELD) + (uint64_t)threads * (BINS + 2) + 1);
}

/* As many as there can be; one that comes twice in a step and finds no room is relaxed where it was met. */
static uint32_t hub_room(const weft_graph *g, int threads) {
    return threads == 1 ? 0 : (uint32_t)wfi_min_u64(g->arcs / HUB_PIECE, g->n);
}

void wfi_sssp_search_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, wfi_sssp_search_arrays *a) {
    int threads = threads_for(ctx, g);
    uint64_t chunks = g->n ? chunks_for(g->n, threads) : 0;
    wfi_array_within(w, &a->pool, chunks * CHUNK);
    wfi_array_within(w, &a->frontier, chunks);
    wfi_array(w, &a->workers, (uint64_t)threads);
    wfi_array_within(w, &a->hubs, hub_room(g, threads));
    wfi_array_within(w, &a->hub_pieces, hub_room(g, threads));
}

static way choose_way(const weft_graph *g, wfi_sssp_encoding encoding) {
    if (encoding == WFI_SSSP_PACKED) return PACKED_U32;
    return g->weight_type == WEFT_WEIGHT_F64 ? DOUBLE_F64 : g->weight_type == WEFT_WEIGHT_F32 ? DOUBLE_F32 : DOUBLE_U32;
}

weft_status wfi_sssp_search(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_ends *ends, double delta,
                            wfi_sssp_encoding encoding, const wfi_sssp_search_arrays *a, uint64_t *word, uint32_t *near,
                            wfi_sssp_outcome *outcome) {
    int threads = threads_for(ctx, g);
    search s = {.ctx = ctx,
                .g = g,
                .word = word,
                .near = near,
                .ends = ends,
                .pool = a->pool,
                .frontier = a->frontier,
                .workers = a->workers,
                .hubs = a->hubs,
                .hub_pieces = a->hub_pieces,
                .hub_room = hub_room(g, threads),
                .span = 1,
                .chunks = chunks_for(g->n, threads)};
    s.per_delta = delta > 1e-300 ? 1 / delta : 1e300;
    while (s.shift < 31 && (double)((uint64_t)2 << s.shift) <= delta) s.shift++;
    *outcome = (wfi_sssp_outcome){false, false};
    memset(s.workers, 0, (size_t)threads * sizeof *s.workers);
    run_team(&s, choose_way(g, encoding), threads);
    outcome->too_far = atomic_load(&s.too_far);
    for (int t = 0; t < threads; t++) outcome->zero_seen |= s.workers[t].zero_seen;
    return atomic_load(&s.cancelled) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
