/* PageRank, CPU.  Needs: rows of incoming arcs (shared/pull) or of outgoing ones (tiles.c); weights, if used, finite,
 * not below 0.  Method: a given number of iterations is Jacobi's: all ranks from those before.  Iteration to a
 * tolerance is block Gauss-Seidel: at most eight parts of whole 2^16 vertices are swept in turn, each from the newest
 * ranks of the others, which needs about two thirds of the iterations.  Sweeping in turn lets the sum of the ranks
 * drift, which would fade only with the damping, so all ranks are scaled after each iteration to fulfil the sum of the
 * equations.  An undirected graph begins with ranks that grow with the degree, where the walk without restarts ends.
 * All of this follows from the graph alone, so every backend can do the same.
 * Encoding: a share is rank / out-degree (rank / sum of weights) times 2^62, in f32 for unweighted f32 runs, else in
 * f64; 0 for a dangling vertex.  It is computed once a vertex, not once an arc.
 * In f16 the f32 share is rounded to half once more, and what rounding kept back is not lost: it counts as dangling
 * (below 0 where rounding gave too much), so that the ranks sum to 1.  All vertices are then swept at once.
 * Spread over ranks: each pulls for its own vertices from the shares of all, which are gathered after each part; totals
 * are added up.  On a grid of ranks sums of a row of them are added up as well (grid.c).
 * Same bits for any number of threads and ranks, and either way of adding: all sums are of integers; the rest is per
 * vertex.
 * [1] Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999.
 * [2] Arasu, Novak, Tomkins, Tomlin, "PageRank Computation and the Structure of the Web", WWW 2002. */
#include "algo/checkpoint.h"
#include "algo/pagerank/sweep.h"
#include "ranks/grid.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { BATCH = 256, PASS = 1 << 14 };

#define NO_TOTALS ((wfi_totals){{0, 0}, {0, 0}, {0, 0}})

size_t wfi_share_bytes(const wfi_ranking *r) {
    return r->pull.travels == WFI_SHARE_16 ? 2 : r->pull.travels == WFI_SHARE_32 ? 4 : 8;
}

/* --- one iteration ------------------------------------------------------------- */

static void sweep_chunk(wfi_ranking *r, const wfi_stretch *s, weft_vid first, weft_vid end, double teleport,
                        wfi_totals *t) {
    double came[BATCH];
    for (weft_vid k = first; k < end; k += BATCH) {
        weft_vid count = end - k < BATCH ? end - k : BATCH;
        if (r->on_grid)
            wfi_came_on_grid(r, s, k, count, came);
        else
            wfi_pull(&r->pull, k, count, came);
        wfi_make_ranks(r, s->place + k, count, came, teleport, t);
        wfi_make_shares(r, s->out.offsets + k, s->place + k, count, t);
    }
}

static void sweep_tiles(wfi_ranking *r, size_t block, double teleport, wfi_totals *t) {
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
        wfi_make_ranks(r, v, count, came, teleport, t);
        wfi_make_shares(r, r->g->out.offsets + v, v, count, t);
    }
}

static void join(wfi_totals *all, const wfi_totals *mine) {
#pragma omp critical(wfi_pagerank_totals)
    {
        wfi_fixed_join(&all->change, mine->change);
        wfi_fixed_join(&all->dangling, mine->dangling);
        wfi_fixed_join(&all->sum, mine->sum);
    }
}

/* Where unit u of so many of a stretch begins, without tiles: rows that cost about the same, or have been added up. */
static weft_vid unit_at(const wfi_ranking *r, const wfi_stretch *s, size_t units, size_t u) {
    if (!r->on_grid) return wfi_pull_chunk(&r->pull, s->first, s->end, u);
    return s->first + (weft_vid)((uint64_t)(s->end - s->first) * u / units);
}

