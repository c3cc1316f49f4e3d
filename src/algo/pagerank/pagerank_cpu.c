/* PageRank, CPU.  Needs: rows of incoming arcs (shared/pull) or of outgoing ones (tiles.c); weights, if used, finite, not below 0.
 * Method: a given number of iterations is Jacobi's: all ranks from those before.  Iteration to a tolerance is block
 * Gauss-Seidel: at most eight parts of whole 2^16 vertices are swept in turn, each from the newest ranks of the others, which
 * needs about two thirds of the iterations.  Sweeping in turn lets the sum of the ranks drift, which would fade only
 * with the damping, so all ranks are scaled after each iteration to fulfil the sum of the equations.  An undirected graph
 * begins with ranks that grow with the degree, where the walk without restarts ends.  All of this follows from the graph
 * alone, so every backend can do the same.
 * Encoding: a share is rank / out-degree (rank / sum of weights) times 2^62, in f32 for unweighted f32 runs, else in f64;
 * 0 for a dangling vertex.  It is computed once a vertex, not once an arc.
 * In f16 the f32 share is rounded to half once more, and what rounding kept back is not lost: it counts as dangling (below 0
 * where rounding gave too much), so that the ranks sum to 1.  All vertices are then swept at once.
 * Same bits for any number of threads and either way of adding: all sums are of integers; the rest is per vertex.
 * [1] Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999.
 * [2] Arasu, Novak, Tomkins, Tomlin, "PageRank Computation and the Structure of the Web", WWW 2002. */
#include "algo/pagerank/sweep.h"
#include "core/fixed.h"
#include "core/half.h"
#include "graph/paired.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { BATCH = 256, PASS = 1 << 14 };

typedef struct totals {
    wfi_fixed change, dangling, sum;
} totals;

#define NO_TOTALS ((totals){{0, 0}, {0, 0}, {0, 0}})

static size_t share_bytes(const wfi_ranking *r) {
    return r->pull.travels == WFI_SHARE_16 ? 2 : r->pull.travels == WFI_SHARE_32 ? 4 : 8;
}

/* --- a batch of vertices ------------------------------------------------------ */

/* In f32 one limb is enough for the totals too: what it cuts off is below 2^-62 a vertex. */
static inline void add_total(wfi_fixed *sum, bool single, double x) {
    if (single)
        sum->whole += (uint64_t)(int64_t)(x * WFI_FIXED_ONE);
    else
        wfi_fixed_add(sum, x * WFI_FIXED_ONE);
}

/* The new ranks, rounded as they are stored. */
static inline __attribute__((always_inline)) void settle_ranks(wfi_ranking *r, bool single, weft_vid first,
                                                               weft_vid count, const double *came, double teleport,
                                                               totals *t) {
    const double *restart = r->restart ? r->restart + first : NULL;
    const double *dangling_to = r->dangling_to ? r->dangling_to + first : NULL;
    double everywhere = r->uniform * teleport, damping = r->damping;
    for (weft_vid k = 0; k < count; k++) {
        double jumped = restart ? restart[k] * teleport : everywhere, rank, old;
        if (dangling_to) jumped += dangling_to[k] * r->dangling;
        rank = jumped + damping * came[k];
        if (single) {
            float *place = (float *)r->rank + first + k;
            old = (double)*place;
            *place = (float)rank;
            rank = (double)*place;
        } else {
            double *place = (double *)r->rank + first + k;
            old = *place;
            *place = rank;
        }
        add_total(&t->change, single, fabs(rank - old));
        add_total(&t->sum, single, rank);
    }
}

static inline __attribute__((always_inline)) void settle_shares(wfi_ranking *r, bool single, bool narrow, void *to,
                                                                weft_vid first, weft_vid count, totals *t) {
    for (weft_vid v = first; v < first + count; v++) {
        double rank = single ? (double)((const float *)r->rank)[v] : ((const double *)r->rank)[v], give = r->give[v];
        add_total(&t->dangling, single, rank * (double)(give == 0)); /* no branch: which vertices dangle is random */
        if (narrow)
            ((float *)to)[v] = (float)(rank * give);
        else
            ((double *)to)[v] = rank * give;
    }
}

static void settle_halves(wfi_ranking *r, uint16_t *to, weft_vid first, weft_vid count, totals *t) {
    const weft_eid *offsets = r->g->out.offsets;
    const float *ranks = r->rank, narrow = (float)ldexp(1, r->pull.half_scale - 62);
    const double unit = ldexp(1, -r->pull.half_scale - WFI_HALF_UNIT);
    for (weft_vid v = first; v < first + count; v++) {
        double rank = (double)ranks[v], arcs = (double)(offsets[v + 1] - offsets[v]);
        to[v] = wfi_half_of((float)(rank * r->give[v]) * narrow);
        add_total(&t->dangling, true, rank - arcs * ((double)wfi_half_units(to[v]) * unit));
    }
}

