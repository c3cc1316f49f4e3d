/* PageRank, GPU, of a graph whose arcs do not fit the GPU's memory.  Needs: no weights, f32 or f64; rows of incoming
 * arcs on the host.  Method and bits are those of pagerank_cpu.c; this file has the differences.
 * Work: the rows are streamed in their order (cuda/stream.cuh); a warp adds up the shares of its arcs row by row, in
 * fixed point, and adds each row's result to the row's sum by an integer atomic, so that a row may lie in several
 * chunks.  When all rows of a part have arrived, its ranks are finished.  By then nobody reads the part's old shares,
 * so with sweeping in turn (Gauss-Seidel) the new shares replace them at once; Jacobi's go to a separate array.
 * Encoding: all arrays are by vertex.  `sum` has space for the vertices of one part, and is left cleared. */
#include "algo/pagerank/pagerank.h"
#include "algo/pagerank/pagerank_sums.cuh"
#include "core/fixed.h"
#include "cuda/stream.cuh"
#include "engines/fixed_sums/fixed_sums.cuh"
#include "graph/rows.h"
#include "weft/pagerank.h"

#include <math.h>
#include <stdio.h>

using namespace wfi_pagerank;

enum { THREADS = 256, MOST_BLOCKS = 1 << 12 };

/* In `degree` until the ranks begin: a vertex of degree 1 that is in a pair. */
#define PAIRED UINT32_MAX

namespace {

struct control {
    sums now, last; /* of the current iteration; of the ranks that are returned */
    double teleport, residual, scale;
};

template <class S> struct arrays {
    S *rank, *share, *to; /* to: destination of new shares */
    uint32_t *degree;
    const double *restart; /* NULL: uniform */
    unsigned long long *sum;
    control *c;
    rules r;
    weft_vid n;
};

} // namespace

/* --- kernels ------------------------------------------------------------------------- */

__device__ static double inverse(uint32_t degree) { return degree ? WFI_DEVICE_ONE / (double)degree : 0; }

template <class S> __global__ void begin_ranks(arrays<S> a, wfi_pagerank_beginning b) {
    totals<plain<S>> t;
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < a.n; v += (uint64_t)gridDim.x * THREADS) {
        uint32_t degree = a.degree[v];
        S rank = (S)(degree == PAIRED ? b.paired : b.flat + b.slope * (double)degree);
        if (degree == PAIRED) a.degree[v] = degree = 1;
        a.rank[v] = rank;
        a.share[v] = (S)((double)rank * inverse(degree));
        if (!degree) t.dangling.add_part((double)rank);
    }
    add_to_all(t, &a.c->now);
}

/* New ranks and shares of the vertices first ... end - 1. */
template <class S> __global__ void finish_part(arrays<S> a, weft_vid first, weft_vid end) {
    enum { LIMBS = wfi_pull_visitor<S>::LIMBS };
    totals<plain<S>> t;
    double teleport = a.c->teleport, everywhere = a.r.uniform * teleport;
    for (uint64_t v = first + blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < end;
         v += (uint64_t)gridDim.x * THREADS) {
        unsigned long long *place = a.sum + (v - first) * LIMBS;
        double pulled = wfi_sum<S>::from(place).value(), old = (double)a.rank[v];
        for (int i = 0; i < LIMBS; i++) place[i] = 0;
        uint32_t degree = a.degree[v];
        S stored = (S)((a.restart ? a.restart[v] * teleport : everywhere) + a.r.damping * pulled);
        double rank = (double)stored;
        a.rank[v] = stored;
        a.to[v] = (S)(rank * inverse(degree));
        if (!degree) t.dangling.add_part(rank);
        t.change.add_part(fabs(rank - old));
        t.sum.add_part(rank);
    }
    add_to_all(t, &a.c->now);
}

/* Evaluates the sums after an iteration (swept = false: before the first).  One thread. */
template <class S> __global__ void end_iteration(control *c, rules r, bool swept) {
    double dangling = wfi_sum<S>::from(c->now.dangling).value(), sum = wfi_sum<S>::from(c->now.sum).value(), scale = 1;
    c->residual = wfi_sum<S>::from(c->now.change).value();
    if (swept && r.in_turn) {
        scale = scale_of(r, sum, dangling);
        dangling *= scale;
    }
    c->scale = scale;
    c->teleport = teleport_of(r, dangling);
    clear(&c->now);
}

template <class S> __global__ void scale_all(arrays<S> a) {
    double scale = a.c->scale;
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < a.n; v += (uint64_t)gridDim.x * THREADS) {
        a.rank[v] = (S)((double)a.rank[v] * scale);
        a.share[v] = (S)((double)a.share[v] * scale);
    }
}

template <class S> __global__ void sum_ranks(arrays<S> a) {
    totals<plain<double>> t;
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < a.n; v += (uint64_t)gridDim.x * THREADS)
        t.sum.add_part((double)a.rank[v]);
    add_to_all(t, &a.c->last);
}

