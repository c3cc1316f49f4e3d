/* Truss numbers by peeling, CPU [1, 2].
 * Method: at level l all edges of at most l triangles are removed at once, with their triangles; edges that are left
 * with at most l triangles are removed next, until there is none.  Edges removed at level l have the truss number l +
 * 2.  The next level is the least support of the remaining edges.
 * The triangles of a removed edge are found by looking up the neighbours of the shorter row in the longer one by
 * galloping (exponential) search.  If several edges of a triangle are removed at once, only the first of them
 * decrements the third edge; so an edge loses one of its support for each triangle with any number of threads, and
 * numbers are unique.
 * Encoding: rows have both ends of each edge, with its index in the oriented view; when half of the edges are removed,
 * rows are compacted.
 * [1] Cohen, "Trusses: Cohesive Subgraphs for Social Network Analysis", 2008.
 * [2] Kabir, Madduri, "Parallel k-truss Decomposition on Multicore Systems", HPEC 2017. */
#include "algo/truss/truss.h"
#include "core/append_buffer.h"
#include "core/scan.h"

#include <stdlib.h>
#include <string.h>

enum { SHARE = 1 << 12, PIECE = 1 << 14, SOME = 1 << 6, ROWS = 1 << 8, BY_HAND = 24 };
enum { ALIVE, REMOVING, REMOVED };

typedef struct peel {
    weft_ctx *ctx;
    const wfi_oriented *o;
    wfi_truss_space *s;
    uint32_t level;
    uint64_t pieces, now, later, left,
        listed; /* left: edges not removed; listed: `left` when rows were last compacted */
    _Atomic bool stopped;
} peel;

static bool goes_on(peel *p) {
    if (atomic_load_explicit(&p->stopped, memory_order_relaxed)) return false;
    if (!wfi_cancelled(p->ctx)) return true;
    atomic_store_explicit(&p->stopped, true, memory_order_relaxed);
    return false;
}

static weft_status ended(const peel *p) { return atomic_load(&p->stopped) ? wfi_fail_cancelled(p->ctx) : WEFT_OK; }

/* --- rows ------------------------------------------------------------------------------------ */

void wfi_truss_peel_lay_out(wfi_workspace *w, uint64_t n, uint64_t edges, wfi_truss_space *s) {
    wfi_array(w, &s->start, n + 1);
    wfi_array(w, &s->length, n);
    wfi_array_within(w, &s->rows, 2 * edges);
    wfi_array_within(w, &s->from, edges);
    wfi_array_within(w, &s->alive, edges);
    wfi_array_within(w, &s->now, edges);
    wfi_array_within(w, &s->later, edges);
    wfi_array_within(w, &s->state, edges);
    wfi_array_within(w, &s->left, (edges + PIECE - 1) / PIECE);
}

static void sort_row(uint64_t *row, uint64_t length) {
    if (length > BY_HAND) {
        qsort(row, length, sizeof *row, wfi_by_u64);
        return;
    }
    for (uint64_t i = 1; i < length; i++) {
        uint64_t key = row[i], at = i;
        for (; at && row[at - 1] > key; at--) row[at] = row[at - 1];
        row[at] = key;
    }
}

static void put(const peel *p, weft_vid at, weft_vid neighbour, uint64_t edge) {
    uint32_t place = __atomic_fetch_add(&p->s->length[at], 1, __ATOMIC_RELAXED);
    p->s->rows[p->s->start[at] + place] = (uint64_t)neighbour << 32 | edge;
}

/* Threads fill rows together, in any order; sorting makes the result unique. */
static weft_status make_rows(peel *p) {
    const wfi_oriented *o = p->o;
    memset(p->s->length, 0, o->n * sizeof *p->s->length);
    for (weft_vid r = 0; r < o->n; r++) p->s->start[r] = o->degree[r];
    wfi_exclusive_scan(p->ctx, p->s->start, o->n);
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(wfi_threads_for(p->ctx, o->edges, SHARE))
    for (weft_vid u = 0; u < o->n; u++) {
        if (u % ROWS == 0 && !goes_on(p)) continue;
        for (uint64_t e = o->offsets[u]; e < o->offsets[u + 1]; e++) {
            p->s->from[e] = u;
            put(p, u, o->targets[e], e);
            put(p, o->targets[e], u, e);
        }
    }
    if (ended(p)) return ended(p);
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(wfi_threads_for(p->ctx, o->edges, SHARE))
    for (weft_vid u = 0; u < o->n; u++)
        if (goes_on(p)) sort_row(p->s->rows + p->s->start[u], p->s->length[u]);
    return ended(p);
}

/* Removes the entries of removed edges from their rows. */
static weft_status compact_rows(peel *p) {
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(wfi_threads_for(p->ctx, p->listed, SHARE))
    for (weft_vid u = 0; u < p->o->n; u++) {
        uint64_t *row = p->s->rows + p->s->start[u];
        uint32_t kept = 0, length = p->s->length[u];
        for (uint32_t i = 0; i < length; i++)
            if (p->s->state[(uint32_t)row[i]] != REMOVED) row[kept++] = row[i];
        p->s->length[u] = kept;
    }
    p->listed = p->left;
    return goes_on(p) ? WEFT_OK : ended(p);
}

/* --- a round ---------------------------------------------------------------------------------- */

/* The first entry from `at` on with that neighbour or a higher one. */
static const uint64_t *seek(const uint64_t *at, const uint64_t *end, uint64_t neighbour) {
    size_t step = 1;
    while (step < (size_t)(end - at) && at[step] >> 32 < neighbour) {
        at += step;
        step *= 2;
    }
    const uint64_t *high = (size_t)(end - at) < step ? end : at + step;
    WFI_BISECT(at, high, middle, *middle >> 32 < neighbour);
    return at;
}

