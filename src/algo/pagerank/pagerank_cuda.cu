/* PageRank, GPU.  Needs: no weights.  The method and the bits are those of pagerank_cpu.c; here is only what differs.
 * Layout: cuda/mirror.cuh, wfi_ranked.  A lane follows a short row of a slice, a warp takes a piece of a long one.  Shares
 * are numbered by how many arcs ask for them, and the first of them are kept in shared memory, from which a warp gets 32
 * random words in a few cycles, where a cache serves about one line a cycle.
 * Work: one kernel for many iterations, with a barrier of the whole grid after each.  Pieces of a row are added with integer
 * atomics; whoever brings the last one settles the row.  The sums of an iteration are read by every block after the barrier;
 * three sets take turns, so that one can be cleared. */
#include "algo/pagerank/pagerank.h"
#include "core/fixed.h"
#include "cuda/fixed.cuh"
#include "cuda/mirror.cuh"

#include <cooperative_groups.h>
#include <math.h>
#include <stdio.h>

namespace groups = cooperative_groups;

enum {
    THREADS = 1024,
    WARP = 32,
    WARPS = THREADS / WARP,
    PIECE = 1024, /* arcs of a long row that a warp takes */
    AHEAD = 8,    /* shares that a lane asks for at once */
    SETS = 3,     /* of sums */
    PLAIN_THREADS = 256
};

struct sums {
    unsigned long long change[2], dangling[2], sum[2];
};

/* What the kernel leaves behind. */
struct control {
    sums set[SETS], last; /* last: of the ranks as they are given out */
    double teleport, residual;
    unsigned long long iterations;
    int settled;
};

struct rules {
    double damping, uniform, tolerance;
    bool by_tolerance, drop, in_turn; /* in_turn: parts one after the other, and all scaled after an iteration */
};

template <class S> struct job {
    const weft_eid *base;
    const weft_vid *cells;
    const uint32_t *length;
    const weft_vid *own; /* the row's number as a source */
    wfi_ranked_part at[WFI_MOST_PARTS];
    uint32_t pieces[WFI_MOST_PARTS + 1]; /* those of part p's long rows are piece[pieces[p]] ... */
    uint32_t slot[WFI_MOST_PARTS];       /* of a part's first long row in long_sum */
    const uint2 *piece;                  /* row, which piece of it */
    unsigned long long *long_sum;        /* for each long row two limbs and how many pieces have come */
    const double *give, *restart;
    S *rank, *share[2]; /* in turn; in parts: in effect, and to come */
    control *c;
    rules r;
    weft_vid n;
    uint32_t parts, hubs;
};

template <class S> struct totals { wfi_sum<S> change, dangling, sum; };

/* One sweep: from where to where. */
template <class S> struct sweeping {
    const S *hub, *from;
    S *to;
    double teleport;
};

/* --- one row ------------------------------------------------------------------------ */

template <class S> __device__ S share_of(const sweeping<S> &w, uint32_t hubs, weft_vid u) {
    return u < hubs ? w.hub[u] : w.from[u];
}

template <class S>
__device__ void settle(const job<S> &j, const sweeping<S> &w, uint32_t row, const wfi_sum<S> &came, totals<S> *t) {
    double jumped = (j.restart ? j.restart[row] : j.r.uniform) * w.teleport;
    double rank = jumped + j.r.damping * came.value(), old = (double)j.rank[row], give = j.give[row];
    S stored = (S)rank;
    rank = (double)stored;
    j.rank[row] = stored;
    if (give > 0)
        w.to[j.own[row]] = (S)(rank * give);
    else
        t->dangling.add_part(rank);
    t->change.add_part(fabs(rank - old));
    t->sum.add_part(rank);
}

/* count cells, `step` apart.  AHEAD of them are under way at once: a lane waits for memory count / AHEAD times. */
template <class S>
__device__ wfi_sum<S> add_cells(const job<S> &j, const sweeping<S> &w, const weft_vid *cell, unsigned step,
                                uint32_t count) {
    wfi_sum<S> sum;
    for (uint32_t k = 0; k < count; k += AHEAD, cell += AHEAD * step) {
        weft_vid at[AHEAD];
        S got[AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) at[i] = k + i < count ? __ldcs(cell + i * step) : ~0u;
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) got[i] = at[i] != ~0u ? share_of(w, j.hubs, at[i]) : (S)0;
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) sum.add(got[i]);
    }
    return sum;
}