/* New ranks for a stretch from the shares in effect. */
static void sweep_stretch(wfi_ranking *r, const wfi_stretch *s, double teleport, wfi_totals *all) {
    unsigned shift = r->tiles ? r->tiles->to_shift : 0;
    size_t base = (size_t)s->place >> shift; /* tiles are of a rank that has all vertices */
    r->pull.rows = &s->in;
    size_t units = r->tiles     ? ((size_t)(s->place + s->end - 1) >> shift) + 1 - base
                   : r->on_grid ? (s->end - s->first) / PASS + 1
                                : wfi_pull_chunks(&r->pull, s->first, s->end);
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, units, 1))
    {
        wfi_totals mine = NO_TOTALS;
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t u = 0; u < units; u++) {
            if (atomic_load(&r->pull.stop)) continue;
            if (r->tiles) {
                sweep_tiles(r, base + u, teleport, &mine);
            } else {
                sweep_chunk(r, s, unit_at(r, s, units, u), unit_at(r, s, units, u + 1), teleport, &mine);
                if (wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
            }
        }
        join(all, &mine);
    }
}

/* If this rank has all vertices. */
static void exchange_shares(wfi_ranking *r) {
    void *share = r->pull.share;
    r->pull.share = r->next;
    r->next = share;
}

/* The arrays change places if the stretch is all vertices, else it takes a copy. */
weft_status wfi_publish_shares(wfi_ranking *r, size_t i) {
    const wfi_stretch *s = &r->stretch[i];
    size_t each = wfi_share_bytes(r);
    if (r->whole && r->stretches == 1) {
        exchange_shares(r);
        return WEFT_OK;
    }
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
    for (weft_vid k = s->first; k < s->end; k += PASS)
        memcpy((char *)r->pull.share + (s->seen + k) * each, (char *)r->next + (s->place + k) * each,
               (s->end - k < PASS ? s->end - k : PASS) * each);
    return wfi_spread_allgather(r->ctx, r->spread, &r->spread->part[i], r->pull.share, each);
}

/* Of all ranks.  The request to stop, of any rank, is everybody's. */
static weft_status add_totals(wfi_ranking *r, wfi_totals *t) {
    bool stop = atomic_load(&r->pull.stop);
    uint64_t all[] = {
        t->change.whole, t->change.rest, t->dangling.whole, t->dangling.rest, t->sum.whole, t->sum.rest, stop};
    weft_status st = wfi_allreduce(r->ctx, all, sizeof all / sizeof *all, WFI_SUM);
    if (st) return st;
    *t = (wfi_totals){{all[0], all[1]}, {all[2], all[3]}, {all[4], all[5]}};
    wfi_fixed_settle(&t->change);
    wfi_fixed_settle(&t->dangling);
    wfi_fixed_settle(&t->sum);
    return all[6] ? wfi_fail_cancelled(r->ctx) : WEFT_OK;
}

static weft_status sweep(wfi_ranking *r, double teleport, wfi_totals *all) {
    weft_status st = WEFT_OK;
    *all = NO_TOTALS;
    if (r->gpu) {
        st = r->gpu->sweep(r, teleport, all);
        return st ? st : add_totals(r, all);
    }
    for (size_t i = 0; i < r->stretches && !st; i++) {
        if (r->on_grid) st = wfi_pull_on_grid(r, i);
        if (st) break;
        if (r->stretch[i].first < r->stretch[i].end) sweep_stretch(r, &r->stretch[i], teleport, all);
        st = wfi_publish_shares(r, i);
    }
    return st ? st : add_totals(r, all);
}

/* --- before and after ----------------------------------------------------------- */

static void first_shares(wfi_ranking *r, const wfi_stretch *s, wfi_totals *all) {
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
    {
        wfi_totals mine = NO_TOTALS;
#pragma omp for schedule(static)
        for (weft_vid k = s->first; k < s->end; k += PASS)
            wfi_make_shares(r, s->out.offsets + k, s->place + k, s->end - k < PASS ? s->end - k : PASS, &mine);
        join(all, &mine);
    }
}

static weft_status begin(wfi_ranking *r, const weft_pagerank_params *p, double start_sum, wfi_totals *all) {
    weft_status st = wfi_first_ranks(r, p, start_sum);
    *all = NO_TOTALS;
    for (size_t i = 0; i < r->stretches && !st; i++) first_shares(r, &r->stretch[i], all);
    if (r->whole) exchange_shares(r);
    for (size_t i = 0; !r->whole && i < r->stretches && !st; i++) st = wfi_publish_shares(r, i);
    return st ? st : add_totals(r, all);
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

static void scale_all(const wfi_ranking *r, void *array, bool narrow, weft_vid count, double scale) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, count, PASS))
    for (weft_vid first = 0; first < count; first += PASS)
        scale_array(array, narrow, first, count - first < PASS ? count : first + PASS, scale);
}

