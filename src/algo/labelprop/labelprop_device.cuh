/* What the counting kernels of label propagation share: a step's state, the row of a vertex, tables in shared memory.
 * Encoding, as on the CPU: a candidate is (count << 32) | ~label, so the most frequent and then smallest label is a
 * maximum.  Adding to a counter tells how much is in it, and whoever adds last sees all of it, so the best candidate
 * anybody saw is the answer and no table is ever read through. */
#ifndef WFI_LABELPROP_DEVICE_CUH
#define WFI_LABELPROP_DEVICE_CUH

#include "cuda/mirror.cuh"
#include "cuda/warp.cuh"

namespace labelprop {

/* Additions at one place take 3 ns each, however many threads there are: hence several tallies. */
enum { WARP = 32, TALLIES = 64 };
#define NO_LABEL WEFT_NO_VERTEX

typedef unsigned long long candidate;

/* Of a step. */
struct __align__(32) label_tally {
    unsigned changed, differs; /* has any label, against one and two steps ago? */
    unsigned long long volume; /* arcs at those that changed */
};

struct label_step {
    wfi_view out, in; /* in: of a directed graph */
    const weft_vid *now;
    weft_vid *next;        /* holds the labels of two steps ago until they are written over */
    const uint8_t *active; /* whether a neighbour has changed; NULL: everybody is counted */
    label_tally *seen;     /* TALLIES, to be added up */

    __device__ bool counts(weft_vid v) const { return !active || active[v]; }
};

/* All arcs of a vertex. */
template <bool BOTH> struct label_row {
    const weft_vid *out, *in;
    weft_eid outs, degree;

    __device__ label_row(const label_step &s, weft_vid v) {
        weft_eid from = s.out.offsets[v];
        outs = degree = s.out.offsets[v + 1] - from;
        out = s.out.targets + from;
        if (BOTH) {
            from = s.in.offsets[v];
            degree += s.in.offsets[v + 1] - from;
            in = s.in.targets + from;
        }
    }
    __device__ weft_vid target(weft_eid i) const { return *(BOTH && i >= outs ? in + (i - outs) : out + i); }
};

__device__ static inline unsigned this_lane(void) { return threadIdx.x % WARP; }

__device__ static inline candidate candidate_of(unsigned count, weft_vid label) {
    return (candidate)count << 32 | (uint32_t)~label;
}
__device__ static inline weft_vid label_of(candidate best) { return ~(weft_vid)best; }

/* The largest of `width` lanes that stand together. */
__device__ static inline candidate best_of(candidate mine, int width) {
    for (int far = width / 2; far; far /= 2) {
        candidate other = __shfl_xor_sync(~0u, mine, far);
        if (other > mine) mine = other;
    }
    return mine;
}

/* The labels that a vertex had: to be read early, when nobody waits for them. */
struct past {
    weft_vid one, two; /* steps ago */
    __device__ past(const label_step &s, weft_vid v) : one(s.now[v]), two(s.next[v]) {}
};

/* What a thread has settled. */
struct account {
    bool changed = false, differs = false;
    unsigned long long volume = 0;

    /* Writes the new label over the one of two steps ago. */
    __device__ void settle(const label_step &s, weft_vid v, const past &was, weft_vid fresh, weft_eid degree) {
        differs |= fresh != was.two;
        if (fresh != was.one) {
            changed = true;
            volume += degree;
        }
        s.next[v] = fresh;
    }
    /* By a thread. */
    __device__ void hand_in(const label_step &s) const {
        label_tally *to = s.seen + blockIdx.x % TALLIES;
        if (changed) to->changed = 1;
        if (differs) to->differs = 1;
        if (volume) atomicAdd(&to->volume, volume);
    }
    /* By a whole block. */
    __device__ void hand_in_together(const label_step &s) {
        __shared__ unsigned long long all;
        if (threadIdx.x == 0) all = 0;
        changed = __syncthreads_or(changed);
        differs = __syncthreads_or(differs);
        volume = wfi_warp_sum(volume);
        if (this_lane() == 0 && volume) atomicAdd(&all, volume);
        __syncthreads();
        volume = all;
        if (threadIdx.x == 0) hand_in(s);
    }
};

/* --- tables -------------------------------------------------------------------------- */

/* mask + 1 slots, a power of two, in shared memory. */
struct label_table {
    weft_vid *label;
    unsigned *count;
    unsigned mask;

    __device__ void clear(unsigned me, unsigned threads) const {
        for (unsigned i = me; i <= mask / 4; i += threads) {
            ((uint4 *)label)[i] = make_uint4(NO_LABEL, NO_LABEL, NO_LABEL, NO_LABEL);
            ((uint4 *)count)[i] = make_uint4(0, 0, 0, 0);
        }
    }
    /* One more of x: how many that makes; 0 when its slot was not found in `patience` steps. */
    __device__ unsigned add(weft_vid x, unsigned patience) const {
        unsigned at = x * 0x9e3779b1u;
        for (at = (at ^ at >> 15) & mask; patience; at = (at + 1) & mask, patience--) {
            weft_vid there = ((volatile weft_vid *)label)[at];
            if (there == NO_LABEL) there = atomicCAS(&label[at], NO_LABEL, x);
            if (there == x || there == NO_LABEL) return atomicAdd(&count[at], 1u) + 1;
        }
        return 0;
    }
};

/* The label that most lanes have, of those with one: a guess at the row's.  *lanes: how many. */
__device__ static inline weft_vid most_lanes(weft_vid x, unsigned *lanes) {
    unsigned same = (unsigned)__popc(__match_any_sync(~0u, x)), best = x == NO_LABEL ? 0 : same << 5 | this_lane();
    best = wfi_warp_max(best);
    *lanes = best >> 5;
    return __shfl_sync(~0u, x, (int)(best & (WARP - 1)));
}

} // namespace labelprop

#endif
