/* Grid-wide broadcast.  After a barrier every thread wants the same few words.  If each warp asks for them, they queue
 * up at the one place where these lie: on an H200 (132 blocks of 1024 threads) a barrier and three words took 4.0 us
 * so, and 1.3 where a block asks once. */
#ifndef WFI_CUDA_BROADCAST_CUH
#define WFI_CUDA_BROADCAST_CUH

#include <cooperative_groups.h>
#include <stdint.h>

/* What lies at `from`, for every thread of the block, all of which call it.  T: whole words of 4 bytes, no more than
 * 64: a block has that many threads.  Between two calls for the same T there is a barrier, after which `seen` may be
 * written again. */
template <class T> __device__ static inline T wfi_broadcast(const T *from) {
    static_assert(sizeof(T) % sizeof(uint32_t) == 0 && sizeof(T) <= 64 * sizeof(uint32_t), "a word a thread");
    __shared__ T seen;
    if (threadIdx.x < sizeof(T) / sizeof(uint32_t))
        ((uint32_t *)&seen)[threadIdx.x] = __ldcg((const uint32_t *)from + threadIdx.x);
    __syncthreads();
    return seen;
}

/* The same after a barrier of the grid. */
template <class T> __device__ static inline T wfi_sync_and_broadcast(const T *from) {
    cooperative_groups::this_grid().sync();
    return wfi_broadcast(from);
}

#endif