/* --- memory ----------------------------------------------------------------------------- */

namespace {

template <class S> struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_pagerank_params *p;
    const wfi_view *in;
    arrays<S> a;
    weft_eid *offsets;
    S *next; /* Jacobi only */
    uint32_t *degree, *degree_there;
    double *restart;
    wfi_stream stream;
    weft_vid part, sinks, paired;
};

} // namespace

static bool jacobi(const weft_graph *g, const weft_pagerank_params *p) {
    return p->iterations || wfi_pagerank_part(g->n, false) == g->n;
}

template <class S>
static void lay_out(wfi_workspace *space, wfi_workspace *device, const weft_graph *g, const weft_pagerank_params *p,
                    run<S> *u) {
    weft_vid n = g->n;
    u->part = wfi_pagerank_part(n, false);
    wfi_array(device, &u->offsets, (uint64_t)n + 1);
    wfi_array(device, &u->a.rank, n);
    wfi_array(device, &u->a.share, n);
    if (jacobi(g, p)) wfi_array(device, &u->next, n);
    wfi_array(device, &u->degree_there, n);
    if (p->restart) wfi_array(device, &u->restart, n);
    wfi_array(device, &u->a.sum, (uint64_t)u->part * wfi_pull_visitor<S>::LIMBS);
    wfi_array(device, &u->a.c, 1);
    wfi_array(space, &u->degree, n);
}

template <class S>
static void plan_as(const weft_graph *g, const weft_pagerank_params *p, uint64_t memory, wfi_choice *choice) {
    run<S> u = {};
    lay_out(&choice->space, &choice->device, g, p, &u);
    choice->stream = wfi_stream_fit(g->arcs, choice->device.at + WFI_STREAM_PADDING, memory, true);
    u.stream.lay_out(&choice->device, g->arcs, choice->stream);
}

extern "C" bool wfi_pagerank_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t memory,
                                         wfi_choice *choice) {
    const weft_pagerank_params *p = (const weft_pagerank_params *)params;
    void *rank;
    double *restart;
    if (p->weights) return false;
    wfi_need_in(&choice->space, ctx, g);
    wfi_pagerank_columns(&choice->space, g->n, p, &rank, &restart);
    (p->precision == WEFT_PRECISION_F32 ? plan_as<float> : plan_as<double>)(g, p, memory, choice);
    const wfi_stream_size *fit = &choice->stream;
    choice->method = WFI_PULL_STREAMED;
    snprintf(choice->reason, sizeof choice->reason,
             "too large for the GPU's memory: %.0f %% of the arcs stay there, the others are sent in each iteration",
             fit->pieces ? 100 * (double)fit->homes / (double)fit->pieces : 0);
    return true;
}

/* --- the run ------------------------------------------------------------------------------ */

template <class S> static weft_status upload_degrees(run<S> *u) {
    weft_ctx *ctx = u->ctx;
    const wfi_view *rows = &u->g->out;
    uint64_t none = 0, paired = 0;
    bool grow = wfi_pagerank_by_degree(u->g, u->p);
#pragma omp parallel for schedule(static) reduction(+ : none, paired)                                                  \
    num_threads(wfi_threads_for(ctx, u->g->n, 1 << 14))
    for (weft_vid v = 0; v < u->g->n; v++) {
        bool in_pair = grow && wfi_is_isolated_edge(rows->offsets, rows->targets, v);
        u->degree[v] = in_pair ? PAIRED : (uint32_t)(rows->offsets[v + 1] - rows->offsets[v]);
        none += u->degree[v] == 0;
        paired += in_pair;
    }
    u->sinks = (weft_vid)none;
    u->paired = (weft_vid)paired;
    return wfi_upload(ctx, u->degree_there, u->degree, u->g->n * sizeof *u->degree);
}

template <class S> static weft_status fill_arrays(run<S> *u, const double *restart) {
    weft_ctx *ctx = u->ctx;
    weft_vid n = u->g->n;
    u->a.to = jacobi(u->g, u->p) ? u->next : u->a.share;
    u->a.degree = u->degree_there;
    u->a.restart = u->restart;
    weft_status st = wfi_zero(ctx, u->a.sum, (size_t)u->part * wfi_pull_visitor<S>::LIMBS);
    if (!st) st = wfi_zero(ctx, u->a.c, 1);
    if (!st && restart) st = wfi_upload(ctx, u->restart, restart, n * sizeof *restart);
    if (!st) st = wfi_upload(ctx, u->offsets, u->in->offsets, ((size_t)n + 1) * sizeof(weft_eid));
    return st ? st : upload_degrees(u);
}

