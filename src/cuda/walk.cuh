/* Going through the arcs of rows with warps, about equally many each, however long the rows are.
 * A visitor has
 *     bool wants(weft_vid v)                                  is row v of interest?  asked by a lane
 *     void alone(weft_vid v, const weft_vid *target, unsigned count)     a lane takes a few arcs of row v
 *     void together(weft_vid v, const weft_vid *target, unsigned count)  a warp takes some
 * A row may come in several parts, at once. */
#ifndef WFI_CUDA_WALK_CUH
#define WFI_CUDA_WALK_CUH

#include "weft.h"

#include <stdint.h>

enum {
    WFI_WALK_WARP = 32,
    WFI_WALK_THREADS = 256,
    WFI_WALK_SPAN = 512, /* arcs that a warp takes */
    WFI_WALK_ALONE = 16, /* arcs of a row that a lane takes */
    WFI_WALK_LONG = 1024 /* a listed row that is longer is taken by several warps */
};

/* The row with offsets[row] <= e < offsets[row + 1], by all lanes: a search in 32 steps at a time.  low: no row before it. */
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

/* Lanes take their short rows, then all of them each longer one. */
template <class V> __device__ void wfi_take_rows(V &visit, weft_vid v, const weft_vid *target, unsigned count) {
    bool together = count > WFI_WALK_ALONE;
    if (count && !together) visit.alone(v, target, count);
    for (unsigned left = __ballot_sync(~0u, together); left; left &= left - 1) {
        int who = __ffs((int)left) - 1;
        visit.together(__shfl_sync(~0u, v, who),
                       (const weft_vid *)__shfl_sync(~0u, (unsigned long long)(uintptr_t)target, who),
                       __shfl_sync(~0u, count, who));
    }
}

/* Arcs begin ... end-1 of the rows with these offsets; arc e is at targets[e - base].  Row i is vertex[i]'s, or i's when vertex
 * is NULL. */
template <class O, class V>
__global__ void __launch_bounds__(WFI_WALK_THREADS) wfi_walk(const O *offsets, const weft_vid *vertex, uint64_t rows,
                                                             const weft_vid *targets, O base, O begin, O end, V visit) {
    unsigned lane = threadIdx.x % WFI_WALK_WARP;
    uint64_t warp = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WFI_WALK_WARP,
             warps = (uint64_t)gridDim.x * blockDim.x / WFI_WALK_WARP;
    for (uint64_t span = begin + warp * WFI_WALK_SPAN; span < end; span += warps * WFI_WALK_SPAN) {
        O e = (O)span, stop = end - e > WFI_WALK_SPAN ? e + WFI_WALK_SPAN : end;
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
            /* 32 rows without arcs: there may be millions of them. */
            row = reached > e ? row + WFI_WALK_WARP : wfi_row_of<O>(offsets, row, rows, e);
            e = reached > e ? reached : e;
        }
    }
}

static inline unsigned wfi_walk_blocks(uint64_t arcs) {
    uint64_t each = WFI_WALK_SPAN * (WFI_WALK_THREADS / WFI_WALK_WARP), blocks = (arcs + each - 1) / each;
    return (unsigned)(blocks < 1 ? 1 : blocks < 1 << 20 ? blocks : 1 << 20);
}

/* The arcs below `most` of the listed rows, or of all rows when list is NULL.  Blocks of the same x share long rows among y. */
template <class V>
__global__ void __launch_bounds__(WFI_WALK_THREADS)
    wfi_walk_list(const weft_eid *offsets, const weft_vid *list, uint64_t count, const weft_vid *targets, weft_eid most,
                  V visit) {
    unsigned lane = threadIdx.x % WFI_WALK_WARP;
    uint64_t warp = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WFI_WALK_WARP,
             warps = (uint64_t)gridDim.x * blockDim.x / WFI_WALK_WARP;
    for (uint64_t base = warp * WFI_WALK_WARP; base < count; base += warps * WFI_WALK_WARP) {
        bool there = base + lane < count;
        weft_vid v = there ? (list ? list[base + lane] : (weft_vid)(base + lane)) : 0;
        there = there && visit.wants(v);
        weft_eid from = there ? offsets[v] : 0, to = there ? offsets[v + 1] : 0;
        to = to > most ? most : to;
        uint64_t length = to > from ? to - from : 0;
        if (blockIdx.y == 0) wfi_take_rows(visit, v, targets + from, length > WFI_WALK_LONG ? 0 : (unsigned)length);
        for (unsigned left = __ballot_sync(~0u, length > WFI_WALK_LONG); left; left &= left - 1) {
            int who = __ffs((int)left) - 1;
            weft_vid u = __shfl_sync(~0u, v, who);
            weft_eid first = __shfl_sync(~0u, from, who), last = __shfl_sync(~0u, to, who);
            for (first += (weft_eid)blockIdx.y * WFI_WALK_LONG; first < last;
                 first += (weft_eid)gridDim.y * WFI_WALK_LONG)
                visit.together(u, targets + first,
                               last - first < WFI_WALK_LONG ? (unsigned)(last - first) : WFI_WALK_LONG);
        }
    }
}

#endif
