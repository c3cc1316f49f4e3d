/* Watts–Strogatz small worlds [1]: a ring on which every vertex is joined to its k nearest, k/2 on either side; each
 * edge keeps its first end and, with probability p, its other end moves to a random vertex.
 *
 * Every vertex rewires its own k/2 edges with its own random numbers, so any thread can make any vertex. A new end is
 * neither the vertex itself, nor one of its ring neighbours, nor one of its other new ends. Two vertices may still
 * choose each other: (kp)^2/8 such repeats are expected in the whole graph, left to the build rules. The decision
 * compares 64 random bits with p as integers.
 * [1] Watts, Strogatz, "Collective dynamics of 'small-world' networks", Nature 393, 1998. */
#include "gen/gen.h"
#include "gen/random.h"

#include <inttypes.h>
#include <math.h>

enum { ATTEMPTS = 64 }; /* for a new end, before the search becomes linear */

typedef struct ring {
    uint64_t n, half;   /* half = k/2 */
    uint64_t threshold; /* p * 2^64 */
    bool always;        /* p = 1, which `threshold` cannot represent */
    uint64_t vertices_in_block;
} ring;

static bool taken(const uint32_t *ends, uint64_t count, uint64_t end) {
    for (uint64_t i = 0; i < count; i++)
        if (ends[2 * i + 1] == end) return true;
    return false;
}

/* Vertices at least half+1 steps away on either side: n - 1 - 2*half of them, numbered from 0. */
static uint64_t far_vertex(const ring *r, uint64_t v, uint64_t number) {
    uint64_t end = v + r->half + 1 + number;
    return end < r->n ? end : end - r->n;
}

/* A new end for the next edge of v, which already has `count` ends; n if none is free. */
static uint64_t new_end(const ring *r, uint64_t seed, uint64_t v, const uint32_t *ends, uint64_t count) {
    uint64_t far = r->n - 1 - 2 * r->half, number = 0, edge = v * r->half + count;
    for (uint32_t attempt = 1; attempt <= ATTEMPTS && far; attempt++) {
        number = wfi_below(wfi_draw(seed, WFI_FOR_REWIRING, attempt, edge).first, far);
        if (!taken(ends, count, far_vertex(r, v, number))) return far_vertex(r, v, number);
    }
    for (uint64_t step = 0; step < far; step++) {
        number = number + 1 < far ? number + 1 : 0;
        if (!taken(ends, count, far_vertex(r, v, number))) return far_vertex(r, v, number);
    }
    return r->n;
}

static void rewire(const ring *r, uint64_t seed, uint64_t v, uint32_t *ends) {
    for (uint64_t i = 0; i < r->half; i++) {
        uint64_t near = v + 1 + i < r->n ? v + 1 + i : v + 1 + i - r->n, end = r->n;
        if (r->always || wfi_draw(seed, WFI_FOR_REWIRING, 0, v * r->half + i).first < r->threshold)
            end = new_end(r, seed, v, ends, i);
        ends[2 * i] = (uint32_t)v;
        ends[2 * i + 1] = (uint32_t)(end < r->n ? end : near);
    }
}

static weft_status rewire_block(wfi_run *run, const void *plan, uint64_t block, wfi_piece *piece) {
    const ring *r = plan;
    uint64_t from = block * r->vertices_in_block, to = wfi_min_u64(r->n, from + r->vertices_in_block);
    weft_status st = wfi_piece_take(run, piece, (to - from) * r->half);
    for (uint64_t v = from; !st && v < to; v++) rewire(r, run->p.seed, v, piece->narrow + 2 * (v - from) * r->half);
    return st;
}

weft_status wfi_make_smallworld(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    if (p->k % 2 || p->k >= p->n)
        return wfi_fail(run->ctx, WEFT_EINVAL,
                        "`k` is %" PRIu64 " neighbours on the ring; it must be even and less than `n` (%" PRIu64 ")",
                        p->k, p->n);
    ring r = {.n = p->n, .half = p->k / 2, .always = p->p >= 1};
    if (!r.always) r.threshold = (uint64_t)ldexp(p->p, 64);
    r.vertices_in_block = wfi_max_u64(1, WFI_BLOCK_EDGES / r.half);
    run->vertices = r.n;
    return wfi_run_blocks(run, (r.n - 1) / r.vertices_in_block + 1, r.n * r.half, rewire_block, &r);
}