/* One iteration: parts in turn, each chunk up to the end of the part. */
template <class S> static weft_status sweep(run<S> *u, bool again) {
    wfi_stream *s = &u->stream;
    cudaStream_t stream = wfi_cuda_stream(u->ctx);
    const weft_eid *offsets = u->in->offsets;
    weft_vid n = u->g->n;
    weft_status st = WEFT_OK;
    wfi_arc_window piece = {};
    weft_eid at = 0;
    s->begin(again);
    for (weft_vid first = 0, end; first < n; first = end) {
        end = n - first < u->part ? n : first + u->part;
        wfi_pull_visitor<S> visit = {u->a.share, u->a.sum, first, {}};
        while (at < offsets[end]) {
            if (at == piece.end && !s->next(&piece, &st)) return st;
            weft_eid stop = wfi_min_u64(piece.end, offsets[end]);
            wfi_walk<weft_eid><<<wfi_walk_blocks(stop - at), WFI_WALK_THREADS, 0, stream>>>(
                u->offsets, (const weft_vid *)NULL, (uint64_t)n, piece.targets, piece.begin, at, stop, visit);
            at = stop;
            if (at == piece.end) st = s->done();
            if (st) return st;
        }
        finish_part<S><<<wfi_grid(end - first, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(u->a, first, end);
    }
    return WEFT_OK;
}

/* Without a tolerance the host does not wait for the end of an iteration: the link would be idle meanwhile. */
template <class S> static weft_status iterate(run<S> *u, control *seen, uint64_t *iterations) {
    weft_ctx *ctx = u->ctx;
    wfi_kernel_scope stage(ctx, "iterations");
    cudaStream_t stream = wfi_cuda_stream(ctx);
    uint64_t most = u->p->iterations ? u->p->iterations : u->p->max_iterations, done = 0;
    unsigned blocks = wfi_grid(u->g->n, THREADS, MOST_BLOCKS);
    bool converged = false;
    while (done < most && !converged) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "ranking", done, most);
        weft_status st = sweep(u, done + 1 < most);
        if (st) return st;
        end_iteration<S><<<1, 1, 0, stream>>>(u->a.c, u->a.r, true);
        if (u->a.r.in_turn) scale_all<S><<<blocks, THREADS, 0, stream>>>(u->a);
        if (u->a.r.by_tolerance) st = wfi_download(ctx, seen, u->a.c, sizeof *seen);
        if (st) return st;
        if (u->a.to != u->a.share) {
            S *swap = u->a.to;
            u->a.to = u->a.share;
            u->a.share = swap;
        }
        converged = u->a.r.by_tolerance && seen->residual <= u->a.r.tolerance;
        done++;
    }
    *iterations = done;
    stage.bytes = u->stream.bytes;
    return WEFT_OK;
}

template <class S> static weft_status rank_all(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_pagerank_params *p = (const weft_pagerank_params *)job->params;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = g->n;
    run<S> u = {};
    control seen = {};
    uint64_t iterations = 0;
    S *rank;
    double *restart;
    u.ctx = ctx;
    u.g = g;
    u.p = p;
    u.in = wfi_in_at_hand(g);
    u.a.n = n;
    u.a.r = {p->damping, 1 / (double)n, p->tolerance, !p->iterations, p->dangling == WEFT_DANGLING_DROP, !jacobi(g, p)};
    wfi_pagerank_columns(job->space, n, p, &rank, &restart);
    weft_status st = job->space->status;
    if (!st && restart) st = wfi_pagerank_fill_restart(ctx, g, p, restart);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->space, job->device, g, p, &u);
    u.stream.lay_out(job->device, g->arcs, job->choice->stream);
    st = job->space->status ? job->space->status : job->device->status;
    if (!st) st = fill_arrays(&u, restart);
    if (!st) st = u.stream.open(ctx, u.in->targets, g->arcs, job->choice->stream);
    if (st) return st;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    begin_ranks<S><<<blocks, THREADS, 0, stream>>>(u.a, wfi_pagerank_begin(g, p, u.sinks, u.paired));
    end_iteration<S><<<1, 1, 0, stream>>>(u.a.c, u.a.r, false);
    u.stream.with_threads(u.stream.copiers(), [&] { st = iterate(&u, &seen, &iterations); });
    if (st) return st;
    sum_ranks<S><<<blocks, THREADS, 0, stream>>>(u.a);
    st = wfi_deliver(ctx, rank, u.a.rank, n * sizeof *rank);
    if (!st) st = wfi_download(ctx, &seen, u.a.c, sizeof seen);
    if (st) return st;
    wfi_fixed sum = {seen.last.sum[0], seen.last.sum[1]};
    wfi_fixed_carry(&sum);
    return wfi_pagerank_scalars(ctx, p, iterations, seen.residual, wfi_fixed_value(sum), job->result);
}

extern "C" weft_status wfi_pagerank_stream(wfi_job *job) {
    const weft_pagerank_params *p = (const weft_pagerank_params *)job->params;
    return p->precision == WEFT_PRECISION_F32 ? rank_all<float>(job) : rank_all<double>(job);
}
