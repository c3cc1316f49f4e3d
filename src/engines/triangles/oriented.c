/* Degree-ordered orientation, CPU (oriented.h).  Needs: rows that ascend; loops and repeats are allowed.
 * Method: the neighbours of a vertex are its out-row merged with its in-row.  One pass counts them, a stable radix sort
 * by degree gives the ranks, a second pass counts the neighbours of higher rank, a third writes and sorts them. */
#include "engines/triangles/oriented.h"
#include "core/scan.h"
#include "graph/rows.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 14, BLOCK = 256, RUN = 16 };

/* --- passes ----------------------------------------------------------------- */

typedef struct build {
    weft_ctx *ctx;
    const weft_graph *g;
    wfi_oriented *o;
    uint64_t *key;
    weft_vid *rank;
    uint32_t *reciprocal; /* NULL unless requested */
    const wfi_orienting *scratch;
    uint64_t words; /* words of a thread's spare rows */
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
        uint32_t count = 0, both = 0;
        for (wfi_merger m = wfi_neighbours(b->g, v); wfi_next_neighbour(&m);) {
            count++;
            both += m.ways - 1;
        }
        b->key[v] = count;
        b->o->vertex[v] = v;
        if (b->reciprocal) b->reciprocal[v] = both;
    }
}

/* The row of v itself if it is exactly its neighbours: undirected, no loop, no repeat.  Else NULL. */
static inline const weft_vid *plain_row(const build *b, weft_vid v) {
    bool plain = !b->g->directed && b->o->degree[b->rank[v]] == wfi_degree(&b->g->out, v);
    return plain ? b->g->out.targets + b->g->out.offsets[v] : NULL;
}

static uint64_t count_higher(const weft_vid *rank, const weft_vid *row, uint64_t length, weft_vid mine) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < length; i++) count += rank[row[i]] > mine;
    return count;
}

/* Writes one entry behind the last. */
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
        weft_vid mine = b->rank[v];
        uint64_t count = 0;
        const weft_vid *plain = plain_row(b, v);
        if (plain)
            count = count_higher(b->rank, plain, wfi_degree(&b->g->out, v), mine);
        else
            while (wfi_next_neighbour(&m)) count += b->rank[m.neighbour] > mine;
        b->o->offsets[mine] = count;
    }
}

/* Sorts distinct entries.  In runs of 16 each entry goes to the position that is its number of smaller ones: no branch,
 * and vector instructions do it.  Then runs are merged pairwise; `spare` is as long as the row. */
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
        weft_vid mine = b->rank[v];
        weft_vid *row = b->o->targets + b->o->offsets[mine];
        uint64_t count = 0;
        const weft_vid *plain = plain_row(b, v);
        if (plain) {
            count = take_higher(b->rank, plain, wfi_degree(&b->g->out, v), mine, spare);
            memcpy(row, spare, (size_t)count * sizeof *row);
        } else {
            while (wfi_next_neighbour(&m))
                if (b->rank[m.neighbour] > mine) row[count++] = b->rank[m.neighbour];
        }
        sort_row(row, count, spare);
    }
}

static void fill_block_with_arcs(const build *b, uint64_t block, uint64_t *wide) {
    for (weft_vid v = (weft_vid)(block * BLOCK); v < block_end(block, b->g->n); v++) {
        weft_vid mine = b->rank[v];
        uint64_t begin = b->o->offsets[mine], count = 0;
        for (wfi_merger m = wfi_neighbours(b->g, v); wfi_next_neighbour(&m);)
            if (b->rank[m.neighbour] > mine) wide[count++] = (uint64_t)b->rank[m.neighbour] << 1 | (m.ways - 1);
        sort_wide_row(wide, count, wide + b->o->longest);
        for (uint64_t i = 0; i < count; i++) {
            b->o->targets[begin + i] = (weft_vid)(wide[i] >> 1);
            b->o->arcs[begin + i] = (uint8_t)(1 + (wide[i] & 1));
        }
    }
}

