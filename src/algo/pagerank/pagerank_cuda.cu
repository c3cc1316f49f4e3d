/* PageRank, GPU.  Needs: no weights.  The method and the bits are those of pagerank_cpu.c; here is only what differs.
 * Layout: vertices are renumbered by out-degree (cuda/mirror.cuh), so that shares that many arcs ask for lie together; the
 * first of them are kept in shared memory, from which a warp gets 32 random words in a few cycles, where a cache serves
 * about one line a cycle.
 * Work: rows of a part are listed by class of length.  A warp takes a piece of PIECE arcs of a long row, a row, four rows
 * or 32 rows at a time.  Pieces of a row are added with integer atomics; whoever brings the last one settles the row.
 * Iterations are launched in batches; once the tolerance is met the kernels that follow return at once. */
#include "algo/pagerank/pagerank.h"
#include "core/fixed.h"
#include "cuda/fixed.cuh"
#include "cuda/mirror.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <math.h>
#include <stdio.h>

enum {
    THREADS = 1024,
    WARP = 32,
    WARPS = THREADS / WARP,
    PIECE = 1024, /* arcs of a long row that a warp takes */
    GROUP = 8,    /* lanes to a short row */
    SHORT = 16,   /* arcs that it may have */
    TINY = 4,     /* arcs of a row that one lane takes */
    CLASSES = 5,  /* long, middle, short, tiny, empty */
    PARTS = WFI_PAGERANK_PARTS,
    PLAIN_THREADS = 256
};

/* Between kernels, on the device. */
struct control {
    unsigned long long change[2], dangling[2], sum[2];
    double teleport, residual, scale;
    unsigned long long iterations;
    int settled;
};

/* A part's rows: list[start[c]] ... list[start[c+1]-1] are of class c. */
struct part_lists {
    uint32_t start[CLASSES + 1];
    uint32_t pieces; /* of its long rows */
};

template <class S> struct job {
    const weft_eid *offsets;
    const weft_vid *sources;
    const weft_vid *list;     /* rows by part and class */
    const uint2 *piece;       /* (row, which piece of it), by part */
    unsigned long long *long_sum; /* per row of a long one: two limbs and how many pieces have come */
    const uint32_t *slot;     /* the place of a long row in long_sum */
    S *rank, *share, *next;
    const double *give, *restart;
    control *c;
    double damping, uniform;
    uint32_t hubs;
};

/* --- one row --------------------------------------------------------------------- */

template <class S> __device__ S share_of(const job<S> &j, const S *hub, weft_vid u) {
    return u < j.hubs ? hub[u] : __ldg(&j.share[u]);
}

template <class S> struct mine {
    wfi_sum<S> change, dangling, sum;
};

template <class S> __device__ void settle(const job<S> &j, weft_vid v, const wfi_sum<S> &came, double teleport, mine<S> *t) {
    double jumped = (j.restart ? j.restart[v] : j.uniform) * teleport;
    double rank = jumped + j.damping * came.value(), old = (double)j.rank[v], give = j.give[v];
    S stored = (S)rank;
    rank = (double)stored;
    j.rank[v] = stored;
    j.next[v] = (S)(rank * give);
    t->change.add_part(fabs(rank - old));
    t->sum.add_part(rank);
    t->dangling.add_part(give == 0 ? rank : 0);
}

/* The arcs first, first + step, ... of a row; four in flight. */
template <class S>
__device__ wfi_sum<S> add_arcs(const job<S> &j, const S *hub, weft_eid first, weft_eid end, unsigned step) {
    wfi_sum<S> sum;
    weft_eid e = first;
    for (; e + 3 * step < end; e += 4 * step) {
        weft_vid a = __ldcs(&j.sources[e]), b = __ldcs(&j.sources[e + step]), c = __ldcs(&j.sources[e + 2 * step]),
                 d = __ldcs(&j.sources[e + 3 * step]);
        S w = share_of(j, hub, a), x = share_of(j, hub, b), y = share_of(j, hub, c), z = share_of(j, hub, d);
        sum.add(w);
        sum.add(x);
        sum.add(y);
        sum.add(z);
    }
    for (; e < end; e += step) sum.add(share_of(j, hub, __ldcs(&j.sources[e])));
    return sum;
}

