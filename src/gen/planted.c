/* Planted partitions [1], a stochastic block model [2]: n vertices in communities; two vertices of the same community
 * of s vertices are joined with probability (1 - mixing) degree / (s - 1), two vertices of different communities with
 * the same small probability, so that a share `mixing` of all edges is between communities. Directed: the same for
 * ordered pairs, with `degree` as out-degree.
 *
 * Sizes are equal, or fall off as 1 / rank: Zipf's law, a power law with exponent 2 [3]. Communities are ranges of
 * places 0 ... n-1; a permutation keyed by the seed maps places to vertices, so that ids are independent of
 * communities.
 * Method: geometric skips. First blocks of all pairs, of which pairs inside a community are ignored; then blocks of
 * inner pairs: parts of a large community, or several small communities.
 * [1] Condon, Karp, "Algorithms for graph partitioning on the planted partition model", Random Struct. Algor. 18,
 * 2001.
 * [2] Holland, Laskey, Leinhardt, "Stochastic blockmodels: first steps", Social Networks 5, 1983.
 * [3] Newman, "Power laws, Pareto distributions and Zipf's law", Contemp. Phys. 46, 2005. */
#include "gen/gen.h"
#include "gen/permute.h"

#include <inttypes.h>
#include <math.h>

enum { PART_EDGES = 1 << 14, HARMONIC_BITS = 58 };

__extension__ typedef unsigned __int128 wide;

/* Pairs from ... to - 1 of community `first` or, if to is 0, all pairs of communities first ... end - 1. */
typedef struct part {
    uint64_t first, end, from, to;
} part;

typedef struct planted {
    wfi_space space;
    uint64_t n, communities;
    uint64_t *start; /* first place of each community, then n */
    wfi_permutation vertices;
    double inside; /* mean degree within a community */
    double p_between;
    uint64_t pairs, blocks_between; /* of all pairs of vertices */
    unsigned block_bits;
    part *parts;
    uint64_t part_count;
    wfi_skipper between;
} planted;

/* --- communities --------------------------------------------------------------------------- */

static uint64_t size_of(const planted *m, uint64_t c) { return m->start[c + 1] - m->start[c]; }

static weft_status lay_out(wfi_run *run, planted *m) {
    const weft_generate_params *p = &run->p;
    const uint64_t one = (uint64_t)1 << HARMONIC_BITS;
    uint64_t harmonic = 0, sum = 0;
    if (p->communities > p->n)
        return wfi_fail(run->ctx, WEFT_EINVAL, "`communities` is %" PRIu64 ", which must be at most `n` (%" PRIu64 ")",
                        p->communities, p->n);
    m->space = run->directed ? WFI_ORDERED : WFI_TRIANGLE;
    m->n = run->vertices = p->n;
    m->communities = p->communities;
    wfi_permutation_set(&m->vertices, p->n, p->seed);
    weft_status st = wfi_alloc(run->ctx, &m->start, (size_t)p->communities + 1);
    if (st) return st;
    for (uint64_t c = 0; c < p->communities && p->power_law; c++) harmonic += one / (c + 1);
    for (uint64_t c = 0; c <= p->communities; c++) {
        m->start[c] = p->power_law ? (uint64_t)((wide)p->n * sum / harmonic) : c * p->n / p->communities;
        sum += one / (c + 1);
    }
    return WEFT_OK;
}

