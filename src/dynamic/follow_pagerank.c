/* pagerank: run anew after each batch, from the last ranks if the tracker is warm.
 * Then the ranks are not those of a run from 1/n, but near the same fixed point, and the bound says how near.  One step
 * of the iteration, T, brings any two vectors of ranks nearer to each other by the factor d, the damping, in the L1
 * norm: rank that leaves a vertex arrives whole, or is lost.  So for the exact ranks x* = T x*
 *     |x - x*| <= |x - T x| + |T x - T x*| <= |x - T x| + d |x - x*|,   that is   |x - x*| <= |x - T x| / (1 - d).
 * T x is computed in doubles from the ranks that are given out, so what the iteration rounds does not enter; what the
 * doubles round is added.  The sums go by row and then by blocks of vertices: the same bits on any number of threads.
 * State: the last ranks by slot. */
#include "dynamic/follow.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 4096 };

typedef struct state {
    double *rank;
    weft_vid slots;
} state;

static void end(void *given) {
    state *s = given;
    wfi_free(s->rank);
    wfi_free(s);
}

static weft_status keep_ranks(weft_ctx *ctx, weft_tracker *t, const double *rank, weft_vid n,
                              const wfi_numbering *number) {
    weft_vid slots = t->d->store->newest->slots;
    state *s = t->state;
    if (!s && !(s = t->state = wfi_take_zeroed(ctx, 1, sizeof *s))) return WEFT_ENOMEM;
    double *fresh = wfi_take(ctx, slots, sizeof *fresh);
    if (!fresh) return WEFT_ENOMEM;
    for (weft_vid i = 0; i < slots; i++) fresh[i] = -1;
    for (weft_vid v = 0; v < n; v++) fresh[wfi_slot_of(number, v)] = rank[v];
    wfi_free(s->rank);
    s->rank = fresh;
    s->slots = slots;
    return WEFT_OK;
}

/* The ranks to begin with: the last ones; 1/n for vertices that had none. */
static void starting(const state *s, weft_vid n, const wfi_numbering *number, double *rank) {
    for (weft_vid v = 0; v < n; v++) {
        weft_vid slot = wfi_slot_of(number, v);
        bool known = s && slot < s->slots && s->rank[slot] >= 0;
        rank[v] = known ? s->rank[slot] : 1.0 / n;
    }
}

/* --- the bound ---------------------------------------------------------------------- */

/* share[v] = what one unit of weight on an arc from v carries; the rank of vertices without any is returned. */
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

static double change_of(const weft_graph *g, const weft_csr *in, bool weighted, const weft_pagerank_params *p,
                        const double *rank, const double *share, double dangling, weft_vid first) {
    weft_vid last = g->n - first < BLOCK ? g->n : first + BLOCK;
    double everywhere =
        (1 - p->damping + (p->dangling == WEFT_DANGLING_REDISTRIBUTE ? p->damping * dangling : 0)) / g->n;
    double change = 0;
    for (weft_vid v = first; v < last; v++) {
        double sum = 0;
        for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++)
            sum += share[in->targets[e]] * (weighted ? wfi_weight_at(g->weight_type, in->weights, e) : 1);
        change += fabs(rank[v] - (everywhere + p->damping * sum));
    }
    return change;
}

/* Each sum has at most n + longest row terms of its own sign, of ranks that sum to 1 or so: that many roundings,
 * generously. */
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
    bool weighted = p->weights && g->weight_type != WEFT_WEIGHT_NONE;
    uint64_t blocks = ((uint64_t)g->n + BLOCK - 1) / BLOCK;
    double *share = NULL, *part = NULL, total = 0;
    weft_csr in = {.size = sizeof in};
    weft_status st = weft_graph_in(ctx, g, &in);
    if (!st) st = wfi_alloc(ctx, &share, g->n);
    if (!st) st = wfi_alloc(ctx, &part, blocks);
    if (!st) {
        double dangling = share_out(g, weighted, rank, share);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 15))
        for (uint64_t b = 0; b < blocks; b++)
            part[b] = change_of(g, &in, weighted, p, rank, share, dangling, (weft_vid)(b * BLOCK));
        for (uint64_t b = 0; b < blocks; b++) total += part[b];
        *error = (total + rounding(g, &in)) / (1 - p->damping);
    }
    wfi_free(share);
    wfi_free(part);
    return st;
}

/* --- runs ------------------------------------------------------------------------------ */

static void as_doubles(const weft_result *r, weft_vid n, double *rank) {
    const float *narrow = weft_result_f32(r, "rank");
    const double *wide = weft_result_f64(r, "rank");
    for (weft_vid v = 0; v < n; v++) rank[v] = wide ? wide[v] : (double)narrow[v];
}

static weft_status run(weft_ctx *ctx, weft_tracker *t, const weft_graph *g, const wfi_numbering *number,
                       weft_result **out) {
    weft_pagerank_params p = *(const weft_pagerank_params *)t->params;
    snprintf(t->reason, sizeof t->reason, "%s",
             t->how.warm && t->state ? "computed anew, from the last ranks"
                                     : "computed anew: one change reaches nearly all ranks");
    if (!t->how.warm) return weft_pagerank(ctx, g, &p, out);
    double *rank = NULL;
    weft_status st = wfi_alloc(ctx, &rank, (size_t)g->n + 1);
    if (!st) {
        starting(t->state, g->n, number, rank);
        p.nstart = t->state && g->n ? rank : NULL;
        st = weft_pagerank(ctx, g, &p, out);
    }
    if (!st && g->n) {
        as_doubles(*out, g->n, rank);
        st = bound(ctx, g, &p, rank, &t->error_bound);
        if (!st) st = keep_ranks(ctx, t, rank, g->n, number);
    }
    if (st) {
        weft_result_free(*out);
        *out = NULL;
    }
    wfi_free(rank);
    return st;
}

const wfi_follower wfi_follow_pagerank = {.run = run, .end = end, .warms = true};
