/* Personalised PageRank on the GPU.  Sums and bits are those of lanes_cpu.c.
 * Method: an iteration visits all rows, in the chunks that define the sums (engines/row_chunks), longest first.  A
 * chunk is summed by a team of 8 threads with two lanes each: a row of shares, 128 bytes, is one load of 16 bytes a
 * thread, and EIGHT such rows are in flight at once.  A row of one chunk is finished at once; the sums of a long row's
 * chunks are stored, and added in their order by a second kernel.  Rows without arcs are skipped unless they have been
 * seeds: their values stay 0.
 * Totals are sums of integers: over the teams of a warp by shuffles, over the block in shared memory, then to global
 * memory. */
#include "algo/ppr/ppr_cuda.cuh"
#include "cuda/buffers.cuh"
#include "engines/fixed_sums/fixed_sums.cuh"
#include "engines/row_chunks/row_chunks.cuh"

using namespace wfi_ppr;

enum { B = WFI_PPR_LANES, THREADS = 256, TEAM = 8, WARP = 32, EIGHT = 8, OF_LANES = 2, BLOCKS_PER_SM = 16 };

static_assert((int)WFI_PIECE == (int)WFI_PPR_PIECE, "the order of a sum is defined by pieces");
static_assert(TEAM * OF_LANES == B && sizeof(double2) == OF_LANES * sizeof(double), "a thread has two lanes");

namespace {

/* The operands of one iteration. */
struct sweep {
    ranks old;
    const uint8_t *mark; /* 1: has been a seed */
    const weft_vid *source;
    const void *weights;
    weft_weight_type type;
    double2 *next, *chunk_sum; /* chunk_sum: of the chunks of long rows, by slot */
    wfi_ppr_totals *to;
    weft_vid seed[B];
    double damping[B], returns[B];
};

/* The two lanes of a thread. */
struct two {
    weft_vid seed[OF_LANES];
    double2 damping, returns;
    uint64_t change[OF_LANES] = {0, 0}, dangling[OF_LANES] = {0, 0};

    __device__ two(const sweep &w, unsigned at)
        : seed{w.seed[OF_LANES * at], w.seed[OF_LANES * at + 1]},
          damping{w.damping[OF_LANES * at], w.damping[OF_LANES * at + 1]}, returns{w.returns[OF_LANES * at],
                                                                                   w.returns[OF_LANES * at + 1]} {}
};

/* The state of a row before its sum is known; read early. */
struct row_state {
    double2 share;
    double leaves;
    bool seeded;
    __device__ row_state(const sweep &w, uint32_t row, unsigned at)
        : share(((const double2 *)w.old.share)[(size_t)row * TEAM + at]), leaves(w.old.leaves(row)),
          seeded(w.mark[row]) {}
};

__device__ uint64_t fixed_part(double x) { return (uint64_t)__double2ll_rz(x * WFI_PPR_ONE); }

/* The new rank, and its share. */
__device__ double finish_lane(two &m, int i, double pulled, double damping, double returns, uint32_t row,
                              const row_state &was, double share) {
    double parts = was.leaves > 0 ? was.leaves : 1, rank = pulled * damping;
    if (was.seeded && m.seed[i] == row) rank += returns;
    m.change[i] += fixed_part(fabs(rank - share * parts));
    if (!(was.leaves > 0)) m.dangling[i] += fixed_part(rank);
    return rank / parts;
}

__device__ void finish_row(const sweep &w, two &m, unsigned at, uint32_t row, const row_state &was, double2 pulled) {
    double2 share;
    share.x = finish_lane(m, 0, pulled.x, m.damping.x, m.returns.x, row, was, was.share.x);
    share.y = finish_lane(m, 1, pulled.y, m.damping.y, m.returns.y, row, was, was.share.y);
    w.next[(size_t)row * TEAM + at] = share;
}

/* The sum of a chunk.  The team's threads read eight arcs together and exchange them by shuffles; missing arcs add
 * 0. */
template <bool WEIGHTED>
__device__ double2 add_piece(const sweep &w, weft_eid begin, uint32_t length, unsigned at, unsigned team) {
    const double2 *share = (const double2 *)w.old.share + at;
    double2 sum = {0, 0};
    weft_vid source = at < length ? __ldcs(w.source + begin + at) : 0;
    double weight = WEIGHTED && at < length ? wfi_device_weight(w.weights, w.type, begin + at) : 0;
    for (uint32_t k = 0; k < length; k += EIGHT) {
        uint32_t then = k + EIGHT + at;
        weft_vid coming = then < length ? __ldcs(w.source + begin + then) : 0;
        double coming_weight = WEIGHTED && then < length ? wfi_device_weight(w.weights, w.type, begin + then) : 0;
        double2 got[EIGHT];
#pragma unroll
        for (int i = 0; i < EIGHT; i++) {
            weft_vid u = __shfl_sync(team, source, i, TEAM);
            got[i] = k + i < length ? share[(size_t)u * TEAM] : double2{0, 0};
        }
#pragma unroll
        for (int i = 0; i < EIGHT; i++) {
            double times = WEIGHTED ? __shfl_sync(team, weight, i, TEAM) : 1;
            sum.x += WEIGHTED ? got[i].x * times : got[i].x;
            sum.y += WEIGHTED ? got[i].y * times : got[i].y;
        }
        source = coming;
        weight = coming_weight;
    }
    return sum;
}

/* Adds the totals of all threads of the block. */
__device__ void hand_in(const two &m, unsigned at, wfi_ppr_totals *to) {
    enum { WORDS = sizeof(wfi_ppr_totals) / sizeof(unsigned long long) };
    __shared__ unsigned long long all[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += THREADS) all[i] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < OF_LANES; i++) {
        unsigned long long change = m.change[i], dangling = m.dangling[i];
        for (int far = TEAM; far < WARP; far *= 2) {
            change += __shfl_xor_sync(~0u, change, far);
            dangling += __shfl_xor_sync(~0u, dangling, far);
        }
        if (threadIdx.x % WARP >= TEAM) continue;
        atomicAdd(&all[OF_LANES * at + i], change);
        atomicAdd(&all[B + OF_LANES * at + i], dangling);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < WORDS; i += THREADS)
        if (all[i]) atomicAdd((unsigned long long *)to + i, all[i]);
}

