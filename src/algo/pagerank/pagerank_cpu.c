/* PageRank on CPU cores: power iteration.  Needs: rows of incoming arcs (engines/fixed_sums) or of outgoing arcs
 * (pagerank_tiles.c); weights, if used, finite and not below 0.
 * Method: a given number of iterations is Jacobi's: all ranks from those of the iteration before [1].  Iteration to a
 * tolerance is block Gauss-Seidel [2]: at most eight parts, each a multiple of 2^16 vertices, are swept in turn, each
 * from the newest ranks of the others, which takes about two thirds of the iterations.  Sweeping in turn lets the sum
 * of the ranks drift, which would fade only with the damping, so all ranks are scaled after each iteration to the sum
 * that the equations imply.  On an undirected graph initial ranks grow with the degree, the stationary distribution of
 * the walk without restarts.  All of this follows from the graph alone, so that every back end does the same.
 * Ranks that share a run: each pulls for its own vertices from the shares of all vertices, which are gathered after
 * each part; totals are added up.
 * Encoding: a share is rank / out-degree (rank / sum of weights) times 2^62, in f32 for unweighted f32 runs, else in
 * f64; 0 for a dangling vertex.  It is computed once a vertex, not once an arc.  All sums are in fixed point
 * (core/fixed.h) and the other arithmetic is per vertex: the same bits for any number of threads and ranks.
 * [1] Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999.
 * [2] Arasu, Novak, Tomkins, Tomlin, "PageRank Computation and the Structure of the Web", WWW 2002. */
#include "algo/pagerank/pagerank_cpu.h"
#include "ranks/grid.h"
#include "run/checkpoint.h"
#include "weft/pagerank.h"

enum { BATCH = 256, PASS = WFI_PAGERANK_PASS };

/* Adds the totals of all ranks.  A request to stop on any rank stops all. */
static weft_status add_totals(wfi_ranking *r, wfi_totals *t) {
    bool stop = atomic_load(&r->pull.stop);
    uint64_t all[] = {
        t->change.whole, t->change.rest, t->dangling.whole, t->dangling.rest, t->sum.whole, t->sum.rest, stop};
    weft_status st = wfi_allreduce(r->ctx, all, sizeof all / sizeof *all, WFI_SUM);
    if (st) return st;
    *t = (wfi_totals){{all[0], all[1]}, {all[2], all[3]}, {all[4], all[5]}};
    wfi_fixed_carry(&t->change);
    wfi_fixed_carry(&t->dangling);
    wfi_fixed_carry(&t->sum);
    return all[6] ? wfi_fail_cancelled(r->ctx) : WEFT_OK;
}

/* --- initial ranks ----------------------------------------------------- */

/* Pairs: two vertices without other neighbours (graph/rows.h), whose ranks are known.  The arrays of shares are free
 * until the first shares are made: until then r->pull.share has a byte for each vertex, set if it has a single arc, and
 * r->next a byte, set if it is in a pair. */
static inline bool is_paired(const wfi_ranking *r, const wfi_stretch *s, weft_vid k) {
    return ((const uint8_t *)r->next)[s->place + k];
}

static weft_status mark_paired(wfi_ranking *r) {
    uint8_t *single = r->pull.share, *paired = r->next;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
        for (weft_vid k = s->first; k < s->end; k++) single[s->vertex + k] = wfi_degree(&s->out, k) == 1;
        st = wfi_spread_allgather(r->ctx, r->spread, &r->spread->part[i], single, 1);
    }
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
        for (weft_vid k = s->first; k < s->end; k++)
            paired[s->place + k] = single[s->vertex + k] && single[s->out.targets[s->out.offsets[k]]];
    }
    return st;
}

/* On a grid no rank has all vertices or both ends of all arcs: every vertex of a single arc sends a share, and a vertex
 * that receives one along its single arc is in a pair. */
static weft_status mark_paired_on_grid(wfi_ranking *r) {
    uint8_t *paired = r->next;
    double pulled[BATCH];
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        for (weft_vid k = s->first; k < s->end; k++) {
            bool single = wfi_degree(&s->out, k) == 1;
            if (r->pull.kind == WFI_SHARE_32)
                ((float *)r->next)[s->place + k] = (float)single;
            else
                ((double *)r->next)[s->place + k] = (double)single;
        }
        st = wfi_publish_shares(r, i);
    }
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        st = wfi_pull_on_grid(r, i);
        for (weft_vid k = s->first; k < s->end && !st; k += BATCH) {
            weft_vid count = s->end - k < BATCH ? s->end - k : BATCH;
            wfi_pulled_on_grid(r, s, k, count, pulled);
            for (weft_vid j = 0; j < count; j++)
                paired[s->place + k + j] = wfi_degree(&s->out, k + j) == 1 && pulled[j] > 0;
        }
    }
    return st;
}

