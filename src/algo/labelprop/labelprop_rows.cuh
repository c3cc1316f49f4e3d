/* Counting the labels of rows that one warp or one block holds in its registers.
 *   up to 32 arcs    as many lanes, each compares its label with all others
 *   up to 256        a warp, with a table in shared memory
 *   up to 4096       a block, likewise
 * A label that more than half of the row have needs no table: the label that most of the first 32 have is counted first, and once
 * communities have formed that settles nearly all rows.  What is not the answer then is at least not added to the table again and
 * again at the same place. */
#ifndef WFI_LABELPROP_ROWS_CUH
#define WFI_LABELPROP_ROWS_CUH

#include "algo/labelprop/labelprop_device.cuh"

namespace labelprop {

enum { ROWS_THREADS = 256, WARP_CELLS = 8, WARP_SLOTS = 2 * WARP * WARP_CELLS };

__device__ static inline bool counted(const step &s, weft_vid v) { return !s.active || s.active[v]; }

/* LANES lanes a row, which has no more arcs. */
template <int LANES, bool BOTH>
__global__ static void __launch_bounds__(ROWS_THREADS) count_few(step s, const weft_vid *list, uint32_t rows) {
    account mine;
    uint64_t all = (uint64_t)gridDim.x * (ROWS_THREADS / LANES);
    uint64_t first = blockIdx.x * (uint64_t)(ROWS_THREADS / LANES) + threadIdx.x / LANES;
    unsigned place = threadIdx.x % LANES;
    for (uint64_t i = first; i - (threadIdx.x % WARP) / LANES < rows; i += all) { /* all lanes of a warp alike */
        bool there = i < rows;
        weft_vid v = there ? list[i] : 0, x = NO_LABEL;
        row<BOTH> arcs(s, v);
        bool wanted = there && counted(s, v);
        if (wanted && place < arcs.degree) x = s.now[arcs.target(place)];
        if (!__any_sync(~0u, wanted)) {
            if (there && place == 0) mine.settle(s, v, s.now[v], arcs.degree);
            continue;
        }
        unsigned same = 1;
#pragma unroll
        for (int far = 1; far < LANES; far++) same += __shfl_xor_sync(~0u, x, far) == x;
        candidate best = best_of(x == NO_LABEL ? 0 : candidate_of(same, x), LANES);
        if (there && place == 0) mine.settle(s, v, wanted ? label_of(best) : s.now[v], arcs.degree);
    }
    mine.hand_in_together(s.seen);
}

__device__ static inline unsigned slots_for(unsigned degree) { return 2u << (32 - __clz((int)(degree - 1))); }

/* A warp a row. */
template <bool BOTH>
__global__ static void __launch_bounds__(ROWS_THREADS) count_some(step s, const weft_vid *list, uint32_t rows) {
    __shared__ uint4 room[ROWS_THREADS / WARP][WARP_SLOTS / 2];
    weft_vid *labels = (weft_vid *)room[threadIdx.x / WARP];
    account mine;
    uint64_t warps = (uint64_t)gridDim.x * (ROWS_THREADS / WARP);
    for (uint64_t i = blockIdx.x * (uint64_t)(ROWS_THREADS / WARP) + threadIdx.x / WARP; i < rows; i += warps) {
        weft_vid v = list[i], x[WARP_CELLS];
        row<BOTH> arcs(s, v);
        unsigned degree = (unsigned)arcs.degree, guessed, count = 0;
        if (!counted(s, v)) {
            if (this_lane() == 0) mine.settle(s, v, s.now[v], degree);
            continue;
        }
#pragma unroll
        for (int k = 0; k < WARP_CELLS; k++) {
            unsigned at = (unsigned)k * WARP + this_lane();
            x[k] = at < degree ? arcs.target(at) : NO_LABEL;
        }
#pragma unroll
        for (int k = 0; k < WARP_CELLS; k++)
            if (x[k] != NO_LABEL) x[k] = s.now[x[k]];
        weft_vid guess = most_lanes(x[0], &guessed);
#pragma unroll
        for (int k = 0; k < WARP_CELLS; k++) count += (unsigned)__popc(__ballot_sync(~0u, x[k] == guess));
        candidate best = candidate_of(count, guess);
        if (2 * count <= degree) {
            unsigned slots = slots_for(degree);
            table t = {labels, labels + slots, slots - 1};
            t.clear(this_lane(), WARP);
            __syncwarp();
#pragma unroll
            for (int k = 0; k < WARP_CELLS; k++)
                if (x[k] != NO_LABEL && x[k] != guess) {
                    candidate seen = candidate_of(t.add(x[k], slots), x[k]);
                    if (seen > best) best = seen;
                }
            best = best_of(best, WARP);
            __syncwarp();
        }
        if (this_lane() == 0) mine.settle(s, v, label_of(best), degree);
    }
    mine.hand_in_together(s.seen);
}

/* The largest of the block's, in *shared, which is 0 before; every thread comes here. */
__device__ static inline void keep_best(candidate best, candidate *shared) {
    best = best_of(best, WARP);
    if (this_lane() == 0) atomicMax(shared, best);
    __syncthreads();
}

/* A block a row of no more than THREADS * CELLS arcs; shared memory for a table of twice as many slots. */
template <int THREADS, int CELLS, bool BOTH>
__global__ static void __launch_bounds__(THREADS) count_many(step s, const weft_vid *list) {
    extern __shared__ uint4 room_of_block[];
    __shared__ weft_vid guess;
    __shared__ unsigned count;
    __shared__ candidate all;
    weft_vid v = list[blockIdx.x], x[CELLS], *labels = (weft_vid *)room_of_block;
    row<BOTH> arcs(s, v);
    unsigned degree = (unsigned)arcs.degree, mine = 0, guessed;
    account of_row;
    if (!counted(s, v)) {
        if (threadIdx.x == 0) {
            of_row.settle(s, v, s.now[v], degree);
            of_row.hand_in(s.seen);
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < CELLS; k++) {
        unsigned at = (unsigned)k * THREADS + threadIdx.x;
        x[k] = at < degree ? arcs.target(at) : NO_LABEL;
    }
#pragma unroll
    for (int k = 0; k < CELLS; k++)
        if (x[k] != NO_LABEL) x[k] = s.now[x[k]];
    if (threadIdx.x < WARP) {
        weft_vid most = most_lanes(x[0], &guessed);
        if (threadIdx.x == 0) {
            guess = most;
            count = 0;
            all = 0;
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < CELLS; k++) mine += (unsigned)__popc(__ballot_sync(~0u, x[k] == guess));
    if (this_lane() == 0 && mine) atomicAdd(&count, mine);
    __syncthreads();
    candidate best = candidate_of(count, guess);
    if (2 * count <= degree) {
        unsigned slots = slots_for(degree);
        table t = {labels, labels + slots, slots - 1};
        t.clear(threadIdx.x, THREADS);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < CELLS; k++)
            if (x[k] != NO_LABEL && x[k] != guess) {
                candidate seen = candidate_of(t.add(x[k], slots), x[k]);
                if (seen > best) best = seen;
            }
        keep_best(best, &all);
        best = all;
    }
    if (threadIdx.x == 0) {
        of_row.settle(s, v, label_of(best), degree);
        of_row.hand_in(s.seen);
    }
}

} // namespace labelprop

#endif
