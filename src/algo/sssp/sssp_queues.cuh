/* sssp on the GPU: the queues of the search, for search_cuda.cu and sssp_cuda.cu.
 * An entry has the distance that its vertex got; if the vertex has a smaller distance by now the entry is stale and
 * dropped, so no vertex relaxes twice from one distance.  Near entries are in two queues used in turn, far entries in
 * two piles, chunks of long rows in two lists.  Counters are in sets of three, so that one is cleared while one is read
 * and one counts.
 * Capacities are fixed: an overflow sets `trouble` of the phase, and the search rebuilds its queues from the
 * distances. */
#ifndef WFI_SSSP_QUEUES_CUH
#define WFI_SSSP_QUEUES_CUH

#include "algo/sssp/sssp_device.cuh"
#include "cuda/warp.cuh"

namespace wfi_sssp {

enum {
    WARP = WFI_SSSP_WARP,
    PIECE = WFI_SSSP_PIECE,
    SETS = 3,
    BLOCK_BYTES = 4096 /* bytes of a block's own queue */
};

/* Values of trouble. */
enum { RAN_DRY = 1, TOO_FAR = 2 };

/* A vertex, and the distance that it got. */
template <class D> struct alignas(2 * sizeof(D)) entry { D at, v; };

/* K: arcs of a lane in flight. */
template <class D, int K> struct width {
    static const unsigned held = WARP * K, queued = BLOCK_BYTES / sizeof(entry<D>);
};

/* Counters of a phase: entries and chunks found, groups of entries and chunks taken, and arcs counted by `weigh`. */
struct sssp_tally {
    unsigned long long near, pieces, entries_taken, pieces_taken;
    unsigned long long open_arcs, settled_arcs;
    unsigned trouble;
};

template <class D> struct pile {
    unsigned long long count;
    D least;
};

/* The state of the search before a phase; the same in every thread of the grid. */
template <class D> struct sssp_state {
    D low, limit, delta;                     /* distances below low are settled; low to limit is the bucket */
    unsigned long long near, pieces, waited; /* waited: entries in the pile when the limit was last raised */
    unsigned phases, raises, trouble;
    bool done;
    bool brief, cut_brief; /* only light edges are relaxed in this bucket; chunks are of rows of light edges */
    bool weighed, pull;    /* how the remaining arcs are relaxed */
    bool
        whole; /* all arcs are relaxed from now on: few are left, and a bucket is wider than the bound of light edges */
};

/* State between launches. */
template <class D> struct sssp_progress {
    sssp_tally set[SETS];
    pile<D> far[SETS];
    sssp_state<D> at;
    int flat; /* an arc between equal distances was met */
};

template <class D> struct sssp_search {
    wfi_sssp_arcs g, light; /* light: the arcs shorter than the first delta; offsets NULL: none */
    D *distance;
    entry<D> *near[2], *far[2];
    wfi_sssp_piece<D> *pieces[2];
    unsigned long long piece_capacity;
    sssp_progress<D> *p;
};

/* Shared by the warps of a phase, except for the buffer of each warp. */
template <class D> struct sssp_phase {
    D limit;
    sssp_tally *t;
    pile<D> *p;
    entry<D> *near, *far, *held; /* held: this warp's buffer, in shared memory */
    wfi_sssp_piece<D> *pieces;
    unsigned count;   /* of held */
    entry<D> *queue;  /* this block's own, or NULL */
    unsigned *queued; /* its length, which may exceed the capacity */
    bool few, brief;
};

/* Selects without an index: an array in a kernel parameter that is indexed at run time is copied to local memory. */
template <class T> __device__ inline T *turn(T *const (&two)[2], unsigned number) {
    return number % 2 ? two[1] : two[0];
}

__device__ inline uint32_t raised(uint32_t low, uint32_t delta) { return low + delta < low ? UINT32_MAX : low + delta; }
__device__ inline wfi_sssp_bits raised(wfi_sssp_bits low, wfi_sssp_bits delta) {
    wfi_sssp_bits sum = (wfi_sssp_bits)__double_as_longlong(__longlong_as_double((long long)low) +
                                                            __longlong_as_double((long long)delta));
    return sum > low ? sum : low + 1;
}

__device__ inline entry<uint32_t> load(const entry<uint32_t> *at) {
    uint2 x = __ldcg((const uint2 *)at);
    return {x.x, x.y};
}
__device__ inline entry<wfi_sssp_bits> load(const entry<wfi_sssp_bits> *at) {
    ulonglong2 x = __ldcg((const ulonglong2 *)at);
    return {x.x, x.y};
}

/* --- queues ------------------------------------------------------------------------------- */

/* Flushes the warp's buffer to the near queue and the pile. */
template <class D> __device__ inline void flush_held(const sssp_search<D> &s, sssp_phase<D> *f) {
    unsigned lane = wfi_sssp_lane(), near = 0, below = (1u << lane) - 1;
    D least = wfi_sssp_none<D>();
    __syncwarp();
    for (unsigned i = lane; i < f->count + lane; i += WARP) {
        bool mine = i < f->count, is_near = mine && f->held[i].at < f->limit;
        near += (unsigned)__popc(__ballot_sync(~0u, is_near));
        if (mine && !is_near) least = min(least, f->held[i].at);
    }
    unsigned far = f->count - near;
    if (far) least = wfi_warp_min(least);
    unsigned long long near_at = 0, far_at = 0;
    if (lane == 0) {
        if (near) near_at = atomicAdd(&f->t->near, near);
        if (far) far_at = atomicAdd(&f->p->count, far);
        if (far && least < __ldcg(&f->p->least)) atomicMin(&f->p->least, least);
    }
    near_at = __shfl_sync(~0u, near_at, 0);
    far_at = __shfl_sync(~0u, far_at, 0);
    for (unsigned i = lane; i < f->count + lane; i += WARP) {
        bool mine = i < f->count;
        entry<D> e = mine ? f->held[i] : entry<D>{0, 0};
        unsigned nears = __ballot_sync(~0u, mine && e.at < f->limit),
                 fars = __ballot_sync(~0u, mine && e.at >= f->limit);
        bool is_near = nears >> lane & 1;
        unsigned long long place =
            is_near ? near_at + (unsigned)__popc(nears & below) : far_at + (unsigned)__popc(fars & below);
        near_at += (unsigned)__popc(nears);
        far_at += (unsigned)__popc(fars);
        if (!mine) continue;
        if (place >= s.g.n)
            atomicOr(&f->t->trouble, RAN_DRY);
        else
            (is_near ? f->near : f->far)[place] = e;
    }
    __syncwarp();
    f->count = 0;
}

/* Appends the entries (v[k], at[k]) whose bit is set in `which` to the warp's buffer. */
template <int J, int K, class D, class V>
__device__ inline void hold(const sssp_search<D> &s, sssp_phase<D> *f, unsigned which, const V *v, const D *at) {
    unsigned all, place = wfi_sssp_before((unsigned)__popc(which), &all);
    if (f->count + all > width<D, K>::held) flush_held(s, f);
    place += f->count;
#pragma unroll
    for (int k = 0; k < J; k++)
        if (which >> k & 1) f->held[place++] = {at[k], v[k]};
    f->count += all;
}

/* The same for the block's own queue; returns the bits of the entries that did not fit. */
template <int K, class D>
__device__ inline unsigned append_own(sssp_phase<D> *f, unsigned which, const weft_vid *v, const D *at) {
    unsigned all, place = wfi_sssp_before((unsigned)__popc(which), &all), base = 0;
    if (wfi_sssp_lane() == 0) base = atomicAdd(f->queued, all);
    place += __shfl_sync(~0u, base, 0);
#pragma unroll
    for (int k = 0; k < K; k++)
        if (which >> k & 1 && place < width<D, K>::queued) {
            f->queue[place++] = {at[k], v[k]};
            which &= ~(1u << k);
        }
    return which;
}

template <class D>
__device__ inline void cut(const sssp_search<D> &s, sssp_phase<D> *f, unsigned long_ones, const entry<D> &e,
                           unsigned length) {
    unsigned lane = wfi_sssp_lane(), mine = length > PIECE ? (length + PIECE - 1) / PIECE : 0, all;
    unsigned before = wfi_sssp_before(mine, &all);
    unsigned long long base = 0;
    if (lane == 0) base = atomicAdd(&f->t->pieces, (unsigned long long)all);
    base = __shfl_sync(~0u, base, 0);
    for (; long_ones; long_ones &= long_ones - 1) {
        int who = __ffs((int)long_ones) - 1;
        weft_vid v = (weft_vid)__shfl_sync(~0u, e.v, who);
        D at = __shfl_sync(~0u, e.at, who);
        unsigned count = __shfl_sync(~0u, mine, who);
        unsigned long long start = base + __shfl_sync(~0u, before, who);
        for (unsigned i = lane; i < count; i += WARP)
            if (start + i < s.piece_capacity)
                f->pieces[start + i] = {at, v, i};
            else
                atomicOr(&f->t->trouble, RAN_DRY);
    }
}

/* One launch, which continues at p->at for up to PHASES phases. */
template <class D> weft_status search_on(weft_ctx *ctx, const sssp_search<D> &s);

} // namespace wfi_sssp

#endif