template <class S>
__device__ void sweep_piece(const job<S> &j, const S *hub, uint2 piece, unsigned lane, double teleport, mine<S> *t) {
    weft_vid v = piece.x;
    weft_eid begin = j.offsets[v] + (weft_eid)piece.y * PIECE, row_end = j.offsets[v + 1];
    weft_eid end = begin + PIECE < row_end ? begin + PIECE : row_end;
    wfi_sum<S> sum = add_arcs(j, hub, begin + lane, end, WARP);
    for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
    if (lane) return;
    unsigned long long *place = j.long_sum + 3 * (size_t)j.slot[v];
    unsigned long long pieces = (row_end - j.offsets[v] + PIECE - 1) / PIECE;
    sum.add_to(place);
    __threadfence();
    if (atomicAdd(place + 2, 1ull) + 1 < pieces) return;
    __threadfence();
    unsigned long long whole[2] = {atomicExch(place, 0ull), atomicExch(place + 1, 0ull)};
    place[2] = 0;
    settle(j, v, wfi_sum<S>::from(whole), teleport, t);
}

/* Lanes in groups of `width`, each with a row of its own. */
template <class S>
__device__ void sweep_rows(const job<S> &j, const S *hub, uint32_t from, uint32_t end, unsigned width, unsigned lane,
                           double teleport, mine<S> *t) {
    uint32_t at = from + lane / width;
    bool there = at < end;
    weft_vid v = there ? j.list[at] : 0;
    weft_eid begin = there ? j.offsets[v] : 0, stop = there ? j.offsets[v + 1] : 0;
    wfi_sum<S> sum = add_arcs(j, hub, begin + lane % width, stop, width);
    for (unsigned far = width / 2; far; far /= 2) sum.add_lane(~0u, (int)far);
    if (there && lane % width == 0) settle(j, v, sum, teleport, t);
}

template <class S> __device__ void hand_in(wfi_sum<S> sum, unsigned lane, unsigned long long *place) {
    for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
    if (lane == 0) sum.add_to(place);
}

/* Units of a warp: pieces, then rows of the classes, in this order, dealt out in turn. */
template <class S> __global__ void __launch_bounds__(THREADS, 1) sweep_part(job<S> j, part_lists p, uint32_t first_piece) {
    extern __shared__ char room[];
    S *hub = (S *)room;
    if (j.c->settled) return;
    for (uint32_t i = threadIdx.x; i < j.hubs; i += THREADS) hub[i] = j.share[i];
    __syncthreads();
    double teleport = j.c->teleport;
    unsigned lane = threadIdx.x % WARP;
    uint32_t warp = blockIdx.x * WARPS + threadIdx.x / WARP, warps = gridDim.x * WARPS;
    mine<S> t;
    for (uint32_t i = warp; i < p.pieces; i += warps) sweep_piece(j, hub, j.piece[first_piece + i], lane, teleport, &t);
    for (uint64_t i = p.start[1] + (uint64_t)warp; i < p.start[2]; i += warps)
        sweep_rows(j, hub, (uint32_t)i, p.start[2], WARP, lane, teleport, &t);
    for (uint64_t i = p.start[2] + (uint64_t)warp * (WARP / GROUP); i < p.start[3]; i += (uint64_t)warps * (WARP / GROUP))
        sweep_rows(j, hub, (uint32_t)i, p.start[3], GROUP, lane, teleport, &t);
    for (uint64_t i = p.start[3] + (uint64_t)warp * WARP; i < p.start[5]; i += (uint64_t)warps * WARP)
        sweep_rows(j, hub, (uint32_t)i, p.start[5], 1, lane, teleport, &t);
    hand_in(t.change, lane, j.c->change);
    hand_in(t.dangling, lane, j.c->dangling);
    hand_in(t.sum, lane, j.c->sum);
}

/* --- between sweeps ---------------------------------------------------------------- */

/* What a part computed comes into effect. */
template <class S> __global__ void take_effect(job<S> j, uint32_t from, uint32_t end) {
    if (j.c->settled) return;
    for (uint64_t i = from + blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < end; i += (uint64_t)gridDim.x * blockDim.x)
        j.share[j.list[i]] = j.next[j.list[i]];
}

/* The sums of an iteration become the next one's teleport. */
template <class S>
__global__ void conclude(control *c, double damping, double tolerance, bool by_tolerance, bool drop, bool scaled) {
    if (c->settled) return;
    double dangling = wfi_sum<S>::from(c->dangling).value(), sum = wfi_sum<S>::from(c->sum).value();
    c->residual = wfi_sum<S>::from(c->change).value();
    c->scale = 1;
    if (scaled) {
        c->scale = !drop ? 1 / sum : damping < 1 ? (1 - damping) / (sum - damping * (sum - dangling)) : 1;
        dangling *= c->scale;
    }
    c->teleport = (1 - damping) + (drop ? 0 : damping * dangling);
    c->iterations++;
    c->settled = by_tolerance && c->residual <= tolerance ? 1 : 0;
    for (int i = 0; i < 2; i++) c->change[i] = c->dangling[i] = c->sum[i] = 0;
}

