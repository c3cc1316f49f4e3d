/* Parents from final distances, GPU, by the rule in sssp_parents.c.
 * Method: one pass over all arcs.  In an undirected graph a vertex searches its own row for its predecessors: for an
 * arc longer than the vertex's distance the other end need not be read.  In a directed graph a vertex offers itself
 * along its row.  The smallest candidate wins by an atomic minimum.  A warp takes 32 rows end to end; longer rows are
 * cut into chunks for a second pass.
 * If there are rows of light edges, vertices nearer than their bound search these rows only.
 * Hops are computed level by level in one kernel, only if the search met an arc between equal distances. */
#include "algo/sssp/sssp_device.cuh"
#include "cuda/grid.cuh"

#include <cooperative_groups.h>

namespace groups = cooperative_groups;

enum {
    THREADS = 256,
    WALKERS = 1024,
    WARP = WFI_SSSP_WARP,
    PIECE = WFI_SSSP_PIECE,
    ARCS = 4, /* arcs of a lane in flight */
    SETS = 3,
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    ROW_BLOCKS = 4, /* blocks for each SM; limits registers */
#else
    ROW_BLOCKS = 6,
#endif
    LEVELS = 1 << 12 /* levels of a launch; the host polls between launches */
};

namespace {

template <class D> struct family {
    wfi_sssp_arcs g;
    const D *distance;
    weft_vid *parent;
    wfi_sssp_piece<D> *pieces;
    unsigned long long *piece_count;
    D low, high; /* range of distances of the vertices to search */
};

/* State of the walk between launches. */
struct walk {
    unsigned long long filled, from, to, found[SETS];
    unsigned level;
    int done;
};

} // namespace

/* Weights first: in a pull most arcs are too long, and their other ends need not be read. */
template <bool PULL, class D> __device__ static void look(const family<D> &f, const wfi_sssp_rows<D> &rows) {
    for (unsigned first = wfi_sssp_lane(); first < rows.all + wfi_sssp_lane(); first += ARCS * WARP) {
        weft_eid e[ARCS];
        D at[ARCS], other[ARCS];
        weft_vid x[ARCS], y[ARCS];
        D weight[ARCS];
        unsigned there = 0;
#pragma unroll
        for (int k = 0; k < ARCS; k++) {
            unsigned place = first + k * WARP;
            int owner = wfi_sssp_owner(rows.start, place);
            e[k] = __shfl_sync(~0u, rows.shift, owner) + place;
            x[k] = __shfl_sync(~0u, rows.u, owner);
            at[k] = __shfl_sync(~0u, rows.from, owner);
            there |= (place < rows.all ? 1u : 0u) << k;
            weight[k] = place < rows.all ? wfi_sssp_weight_at<D>(f.g, e[k]) : 0;
        }
#pragma unroll
        for (int k = 0; k < ARCS; k++) {
            if (PULL && wfi_sssp_add((D)0, weight[k], f.g.weights) > at[k]) there &= ~(1u << k);
            y[k] = there >> k & 1 ? __ldg(&f.g.out.targets[e[k]]) : 0;
        }
#pragma unroll
        for (int k = 0; k < ARCS; k++) other[k] = there >> k & 1 ? __ldg(&f.distance[y[k]]) : 0;
#pragma unroll
        for (int k = 0; k < ARCS; k++) {
            D near = PULL ? other[k] : at[k], far = PULL ? at[k] : other[k];
            if (there >> k & 1 && near < far && far < wfi_sssp_none<D>() &&
                wfi_sssp_add(near, weight[k], f.g.weights) == far)
                atomicMin(&f.parent[PULL ? x[k] : y[k]], PULL ? y[k] : x[k]);
        }
    }
}

