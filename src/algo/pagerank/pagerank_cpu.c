/* PageRank, CPU.  Needs: rows of incoming arcs, unless blocked (blocks.c); weights, if used, finite and not below 0.
 * Method: Jacobi iteration, pulled.  An iteration visits each row of incoming arcs once, adds the shares of the sources,
 * and turns the new rank into the share that the vertex gives along each of its own arcs: one division a vertex, none an
 * arc.  Shares are double-buffered; ranks are not, since only their own vertex reads them.
 * Encoding: a share is rank / out-degree (rank / sum of weights) times 2^62, in f32 for unweighted f32 runs, else in f64;
 * 0 for a dangling vertex.  Sums are in fixed point (core/fixed.h): one limb over f32 shares, two limbs over f64 ones.
 * Same bits for any number of threads: all sums are of integers; the rest is computed per vertex.
 * [1] Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999. */
#include "algo/pagerank/blocks.h"
#include "algo/pagerank/pagerank.h"
#include "core/fixed.h"

#include <float.h>
#include <math.h>
#include <omp.h>

/* A chunk is rows that cost about so much, an arc costing 1; a segment is as many arcs of one row as are added between
 * two looks at the cancel callback. */
enum { CHUNK = 1 << 16, ROW_COST = 4, SEGMENT = 1 << 20 };

typedef enum kind { PLAIN_32, PLAIN_64, WEIGHTED_32, WEIGHTED_64 } kind;

typedef struct job {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_rows *in;
    kind kind;
    double damping, uniform;
    double *restart;    /* NULL = uniform */
    double *weight_sum; /* of the out-row; NULL = its length */
    void *rank;
    void *share[2];     /* read from 0, written to 1; swapped after an iteration.  The same array when blocked */
    wfi_blocks *blocks; /* NULL = pull */
    uint64_t *sums;     /* blocked: room for one block's sums for each thread */
    _Atomic bool stop;
} job;

typedef struct totals {
    wfi_fixed change, dangling, sum;
} totals;

static inline bool weighted(kind k) { return k == WEIGHTED_32 || k == WEIGHTED_64; }
static inline bool single(kind k) { return k == PLAIN_32 || k == WEIGHTED_32; }

static size_t share_bytes(kind k) { return k == PLAIN_32 ? 4 : 8; }

/* --- chunks of rows -------------------------------------------------------- */

static uint64_t cost_before(const job *j, weft_vid v) { return j->in->offsets[v] + (uint64_t)ROW_COST * v; }

static size_t chunk_count(const job *j) { return (size_t)(cost_before(j, j->g->n) / CHUNK) + 1; }

/* The first row that chunk c does not leave to those before it. */
static weft_vid chunk_start(const job *j, size_t c) {
    weft_vid low = 0, high = j->g->n;
    while (low < high) {
        weft_vid middle = low + (high - low) / 2;
        if (cost_before(j, middle) < (uint64_t)c * CHUNK)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- one row ---------------------------------------------------------------- */

static inline void add_plain_32(const job *j, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const float *share = j->share[0];
    const weft_vid *source = j->in->targets;
    for (weft_eid e = from; e < to; e++) sum->whole += wfi_fixed_of(share[source[e]]);
}

static inline void add_plain_64(const job *j, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const double *share = j->share[0];
    const weft_vid *source = j->in->targets;
    for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]]);
}

static inline void add_weighted(const job *j, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const double *share = j->share[0];
    const weft_vid *source = j->in->targets;
    if (j->g->weight_type == WEFT_WEIGHT_U32) {
        const uint32_t *weight = j->in->weights;
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]] * (double)weight[e]);
    } else {
        const float *weight = j->in->weights;
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]] * (double)weight[e]);
    }
}

