/* Cache blocking in two dimensions, for PageRank on CPU cores.  Needs: outgoing rows, unweighted; no transpose.
 * Method: a block of targets is added up from all blocks of sources in turn.  Its sums (512 KB at most) stay in the
 * core's L2 cache and the shares are read in order; pulling misses the caches on most arcs once the shares exceed them.
 * Propagation blocking [1] writes each share to a bin and reads it again, 10 bytes an arc; if a block of targets has an
 * arc for every few sources, reading the shares once for each block is cheaper: 4 bytes an arc and 4 n for each block
 * of targets.
 * Encoding: an arc is two 16-bit positions within its blocks.  Block sizes depend on the number of threads; the sums do
 * not, since they are of integers.
 * [1] Beamer, Asanovic, Patterson, "Reducing PageRank Communication via Propagation Blocking", IPDPS 2017. */
#include "algo/pagerank/pagerank_cpu.h"
#include "core/fixed.h"

#include <omp.h>
#include <string.h>

/* BLOCKS: minimum number of blocks of targets; each reads all shares once.
 * TURNS: minimum number of blocks for each thread, of the n/8 vertices that are swept at once (pagerank_cpu.c).
 * LANES: counters for each block of targets; neighbours in a row often share a block, and a single counter would be a
 * chain of dependent additions. */
enum {
    MOST_SHIFT = 16,
    LEAST_SHIFT = 10,
    BLOCKS = 64,
    TURNS = 2,
    LANES = 4,
    POLL_ARCS = 1 << 20,
    POLL_ROWS = 1 << 10,
    POLL_TILES = 8
};

static size_t blocks_of(uint64_t n, unsigned shift) { return (size_t)((n + ((uint64_t)1 << shift) - 1) >> shift); }

static unsigned choose_shift(weft_vid n, int threads) {
    uint64_t part = ((uint64_t)n + 7) / 8;
    unsigned shift = MOST_SHIFT;
    while (shift > LEAST_SHIFT && (blocks_of(n, shift) < BLOCKS || blocks_of(part, shift) < (size_t)(TURNS * threads)))
        shift--;
    return shift;
}

/* Declares the tiles' arrays; later, in the memory of their scratch, a block of sums for each thread. */
void wfi_tiles_lay_out(wfi_workspace *w, const weft_graph *g, int threads, wfi_tiles *t) {
    unsigned shift = choose_shift(g->n, threads);
    uint64_t blocks = blocks_of(g->n, shift);
    *t = (wfi_tiles){.g = g, .shift = shift, .blocks = (size_t)blocks};
    wfi_array(w, &t->start, blocks * blocks + 1);
    wfi_array(w, &t->arcs, g->arcs);
    uint64_t making = wfi_mark(w);
    wfi_array(w, &t->counts, LANES * blocks * (uint64_t)threads);
    wfi_array(w, &t->cursors, blocks * (uint64_t)threads);
    wfi_rewind(w, making);
    wfi_array(w, &t->sums, (uint64_t)threads << shift);
}

static weft_vid first_source(const wfi_tiles *t, size_t from) {
    return (weft_vid)wfi_min_u64((uint64_t)from << t->shift, t->g->n);
}

/* Counts the arcs of a block of sources into start[to][from].  False after a request to stop. */
static bool count_arcs(weft_ctx *ctx, const wfi_tiles *t, size_t from, uint32_t *count) {
    const weft_eid *offsets = t->g->out.offsets;
    weft_eid begin = offsets[first_source(t, from)], arcs = offsets[first_source(t, from + 1)] - begin;
    weft_eid lane = arcs / LANES;
    const weft_vid *target = t->g->out.targets + begin;
    uint32_t *counts[LANES];
    for (size_t i = 0; i < LANES; i++) counts[i] = count + i * t->blocks;
    memset(count, 0, LANES * t->blocks * sizeof *count);
    for (weft_eid e = 0; e < lane;) {
        weft_eid stop = wfi_min_u64(lane, e + POLL_ARCS);
        for (; e < stop; e++)
            for (size_t i = 0; i < LANES; i++) counts[i][target[e + i * lane] >> t->shift]++;
        if (wfi_cancelled(ctx)) return false;
    }
    for (weft_eid e = LANES * lane; e < arcs; e++) count[target[e] >> t->shift]++;
    for (size_t to = 0; to < t->blocks; to++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < LANES; i++) sum += counts[i][to];
        t->start[to * t->blocks + from] = sum;
    }
    return true;
}

static bool place_arcs(weft_ctx *ctx, const wfi_tiles *t, size_t from, uint32_t **cursor) {
    const weft_eid *offsets = t->g->out.offsets;
    const weft_vid *target = t->g->out.targets;
    weft_vid first = first_source(t, from), end = first_source(t, from + 1), mask = ((weft_vid)1 << t->shift) - 1;
    unsigned shift = t->shift;
    for (size_t to = 0; to < t->blocks; to++) cursor[to] = t->arcs + t->start[to * t->blocks + from];
    for (weft_vid u = first; u < end; u++) {
        for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++)
            *cursor[target[e] >> shift]++ = (u - first) << 16 | (target[e] & mask);
        if (u % POLL_ROWS == 0 && wfi_cancelled(ctx)) return false;
    }
    return true;
}

/* Counts become begins (exclusive scan). */
static void allot(const wfi_tiles *t) {
    uint64_t sum = 0;
    for (size_t i = 0; i < t->blocks * t->blocks; i++) {
        uint64_t here = t->start[i];
        t->start[i] = sum;
        sum += here;
    }
    t->start[t->blocks * t->blocks] = sum;
}

weft_status wfi_tiles_make(weft_ctx *ctx, const wfi_tiles *t) {
    int threads = wfi_threads(ctx);
    size_t blocks = t->blocks;
    _Atomic bool stop = false;
    for (int pass = 0; pass < 2 && !atomic_load(&stop); pass++) {
        if (pass) allot(t);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (size_t from = 0; from < blocks; from++) {
            size_t me = (size_t)omp_get_thread_num();
            if (atomic_load(&stop)) continue;
            bool whole = pass ? place_arcs(ctx, t, from, t->cursors + me * blocks)
                              : count_arcs(ctx, t, from, t->counts + me * LANES * blocks);
            if (!whole) atomic_store(&stop, true);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

bool wfi_tiles_add(weft_ctx *ctx, const wfi_tiles *t, size_t to, const float *share, uint64_t *sum) {
    memset(sum, 0, sizeof *sum << t->shift);
    for (size_t from = 0; from < t->blocks; from++) {
        if (from % POLL_TILES == 0 && wfi_cancelled(ctx)) return false;
        const float *sent = share + ((size_t)from << t->shift);
        const uint32_t *arc = t->arcs + t->start[to * t->blocks + from];
        const uint32_t *end = t->arcs + t->start[to * t->blocks + from + 1];
        /* Reads four shares before the first sum is written: the compiler must assume that sums and shares may
         * alias. */
        for (; end - arc >= 4; arc += 4) {
            uint64_t a = wfi_fixed_of(sent[arc[0] >> 16]), b = wfi_fixed_of(sent[arc[1] >> 16]);
            uint64_t c = wfi_fixed_of(sent[arc[2] >> 16]), d = wfi_fixed_of(sent[arc[3] >> 16]);
            sum[arc[0] & 0xffff] += a;
            sum[arc[1] & 0xffff] += b;
            sum[arc[2] & 0xffff] += c;
            sum[arc[3] & 0xffff] += d;
        }
        for (; arc < end; arc++) sum[*arc & 0xffff] += wfi_fixed_of(sent[*arc >> 16]);
    }
    return true;
}
