/* PageRank, GPU.  Needs: no weights.  The method and the bits are those of pagerank_cpu.c; here is only what differs.
 * Layout: cuda/mirror.cuh, wfi_ranked.  Rows of a part fall in length, so a part is cut into classes of rows by how many lanes
 * take a row; shares are numbered by how many arcs ask for them, and the first of them are kept in shared memory, from which
 * a warp gets 32 random words in a few cycles, where a cache serves about one line a cycle.  What a row needs of its own
 * is in the order of the rows.
 * Work: one kernel for many iterations, with a barrier of the whole grid after each.  A warp takes a piece of a long row, a
 * row, four rows, ...  Pieces of a row are added with integer atomics; whoever brings the last one settles the row.  The sums
 * of an iteration are read by every block after the barrier; three sets take turns, so that one can be cleared. */
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
    PIECE = 1024,     /* arcs of a long row that a warp takes */
    CLASSES = 5,      /* long rows; those of 32, 8, 2 and 1 lanes */
    PARTS = WFI_PAGERANK_PARTS,
    SETS = 3,         /* of sums */
    PLAIN_THREADS = 256
};

/* A row longer than this belongs to the class. */
__constant__ static const uint32_t longer_than[CLASSES] = {PIECE, 96, 16, 4, 0};

/* A part's rows: class c begins at row start[c]; rows from start[CLASSES] on are empty, up to end.  Its long rows begin
 * with slot `slot`, and their pieces are piece[first_piece] ... */
struct part_rows {
    uint32_t start[CLASSES + 1], end;
    uint32_t first_piece, pieces, slot;
};

struct sums {
    unsigned long long change[2], dangling[2], sum[2];
};

/* What the kernel leaves behind. */
struct control {
    sums set[SETS];
    double teleport, residual;
    unsigned long long iterations, total[2];
    int settled;
};

struct rules {
    double damping, uniform, tolerance;
    bool by_tolerance, drop, in_turn; /* in_turn: parts one after the other, and all scaled after an iteration */
};

template <class S> struct job {
    const weft_eid *offsets;
    const weft_vid *sources;      /* of the arcs */
    const weft_vid *own;          /* the row's number as a source */
    const part_rows *part;
    const uint2 *piece;           /* row, which piece of it */
    unsigned long long *long_sum; /* for each long row two limbs and how many pieces have come */
    const double *give, *restart;
    S *rank, *share[2];           /* in turn; in parts: in effect, and to come */
    control *c;
    rules r;
    weft_vid n;
    uint32_t parts, hubs;
};

template <class S> struct totals {
    wfi_sum<S> change, dangling, sum;
};

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

/* The arcs first, first + step, ... of a row; four in flight. */
template <class S>
__device__ wfi_sum<S> add_arcs(const job<S> &j, const sweeping<S> &w, weft_eid first, weft_eid end, unsigned step) {
    wfi_sum<S> sum;
    weft_eid e = first;
    for (; e + 3 * step < end; e += 4 * step) {
        weft_vid a = j.sources[e], b = j.sources[e + step], c = j.sources[e + 2 * step], d = j.sources[e + 3 * step];
        S p = share_of(w, j.hubs, a), q = share_of(w, j.hubs, b), x = share_of(w, j.hubs, c), y = share_of(w, j.hubs, d);
        sum.add(p);
        sum.add(q);
        sum.add(x);
        sum.add(y);
    }
    for (; e < end; e += step) sum.add(share_of(w, j.hubs, j.sources[e]));
    return sum;
}

template <class S>
__device__ void sweep_piece(const job<S> &j, const sweeping<S> &w, const part_rows &p, uint2 piece, unsigned lane,
                            totals<S> *t) {
    uint32_t row = piece.x;
    weft_eid row_begin = j.offsets[row], row_end = j.offsets[row + 1], begin = row_begin + (weft_eid)piece.y * PIECE;
    weft_eid end = begin + PIECE < row_end ? begin + PIECE : row_end;
    wfi_sum<S> sum = add_arcs(j, w, begin + lane, end, WARP);
    for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
    if (lane) return;
    unsigned long long *place = j.long_sum + 3 * (size_t)(p.slot + row - p.start[0]);
    sum.add_to(place);
    __threadfence();
    if (atomicAdd(place + 2, 1ull) + 1 < (row_end - row_begin + PIECE - 1) / PIECE) return;
    __threadfence();
    unsigned long long whole[2] = {atomicExch(place, 0ull), atomicExch(place + 1, 0ull)};
    atomicExch(place + 2, 0ull);
    settle(j, w, row, wfi_sum<S>::from(whole), t);
}

