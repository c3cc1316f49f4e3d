/* A step along the rows of a graph whose vertices have a line of words each, one or several words for every lane of a
 * warp: the lines of a row's neighbours are joined.  A warp takes a row, so that a neighbour's line is one request to
 * memory; a block takes a row longer than LONG_ROW.  Warps draw units of rows.
 *
 * A visitor has
 *   static const int WORDS                       of a line, for each lane
 *   bool wants(uint64_t item)                    true if the row matters; called by a lane
 *   bool begin(uint64_t item, weft_vid v)        by one warp; false: nothing is left to be done
 *   void load(uint64_t item, weft_vid v)         by each warp that takes part, before its first arc
 *   bool take(weft_vid target, unsigned count)   by a warp, lane k having target k of `count`; true: it has enough
 *   uint32_t &word(int k), static uint32_t join(uint32_t, uint32_t)
 *   void end(uint64_t item, weft_vid v)          by one warp, with the joined line
 * An item is a vertex, in one of several groups of n. */
#ifndef WFI_MSBFS_LINES_CUH
#define WFI_MSBFS_LINES_CUH

#include "cuda/grid.cuh"
#include "graph/graph.h"

namespace lines {

enum {
    WARP = 32,
    THREADS = 512,
    WARPS = THREADS / WARP,
    LONG_ROW = 1024,
    MOST_UNIT = 32,
    SLAB = 4 /* words of a lane that the warps of a block join at once */
};

__device__ static inline unsigned lane_of(void) { return threadIdx.x % WARP; }

/* Shared tickets of rows and units; 0 before a step. */
struct turns {
    unsigned long long longs, units;
};

/* The constants of all steps. */
struct layout {
    wfi_view rows;
    uint64_t items; /* groups * n */
    weft_vid n;
    const weft_vid *longs; /* vertices with long rows */
    unsigned long_count, unit;
};

__device__ static inline weft_vid vertex_of(uint64_t item, weft_vid n) {
    return item < n ? (weft_vid)item : (weft_vid)(item % n);
}

template <class V>
__device__ static void along(V &visit, const weft_vid *target, weft_eid e, weft_eid end, unsigned step) {
    weft_vid next = e + lane_of() < end ? target[e + lane_of()] : 0;
    while (e < end) {
        weft_vid here = next;
        unsigned count = end - e < WARP ? (unsigned)(end - e) : WARP;
        e += step;
        next = e + lane_of() < end ? target[e + lane_of()] : 0;
        if (visit.take(here, count)) break;
    }
}

/* Joins the words of all warps into those of the first. */
template <class V> __device__ static void join_block(V &visit) {
    __shared__ uint32_t part[WARPS][SLAB][WARP];
    unsigned warp = threadIdx.x / WARP, lane = lane_of();
#pragma unroll
    for (int from = 0; from < V::WORDS; from += SLAB) {
        __syncthreads();
#pragma unroll
        for (int k = from; k < V::WORDS && k < from + SLAB; k++) part[warp][k - from][lane] = visit.word(k);
        __syncthreads();
        if (warp) continue;
#pragma unroll
        for (int k = from; k < V::WORDS && k < from + SLAB; k++)
            for (int w = 1; w < WARPS; w++) visit.word(k) = V::join(visit.word(k), part[w][k - from][lane]);
    }
}

template <class V> __device__ static void take_long(V &visit, const layout &l, turns *turn) {
    __shared__ unsigned long long mine;
    __shared__ bool goes_on;
    unsigned warp = threadIdx.x / WARP;
    uint64_t all = (uint64_t)l.long_count * (l.items / l.n);
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) mine = atomicAdd(&turn->longs, 1ull);
        __syncthreads();
        if (mine >= all) return;
        weft_vid v = l.longs[mine % l.long_count];
        uint64_t item = mine / l.long_count * l.n + v;
        if (warp == 0) {
            bool more = visit.wants(item) && visit.begin(item, v);
            if (lane_of() == 0) goes_on = more;
        }
        __syncthreads();
        if (!goes_on) continue;
        visit.load(item, v);
        along(visit, l.rows.targets, l.rows.offsets[v] + warp * WARP, l.rows.offsets[v + 1], THREADS);
        join_block(visit);
        if (warp == 0) visit.end(item, v);
    }
}

/* All rows, by all threads of the grid. */
template <class V> __device__ static void visit_rows(V &visit, const layout &l, turns *turn) {
    unsigned lane = lane_of();
    uint64_t warp = blockIdx.x + threadIdx.x / WARP * (uint64_t)gridDim.x, warps = (uint64_t)gridDim.x * WARPS;
    uint64_t units = (l.items + l.unit - 1) / l.unit;
    if (l.long_count) take_long(visit, l, turn);
    for (uint64_t unit = warp; unit < units;) {
        uint64_t item = unit * l.unit + lane;
        bool mine = lane < l.unit && item < l.items;
        weft_vid v = mine ? vertex_of(item, l.n) : 0;
        weft_eid begin = mine ? l.rows.offsets[v] : 0, end = mine ? l.rows.offsets[v + 1] : 0;
        mine = mine && end - begin <= LONG_ROW && visit.wants(item);
        for (unsigned left = __ballot_sync(~0u, mine); left; left &= left - 1) {
            int owner = __ffs((int)left) - 1;
            uint64_t their = unit * l.unit + (unsigned)owner;
            weft_vid row = __shfl_sync(~0u, v, owner);
            weft_eid from = __shfl_sync(~0u, begin, owner), to = __shfl_sync(~0u, end, owner);
            if (!visit.begin(their, row)) continue;
            visit.load(their, row);
            along(visit, l.rows.targets, from, to, WARP);
            visit.end(their, row);
        }
        unsigned long long next = 0;
        if (lane == 0) next = atomicAdd(&turn->units, 1ull);
        unit = warps + __shfl_sync(~0u, next, 0);
    }
}

/* Lists the rows longer than LONG_ROW; *count was 0. */
__global__ static void list_long(wfi_view rows, weft_vid n, weft_vid *longs, unsigned *count) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        if (rows.offsets[v + 1] - rows.offsets[v] > LONG_ROW) longs[atomicAdd(count, 1u)] = (weft_vid)v;
}

static inline uint64_t most_long(weft_eid arcs) { return arcs / LONG_ROW + 1; }

/* Small enough that each warp draws several units, if there are enough rows. */
static inline unsigned unit_for(uint64_t items, unsigned blocks) {
    uint64_t each = items / ((uint64_t)blocks * WARPS * 8);
    return each < 1 ? 1 : each > MOST_UNIT ? (unsigned)MOST_UNIT : (unsigned)each;
}

} // namespace lines

#endif