template <class S>
__device__ void sweep_piece(const job<S> &j, const sweeping<S> &w, uint32_t p, uint2 piece, unsigned lane,
                            totals<S> *t) {
    uint32_t row = piece.x, length = j.length[row], begin = piece.y * PIECE;
    uint32_t count = length - begin < PIECE ? length - begin : PIECE, unit = j.at[p].unit + row - j.at[p].row;
    wfi_sum<S> sum = add_cells(j, w, j.cells + j.base[unit] + begin + lane, WARP, (count + WARP - 1 - lane) / WARP);
    for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
    if (lane) return;
    if (length <= PIECE) {
        settle(j, w, row, sum, t);
        return;
    }
    unsigned long long *place = j.long_sum + 3 * (size_t)(j.slot[p] + row - j.at[p].row);
    sum.add_to(place);
    __threadfence();
    if (atomicAdd(place + 2, 1ull) + 1 < (length + PIECE - 1) / PIECE) return;
    __threadfence();
    unsigned long long whole[2] = {atomicExch(place, 0ull), atomicExch(place + 1, 0ull)};
    atomicExch(place + 2, 0ull);
    settle(j, w, row, wfi_sum<S>::from(whole), t);
}

template <class S> __device__ void sweep_part(const job<S> &j, const sweeping<S> &w, uint32_t p, totals<S> *t) {
    const wfi_ranked_part &at = j.at[p];
    unsigned lane = threadIdx.x % WARP;
    uint32_t warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * WARPS;
    for (uint32_t i = j.pieces[p] + warp; i < j.pieces[p + 1]; i += warps) sweep_piece(j, w, p, j.piece[i], lane, t);
    uint32_t first = at.unit + at.sliced - at.row, slices = (at.end - at.sliced + WFI_SLICE - 1) / WFI_SLICE;
    for (uint32_t i = warp; i < slices; i += warps) {
        uint32_t row = at.sliced + i * WFI_SLICE + lane;
        if (row >= at.end) continue;
        settle(j, w, row, add_cells(j, w, j.cells + j.base[first + i] + lane, WFI_SLICE, j.length[row]), t);
    }
}

/* --- iterations ----------------------------------------------------------------------- */

template <class S> __device__ void add_up(wfi_sum<S> sum, unsigned long long *place) {
    for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
    if (threadIdx.x % WARP == 0) sum.add_to(place);
}

/* Adds up over the block, then to `all`: atomics of every warp of the grid to one word would queue up for microseconds. */
template <class S> __device__ void hand_in(const totals<S> &t, sums *all) {
    __shared__ sums block;
    enum { WORDS = sizeof block / sizeof block.sum[0] };
    unsigned long long *word = block.change;
    __syncthreads();
    if (threadIdx.x < WORDS) word[threadIdx.x] = 0;
    __syncthreads();
    add_up(t.change, block.change);
    add_up(t.dangling, block.dangling);
    add_up(t.sum, block.sum);
    __syncthreads();
    if (threadIdx.x < WORDS && word[threadIdx.x]) atomicAdd(&all->change[0] + threadIdx.x, word[threadIdx.x]);
}

template <class S> __device__ void load_hubs(const S *share, uint32_t hubs, S *hub) {
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < hubs; i += THREADS) hub[i] = __ldcg(&share[i]);
    __syncthreads();
}

__device__ static void clear(sums *s) {
    for (int i = 0; i < 2; i++) s->change[i] = s->dangling[i] = s->sum[i] = 0;
}

/* Parts in turn, each from the newest shares of the others. */
template <class S> __device__ void sweep_in_turn(const job<S> &j, sweeping<S> w, S *hub, totals<S> *t) {
    groups::grid_group grid = groups::this_grid();
    for (uint32_t p = 0; p < j.parts; p++) {
        load_hubs(w.from, j.hubs, hub);
        sweep_part(j, w, p, t);
        grid.sync();
        for (uint64_t row = j.at[p].row + grid.thread_rank(); row < j.at[p].end; row += grid.size())
            if (j.give[row] > 0) j.share[0][j.own[row]] = __ldcg(&j.share[1][j.own[row]]);
        grid.sync();
    }
}