template <bool WEIGHTED>
__global__ void __launch_bounds__(THREADS)
    take_pieces(const __grid_constant__ sweep w, const wfi_row_chunk *pieces, uint32_t count) {
    const unsigned at = threadIdx.x % TEAM, team = 0xffu << (threadIdx.x % WARP / TEAM * TEAM);
    two m(w, at);
    for (uint64_t i = wfi_thread() / TEAM; i < count; i += wfi_all_threads() / TEAM) {
        wfi_row_chunk piece = pieces[i];
        uint32_t length = piece.length & ~WFI_OF_LONG;
        if (piece.length & WFI_OF_LONG) {
            w.chunk_sum[(size_t)piece.to * TEAM + at] = add_piece<WEIGHTED>(w, piece.begin, length, at, team);
        } else if (length || w.mark[piece.to]) {
            row_state was(w, piece.to, at);
            finish_row(w, m, at, piece.to, was, add_piece<WEIGHTED>(w, piece.begin, length, at, team));
        }
    }
    hand_in(m, at, w.to);
}

/* Long rows, from the sums of their chunks. */
__global__ void __launch_bounds__(THREADS)
    join_pieces(const __grid_constant__ sweep w, const wfi_cut_row *row, uint32_t count) {
    const unsigned at = threadIdx.x % TEAM;
    two m(w, at);
    for (uint64_t i = wfi_thread() / TEAM; i < count; i += wfi_all_threads() / TEAM) {
        row_state was(w, row[i].row, at);
        double2 sum = {0, 0};
#pragma unroll 8
        for (uint32_t place = row[i].place; place < row[i + 1].place; place++) {
            double2 piece = w.chunk_sum[(size_t)place * TEAM + at];
            sum.x += piece.x;
            sum.y += piece.y;
        }
        finish_row(w, m, at, row[i].row, was, sum);
    }
    hand_in(m, at, w.to);
}

/* --- the engine --------------------------------------------------------------------------- */

struct on_gpu : wfi_ppr_lanes {
    wfi_view out, in;
    const wfi_row_chunks *pieces;
    wfi_ppr_row *share, *next, *chunk_sum;
    double *out_weight;
    uint8_t *mark;
    wfi_ppr_totals *totals;
    picking best;

    ranks ranks_now() const { return {(const double *)share, out_weight, out.offsets}; }
};

} // namespace

static weft_status open_lanes(wfi_ppr_lanes *of) {
    on_gpu *b = (on_gpu *)of;
    uint64_t n = b->g->n;
    if (!n) return WEFT_OK;
    weft_status st = wfi_zero(b->ctx, b->share, n);
    if (!st) st = wfi_zero(b->ctx, b->next, n);
    if (!st) st = wfi_zero(b->ctx, b->mark, n);
    if (st || !b->p->weights) return st;
    return wfi_row_sums_cuda(b->ctx, "ppr", b->g, &b->out, b->out_weight, (uint64_t *)b->totals);
}