static weft_status by_degree(wfi_ranking *r, wfi_pagerank_beginning *b) {
    uint64_t count[2] = {0, 0};
    weft_status st = r->on_grid ? mark_paired_on_grid(r) : mark_paired(r);
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        int threads = wfi_threads_for(r->ctx, s->end - s->first, PASS);
        weft_vid alone = 0, paired = 0;
#pragma omp parallel for schedule(static) reduction(+ : alone, paired) num_threads(threads)
        for (weft_vid k = s->first; k < s->end; k++) {
            alone += wfi_degree(&s->out, k) == 0;
            paired += is_paired(r, s, k);
        }
        count[0] += alone;
        count[1] += paired;
    }
    if (!st) st = wfi_allreduce(r->ctx, count, 2, WFI_SUM);
    *b = wfi_pagerank_begin(r->g, r->params, (weft_vid)count[0], (weft_vid)count[1]);
    return st;
}

/* start_sum: the sum of nstart, if given. */
static void begin_stretch(wfi_ranking *r, const wfi_stretch *s, double start_sum, wfi_pagerank_beginning b) {
    const double *nstart = r->params->nstart;
    bool grow = wfi_pagerank_by_degree(r->g, r->params);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
    for (weft_vid k = s->first; k < s->end; k++) {
        double rank = b.flat + b.slope * (double)wfi_degree(&s->out, k);
        if (grow && is_paired(r, s, k)) rank = b.paired;
        if (nstart) rank = nstart[s->vertex + k] / start_sum;
        if (r->single)
            ((float *)r->rank)[s->place + k] = (float)rank;
        else
            ((double *)r->rank)[s->place + k] = rank;
    }
}

/* Makes initial ranks and shares; *all: totals of all ranks (dangling).  Collective. */
static weft_status begin(wfi_ranking *r, wfi_totals *all) {
    double start_sum = 0;
    wfi_pagerank_beginning b = wfi_pagerank_begin(r->g, r->params, 0, 0);
    weft_status st = WEFT_OK;
    if (r->params->nstart) st = wfi_pagerank_sum(r->ctx, r->g, "nstart", r->params->nstart, &start_sum);
    if (!st && wfi_pagerank_by_degree(r->g, r->params)) st = by_degree(r, &b);
    for (size_t i = 0; i < r->stretches && !st; i++) begin_stretch(r, &r->stretch[i], start_sum, b);
    *all = WFI_NO_TOTALS;
    for (size_t i = 0; i < r->stretches && !st; i++) wfi_make_shares(r, &r->stretch[i], all);
    if (r->whole) wfi_exchange_shares(r);
    for (size_t i = 0; !r->whole && i < r->stretches && !st; i++) st = wfi_publish_shares(r, i);
    return st ? st : add_totals(r, all);
}

/* --- iterations ------------------------------------------------------------------- */

/* The factor for all ranks that makes their sum that of the equations:
 * scale * sum = (1 - damping) + damping * (scale * rank that is not lost). */
static double correction(const wfi_ranking *r, bool drop, double sum, double dangling) {
    if (!drop) return 1 / sum;
    return r->damping < 1 ? (1 - r->damping) / (sum - r->damping * (sum - dangling)) : 1;
}

static weft_status sum_ranks(wfi_ranking *r, double *sum) {
    wfi_totals t = WFI_NO_TOTALS;
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, r->mine, PASS))
    {
        wfi_totals mine = WFI_NO_TOTALS;
#pragma omp for schedule(static)
        for (weft_vid k = 0; k < r->mine; k++) {
            double rank = r->single ? (double)((const float *)r->rank)[k] : ((const double *)r->rank)[k];
            wfi_fixed_add(&mine.sum, rank * WFI_FIXED_ONE);
        }
        wfi_totals_join(&t, &mine);
    }
    weft_status st = add_totals(r, &t);
    *sum = wfi_fixed_value(t.sum);
    return st;
}

