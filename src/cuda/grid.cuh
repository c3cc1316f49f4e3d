/* Communication across the blocks of a grid: broadcast after a barrier, and decoupled look-back [1], which gives a tile
 * the sum of all tiles before it while these are still being counted.
 * [1] Merrill, Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016. */
#ifndef WFI_CUDA_GRID_CUH
#define WFI_CUDA_GRID_CUH

#include "cuda/warp.cuh"

#include <cooperative_groups.h>
#include <stdint.h>

/* --- broadcast ------------------------------------------------------------------------------------------- */

/* After a barrier every thread needs the same few words.  If each warp reads them, the reads queue up at one place in
 * memory: on an H200 (132 blocks of 1024 threads) a barrier and three words took 4.0 us that way, and 1.3 us with one
 * read a block. */

/* Returns *from to every thread of the block, all of which must call it.  T consists of at most 64 words of 4 bytes: a
 * block has that many threads.  Two calls for the same T need a barrier between them, after which `seen` may be
 * overwritten. */
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

/* --- decoupled look-back --------------------------------------------------------------------------------- */

/* Tiles must be handed out in order: then the tiles before this one are done or under way, and waiting for them
 * ends. */

typedef unsigned long long wfi_tile_word; /* 0 at first */

/* The two highest bits tell the sum: of the tile alone, or of the tile and all before it. */
#define WFI_TILE_OWN ((wfi_tile_word)1 << 62)
#define WFI_TILE_ALL ((wfi_tile_word)2 << 62)
#define WFI_TILE_SUM (WFI_TILE_OWN - 1)

__device__ inline wfi_tile_word wfi_await_tile(volatile wfi_tile_word *word) {
    wfi_tile_word seen = *word;
    while (!seen) seen = *word;
    return seen;
}

/* Returns the sum of the tiles before this one to every lane; `own` is the tile's own sum.  Called by a whole warp. */
__device__ inline uint64_t wfi_look_back(volatile wfi_tile_word *words, uint64_t tile, uint64_t own) {
    unsigned lane = threadIdx.x % 32;
    uint64_t sum = 0;
    if (lane == 0 && tile) words[tile] = WFI_TILE_OWN | own;
    for (uint64_t end = tile; end; end = end > 32 ? end - 32 : 0) {
        wfi_tile_word seen = lane < end ? wfi_await_tile(&words[end - 1 - lane]) : 0;
        unsigned all = __ballot_sync(~0u, (seen & WFI_TILE_ALL) != 0);
        bool counts = !all || lane < (unsigned)__ffs((int)all);
        sum += wfi_warp_sum(counts ? (uint64_t)(seen & WFI_TILE_SUM) : 0);
        if (all) break;
    }
    if (lane == 0) words[tile] = WFI_TILE_ALL | (sum + own);
    return sum;
}

#endif
