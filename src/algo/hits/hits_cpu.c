/* HITS, CPU.  Needs: rows of both directions; weights, if used, that WFI_SHARES_TAKE.
 * Method: power iteration [1]: authorities pull the hubs along incoming arcs, then hubs the authorities along outgoing
 * ones.  A vertex passes on its value / T, where T is the sum over all vertices of value * (sum of the weights that it is
 * passed on by): what arrives sums to 1 by itself, and whatever the weights, no sum leaves 0 ... 1.
 * Encoding: shares are f64 times 2^62, sums are in two limbs (core/fixed.h); T is added up times 2^-scale, with 2^scale above
 * the sum of every row.
 * Same bits for any number of threads: all sums are of integers, but for those of a row's weights, which have an order.
 * [1] Kleinberg, "Authoritative sources in a hyperlinked environment", Journal of the ACM 46, 1999. */
#include "algo/hits/hits.h"
#include "core/fixed.h"
#include "shared/pull/pull.h"

#include <math.h>

enum { BATCH = 256, PASS = 1 << 14 };

/* Hubs or authorities. */
typedef struct side {
    const wfi_rows *rows; /* that it pulls along, and, the other way, is passed on by */
    double *value;
    double *sums; /* of the weights of each row; NULL = its length */
    int scale;
    double given; /* T, times 2^-scale */
} side;

typedef struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    side hubs, authorities;
    double *share;
} run;

typedef struct totals {
    wfi_fixed change, given;
} totals;

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_hits_params *p, run *r) {
    wfi_column(w, "hub", WEFT_F64, g->n, &r->hubs.value);
    wfi_column(w, "authority", WEFT_F64, g->n, &r->authorities.value);
    wfi_array(w, &r->share, g->n);
    r->hubs.sums = r->authorities.sums = NULL;
    if (!p->weights) return;
    wfi_array(w, &r->hubs.sums, g->n);
    r->authorities.sums = r->hubs.sums;
    if (g->directed) wfi_array(w, &r->authorities.sums, g->n);
}

void wfi_hits_space(wfi_workspace *w, const weft_graph *g, const weft_hits_params *params) {
    run r;
    lay_out(w, g, params, &r);
}

/* --- before -------------------------------------------------------------------- */

static inline double row_sum(const side *s, weft_vid v) {
    return s->sums ? s->sums[v] : (double)wfi_degree(s->rows, v);
}

/* The sum of the weights in each row, and the scale. */
static weft_status measure_rows(run *r, side *s, bool weights) {
    const weft_graph *g = r->g;
    double most = 0;
    weft_status st = weights ? wfi_row_sums(r->ctx, "hits", g, s->rows, s->sums) : WEFT_OK;
    if (st) return st;
#pragma omp parallel for schedule(static) reduction(max : most) num_threads(wfi_threads_for(r->ctx, g->n, PASS))
    for (weft_vid v = 0; v < g->n; v++) most = fmax(most, row_sum(s, v));
    (void)frexp(most, &s->scale);
    return WEFT_OK;
}

/* All alike, at the beginning or, 0, where there is nothing to pass on. */
static void begin(run *r, double value) {
    weft_vid n = r->g->n;
    side *s = &r->hubs;
    wfi_fixed given = {0, 0};
    double unit = ldexp(WFI_FIXED_ONE, -s->scale);
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, n, PASS))
    {
        wfi_fixed mine = {0, 0};
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++) {
            r->hubs.value[v] = r->authorities.value[v] = value;
            wfi_fixed_add(&mine, value * (row_sum(s, v) * unit));
        }
#pragma omp critical(wfi_hits_totals)
        wfi_fixed_join(&given, mine);
    }
    s->given = wfi_fixed_value(given);
}

/* --- half an iteration ------------------------------------------------------------ */

/* What each vertex passes on. */
static void make_shares(run *r, const side *from) {
    weft_vid n = r->g->n;
    double factor = WFI_FIXED_ONE / ldexp(from->given, from->scale);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, n, PASS))
    for (weft_vid v = 0; v < n; v++) r->share[v] = from->value[v] * factor;
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

/* New values of `to` from those of `from`; *change: how much they moved. */
static weft_status pull_all(run *r, const side *from, side *to, double *change) {
    weft_ctx *ctx = r->ctx;
    weft_vid n = r->g->n;
    wfi_pulling p = {.ctx = ctx,
                     .rows = to->rows,
                     .weight_type = r->g->weight_type,
                     .travels = to->sums ? WFI_SHARE_WEIGHTED : WFI_SHARE_64,
                     .share = r->share};
    totals all = {{0, 0}, {0, 0}};
    make_shares(r, from);
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
    *change = wfi_fixed_value(all.change);
    to->given = wfi_fixed_value(all.given);
    return atomic_load(&p.stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* ------------------------------------------------------------------------------- */

static weft_status iterate(run *r, const weft_hits_params *p, weft_result *result) {
    uint64_t done = 0, most = p->iterations ? p->iterations : p->max_iterations;
    double residual = 0, change[2] = {0, 0};
    bool settled = !(r->hubs.given > 0);
    weft_status st = WEFT_OK;
    if (settled) begin(r, 0);
    while (!st && done < most && !settled) {
        wfi_progress(r->ctx, "hubs and authorities", done, most);
        st = pull_all(r, &r->hubs, &r->authorities, &change[0]);
        if (!st) st = pull_all(r, &r->authorities, &r->hubs, &change[1]);
        residual = fmax(change[0], change[1]);
        settled = !p->iterations && residual <= p->tolerance;
        done++;
    }
    return st ? st : wfi_hits_scalars(r->ctx, p, done, residual, result);
}

weft_status wfi_hits_cpu(wfi_job *job) {
    const weft_graph *g = job->g;
    const weft_hits_params *p = job->params;
    run r = {.ctx = job->ctx, .g = g};
    lay_out(job->space, g, p, &r);
    r.hubs.rows = &g->out;
    r.authorities.rows = wfi_in_at_hand(g);
    weft_status st = job->space->status;
    if (!st) st = measure_rows(&r, &r.hubs, p->weights);
    if (!st) st = measure_rows(&r, &r.authorities, p->weights && g->directed);
    if (st) return st;
    begin(&r, g->n ? 1 / (double)g->n : 0);
    return iterate(&r, p, job->result);
}