static weft_status each_block(build *b, void (*count)(const build *b, uint64_t block)) {
    bool stop = false;
#pragma omp parallel for schedule(dynamic, 4) num_threads(b->threads)
    for (uint64_t block = 0; block < blocks_of(b->g->n); block++)
        if (!should_stop(b->ctx, &stop)) count(b, block);
    return stop ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

static weft_status fill_rows(build *b) {
    bool stop = false;
#pragma omp parallel num_threads(b->threads)
    {
        uint64_t *wide = (uint64_t *)b->scratch->spare + (size_t)omp_get_thread_num() * b->words;
#pragma omp for schedule(dynamic, 4)
        for (uint64_t block = 0; block < blocks_of(b->g->n); block++) {
            if (should_stop(b->ctx, &stop)) continue;
            if (b->o->arcs)
                fill_block_with_arcs(b, block, wide);
            else
                fill_block(b, block, (weft_vid *)wide);
        }
    }
    return stop ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

/* Ranks from degrees. */
static weft_status rank_vertices(build *b) {
    wfi_oriented *o = b->o;
    weft_vid n = o->n;
    const wfi_orienting *s = b->scratch;
    wfi_sort_scratch sorting = {s->sort_key, s->sort_places, s->sort_value};
    weft_status st = wfi_sort_pairs_in(b->ctx, &sorting, b->key, o->vertex, n, 32);
    if (st) return st;
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (weft_vid r = 0; r < n; r++) {
        b->rank[o->vertex[r]] = r;
        o->degree[r] = (uint32_t)b->key[r];
        if (b->reciprocal) o->reciprocal[r] = b->reciprocal[o->vertex[r]];
    }
    return WEFT_OK;
}

static weft_status make_rows(build *b, wfi_workspace *w, bool with_arcs) {
    wfi_oriented *o = b->o;
    weft_status st = each_block(b, count_forward_in_block);
    if (st) return st;
    uint64_t longest = 0;
#pragma omp parallel for schedule(static) num_threads(b->threads) reduction(max : longest)
    for (weft_vid r = 0; r < o->n; r++) longest = wfi_max_u64(longest, o->offsets[r]);
    o->longest = longest;
    wfi_exclusive_scan(b->ctx, o->offsets, o->n);
    o->edges = o->offsets[o->n];
    o->targets = wfi_grow(w, o->edges, sizeof *o->targets);
    if (with_arcs && o->targets) o->arcs = wfi_grow(w, o->edges, sizeof *o->arcs);
    return w->status ? w->status : fill_rows(b);
}

static int threads_for(const weft_ctx *ctx, const weft_graph *g) { return wfi_threads_for(ctx, g->n + g->arcs, SHARE); }

/* Words of a thread's spare rows: two wide rows, or one of ranks; and one entry behind the last. */
static uint64_t spare_words(const weft_graph *g, bool with_arcs) {
    uint64_t longest = wfi_oriented_longest(g->n, wfi_oriented_most(g));
    return with_arcs ? 2 * longest + 1 : (longest + 2) / 2;
}

void wfi_oriented_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, bool with_arcs, wfi_oriented *o,
                          wfi_orienting *s) {
    uint64_t n = g->n, most = wfi_oriented_most(g);
    wfi_sort_scratch sorting;
    *o = (wfi_oriented){.n = g->n};
    *s = (wfi_orienting){NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    wfi_array(w, &o->vertex, n);
    wfi_array(w, &o->degree, n);
    wfi_array(w, &o->offsets, n + 1);
    if (with_arcs) wfi_array(w, &o->reciprocal, n);
    wfi_growth(w, sizeof *o->targets * most);
    if (with_arcs) wfi_growth(w, sizeof *o->arcs * most);
    uint64_t making = wfi_mark(w);
    wfi_array(w, &s->rank, n);
    uint64_t ranking = wfi_mark(w);
    wfi_array(w, &s->key, n);
    if (with_arcs) wfi_array(w, &s->reciprocal, n);
    wfi_sort_lay_out(w, ctx, (size_t)n, &sorting);
    s->sort_key = sorting.key;
    s->sort_places = sorting.places;
    s->sort_value = sorting.value;
    wfi_rewind(w, ranking);
    s->spare =
        wfi_carve(w, "spare rows", (uint64_t)threads_for(ctx, g) * spare_words(g, with_arcs), sizeof(uint64_t), false);
    wfi_rewind(w, making);
}

weft_status wfi_oriented_make(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, bool with_arcs,
                              const wfi_orienting *scratch, wfi_oriented *o) {
    build b = {.ctx = ctx,
               .g = g,
               .o = o,
               .key = scratch->key,
               .rank = scratch->rank,
               .reciprocal = with_arcs ? scratch->reciprocal : NULL,
               .scratch = scratch,
               .words = spare_words(g, with_arcs),
               .threads = threads_for(ctx, g)};
    wfi_progress(ctx, "orienting the edges", 0, 0);
    weft_status st = each_block(&b, degrees_of_block);
    if (!st) st = rank_vertices(&b);
    return st ? st : make_rows(&b, w, with_arcs);
}

/* --- for plans --------------------------------------------------------------- */

uint64_t wfi_oriented_most(const weft_graph *g) {
    uint64_t arcs = g->arcs - wfi_min_u64(g->arcs, g->self_loops);
    return g->directed ? arcs : arcs / 2;
}

uint64_t wfi_oriented_longest(uint64_t n, uint64_t edges) {
    return wfi_min_u64((uint64_t)sqrt(2.0 * (double)edges) + 1, n);
}