/* Runs after conclude: the last iteration's scale counts too, those launched beyond it find 1. */
template <class S> __global__ void scale_all(job<S> j, weft_vid n, unsigned long long iteration) {
    if (j.c->iterations != iteration) return;
    double scale = j.c->scale;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        j.rank[v] = (S)((double)j.rank[v] * scale);
        j.share[v] = (S)((double)j.share[v] * scale);
    }
}

template <class S>
__global__ void begin_ranks(job<S> j, double *give, const uint32_t *degree, weft_vid n, double flat, double slope) {
    mine<S> t;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        double parts = (double)degree[v];
        give[v] = parts > 0 ? WFI_DEVICE_ONE / parts : 0;
        j.rank[v] = (S)(flat + slope * parts);
        double rank = (double)j.rank[v];
        j.share[v] = (S)(rank * give[v]);
        t.dangling.add_part(parts > 0 ? 0 : rank);
    }
    hand_in(t.dangling, threadIdx.x % WARP, j.c->dangling);
}

__global__ void permute_restart(const double *from, const weft_vid *old_of, weft_vid n, double *to) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        to[v] = from[old_of[v]];
}

template <class S> __global__ void give_ranks(const S *rank, const weft_vid *old_of, weft_vid n, S *to, control *c) {
    wfi_sum<double> sum;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        to[old_of[v]] = rank[v];
        sum.add_part((double)rank[v]);
    }
    hand_in(sum, threadIdx.x % WARP, c->sum);
}

/* --- lists of rows -------------------------------------------------------------------- */

__global__ static void classify(const weft_eid *offsets, const weft_vid *old_of, weft_vid n, weft_vid part, uint32_t *key,
                                weft_vid *name, uint32_t *count, uint32_t *pieces) {
    __shared__ uint32_t here[PARTS * CLASSES], here_pieces[PARTS];
    for (unsigned i = threadIdx.x; i < PARTS * CLASSES; i += blockDim.x) here[i] = 0;
    for (unsigned i = threadIdx.x; i < PARTS; i += blockDim.x) here_pieces[i] = 0;
    __syncthreads();
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_eid length = offsets[v + 1] - offsets[v];
        uint32_t p = old_of[v] / part;
        uint32_t c = length > PIECE ? 0 : length > SHORT ? 1 : length > TINY ? 2 : length > 0 ? 3 : 4;
        key[v] = p * CLASSES + c;
        name[v] = (weft_vid)v;
        atomicAdd(&here[key[v]], 1u);
        if (c == 0) atomicAdd(&here_pieces[p], (uint32_t)((length + PIECE - 1) / PIECE));
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < PARTS * CLASSES; i += blockDim.x) atomicAdd(&count[i], here[i]);
    for (unsigned i = threadIdx.x; i < PARTS; i += blockDim.x) atomicAdd(&pieces[i], here_pieces[i]);
}

/* Long rows of one part: their slots, and their pieces in any order. */
__global__ static void cut_long_rows(const weft_eid *offsets, const weft_vid *list, uint32_t from, uint32_t end,
                                     uint32_t slot_base, uint32_t *slot, uint2 *piece, uint32_t *cursor) {
    for (uint64_t i = from + blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < end; i += (uint64_t)gridDim.x * blockDim.x) {
        weft_vid v = list[i];
        uint32_t pieces = (uint32_t)((offsets[v + 1] - offsets[v] + PIECE - 1) / PIECE);
        uint32_t at = atomicAdd(cursor, pieces);
        slot[v] = slot_base + (uint32_t)(i - from);
        for (uint32_t k = 0; k < pieces; k++) piece[at + k] = make_uint2(v, k);
    }
}

struct lists {
    uint32_t parts = 0;
    part_lists part[PARTS];
    uint32_t first_piece[PARTS + 1];
    wfi_buffer<uint32_t> list, slot;
    wfi_buffer<uint2> piece;
    wfi_buffer<unsigned long long> long_sum;
};