/* State of a checkpoint.  Shares are saved too, since they do not follow from the ranks: both were scaled and rounded
 * separately. */
static wfi_state state_of(const wfi_ranking *r, double residual, double dangling) {
    wfi_state_column ranks = {r->rank, r->single ? sizeof(float) : sizeof(double), false};
    wfi_state_column shares = {r->pull.share, wfi_share_bytes(r->pull.kind), true};
    return (wfi_state){.column = {ranks, shares}, .number = {residual, dangling}};
}

static weft_status begin_or_resume(wfi_ranking *r, const wfi_job *job, uint64_t *done, double *residual,
                                   double *dangling) {
    wfi_totals t = WFI_NO_TOTALS;
    wfi_state state = state_of(r, 0, 0);
    weft_status st = wfi_checkpoint_resume(job->checkpoint, &state, done);
    *residual = state.number[0];
    *dangling = state.number[1];
    if (st || *done) return st;
    st = begin(r, &t);
    *dangling = wfi_fixed_value(t.dangling);
    return st;
}

static weft_status iterate(wfi_ranking *r, const wfi_job *job) {
    const weft_pagerank_params *p = r->params;
    wfi_totals t;
    uint64_t done, most = p->iterations ? p->iterations : p->max_iterations;
    double residual, dangling, sum = 0;
    weft_status st = begin_or_resume(r, job, &done, &residual, &dangling);
    if (!st && r->gpu) st = r->gpu->begin(r);
    bool converged = done && !p->iterations && residual <= p->tolerance, drop = p->dangling == WEFT_DANGLING_DROP;
    while (!st && done < most && !converged) {
        wfi_progress(r->ctx, "ranking", done, most);
        double spare = drop ? 0 : p->damping * dangling;
        r->dangling = r->dangling_to ? spare : 0;
        r->teleport = (1 - p->damping) + (spare - r->dangling);
        st = r->gpu ? r->gpu->sweep(r, &t) : wfi_pagerank_sweep(r, &t);
        if (!st) st = add_totals(r, &t);
        residual = wfi_fixed_value(t.change);
        dangling = wfi_fixed_value(t.dangling);
        if (r->stretches > 1) {
            double scale = correction(r, drop, wfi_fixed_value(t.sum), dangling);
            if (r->gpu)
                r->gpu->scale(r, scale);
            else
                wfi_pagerank_scale(r, scale);
            dangling *= scale;
        }
        converged = !p->iterations && residual <= p->tolerance;
        done++;
        wfi_state state = state_of(r, residual, dangling);
        if (!st) st = wfi_checkpoint_reached(job->checkpoint, &state, done);
    }
    if (!st && r->gpu) st = r->gpu->end(r);
    if (!st) st = sum_ranks(r, &sum);
    return st ? st : wfi_pagerank_scalars(r->ctx, p, done, residual, sum, job->result);
}

/* --- before the first iteration ----------------------------------------------------- */

/* Fills r->inverse. */
static weft_status invert_degrees(wfi_ranking *r, bool weighted) {
    const weft_graph *g = r->g;
    _Atomic weft_eid bad = UINT64_MAX;
    for (size_t i = 0; i < r->stretches; i++) {
        const wfi_stretch *s = &r->stretch[i];
#pragma omp parallel for schedule(dynamic, 1024) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
        for (weft_vid k = s->first; k < s->end; k++) {
            double parts = weighted ? wfi_row_sum(g->weight_type, &s->out, k, &bad) : (double)wfi_degree(&s->out, k);
            double inverse = WFI_FIXED_ONE / parts; /* no branch: dangling vertices are not predictable */
            r->inverse[s->place + k] = parts > 0 ? inverse : 0;
            if (k % 1024 == 0 && wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
        }
    }
    weft_status st = WEFT_OK;
    if (atomic_load(&bad) != UINT64_MAX) st = wfi_refuse_share(r->ctx, "pagerank", g, atomic_load(&bad));
    if (atomic_load(&r->pull.stop)) st = wfi_fail_cancelled(r->ctx);
    return wfi_agree(r->ctx, st);
}

/* Normalises a caller's vector, a weight for each vertex of the graph, and writes this rank's part to `to`. */
static weft_status fill(const wfi_ranking *r, const char *name, const double *weight, double *to) {
    double sum;
    weft_status st = wfi_pagerank_sum(r->ctx, r->g, name, weight, &sum);
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        for (weft_vid k = s->first; k < s->end; k++) to[s->place + k] = weight[s->vertex + k] / sum;
    }
    return st;
}