static weft_status start(wfi_ppr_lanes *of, weft_vid seed) {
    on_gpu *b = (on_gpu *)of;
    weft_ctx *ctx = b->ctx;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(b->mark + seed, 1, 1, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* Arcs of a launch, some milliseconds of work; the host polls for a request to stop between launches. */
static const uint64_t ARCS_AT_ONCE = (uint64_t)1 << 28;

static weft_status take_all(on_gpu *b, const sweep &w) {
    weft_ctx *ctx = b->ctx;
    uint64_t count = b->pieces->count, launches = b->g->arcs / ARCS_AT_ONCE + 1, at_once = count / launches + 1;
    unsigned most = (unsigned)wfi_gpu_of(ctx)->sms * BLOCKS_PER_SM;
    for (uint64_t done = 0; done < count; done += at_once) {
        uint32_t now = (uint32_t)wfi_min_u64(at_once, count - done);
        unsigned blocks = wfi_grid((uint64_t)now * TEAM, THREADS, most);
        if (b->p->weights)
            take_pieces<true><<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(w, b->pieces->at.data + done, now);
        else
            take_pieces<false><<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(w, b->pieces->at.data + done, now);
        weft_status st = launches > 1 ? wfi_cuda_sync(ctx) : WEFT_OK;
        if (st) return st;
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    }
    if (b->pieces->long_rows)
        join_pieces<<<wfi_grid((uint64_t)b->pieces->long_rows * TEAM, THREADS, most), THREADS, 0,
                      wfi_cuda_stream(ctx)>>>(w, b->pieces->long_row.data, b->pieces->long_rows);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

static weft_status iterate(wfi_ppr_lanes *of, wfi_ppr_totals *t) {
    on_gpu *b = (on_gpu *)of;
    sweep w = {b->ranks_now(),
               b->mark,
               b->in.targets,
               b->in.weights,
               b->in.type,
               (double2 *)b->next,
               (double2 *)b->chunk_sum,
               b->totals,
               {},
               {},
               {}};
    memcpy(w.seed, b->seed, sizeof w.seed);
    memcpy(w.damping, b->damping, sizeof w.damping);
    memcpy(w.returns, b->returns, sizeof w.returns);
    weft_status st = wfi_zero(b->ctx, b->totals, 1);
    if (!st) st = take_all(b, w);
    if (!st) st = wfi_download(b->ctx, t, b->totals, sizeof *t);
    wfi_ppr_row *shares = b->share;
    b->share = b->next;
    b->next = shares;
    return st;
}

static weft_status find_best(wfi_ppr_lanes *of, wfi_ppr_best *list, unsigned count) {
    on_gpu *b = (on_gpu *)of;
    weft_status st = WEFT_OK;
    for (unsigned i = 0; i < count && !st; i++) st = pick_best(b->ctx, b->best, b->ranks_now(), &list[i]);
    return st;
}

/* All rows are visited anyway. */
static bool waits(const wfi_ppr_lanes *) { return false; }
static void forget(wfi_ppr_lanes *) {}

/* --- the run ------------------------------------------------------------------------------ */

static const wfi_ppr_engine engine = {open_lanes, start, iterate, find_best, waits, forget};

/* places: number of chunks of long rows. */
static void lay_out(wfi_workspace *device, const weft_graph *g, const weft_ppr_params *p, uint64_t places, on_gpu *b) {
    uint64_t n = g->n;
    wfi_array(device, &b->share, n);
    wfi_array(device, &b->next, n);
    b->out_weight = NULL;
    if (p->weights) wfi_array(device, &b->out_weight, n);
    wfi_array_within(device, &b->chunk_sum, places);
    wfi_array(device, &b->mark, n);
    wfi_array(device, &b->totals, n ? 1 : 0);
    lay_out_picking(device, g->n, &b->best);
}

extern "C" void wfi_ppr_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_ppr_params *p = (const weft_ppr_params *)params;
    wfi_ppr_table t;
    on_gpu b;
    wfi_ppr_lay_out(&choice->space, g, p, &t);
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    uint64_t places = g->n ? wfi_row_chunks_declare(&choice->device, ctx, g, true) : 0;
    lay_out(&choice->device, g, p, places, &b);
    wfi_ppr_describe_plan(g, p,
                          g->directed ? "the incoming rows are made on the GPU if they are not at hand"
                                      : "undirected: the rows are their own transpose",
                          choice);
}

extern "C" weft_status wfi_ppr_run_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_ppr_params *p = (const weft_ppr_params *)job->params;
    wfi_ppr_table t;
    on_gpu b = {};
    weft_status st = WEFT_OK;
    b.engine = &engine;
    wfi_ppr_lay_out(job->space, g, p, &t);
    if (g->n) st = wfi_mirror_out(ctx, g, &b.out);
    if (!st && g->n) st = wfi_mirror_in(ctx, g, &b.in);
    if (!st && g->n) st = wfi_row_chunks_of(ctx, g, true, &b.pieces);
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, p, g->n ? b.pieces->places : 0, &b);
    if (!st) st = job->device->status;
    wfi_kernel_scope stage(ctx, "iterations");
    return st ? st : wfi_ppr_drive(job, &b, &t);
}