static weft_status sort_rows(weft_ctx *ctx, const wfi_ranked *r, weft_vid part, lists *l, uint32_t *count) {
    cudaStream_t stream = wfi_cuda_stream();
    wfi_buffer<uint32_t> key, sorted, name, counts;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    weft_status st = key.take(ctx, r->n);
    if (!st) st = sorted.take(ctx, r->n);
    if (!st) st = name.take(ctx, r->n);
    if (!st) st = l->list.take(ctx, r->n);
    if (!st) st = counts.take_zeroed(ctx, PARTS * CLASSES + PARTS);
    if (st) return st;
    classify<<<wfi_grid(r->n, PLAIN_THREADS, 1024), PLAIN_THREADS, 0, stream>>>(
        r->offsets.data, r->old_of.data, r->n, part, key.data, name.data, counts.data, counts.data + PARTS * CLASSES);
    int bits = (int)wfi_bits(PARTS * CLASSES);
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, key.data, sorted.data, name.data, l->list.data, (int64_t)r->n, 0,
                                             bits, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(scratch.data, bytes, key.data, sorted.data, name.data, l->list.data,
                                             (int64_t)r->n, 0, bits, stream));
    return wfi_download(ctx, count, counts.data, (PARTS * CLASSES + PARTS) * sizeof *count);
}

static weft_status make_lists(weft_ctx *ctx, const wfi_ranked *r, weft_vid part, lists *l) {
    cudaStream_t stream = wfi_cuda_stream();
    uint32_t count[PARTS * CLASSES + PARTS], at = 0, pieces = 0, longs = 0;
    weft_status st = sort_rows(ctx, r, part, l, count);
    if (st) return st;
    l->parts = (uint32_t)(((uint64_t)r->n + part - 1) / part);
    for (uint32_t p = 0; p < l->parts; p++) {
        l->first_piece[p] = pieces;
        l->part[p].pieces = count[PARTS * CLASSES + p];
        pieces += l->part[p].pieces;
        longs += count[p * CLASSES];
        for (uint32_t c = 0; c < CLASSES; c++) {
            l->part[p].start[c] = at;
            at += count[p * CLASSES + c];
        }
        l->part[p].start[CLASSES] = at;
    }
    wfi_buffer<uint32_t> cursor;
    st = l->slot.take(ctx, r->n);
    if (!st) st = l->piece.take(ctx, pieces);
    if (!st) st = l->long_sum.take_zeroed(ctx, 3 * (size_t)longs);
    if (!st) st = cursor.take_zeroed(ctx, PARTS);
    if (st) return st;
    for (uint32_t p = 0, slot = 0; p < l->parts; p++) {
        const part_lists *q = &l->part[p];
        uint32_t rows = q->start[1] - q->start[0];
        if (rows)
            cut_long_rows<<<wfi_grid(rows, PLAIN_THREADS, 1024), PLAIN_THREADS, 0, stream>>>(
                r->offsets.data, l->list.data, q->start[0], q->start[1], slot, l->slot.data,
                l->piece.data + l->first_piece[p], cursor.data + p);
        slot += rows;
    }
    return wfi_cuda_sync(ctx);
}

/* --- the run -------------------------------------------------------------------------- */

template <class S> struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_pagerank_params *p;
    const wfi_ranked *r;
    lists l;
    job<S> j;
    int blocks;
    size_t shared;
    wfi_buffer<S> rank, share, next;
    wfi_buffer<double> give, restart;
    wfi_buffer<control> c;
};

template <class S> static weft_status fit_to_device(run<S> *u) {
    weft_ctx *ctx = u->ctx;
    int sms = 0, most = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    WFI_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    size_t hubs = (size_t)(most - 1024) / sizeof(S) * 7 / 8; /* the rest stays a cache for the other shares */
    u->blocks = sms;
    u->j.hubs = (uint32_t)wfi_min_u64(hubs, u->g->n);
    u->shared = u->j.hubs * sizeof(S);
    WFI_CUDA(cudaFuncSetAttribute(sweep_part<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)u->shared));
    return WEFT_OK;
}

template <class S> static weft_status take_arrays(run<S> *u, const double *restart) {
    weft_ctx *ctx = u->ctx;
    weft_vid n = u->g->n;
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
            permute_restart<<<wfi_grid(n, PLAIN_THREADS, 1024), PLAIN_THREADS, 0, wfi_cuda_stream()>>>(
                plain.data, u->r->old_of.data, n, u->restart.data);
        if (!st) st = wfi_cuda_sync(ctx);
    }
    job<S> *j = &u->j;
    j->offsets = u->r->offsets.data;
    j->sources = u->r->sources.data;
    j->list = u->l.list.data;
    j->piece = u->l.piece.data;
    j->slot = u->l.slot.data;
    j->long_sum = u->l.long_sum.data;
    j->rank = u->rank.data;
    j->share = u->share.data;
    j->next = u->next.data;
    j->give = u->give.data;
    j->restart = u->restart.data;
    j->c = u->c.data;
    return st;
}

