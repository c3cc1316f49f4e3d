/* PageRank, GPU.  Needs: fewer than 2^31 vertices.  Method and bits are those of pagerank_cpu.c; this file has the
 * differences.
 * Layout: engines/sliced_ellpack/sell.cuh.  A warp takes one unit after the other; while it adds up a few steps, the
 * cells of the next are being read.  Shares are numbered by descending number of arcs that read them, and the first of
 * them are kept in shared memory, which gives a warp 32 random words in a few cycles; a cache gives about one line a
 * cycle.
 * Work: one kernel for many iterations.  First all units: warps of slices finish their rows, units of long rows add
 * their sums by integer atomics.  After a barrier of the grid the long rows are finished side by side.  Every block
 * reads the sums of an iteration after a second barrier; there are three sets, so that one can be cleared. */
#include "algo/pagerank/pagerank_sweep.cuh"
#include "core/fixed.h"
#include "cuda/grid.cuh"
#include "cuda/launch.cuh"
#include "cuda/warp.cuh"
#include "weft/pagerank.h"

#include <stdio.h>

using namespace wfi_pagerank;

enum { PLAIN_THREADS = 256, SECTOR = 32 };

/* --- iterations ----------------------------------------------------------------------- */

/* Scales all ranks and shares, after parts were swept in turn. */
template <class K> __device__ void scale_all(const job<K> &j, double scale) {
    typedef typename K::rank R;
    typedef typename K::share S;
    groups::grid_group grid = groups::this_grid();
    for (uint64_t v = grid.thread_rank(); v < j.n; v += grid.size()) {
        j.rank[v] = (R)((double)j.rank[v] * scale);
        j.share[0][v] = (S)((double)__ldcg(&j.share[0][v]) * scale);
    }
    grid.sync();
}

/* Iterations first + 1 ... first + count, or until convergence. */
template <class K>
__global__ void __launch_bounds__(THREADS, 1) iterate_kernel(job<K> j, uint64_t first, uint64_t count) {
    extern __shared__ __align__(16) char shared_memory[];
    __shared__ unsigned ticket;
    typename K::share *hub = (typename K::share *)shared_memory;
    groups::grid_group grid = groups::this_grid();
    control *c = j.c;
    double teleport = c->teleport;
    const bool in_turn = j.r.in_turn;
    for (uint64_t i = first; i < first + count; i++) {
        sums *mine = &c->set[i % SETS];
        totals<K> t;
        sweeping<K> w = {hub, j.share[in_turn ? 0 : i & 1], j.share[in_turn ? 1 : (i + 1) & 1], teleport, 0};
        if (in_turn) {
            sweep_in_turn(j, w, hub, &ticket, &t);
        } else {
            sweep_blocks(j, w, {0, j.parts}, hub, &ticket, &t);
            finish_long_rows(j, w, 0, j.slot[j.parts], &t);
        }
        add_to_all(t, mine);
        const sums all = wfi_sync_and_broadcast(mine);
        double residual = K::total::from(all.change).value(), dangling = K::total::from(all.dangling).value();
        double sum = K::total::from(all.sum).value();
        if (in_turn) {
            double scale = scale_of(j.r, sum, dangling);
            dangling *= scale;
            scale_all(j, scale);
        }
        teleport = teleport_of(j.r, dangling);
        bool converged = j.r.by_tolerance && residual <= j.r.tolerance;
        if (grid.thread_rank() == 0) {
            clear(&c->set[(i + 2) % SETS]);
            c->teleport = teleport;
            c->residual = residual;
            c->iterations = i + 1;
            c->converged = converged;
        }
        if (converged) break;
    }
}

/* --- before and after ------------------------------------------------------------------- */

template <class K> __global__ void begin_kernel(job<K> j, wfi_pagerank_beginning b) {
    totals<K> t;
    for (uint64_t row = wfi_thread(); row < j.n; row += wfi_all_threads()) {
        uint32_t degree = j.degree[row];
        bool paired = b.paired > 0 && degree == 1 && row >= j.at[row / j.part].paired;
        typename K::rank rank = (typename K::rank)(paired ? b.paired : b.flat + b.slope * (double)degree);
        typename K::share share = 0;
        pass_on(j, (uint32_t)row, degree, (double)rank, &share, &t);
        j.rank[row] = rank;
        j.share[0][j.own[row]] = j.share[1][j.own[row]] = share;
    }
    add_to_all(t, &j.c->set[SETS - 1]);
}