/* Lanes in groups of WIDTH, each with a row of its own, from `row` on. */
template <class S, unsigned WIDTH>
__device__ void sweep_rows(const job<S> &j, const sweeping<S> &w, uint64_t row, uint32_t end, unsigned lane, totals<S> *t) {
    row += lane / WIDTH;
    bool there = row < end;
    weft_eid begin = there ? j.offsets[row] : 0, stop = there ? j.offsets[row + 1] : 0;
    wfi_sum<S> sum = add_arcs(j, w, begin + lane % WIDTH, stop, WIDTH);
    for (unsigned far = WIDTH / 2; far; far /= 2) sum.add_lane(~0u, (int)far);
    if (there && lane % WIDTH == 0) settle(j, w, (uint32_t)row, sum, t);
}

template <class S, unsigned WIDTH>
__device__ void sweep_class(const job<S> &j, const sweeping<S> &w, uint32_t from, uint32_t end, uint32_t warp,
                            uint32_t warps, unsigned lane, totals<S> *t) {
    for (uint64_t row = from + (uint64_t)warp * (WARP / WIDTH); row < end; row += (uint64_t)warps * (WARP / WIDTH))
        sweep_rows<S, WIDTH>(j, w, row, end, lane, t);
}

template <class S>
__device__ void sweep_part(const job<S> &j, const sweeping<S> &w, const part_rows &p, totals<S> *t) {
    unsigned lane = threadIdx.x % WARP;
    uint32_t warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * WARPS;
    for (uint32_t i = warp; i < p.pieces; i += warps) sweep_piece(j, w, p, j.piece[p.first_piece + i], lane, t);
    sweep_class<S, 32>(j, w, p.start[1], p.start[2], warp, warps, lane, t);
    sweep_class<S, 8>(j, w, p.start[2], p.start[3], warp, warps, lane, t);
    sweep_class<S, 2>(j, w, p.start[3], p.start[4], warp, warps, lane, t);
    sweep_class<S, 1>(j, w, p.start[4], p.end, warp, warps, lane, t);
}

/* --- iterations ----------------------------------------------------------------------- */

template <class S> __device__ void hand_in(wfi_sum<S> sum, unsigned long long *place) {
    for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
    if (threadIdx.x % WARP == 0) sum.add_to(place);
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
        sweep_part(j, w, j.part[p], t);
        grid.sync();
        for (uint64_t row = j.part[p].start[0] + grid.thread_rank(); row < j.part[p].end; row += grid.size())
            if (j.give[row] > 0) j.share[0][j.own[row]] = __ldcg(&j.share[1][j.own[row]]);
        grid.sync();
    }
}

/* Iterations number first + 1 ... first + count, or until the ranks are settled. */
template <class S> __global__ void __launch_bounds__(THREADS, 1) iterate_kernel(job<S> j, uint64_t first, uint64_t count) {
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
            for (uint32_t p = 0; p < j.parts; p++) sweep_part(j, w, j.part[p], &t);
        }
        hand_in(t.change, mine->change);
        hand_in(t.dangling, mine->dangling);
        hand_in(t.sum, mine->sum);
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
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < j.n; row += (uint64_t)gridDim.x * blockDim.x) {
        double parts = (double)degree[row];
        give[row] = parts > 0 ? WFI_DEVICE_ONE / parts : 0;
        S rank = (S)(flat + slope * parts);
        j.rank[row] = rank;
        j.share[0][j.own[row]] = j.share[1][j.own[row]] = (S)((double)rank * give[row]);
        if (!(parts > 0)) t.dangling.add_part((double)rank);
    }
    hand_in(t.dangling, j.c->set[SETS - 1].dangling);
}

