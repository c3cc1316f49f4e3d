/* Propagation blocking.  Needs: outgoing rows, unweighted; no transpose.
 * Method: sources are read in order and append their share to the bin of each target's block; then bin after bin is
 * added into sums that fit in a core's own cache.  All streams are sequential, where pulling misses the cache on most
 * arcs once the shares outgrow it.  Which target a place in a bin means never changes, so only shares are written [1].
 * Encoding: bins lie one after the other, within a bin the parts of task 0, 1, ...  The numbers of tasks and blocks follow
 * the threads; the sums do not, being of integers.
 * Bytes an arc and iteration: 4 read (target), 4 written (share), 6 read (share, place).
 * [1] Beamer, Asanovic, Patterson, "Reducing PageRank Communication via Propagation Blocking", IPDPS 2017. */
#include "algo/pagerank/blocks.h"
#include "core/fixed.h"

#include <string.h>

enum { MOST_SHIFT = 16, LEAST_SHIFT = 10, BLOCKS_PER_THREAD = 8, TASKS_PER_THREAD = 4, POLL_EVERY = 4096 };

static unsigned choose_shift(weft_vid n, int threads) {
    unsigned shift = MOST_SHIFT;
    while (shift > LEAST_SHIFT && n >> shift < (weft_vid)(BLOCKS_PER_THREAD * threads)) shift--;
    return shift;
}

uint64_t wfi_blocks_bytes(weft_vid n, weft_eid arcs, int threads) {
    uint64_t blocks = ((uint64_t)n >> choose_shift(n, threads)) + 1, tasks = (uint64_t)(TASKS_PER_THREAD * threads);
    return 6 * arcs + 16 * tasks * blocks + 8 * blocks + ((uint64_t)(8 * threads) << choose_shift(n, threads));
}

/* The first row whose arcs begin at or after `arc`. */
static weft_vid row_at(const weft_graph *g, weft_eid arc) {
    weft_vid low = 0, high = g->n;
    while (low < high) {
        weft_vid middle = low + (high - low) / 2;
        if (g->out.offsets[middle] < arc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets *stop, for good, when the caller wants no more: half-made counts must not be used. */
static bool stopped(weft_ctx *ctx, _Atomic bool *stop, weft_vid u) {
    if (u % POLL_EVERY == 0 && wfi_cancelled(ctx)) atomic_store(stop, true);
    return u % POLL_EVERY == 0 && atomic_load(stop);
}

static void count_arcs(weft_ctx *ctx, wfi_blocks *b, size_t task, _Atomic bool *stop) {
    const weft_eid *offsets = b->g->out.offsets;
    uint64_t *count = b->start + task * b->blocks;
    for (weft_vid u = b->first[task]; u < b->first[task + 1] && !stopped(ctx, stop, u); u++)
        for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) count[b->g->out.targets[e] >> b->shift]++;
}

/* Counts become places: bin after bin, within a bin task after task. */
static void allot(wfi_blocks *b) {
    uint64_t sum = 0;
    for (size_t block = 0; block < b->blocks; block++) {
        for (size_t t = 0; t < b->tasks; t++) {
            uint64_t *at = &b->start[t * b->blocks + block], here = *at;
            *at = sum;
            sum += here;
        }
        b->end[block] = sum;
    }
}

static uint64_t *cursor_of(wfi_blocks *b, size_t task) {
    uint64_t *cursor = b->cursor + task * b->blocks;
    memcpy(cursor, b->start + task * b->blocks, b->blocks * sizeof *cursor);
    return cursor;
}

static void note_places(weft_ctx *ctx, wfi_blocks *b, size_t task, _Atomic bool *stop) {
    const weft_eid *offsets = b->g->out.offsets;
    uint64_t *cursor = cursor_of(b, task);
    weft_vid mask = ((weft_vid)1 << b->shift) - 1;
    for (weft_vid u = b->first[task]; u < b->first[task + 1] && !stopped(ctx, stop, u); u++)
        for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) {
            weft_vid v = b->g->out.targets[e];
            b->place[cursor[v >> b->shift]++] = (uint16_t)(v & mask);
        }
}

weft_status wfi_blocks_make(weft_ctx *ctx, const weft_graph *g, wfi_blocks *b) {
    int threads = wfi_threads(ctx);
    _Atomic bool stop = false;
    *b = (wfi_blocks){.g = g, .shift = choose_shift(g->n, threads), .tasks = (size_t)(TASKS_PER_THREAD * threads)};
    b->blocks = (size_t)(g->n >> b->shift) + 1;
    if (wfi_alloc(ctx, &b->first, b->tasks + 1) || wfi_alloc_zeroed(ctx, &b->start, b->tasks * b->blocks) ||
        wfi_alloc(ctx, &b->cursor, b->tasks * b->blocks) || wfi_alloc(ctx, &b->end, b->blocks) ||
        wfi_alloc(ctx, &b->place, (size_t)g->arcs) || wfi_alloc(ctx, &b->share, (size_t)g->arcs))
        return WEFT_ENOMEM;
    for (size_t t = 0; t <= b->tasks; t++) b->first[t] = row_at(g, g->arcs / b->tasks * t);
    b->first[0] = 0;
    b->first[b->tasks] = g->n;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t t = 0; t < b->tasks; t++)
        if (!atomic_load(&stop)) count_arcs(ctx, b, t, &stop);
    if (atomic_load(&stop)) return wfi_fail_cancelled(ctx);
    allot(b);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t t = 0; t < b->tasks; t++)
        if (!atomic_load(&stop)) note_places(ctx, b, t, &stop);
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

void wfi_blocks_free(wfi_blocks *b) {
    wfi_free(b->first);
    wfi_free(b->start);
    wfi_free(b->cursor);
    wfi_free(b->end);
    wfi_free(b->place);
    wfi_free(b->share);
}

weft_status wfi_blocks_scatter(weft_ctx *ctx, wfi_blocks *b, const float *share) {
    const weft_eid *offsets = b->g->out.offsets;
    const weft_vid *targets = b->g->out.targets;
    _Atomic bool stop = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads(ctx))
    for (size_t t = 0; t < b->tasks; t++) {
        uint64_t *cursor = cursor_of(b, t);
        for (weft_vid u = b->first[t]; u < b->first[t + 1] && !stopped(ctx, &stop, u); u++) {
            float x = share[u];
            for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) b->share[cursor[targets[e] >> b->shift]++] = x;
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

void wfi_blocks_gather(const wfi_blocks *b, size_t block, uint64_t *sum) {
    memset(sum, 0, sizeof *sum << b->shift);
    for (uint64_t i = block ? b->end[block - 1] : 0; i < b->end[block]; i++)
        sum[b->place[i]] += wfi_fixed_of(b->share[i]);
}
