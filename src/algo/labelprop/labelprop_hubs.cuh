/* Counting the labels of rows that are too long for registers.
 *   hubs    a block each, with the largest table there is.  A row may have more labels than that holds: then it is
 *           counted again in parts, a block each, of which one counts those labels whose hash begins with certain bits.
 *           The hash is a bijection, so that halving the part once more, as often as it takes, always ends.
 *   giants all blocks together, one after another, with a counter for every label in global memory, zero between
 *   giants. */
#ifndef WFI_LABELPROP_HUBS_CUH
#define WFI_LABELPROP_HUBS_CUH

#include "algo/labelprop/labelprop_rows.cuh"
#include "cuda/warp.cuh"

#include <cooperative_groups.h>

namespace labelprop {

enum {
    HUB_THREADS = 1024,
    MOST_SLOTS = 1 << 14, /* of a table; fewer where there is less shared memory */
    SLOT_BYTES = 8,
    HUB_PATIENCE = 64,
    AT_ONCE = 4, /* arcs a thread waits for at the same time */
    LIKELY = 8,  /* of 32 neighbours with one label: more than half of all may have it */
    GIANT_THREADS = 512
};

/* Hubs that must be counted again. */
struct second_try {
    unsigned slots; /* of a table */
    unsigned
        arcs; /* with which a part is begun: half as many at first, when all labels are different, then twice as many */
    candidate *best; /* of each hub; 0: it was not counted again */
    uint2 *part;     /* number of the hub; bits and, above them, how many bits */
    unsigned *parts; /* how many there are */
};

/* MurmurHash3's last steps: a bijection. */
__device__ static inline unsigned spread_bits(unsigned x) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* What most of 32 neighbours have, spread over the row; by a warp. */
template <bool BOTH>
__device__ static inline weft_vid guess_at(const label_step &s, const label_row<BOTH> &arcs, unsigned *lanes) {
    return most_lanes(s.now[arcs.target(this_lane() * (arcs.degree / WARP))], lanes);
}

/* Adds those labels that are wanted to the block's table; the best candidate that this thread saw.  *full: it did not
 * hold them. */
template <bool BOTH, class Wanted>
__device__ static inline candidate add_row(const label_step &s, const label_row<BOTH> &arcs, const label_table &t,
                                           volatile unsigned *full, Wanted wanted) {
    candidate best = 0;
    for (weft_eid at = threadIdx.x; at < arcs.degree && !*full; at += AT_ONCE * HUB_THREADS) {
        weft_vid x[AT_ONCE];
        look<AT_ONCE>(s, arcs, at, HUB_THREADS, x);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            if (x[k] == NO_LABEL || !wanted(x[k])) continue;
            unsigned count = t.add(x[k], HUB_PATIENCE);
            if (!count) *full = 1;
            candidate seen = candidate_of(count, x[k]);
            if (seen > best) best = seen;
        }
    }
    return best;
}

template <bool BOTH>
__global__ static void __launch_bounds__(HUB_THREADS) count_hubs(label_step s, const weft_vid *list, second_try again) {
    extern __shared__ uint4 room_of_block[];
    __shared__ weft_vid guess;
    __shared__ unsigned guessed, count, full, first;
    __shared__ candidate all;
    weft_vid v = list[blockIdx.x];
    label_row<BOTH> arcs(s, v);
    past was(s, v);
    weft_vid fresh = was.one;
    label_table t = {(weft_vid *)room_of_block, (unsigned *)room_of_block + again.slots, again.slots - 1};
    bool settled = !s.counts(v);
    if (!settled) {
        if (threadIdx.x < WARP) {
            unsigned lanes;
            weft_vid most = guess_at(s, arcs, &lanes);
            if (threadIdx.x == 0) {
                guess = most;
                guessed = lanes;
                count = full = 0;
                all = 0;
            }
        }
        __syncthreads();
        bool likely = guessed >= LIKELY;
        if (likely) {
            unsigned mine = 0;
            for (weft_eid at = threadIdx.x; at < arcs.degree; at += AT_ONCE * HUB_THREADS) {
                weft_vid x[AT_ONCE];
                look<AT_ONCE>(s, arcs, at, HUB_THREADS, x);
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++) mine += x[k] == guess;
            }
            if (mine) atomicAdd(&count, mine);
            __syncthreads();
        }
        candidate best = likely ? candidate_of(count, guess) : 0;
        settled = 2 * (weft_eid)count > arcs.degree;
        if (!settled) {
            t.clear(threadIdx.x, HUB_THREADS);
            __syncthreads();
            weft_vid not_again = likely ? guess : NO_LABEL;
            candidate seen = add_row(s, arcs, t, &full, [=](weft_vid x) { return x != not_again; });
            keep_best(seen > best ? seen : best, &all);
            best = all;
            settled = !full;
        }
        fresh = label_of(best);
    }
    if (settled) {
        if (threadIdx.x == 0) {
            account of_row;
            of_row.settle(s, v, was, fresh, arcs.degree);
            of_row.hand_in(s);
        }
        return;
    }
    unsigned bits = 1;
    while ((weft_eid)again.arcs << bits < arcs.degree) bits++;
    if (threadIdx.x == 0) first = atomicAdd(again.parts, 1u << bits);
    __syncthreads();
    if (threadIdx.x < 1u << bits) again.part[first + threadIdx.x] = make_uint2(blockIdx.x, threadIdx.x | bits << 16);
}

