/* HITS on CPU cores.  Needs: rows of both directions; weights, if used, that WFI_SHARES_TAKE.
 * Method: power iteration [1]: authorities pull the hubs along incoming arcs, then hubs the authorities along outgoing
 * ones.  A vertex passes on its value / T, where T is the sum over all vertices of value * (sum of the weights that it
 * is passed on by): what arrives sums to 1 by itself, and whatever the weights, no sum leaves 0 ... 1.
 * Encoding: shares are f64 times 2^62, sums are in two limbs (core/fixed.h); T is added up times 2^-scale, with 2^scale
 * above the sum of every row.
 * Ranks that share a run: each pulls for its own vertices, from the shares of all, which are gathered for each half of
 * an iteration.  Same bits for any number of threads and ranks: all sums are of integers, but for those of a row's
 * weights, which have an order.
 * [1] Kleinberg, "Authoritative sources in a hyperlinked environment", Journal of the ACM 46, 1999. */
#include "algo/checkpoint.h"
#include "algo/hits/hits.h"
#include "ranks/spread.h"
#include "shared/pull/pull.h"

#include <math.h>
#include <string.h>

enum { BATCH = 256, PASS = 1 << 14 };

/* Hubs or authorities. */
typedef struct side {
    wfi_view rows; /* that it pulls along, and, the other way, is passed on by */
    double *value;
    double *sums; /* of the weights of each row; NULL = its length */
    int scale;
    double given; /* T, times 2^-scale */
} side;

typedef struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_spread *spread;
    wfi_hits_gpu *gpu;    /* NULL: the CPU */
    weft_vid mine, first; /* vertices of this rank, and the first of them */
    side hubs, authorities;
    double *share; /* of all vertices */
} run;

typedef struct totals {
    wfi_fixed change, given;
} totals;

static void lay_out(wfi_workspace *w, const weft_graph *g, weft_vid mine, const weft_hits_params *p, run *r) {
    r->mine = mine;
    wfi_column(w, "hub", WEFT_F64, mine, &r->hubs.value);
    wfi_column(w, "authority", WEFT_F64, mine, &r->authorities.value);
    wfi_array(w, &r->share, g->n);
    r->hubs.sums = r->authorities.sums = NULL;
    if (!p->weights) return;
    wfi_array(w, &r->hubs.sums, mine);
    r->authorities.sums = r->hubs.sums;
    if (g->directed) wfi_array(w, &r->authorities.sums, mine);
}

void wfi_hits_space(wfi_workspace *w, const weft_graph *g, const weft_hits_params *params) {
    run r;
    lay_out(w, g, g->n, params, &r);
}

void wfi_hits_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    run r;
    (void)ctx;
    choice->method = "pull";
    choice->space.needs_in = true;
    choice->sends = 0;
    choice->sends_each = 2 * sizeof(double) * wfi_spread_copies(spread);
    choice->iterations = wfi_hits_most(params);
    lay_out(&choice->space, spread->g, spread->vertices, params, &r);
}

/* --- before -------------------------------------------------------------------- */

static inline double row_sum(const side *s, weft_vid v) {
    return s->sums ? s->sums[v] : (double)wfi_degree(&s->rows, v);
}

/* The sum of the weights in each row, and the scale. */
static weft_status measure_rows(run *r, side *s, bool weights) {
    double most = 0;
    uint64_t bits;
    weft_status st = weights ? wfi_row_sums(r->ctx, "hits", r->g, &s->rows, r->mine, s->sums) : WEFT_OK;
    st = wfi_agree(r->ctx, st);
    if (st) return st;
#pragma omp parallel for schedule(static) reduction(max : most) num_threads(wfi_threads_for(r->ctx, r->mine, PASS))
    for (weft_vid v = 0; v < r->mine; v++) most = fmax(most, row_sum(s, v));
    memcpy(&bits, &most, sizeof bits); /* of doubles that are not below 0 the larger one has the larger bits */
    st = wfi_allreduce(r->ctx, &bits, 1, WFI_MAX);
    memcpy(&most, &bits, sizeof bits);
    (void)frexp(most, &s->scale);
    return st;
}

