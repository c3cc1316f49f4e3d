/* Delta-stepping on CPU cores [1].  Needs: weights, >= 0.
 * Method: vertices wait in buckets ("bins") by distance / delta; the lowest bin is emptied, repeatedly while it
 * refills, then the next.  All arcs of a vertex are relaxed at once [1, 2], and a thread whose own share of the bin
 * stays small empties it without a barrier (bucket fusion [2]).  Rows of hubs are deferred, and then cut into chunks
 * for all threads; if bins lead to hardly any new vertex, as at the end of a search, several bins are emptied at once.
 * Encoding: a bin of a thread is a linked list of chunks from one pool.  The bins are a window of BINS buckets;
 * vertices beyond it wait in one more bin, FAR, and are distributed when the window moves.  A vertex may be in several
 * bins; its word alone determines the right one.  So entries may be dropped when the pool is exhausted: all bins are
 * then refilled from the words, which needs one entry a vertex, and memory is bounded before the run.
 * Most arcs lead to a vertex with a smaller distance.  If L2 caches are small, a filter shadows the packed words: the
 * distances alone, in half the memory; only lengths that pass it are offered to the word.
 * With targets the search may end when all bins up to theirs are empty: smaller distances are final by then.
 * The words are a fixpoint that does not depend on the order of relaxations, hence not on threads or delta.
 * [1] Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49 (2003).
 * [2] Zhang et al., "Optimizing ordered graph algorithms with GraphIt", CGO 2020. */
#include "algo/sssp/sssp_relax.h"
#include "core/search.h"

#include <omp.h>

enum {
    NEAR_ENOUGH = 1024, /* a thread goes on alone while its share of the bin is smaller */
    BARREN =
        8 /* after a step that puts less than 1/BARREN of the entries that it took, several bins are emptied at once */
};

/* --- phases, each ended by a barrier ------------------------------------------ */

static void publish(stepping *s, worker *w) {
    for (bin *b = &w->bins[s->place], *end = b + s->span; b < end; b++) {
        for (uint32_t c = b->head; c != NO_CHUNK; c = s->pool[(size_t)c * CHUNK + HELD + 1])
            s->frontier[atomic_fetch_add_explicit(&s->published, 1, memory_order_relaxed)] = c;
        *b = (bin){NO_CHUNK, 0};
    }
}

static bool wants_no_more(stepping *s) {
    if (wfi_cancelled(s->ctx)) atomic_store(&s->cancelled, true);
    return atomic_load_explicit(&s->cancelled, memory_order_relaxed);
}