static void make_ranks(wfi_ranking *r, weft_vid first, weft_vid count, const double *came, double teleport, totals *t) {
    if (r->single)
        settle_ranks(r, true, first, count, came, teleport, t);
    else
        settle_ranks(r, false, first, count, came, teleport, t);
}

static void make_shares(wfi_ranking *r, void *to, weft_vid first, weft_vid count, totals *t) {
    if (r->pull.travels == WFI_SHARE_32)
        settle_shares(r, true, true, to, first, count, t);
    else if (r->pull.travels == WFI_SHARE_16)
        settle_halves(r, to, first, count, t);
    else if (r->single)
        settle_shares(r, true, false, to, first, count, t);
    else
        settle_shares(r, false, false, to, first, count, t);
}

/* --- one iteration ------------------------------------------------------------- */

static void sweep_chunk(wfi_ranking *r, weft_vid first, weft_vid end, double teleport, totals *t) {
    double came[BATCH];
    for (weft_vid v = first; v < end; v += BATCH) {
        weft_vid count = end - v < BATCH ? end - v : BATCH;
        wfi_pull(&r->pull, v, count, came);
        make_ranks(r, v, count, came, teleport, t);
        make_shares(r, r->next, v, count, t);
    }
}

static void sweep_tiles(wfi_ranking *r, size_t block, double teleport, totals *t) {
    const wfi_tiles *tiles = r->tiles;
    double came[BATCH];
    weft_vid first = (weft_vid)(block << tiles->to_shift), end = r->g->n;
    if ((end - first) >> tiles->to_shift) end = first + ((weft_vid)1 << tiles->to_shift);
    uint64_t *sum = r->sums + ((size_t)omp_get_thread_num() << tiles->to_shift);
    if (!wfi_tiles_add(r->ctx, tiles, block, r->pull.share, sum)) {
        atomic_store(&r->pull.stop, true);
        return;
    }
    for (weft_vid v = first; v < end; v += BATCH) {
        weft_vid count = end - v < BATCH ? end - v : BATCH;
        for (weft_vid k = 0; k < count; k++) came[k] = wfi_fixed_value((wfi_fixed){sum[v - first + k], 0});
        make_ranks(r, v, count, came, teleport, t);
        make_shares(r, r->next, v, count, t);
    }
}

static void join(totals *all, const totals *mine) {
#pragma omp critical(wfi_pagerank_totals)
    {
        wfi_fixed_join(&all->change, mine->change);
        wfi_fixed_join(&all->dangling, mine->dangling);
        wfi_fixed_join(&all->sum, mine->sum);
    }
}

/* New ranks for the vertices first ... end-1 from the shares in effect; then theirs come into effect: the arrays change places if that
 * is all vertices, else it takes a copy. */
static void sweep_part(wfi_ranking *r, weft_vid first, weft_vid end, double teleport, totals *all) {
    bool at_once = end - first == r->g->n;
    unsigned shift = r->tiles ? r->tiles->to_shift : 0;
    size_t base = (size_t)first >> shift, each = share_bytes(r);
    size_t units = r->tiles ? ((size_t)(end - 1) >> shift) + 1 - base : wfi_pull_chunks(&r->pull, first, end);
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, units, 1))
    {
        totals mine = NO_TOTALS;
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t u = 0; u < units; u++) {
            if (atomic_load(&r->pull.stop)) continue;
            if (r->tiles) {
                sweep_tiles(r, base + u, teleport, &mine);
            } else {
                sweep_chunk(r, wfi_pull_chunk(&r->pull, first, end, u), wfi_pull_chunk(&r->pull, first, end, u + 1),
                            teleport, &mine);
                if (wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
            }
        }
        join(all, &mine);
        if (!at_once) {
#pragma omp barrier
#pragma omp for schedule(static)
            for (weft_vid v = first; v < end; v += PASS)
                memcpy((char *)r->pull.share + v * each, (char *)r->next + v * each,
                       (end - v < PASS ? end - v : PASS) * each);
        }
    }
    if (!at_once) return;
    void *share = r->pull.share;
    r->pull.share = r->next;
    r->next = share;
}

static weft_status sweep(wfi_ranking *r, double teleport, totals *all) {
    weft_vid n = r->g->n;
    *all = NO_TOTALS;
    for (weft_vid first = 0; first < n && !atomic_load(&r->pull.stop); first += r->part)
        sweep_part(r, first, n - first < r->part ? n : first + r->part, teleport, all);
    return atomic_load(&r->pull.stop) ? wfi_fail_cancelled(r->ctx) : WEFT_OK;
}

/* --- before and after ----------------------------------------------------------- */