/* After a sweep the new shares are in effect and in `next`.  Those in effect are in the caches of all cores that have
 * read them, and to write them again takes ten times as long: `next` is scaled, and takes their place. */
static void scale_shares(wfi_ranking *r, double scale) {
    scale_all(r, r->whole ? r->next : r->pull.share, r->pull.travels == WFI_SHARE_32, r->sees, scale);
    if (r->whole) exchange_shares(r);
}

static weft_status sum_ranks(wfi_ranking *r, double *sum) {
    wfi_totals t = NO_TOTALS;
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, r->mine, PASS))
    {
        wfi_totals mine = NO_TOTALS;
#pragma omp for schedule(static)
        for (weft_vid k = 0; k < r->mine; k++) {
            double rank = r->single ? (double)((const float *)r->rank)[k] : ((const double *)r->rank)[k];
            wfi_fixed_add(&mine.sum, rank * WFI_FIXED_ONE);
        }
        join(&t, &mine);
    }
    weft_status st = add_totals(r, &t);
    *sum = wfi_fixed_value(t.sum);
    return st;
}

/* In f16, vertices whose contributions were cut: all are swept at once then. */
static weft_status check_halves(wfi_ranking *r) {
    const wfi_stretch *s = &r->stretch[0];
    const float *rank = r->rank;
    double most = wfi_pagerank_half_most(r->g->n);
    uint64_t over = 0;
#pragma omp parallel for schedule(static) reduction(+ : over) num_threads(wfi_threads_for(r->ctx, r->mine, 1 << 16))
    for (weft_vid k = 0; k < r->mine; k++) {
        weft_eid degree = wfi_degree(&s->out, s->first + k);
        over += degree && (double)rank[k] > most * (double)degree;
    }
    weft_status st = wfi_allreduce(r->ctx, &over, 1, WFI_SUM);
    return st ? st : wfi_pagerank_refuse_halves(r->ctx, r->g->n, (weft_vid)over);
}

/* Rank that no arc took along.  In f16 it may be a little below 0. */
static double not_passed_on(const wfi_ranking *r, const wfi_totals *t) {
    if (r->pull.travels != WFI_SHARE_16) return wfi_fixed_value(t->dangling);
    return (double)(int64_t)t->dangling.whole * 0x1p-62;
}

/* What an iteration needs of those before.  Shares do not follow from ranks where both were scaled: each was rounded by
 * itself. */
static wfi_state state_of(const wfi_ranking *r, double residual, double dangling) {
    wfi_state_column ranks = {r->rank, r->single ? sizeof(float) : sizeof(double), false};
    wfi_state_column shares = {r->pull.share, wfi_share_bytes(r), true};
    return (wfi_state){.column = {ranks, shares}, .number = {residual, dangling}};
}

static weft_status begin_or_resume(wfi_ranking *r, const wfi_job *job, uint64_t *done, double *residual,
                                   double *dangling) {
    const weft_pagerank_params *p = job->params;
    wfi_totals t = NO_TOTALS;
    double start_sum = 0;
    wfi_state state = state_of(r, 0, 0);
    weft_status st = wfi_checkpoint_resume(job->checkpoint, &state, done);
    *residual = state.number[0];
    *dangling = state.number[1];
    if (st || *done) return st;
    if (p->nstart) st = wfi_pagerank_sum(r->ctx, r->g, "nstart", p->nstart, &start_sum);
    if (!st) st = begin(r, p, start_sum, &t);
    *dangling = not_passed_on(r, &t);
    return st;
}