COPIED void empty_bin(stepping *s, worker *w, way k) {
    uint64_t total = atomic_load_explicit(&s->published, memory_order_relaxed), i;
    while ((i = atomic_fetch_add_explicit(&s->taken, 1, memory_order_relaxed)) < total) {
        if (wants_no_more(s)) return;
        relax_chunk(s, w, s->frontier[i], k);
    }
    /* First in, first out: smaller distances should go first, or more work is repeated. */
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

COPIED void relax_hubs(stepping *s, worker *w, way k) {
    uint32_t count = atomic_load_explicit(&s->hub_count, memory_order_relaxed);
    uint64_t piece, pieces = s->hub_pieces[count - 1];
    while ((piece = atomic_fetch_add_explicit(&s->taken, 1, memory_order_relaxed)) < pieces) {
        if (wants_no_more(s)) return;
        uint32_t low = 0, high = count - 1;
        WFI_BISECT(low, high, middle, s->hub_pieces[middle] <= piece);
        weft_vid u = s->hubs[low];
        weft_eid e = s->g->out.offsets[u] + (piece - (low ? s->hub_pieces[low - 1] : 0)) * HUB_PIECE;
        relax(s, w, u, e, wfi_min_u64(e + HUB_PIECE, s->g->out.offsets[u + 1]), k);
    }
    if (is_packed(k)) apply_offers(s, w, k);
}

/* Finds the lowest bin of the window with entries; entries of FAR only count if there is no other. */
COPIED void find_lowest(stepping *s, worker *w, way k) {
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

/* After the window has moved: distributes FAR.  Entries that have moved to a lower bin meanwhile were settled there and
 * are dropped. */
COPIED void spread_far(stepping *s, worker *w, way k) {
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

COPIED void refill(stepping *s, worker *w, way k) {
    weft_vid n = s->g->n;
#pragma omp for schedule(static)
    for (weft_vid v = 0; v < n; v++)
        if (!unreached(s->word[v], k) && bin_of(s, s->word[v], k) >= s->base + s->place)
            put_by_word(s, w, v, s->word[v], k);
}

/* Number of bins to empty at once, from the current one on: enough to hold work for every thread.  One bin while steps
 * are productive, since smaller distances should go first then. */
static uint32_t bins_at_once(const stepping *s, size_t threads, bool barren) {
    uint32_t span = 1;
    uint64_t held = 0;
    if (!barren || threads == 1) return 1;
    for (uint32_t place = s->place; place < BINS && held < threads * NEAR_ENOUGH; place++) {
        for (size_t t = 0; t < threads; t++) held += s->workers[t].bins[place].size;
        span = place - s->place + 1;
    }
    return span;
}

/* Cuts the deferred rows into chunks; false if there are none. */
static bool cut_hubs(stepping *s) {
    uint32_t count = (uint32_t)wfi_min_u64(atomic_load(&s->hub_count), s->hub_capacity);
    uint64_t pieces = 0;
    atomic_store(&s->hub_count, count);
    for (uint32_t i = 0; i < count; i++)
        s->hub_pieces[i] = pieces += (wfi_degree(&s->g->out, s->hubs[i]) + HUB_PIECE - 1) / HUB_PIECE;
    return count;
}

/* Are the bins of all targets before bin `next`?  Their distances are final. */
static bool arrived(stepping *s, uint64_t next, way k) {
    for (; s->settled < s->ends->target_count; s->settled++) {
        uint64_t word = s->word[s->ends->targets[s->settled]];
        if (unreached(word, k) || bin_of(s, word, k) >= next) return false;
    }
    return s->ends->target_count > 0;
}

/* Chooses the next phase; called by one thread while the others wait. */
static phase choose_phase(stepping *s, size_t threads, way k) {
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
        atomic_store(&s->hub_count, 0); /* a refill finds the deferred hubs, too */
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

COPIED void run_in_team(stepping *s, way k) {
    worker *w = &s->workers[omp_get_thread_num()];
    weft_vid n = s->g->n;
    uint64_t none = is_packed(k) ? UINT64_MAX : wfi_bits_of(INFINITY);
    empty_bins(w);
#pragma omp for schedule(static)
    for (weft_vid v = 0; v < n; v++) {
        s->word[v] = none;
        if (is_filtered(k)) s->near[v] = UINT32_MAX;
    }
#pragma omp master
    for (size_t i = 0; i < s->ends->source_count; i++) {
        weft_vid source = s->ends->sources[i];
        if (!unreached(s->word[source], k)) continue; /* a repeated source */
        s->word[source] = is_packed(k) ? source : 0;
        if (is_filtered(k)) s->near[source] = 0;
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
        s->next = choose_phase(s, (size_t)omp_get_num_threads(), k);
        wfi_barrier_release(&s->barrier);
    }
}

static void run_as(stepping *s, way k) {
    switch (k) {
    case PACKED_U32: run_in_team(s, PACKED_U32); break;
    case FILTERED_U32: run_in_team(s, FILTERED_U32); break;
    case DOUBLE_U32: run_in_team(s, DOUBLE_U32); break;
    case DOUBLE_F32: run_in_team(s, DOUBLE_F32); break;
    case DOUBLE_F64: run_in_team(s, DOUBLE_F64); break;
    }
}

static void run_team(stepping *s, way k, int threads) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp single
        wfi_barrier_open(&s->barrier, omp_get_num_threads());
        run_as(s, k);
    }
    wfi_barrier_close(&s->barrier);
}

static int threads_for(const weft_ctx *ctx, const weft_graph *g) { return wfi_threads_for(ctx, g->arcs, 1 << 15); }

/* One entry a vertex and a partial chunk in each bin must fit, so that a refill always does; SPARE times as many make
 * refills rare: uniform graphs of degree 32 held between 2 and 3 entries a vertex at once. */
enum { SPARE = 4 };
static uint32_t chunks_for(weft_vid n, int threads) {
    return (uint32_t)(SPARE * ((uint64_t)n / HELD) + (uint64_t)threads * (BINS + 2) + 1);
}

/* The maximum number of hubs; a hub that is met twice in a step and finds no space is relaxed at once. */
static uint32_t hub_capacity(const weft_graph *g, int threads) {
    return threads == 1 ? 0 : (uint32_t)wfi_min_u64(g->arcs / HUB_PIECE, g->n);
}

void wfi_sssp_search_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, wfi_sssp_search_arrays *a) {
    int threads = threads_for(ctx, g);
    uint64_t chunks = g->n ? chunks_for(g->n, threads) : 0;
    wfi_array_within(w, &a->pool, chunks * CHUNK);
    wfi_array_within(w, &a->frontier, chunks);
    wfi_array(w, &a->workers, (uint64_t)threads);
    wfi_array_within(w, &a->hubs, hub_capacity(g, threads));
    wfi_array_within(w, &a->hub_pieces, hub_capacity(g, threads));
}

static way choose_way(const weft_graph *g, const wfi_sssp_task *task) {
    if (task->encoding == WFI_SSSP_PACKED) return task->near ? FILTERED_U32 : PACKED_U32;
    return g->weight_type == WEFT_WEIGHT_F64 ? DOUBLE_F64 : g->weight_type == WEFT_WEIGHT_F32 ? DOUBLE_F32 : DOUBLE_U32;
}

weft_status wfi_sssp_search(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_task *task, wfi_sssp_outcome *outcome) {
    int threads = threads_for(ctx, g);
    const wfi_sssp_search_arrays *a = task->scratch;
    double delta = task->delta;
    stepping s = {.ctx = ctx,
                  .g = g,
                  .word = task->word,
                  .near = task->near,
                  .ends = task->ends,
                  .pool = a->pool,
                  .frontier = a->frontier,
                  .workers = a->workers,
                  .hubs = a->hubs,
                  .hub_pieces = a->hub_pieces,
                  .hub_capacity = hub_capacity(g, threads),
                  .span = 1,
                  .chunks = chunks_for(g->n, threads)};
    s.per_delta = delta > 1e-300 ? 1 / delta : 1e300;
    while (s.shift < 31 && (double)((uint64_t)2 << s.shift) <= delta) s.shift++;
    *outcome = (wfi_sssp_outcome){false, false};
    memset(s.workers, 0, (size_t)threads * sizeof *s.workers);
    run_team(&s, choose_way(g, task), threads);
    outcome->too_far = atomic_load(&s.too_far);
    for (int t = 0; t < threads; t++) outcome->zero_seen |= s.workers[t].zero_seen;
    return atomic_load(&s.cancelled) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
