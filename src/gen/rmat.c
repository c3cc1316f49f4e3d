/* R-MAT / Kronecker graphs with the parameters of Graph500 [1, 2]: 2^scale vertices, degree * 2^scale edges.
 *
 * Method: an edge chooses a quadrant of the adjacency matrix `scale` times. Five choices are one draw from an alias
 * table of 4^5 outcomes [3], so that an edge at scale 22 takes five 32-bit random words and five look-ups in 4 KB.
 * Philox block (g, w) gives word w of the edges 4g ... 4g+3.
 *
 * Exact probabilities: a, b, c are rounded down to multiples of 2^-32 and d is the rest; the products of five (or of
 * the last scale mod 5) are rounded to multiples of 2^-32, and the rounding error is added to the likeliest outcome.
 * Loops and repeats occur and are left to the build rules, as in Graph500.
 *
 * Scrambling: vertex names pass through a bijection of 0 ... 2^scale-1 keyed by the seed (multiply, add, xor-shift;
 * three rounds), so that ids are independent of degrees.
 * [1] Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004.
 * [2] graph500.org, specification 2.0, section 3: generating the edge list.
 * [3] Hübschle-Schneider, Sanders, "Linear work generation of R-MAT graphs", Network Science 8, 2020. */
#include "gen/alias.h"
#include "gen/gen.h"
#include "gen/random.h"

#include <math.h>

enum {
    LEVELS = 5, /* quadrant choices per draw */
    BATCH = 64  /* edges made together, so that their look-ups overlap */
};

_Static_assert(2 * LEVELS == WFI_ALIAS_BITS, "one draw makes LEVELS bits of each end");
_Static_assert(BATCH % 4 == 0 && WFI_BLOCK_EDGES % BATCH == 0, "blocks begin with a batch, batches with a group");

enum { ROUNDS = 3 };

typedef struct rmat {
    unsigned scale, full_draws, rest_levels;
    wfi_alias full, rest; /* for LEVELS choices, and for the last scale mod LEVELS */
    uint32_t multiplier[ROUNDS], addend[ROUNDS];
    uint32_t mask;
    unsigned half;
    int scrambled;
} rmat;

/* Table of outcomes (row bits, column bits) of `levels` choices; the first choice is the highest bit of both. */
static void set_table(wfi_alias *table, unsigned levels, const uint64_t quadrant[4]) {
    uint64_t weight[WFI_ALIAS_ROOM], sum = 0;
    uint32_t outcomes = (uint32_t)1 << 2 * levels;
    for (uint32_t o = 0; o < outcomes; o++) {
        /* The product in units of 2^-62, so that it can be 1. */
        uint64_t product = (uint64_t)1 << 62;
        for (unsigned level = 0; level < levels; level++) {
            unsigned row = o >> (levels + level) & 1, column = o >> level & 1;
            product = (uint64_t)((unsigned __int128)product * quadrant[2 * row + column] >> 32);
        }
        weight[o] = (product + (1 << 29)) >> 30;
        sum += weight[o];
    }
    /* The likeliest outcome has at least 2^22 units; the rounding error is below 2^10. */
    uint32_t taker = 0;
    for (uint32_t o = 1; o < outcomes; o++)
        if (weight[o] > weight[taker]) taker = o;
    weight[taker] += ((uint64_t)1 << 32) - sum;
    wfi_alias_set(table, 2 * levels, weight);
}

static void plan_rmat(rmat *plan, const weft_generate_params *p) {
    uint64_t quadrant[4] = {(uint64_t)ldexp(p->a, 32), (uint64_t)ldexp(p->b, 32), (uint64_t)ldexp(p->c, 32), 0};
    uint64_t three = quadrant[0] + quadrant[1] + quadrant[2];
    quadrant[3] = three < (uint64_t)1 << 32 ? ((uint64_t)1 << 32) - three : 0;
    plan->scale = (unsigned)p->scale;
    plan->full_draws = plan->scale / LEVELS;
    plan->rest_levels = plan->scale % LEVELS;
    set_table(&plan->full, LEVELS, quadrant);
    set_table(&plan->rest, plan->rest_levels, quadrant);
    plan->mask = ((uint32_t)1 << plan->scale) - 1;
    plan->half = plan->scale / 2 + 1;
    plan->scrambled = !p->unscrambled;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        wfi_random r = wfi_draw(p->seed, WFI_FOR_SCRAMBLING, i, 0);
        plan->multiplier[i] = (uint32_t)r.first | 1;
        plan->addend[i] = (uint32_t)r.second;
    }
}

/* Random word number `draw` of BATCH edges. */
static void draw_words(uint64_t seed, uint32_t draw, uint64_t group, uint32_t word[BATCH]) {
    for (int i = 0; i < BATCH; i += 4, group++) {
        uint32_t counter[4] = {(uint32_t)group, (uint32_t)(group >> 32), draw, WFI_FOR_EDGES};
        wfi_philox(counter, seed, word + i);
    }
}

static inline void descend(const wfi_alias *table, unsigned levels, const uint32_t word[BATCH],
                           uint32_t ends[2 * BATCH]) {
    uint32_t mask = ((uint32_t)1 << levels) - 1;
    for (int i = 0; i < BATCH; i++) {
        uint32_t outcome = wfi_alias_draw(table, 2 * levels, word[i]);
        ends[2 * i] = ends[2 * i] << levels | outcome >> levels;
        ends[2 * i + 1] = ends[2 * i + 1] << levels | (outcome & mask);
    }
}

/* Each step is a bijection of the numbers below 2^scale: an odd factor, an addition, an xor-shift by at least half
 * the bits. */
static void scramble(const rmat *plan, uint32_t ends[2 * BATCH]) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2 * BATCH; i++) {
            uint32_t x = (ends[i] * plan->multiplier[round] + plan->addend[round]) & plan->mask;
            ends[i] = x ^ x >> plan->half;
        }
    }
}

static void make_batch(const rmat *plan, uint64_t seed, uint64_t first, uint32_t ends[2 * BATCH]) {
    uint32_t word[BATCH];
    for (int i = 0; i < 2 * BATCH; i++) ends[i] = 0;
    for (uint32_t draw = 0; draw < plan->full_draws; draw++) {
        draw_words(seed, draw, first / 4, word);
        descend(&plan->full, LEVELS, word, ends);
    }
    if (plan->rest_levels) {
        draw_words(seed, plan->full_draws, first / 4, word);
        descend(&plan->rest, plan->rest_levels, word, ends);
    }
    if (plan->scrambled) scramble(plan, ends);
}

static void make_edges(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    uint32_t batch[2 * BATCH];
    for (uint64_t at = 0; at < count; at += BATCH) {
        make_batch(plan, run->p.seed, first + at, batch);
        uint64_t take = wfi_min_u64(2 * BATCH, 2 * (count - at));
        for (uint64_t i = 0; i < take; i++) ends[2 * at + i] = batch[i];
    }
}

weft_status wfi_make_rmat(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    if (p->a + p->b + p->c > 1 + 1e-9)
        return wfi_fail(run->ctx, WEFT_EINVAL, "`a`, `b` and `c` are %g, %g and %g; their sum must be at most 1", p->a,
                        p->b, p->c);
    rmat *plan;
    weft_status st = wfi_alloc(run->ctx, &plan, 1);
    if (st) return st;
    plan_rmat(plan, p);
    run->vertices = (uint64_t)1 << p->scale;
    st = wfi_run_edges(run, wfi_round_product(run->vertices, p->degree), make_edges, plan);
    wfi_free(plan);
    return st;
}
