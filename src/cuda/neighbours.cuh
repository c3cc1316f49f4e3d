/* graph/rows.h for rows on the GPU: what two rows have, each neighbour once, without the vertex itself.  The
 * lanes of a warp share the arcs, and look each up in the other row. */
#ifndef WFI_CUDA_NEIGHBOURS_CUH
#define WFI_CUDA_NEIGHBOURS_CUH

#include "cuda/search.cuh"
#include "cuda/transfer.h"

/* A row, which ascends. */
struct wfi_ascending {
    const weft_vid *at;
    uint64_t length;

    __device__ wfi_ascending(const wfi_rank_rows &rows, uint64_t k) : at(NULL), length(0) {
        if (!rows.offsets) return; /* there is no such side */
        at = rows.targets + (rows.offsets[k] - rows.base);
        length = rows.offsets[k + 1] - rows.offsets[k];
    }
    __device__ bool has(weft_vid v) const { return wfi_place_of(at, (uint64_t)0, length, v) < length; }
    /* Does it stand there for the first time? */
    __device__ bool first(uint64_t i) const { return !i || at[i - 1] != at[i]; }
};

/* f(neighbour, ways) for row k, that of the vertex `self`; ways: 2 if it is in both.  The second side may be empty:
 * {NULL}. */
template <class F>
__device__ static inline void wfi_each_neighbour(const wfi_rank_rows &one, const wfi_rank_rows &other, uint64_t k,
                                                 weft_vid self, unsigned lane, unsigned lanes, F f) {
    wfi_ascending a(one, k), b(other, k);
    for (uint64_t i = lane; i < a.length; i += lanes)
        if (a.at[i] != self && a.first(i)) f(a.at[i], b.has(a.at[i]) ? 2u : 1u);
    for (uint64_t i = lane; i < b.length; i += lanes)
        if (b.at[i] != self && b.first(i) && !a.has(b.at[i])) f(b.at[i], 1u);
}

#endif