static weft_status iterate(wfi_ranking *r, const wfi_job *job) {
    const weft_pagerank_params *p = job->params;
    wfi_totals t;
    uint64_t done, most = p->iterations ? p->iterations : p->max_iterations;
    double residual, dangling, sum = 0;
    weft_status st = begin_or_resume(r, job, &done, &residual, &dangling);
    if (!st && r->gpu) st = r->gpu->begin(r);
    bool settled = done && !p->iterations && residual <= p->tolerance, drop = p->dangling == WEFT_DANGLING_DROP;
    while (!st && done < most && !settled) {
        wfi_progress(r->ctx, "ranking", done, most);
        double spare = drop ? 0 : p->damping * dangling;
        r->dangling = r->dangling_to ? fmax(0, spare) : 0;
        double restarts = (1 - p->damping) + (spare - r->dangling);
        st = sweep(r, fmax(0, restarts), &t);
        residual = wfi_fixed_value(t.change);
        dangling = not_passed_on(r, &t);
        if (r->stretches > 1) {
            double scale = correction(r, drop, wfi_fixed_value(t.sum), dangling);
            if (r->gpu) {
                r->gpu->scale(r, scale);
            } else {
                scale_all(r, r->rank, r->single, r->mine, scale);
                scale_shares(r, scale);
            }
            dangling *= scale;
        }
        settled = !p->iterations && residual <= p->tolerance;
        done++;
        wfi_state state = state_of(r, residual, dangling);
        if (!st) st = wfi_checkpoint_reached(job->checkpoint, &state, done);
    }
    if (!st && r->gpu) st = r->gpu->end(r);
    if (!st && p->precision == WEFT_PRECISION_F16) st = check_halves(r);
    if (!st) st = sum_ranks(r, &sum);
    return st ? st : wfi_pagerank_scalars(r->ctx, p, done, residual, sum, job->result);
}

/* --- what a vertex gives along its arcs ------------------------------------------ */

static weft_status find_gifts(wfi_ranking *r, bool weighted) {
    const weft_graph *g = r->g;
    _Atomic weft_eid bad = UINT64_MAX;
    for (size_t i = 0; i < r->stretches; i++) {
        const wfi_stretch *s = &r->stretch[i];
#pragma omp parallel for schedule(dynamic, 1024) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
        for (weft_vid k = s->first; k < s->end; k++) {
            double parts = weighted ? wfi_row_sum(g->weight_type, &s->out, k, &bad) : (double)wfi_degree(&s->out, k);
            double give = WFI_FIXED_ONE / parts; /* no branch: which vertices dangle is random */
            r->give[s->place + k] = parts > 0 ? give : 0;
            if (k % 1024 == 0 && wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
        }
    }
    weft_status st = WEFT_OK;
    if (atomic_load(&bad) != UINT64_MAX) st = wfi_refuse_share(r->ctx, "pagerank", g, atomic_load(&bad));
    if (atomic_load(&r->pull.stop)) st = wfi_fail_cancelled(r->ctx);
    return wfi_agree(r->ctx, st);
}

/* A vector of the caller's, a weight for each vertex of the graph, as a distribution over this rank's. */
static weft_status fill(const wfi_ranking *r, const char *name, const double *weight, double *to) {
    double sum;
    weft_status st = wfi_pagerank_sum(r->ctx, r->g, name, weight, &sum);
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        for (weft_vid k = s->first; k < s->end; k++) to[s->place + k] = weight[s->vertex + k] / sum;
    }
    return st;
}

/* ------------------------------------------------------------------------------- */

/* What a run holds beside what its sweeps see. */
typedef struct arrays {
    wfi_tiles tiles;
    wfi_tiles_scratch making;
} arrays;

static wfi_travels travels(const weft_pagerank_params *p) {
    if (p->weights) return WFI_SHARE_WEIGHTED;
    return p->precision == WEFT_PRECISION_F16   ? WFI_SHARE_16
           : p->precision == WEFT_PRECISION_F64 ? WFI_SHARE_64
                                                : WFI_SHARE_32;
}

void wfi_pagerank_load(const weft_pagerank_params *p, wfi_grid_load *load) {
    wfi_ranking r = {.pull = {.travels = travels(p)}};
    load->value = wfi_share_bytes(&r);
    load->sum = wfi_pull_limbs(r.pull.travels) * sizeof(uint64_t);
}