static uint64_t community_of(const planted *m, uint64_t place) {
    uint64_t low = 0, high = m->communities;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (m->start[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

weft_status wfi_planted_communities(wfi_run *run, uint32_t *community) {
    planted m = {.start = NULL};
    weft_status st = lay_out(run, &m);
    for (uint64_t c = 0; c < m.communities && !st; c++)
        for (uint64_t place = m.start[c]; place < m.start[c + 1]; place++)
            community[wfi_permute(&m.vertices, place)] = (uint32_t)c;
    wfi_free(m.start);
    return st;
}

/* --- probabilities -------------------------------------------------------------------------- */

static weft_status set_probabilities(wfi_run *run, planted *m) {
    const weft_generate_params *p = &run->p;
    uint64_t smallest = size_of(m, m->communities - 1);
    wide together = 0;
    for (uint64_t c = 0; c < m->communities; c++) {
        together += (wide)size_of(m, c) * size_of(m, c);
        smallest = wfi_min_u64(smallest, size_of(m, c));
    }
    m->inside = (1 - p->mixing) * p->degree;
    if (!smallest || m->inside > (double)(smallest - 1))
        return wfi_fail(run->ctx, WEFT_EINVAL,
                        "the smallest community has %" PRIu64
                        " of the vertices, and none of them can have the %g neighbours inside that `degree` and"
                        " `mixing` ask for; fewer `communities`, or a smaller `degree`",
                        smallest, m->inside);
    double apart = (double)((wide)m->n * m->n - together), wanted = p->mixing * p->degree * (double)m->n;
    if (wanted > apart)
        return wfi_fail(run->ctx, WEFT_EINVAL,
                        m->communities == 1 ? "all vertices are in one community, and none of its edges can leave it:"
                                              " `mixing` must be 0"
                                            : "there are fewer pairs of vertices in different communities than edges"
                                              " that `degree` and `mixing` put between them");
    m->p_between = apart > 0 ? wanted / apart : 0;
    return WEFT_OK;
}

/* Returns the number of parts; writes them to `parts` unless it is NULL. */
static uint64_t cut_parts(const planted *m, part *parts) {
    uint64_t count = 0, gathered = 0, first = 0;
    for (uint64_t c = 0; c < m->communities; c++) {
        uint64_t pairs = wfi_space_count(m->space, size_of(m, c));
        uint64_t edges = wfi_round_product(size_of(m, c), m->inside), pieces = edges / PART_EDGES;
        gathered += edges;
        if (gathered < PART_EDGES && c + 1 < m->communities) continue;
        if (first < c && parts) parts[count] = (part){first, c, 0, 0};
        count += first < c;
        for (uint64_t i = 0; i <= pieces; i++, count++)
            if (parts)
                parts[count] = (part){c, c + 1, (uint64_t)((wide)pairs * i / (pieces + 1)),
                                      (uint64_t)((wide)pairs * (i + 1) / (pieces + 1))};
        first = c + 1;
        gathered = 0;
    }
    return count;
}

/* --- edges ----------------------------------------------------------------------------------- */

static wfi_pair vertices_at(const planted *m, uint64_t u, uint64_t v) {
    return (wfi_pair){(uint32_t)wfi_permute(&m->vertices, u), (uint32_t)wfi_permute(&m->vertices, v)};
}

static weft_status join_between(wfi_run *run, const planted *m, uint64_t block, wfi_piece *piece) {
    uint64_t at = block << m->block_bits;
    uint64_t end = at + wfi_min_u64(m->pairs - at, (uint64_t)1 << m->block_bits);
    uint64_t capacity = (uint64_t)((double)(end - at) * m->p_between);
    wfi_skips skips = {m->p_between < 1 ? &m->between : NULL, WFI_FOR_SKIPS, (uint32_t)block, 0, {0, 0}};
    weft_status st = WEFT_OK;
    for (; !st && wfi_skip_next(run, &skips, &at, end); at++) {
        wfi_pair pair = wfi_space_pair(m->space, m->n, at);
        if (community_of(m, pair.u) != community_of(m, pair.v))
            st = wfi_piece_add(run, piece, &capacity, vertices_at(m, pair.u, pair.v));
    }
    return st;
}

static weft_status join_inside(wfi_run *run, const planted *m, uint64_t number, wfi_piece *piece) {
    const part *of = &m->parts[number];
    wfi_skipper skipper = m->between; /* a copy, for its tables */
    wfi_skips skips = {&skipper, WFI_FOR_COMMUNITIES, (uint32_t)number, 0, {0, 0}};
    uint64_t capacity = PART_EDGES;
    weft_status st = WEFT_OK;
    for (uint64_t c = of->first; c < of->end && !st; c++) {
        uint64_t size = size_of(m, c), start = m->start[c];
        uint64_t at = of->from, end = of->to ? of->to : wfi_space_count(m->space, size);
        double p = size > 1 ? m->inside / (double)(size - 1) : 0;
        if (p <= 0) continue;
        skips.skipper = p < 1 ? &skipper : NULL;
        if (p < 1) wfi_skipper_set_p(&skipper, p);
        for (; !st && wfi_skip_next(run, &skips, &at, end); at++) {
            wfi_pair pair = wfi_space_pair(m->space, size, at);
            st = wfi_piece_add(run, piece, &capacity, vertices_at(m, start + pair.u, start + pair.v));
        }
    }
    return st;
}

static weft_status join(wfi_run *run, const void *plan, uint64_t block, wfi_piece *piece) {
    const planted *m = plan;
    return block < m->blocks_between ? join_between(run, m, block, piece)
                                     : join_inside(run, m, block - m->blocks_between, piece);
}

weft_status wfi_make_planted(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    planted m = {.start = NULL};
    int exponent;
    weft_status st = lay_out(run, &m);
    if (!st) st = set_probabilities(run, &m);
    if (!st) {
        wfi_skipper_set(&m.between, m.p_between > 0 && m.p_between < 1 ? m.p_between : 0.5);
        m.pairs = m.p_between > 0 ? wfi_space_count(m.space, m.n) : 0;
        frexp(m.p_between, &exponent); /* blocks of 2^14 to 2^15 edges on average, as in pairs.c */
        m.block_bits = exponent > -48 ? (unsigned)(15 - exponent) : 63;
        m.blocks_between = m.pairs ? ((m.pairs - 1) >> m.block_bits) + 1 : 0;
        m.part_count = m.inside > 0 ? cut_parts(&m, NULL) : 0;
        st = wfi_alloc(run->ctx, &m.parts, (size_t)m.part_count);
    }
    if (!st && m.part_count) cut_parts(&m, m.parts);
    uint64_t edges = wfi_round_product(p->n, run->directed ? p->degree : p->degree / 2);
    if (!st) st = wfi_run_blocks(run, m.blocks_between + m.part_count, edges, join, &m);
    WFI_FREE(m.parts, m.start);
    return st;
}
