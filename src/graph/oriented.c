/* Builds the oriented view.  Needs: rows that ascend; loops and repeats may be there.
 * Method: the neighbours of a vertex are its out-row merged with its in-row.  One pass counts them, a stable radix sort
 * by degree gives the ranks, a second pass counts the neighbours of higher rank, a third writes and sorts them. */
#include "graph/oriented.h"
#include "core/scan.h"
#include "graph/neighbours.h"

#include <math.h>
#include <string.h>

enum { SHARE = 1 << 14, BLOCK = 256, RUN = 16, SAMPLES = 1 << 14 };

/* --- passes ----------------------------------------------------------------- */

typedef struct build {
    weft_ctx *ctx;
    const weft_graph *g;
    wfi_oriented *o;
    uint64_t *key;        /* by vertex: degree; later by rank */
    weft_vid *rank;       /* by vertex */
    uint32_t *reciprocal; /* by vertex, or NULL */
    int threads;
} build;

static inline bool should_stop(weft_ctx *ctx, bool *stop) {
    if (__atomic_load_n(stop, __ATOMIC_RELAXED)) return true;
    if (!wfi_cancelled(ctx)) return false;
    __atomic_store_n(stop, true, __ATOMIC_RELAXED);
    return true;
}

static inline uint64_t blocks_of(weft_vid n) { return ((uint64_t)n + BLOCK - 1) / BLOCK; }
static inline weft_vid block_end(uint64_t block, weft_vid n) { return (weft_vid)wfi_min_u64((block + 1) * BLOCK, n); }

static void degrees_of_block(const build *b, uint64_t block) {
    for (weft_vid v = (weft_vid)(block * BLOCK); v < block_end(block, b->g->n); v++) {
        wfi_merger m = wfi_neighbours(b->g, v);
        weft_vid t;
        unsigned ways;
        uint32_t count = 0, both = 0;
        while (wfi_next_neighbour(&m, &t, &ways)) {
            count++;
            both += ways - 1;
        }
        b->key[v] = count;
        b->o->vertex[v] = v;
        if (b->reciprocal) b->reciprocal[v] = both;
    }
}

/* The whole row of v when that is its neighbours: undirected, no loop, no repeat.  Else NULL. */
static inline const weft_vid *plain_row(const build *b, weft_vid v) {
    bool plain = !b->g->directed && b->o->degree[b->rank[v]] == wfi_degree(&b->g->out, v);
    return plain ? b->g->out.targets + b->g->out.offsets[v] : NULL;
}

static uint64_t count_higher(const weft_vid *rank, const weft_vid *row, uint64_t length, weft_vid mine) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < length; i++) count += rank[row[i]] > mine;
    return count;
}

/* Writes one place behind the last. */
static uint64_t take_higher(const weft_vid *rank, const weft_vid *row, uint64_t length, weft_vid mine, weft_vid *to) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < length; i++) {
        weft_vid r = rank[row[i]];
        to[count] = r;
        count += r > mine;
    }
    return count;
}

static void count_forward_in_block(const build *b, uint64_t block) {
    for (weft_vid v = (weft_vid)(block * BLOCK); v < block_end(block, b->g->n); v++) {
        wfi_merger m = wfi_neighbours(b->g, v);
        weft_vid t, mine = b->rank[v];
        unsigned ways;
        uint64_t count = 0;
        const weft_vid *plain = plain_row(b, v);
        if (plain)
            count = count_higher(b->rank, plain, wfi_degree(&b->g->out, v), mine);
        else
            while (wfi_next_neighbour(&m, &t, &ways)) count += b->rank[t] > mine;
        b->o->offsets[mine] = count;
    }
}

/* Entries are distinct.  In runs of 16 each goes to the place that the number of smaller ones says: no branch, and vector
 * instructions do it.  Then runs are merged pairwise; `spare` has room for the row. */
#define SORT_ROW(name, T)                                                                   \
    static void name(T *row, uint64_t count, T *spare) {                                    \
        for (uint64_t from = 0; from < count; from += RUN) {                                \
            uint64_t length = wfi_min_u64(RUN, count - from);                               \
            T run[RUN];                                                                     \
            for (uint64_t i = 0; i < RUN; i++) run[i] = i < length ? row[from + i] : (T)-1; \
            for (uint64_t i = 0; i < length; i++) {                                         \
                T x = run[i], below = 0;                                                    \
                for (uint64_t k = 0; k < RUN; k++) below += run[k] < x;                     \
                row[from + below] = x;                                                      \
            }                                                                               \
        }                                                                                   \
        T *here = row, *there = spare;                                                      \
        for (uint64_t run = RUN; run < count; run *= 2) {                                   \
            for (uint64_t from = 0; from < count; from += 2 * run) {                        \
                uint64_t a = from, mid = wfi_min_u64(from + run, count), c = mid;           \
                uint64_t end = wfi_min_u64(from + 2 * run, count), at = from;               \
                while (a < mid && c < end) {                                                \
                    T x = here[a], y = here[c];                                             \
                    bool first = x < y;                                                     \
                    there[at++] = first ? x : y;                                            \
                    a += first;                                                             \
                    c += !first;                                                            \
                }                                                                           \
                memcpy(there + at, here + a, (size_t)(mid - a) * sizeof(T));                \
                memcpy(there + at + (mid - a), here + c, (size_t)(end - c) * sizeof(T));    \
            }                                                                               \
            T *swap = here;                                                                 \
            here = there;                                                                   \
            there = swap;                                                                   \
        }                                                                                   \
        if (here != row) memcpy(row, here, (size_t)count * sizeof(T));                      \
    }
