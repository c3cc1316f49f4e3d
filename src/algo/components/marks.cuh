/* Reachability by sweeps inside a cooperative kernel: the way in which weak and strong components find the largest one.
 * An unmarked vertex scans its row for a marked neighbour (pull), so hubs are found at once and there is no contention.
 * Encoding: marks are a bitmap, 32 vertices to a warp, which alone writes their word during a sweep. */
#ifndef WFI_COMPONENTS_MARKS_CUH
#define WFI_COMPONENTS_MARKS_CUH

#include "cuda/grid.cuh"
#include "cuda/mirror.cuh"
#include "cuda/warp.cuh"

#include <cooperative_groups.h>

enum {
    WFI_WARP = 32,
    WFI_LOOK = 8,          /* arcs that a lane scans alone before its warp helps */
    WFI_LONGEST = 1 << 16, /* arcs that a warp scans before it gives up */
    WFI_TURNS = 3
};

static inline size_t wfi_mark_words(weft_vid n) { return ((size_t)n + WFI_WARP - 1) / WFI_WARP; }

__device__ static inline unsigned wfi_lane(void) { return threadIdx.x % WFI_WARP; }

__device__ static inline bool wfi_marked(const uint32_t *marks, weft_vid v) {
    return __ldcg(&marks[v / WFI_WARP]) >> v % WFI_WARP & 1;
}

/* The bits of the warp's open vertices v with some u in their row such that wanted(v, u).  A row may be too long to
 * scan: then it counts as if_too_long, and *gave_up is set. */
template <class Wanted>
__device__ static inline unsigned wfi_look(const wfi_view &rows, weft_vid v, bool open, bool if_too_long, bool *gave_up,
                                           Wanted wanted) {
    weft_eid e = open ? rows.offsets[v] : 0, end = open ? rows.offsets[v + 1] : 0;
    bool hit = false;
    for (int k = 0; k < WFI_LOOK && e < end && !hit; k++, e++) hit = wanted(v, rows.targets[e]);
    for (unsigned left = __ballot_sync(~0u, !hit && e < end); left; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        weft_vid whose = __shfl_sync(~0u, v, owner);
        weft_eid from = __shfl_sync(~0u, e, owner), to = __shfl_sync(~0u, end, owner);
        bool too_long = to - from > WFI_LONGEST, there = false;
        if (too_long) to = from + WFI_LONGEST;
        for (; from < to && !there; from += 4 * WFI_WARP) {
            bool any = false;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                weft_eid at = from + k * WFI_WARP + wfi_lane();
                if (at < to) any |= wanted(whose, rows.targets[at]);
            }
            there = __any_sync(~0u, any);
        }
        if (too_long && !there) {
            *gave_up = true;
            there = if_too_long;
        }
        if ((int)wfi_lane() == owner) hit = there;
    }
    return __ballot_sync(~0u, hit);
}

/* Marks the vertices of a word with a marked neighbour in their row; returns their number. */
__device__ static inline unsigned wfi_spread(const wfi_view &rows, uint32_t *marks, uint64_t word, bool open,
                                             bool *gave_up) {
    uint32_t before = __ldcg(&marks[word]);
    weft_vid v = (weft_vid)(word * WFI_WARP + wfi_lane());
    open = open && !(before >> wfi_lane() & 1);
    if (!__any_sync(~0u, open)) return 0;
    unsigned found =
        wfi_look(rows, v, open, false, gave_up, [=](weft_vid, weft_vid u) { return wfi_marked(marks, u); });
    if (wfi_lane() == 0 && found) marks[word] = before | found;
    return (unsigned)__popc(found);
}

/* Marks the neighbours of v, by all threads of the grid. */
__device__ static inline void wfi_mark_row(const wfi_view &rows, weft_vid v, uint32_t *marks) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (weft_eid e = rows.offsets[v] + grid.thread_rank(); e < rows.offsets[v + 1]; e += grid.size())
        atomicOr(&marks[rows.targets[e] / WFI_WARP], 1u << rows.targets[e] % WFI_WARP);
}

/* Lowers *smallest, which is WEFT_NO_VERTEX before, to the smallest vertex with a mark in both bitmaps; by all threads
 * of the grid. */
__device__ static inline void wfi_smallest_marked(const uint32_t *marks, const uint32_t *more, weft_vid n,
                                                  weft_vid *smallest) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    weft_vid mine = WEFT_NO_VERTEX;
    for (uint64_t word = grid.thread_rank(); word * WFI_WARP < n && mine == WEFT_NO_VERTEX; word += grid.size())
        if (uint32_t bits = __ldcg(&marks[word]) & __ldcg(&more[word]))
            mine = (weft_vid)(word * WFI_WARP) + (weft_vid)__ffs((int)bits) - 1;
    mine = wfi_warp_min(mine);
    if (wfi_lane() == 0 && mine < __ldcg(smallest)) atomicMin(smallest, mine);
}

/* The sum of the warps' numbers over the grid.  Three counters, zero before the first turn, take turns: one is cleared,
 * one read, one counts. */
__device__ static inline unsigned wfi_sum(unsigned *counters, unsigned of_warp, unsigned turn) {
    __shared__ unsigned of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    if (wfi_lane() == 0 && of_warp) atomicAdd(&of_block, of_warp);
    __syncthreads();
    if (threadIdx.x == 0 && of_block) atomicAdd(&counters[turn % WFI_TURNS], of_block);
    unsigned all = wfi_sync_and_broadcast(&counters[turn % WFI_TURNS]);
    if (blockIdx.x == 0 && threadIdx.x == 0) counters[(turn + 2) % WFI_TURNS] = 0;
    return all;
}

/* Raises *best to the largest of the threads' keys, whatever the block's size; keys are above 0. */
__device__ static inline void wfi_keep_largest(unsigned long long key, unsigned long long *best) {
    key = wfi_warp_max(key);
    if (wfi_lane() == 0 && key > __ldcg(best)) atomicMax(best, key);
}

/* A key whose maximum belongs to the vertex with the largest weight, ties to the smallest; and that vertex. */
__device__ static inline unsigned long long wfi_key_of(float weight, weft_vid v) {
    return (unsigned long long)__float_as_uint(weight) << 32 | (uint32_t)~v;
}
__device__ static inline weft_vid wfi_vertex_of_key(const unsigned long long *key) { return ~(weft_vid)__ldcg(key); }

#endif
