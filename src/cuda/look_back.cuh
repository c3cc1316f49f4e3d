/* What all tiles before one have, while all of them are still being counted: decoupled look-back [1].
 * Tiles have to be handed out in order, so that those before are done or under way and can be waited for.
 * [1] Merrill, Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016. */
#ifndef WFI_CUDA_LOOK_BACK_CUH
#define WFI_CUDA_LOOK_BACK_CUH

#include "cuda/warp.cuh"

typedef unsigned long long wfi_tile_word; /* 0 at first */

/* The two highest bits: what the tile has, or what it and all before it have. */
#define WFI_TILE_OWN ((wfi_tile_word)1 << 62)
#define WFI_TILE_ALL ((wfi_tile_word)2 << 62)
#define WFI_TILE_SUM (WFI_TILE_OWN - 1)

__device__ inline wfi_tile_word wfi_await_tile(volatile wfi_tile_word *word) {
    wfi_tile_word seen = *word;
    while (!seen) seen = *word;
    return seen;
}

/* The sum of what the tiles before this one have; `own` is what it has itself.  By a whole warp, for every lane of
 * it. */
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