SORT_ROW(sort_row, weft_vid)
SORT_ROW(sort_wide_row, uint64_t)

static void fill_block(const build *b, uint64_t block, weft_vid *spare) {
    for (weft_vid v = (weft_vid)(block * BLOCK); v < block_end(block, b->g->n); v++) {
        wfi_merger m = wfi_neighbours(b->g, v);
        weft_vid t, mine = b->rank[v];
        unsigned ways;
        weft_vid *row = b->o->targets + b->o->offsets[mine];
        uint64_t count = 0;
        const weft_vid *plain = plain_row(b, v);
        if (plain) {
            count = take_higher(b->rank, plain, wfi_degree(&b->g->out, v), mine, spare);
            memcpy(row, spare, (size_t)count * sizeof *row);
        } else {
            while (wfi_next_neighbour(&m, &t, &ways))
                if (b->rank[t] > mine) row[count++] = b->rank[t];
        }
        sort_row(row, count, spare);
    }
}

static void fill_block_with_arcs(const build *b, uint64_t block, uint64_t *wide) {
    for (weft_vid v = (weft_vid)(block * BLOCK); v < block_end(block, b->g->n); v++) {
        wfi_merger m = wfi_neighbours(b->g, v);
        weft_vid t, mine = b->rank[v];
        unsigned ways;
        uint64_t begin = b->o->offsets[mine], count = 0;
        while (wfi_next_neighbour(&m, &t, &ways))
            if (b->rank[t] > mine) wide[count++] = (uint64_t)b->rank[t] << 1 | (ways - 1);
        sort_wide_row(wide, count, wide + b->o->longest);
        for (uint64_t i = 0; i < count; i++) {
            b->o->targets[begin + i] = (weft_vid)(wide[i] >> 1);
            b->o->arcs[begin + i] = (uint8_t)(1 + (wide[i] & 1));
        }
    }
}