template <class D>
__device__ static void cut(const family<D> &f, unsigned long_ones, weft_vid v, D at, weft_eid length) {
    unsigned lane = wfi_sssp_lane(), mine = length > PIECE ? (unsigned)((length + PIECE - 1) / PIECE) : 0, all;
    unsigned before = wfi_sssp_before(mine, &all);
    unsigned long long base = 0;
    if (lane == 0) base = atomicAdd(f.piece_count, all);
    base = __shfl_sync(~0u, base, 0);
    for (; long_ones; long_ones &= long_ones - 1) {
        int who = __ffs((int)long_ones) - 1;
        weft_vid row = __shfl_sync(~0u, v, who);
        D from = __shfl_sync(~0u, at, who);
        unsigned count = __shfl_sync(~0u, mine, who), start = __shfl_sync(~0u, before, who);
        for (unsigned i = lane; i < count; i += WARP) f.pieces[base + start + i] = {from, row, i};
    }
}

template <bool PULL, class D>
__global__ static void __launch_bounds__(THREADS, sizeof(D) == 4 ? ROW_BLOCKS : 1) rows_kernel(family<D> f) {
    unsigned lane = wfi_sssp_lane();
    uint64_t warp = wfi_thread() / WARP;
    for (uint64_t first = warp * WARP; first < f.g.n; first += wfi_all_threads()) {
        bool mine = first + lane < f.g.n;
        weft_vid v = (weft_vid)(mine ? first + lane : 0);
        D at = f.distance[v];
        weft_eid begin = f.g.out.offsets[v], length = f.g.out.offsets[v + 1] - begin;
        if (!mine || at < f.low || at >= f.high) length = 0;
        unsigned long_ones = __ballot_sync(~0u, length > PIECE);
        if (long_ones) cut(f, long_ones, v, at, length);
        look<PULL>(f, wfi_sssp_join(v, at, begin, length > PIECE ? 0 : (unsigned)length));
    }
}

template <bool PULL, class D> __global__ static void pieces_kernel(family<D> f) {
    uint64_t warp = wfi_thread() / WARP;
    for (uint64_t i = warp; i < *f.piece_count; i += wfi_all_threads() / WARP) {
        wfi_sssp_piece<D> p = f.pieces[i];
        weft_eid begin = f.g.out.offsets[p.v] + (weft_eid)p.index * PIECE, end = f.g.out.offsets[p.v + 1];
        unsigned length = begin + PIECE < end ? PIECE : (unsigned)(end - begin);
        look<PULL>(f, wfi_sssp_join(p.v, p.at, begin, wfi_sssp_lane() ? 0 : length));
    }
}

__global__ static void name_source(weft_vid *parent, weft_vid source) { parent[source] = source; }

/* --- weights of 0 -------------------------------------------------------------------------- */

/* Queues all vertices with a parent, in any order; the other vertices have no hop yet. */
template <class D> __global__ static void gather_kernel(family<D> f, weft_vid *queue, uint32_t *hop, walk *w) {
    unsigned lane = wfi_sssp_lane();
    uint64_t first = wfi_thread() - lane;
    for (; first < f.g.n; first += wfi_all_threads()) {
        uint64_t v = first + lane;
        bool known = v < f.g.n && f.parent[v] != WEFT_NO_VERTEX;
        unsigned all = __ballot_sync(~0u, known);
        unsigned long long base = 0;
        if (lane == 0 && all) base = atomicAdd(&w->filled, (unsigned)__popc(all));
        base = __shfl_sync(~0u, base, 0);
        if (known) queue[base + (unsigned)__popc(all & ((1u << lane) - 1))] = (weft_vid)v;
        if (v < f.g.n) hop[v] = known ? 0 : UINT32_MAX;
    }
}

namespace {

/* A level of the walk; vertices found are queued from `end` on. */
struct hop_level {
    unsigned level;
    weft_vid *queue;
    uint32_t *hop;
    unsigned long long end, *found;
};

} // namespace

/* A vertex u of the last level offers itself to the neighbours at the same distance that have no hop yet. */
template <class D> __device__ static void offer_row(const family<D> &f, weft_vid u, const hop_level &l) {
    D at = f.distance[u];
    for (weft_eid e = f.g.out.offsets[u] + wfi_sssp_lane(); e < f.g.out.offsets[u + 1]; e += WARP) {
        weft_vid v = f.g.out.targets[e];
        if (f.distance[v] != at || wfi_sssp_add(at, wfi_sssp_weight_at<D>(f.g, e), f.g.weights) != at) continue;
        if (__ldcg(&l.hop[v]) < l.level) continue;
        atomicMin(&f.parent[v], u);
        if (atomicCAS(&l.hop[v], UINT32_MAX, l.level) == UINT32_MAX) l.queue[l.end + atomicAdd(l.found, 1ull)] = v;
    }
}