/* Ranks to begin with that grow with the degree. */
static wfi_pagerank_beginning by_degree(const wfi_ranking *r, const weft_pagerank_params *p) {
    const wfi_rows *rows = &r->g->out;
    weft_vid alone = 0, paired = 0;
#pragma omp parallel for schedule(static) reduction(+ : alone, paired) num_threads(wfi_threads_for(r->ctx, r->g->n, PASS))
    for (weft_vid v = 0; v < r->g->n; v++) {
        alone += rows->offsets[v] == rows->offsets[v + 1];
        paired += wfi_paired(rows->offsets, rows->targets, v);
    }
    return wfi_pagerank_begin(r->g, p, alone, paired);
}

/* start_sum: of nstart, if that is given. */
static void begin(wfi_ranking *r, const weft_pagerank_params *p, double start_sum, totals *all) {
    const weft_eid *offsets = r->g->out.offsets;
    const weft_vid *targets = r->g->out.targets;
    weft_vid n = r->g->n;
    bool grow = wfi_pagerank_by_degree(r->g, p);
    wfi_pagerank_beginning b = grow ? by_degree(r, p) : wfi_pagerank_begin(r->g, p, 0, 0);
    *all = NO_TOTALS;
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, n, PASS))
    {
        totals mine = NO_TOTALS;
#pragma omp for schedule(static)
        for (weft_vid first = 0; first < n; first += PASS) {
            weft_vid end = n - first < PASS ? n : first + PASS;
            for (weft_vid v = first; v < end; v++) {
                double rank = b.flat + b.slope * (double)(offsets[v + 1] - offsets[v]);
                if (grow && wfi_paired(offsets, targets, v)) rank = b.paired;
                if (p->nstart) rank = p->nstart[v] / start_sum;
                if (r->single)
                    ((float *)r->rank)[v] = (float)rank;
                else
                    ((double *)r->rank)[v] = rank;
            }
            make_shares(r, r->pull.share, first, end - first, &mine);
        }
        join(all, &mine);
    }
}

/* Of all ranks the multiple that makes the sum of the equations right:
 * scale * sum = (1 - damping) + damping * (scale * what is not lost). */
static double correction(const wfi_ranking *r, bool drop, double sum, double dangling) {
    if (!drop) return 1 / sum;
    return r->damping < 1 ? (1 - r->damping) / (sum - r->damping * (sum - dangling)) : 1;
}

static inline __attribute__((always_inline)) void scale_array(void *array, bool narrow, weft_vid first, weft_vid end,
                                                              double scale) {
    for (weft_vid v = first; v < end; v++)
        if (narrow)
            ((float *)array)[v] = (float)((double)((float *)array)[v] * scale);
        else
            ((double *)array)[v] *= scale;
}

static void scale_all(wfi_ranking *r, double scale) {
    weft_vid n = r->g->n;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, n, PASS))
    for (weft_vid first = 0; first < n; first += PASS) {
        weft_vid end = n - first < PASS ? n : first + PASS;
        scale_array(r->rank, r->single, first, end, scale);
        scale_array(r->pull.share, r->pull.travels == WFI_SHARE_32, first, end, scale);
    }
}

static double sum_ranks(const wfi_ranking *r) {
    wfi_fixed sum = {0, 0};
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, r->g->n, PASS))
    {
        wfi_fixed mine = {0, 0};
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < r->g->n; v++) {
            double rank = r->single ? (double)((const float *)r->rank)[v] : ((const double *)r->rank)[v];
            wfi_fixed_add(&mine, rank * WFI_FIXED_ONE);
        }
#pragma omp critical(wfi_pagerank_totals)
        wfi_fixed_join(&sum, mine);
    }
    return wfi_fixed_value(sum);
}

/* Rank that no arc took along.  In f16 it may be a little below 0. */
static double not_passed_on(const wfi_ranking *r, const totals *t) {
    if (r->pull.travels != WFI_SHARE_16) return wfi_fixed_value(t->dangling);
    return (double)(int64_t)t->dangling.whole * 0x1p-62;
}