template <class S> __global__ void first_teleport(control *c, rules r) {
    double dangling = wfi_sum<S>::from(c->set[SETS - 1].dangling).value();
    c->teleport = (1 - r.damping) + (r.drop ? 0 : r.damping * dangling);
    clear(&c->set[SETS - 1]);
}

template <class T> __global__ void by_row(const T *from, const weft_vid *vertex, weft_vid n, T *to) {
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < n; row += (uint64_t)gridDim.x * blockDim.x)
        to[row] = from[vertex[row]];
}

template <class S> __global__ void give_ranks(const S *rank, const weft_vid *vertex, weft_vid n, S *to, control *c) {
    wfi_sum<double> sum;
    for (uint64_t row = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < n; row += (uint64_t)gridDim.x * blockDim.x) {
        to[vertex[row]] = rank[row];
        sum.add_part((double)rank[row]);
    }
    hand_in(sum, c->total);
}

/* --- classes and pieces ------------------------------------------------------------------ */

/* Rows fall in length within a part: a class ends where the first row is not longer. */
__global__ static void find_classes(const weft_eid *offsets, weft_vid n, weft_vid part, uint32_t parts, part_rows *out) {
    uint32_t p = threadIdx.x / (CLASSES + 1), c = threadIdx.x % (CLASSES + 1);
    if (p >= parts) return;
    uint32_t low = p * part, high = n - low < part ? n : low + part, end = high;
    uint32_t bound = c == 0 ? ~0u : longer_than[c - 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (offsets[middle + 1] - offsets[middle] > bound)
            low = middle + 1;
        else
            high = middle;
    }
    out[p].start[c] = low;
    out[p].end = end;
}

__global__ static void count_pieces(const weft_eid *offsets, part_rows *part, uint32_t p) {
    uint32_t from = part[p].start[0], end = part[p].start[1];
    for (uint64_t row = from + blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < end;
         row += (uint64_t)gridDim.x * blockDim.x)
        atomicAdd(&part[p].pieces, (uint32_t)((offsets[row + 1] - offsets[row] + PIECE - 1) / PIECE));
}

/* In any order: whoever comes takes the next places. */
__global__ static void cut_pieces(const weft_eid *offsets, const part_rows *part, uint32_t p, uint2 *piece, uint32_t *cursor) {
    uint32_t from = part[p].start[0], end = part[p].start[1];
    for (uint64_t row = from + blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; row < end;
         row += (uint64_t)gridDim.x * blockDim.x) {
        uint32_t pieces = (uint32_t)((offsets[row + 1] - offsets[row] + PIECE - 1) / PIECE);
        uint32_t at = part[p].first_piece + atomicAdd(&cursor[p], pieces);
        for (uint32_t k = 0; k < pieces; k++) piece[at + k] = make_uint2((uint32_t)row, k);
    }
}

struct layout {
    uint32_t parts = 0;
    wfi_buffer<part_rows> part;
    wfi_buffer<uint2> piece;
    wfi_buffer<unsigned long long> long_sum;
};

static weft_status lay_out(weft_ctx *ctx, const wfi_ranked *r, layout *l) {
    cudaStream_t stream = wfi_cuda_stream();
    part_rows host[PARTS];
    wfi_buffer<uint32_t> cursor;
    l->parts = (r->n + r->part - 1) / r->part;
    weft_status st = l->part.take_zeroed(ctx, PARTS);
    if (!st) st = cursor.take_zeroed(ctx, PARTS);
    if (st) return st;
    find_classes<<<1, PARTS * (CLASSES + 1), 0, stream>>>(r->offsets.data, r->n, r->part, l->parts, l->part.data);
    for (uint32_t p = 0; p < l->parts; p++)
        count_pieces<<<64, PLAIN_THREADS, 0, stream>>>(r->offsets.data, l->part.data, p);
    st = wfi_download(ctx, host, l->part.data, sizeof host);
    if (st) return st;
    uint32_t pieces = 0, slots = 0;
    for (uint32_t p = 0; p < l->parts; p++) {
        host[p].first_piece = pieces;
        host[p].slot = slots;
        pieces += host[p].pieces;
        slots += host[p].start[1] - host[p].start[0];
    }
    st = wfi_upload(ctx, l->part.data, host, sizeof host);
    if (!st) st = l->piece.take(ctx, pieces);
    if (!st) st = l->long_sum.take_zeroed(ctx, 3 * (size_t)slots);
    if (st) return st;
    for (uint32_t p = 0; p < l->parts; p++)
        cut_pieces<<<64, PLAIN_THREADS, 0, stream>>>(r->offsets.data, l->part.data, p, l->piece.data, cursor.data);
    return wfi_cuda_sync(ctx);
}