static inline double row_sum(job *j, kind k, weft_vid v) {
    wfi_fixed sum = {0, 0};
    weft_eid end = j->in->offsets[v + 1];
    for (weft_eid e = j->in->offsets[v]; e < end;) {
        weft_eid stop = wfi_min_u64(end, e + SEGMENT);
        if (k == PLAIN_32)
            add_plain_32(j, e, stop, &sum);
        else if (k == PLAIN_64)
            add_plain_64(j, e, stop, &sum);
        else
            add_weighted(j, e, stop, &sum);
        wfi_fixed_settle(&sum);
        if (stop < end && wfi_cancelled(j->ctx)) atomic_store(&j->stop, true);
        e = stop;
    }
    return wfi_fixed_value(sum);
}

/* Gives the vertex its rank, rounded as it is stored, and its share. */
static inline void settle_vertex(const job *j, kind k, weft_vid v, double old, double rank, totals *t) {
    if (single(k)) {
        rank = (double)(float)rank;
        ((float *)j->rank)[v] = (float)rank;
    } else {
        ((double *)j->rank)[v] = rank;
    }
    const weft_eid *out = j->g->out.offsets;
    double parts = weighted(k) ? j->weight_sum[v] : (double)(out[v + 1] - out[v]), share = 0;
    if (parts > 0)
        share = rank * WFI_FIXED_ONE / parts;
    else
        wfi_fixed_add(&t->dangling, rank * WFI_FIXED_ONE);
    if (k == PLAIN_32)
        ((float *)j->share[1])[v] = (float)share;
    else
        ((double *)j->share[1])[v] = share;
    wfi_fixed_add(&t->change, fabs(rank - old) * WFI_FIXED_ONE);
    wfi_fixed_add(&t->sum, rank * WFI_FIXED_ONE);
}

/* --- one iteration ----------------------------------------------------------- */

static inline __attribute__((always_inline)) void sweep_rows(job *j, kind k, weft_vid from, weft_vid to,
                                                             double teleport, totals *t) {
    for (weft_vid v = from; v < to; v++) {
        double old = single(k) ? (double)((const float *)j->rank)[v] : ((const double *)j->rank)[v];
        double restart = j->restart ? j->restart[v] : j->uniform;
        settle_vertex(j, k, v, old, restart * teleport + j->damping * row_sum(j, k, v), t);
    }
}

static inline __attribute__((always_inline)) void start_rows(job *j, kind k, weft_vid from, weft_vid to, totals *t) {
    for (weft_vid v = from; v < to; v++) settle_vertex(j, k, v, 0, j->uniform, t);
}

/* teleport < 0: the ranks to begin with. */
static void do_rows(job *j, weft_vid from, weft_vid to, double teleport, totals *t) {
    bool start = teleport < 0;
    switch (j->kind) {
    case PLAIN_32: start ? start_rows(j, PLAIN_32, from, to, t) : sweep_rows(j, PLAIN_32, from, to, teleport, t); break;
    case PLAIN_64: start ? start_rows(j, PLAIN_64, from, to, t) : sweep_rows(j, PLAIN_64, from, to, teleport, t); break;
    case WEIGHTED_32:
        start ? start_rows(j, WEIGHTED_32, from, to, t) : sweep_rows(j, WEIGHTED_32, from, to, teleport, t);
        break;
    case WEIGHTED_64:
        start ? start_rows(j, WEIGHTED_64, from, to, t) : sweep_rows(j, WEIGHTED_64, from, to, teleport, t);
        break;
    }
}