template <class K> __global__ void first_teleport(control *c, rules r) {
    c->teleport = teleport_of(r, K::total::from(c->set[SETS - 1].dangling).value());
    clear(&c->set[SETS - 1]);
}

template <class T> __global__ void by_row(const T *from, const weft_vid *vertex, weft_vid n, T *to) {
    for (uint64_t row = wfi_thread(); row < n; row += wfi_all_threads()) to[row] = from[vertex[row]];
}

/* Rows without arcs have one rank, which the sweeps kept in the first of them; copies it to the others. */
template <class K> __global__ void rank_isolated_rows(job<K> j) {
    for (uint32_t p = 0; p < j.parts; p++)
        for (uint64_t row = j.at[p].alone + 1 + wfi_thread(); row < j.at[p].end; row += wfi_all_threads())
            j.rank[row] = j.rank[j.at[p].alone];
}

template <class R> __global__ void give_ranks(const R *rank, const weft_vid *vertex, weft_vid n, R *to, control *c) {
    totals<plain<double>> t;
    for (uint64_t row = wfi_thread(); row < n; row += wfi_all_threads()) {
        to[vertex[row]] = rank[row];
        t.sum.add_part((double)rank[row]);
    }
    add_to_all(t, &c->last);
}

/* By row: the share of a vertex along an arc of weight 1, 2^62 / the sum of its outgoing weights.  *bad: the first arc
 * with an invalid weight. */
__global__ static void add_weights(wfi_view out, weft_weight_type type, const weft_vid *vertex, weft_vid n,
                                   double *give, unsigned long long *bad) {
    uint64_t warp = wfi_thread() / WARP;
    for (uint64_t row = warp; row < n; row += wfi_all_threads() / WARP) {
        double sum = wfi_warp_row_sum(out, type, vertex[row], bad);
        if (threadIdx.x % WARP == 0) give[row] = sum > 0 ? WFI_DEVICE_ONE / sum : 0;
    }
}

/* --- the run -------------------------------------------------------------------------------- */

namespace {

template <class K> struct run {
    static constexpr bool MAY_BE_SMALL = !K::WEIGHTED;
    weft_ctx *ctx;
    const weft_pagerank_params *p;
    const wfi_sell *r;
    wfi_view out; /* if there are weights */
    job<K> j;
    small_cut small;
    weft_eid arcs;
    unsigned blocks;
    size_t shared;
    double *restart, *by_vertex, *give;
    typename K::rank *given;
    unsigned long long *bad;
    small_arrays<typename K::share> smalls;
};

} // namespace

template <class K>
static void lay_out(wfi_workspace *space, wfi_workspace *device, const weft_graph *g, const weft_pagerank_params *p,
                    run<K> *u) {
    uint64_t n = g->n, words = sizeof(typename K::pulled) / sizeof *u->j.pulled;
    wfi_array(device, &u->j.rank, n);
    wfi_array(device, &u->j.c, 1);
    if (p->restart) wfi_array(device, &u->restart, n);
    if (K::WEIGHTED) wfi_array(device, &u->give, n);
    if (K::WEIGHTED) wfi_array(device, &u->bad, 1);
    if (n)
        wfi_array_within(device, &u->j.pulled,
                         words * wfi_sell_within(g->n, g->arcs, wfi_pagerank_part(g->n, false), 0).long_rows);
    uint64_t sweeps = wfi_mark(device);
    for (auto &share : u->j.share) wfi_array(device, &share, n);
    if constexpr (run<K>::MAY_BE_SMALL) lay_out_small(space, device, g, &u->smalls);
    wfi_rewind(device, sweeps);
    if (p->restart) wfi_array(device, &u->by_vertex, n); /* before the first sweep */
    wfi_rewind(device, sweeps);
    wfi_array(device, &u->given,
              n); /* after the last sweep; elements are as wide as ranks, at most twice as wide as shares */
}

/* As many blocks as have work for all their warps, at most one for each SM.  The rest of the shared memory stays with
 * the cache, since each share being read from L2 takes a line of it. */
template <class K> static weft_status fit_to_device(run<K> *u) {
    weft_ctx *ctx = u->ctx;
    int sms = wfi_gpu_of(ctx)->sms;
    size_t most = 0;
    weft_status st = wfi_allow_shared_memory(ctx, (const void *)iterate_kernel<K>, &most);
    if (st) return st;
    size_t hubs = most / 8 * 5 / sizeof(typename K::share);
    u->blocks = wfi_grid(u->arcs + u->j.n, 4 * THREADS, (unsigned)sms);
    u->j.hubs = (uint32_t)wfi_min_u64(hubs, u->j.n - u->r->sinks);
    /* Filling reads an L2 sector for each few shares in each block, and a hit saves one. */
    if (u->r->busy_arcs < (uint64_t)u->blocks * WFI_BLOCK * sizeof(typename K::share) / SECTOR) u->j.hubs = 0;
    u->shared = u->j.hubs * sizeof(typename K::share);
    return WEFT_OK;
}