static weft_status count_degrees(build *b) {
    bool stop = false;
#pragma omp parallel for schedule(dynamic, 4) num_threads(b->threads)
    for (uint64_t block = 0; block < blocks_of(b->g->n); block++)
        if (!should_stop(b->ctx, &stop)) degrees_of_block(b, block);
    return stop ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

static weft_status count_forward(build *b) {
    bool stop = false;
#pragma omp parallel for schedule(dynamic, 4) num_threads(b->threads)
    for (uint64_t block = 0; block < blocks_of(b->g->n); block++)
        if (!should_stop(b->ctx, &stop)) count_forward_in_block(b, block);
    return stop ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

static weft_status fill_rows(build *b) {
    bool stop = false;
    _Atomic int status = WEFT_OK;
#pragma omp parallel num_threads(b->threads)
    {
        weft_vid *spare = NULL;
        uint64_t *wide = NULL;
        weft_status mine =
            b->o->arcs ? wfi_alloc(b->ctx, &wide, 2 * b->o->longest + 1) : wfi_alloc(b->ctx, &spare, b->o->longest + 1);
        wfi_keep_status(&status, mine);
#pragma omp for schedule(dynamic, 4)
        for (uint64_t block = 0; block < blocks_of(b->g->n); block++) {
            if (mine || should_stop(b->ctx, &stop)) continue;
            if (wide)
                fill_block_with_arcs(b, block, wide);
            else
                fill_block(b, block, spare);
        }
        wfi_free(wide);
        wfi_free(spare);
    }
    if (atomic_load(&status)) return (weft_status)atomic_load(&status);
    return stop ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

/* Ranks from degrees; the key goes when the degrees stand by rank. */
static weft_status rank_vertices(build *b) {
    wfi_oriented *o = b->o;
    weft_vid n = o->n;
    weft_status st = wfi_sort_pairs(b->ctx, b->key, o->vertex, n, 32);
    if (!st) st = wfi_alloc(b->ctx, &o->degree, n);
    if (!st) st = wfi_alloc(b->ctx, &b->rank, n);
    if (!st && b->reciprocal) st = wfi_alloc(b->ctx, &o->reciprocal, n);
    if (st) return st;
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (weft_vid r = 0; r < n; r++) {
        b->rank[o->vertex[r]] = r;
        o->degree[r] = (uint32_t)b->key[r];
        if (b->reciprocal) o->reciprocal[r] = b->reciprocal[o->vertex[r]];
    }
    wfi_free(b->key);
    wfi_free(b->reciprocal);
    b->key = NULL;
    b->reciprocal = NULL;
    return WEFT_OK;
}

static weft_status make_rows(build *b, bool with_arcs) {
    wfi_oriented *o = b->o;
    weft_status st = wfi_alloc(b->ctx, &o->offsets, (size_t)o->n + 1);
    if (!st) st = count_forward(b);
    if (st) return st;
    uint64_t longest = 0;
#pragma omp parallel for schedule(static) num_threads(b->threads) reduction(max : longest)
    for (weft_vid r = 0; r < o->n; r++) longest = wfi_max_u64(longest, o->offsets[r]);
    o->longest = longest;
    st = wfi_exclusive_scan(b->ctx, o->offsets, o->n);
    if (st) return st;
    o->edges = o->offsets[o->n];
    st = wfi_alloc(b->ctx, &o->targets, o->edges);
    if (!st && with_arcs) st = wfi_alloc(b->ctx, &o->arcs, o->edges);
    return st ? st : fill_rows(b);
}

weft_status wfi_oriented_make(weft_ctx *ctx, const weft_graph *g, bool with_arcs, wfi_oriented *out) {
    *out = (wfi_oriented){.n = g->n};
    build b = {.ctx = ctx, .g = g, .o = out, .threads = wfi_threads_for(ctx, g->n + g->arcs, SHARE)};
    wfi_progress(ctx, "orienting the edges", 0, 0);
    weft_status st = wfi_graph_need_in(ctx, g);
    if (!st) st = wfi_alloc(ctx, &out->vertex, g->n);
    if (!st) st = wfi_alloc(ctx, &b.key, g->n);
    if (!st && with_arcs) st = wfi_alloc(ctx, &b.reciprocal, g->n);
    if (!st) st = count_degrees(&b);
    if (!st) st = rank_vertices(&b);
    if (!st) st = make_rows(&b, with_arcs);
    wfi_free(b.key);
    wfi_free(b.rank);
    wfi_free(b.reciprocal);
    if (st) wfi_oriented_free(out);
    return st;
}

void wfi_oriented_free(wfi_oriented *o) {
    wfi_free(o->offsets);
    wfi_free(o->targets);
    wfi_free(o->vertex);
    wfi_free(o->degree);
    wfi_free(o->arcs);
    wfi_free(o->reciprocal);
    *o = (wfi_oriented){0};
}

/* --- for plans --------------------------------------------------------------- */

/* The row that holds the arc at `at`. */
static weft_vid row_of(const weft_graph *g, weft_eid at) {
    weft_vid low = 0, high = g->n - 1;
    while (low < high) {
        weft_vid mid = low + (high - low) / 2;
        if (g->out.offsets[mid + 1] > at)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

uint64_t wfi_oriented_estimate(const weft_graph *g) {
    if (!g->arcs) return 0;
    /* Arcs of the sample that stand for an edge: the first of its repeats, and half when the other way is there too. */
    uint64_t halves = 0, taken = wfi_min_u64(SAMPLES, g->arcs);
    for (uint64_t i = 0; i < taken; i++) {
        weft_eid at = g->arcs <= SAMPLES ? i : wfi_mix(i + 1) % g->arcs;
        weft_vid u = row_of(g, at), v = g->out.targets[at];
        bool repeat = at > g->out.offsets[u] && g->out.targets[at - 1] == v;
        if (u == v || repeat) continue;
        halves += g->directed && !weft_graph_has_arc(g, v, u, NULL) ? 2 : 1;
    }
    return (uint64_t)((double)g->arcs * (double)halves / (double)(2 * taken) + 0.5);
}

uint64_t wfi_oriented_longest(uint64_t n, uint64_t edges) {
    return wfi_min_u64((uint64_t)sqrt(2.0 * (double)edges) + 1, n);
}

void wfi_oriented_bytes(const weft_ctx *ctx, const weft_graph *g, uint64_t edges, bool with_arcs, uint64_t *kept,
                        uint64_t *transpose, uint64_t *peak) {
    uint64_t n = g->n, each = g->weight_type ? 8 : 4;
    *kept = 16 * n + 4 * edges + (with_arcs ? 4 * n + edges : 0);
    *transpose = wfi_in_at_hand(g) ? 0 : 8 * n + each * g->arcs;
    uint64_t transposing = *transpose ? wfi_transpose_bytes(ctx, g->n, g->arcs, g->weight_type) : 0;
    uint64_t sorting = *transpose + 24 * n + (with_arcs ? 4 * n : 0);
    uint64_t threads = (uint64_t)wfi_threads_for(ctx, n + g->arcs, SHARE);
    uint64_t spare = threads * (with_arcs ? 16 : 4) * wfi_oriented_longest(n, edges);
    uint64_t filling = *transpose + *kept + 4 * n + spare;
    *peak = wfi_max_u64(transposing, wfi_max_u64(sorting, filling));
}