static weft_status sweep(job *j, double teleport, totals *all) {
    size_t chunks = chunk_count(j);
    *all = (totals){{0, 0}, {0, 0}, {0, 0}};
#pragma omp parallel num_threads(wfi_threads_for(j->ctx, chunks, 1))
    {
        totals mine = {{0, 0}, {0, 0}, {0, 0}};
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t c = 0; c < chunks; c++) {
            if (atomic_load(&j->stop)) continue;
            do_rows(j, chunk_start(j, c), chunk_start(j, c + 1), teleport, &mine);
            if (wfi_cancelled(j->ctx)) atomic_store(&j->stop, true);
        }
#pragma omp critical(wfi_pagerank_totals)
        {
            wfi_fixed_join(&all->change, mine.change);
            wfi_fixed_join(&all->dangling, mine.dangling);
            wfi_fixed_join(&all->sum, mine.sum);
        }
    }
    void *written = j->share[1];
    j->share[1] = j->share[0];
    j->share[0] = written;
    return atomic_load(&j->stop) ? wfi_fail_cancelled(j->ctx) : WEFT_OK;
}

/* The same through bins; once the shares are in the bins, their array may be written. */
static weft_status sweep_blocks(job *j, double teleport, totals *all) {
    wfi_blocks *b = j->blocks;
    weft_status st = wfi_blocks_scatter(j->ctx, b, j->share[0]);
    if (st) return st;
    *all = (totals){{0, 0}, {0, 0}, {0, 0}};
#pragma omp parallel num_threads(wfi_threads(j->ctx))
    {
        totals mine = {{0, 0}, {0, 0}, {0, 0}};
        uint64_t *sum = j->sums + ((size_t)omp_get_thread_num() << b->shift);
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t block = 0; block < b->blocks; block++) {
            if (atomic_load(&j->stop)) continue;
            wfi_blocks_gather(b, block, sum);
            weft_vid first = wfi_block_first(b, block), end = wfi_block_first(b, block + 1);
            for (weft_vid v = first; v < end; v++) {
                double restart = j->restart ? j->restart[v] : j->uniform, old = (double)((const float *)j->rank)[v];
                double came = wfi_fixed_value((wfi_fixed){sum[v - first], 0});
                settle_vertex(j, PLAIN_32, v, old, restart * teleport + j->damping * came, &mine);
            }
            if (wfi_cancelled(j->ctx)) atomic_store(&j->stop, true);
        }
#pragma omp critical(wfi_pagerank_totals)
        {
            wfi_fixed_join(&all->change, mine.change);
            wfi_fixed_join(&all->dangling, mine.dangling);
            wfi_fixed_join(&all->sum, mine.sum);
        }
    }
    return atomic_load(&j->stop) ? wfi_fail_cancelled(j->ctx) : WEFT_OK;
}

static weft_status iterate(job *j, const weft_pagerank_params *p, weft_result *result) {
    totals t;
    uint64_t done = 0, most = p->iterations ? p->iterations : p->max_iterations;
    double residual = 0;
    bool settled = false;
    weft_status st = sweep(j, -1, &t);
    while (!st && done < most && !settled) {
        double dangling = p->dangling == WEFT_DANGLING_DROP ? 0 : wfi_fixed_value(t.dangling);
        wfi_progress(j->ctx, "ranking", done, most);
        st = (j->blocks ? sweep_blocks : sweep)(j, (1 - p->damping) + p->damping * dangling, &t);
        residual = wfi_fixed_value(t.change);
        settled = !p->iterations && residual <= p->tolerance;
        done++;
    }
    if (!st && !p->iterations && !settled)
        wfi_warn(j->ctx, "pagerank: after %llu iterations the ranks still change by %.3g, more than the tolerance %.3g",
                 (unsigned long long)done, residual, p->tolerance);
    if (!st) st = wfi_result_scalar_u64(j->ctx, result, "iterations", done);
    if (!st) st = wfi_result_scalar_f64(j->ctx, result, "residual", residual);
    if (!st) st = wfi_result_scalar_f64(j->ctx, result, "sum", wfi_fixed_value(t.sum));
    return st;
}

/* --- weights ------------------------------------------------------------------ */

