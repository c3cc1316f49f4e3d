/* Counting the labels of rows that a thread, a warp or a block holds in its registers.
 *   up to 8 arcs     a thread compares its labels with each other
 *   up to 32         as many lanes, each compares its label with all others
 *   up to 256        a warp, with a table in shared memory
 *   up to 4096       a block, likewise
 * A label that more than half of the row have needs no table: the label that most of the first 32 have is counted
 * first, and once communities have formed that settles nearly all rows.  What is not the answer then is at least not
 * added to the table again and again at the same place.
 * Loads stand in no branch, so that all of a thread's are under way at once: beyond its end, a row is read at its last
 * arc. */
#ifndef WFI_LABELPROP_ROWS_CUH
#define WFI_LABELPROP_ROWS_CUH

#include "algo/labelprop/labelprop_device.cuh"

namespace labelprop {

enum { ROWS_THREADS = 256 };

/* The labels of CELLS arcs from `at`, `apart` from each other; NO_LABEL beyond the end. */
template <int CELLS, bool BOTH>
__device__ static inline void look(const label_step &s, const label_row<BOTH> &arcs, weft_eid at, weft_eid apart,
                                   weft_vid x[CELLS]) {
#pragma unroll
    for (int k = 0; k < CELLS; k++) {
        weft_eid here = at + k * apart;
        x[k] = arcs.target(here < arcs.degree ? here : arcs.degree - 1);
    }
#pragma unroll
    for (int k = 0; k < CELLS; k++) x[k] = s.now[x[k]];
#pragma unroll
    for (int k = 0; k < CELLS; k++)
        if (at + k * apart >= arcs.degree) x[k] = NO_LABEL;
}

/* A thread a row, of one to CELLS arcs. */
template <int CELLS, bool BOTH>
__global__ static void __launch_bounds__(ROWS_THREADS) count_fewest(label_step s, const weft_vid *list, uint32_t rows) {
    account mine;
    for (uint64_t i = blockIdx.x * (uint64_t)ROWS_THREADS + threadIdx.x; i < rows;
         i += (uint64_t)gridDim.x * ROWS_THREADS) {
        weft_vid v = list[i], x[CELLS], fresh;
        label_row<BOTH> arcs(s, v);
        past was(s, v);
        if (s.counts(v)) {
            candidate best = 0;
            look<CELLS>(s, arcs, 0, 1, x);
#pragma unroll
            for (int k = 0; k < CELLS; k++) {
                unsigned same = 0;
#pragma unroll
                for (int other = 0; other < CELLS; other++) same += x[other] == x[k];
                candidate seen = x[k] == NO_LABEL ? 0 : candidate_of(same, x[k]);
                if (seen > best) best = seen;
            }
            fresh = label_of(best);
        } else {
            fresh = was.one;
        }
        mine.settle(s, v, was, fresh, arcs.degree);
    }
    mine.hand_in_together(s);
}

/* LANES lanes a row, which has no more arcs, but one. */
template <int LANES, bool BOTH>
__global__ static void __launch_bounds__(ROWS_THREADS) count_few(label_step s, const weft_vid *list, uint32_t rows) {
    account mine;
    uint64_t all = (uint64_t)gridDim.x * (ROWS_THREADS / LANES);
    uint64_t first = blockIdx.x * (uint64_t)(ROWS_THREADS / LANES) + threadIdx.x / LANES;
    unsigned place = threadIdx.x % LANES;
    for (uint64_t i = first; i - threadIdx.x % WARP / LANES < rows; i += all) { /* all lanes of a warp alike */
        bool there = i < rows;
        weft_vid v = list[there ? i : rows - 1], x[1];
        label_row<BOTH> arcs(s, v);
        past was(s, v);
        bool wanted = there && s.counts(v);
        candidate best = 0;
        if (__any_sync(~0u, wanted)) {
            unsigned same = 1;
            look<1>(s, arcs, place, 1, x);
#pragma unroll
            for (int far = 1; far < LANES; far++) same += __shfl_xor_sync(~0u, x[0], far) == x[0];
            best = best_of(x[0] == NO_LABEL ? 0 : candidate_of(same, x[0]), LANES);
        }
        if (there && place == 0) mine.settle(s, v, was, wanted ? label_of(best) : was.one, arcs.degree);
    }
    __syncwarp();
    mine.hand_in_together(s);
}

__device__ static inline unsigned slots_for(unsigned degree) { return 2u << (32 - __clz((int)(degree - 1))); }

/* A warp a row of more than 32 and no more than 32 * CELLS arcs. */
template <int CELLS, bool BOTH>
__global__ static void __launch_bounds__(ROWS_THREADS) count_some(label_step s, const weft_vid *list, uint32_t rows) {
    __shared__ uint4 room[ROWS_THREADS / WARP][WARP * CELLS]; /* for twice as many slots */
    weft_vid *labels = (weft_vid *)room[threadIdx.x / WARP];
    account mine;
    uint64_t warps = (uint64_t)gridDim.x * (ROWS_THREADS / WARP);
    for (uint64_t i = blockIdx.x * (uint64_t)(ROWS_THREADS / WARP) + threadIdx.x / WARP; i < rows; i += warps) {
        weft_vid v = list[i], x[CELLS], fresh;
        label_row<BOTH> arcs(s, v);
        past was(s, v);
        if (s.counts(v)) {
            unsigned degree = (unsigned)arcs.degree, guessed, count = 0;
            look<CELLS>(s, arcs, this_lane(), WARP, x);
            weft_vid guess = most_lanes(x[0], &guessed);
#pragma unroll
            for (int k = 0; k < CELLS; k++) count += (unsigned)__popc(__ballot_sync(~0u, x[k] == guess));
            candidate best = candidate_of(count, guess);
            if (2 * count <= degree) {
                unsigned slots = slots_for(degree);
                label_table t = {labels, labels + slots, slots - 1};
                t.clear(this_lane(), WARP);
                __syncwarp();
#pragma unroll
                for (int k = 0; k < CELLS; k++)
                    if (x[k] != NO_LABEL && x[k] != guess) {
                        candidate seen = candidate_of(t.add(x[k], slots), x[k]);
                        if (seen > best) best = seen;
                    }
                best = best_of(best, WARP);
                __syncwarp();
            }
            fresh = label_of(best);
        } else {
            fresh = was.one;
        }
        if (this_lane() == 0) mine.settle(s, v, was, fresh, arcs.degree);
    }
    mine.hand_in_together(s);
}

/* The largest of the block's, in *shared, which is 0 before; every thread comes here. */
__device__ static inline void keep_best(candidate best, candidate *shared) {
    best = best_of(best, WARP);
    if (this_lane() == 0) atomicMax(shared, best);
    __syncthreads();
}

/* A block a row of no more than THREADS * CELLS arcs, but 32; shared memory for a table of twice as many slots. */
template <int THREADS, int CELLS, bool BOTH>
__global__ static void __launch_bounds__(THREADS) count_many(label_step s, const weft_vid *list) {
    extern __shared__ uint4 room_of_block[];
    __shared__ weft_vid guess;
    __shared__ unsigned count;
    __shared__ candidate all;
    weft_vid v = list[blockIdx.x], x[CELLS], *labels = (weft_vid *)room_of_block;
    label_row<BOTH> arcs(s, v);
    past was(s, v);
    weft_vid fresh = was.one;
    if (s.counts(v)) {
        unsigned degree = (unsigned)arcs.degree, mine = 0, guessed;
        look<CELLS>(s, arcs, threadIdx.x, THREADS, x);
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
            label_table t = {labels, labels + slots, slots - 1};
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
        fresh = label_of(best);
    }
    if (threadIdx.x == 0) {
        account of_row;
        of_row.settle(s, v, was, fresh, arcs.degree);
        of_row.hand_in(s);
    }
}

} // namespace labelprop

#endif
