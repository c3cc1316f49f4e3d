/* Neighbour expansion by thread, warp or block [1], for rows of very different lengths: a thread goes through a short
 * one alone, its warp through a longer one, and the whole block through a very long one.
 * [1] Merrill, Garland, Grimshaw, "Scalable GPU graph traversal", PPoPP 2012. */
#ifndef WFI_CUDA_EXPAND_CUH
#define WFI_CUDA_EXPAND_CUH

#include "weft.h"

enum { WFI_SHORT_ROW = 16, WFI_WARP_ROW = 2048 };

/* Each thread of the block brings arcs e ... end-1 of its vertex v (none when e >= end); visit(v, target) is called
 * once for each arc by some thread.  All THREADS threads of the block must come here. */
template <int THREADS, class Visit>
__device__ static inline void wfi_expand_rows(const weft_vid *targets, weft_vid v, weft_eid e, weft_eid end,
                                              Visit visit) {
    __shared__ weft_vid whose;
    __shared__ weft_eid begin_at, end_at;
    weft_eid length = e < end ? end - e : 0;
    if (length <= WFI_SHORT_ROW)
        for (; e < end; e++) visit(v, targets[e]);
    unsigned lane = threadIdx.x % 32;
    for (unsigned left = __ballot_sync(~0u, length > WFI_SHORT_ROW && length <= WFI_WARP_ROW); left; left &= left - 1) {
        int who = __ffs((int)left) - 1;
        weft_vid u = __shfl_sync(~0u, v, who);
        weft_eid from = __shfl_sync(~0u, e, who) + lane, to = __shfl_sync(~0u, end, who);
        for (; from < to; from += 32) visit(u, targets[from]);
    }
    bool mine = length > WFI_WARP_ROW;
    while (__syncthreads_or(mine)) { /* whoever writes last is served, and the others come again */
        if (mine) atomicExch(&whose, v);
        __syncthreads();
        if (mine && whose == v) {
            begin_at = e;
            end_at = end;
            mine = false;
        }
        __syncthreads();
        for (weft_eid at = begin_at + threadIdx.x; at < end_at; at += THREADS) visit(whose, targets[at]);
    }
}

#endif