static weft_status iterate(wfi_ranking *r, const weft_pagerank_params *p, weft_result *result) {
    totals t;
    uint64_t done = 0, most = p->iterations ? p->iterations : p->max_iterations;
    bool settled = false, drop = p->dangling == WEFT_DANGLING_DROP;
    double start_sum = 0;
    weft_status st = p->nstart ? wfi_pagerank_sum(r->ctx, r->g, "nstart", p->nstart, &start_sum) : WEFT_OK;
    if (st) return st;
    begin(r, p, start_sum, &t);
    double residual = 0, dangling = not_passed_on(r, &t);
    while (!st && done < most && !settled) {
        wfi_progress(r->ctx, "ranking", done, most);
        double spare = drop ? 0 : p->damping * dangling;
        r->dangling = r->dangling_to ? fmax(0, spare) : 0;
        double restarts = (1 - p->damping) + (spare - r->dangling);
        st = sweep(r, fmax(0, restarts), &t);
        residual = wfi_fixed_value(t.change);
        dangling = not_passed_on(r, &t);
        if (r->part < r->g->n) {
            double scale = correction(r, drop, wfi_fixed_value(t.sum), dangling);
            scale_all(r, scale);
            dangling *= scale;
        }
        settled = !p->iterations && residual <= p->tolerance;
        done++;
    }
    if (!st) st = wfi_pagerank_check_halves(r->ctx, r->g, p, r->rank);
    return st ? st : wfi_pagerank_scalars(r->ctx, p, done, residual, sum_ranks(r), result);
}

/* --- what a vertex gives along its arcs ------------------------------------------ */

static weft_status find_gifts(wfi_ranking *r, bool weighted) {
    const weft_graph *g = r->g;
    const weft_eid *offsets = g->out.offsets;
    _Atomic weft_eid bad = UINT64_MAX;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(wfi_threads_for(r->ctx, g->n, PASS))
    for (weft_vid v = 0; v < g->n; v++) {
        double parts = weighted ? wfi_row_sum(g->weight_type, &g->out, v, &bad) : (double)(offsets[v + 1] - offsets[v]);
        double give = WFI_FIXED_ONE / parts; /* no branch: which vertices dangle is random */
        r->give[v] = parts > 0 ? give : 0;
        if (v % 1024 == 0 && wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
    }
    if (atomic_load(&r->pull.stop)) return wfi_fail_cancelled(r->ctx);
    return atomic_load(&bad) == UINT64_MAX ? WEFT_OK : wfi_refuse_share(r->ctx, "pagerank", g, atomic_load(&bad));
}

/* ------------------------------------------------------------------------------- */

/* What a run holds beside what its sweeps see. */
typedef struct arrays {
    wfi_tiles tiles;
    wfi_tiles_scratch making;
} arrays;

static void lay_out(wfi_workspace *w, weft_vid n, weft_eid arcs, const weft_pagerank_params *p, int threads,
                    wfi_pagerank_method method, wfi_ranking *r, arrays *a) {
    r->single = p->precision != WEFT_PRECISION_F64;
    r->pull.travels = p->weights                           ? WFI_SHARE_WEIGHTED
                      : p->precision == WEFT_PRECISION_F16 ? WFI_SHARE_16
                      : r->single                          ? WFI_SHARE_32
                                                           : WFI_SHARE_64;
    wfi_pagerank_columns(w, n, p, &r->rank, &r->restart);
    r->dangling_to = NULL;
    if (p->dangling_to) wfi_array(w, &r->dangling_to, n);
    wfi_array(w, &r->give, n);
    r->pull.share = wfi_carve(w, "share", n, share_bytes(r), false);
    r->next = wfi_carve(w, "next", n, share_bytes(r), false);
    if (method == WFI_TILED) wfi_tiles_lay_out(w, n, arcs, threads, &a->tiles, &a->making, &r->sums);
}

void wfi_pagerank_space(wfi_workspace *w, weft_vid n, weft_eid arcs, const weft_pagerank_params *p, int threads,
                        wfi_pagerank_method method) {
    wfi_ranking r = {0};
    arrays a;
    lay_out(w, n, arcs, p, threads, method, &r, &a);
}

weft_status wfi_pagerank_cpu(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_pagerank_params *p = job->params;
    bool tiled = job->choice->variant == WFI_TILED;
    wfi_ranking r = {.ctx = ctx,
                     .g = g,
                     .pull = {.ctx = ctx,
                              .rows = tiled ? NULL : wfi_in_at_hand(g),
                              .weight_type = g->weight_type,
                              .half_scale = wfi_pagerank_half_scale(g->n)},
                     .damping = p->damping,
                     .uniform = 1 / (double)g->n,
                     .part = wfi_pagerank_part(g->n, wfi_pagerank_at_once(p))};
    arrays a;
    lay_out(job->space, g->n, g->arcs, p, wfi_threads(ctx), (wfi_pagerank_method)job->choice->variant, &r, &a);
    weft_status st = job->space->status;
    if (!st && r.restart) st = wfi_pagerank_fill_restart(ctx, g, p, r.restart);
    if (!st && r.dangling_to) st = wfi_pagerank_fill_dangling(ctx, g, p, r.dangling_to);
    if (!st) st = find_gifts(&r, p->weights);
    if (!st && tiled) st = wfi_tiles_make(ctx, g, &a.making, &a.tiles);
    if (tiled) r.tiles = &a.tiles;
    return st ? st : iterate(&r, p, job->result);
}