/* Tiles are laid out by wfi_tiles_lay_out, for one rank that has all vertices. */
static void lay_out(wfi_workspace *w, const wfi_spread *spread, const weft_pagerank_params *p, wfi_ranking *r) {
    weft_vid mine = spread->vertices;
    r->mine = mine;
    r->sees = spread->sees;
    r->on_grid = spread->columns > 1;
    r->single = p->precision != WEFT_PRECISION_F64;
    r->pull.travels = travels(p);
    wfi_pagerank_columns(w, mine, p, &r->rank, &r->restart);
    r->dangling_to = NULL;
    if (p->dangling_to) wfi_array(w, &r->dangling_to, mine);
    wfi_array(w, &r->give, mine);
    r->pull.share = wfi_carve(w, "share", r->sees, wfi_share_bytes(r), false);
    r->next = wfi_carve(w, "next", mine, wfi_share_bytes(r), false);
    if (r->on_grid) {
        size_t limbs = wfi_pull_limbs(r->pull.travels);
        wfi_array(w, &r->sums_out, wfi_grid_sums_room(spread) * limbs);
        wfi_array(w, &r->sums_in, wfi_grid_come_room(spread) * limbs);
    }
}

void wfi_pagerank_space(wfi_workspace *w, weft_vid n, weft_eid arcs, const weft_pagerank_params *p, int threads,
                        wfi_pagerank_method method) {
    wfi_ranking r = {0};
    arrays a;
    lay_out(w, &(wfi_spread){.vertices = n, .sees = n, .columns = 1}, p, &r);
    if (method == WFI_TILED) wfi_tiles_lay_out(w, n, arcs, threads, &a.tiles, &a.making, &r.sums);
}

static void list_stretches(wfi_ranking *r) {
    const wfi_spread *s = r->spread;
    for (size_t b = 0; b < s->blocks; b++) {
        const wfi_part *p = &s->part[b];
        r->stretch[r->stretches++] = (wfi_stretch){.in = p->in,
                                                   .out = p->out,
                                                   .end = p->end - p->first,
                                                   .vertex = p->first,
                                                   .place = p->place,
                                                   .seen = p->seen};
    }
}

weft_status wfi_pagerank_cpu(wfi_job *job) { return wfi_pagerank_with(job, NULL); }

/* For this rank's part of the vertices. */
weft_status wfi_pagerank_with(wfi_job *job, wfi_ranking_gpu *gpu) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_pagerank_params *p = job->params;
    bool tiled = job->choice->variant == WFI_TILED;
    wfi_ranking r = {.ctx = ctx,
                     .g = g,
                     .spread = job->spread,
                     .whole = wfi_spread_is_whole(job->spread),
                     .gpu = gpu,
                     .pull = {.ctx = ctx, .weight_type = g->weight_type, .half_scale = wfi_pagerank_half_scale(g->n)},
                     .damping = p->damping,
                     .uniform = 1 / (double)g->n};
    arrays a;
    list_stretches(&r);
    lay_out(job->space, r.spread, p, &r);
    if (tiled) wfi_tiles_lay_out(job->space, g->n, g->arcs, wfi_threads(ctx), &a.tiles, &a.making, &r.sums);
    weft_status st = gpu && gpu->status ? gpu->status : job->space->status;
    if (!st && r.restart) st = fill(&r, "restart", p->restart, r.restart);
    if (!st && r.dangling_to) st = fill(&r, "dangling_to", p->dangling_to, r.dangling_to);
    st = wfi_agree(ctx, st);
    if (!st) st = find_gifts(&r, p->weights);
    if (!st && tiled) st = wfi_tiles_make(ctx, g, &a.making, &a.tiles);
    if (tiled) r.tiles = &a.tiles;
    return st ? st : iterate(&r, job);
}

void wfi_pagerank_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    const weft_pagerank_params *p = params;
    wfi_ranking r = {0};
    (void)ctx;
    choice->variant = WFI_PULL;
    choice->method = "pull";
    choice->space.needs_in = true;
    lay_out(&choice->space, spread, params, &r);
    bool by_degree = wfi_pagerank_by_degree(spread->g, params);
    wfi_grid_load each;
    wfi_pagerank_load(params, &each);
    uint64_t shares = each.value * wfi_grid_values(spread), sums = each.sum * wfi_grid_sums(spread);
    choice->sends_each = shares + sums;
    choice->sends = shares;
    if (by_degree) choice->sends += r.on_grid ? shares + sums : wfi_spread_copies(spread);
    choice->iterations = p->iterations ? p->iterations : p->max_iterations;
}
