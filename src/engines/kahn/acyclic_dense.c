/* Tests whether a directed graph is acyclic: peeling from the sinks by watched successors, as SAT solvers watch
 * literals [1].  Needs: loops and parallel arcs are allowed.
 * Method: a vertex waits for its first remaining successor.  When that one is removed, the vertex looks for the next
 * from its cursor on; if there is none it is a sink, and is removed.  So every arc is read at most once and no counter
 * is written, while Kahn's algorithm reads each arc twice and writes a counter each time.  All vertices are removed
 * exactly if there is no cycle.  A bit matrix reads 64 arcs at once; making it is most of the work, and threads share
 * it.
 * Encoding: head[t] begins the list of the vertices that wait for t, linked by next; the vertices to examine again form
 * such a list, too, so that no queue is needed.
 * [1] Moskewicz, Madigan, Zhao, Zhang, Malik, "Chaff: Engineering an Efficient SAT Solver", DAC 2001. */
#include "engines/kahn/kahn.h"

#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 14, POLL = 1 << 18, GROUP = 16, LANES = 64 };

typedef struct watch {
    weft_ctx *ctx;
    const weft_graph *g;
    size_t words; /* words of a row of bits */
    bool as_bits;
    wfi_watched_arrays a;
    uint64_t unpolled;
} watch;

static inline size_t words_of(weft_vid n) { return ((size_t)n + LANES - 1) / LANES; }

/* --- rows as bits ------------------------------------------------------------ */

/* The lowest bits of eight bytes, the first byte's lowest: products of different bytes do not overlap in the top
 * byte. */
static inline uint64_t low_bits(const uint8_t *byte) {
    uint64_t eight;
    memcpy(&eight, byte, sizeof eight);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return (eight * 0x0102040810204080u) >> 56;
}

/* Marks a byte for each target, then packs eight bytes into one: setting bits in a word one after the other waits for
 * the word each time, and takes half as long again. */
static void fill_row(const weft_graph *g, weft_vid v, uint8_t *mark, size_t words, uint64_t *row) {
    weft_eid begin = g->out.offsets[v], end = g->out.offsets[v + 1];
    for (weft_eid e = begin; e < end; e++) mark[g->out.targets[e]] = 1;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = 0;
        for (unsigned k = 0; k < 8; k++) word |= low_bits(mark + i * LANES + 8 * k) << (8 * k);
        row[i] = word;
    }
    memset(mark, 0, words * LANES);
}

static weft_status fill_rows(watch *w) {
    const weft_graph *g = w->g;
    size_t width = w->words * LANES;
    atomic_bool stop = false;
#pragma omp parallel num_threads(wfi_threads_for(w->ctx, g->arcs, SHARE))
    {
        uint8_t *mark = w->a.marks + (size_t)omp_get_thread_num() * width;
        memset(mark, 0, width);
#pragma omp for schedule(dynamic, GROUP)
        for (weft_vid v = 0; v < g->n; v++) {
            if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
            if (v % GROUP == 0 && wfi_cancelled(w->ctx)) atomic_store(&stop, true);
            fill_row(g, v, mark, w->words, w->a.bits + v * w->words);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(w->ctx) : WEFT_OK;
}

/* --- watching ---------------------------------------------------------------- */

/* The first remaining successor of v from its cursor on; WEFT_NO_VERTEX: none. */
static weft_vid first_in_bits(watch *w, weft_vid v) {
    const uint64_t *row = w->a.bits + v * w->words;
    uint64_t i = w->a.cursor[v], from = i, both = 0;
    while (i < w->words && !(both = row[i] & w->a.here[i])) i++;
    w->a.cursor[v] = i;
    w->unpolled += i - from;
    return both ? (weft_vid)(i * LANES + (unsigned)__builtin_ctzll(both)) : WEFT_NO_VERTEX;
}

static weft_vid first_in_row(watch *w, weft_vid v) {
    const weft_vid *targets = w->g->out.targets;
    weft_eid e = w->a.cursor[v], from = e, end = w->g->out.offsets[v + 1];
    while (e < end && !w->a.there[targets[e]]) e++;
    w->a.cursor[v] = e;
    w->unpolled += e - from;
    return e < end ? targets[e] : WEFT_NO_VERTEX;
}

static void remove_vertex(watch *w, weft_vid v) {
    if (w->as_bits)
        w->a.here[v / LANES] &= ~((uint64_t)1 << (v % LANES));
    else
        w->a.there[v] = 0;
}

/* The list of the vertices that wait for v, followed by the list `rest`. */
static weft_vid waiters_before(const watch *w, weft_vid v, weft_vid rest) {
    weft_vid first = w->a.head[v], last = first;
    if (first == WEFT_NO_VERTEX) return rest;
    while (w->a.next[last] != WEFT_NO_VERTEX) last = w->a.next[last];
    w->a.next[last] = rest;
    return first;
}

/* *gone = the number of removed vertices. */
static weft_status peel(watch *w, weft_vid *gone) {
    weft_vid n = w->g->n;
    *gone = 0;
    for (weft_vid start = 0; start < n; start++) {
        w->a.next[start] = WEFT_NO_VERTEX;
        for (weft_vid v = start; v != WEFT_NO_VERTEX;) {
            weft_vid rest = w->a.next[v], t = w->as_bits ? first_in_bits(w, v) : first_in_row(w, v);
            if (t == WEFT_NO_VERTEX) {
                remove_vertex(w, v);
                ++*gone;
                rest = waiters_before(w, v, rest);
            } else {
                w->a.next[v] = w->a.head[t];
                w->a.head[t] = v;
            }
            v = rest;
            if (++w->unpolled < POLL) continue;
            w->unpolled = 0;
            wfi_progress(w->ctx, "peel", *gone, n);
            if (wfi_cancelled(w->ctx)) return wfi_fail_cancelled(w->ctx);
        }
    }
    return WEFT_OK;
}

static weft_status begin(watch *w) {
    const weft_graph *g = w->g;
    size_t n = g->n;
    memset(w->a.head, 0xff, n * sizeof *w->a.head);
    if (w->as_bits) {
        memset(w->a.here, 0xff, w->words * sizeof *w->a.here);
        memset(w->a.cursor, 0, n * sizeof *w->a.cursor);
        return fill_rows(w);
    }
    memset(w->a.there, 1, n);
    memcpy(w->a.cursor, g->out.offsets, n * sizeof *w->a.cursor);
    return WEFT_OK;
}

void wfi_watched_lay_out(wfi_workspace *w, weft_vid n, bool as_bits, int threads, wfi_watched_arrays *a) {
    uint64_t words = words_of(n);
    wfi_array(w, &a->cursor, n);
    wfi_array(w, &a->head, n);
    wfi_array(w, &a->next, n);
    wfi_array(w, &a->here, as_bits ? words : 0);
    wfi_array(w, &a->there, as_bits ? 0 : n);
    wfi_array(w, &a->bits, as_bits ? n * words : 0);
    wfi_array(w, &a->marks, as_bits ? (uint64_t)threads * words * LANES : 0);
}

weft_status wfi_watched_acyclic(weft_ctx *ctx, const weft_graph *g, bool as_bits, const wfi_watched_arrays *a,
                                bool *acyclic) {
    watch w = {.ctx = ctx, .g = g, .words = words_of(g->n), .as_bits = as_bits, .a = *a};
    weft_vid gone = 0;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    weft_status st = begin(&w);
    if (!st) st = peel(&w, &gone);
    *acyclic = gone == g->n;
    return st;
}