/* Iterations number first + 1 ... first + count, or until the ranks are settled. */
template <class S>
__global__ void __launch_bounds__(THREADS, 1) iterate_kernel(job<S> j, uint64_t first, uint64_t count) {
    extern __shared__ char room[];
    S *hub = (S *)room;
    groups::grid_group grid = groups::this_grid();
    control *c = j.c;
    double teleport = __ldcg(&c->teleport);
    for (uint64_t i = first; i < first + count; i++) {
        sums *mine = &c->set[i % SETS];
        totals<S> t;
        sweeping<S> w = {hub, j.share[j.r.in_turn ? 0 : i & 1], j.share[j.r.in_turn ? 1 : (i + 1) & 1], teleport};
        if (j.r.in_turn) {
            sweep_in_turn(j, w, hub, &t);
        } else {
            load_hubs(w.from, j.hubs, hub);
            for (uint32_t p = 0; p < j.parts; p++) sweep_part(j, w, p, &t);
        }
        hand_in(t, mine);
        grid.sync();
        unsigned long long limbs[6];
        for (int k = 0; k < 2; k++) {
            limbs[k] = __ldcg(&mine->change[k]);
            limbs[2 + k] = __ldcg(&mine->dangling[k]);
            limbs[4 + k] = __ldcg(&mine->sum[k]);
        }
        double residual = wfi_sum<S>::from(limbs).value(), dangling = wfi_sum<S>::from(limbs + 2).value();
        double sum = wfi_sum<S>::from(limbs + 4).value(), d = j.r.damping;
        if (j.r.in_turn) {
            double scale = !j.r.drop ? 1 / sum : d < 1 ? (1 - d) / (sum - d * (sum - dangling)) : 1;
            dangling *= scale;
            for (uint64_t v = grid.thread_rank(); v < j.n; v += grid.size()) {
                j.rank[v] = (S)((double)j.rank[v] * scale);
                j.share[0][v] = (S)((double)__ldcg(&j.share[0][v]) * scale);
            }
            grid.sync();
        }
        teleport = (1 - d) + (j.r.drop ? 0 : d * dangling);
        bool settled = j.r.by_tolerance && residual <= j.r.tolerance;
        if (grid.thread_rank() == 0) {
            clear(&c->set[(i + 2) % SETS]);
            c->teleport = teleport;
            c->residual = residual;
            c->iterations = i + 1;
            c->settled = settled;
        }
        if (settled) break;
    }
}

/* --- before and after ------------------------------------------------------------------- */

template <class S>
__global__ void begin_kernel(job<S> j, double *give, const uint32_t *degree, double flat, double slope) {
    totals<S> t;
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < j.n;
         row += (uint64_t)gridDim.x * blockDim.x) {
        double parts = (double)degree[row];
        give[row] = parts > 0 ? WFI_DEVICE_ONE / parts : 0;
        S rank = (S)(flat + slope * parts);
        j.rank[row] = rank;
        j.share[0][j.own[row]] = j.share[1][j.own[row]] = (S)((double)rank * give[row]);
        if (!(parts > 0)) t.dangling.add_part((double)rank);
    }
    hand_in(t, &j.c->set[SETS - 1]);
}

template <class S> __global__ void first_teleport(control *c, rules r) {
    double dangling = wfi_sum<S>::from(c->set[SETS - 1].dangling).value();
    c->teleport = (1 - r.damping) + (r.drop ? 0 : r.damping * dangling);
    clear(&c->set[SETS - 1]);
}

template <class T> __global__ void by_row(const T *from, const weft_vid *vertex, weft_vid n, T *to) {
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < n;
         row += (uint64_t)gridDim.x * blockDim.x)
        to[row] = from[vertex[row]];
}

template <class S> __global__ void give_ranks(const S *rank, const weft_vid *vertex, weft_vid n, S *to, control *c) {
    totals<double> t;
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < n;
         row += (uint64_t)gridDim.x * blockDim.x) {
        to[vertex[row]] = rank[row];
        t.sum.add_part((double)rank[row]);
    }
    hand_in(t, &c->last);
}

/* --- pieces of long rows -------------------------------------------------------------------- */

__global__ static void count_pieces(const uint32_t *length, wfi_ranked_part at, uint32_t *pieces) {
    for (uint64_t row = at.row + blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < at.sliced;
         row += (uint64_t)gridDim.x * blockDim.x)
        atomicAdd(pieces, (length[row] + PIECE - 1) / PIECE);
}

/* In any order: whoever comes takes the next places. */
__global__ static void cut_pieces(const uint32_t *length, wfi_ranked_part at, uint2 *piece, uint32_t *cursor) {
    for (uint64_t row = at.row + blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < at.sliced;
         row += (uint64_t)gridDim.x * blockDim.x) {
        uint32_t pieces = (length[row] + PIECE - 1) / PIECE, at_place = atomicAdd(cursor, pieces);
        for (uint32_t k = 0; k < pieces; k++) piece[at_place + k] = make_uint2((uint32_t)row, k);
    }
}

struct long_rows {
    uint32_t pieces[WFI_MOST_PARTS + 1], slot[WFI_MOST_PARTS];
    wfi_buffer<uint2> piece;
    wfi_buffer<unsigned long long> sum;
};