/* Is the triangle of edge e and edge `other` handled by another edge, or removed already? */
static inline bool passed_over(const peel *p, uint32_t other, uint32_t e) {
    uint8_t state = p->s->state[other];
    return state == REMOVED || (state == REMOVING && other < e);
}

static inline void decrement(const peel *p, uint32_t edge, wfi_append_buffer *b) {
    if (p->s->state[edge] != ALIVE) return;
    if (__atomic_fetch_sub(&p->s->support[edge], 1, __ATOMIC_RELAXED) == p->level + 1) wfi_append(b, edge);
}

static void lose_triangles(const peel *p, uint32_t e, wfi_append_buffer *b) {
    weft_vid u = p->s->from[e], v = p->o->targets[e];
    const uint32_t *length = p->s->length;
    if (length[u] > length[v]) {
        weft_vid other = u;
        u = v;
        v = other;
    }
    const uint64_t *row = p->s->rows + p->s->start[u], *row_end = row + length[u];
    const uint64_t *at = p->s->rows + p->s->start[v], *end = at + length[v];
    for (; row < row_end && at < end; row++) {
        uint32_t one = (uint32_t)*row;
        if (one == e || passed_over(p, one, e)) continue;
        at = seek(at, end, *row >> 32);
        if (at == end || *at >> 32 != *row >> 32 || passed_over(p, (uint32_t)*at, e)) continue;
        decrement(p, one, b);
        decrement(p, (uint32_t)*at, b);
    }
}

static weft_status make_round(peel *p) {
    p->later = 0;
#pragma omp parallel num_threads(wfi_threads_for(p->ctx, p->now, SOME))
    {
        wfi_append_buffer b;
        wfi_append_buffer_open(&b, p->s->later, &p->later);
#pragma omp for schedule(dynamic, SOME)
        for (uint64_t i = 0; i < p->now; i++)
            if (i % SOME ? !atomic_load_explicit(&p->stopped, memory_order_relaxed) : goes_on(p))
                lose_triangles(p, p->s->now[i], &b);
        wfi_append_buffer_flush(&b);
    }
    return ended(p);
}

/* Sets the state of the edges of the list `now`. */
static void mark(peel *p, uint8_t state) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(p->ctx, p->now, PIECE))
    for (uint64_t i = 0; i < p->now; i++) {
        p->s->state[p->s->now[i]] = state;
        if (state == REMOVING) p->s->support[p->s->now[i]] = p->level;
    }
}

static weft_status empty_level(peel *p, uint64_t all) {
    weft_status st = WEFT_OK;
    while (p->now && !st) {
        mark(p, REMOVING);
        wfi_progress(p->ctx, "peeling edges", all - p->left, all);
        st = make_round(p);
        mark(p, REMOVED);
        p->left -= p->now;
        uint32_t *spare = p->s->now;
        p->s->now = p->s->later;
        p->s->later = spare;
        p->now = p->later;
        if (!st && p->left < p->listed / 2) st = compact_rows(p);
    }
    return st;
}

/* --- levels ----------------------------------------------------------------------------------- */

/* Compacts the list of edges; returns the least support among them. */
static uint32_t compact_list(peel *p) {
    uint32_t least = UINT32_MAX;
#pragma omp parallel for schedule(dynamic, 1) reduction(min      \
                                                        : least) \
    num_threads(wfi_threads_for(p->ctx, p->listed, PIECE))
    for (uint64_t k = 0; k < p->pieces; k++) {
        uint32_t *piece = p->s->alive + k * PIECE;
        uint64_t kept = 0;
        for (uint64_t i = 0; i < p->s->left[k]; i++) {
            if (p->s->state[piece[i]] != ALIVE) continue;
            least = p->s->support[piece[i]] < least ? p->s->support[piece[i]] : least;
            piece[kept++] = piece[i];
        }
        p->s->left[k] = kept;
    }
    return least;
}

static void collect(peel *p) {
    p->now = 0;
#pragma omp parallel num_threads(wfi_threads_for(p->ctx, p->listed, PIECE))
    {
        wfi_append_buffer b;
        wfi_append_buffer_open(&b, p->s->now, &p->now);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t k = 0; k < p->pieces; k++)
            for (uint64_t i = 0; i < p->s->left[k]; i++) {
                uint32_t edge = p->s->alive[k * PIECE + i];
                if (p->s->support[edge] <= p->level) wfi_append(&b, edge);
            }
        wfi_append_buffer_flush(&b);
    }
}

static void list_all(peel *p) {
    uint64_t edges = p->o->edges;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(p->ctx, edges, PIECE))
    for (uint64_t k = 0; k < p->pieces; k++) {
        uint64_t end = wfi_min_u64((k + 1) * PIECE, edges);
        for (uint64_t e = k * PIECE; e < end; e++) {
            p->s->alive[e] = (uint32_t)e;
            p->s->state[e] = ALIVE;
        }
        p->s->left[k] = end - k * PIECE;
    }
}

weft_status wfi_truss_peel(weft_ctx *ctx, const wfi_oriented *o, uint64_t k, wfi_truss_space *s) {
    peel p = {.ctx = ctx, .o = o, .s = s, .left = o->edges, .listed = o->edges};
    p.pieces = (o->edges + PIECE - 1) / PIECE;
    if (k == 2) return WEFT_OK;
    weft_status st = make_rows(&p);
    if (!st) list_all(&p);
    while (!st && p.left) {
        uint32_t least = compact_list(&p);
        p.level = k ? (uint32_t)k - 3 : least;
        collect(&p);
        st = goes_on(&p) ? empty_level(&p, o->edges) : ended(&p);
        if (k) break;
    }
    return st;
}