/* Fills the layout of the job, and the arrays that the first shares need. */
template <class K> static weft_status fill_arrays(run<K> *u, const double *restart) {
    weft_ctx *ctx = u->ctx;
    weft_vid n = u->j.n;
    job<K> *j = &u->j;
    weft_status st = wfi_zero(ctx, j->c, 1);
    if (!st && restart) {
        st = wfi_upload(ctx, u->by_vertex, restart, n * sizeof *restart);
        if (!st)
            by_row<double><<<wfi_grid(n, PLAIN_THREADS, 1024), PLAIN_THREADS, 0, wfi_cuda_stream(ctx)>>>(
                u->by_vertex, u->r->vertex.data, n, u->restart);
    }
    j->step = u->r->step.data;
    j->unit_row = u->r->row.data;
    j->degree = u->r->degree.data;
    j->cells = u->r->cells.data;
    j->weights = (const typename K::weight *)u->r->weights.data;
    j->own = u->r->source.data;
    memcpy(j->at, u->r->at, sizeof j->at);
    memcpy(j->unit, u->r->unit, sizeof j->unit);
    j->parts = u->r->parts;
    j->blocks = u->r->blocks;
    j->part = u->r->part;
    for (uint32_t p = 0; p < j->parts; p++) {
        j->slot[p + 1] = j->slot[p] + j->at[p].sliced - j->at[p].row;
        if (restart) j->at[p].alone = j->at[p].end; /* with a restart vector their ranks may differ */
        j->hollow[p + 1] = j->hollow[p] + j->at[p].alone - j->at[p].empty;
    }
    j->restart = u->restart;
    j->give = u->give;
    size_t words = sizeof(typename K::pulled) / sizeof *j->pulled;
    if (!st && j->slot[j->parts]) st = wfi_zero(ctx, j->pulled, words * j->slot[j->parts]);
    return st;
}

/* Fills `give` if there are weights. */
template <class K> static weft_status invert_weights(run<K> *u, const weft_graph *g) {
    weft_ctx *ctx = u->ctx;
    unsigned long long first = 0;
    wfi_kernel_scope stage(ctx, "weights");
    u->j.real_weights = g->weight_type == WEFT_WEIGHT_F32;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(u->bad, 0xff, sizeof *u->bad, wfi_cuda_stream(ctx)));
    add_weights<<<wfi_grid((uint64_t)g->n * WARP, PLAIN_THREADS, 1 << 16), PLAIN_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        u->out, g->weight_type, u->r->vertex.data, g->n, u->give, u->bad);
    weft_status st = wfi_download(ctx, &first, u->bad, sizeof first);
    return st || first == ~0ull ? st : wfi_refuse_share(ctx, "pagerank", g, first);
}