/* --- the run -------------------------------------------------------------------------------- */

template <class S> struct run {
    weft_ctx *ctx;
    const weft_pagerank_params *p;
    const wfi_ranked *r;
    layout l;
    job<S> j;
    unsigned blocks;
    size_t shared;
    wfi_buffer<S> rank, share, next;
    wfi_buffer<double> give, restart;
    wfi_buffer<control> c;
};

/* As many blocks as have work for all their warps, no more than there are SMs.  An eighth of the shared memory is left to
 * the cache, which serves the other shares. */
template <class S> static weft_status fit_to_device(run<S> *u, weft_eid arcs) {
    weft_ctx *ctx = u->ctx;
    int sms = 0, most = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    WFI_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    size_t hubs = (size_t)most / 8 * 7 / sizeof(S);
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
    j->offsets = u->r->offsets.data;
    j->sources = u->r->sources.data;
    j->own = u->r->source.data;
    j->part = u->l.part.data;
    j->piece = u->l.piece.data;
    j->long_sum = u->l.long_sum.data;
    j->give = u->give.data;
    j->restart = u->restart.data;
    j->rank = u->rank.data;
    j->share[0] = u->share.data;
    j->share[1] = u->next.data;
    j->c = u->c.data;
    j->parts = u->l.parts;
    return st;
}

/* Batches of iterations, so long that asking between them costs nothing and a request to stop is heard soon. */
template <class S> static weft_status iterate(run<S> *u, control *seen) {
    weft_ctx *ctx = u->ctx;
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
    u.j.r = {p->damping, 1 / (double)n, p->tolerance, !p->iterations,
             p->dangling == WEFT_DANGLING_DROP, !p->iterations && part < n};
    S *rank;
    control seen = {};
    weft_status st = wfi_result_column(ctx, result, "rank", type, n, 1, &rank);
    if (!st && !n) return wfi_pagerank_scalars(ctx, p, 0, 0, 0, result);
    if (!st) st = wfi_mirror_ranked(ctx, g, part, &u.r);
    if (!st) st = lay_out(ctx, u.r, &u.l);
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
    wfi_fixed sum = {seen.total[0], seen.total[1]};
    wfi_fixed_settle(&sum);
    return wfi_pagerank_scalars(ctx, p, seen.iterations, seen.residual, wfi_fixed_value(sum), result);
}

extern "C" weft_status wfi_pagerank_run_cuda(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result) {
    const weft_pagerank_params *p = (const weft_pagerank_params *)params;
    double *restart = NULL;
    weft_status st = wfi_pagerank_restart(ctx, g, p, &restart);
    if (!st)
        st = p->precision == WEFT_PRECISION_F32 ? rank_all<float>(ctx, g, p, restart, WEFT_F32, result)
                                                : rank_all<double>(ctx, g, p, restart, WEFT_F64, result);
    wfi_free(restart);
    return st;
}

extern "C" void wfi_pagerank_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_pagerank_params *p = (const weft_pagerank_params *)params;
    uint64_t each = p->precision == WEFT_PRECISION_F32 ? 4 : 8, n = g->n;
    wfi_mirror_cost graph = wfi_mirror_ranked_cost(g);
    bool personal = (p->personalize && *p->personalize) || p->restart;
    (void)ctx;
    choice->method = "pull by degree";
    snprintf(choice->reason, sizeof choice->reason, "rows by length, the shares of the busiest vertices in shared memory");
    choice->host_bytes = each * n + (personal ? 8 * n : 0);
    choice->device_bytes = wfi_max_u64(graph.peak, graph.kept + (3 * each + 8 + (personal ? 16 : 0)) * n);
}