static weft_status cut_long_rows(weft_ctx *ctx, const wfi_ranked *r, long_rows *l) {
    cudaStream_t stream = wfi_cuda_stream();
    uint32_t count[WFI_MOST_PARTS], slots = 0, pieces = 0;
    wfi_buffer<uint32_t> counts;
    weft_status st = counts.take_zeroed(ctx, 2 * WFI_MOST_PARTS);
    if (st) return st;
    for (uint32_t p = 0; p < r->parts; p++)
        count_pieces<<<64, PLAIN_THREADS, 0, stream>>>(r->length.data, r->at[p], counts.data + p);
    st = wfi_download(ctx, count, counts.data, sizeof count);
    for (uint32_t p = 0; p < WFI_MOST_PARTS; p++) {
        bool there = p < r->parts;
        l->pieces[p] = pieces;
        l->slot[p] = slots;
        pieces += there ? count[p] : 0;
        slots += there ? r->at[p].sliced - r->at[p].row : 0;
    }
    l->pieces[WFI_MOST_PARTS] = pieces;
    if (!st) st = l->piece.take(ctx, pieces);
    if (!st) st = l->sum.take_zeroed(ctx, 3 * (size_t)slots);
    if (st) return st;
    for (uint32_t p = 0; p < r->parts; p++)
        cut_pieces<<<64, PLAIN_THREADS, 0, stream>>>(r->length.data, r->at[p], l->piece.data + l->pieces[p],
                                                     counts.data + WFI_MOST_PARTS + p);
    return wfi_cuda_sync(ctx);
}

/* --- the run -------------------------------------------------------------------------------- */

template <class S> struct run {
    weft_ctx *ctx;
    const weft_pagerank_params *p;
    const wfi_ranked *r;
    long_rows l;
    job<S> j;
    unsigned blocks;
    size_t shared;
    wfi_buffer<S> rank, share, next;
    wfi_buffer<double> give, restart;
    wfi_buffer<control> c;
};

/* As many blocks as have work for all their warps, no more than there are SMs.  A quarter of the shared memory is left to
 * the cache, which serves the other shares. */
template <class S> static weft_status fit_to_device(run<S> *u, weft_eid arcs) {
    weft_ctx *ctx = u->ctx;
    int sms = 0, most = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    WFI_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    size_t hubs = (size_t)most / 4 * 3 / sizeof(S);
    u->blocks = wfi_grid(arcs + u->j.n, 4 * THREADS, (unsigned)sms);
    u->j.hubs = (uint32_t)wfi_min_u64(hubs, u->j.n - u->r->sinks);
    u->shared = u->j.hubs * sizeof(S);
    WFI_CUDA(cudaFuncSetAttribute(iterate_kernel<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)u->shared));
    return WEFT_OK;
}

template <class S> static weft_status take_arrays(run<S> *u, const double *restart) {
    weft_ctx *ctx = u->ctx;
    weft_vid n = u->j.n;
    weft_status st = u->rank.take(ctx, n);
    if (!st) st = u->share.take(ctx, n);
    if (!st) st = u->next.take(ctx, n);
    if (!st) st = u->give.take(ctx, n);
    if (!st) st = u->c.take_zeroed(ctx, 1);
    if (!st && restart) {
        wfi_buffer<double> plain;
        st = u->restart.take(ctx, n);
        if (!st) st = plain.take(ctx, n);
        if (!st) st = wfi_upload(ctx, plain.data, restart, n * sizeof *restart);
        if (!st)
            by_row<double><<<wfi_grid(n, PLAIN_THREADS, 1024), PLAIN_THREADS, 0, wfi_cuda_stream()>>>(
                plain.data, u->r->vertex.data, n, u->restart.data);
    }
    job<S> *j = &u->j;
    j->base = u->r->base.data;
    j->cells = u->r->cells.data;
    j->length = u->r->length.data;
    j->own = u->r->source.data;
    memcpy(j->at, u->r->at, sizeof j->at);
    memcpy(j->pieces, u->l.pieces, sizeof j->pieces);
    memcpy(j->slot, u->l.slot, sizeof j->slot);
    j->piece = u->l.piece.data;
    j->long_sum = u->l.sum.data;
    j->parts = u->r->parts;
    j->give = u->give.data;
    j->restart = u->restart.data;
    j->rank = u->rank.data;
    j->share[0] = u->share.data;
    j->share[1] = u->next.data;
    j->c = u->c.data;
    return st;
}

