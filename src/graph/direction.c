/* Is a graph whose direction nobody told undirected?  Two signs, looked for in the finished rows, so that reading pays next to nothing.
 *
 * Ascending: vertices are numbered in the order of their ids and rows ascend, so the first target of each row tells of all its arcs: O(n).
 * Twice: a sum over all arcs u -> v, where each adds the hash of {u, v, weight} if u < v and subtracts it if u > v, is 0 if every arc has its
 * reverse, and by chance once in 2^64 graphs: O(m), in one pass over the targets.  A graph that is not symmetric seldom gets so far: one of a few
 * arcs here and there, whose reverses are searched for first, shows it. */
#include "core/scan.h"
#include "core/together.h"
#include "graph/share.h"

enum { FEWEST_LINES = 32, PROBES = 256, ROWS = 1 << 12 };

/* The rows that are here. */
static wfi_range rows_here(const weft_graph *g) { return g->share ? g->share->mine : (wfi_range){0, g->n}; }

static bool all_ascend(weft_ctx *ctx, const weft_graph *g) {
    wfi_range here = rows_here(g);
    bool ascend = true;
#pragma omp parallel for schedule(static) reduction(&& : ascend) num_threads(wfi_threads_for(ctx, here.end - here.first, 1 << 16))
    for (uint64_t first = here.first; first < here.end; first += ROWS)
        for (uint64_t v = first, end = wfi_min_u64(first + ROWS, here.end); v < end && ascend; v++)
            ascend = !wfi_degree(&g->out, (weft_vid)v) || g->out.targets[g->out.offsets[v]] > v;
    return ascend;
}

/* Have these few arcs their reverses? */
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

/* Of row u: arcs to larger vertices less arcs to smaller ones, as sums of hashes.  Each arc that is not a loop sets *any. */
static uint64_t balance_of_row(const weft_graph *g, uint64_t u, bool *any) {
    uint64_t sum = 0;
    for (weft_eid e = g->out.offsets[u], end = g->out.offsets[u + 1]; e < end; e++) {
        uint64_t v = g->out.targets[e], pair = u < v ? u << 32 | v : v << 32 | u;
        if (u == v) continue;
        if (g->out.weights) pair = wfi_mix(pair) + weight_bits(g, e);
        uint64_t hash = wfi_mix(pair);
        sum += u < v ? hash : -hash;
        *any = true;
    }
    return sum;
}

static weft_status all_twice(weft_ctx *ctx, const weft_graph *g, bool *twice) {
    wfi_range here = rows_here(g);
    uint64_t sum = 0;
    bool stop = false, any = false;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum) reduction(|| : stop, any) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 16))
    for (uint64_t first = here.first; first < here.end; first += ROWS) {
        if (stop || wfi_cancelled(ctx)) {
            stop = true;
            continue;
        }
        bool some = false;
        for (uint64_t u = first, end = wfi_min_u64(first + ROWS, here.end); u < end; u++)
            sum += balance_of_row(g, u, &some);
        any = any || some;
    }
    weft_status st = stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
    uint64_t all[2] = {sum, any};
    if (g->share) st = wfi_all_agree(ctx, st);
    if (g->share && !st) st = wfi_all_sum(ctx, all, 2);
    *twice = !all[0] && all[1];
    return st;
}

weft_status wfi_graph_doubt_direction(weft_ctx *ctx, weft_graph *g) {
    if (g->direction_from != WEFT_DIRECTION_ASSUMED || !g->arcs) return WEFT_OK;
    uint64_t ascend = all_ascend(ctx, g);
    bool twice = false;
    weft_status st = g->share ? wfi_all_least(ctx, &ascend, 1) : WEFT_OK;
    if (!st && !ascend && (g->share || probes_have_reverse(g))) st = all_twice(ctx, g, &twice);
    if (st) return st;
    /* A label says whether there are cycles, and so that edges have a direction; loops that were dropped did not ascend. */
    ascend = ascend && g->records >= FEWEST_LINES && g->label == WEFT_LABEL_NONE && !g->self_loops_dropped;
    g->direction_doubt = twice ? WEFT_DOUBT_TWICE : ascend ? WEFT_DOUBT_ASCENDING : WEFT_DOUBT_NONE;
    return WEFT_OK;
}