/* The best of those labels whose hash begins with these bits: 16 for them, then how many they are. */
template <bool BOTH>
__device__ static candidate count_part(const label_step &s, const label_row<BOTH> &arcs, const label_table &t,
                                       unsigned part, unsigned *full, candidate *all) {
    unsigned begins = part & 0xffff, bits = part >> 16;
    for (unsigned more = 0;; more++) {
        bool done = true;
        if (threadIdx.x == 0) *all = 0;
        for (unsigned sub = 0; done && sub < 1u << more; sub++) {
            if (threadIdx.x == 0) *full = 0;
            t.clear(threadIdx.x, HUB_THREADS);
            __syncthreads();
            unsigned with = begins << more | sub, shift = 32 - bits - more;
            candidate best = add_row(s, arcs, t, full, [=](weft_vid x) { return spread_bits(x) >> shift == with; });
            __syncthreads();
            done = !*full;
            keep_best(best, all);
        }
        if (done) return *all;
        __syncthreads();
    }
}

template <bool BOTH>
__global__ static void __launch_bounds__(HUB_THREADS)
    count_parts(label_step s, const weft_vid *list, second_try again) {
    extern __shared__ uint4 room_of_block[];
    __shared__ unsigned full;
    __shared__ candidate all;
    label_table t = {(weft_vid *)room_of_block, (unsigned *)room_of_block + again.slots, again.slots - 1};
    for (unsigned i = blockIdx.x; i < *again.parts; i += gridDim.x) {
        uint2 part = again.part[i];
        label_row<BOTH> arcs(s, list[part.x]);
        candidate best = count_part(s, arcs, t, part.y, &full, &all);
        if (threadIdx.x == 0) atomicMax(&again.best[part.x], best);
        __syncthreads();
    }
}

template <bool BOTH>
__global__ static void settle_again(label_step s, const weft_vid *list, uint32_t hubs, second_try again) {
    account mine;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < hubs; i += gridDim.x * blockDim.x)
        if (again.best[i])
            mine.settle(s, list[i], past(s, list[i]), label_of(again.best[i]), label_row<BOTH>(s, list[i]).degree);
    mine.hand_in(s);
}

/* --- giants ---------------------------------------------------------------------------- */

/* best: 0 for each. */
template <bool BOTH>
__global__ static void __launch_bounds__(GIANT_THREADS)
    count_giants(label_step s, const weft_vid *list, uint32_t giants, unsigned *counts, candidate *best) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    weft_eid all = grid.size(), me = blockIdx.x * (weft_eid)GIANT_THREADS + threadIdx.x;
    for (uint32_t i = 0; i < giants; i++) {
        weft_vid v = list[i];
        label_row<BOTH> arcs(s, v);
        bool wanted = s.counts(v);
        past was(s, v);
        if (wanted) {
            unsigned lanes, mine = 0;
            weft_vid guess = guess_at(s, arcs, &lanes);
            candidate seen = 0;
            for (weft_eid at = me; at < arcs.degree; at += AT_ONCE * all) {
                weft_vid x[AT_ONCE];
                look<AT_ONCE>(s, arcs, at, all, x);
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++) {
                    mine += x[k] == guess;
                    if (x[k] == NO_LABEL || x[k] == guess) continue;
                    candidate now = candidate_of(atomicAdd(&counts[x[k]], 1u) + 1, x[k]);
                    if (now > seen) seen = now;
                }
            }
            mine = wfi_warp_sum(mine);
            if (this_lane() == 0 && mine) {
                candidate now = candidate_of(atomicAdd(&counts[guess], mine) + mine, guess);
                if (now > seen) seen = now;
            }
            seen = best_of(seen, WARP);
            if (this_lane() == 0 && seen) atomicMax(&best[i], seen);
            grid.sync();
            for (weft_eid at = me; at < arcs.degree; at += all) counts[s.now[arcs.target(at)]] = 0;
        }
        if (me == 0) {
            account of_row;
            of_row.settle(s, v, was, wanted ? label_of(__ldcg(&best[i])) : was.one, arcs.degree);
            of_row.hand_in(s);
        }
        if (wanted) grid.sync();
    }
}

} // namespace labelprop

#endif