/* Batches of iterations, so long that asking between them costs nothing and a request to stop is heard soon. */
template <class S> static weft_status iterate(run<S> *u, control *seen) {
    weft_ctx *ctx = u->ctx;
    wfi_kernel_scope stage(ctx, "iterations");
    uint64_t most = u->p->iterations ? u->p->iterations : u->p->max_iterations, done = 0, batch = 8;
    memset(seen, 0, sizeof *seen);
    while (done < most && !seen->settled) {
        double begin = wfi_now_ms();
        uint64_t count = wfi_min_u64(batch, most - done);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "ranking", done, most);
        void *args[] = {&u->j, &done, &count};
        WFI_CUDA(cudaLaunchCooperativeKernel((void *)iterate_kernel<S>, dim3(u->blocks), dim3(THREADS), args, u->shared,
                                             wfi_cuda_stream()));
        weft_status st = wfi_download(ctx, seen, u->j.c, sizeof *seen);
        if (st) return st;
        done += count;
        if (wfi_now_ms() - begin < 10 && batch < (uint64_t)1 << 20) batch *= 4;
    }
    return WEFT_OK;
}

template <class S>
static weft_status rank_all(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p, const double *restart,
                            weft_type type, weft_result *result) {
    cudaStream_t stream = wfi_cuda_stream();
    weft_vid n = g->n, part = wfi_pagerank_part(n, false);
    unsigned plain = wfi_grid(n, PLAIN_THREADS, 4096);
    run<S> u = {};
    u.ctx = ctx;
    u.p = p;
    u.j.n = n;
    u.j.r = {p->damping,
             1 / (double)n,
             p->tolerance,
             !p->iterations,
             p->dangling == WEFT_DANGLING_DROP,
             !p->iterations && part < n};
    S *rank;
    control seen = {};
    weft_status st = wfi_result_column(ctx, result, "rank", type, n, 1, &rank);
    if (!st && !n) return wfi_pagerank_scalars(ctx, p, p->iterations ? p->iterations : 1, 0, 0, result);
    if (!st) st = wfi_mirror_ranked(ctx, g, part, &u.r);
    if (!st) st = cut_long_rows(ctx, u.r, &u.l);
    if (!st) st = take_arrays(&u, restart);
    if (!st) st = fit_to_device(&u, g->arcs);
    if (st) return st;
    wfi_pagerank_beginning b = wfi_pagerank_begin(g, p, u.r->sinks);
    begin_kernel<S><<<plain, PLAIN_THREADS, 0, stream>>>(u.j, u.give.data, u.r->degree.data, b.flat, b.slope);
    first_teleport<S><<<1, 1, 0, stream>>>(u.j.c, u.j.r);
    st = iterate(&u, &seen);
    if (st) return st;
    give_ranks<S><<<plain, PLAIN_THREADS, 0, stream>>>(u.j.rank, u.r->vertex.data, n, u.next.data, u.j.c);
    st = wfi_download(ctx, rank, u.next.data, n * sizeof *rank);
    if (!st) st = wfi_download(ctx, &seen, u.j.c, sizeof seen);
    if (st) return st;
    wfi_fixed sum = {seen.last.sum[0], seen.last.sum[1]};
    wfi_fixed_settle(&sum);
    return wfi_pagerank_scalars(ctx, p, seen.iterations, seen.residual, wfi_fixed_value(sum), result);
}

extern "C" weft_status wfi_pagerank_run_cuda(weft_ctx *ctx, const weft_graph *g, const void *params,
                                             weft_result *result) {
    const weft_pagerank_params *p = (const weft_pagerank_params *)params;
    double *restart = NULL;
    weft_status st = wfi_pagerank_restart(ctx, g, p, &restart);
    if (!st)
        st = p->precision == WEFT_PRECISION_F32 ? rank_all<float>(ctx, g, p, restart, WEFT_F32, result)
                                                : rank_all<double>(ctx, g, p, restart, WEFT_F64, result);
    wfi_free(restart);
    return st;
}

extern "C" void wfi_pagerank_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                       wfi_choice *choice) {
    const weft_pagerank_params *p = (const weft_pagerank_params *)params;
    uint64_t each = p->precision == WEFT_PRECISION_F32 ? 4 : 8, n = g->n;
    wfi_mirror_cost graph = wfi_mirror_ranked_cost(g);
    bool personal = (p->personalize && *p->personalize) || p->restart;
    (void)ctx;
    choice->method = "pull by degree";
    snprintf(choice->reason, sizeof choice->reason,
             "rows by length, the shares of the busiest vertices in shared memory");
    choice->host_bytes = each * n + (personal ? 8 * n : 0);
    choice->device_bytes = wfi_max_u64(graph.peak, graph.kept + (3 * each + 8 + (personal ? 16 : 0)) * n);
}
