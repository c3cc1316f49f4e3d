/* Detects graphs of assumed direction that look undirected, by two cheap tests of the finished rows.
 *
 * Ascending ids: vertices are numbered in the order of their ids and rows ascend, so the first target of each row
 * decides for all its arcs: O(n). Symmetry, by randomised polynomial hashing (Schwartz-Zippel): with a hash h(v) per
 * vertex and a hashed weight w per arc, the sum over all arcs u -> v of w (h(u) h(v)^2 - h(u)^2 h(v)) is 0 if every
 * arc has its reverse with the same weight, and otherwise almost never (a polynomial in random 64-bit numbers). O(m),
 * two products per arc in one pass over the targets. Most asymmetric graphs are detected before that pass, by
 * searching the reverses of a few sample arcs; graphs of more than MOST_ARCS arcs are not tested. */
#include "core/comm.h"
#include "graph/ranks/share.h"

enum { FEWEST_LINES = 32, MOST_ARCS = 10000000, PROBES = 256, ROWS = 1 << 12 };

/* Rows on this rank. */
static wfi_range rows_here(const weft_graph *g) { return g->share ? g->share->owned : (wfi_range){0, g->n}; }

static bool all_ascend(weft_ctx *ctx, const weft_graph *g) {
    wfi_range here = rows_here(g);
    bool ascend = true;
#pragma omp parallel for schedule(static) reduction(&& : ascend) num_threads(wfi_threads_for(ctx, here.end - here.first, 1 << 16))
    for (uint64_t first = here.first; first < here.end; first += ROWS)
        for (uint64_t v = first, end = wfi_min_u64(first + ROWS, here.end); v < end && ascend; v++)
            ascend = !wfi_degree(&g->out, (weft_vid)v) || g->out.targets[g->out.offsets[v]] > v;
    return ascend;
}

/* True if some sample arcs have their reverses. */
static bool probes_have_reverse(const weft_graph *g) {
    for (uint64_t k = 0; k < PROBES; k++) {
        weft_vid u = (weft_vid)(k * g->n / PROBES);
        if (wfi_degree(&g->out, u) && !weft_graph_has_arc(g, g->out.targets[g->out.offsets[u]], u, NULL)) return false;
    }
    return true;
}

static inline uint64_t weight_bits(const weft_graph *g, weft_eid e) {
    size_t bytes = wfi_weight_bytes(g->weight_type);
    return bytes == 8 ? ((const uint64_t *)g->out.weights)[e] : bytes ? ((const uint32_t *)g->out.weights)[e] : 0;
}

/* 128-bit product, folded to 64 bits. */
static inline uint64_t hash_of(uint64_t x) {
    unsigned __int128 product = (unsigned __int128)(x ^ 0xa0761d6478bd642fu) * 0xe7037ed1a0b428dbu;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Contribution of row u to the sum. */
static uint64_t balance_of_row(const weft_graph *g, uint64_t u) {
    const weft_vid *v = g->out.targets;
    weft_eid begin = g->out.offsets[u], end = g->out.offsets[u + 1];
    uint64_t h = hash_of(u), once = 0, squared = 0;
    for (weft_eid e = begin; e < end; e++) {
        uint64_t there = hash_of(v[e]), weighed = g->out.weights ? there * hash_of(weight_bits(g, e)) : there;
        once += weighed;
        squared += weighed * there;
    }
    return h * squared - h * h * once;
}

static weft_status is_symmetric(weft_ctx *ctx, const weft_graph *g, bool *symmetric) {
    wfi_range here = rows_here(g);
    uint64_t sum = 0;
    bool stop = false;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum) reduction(|| : stop) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 16))
    for (uint64_t first = here.first; first < here.end; first += ROWS) {
        stop = stop || wfi_cancelled(ctx);
        for (uint64_t u = first, end = wfi_min_u64(first + ROWS, here.end); u < end && !stop; u++)
            sum += balance_of_row(g, u);
    }
    weft_status st = stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
    if (g->share) st = wfi_agree(ctx, st);
    if (g->share && !st) st = wfi_allreduce(ctx, &sum, 1, WFI_SUM);
    *symmetric = !sum && g->arcs > g->self_loops;
    return st;
}

weft_status wfi_graph_doubt_direction(weft_ctx *ctx, weft_graph *g) {
    if (g->direction_from != WEFT_DIRECTION_ASSUMED || !g->arcs) return WEFT_OK;
    uint64_t ascend = all_ascend(ctx, g);
    bool symmetric = false;
    weft_status st = g->share ? wfi_allreduce(ctx, &ascend, 1, WFI_MIN) : WEFT_OK;
    if (!st && !ascend && g->arcs <= MOST_ARCS && (g->share || probes_have_reverse(g)))
        st = is_symmetric(ctx, g, &symmetric);
    if (st) return st;
    /* A component label implies a meaningful direction; dropped loops were not ascending. */
    ascend = ascend && g->records >= FEWEST_LINES && g->label == WEFT_LABEL_NONE && !g->self_loops_dropped;
    g->direction_doubt = symmetric ? WEFT_DOUBT_TWICE : ascend ? WEFT_DOUBT_ASCENDING : WEFT_DOUBT_NONE;
    return WEFT_OK;
}
