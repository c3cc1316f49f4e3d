/* What every way to rank on the GPU shares: what is added up over all vertices in an iteration, and what follows from it.  The bits are
 * those of pagerank_cpu.c. */
#ifndef WFI_PAGERANK_SUMS_CUH
#define WFI_PAGERANK_SUMS_CUH

#include "cuda/fixed.cuh"

namespace wfi_pagerank {

enum { WARP = 32 };

/* What a run computes with: ranks, shares, and the sums of each.  `came` adds up shares, `total` ranks and their changes. */
template <class S> struct plain {
    typedef S rank, share;
    typedef wfi_sum<S> came, total;
    static constexpr bool HALF = false, WEIGHTED = false;
};

/* Over all vertices: how far ranks moved, what is not passed on, and the ranks themselves. */
struct sums {
    unsigned long long change[2], dangling[2], sum[2];
};

template <class K> struct totals { typename K::total change, dangling, sum; };

struct rules {
    double damping, uniform, tolerance;
    bool by_tolerance, drop, in_turn; /* in_turn: parts one after the other, and all scaled after an iteration */
};

template <class T> __device__ void add_up(T sum, unsigned long long *place) {
    for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
    if (threadIdx.x % WARP == 0) sum.add_to(place);
}

/* Adds up over the block, then to `all`: atomics of every warp of the grid to one word would queue up for microseconds. */
template <class K> __device__ void hand_in(const totals<K> &t, sums *all) {
    __shared__ sums block;
    enum { WORDS = sizeof block / sizeof block.sum[0] };
    unsigned long long *word = block.change;
    __syncthreads();
    if (threadIdx.x < WORDS) word[threadIdx.x] = 0;
    __syncthreads();
    add_up(t.change, block.change);
    add_up(t.dangling, block.dangling);
    add_up(t.sum, block.sum);
    __syncthreads();
    if (threadIdx.x < WORDS && word[threadIdx.x]) atomicAdd(&all->change[0] + threadIdx.x, word[threadIdx.x]);
}

__device__ inline void clear(sums *s) {
    for (int i = 0; i < 2; i++) s->change[i] = s->dangling[i] = s->sum[i] = 0;
}

/* By how much all ranks are scaled after parts were swept in turn, so that they fulfil the sum of the equations. */
__device__ inline double scale_of(const rules &r, double sum, double dangling) {
    double d = r.damping;
    return !r.drop ? 1 / sum : d < 1 ? (1 - d) / (sum - d * (sum - dangling)) : 1;
}

__device__ inline double teleport_of(const rules &r, double dangling) {
    return (1 - r.damping) + (r.drop ? 0 : r.damping * dangling);
}

} // namespace wfi_pagerank

#endif