static wfi_share_kind share_kind(const weft_pagerank_params *p) {
    if (p->weights) return WFI_SHARE_WEIGHTED;
    return p->precision == WEFT_PRECISION_F64 ? WFI_SHARE_64 : WFI_SHARE_32;
}

void wfi_pagerank_load(const weft_pagerank_params *p, wfi_grid_load *load) {
    load->value = wfi_share_bytes(share_kind(p));
    load->sum = wfi_pull_limbs(share_kind(p)) * sizeof(uint64_t);
}

/* Declares the arrays of r; its graph, parameters, spread and r->tiled are set. */
static void lay_out(wfi_workspace *w, int threads, wfi_ranking *r) {
    const weft_pagerank_params *p = r->params;
    const wfi_spread *spread = r->spread;
    r->mine = spread->vertices;
    r->sees = spread->sees;
    r->on_grid = spread->columns > 1;
    r->single = p->precision != WEFT_PRECISION_F64;
    r->pull.kind = share_kind(p);
    wfi_pagerank_columns(w, r->mine, p, &r->rank, &r->restart);
    if (p->dangling_to) wfi_array(w, &r->dangling_to, r->mine);
    wfi_array(w, &r->inverse, r->mine);
    r->pull.share = wfi_carve(w, "share", r->sees, wfi_share_bytes(r->pull.kind), false);
    r->next = wfi_carve(w, "next", r->mine, wfi_share_bytes(r->pull.kind), false);
    if (r->on_grid) {
        size_t limbs = wfi_pull_limbs(r->pull.kind);
        wfi_array(w, &r->sums_out, wfi_grid_sums_capacity(spread) * limbs);
        wfi_array(w, &r->sums_in, wfi_grid_received_capacity(spread) * limbs);
    }
    if (r->tiled) wfi_tiles_lay_out(w, r->g, threads, &r->tiles);
}

void wfi_pagerank_space(wfi_workspace *w, const weft_graph *g, const weft_pagerank_params *p, int threads,
                        wfi_pagerank_method method) {
    wfi_spread all = {.vertices = g->n, .sees = g->n, .columns = 1};
    wfi_ranking r = {.g = g, .params = p, .spread = &all, .tiled = method == WFI_TILED};
    lay_out(w, threads, &r);
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

weft_status wfi_pagerank_with(wfi_job *job, wfi_ranking_gpu *gpu) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_pagerank_params *p = job->params;
    wfi_ranking r = {.ctx = ctx,
                     .g = g,
                     .params = p,
                     .spread = job->spread,
                     .whole = wfi_spread_is_whole(job->spread),
                     .gpu = gpu,
                     .pull = {.ctx = ctx, .weight_type = g->weight_type},
                     .tiled = job->choice->method == WFI_TILED,
                     .damping = p->damping,
                     .uniform = 1 / (double)g->n};
    list_stretches(&r);
    lay_out(job->space, wfi_threads(ctx), &r);
    weft_status st = gpu && gpu->status ? gpu->status : job->space->status;
    if (!st && r.restart) st = fill(&r, "restart", p->restart, r.restart);
    if (!st && r.dangling_to) st = fill(&r, "dangling_to", p->dangling_to, r.dangling_to);
    st = wfi_agree(ctx, st);
    if (!st) st = invert_degrees(&r, p->weights);
    if (!st && r.tiled) st = wfi_tiles_make(ctx, &r.tiles);
    return st ? st : iterate(&r, job);
}

void wfi_pagerank_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    const weft_pagerank_params *p = params;
    wfi_ranking r = {.g = spread->g, .params = p, .spread = spread};
    choice->space.needs_in = true;
    lay_out(&choice->space, wfi_threads(ctx), &r);
    wfi_grid_load each;
    wfi_pagerank_load(p, &each);
    uint64_t shares = each.value * wfi_grid_values(spread), sums = each.sum * wfi_grid_sums(spread);
    choice->sends_each = shares + sums;
    choice->sends = shares;
    if (wfi_pagerank_by_degree(spread->g, p)) choice->sends += r.on_grid ? shares + sums : wfi_spread_copies(spread);
    choice->iterations = p->iterations ? p->iterations : p->max_iterations;
}