/* Of all ranks.  The request to stop, of any rank, is everybody's. */
static weft_status add_totals(run *r, bool stop, totals *t) {
    uint64_t all[] = {t->change.whole, t->change.rest, t->given.whole, t->given.rest, stop};
    weft_status st = wfi_allreduce(r->ctx, all, 5, WFI_SUM);
    if (st) return st;
    *t = (totals){{all[0], all[1]}, {all[2], all[3]}};
    wfi_fixed_settle(&t->change);
    wfi_fixed_settle(&t->given);
    return all[4] ? wfi_fail_cancelled(r->ctx) : WEFT_OK;
}

/* All alike, at the beginning or, 0, where there is nothing to pass on. */
static weft_status begin(run *r, double value) {
    side *s = &r->hubs;
    totals all = {{0, 0}, {0, 0}};
    double unit = ldexp(WFI_FIXED_ONE, -s->scale);
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, r->mine, PASS))
    {
        wfi_fixed mine = {0, 0};
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < r->mine; v++) {
            r->hubs.value[v] = r->authorities.value[v] = value;
            wfi_fixed_add(&mine, value * (row_sum(s, v) * unit));
        }
#pragma omp critical(wfi_hits_totals)
        wfi_fixed_join(&all.given, mine);
    }
    weft_status st = add_totals(r, false, &all);
    s->given = wfi_fixed_value(all.given);
    return st;
}

/* --- half an iteration ------------------------------------------------------------ */

static double factor_of(const side *from) { return WFI_FIXED_ONE / ldexp(from->given, from->scale); }

/* What each vertex passes on. */
static weft_status make_shares(run *r, const side *from) {
    double factor = factor_of(from), *share = r->share + r->first;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, r->mine, PASS))
    for (weft_vid v = 0; v < r->mine; v++) share[v] = from->value[v] * factor;
    return wfi_spread_allgather(r->ctx, r->spread, &r->spread->part[0], r->share, sizeof *r->share);
}

static void pull_chunk(wfi_pulling *p, side *to, weft_vid first, weft_vid end, totals *t) {
    double came[BATCH], unit = ldexp(WFI_FIXED_ONE, -to->scale);
    for (weft_vid v = first; v < end; v += BATCH) {
        weft_vid count = end - v < BATCH ? end - v : BATCH;
        wfi_pull(p, v, count, came);
        for (weft_vid k = 0; k < count; k++) {
            double old = to->value[v + k];
            to->value[v + k] = came[k];
            wfi_fixed_add(&t->change, fabs(came[k] - old) * WFI_FIXED_ONE);
            wfi_fixed_add(&t->given, came[k] * (row_sum(to, v + k) * unit));
        }
    }
}

/* The same on the GPU. */
static weft_status pull_there(run *r, const side *from, side *to, double *change) {
    totals all = {{0, 0}, {0, 0}};
    wfi_fixed mine[2];
    weft_status st =
        r->gpu->half(r->gpu, to == &r->hubs, factor_of(from), ldexp(WFI_FIXED_ONE, -to->scale), r->share, mine);
    if (st) return st;
    all = (totals){mine[0], mine[1]};
    st = add_totals(r, false, &all);
    *change = wfi_fixed_value(all.change);
    to->given = wfi_fixed_value(all.given);
    return st;
}

/* New values of `to` from those of `from`; *change: how much they moved. */
static weft_status pull_all(run *r, const side *from, side *to, double *change) {
    weft_ctx *ctx = r->ctx;
    weft_vid n = r->mine;
    if (r->gpu) return pull_there(r, from, to, change);
    wfi_pulling p = {.ctx = ctx,
                     .rows = &to->rows,
                     .weight_type = r->g->weight_type,
                     .travels = to->sums ? WFI_SHARE_WEIGHTED : WFI_SHARE_64,
                     .share = r->share};
    totals all = {{0, 0}, {0, 0}};
    weft_status st = make_shares(r, from);
    if (st) return st;
    size_t chunks = wfi_pull_chunks(&p, 0, n);
#pragma omp parallel num_threads(wfi_threads_for(ctx, chunks, 1))
    {
        totals mine = {{0, 0}, {0, 0}};
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t c = 0; c < chunks; c++) {
            if (atomic_load(&p.stop)) continue;
            pull_chunk(&p, to, wfi_pull_chunk(&p, 0, n, c), wfi_pull_chunk(&p, 0, n, c + 1), &mine);
            if (wfi_cancelled(ctx)) atomic_store(&p.stop, true);
        }
#pragma omp critical(wfi_hits_totals)
        {
            wfi_fixed_join(&all.change, mine.change);
            wfi_fixed_join(&all.given, mine.given);
        }
    }
    st = add_totals(r, atomic_load(&p.stop), &all);
    *change = wfi_fixed_value(all.change);
    to->given = wfi_fixed_value(all.given);
    return st;
}

