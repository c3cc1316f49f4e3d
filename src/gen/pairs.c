/* Sampling pairs without replacement. By probability: geometric skips (skip.h) through fixed blocks of the space,
 * each with its own random stream; restarting at a block border changes nothing, because the geometric distribution
 * is memoryless. Exactly m: the first m values of a pseudorandom permutation of the space (permute.h). */
#include "gen/gen.h"

#include "gen/permute.h"

#include <math.h>

uint64_t wfi_space_count(wfi_space space, uint64_t n) {
    if (space == WFI_SQUARE) return n * n;
    if (n < 2) return 0;
    if (space == WFI_ORDERED) return n * (n - 1);
    return n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1);
}

/* The v with v(v-1)/2 <= number < v(v+1)/2. The square root is a first guess; integer arithmetic decides. */
static uint64_t triangle_row(uint64_t number) {
    uint64_t v = (uint64_t)sqrt(2.0 * (double)number);
    while (wfi_space_count(WFI_TRIANGLE, v) > number) v--;
    while (wfi_space_count(WFI_TRIANGLE, v + 1) <= number) v++;
    return v;
}

wfi_pair wfi_space_pair(wfi_space space, uint64_t n, uint64_t number) {
    if (space == WFI_TRIANGLE) {
        uint64_t v = triangle_row(number);
        return (wfi_pair){(uint32_t)(number - wfi_space_count(WFI_TRIANGLE, v)), (uint32_t)v};
    }
    uint64_t width = space == WFI_ORDERED ? n - 1 : n;
    uint64_t u = number / width, v = number % width;
    if (space == WFI_ORDERED && v >= u) v++;
    return (wfi_pair){(uint32_t)u, (uint32_t)v};
}

/* --- with probability p -------------------------------------------------- */

typedef struct skipping {
    wfi_space space;
    uint64_t pairs;
    double p;
    unsigned block_bits; /* a block has 2^block_bits pairs */
    wfi_skipper skipper;
} skipping;

bool wfi_skip_next(const wfi_run *run, wfi_skips *skips, uint64_t *at, uint64_t end) {
    if (skips->draws % 2 == 0) skips->r = wfi_draw(run->p.seed, skips->purpose, skips->lane, skips->draws / 2);
    uint64_t skip = skips->skipper ? wfi_skip(skips->skipper, skips->draws % 2 ? skips->r.second : skips->r.first) : 0;
    skips->draws++;
    if (skip >= end - *at) return false;
    *at += skip;
    return true;
}

weft_status wfi_piece_add(wfi_run *run, wfi_piece *piece, uint64_t *capacity, wfi_pair pair) {
    if (piece->count == *capacity || !piece->narrow) {
        *capacity += *capacity / 8 + 16;
        if (wfi_widen(run->ctx, &piece->narrow, 2 * *capacity)) return WEFT_ENOMEM;
    }
    piece->narrow[2 * piece->count] = pair.u;
    piece->narrow[2 * piece->count + 1] = pair.v;
    piece->count++;
    return WEFT_OK;
}

static weft_status skip_through(wfi_run *run, const void *plan, uint64_t block, wfi_piece *piece) {
    const skipping *s = plan;
    uint64_t at = block << s->block_bits;
    uint64_t end = at + wfi_min_u64(s->pairs - at, (uint64_t)1 << s->block_bits);
    uint64_t capacity = (uint64_t)((double)(end - at) * s->p);
    wfi_skips skips = {s->p < 1 ? &s->skipper : NULL, WFI_FOR_SKIPS, (uint32_t)block, 0, {0, 0}};
    for (; wfi_skip_next(run, &skips, &at, end); at++) {
        weft_status st = wfi_piece_add(run, piece, &capacity, wfi_space_pair(s->space, run->vertices, at));
        if (st) return st;
    }
    return WEFT_OK;
}

weft_status wfi_choose_by_probability(wfi_run *run, wfi_space space, double p) {
    skipping s = {.space = space, .pairs = wfi_space_count(space, run->vertices), .p = p};
    if (!s.pairs || p <= 0) return WEFT_OK;
    if (p < 1) wfi_skipper_set(&s.skipper, p);
    /* p = fraction * 2^exponent with fraction in [1/2, 1): a block has 2^14 to 2^15 edges on average. */
    int exponent;
    frexp(p, &exponent);
    s.block_bits = exponent > -48 ? (unsigned)(15 - exponent) : 63;
    uint64_t blocks = ((s.pairs - 1) >> s.block_bits) + 1;
    return wfi_run_blocks(run, blocks, (uint64_t)((double)s.pairs * p), skip_through, &s);
}

/* --- exactly m ----------------------------------------------------------- */

typedef struct drawing {
    wfi_space space;
    wfi_permutation order;
} drawing;

static void draw_distinct(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    const drawing *d = plan;
    for (uint64_t i = 0; i < count; i++) {
        wfi_pair pair = wfi_space_pair(d->space, run->vertices, wfi_permute(&d->order, first + i));
        ends[2 * i] = pair.u;
        ends[2 * i + 1] = pair.v;
    }
}

weft_status wfi_choose_exactly(wfi_run *run, wfi_space space, uint64_t m) {
    drawing d = {.space = space};
    wfi_permutation_set(&d.order, wfi_space_count(space, run->vertices), run->p.seed);
    return wfi_run_edges(run, m, draw_distinct, &d);
}