template <class K> static weft_status iterate_grid(run<K> *u, uint64_t first, uint64_t count) {
    weft_ctx *ctx = u->ctx;
    void *args[] = {&u->j, &first, &count};
    WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel((void *)iterate_kernel<K>, dim3(u->blocks), dim3(THREADS), args,
                                                   u->shared, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* Batches of iterations: long enough that polling costs nothing, short enough that a request to stop is noticed
 * soon. */
template <class K> static weft_status iterate(run<K> *u, control *seen) {
    weft_ctx *ctx = u->ctx;
    wfi_kernel_scope stage(ctx, "iterations");
    uint64_t most = u->p->iterations ? u->p->iterations : u->p->max_iterations, done = 0;
    uint64_t batch = u->small.blocks ? 256 : u->arcs < 1 << 20 ? 128 : 8;
    memset(seen, 0, sizeof *seen);
    while (done < most && !seen->converged) {
        double begin = wfi_now_ms();
        uint64_t count = wfi_min_u64(batch, most - done);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "ranking", done, most);
        weft_status st = WEFT_OK;
        if (!u->small.blocks) st = iterate_grid(u, done, count);
        if constexpr (run<K>::MAY_BE_SMALL)
            if (u->small.blocks) st = iterate_small(ctx, u->j, u->small, done, count);
        if (!st) st = wfi_download(ctx, seen, u->j.c, sizeof *seen);
        if (st) return st;
        done += count;
        if (wfi_now_ms() - begin < 10 && batch < (uint64_t)1 << 20) batch *= 4;
    }
    return WEFT_OK;
}

template <class K> static weft_status rank_all(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_pagerank_params *p = (const weft_pagerank_params *)job->params;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = g->n, part = wfi_pagerank_part(n, false);
    unsigned blocks = wfi_grid(n, PLAIN_THREADS, 4096);
    run<K> u = {};
    u.ctx = ctx;
    u.p = p;
    u.arcs = g->arcs;
    u.j.n = n;
    u.j.r = {p->damping,
             1 / (double)n,
             p->tolerance,
             !p->iterations,
             p->dangling == WEFT_DANGLING_DROP,
             !p->iterations && part < n};
    typename K::rank *rank;
    double *restart;
    control seen = {};
    wfi_pagerank_columns(job->space, n, p, &rank, &restart);
    weft_status st = job->space->status;
    if (!st && restart) st = wfi_pagerank_fill_restart(ctx, g, p, restart);
    if (!st && !n) return wfi_pagerank_scalars(ctx, p, p->iterations ? p->iterations : 1, 0, 0, job->result);
    if (!st) st = wfi_sell_of(ctx, g, part, K::WEIGHTED, &u.r);
    if (!st && K::WEIGHTED) st = wfi_mirror_out(ctx, g, &u.out);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->space, job->device, g, p, &u);
    st = job->space->status ? job->space->status : job->device->status;
    if (!st) st = fill_arrays(&u, restart);
    if (!st) st = fit_to_device(&u);
    if (!st && K::WEIGHTED) st = invert_weights(&u, g);
    if constexpr (run<K>::MAY_BE_SMALL)
        if (!st) st = cut_small(ctx, u.r, u.smalls, &u.small);
    if (st) return st;
    begin_kernel<K><<<blocks, PLAIN_THREADS, 0, stream>>>(u.j, wfi_pagerank_begin(g, p, u.r->sinks, u.r->paired));
    first_teleport<K><<<1, 1, 0, stream>>>(u.j.c, u.j.r);
    st = iterate(&u, &seen);
    if (st) return st;
    rank_isolated_rows<K><<<blocks, PLAIN_THREADS, 0, stream>>>(u.j);
    give_ranks<<<blocks, PLAIN_THREADS, 0, stream>>>(u.j.rank, u.r->vertex.data, n, u.given, u.j.c);
    st = wfi_deliver(ctx, rank, u.given, n * sizeof *rank);
    if (!st) st = wfi_download(ctx, &seen, u.j.c, sizeof seen);
    if (st) return st;
    wfi_fixed sum = {seen.last.sum[0], seen.last.sum[1]};
    wfi_fixed_carry(&sum);
    return wfi_pagerank_scalars(ctx, p, seen.iterations, seen.residual, wfi_fixed_value(sum), job->result);
}

/* Calls f with the kind that the parameters ask for. */
template <class F> static auto with_kind(const weft_graph *g, const weft_pagerank_params *p, F f) {
    bool f64 = p->precision == WEFT_PRECISION_F64;
    if (!p->weights) return f64 ? f(plain<double>()) : f(plain<float>());
    if (g->weight_type == WEFT_WEIGHT_F64) return f64 ? f(weighted<double, double>()) : f(weighted<float, double>());
    return f64 ? f(weighted<double, uint32_t>()) : f(weighted<float, uint32_t>());
}

extern "C" weft_status wfi_pagerank_cuda(wfi_job *job) {
    return with_kind(job->g, (const weft_pagerank_params *)job->params,
                     [&](auto kind) { return rank_all<decltype(kind)>(job); });
}

extern "C" void wfi_pagerank_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                       wfi_choice *choice) {
    const weft_pagerank_params *p = (const weft_pagerank_params *)params;
    void *rank;
    double *restart;
    (void)ctx;
    choice->method = WFI_PULL_BY_DEGREE;
    snprintf(choice->reason, sizeof choice->reason,
             "rows by length, the shares of the busiest vertices in shared memory");
    wfi_pagerank_columns(&choice->space, g->n, p, &rank, &restart);
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS);
    wfi_sell_declare(&choice->device, g, wfi_pagerank_part(g->n, false), p->weights);
    with_kind(g, p, [&](auto kind) {
        run<decltype(kind)> u = {};
        lay_out(&choice->space, &choice->device, g, p, &u);
    });
}
