/* pagerank: run again after each batch; a warm tracker starts from the last ranks.
 * Warm ranks differ from those of a run from 1/n but are near the same fixed point; the bound says how near. One step
 * T of the power iteration is a contraction by the damping d in the L1 norm, because rank that leaves a vertex
 * arrives whole or is lost. So for the exact ranks x* = T x*
 *     |x - x*| <= |x - T x| + |T x - T x*| <= |x - T x| + d |x - x*|,   that is   |x - x*| <= |x - T x| / (1 -
 *     d).
 * T x is computed in doubles from the published ranks, so the iteration's own rounding does not enter; the rounding
 * of the doubles is added. Sums are by row and then by blocks of vertices: the same bits for any number of threads.
 * State: the last ranks by slot. */
#include "dynamic/follow.h"
#include "weft/pagerank.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { BLOCK = 4096 };

typedef struct state {
    double *rank;
    weft_vid slots;
} state;

static const wfi_slot_array arrays[] = {WFI_OWN(rank)};

static weft_status keep_ranks(weft_ctx *ctx, weft_tracker *t, const double *rank, weft_vid n, const wfi_slot_map *map) {
    weft_vid slots = t->d->store->newest->slots;
    state *s = t->state;
    if (!s && !(s = t->state = wfi_take_zeroed(ctx, 1, sizeof *s))) return WEFT_ENOMEM;
    double *fresh = wfi_take(ctx, slots, sizeof *fresh);
    if (!fresh) return WEFT_ENOMEM;
    for (weft_vid i = 0; i < slots; i++) fresh[i] = -1;
    for (weft_vid v = 0; v < n; v++) fresh[wfi_slot_of(map, v)] = rank[v];
    wfi_free(s->rank);
    s->rank = fresh;
    s->slots = slots;
    return WEFT_OK;
}

/* Initial ranks: the last ones, or 1/n for vertices without a rank. */
static void starting(const state *s, weft_vid n, const wfi_slot_map *map, double *rank) {
    for (weft_vid v = 0; v < n; v++) {
        weft_vid slot = wfi_slot_of(map, v);
        bool known = s && slot < s->slots && s->rank[slot] >= 0;
        rank[v] = known ? s->rank[slot] : 1.0 / n;
    }
}

/* --- the bound ---------------------------------------------------------------------- */

/* Sets share[v] to the rank carried by a unit of weight on v's arcs; returns the rank of vertices without arcs. */
static double share_out(const weft_graph *g, bool weighted, const double *rank, double *share) {
    double dangling = 0;
    for (weft_vid v = 0; v < g->n; v++) {
        double out = 0;
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++)
            out += weighted ? wfi_weight_at(g->weight_type, g->out.weights, e) : 1;
        share[v] = out > 0 ? rank[v] / out : 0;
        if (!(out > 0)) dangling += rank[v];
    }
    return dangling;
}

/* One step of the iteration. */
typedef struct iteration {
    const weft_graph *g;
    weft_csr in;
    bool weighted;
    double damping, everywhere; /* everywhere: rank of each vertex without its arcs */
    const double *rank;
    double *share;
} iteration;

static double change_of(const iteration *it, weft_vid first) {
    const weft_graph *g = it->g;
    const weft_csr *in = &it->in;
    const double *share = it->share;
    bool weighted = it->weighted;
    weft_vid last = g->n - first < BLOCK ? g->n : first + BLOCK;
    double change = 0;
    for (weft_vid v = first; v < last; v++) {
        double sum = 0;
        for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++)
            sum += share[in->targets[e]] * (weighted ? wfi_weight_at(g->weight_type, in->weights, e) : 1);
        change += fabs(it->rank[v] - (it->everywhere + it->damping * sum));
    }
    return change;
}

/* Generous bound of the rounding errors: each sum has at most n + longest row terms, and ranks sum to about 1. */
static double rounding(const weft_graph *g, const weft_csr *in) {
    uint64_t longest = BLOCK + g->n / BLOCK;
    for (weft_vid v = 0; v < g->n; v++) {
        longest = wfi_max_u64(longest, in->offsets[v + 1] - in->offsets[v]);
        longest = wfi_max_u64(longest, g->out.offsets[v + 1] - g->out.offsets[v]);
    }
    return 8 * (double)(longest + g->n) * DBL_EPSILON;
}

static weft_status bound(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p, const double *rank,
                         double *error) {
    uint64_t blocks = ((uint64_t)g->n + BLOCK - 1) / BLOCK;
    double *part = NULL, total = 0;
    iteration it = {.g = g,
                    .in = {.size = sizeof it.in},
                    .weighted = p->weights && g->weight_type != WEFT_WEIGHT_NONE,
                    .damping = p->damping,
                    .rank = rank};
    weft_status st = weft_graph_in(ctx, g, &it.in);
    if (!st) st = wfi_alloc(ctx, &it.share, g->n);
    if (!st) st = wfi_alloc(ctx, &part, blocks);
    if (!st) {
        double dangling = share_out(g, it.weighted, rank, it.share);
        it.everywhere =
            (1 - p->damping + (p->dangling == WEFT_DANGLING_REDISTRIBUTE ? p->damping * dangling : 0)) / g->n;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 15))
        for (uint64_t b = 0; b < blocks; b++) part[b] = change_of(&it, (weft_vid)(b * BLOCK));
        for (uint64_t b = 0; b < blocks; b++) total += part[b];
        *error = (total + rounding(g, &it.in)) / (1 - p->damping);
    }
    WFI_FREE(it.share, part);
    return st;
}

/* --- runs ------------------------------------------------------------------------------ */

static void as_doubles(const weft_result *r, weft_vid n, double *rank) {
    const float *narrow = weft_result_f32(r, "rank");
    const double *wide = weft_result_f64(r, "rank");
    for (weft_vid v = 0; v < n; v++) rank[v] = wide ? wide[v] : (double)narrow[v];
}

static weft_status run(weft_ctx *ctx, weft_tracker *t, const weft_graph *g, const wfi_slot_map *map,
                       weft_result **out) {
    weft_pagerank_params p = *(const weft_pagerank_params *)t->params;
    snprintf(t->reason, sizeof t->reason, "%s",
             t->how.warm && t->state ? "recomputed, from the last ranks"
                                     : "recomputed: one change reaches nearly all ranks");
    if (!t->how.warm) return weft_pagerank(ctx, g, &p, out);
    double *rank = NULL;
    weft_status st = wfi_alloc(ctx, &rank, (size_t)g->n + 1);
    if (!st) {
        starting(t->state, g->n, map, rank);
        p.nstart = t->state && g->n ? rank : NULL;
        st = weft_pagerank(ctx, g, &p, out);
    }
    if (!st && g->n) {
        as_doubles(*out, g->n, rank);
        st = bound(ctx, g, &p, rank, &t->error_bound);
        if (!st) st = keep_ranks(ctx, t, rank, g->n, map);
    }
    if (st) {
        weft_result_free(*out);
        *out = NULL;
    }
    wfi_free(rank);
    return st;
}

const wfi_follower wfi_follow_pagerank = {.arrays = arrays, .array_count = 1, .run = run, .warms = true};
