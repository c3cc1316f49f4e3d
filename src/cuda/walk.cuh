/* Load balancing over rows of very different lengths.
 * A walk gives each warp an equal span of the arc array; the warp finds its rows by search, as in merge-based load
 * balancing [1].  An expansion gives a short row to its thread, a longer row to the thread's warp, a very long row to
 * the block [2].
 * [1] Baxter, "Modern GPU", load-balancing search, 2013.
 * [2] Merrill, Garland, Grimshaw, "Scalable GPU graph traversal", PPoPP 2012. */
#ifndef WFI_CUDA_WALK_CUH
#define WFI_CUDA_WALK_CUH

#include "core/search.h"
#include "cuda/gpu.cuh"
#include "graph/graph.h"

/* --- walk ------------------------------------------------------------------------------------------------ */

/* A visitor has
 *     bool wants(weft_vid v)                                             true if row v matters; called by a lane
 *     void alone(weft_vid v, const weft_vid *target, unsigned count)     a lane takes a few arcs of row v
 *     void together(weft_vid v, const weft_vid *target, unsigned count)  a warp takes some
 * A row may come in several parts, at the same time. */

enum {
    WFI_WALK_WARP = 32,
    WFI_WALK_THREADS = 256,
    WFI_WALK_SPAN = 512, /* arcs of a warp */
    WFI_WALK_FEW = 64,   /* the same if there are too few arcs to keep all warps busy */
    WFI_WALK_ALONE = 16  /* arcs of a row that a single lane takes */
};

/* The row with offsets[row] <= e < offsets[row + 1], by all lanes: a search with 32 probes a step.  low: a row at or
 * before it. */
template <class O> __device__ uint64_t wfi_row_of(const O *offsets, uint64_t low, uint64_t rows, O e) {
    unsigned lane = threadIdx.x % WFI_WALK_WARP;
    uint64_t high = rows;
    while (high - low > 1) {
        uint64_t step = (high - low + WFI_WALK_WARP - 1) / WFI_WALK_WARP, probe = low + (lane + 1) * step;
        unsigned below = __ballot_sync(~0u, probe < high && offsets[probe] <= e);
        low += (unsigned)__popc(below) * step;
        high = low + step < high ? low + step : high;
    }
    return low;
}

/* Lanes take their short rows, then the whole warp takes each longer one. */
template <class V> __device__ void wfi_take_rows(V &visit, weft_vid v, const weft_vid *target, unsigned count) {
    bool together = count > WFI_WALK_ALONE;
    if (count && !together) visit.alone(v, target, count);
    for (unsigned left = __ballot_sync(~0u, together); left; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        visit.together(__shfl_sync(~0u, v, owner),
                       (const weft_vid *)__shfl_sync(~0u, (unsigned long long)(uintptr_t)target, owner),
                       __shfl_sync(~0u, count, owner));
    }
}

/* Walks arcs begin ... end-1 of the rows with these offsets; arc e is at targets[e - base].  Row i belongs to
 * vertex[i], or to i if vertex is NULL. */
template <class O, int SPAN = WFI_WALK_SPAN, class V>
__global__ void __launch_bounds__(WFI_WALK_THREADS) wfi_walk(const O *offsets, const weft_vid *vertex, uint64_t rows,
                                                             const weft_vid *targets, O base, O begin, O end, V visit) {
    unsigned lane = threadIdx.x % WFI_WALK_WARP;
    uint64_t warp = wfi_thread() / WFI_WALK_WARP, warps = wfi_all_threads() / WFI_WALK_WARP;
    for (uint64_t span = begin + warp * SPAN; span < end; span += warps * SPAN) {
        O e = (O)span, stop = end - e > SPAN ? e + SPAN : end;
        uint64_t row = wfi_row_of<O>(offsets, 0, rows, e);
        while (e < stop) {
            uint64_t mine = row + lane;
            O from = mine < rows ? offsets[mine] : stop, to = mine < rows ? offsets[mine + 1] : stop;
            O reached = __shfl_sync(~0u, to, WFI_WALK_WARP - 1);
            from = from < e ? e : from;
            to = to > stop ? stop : to;
            unsigned count = to > from ? (unsigned)(to - from) : 0;
            weft_vid v = count && vertex ? vertex[mine] : (weft_vid)mine;
            if (count && !visit.wants(v)) count = 0;
            wfi_take_rows(visit, v, targets + (from - base), count);
            /* 32 rows without arcs: millions of them may follow */
            row = reached > e ? row + WFI_WALK_WARP : wfi_row_of<O>(offsets, row, rows, e);
            e = reached > e ? reached : e;
        }
    }
}

static inline unsigned wfi_walk_blocks(uint64_t arcs, unsigned span = WFI_WALK_SPAN) {
    uint64_t each = (uint64_t)span * (WFI_WALK_THREADS / WFI_WALK_WARP), blocks = (arcs + each - 1) / each;
    return (unsigned)(blocks < 1 ? 1 : blocks < 1 << 20 ? blocks : 1 << 20);
}

/* Walks all arcs of a graph's rows. */
template <class V> static weft_status wfi_walk_rows(weft_ctx *ctx, const wfi_view &rows, weft_eid arcs, V visit) {
    if (!arcs) return WEFT_OK;
    wfi_walk<weft_eid><<<wfi_walk_blocks(arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        rows.offsets, NULL, rows.count, rows.targets, 0, 0, arcs, visit);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* A visitor: visit(v, u) for each arc. */
template <class F> struct wfi_arc_visitor {
    F visit;

    __device__ bool wants(weft_vid) const { return true; }
    __device__ void alone(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned k = 0; k < count; k++) visit(v, target[k]);
    }
    __device__ void together(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned k = threadIdx.x % WFI_WALK_WARP; k < count; k += WFI_WALK_WARP) visit(v, target[k]);
    }
};

/* --- expansion ------------------------------------------------------------------------------------------- */

enum { WFI_SHORT_ROW = 16, WFI_WARP_ROW = 2048 };

/* Each thread of the block brings arcs e ... end-1 of its vertex v (none if e >= end); some thread calls visit(v,
 * target) for each arc, once.  All THREADS threads of the block must call this. */
template <int THREADS, class Visit>
__device__ static inline void wfi_expand_rows(const weft_vid *targets, weft_vid v, weft_eid e, weft_eid end,
                                              Visit visit) {
    __shared__ weft_vid vertex;
    __shared__ weft_eid begin_at, end_at;
    weft_eid length = e < end ? end - e : 0;
    if (length <= WFI_SHORT_ROW)
        for (; e < end; e++) visit(v, targets[e]);
    unsigned lane = threadIdx.x % 32;
    for (unsigned left = __ballot_sync(~0u, length > WFI_SHORT_ROW && length <= WFI_WARP_ROW); left; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        weft_vid u = __shfl_sync(~0u, v, owner);
        weft_eid from = __shfl_sync(~0u, e, owner) + lane, to = __shfl_sync(~0u, end, owner);
        for (; from < to; from += 32) visit(u, targets[from]);
    }
    bool mine = length > WFI_WARP_ROW;
    while (__syncthreads_or(mine)) { /* the last writer is served, the others try again */
        if (mine) atomicExch(&vertex, v);
        __syncthreads();
        if (mine && vertex == v) {
            begin_at = e;
            end_at = end;
            mine = false;
        }
        __syncthreads();
        for (weft_eid at = begin_at + threadIdx.x; at < end_at; at += THREADS) visit(vertex, targets[at]);
    }
}

#endif
