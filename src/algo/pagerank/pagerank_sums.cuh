/* Shared by all GPU engines of pagerank: the sums over all vertices in an iteration, and the values derived from them.
 * The bits are those of pagerank_cpu.c. */
#ifndef WFI_PAGERANK_SUMS_CUH
#define WFI_PAGERANK_SUMS_CUH

#include "cuda/fixed.cuh"
#include "cuda/warp.cuh"

namespace wfi_pagerank {

enum { WARP = 32 };

/* Types of a run: ranks, shares, and their sums.  `pulled` adds up shares, `total` ranks and their changes. */
template <class S> struct plain {
    typedef S rank, share;
    typedef wfi_sum<S> pulled, total;
    typedef uint32_t weight;
    static constexpr bool WEIGHTED = false;
};

/* Over all vertices: change of the ranks, dangling rank, and sum of the ranks. */
struct sums {
    unsigned long long change[2], dangling[2], sum[2];
};

template <class K> struct totals { typename K::total change, dangling, sum; };

struct rules {
    double damping, uniform, tolerance;
    bool by_tolerance, drop,
        in_turn; /* in_turn: parts are swept one after the other, and all ranks are scaled after an iteration */
};

template <class T> __device__ void put_sum(T of_lane, unsigned long long *place) {
    for (int far = WARP / 2; far; far /= 2) of_lane.add_lane(~0u, far);
    if (threadIdx.x % WARP == 0) of_lane.put(place);
}

/* Adds up over the block, then to `all`: atomics of every warp of the grid to one word would queue up for microseconds,
 * and so would those of a block's warps in shared memory, which retries.  Each warp has its own slot; then one warp for
 * each word adds up the slots. */
template <class K> __device__ void add_to_all(const totals<K> &t, sums *all) {
    enum { MOST_WARPS = 1024 / WARP, WORDS = sizeof(sums) / sizeof(unsigned long long) };
    __shared__ sums of_warp[MOST_WARPS];
    unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    __syncthreads(); /* of_warp may still be read from the last call */
    if (lane == 0) of_warp[warp] = {};
    put_sum(t.change, of_warp[warp].change);
    put_sum(t.dangling, of_warp[warp].dangling);
    put_sum(t.sum, of_warp[warp].sum);
    __syncthreads();
    for (unsigned word = warp; word < WORDS; word += warps) {
        unsigned long long sum = lane < warps ? ((const unsigned long long *)&of_warp[lane])[word] : 0;
        sum = wfi_warp_sum(sum);
        if (lane == 0 && sum) atomicAdd((unsigned long long *)all + word, sum);
    }
}

__device__ inline void clear(sums *s) {
    for (int i = 0; i < 2; i++) s->change[i] = s->dangling[i] = s->sum[i] = 0;
}

/* The factor for all ranks after parts were swept in turn, so that their sum is that of the equations. */
__device__ inline double scale_of(const rules &r, double sum, double dangling) {
    double d = r.damping;
    return !r.drop ? 1 / sum : d < 1 ? (1 - d) / (sum - d * (sum - dangling)) : 1;
}

__device__ inline double teleport_of(const rules &r, double dangling) {
    return (1 - r.damping) + (r.drop ? 0 : r.damping * dangling);
}

} // namespace wfi_pagerank

#endif