static weft_status refuse_weight(const job *j, weft_eid at) {
    const weft_graph *g = j->g;
    weft_vid u = 0, high = g->n; /* the row of the arc: offsets[u] <= at < offsets[high] */
    while (high - u > 1) {
        weft_vid middle = u + (high - u) / 2;
        *(g->out.offsets[middle] <= at ? &u : &high) = middle;
    }
    char from[128], to[128];
    weft_graph_id_text(g, u, from, sizeof from);
    weft_graph_id_text(g, g->out.targets[at], to, sizeof to);
    return wfi_fail(j->ctx, WEFT_EINVAL, "pagerank: the edge from %s to %s has the weight %g; it must be 0 or more",
                    from, to, (double)((const float *)g->out.weights)[at]);
}

/* A row is summed by one thread in its order, in double. */
static weft_status sum_weights(job *j) {
    const weft_graph *g = j->g;
    _Atomic weft_eid bad = UINT64_MAX;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(wfi_threads_for(j->ctx, g->arcs, 1 << 16))
    for (weft_vid v = 0; v < g->n; v++) {
        double sum = 0;
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            double w = g->weight_type == WEFT_WEIGHT_U32 ? (double)((const uint32_t *)g->out.weights)[e]
                                                         : (double)((const float *)g->out.weights)[e];
            if (!(w >= 0 && w <= (double)FLT_MAX)) {
                weft_eid first = atomic_load(&bad);
                while (e < first && !atomic_compare_exchange_weak(&bad, &first, e)) continue;
            }
            sum += w;
        }
        j->weight_sum[v] = sum;
        if (v % 1024 == 0 && wfi_cancelled(j->ctx)) atomic_store(&j->stop, true);
    }
    if (atomic_load(&j->stop)) return wfi_fail_cancelled(j->ctx);
    return atomic_load(&bad) == UINT64_MAX ? WEFT_OK : refuse_weight(j, atomic_load(&bad));
}

/* ------------------------------------------------------------------------------- */

static weft_status make_blocks(job *j, wfi_blocks *b) {
    weft_status st = wfi_blocks_make(j->ctx, j->g, b);
    if (!st) st = wfi_alloc(j->ctx, &j->sums, (size_t)wfi_threads(j->ctx) << b->shift);
    j->blocks = b;
    return st;
}

weft_status wfi_pagerank_run(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p,
                             wfi_pagerank_method method, weft_result *result) {
    bool is_single = p->precision == WEFT_PRECISION_F32, blocked = method == WFI_BLOCKED;
    job j = {.ctx = ctx,
             .g = g,
             .damping = p->damping,
             .uniform = 1 / (double)g->n,
             .kind = p->weights  ? (is_single ? WEIGHTED_32 : WEIGHTED_64)
                     : is_single ? PLAIN_32
                                 : PLAIN_64};
    wfi_blocks blocks = {0};
    weft_status st = blocked || wfi_in_at_hand(g) ? WEFT_OK : wfi_graph_need_in(ctx, g);
    if (st) return st;
    j.in = blocked ? &g->out : wfi_in_at_hand(g);
    st = wfi_result_column(ctx, result, "rank", is_single ? WEFT_F32 : WEFT_F64, g->n, 1, &j.rank);
    if (!st) st = wfi_pagerank_restart(ctx, g, p, &j.restart);
    if (!st && p->weights) st = wfi_alloc(ctx, &j.weight_sum, g->n);
    if (!st && p->weights) st = sum_weights(&j);
    for (int i = 0; !st && i < 2 - blocked; i++)
        if (!(j.share[i] = wfi_take(ctx, g->n, share_bytes(j.kind)))) st = WEFT_ENOMEM;
    if (blocked) j.share[1] = j.share[0];
    if (!st && blocked) st = make_blocks(&j, &blocks);
    if (!st) st = iterate(&j, p, result);
    wfi_blocks_free(&blocks);
    wfi_free(j.sums);
    wfi_free(j.restart);
    wfi_free(j.weight_sum);
    wfi_free(j.share[0]);
    if (!blocked) wfi_free(j.share[1]);
    return st;
}