template <class S> static void launch_iteration(run<S> *u, uint64_t number) {
    cudaStream_t stream = wfi_cuda_stream();
    const weft_pagerank_params *p = u->p;
    unsigned plain = wfi_grid(u->g->n, PLAIN_THREADS, 4096);
    bool several = u->l.parts > 1, drop = p->dangling == WEFT_DANGLING_DROP;
    for (uint32_t q = 0; q < u->l.parts; q++) {
        const part_lists *part = &u->l.part[q];
        sweep_part<S><<<u->blocks, THREADS, u->shared, stream>>>(u->j, *part, u->l.first_piece[q]);
        if (several)
            take_effect<S><<<wfi_grid(part->start[CLASSES] - part->start[0], PLAIN_THREADS, 4096), PLAIN_THREADS, 0, stream>>>(
                u->j, part->start[0], part->start[CLASSES]);
    }
    if (!several) {
        u->share.swap(u->next);
        S *old = u->j.share;
        u->j.share = u->j.next;
        u->j.next = old;
    }
    conclude<S><<<1, 1, 0, stream>>>(u->j.c, p->damping, p->tolerance, !p->iterations, drop, several);
    if (several) scale_all<S><<<plain, PLAIN_THREADS, 0, stream>>>(u->j, u->g->n, number);
}

/* Batches of iterations, so long that asking between them costs nothing and a request to stop is heard soon. */
template <class S> static weft_status iterate(run<S> *u, control *seen) {
    weft_ctx *ctx = u->ctx;
    uint64_t most = u->p->iterations ? u->p->iterations : u->p->max_iterations, done = 0, batch = 1;
    memset(seen, 0, sizeof *seen);
    while (done < most && !seen->settled) {
        double begin = wfi_now_ms();
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "ranking", done, most);
        for (uint64_t i = 0; i < batch && done < most; i++) launch_iteration(u, ++done);
        weft_status st = wfi_download(ctx, seen, u->j.c, sizeof *seen);
        if (st) return st;
        if (wfi_now_ms() - begin < 5 && batch < 1024) batch *= 2;
    }
    return WEFT_OK;
}

template <class S>
static weft_status rank_all(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p, const double *restart,
                            weft_type type, weft_result *result) {
    cudaStream_t stream = wfi_cuda_stream();
    weft_vid n = g->n;
    unsigned plain = wfi_grid(n, PLAIN_THREADS, 4096);
    run<S> u = {};
    u.ctx = ctx;
    u.g = g;
    u.p = p;
    u.j.damping = p->damping;
    u.j.uniform = 1 / (double)n;
    S *rank;
    control seen = {};
    weft_status st = wfi_result_column(ctx, result, "rank", type, n, 1, &rank);
    if (!st) st = wfi_mirror_ranked(ctx, g, &u.r);
    if (!st) st = make_lists(ctx, u.r, wfi_pagerank_part(n, p->iterations > 0), &u.l);
    if (!st) st = take_arrays(&u, restart);
    if (!st) st = fit_to_device(&u);
    if (st) return st;
    wfi_pagerank_beginning b = wfi_pagerank_begin(g, p, u.r->sinks);
    begin_ranks<S><<<plain, PLAIN_THREADS, 0, stream>>>(u.j, u.give.data, u.r->degree.data, n, b.flat, b.slope);
    conclude<S><<<1, 1, 0, stream>>>(u.j.c, p->damping, -1, false, p->dangling == WEFT_DANGLING_DROP, false);
    WFI_CUDA(cudaMemsetAsync(&u.j.c->iterations, 0, sizeof u.j.c->iterations, stream));
    st = iterate(&u, &seen);
    if (st) return st;
    give_ranks<S><<<plain, PLAIN_THREADS, 0, stream>>>(u.j.rank, u.r->old_of.data, n, u.j.next, u.j.c);
    control last;
    st = wfi_download(ctx, rank, u.j.next, n * sizeof *rank);
    if (!st) st = wfi_download(ctx, &last, u.j.c, sizeof last);
    if (st) return st;
    wfi_fixed sum = {last.sum[0], last.sum[1]};
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
    uint64_t state = (3 * each + 8 + 8 + (personal ? 8 : 0)) * n;
    (void)ctx;
    choice->method = "pull by degree";
    snprintf(choice->reason, sizeof choice->reason, "rows by length, the shares of the busiest vertices in shared memory");
    choice->host_bytes = each * n + (personal ? 8 * n : 0);
    choice->device_bytes = wfi_max_u64(graph.peak, graph.kept + wfi_max_u64(state, 16 * n));
}