/* ------------------------------------------------------------------------------- */

/* What an iteration needs of those before: authorities only to see how much they change. */
static wfi_state state_of(const run *r, double residual) {
    wfi_state_column hubs = {r->hubs.value, sizeof(double), false};
    wfi_state_column authorities = {r->authorities.value, sizeof(double), false};
    return (wfi_state){.column = {hubs, authorities}, .number = {residual, r->hubs.given}};
}

/* All alike, or as a checkpoint has it. */
static weft_status begin_or_resume(run *r, wfi_checkpoint *checkpoint, uint64_t *done, double *residual) {
    wfi_state state = state_of(r, 0);
    weft_status st = wfi_checkpoint_resume(checkpoint, &state, done);
    *residual = state.number[0];
    r->hubs.given = state.number[1];
    if (!st && !*done) st = begin(r, r->g->n ? 1 / (double)r->g->n : 0);
    return st;
}

static weft_status iterate(run *r, const wfi_job *job) {
    const weft_hits_params *p = job->params;
    uint64_t done, most = wfi_hits_most(p);
    double residual, change[2] = {0, 0};
    weft_status st = begin_or_resume(r, job->checkpoint, &done, &residual);
    bool settled = done ? !p->iterations && residual <= p->tolerance : !(r->hubs.given > 0);
    if (!st && settled && !done) st = begin(r, 0);
    wfi_hits_side hubs = {r->hubs.value, r->hubs.sums}, authorities = {r->authorities.value, r->authorities.sums};
    if (!st && r->gpu) st = r->gpu->begin(r->gpu, hubs, authorities);
    while (!st && done < most && !settled) {
        wfi_progress(r->ctx, "hubs and authorities", done, most);
        st = pull_all(r, &r->hubs, &r->authorities, &change[0]);
        if (!st) st = pull_all(r, &r->authorities, &r->hubs, &change[1]);
        residual = fmax(change[0], change[1]);
        settled = !p->iterations && residual <= p->tolerance;
        done++;
        wfi_state state = state_of(r, residual);
        if (!st) st = wfi_checkpoint_reached(job->checkpoint, &state, done);
    }
    if (!st && r->gpu) st = r->gpu->end(r->gpu, hubs, authorities);
    return st ? st : wfi_hits_scalars(r->ctx, p, done, residual, job->result);
}

weft_status wfi_hits_cpu(wfi_job *job) { return wfi_hits_with(job, NULL); }

/* For this rank's part of the vertices. */
weft_status wfi_hits_with(wfi_job *job, wfi_hits_gpu *gpu) {
    const weft_graph *g = job->g;
    const weft_hits_params *p = job->params;
    const wfi_spread *s = job->spread;
    const wfi_part *part = &s->part[0];
    run r = {.ctx = job->ctx, .g = g, .spread = s, .gpu = gpu, .first = part->first};
    lay_out(job->space, g, s->vertices, p, &r);
    r.hubs.rows = part->out;
    r.authorities.rows = part->in;
    weft_status st = gpu && gpu->status ? gpu->status : job->space->status;
    st = wfi_agree(job->ctx, st);
    if (!st) st = measure_rows(&r, &r.hubs, p->weights);
    if (!st) st = measure_rows(&r, &r.authorities, p->weights && g->directed);
    return st ? st : iterate(&r, job);
}