template <class D>
__global__ void __launch_bounds__(WALKERS, 1) walk_kernel(family<D> f, weft_vid *queue, uint32_t *hop, walk *w) {
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * (WALKERS / WARP);
    unsigned level = __ldcg(&w->level), last = level + LEVELS;
    unsigned long long from = __ldcg(&w->from), to = __ldcg(&w->to);
    while (from < to && level < last) {
        level++;
        unsigned long long *found = &w->found[level % SETS];
        if (grid.thread_rank() == 0) w->found[(level + 1) % SETS] = 0;
        for (unsigned long long i = from + warp; i < to; i += warps)
            offer_row(f, __ldcg(&queue[i]), {level, queue, hop, to, found});
        from = to;
        to += wfi_sync_and_broadcast(found);
    }
    if (grid.thread_rank()) return;
    w->from = from;
    w->to = to;
    w->level = level;
    w->done = from == to;
}

template <class D> static weft_status walk_hops(weft_ctx *ctx, const family<D> &f, uint32_t *scratch, walk *w) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    walk seen = {};
    int sms = wfi_gpu_of(ctx)->sms;
    weft_status st = wfi_zero(ctx, w, 1);
    if (st) return st;
    weft_vid *queue = scratch;
    uint32_t *hop = scratch + f.g.n;
    gather_kernel<<<wfi_grid(f.g.n, THREADS, 4096), THREADS, 0, stream>>>(f, queue, hop, w);
    WFI_CUDA_OR_RETURN(cudaMemcpyAsync(&w->to, &w->filled, sizeof w->to, cudaMemcpyDeviceToDevice, stream));
    do {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        void *args[] = {(void *)&f, &queue, &hop, &w};
        WFI_CUDA_OR_RETURN(
            cudaLaunchCooperativeKernel((void *)walk_kernel<D>, dim3((unsigned)sms), dim3(WALKERS), args, 0, stream));
        st = wfi_download(ctx, &seen, w, sizeof seen);
    } while (!st && !seen.done);
    return st;
}

/* --- the pass over all arcs ------------------------------------------------------------------ */

template <bool PULL, class D> static void look_at_all(const weft_ctx *ctx, const family<D> &f) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    rows_kernel<PULL><<<wfi_grid(f.g.n, THREADS, 1 << 14), THREADS, 0, stream>>>(f);
    pieces_kernel<PULL><<<1024, THREADS, 0, stream>>>(f);
}

template <class D> weft_status wfi_sssp_parents_cuda(weft_ctx *ctx, const wfi_sssp_found<D> &s) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned long long *count = (unsigned long long *)s.state;
    walk *hopping = (walk *)(count + 2);
    static_assert(2 * sizeof *count + sizeof *hopping <= WFI_SSSP_STATE, "the state is too small");
    weft_status st = wfi_zero(ctx, count, 2);
    if (st) return st;
    family<D> f = {s.g, s.distance, s.parent, s.pieces, count, s.below, wfi_sssp_none<D>()};
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(s.parent, 0xff, s.g.n * sizeof *s.parent, stream)); /* bytes of WEFT_NO_VERTEX */
    if (s.below) look_at_all<true, D>(ctx, {s.light, s.distance, s.parent, s.pieces, count + 1, 0, s.below});
    if (s.directed)
        look_at_all<false>(ctx, f);
    else
        look_at_all<true>(ctx, f);
    name_source<<<1, 1, 0, stream>>>(s.parent, s.source);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return s.hops ? walk_hops(ctx, f, s.scratch, hopping) : WEFT_OK;
}

template weft_status wfi_sssp_parents_cuda<uint32_t>(weft_ctx *, const wfi_sssp_found<uint32_t> &);
template weft_status wfi_sssp_parents_cuda<wfi_sssp_bits>(weft_ctx *, const wfi_sssp_found<wfi_sssp_bits> &);
