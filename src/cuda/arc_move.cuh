/* Old arcs and offsets moved to the places that a batch's edits give them (arc_changes.h): a merge path by chunks.
 * Needs: edits in the order of their places.
 * Method: a warp has WFI_CHUNK consecutive items and loads all of them before it needs the first.  In a chunk without
 * an edit all items move by one distance.  With up to 32 edits each lane holds one edit and broadcasts it.  With more,
 * every lane searches for all of its items at once, so that one wait for memory serves a step of all searches.  The
 * edits of each chunk are found beforehand (wfi_find_chunks). */
#ifndef WFI_CUDA_ARC_MOVE_CUH
#define WFI_CUDA_ARC_MOVE_CUH

#include "core/search.h"
#include "cuda/arc_changes.h"
#include "cuda/gpu.cuh"

enum { WFI_MOVERS = 256, WFI_LANES = 32, WFI_EACH = 16, WFI_CHUNK = WFI_LANES * WFI_EACH };

__host__ __device__ static inline uint64_t wfi_chunks(uint64_t items) { return (items + WFI_CHUNK - 1) / WFI_CHUNK; }
/* Blocks for warps that have one chunk each. */
static inline unsigned wfi_chunk_blocks(uint64_t chunks) {
    return (unsigned)((chunks * WFI_LANES + WFI_MOVERS - 1) / WFI_MOVERS);
}

/* The position of an edit among the items: old arcs from there on move, and so do offsets after its row. */
struct wfi_edit_arc {
    const uint64_t *at;
    __device__ uint64_t operator()(uint64_t k) const { return at[k]; }
};
struct wfi_edit_offset {
    const weft_vid *row;
    __device__ uint64_t operator()(uint64_t k) const { return (uint64_t)row[k] + 1; }
};

/* The first edit of each chunk of arcs and of each chunk of offsets, and behind the last chunk the number of edits
 * before the end.  *total is the tally of all changes. */
__global__ static void wfi_find_chunks(wfi_arc_edits e, const uint64_t *total, uint64_t arc_chunks, uint32_t *of_arcs,
                                       uint64_t offset_chunks, uint32_t *of_offsets) {
    uint64_t i = wfi_thread(), edits = wfi_edit_tally_edits(*total);
    if (i <= arc_chunks) {
        of_arcs[i] = (uint32_t)wfi_lower_bound_u64(e.at, 0, edits, i * WFI_CHUNK);
        return;
    }
    i -= arc_chunks + 1;
    if (i <= offset_chunks) of_offsets[i] = (uint32_t)wfi_lower_bound_u32(e.row, 0, edits, i ? i * WFI_CHUNK - 1 : 0);
}

/* Calls put(i, shift, stays) for items i * WFI_LANES + lane of the chunk that begins at `begin`; edits low ... high - 1
 * stand in the chunk.  `stays` is false if a delete stands at this very item. */
template <class Stands, class Put>
__device__ static void wfi_move_few(const wfi_arc_edits &e, uint64_t low, uint64_t high, uint64_t begin, Stands stands,
                                    Put put) {
    const unsigned all = 0xffffffffu;
    unsigned lane = threadIdx.x % WFI_LANES, taken = 0, mine = all; /* this lane's edit: place << 1
                          *  whether it deletes */
    int64_t shift = e.shift[low], behind_mine = 0;
    if (low + lane < high) {
        behind_mine = e.shift[low + lane + 1];
        mine = (unsigned)(stands(low + lane) - begin) << 1 | (behind_mine < e.shift[low + lane]);
    }
#pragma unroll
    for (int i = 0; i < WFI_EACH; i++) {
        int64_t here = shift;
        unsigned item = (unsigned)i * WFI_LANES + lane;
        bool stays = true;
        for (unsigned end = __popc(__ballot_sync(all, mine < (i + 1u) * WFI_LANES * 2)); taken < end; taken++) {
            unsigned edit = __shfl_sync(all, mine, taken);
            shift = __shfl_sync(all, behind_mine, taken);
            if (item >= edit >> 1) here = shift;
            if (edit == (item << 1 | 1u)) stays = false;
        }
        put(i, here, stays);
    }
}

template <class Stands, class Put>
__device__ static void wfi_move_many(const wfi_arc_edits &e, uint64_t low, uint64_t high, uint64_t begin, Stands stands,
                                     Put put) {
    uint32_t passed[WFI_EACH] = {0}, left = (uint32_t)(high - low);
    uint64_t first = begin + threadIdx.x % WFI_LANES;
    /* All searches halve ranges of the same size: no branch. */
    while (left) {
        uint32_t half = (left + 1) / 2;
#pragma unroll
        for (int i = 0; i < WFI_EACH; i++)
            if (stands(low + passed[i] + half - 1) <= first + (uint64_t)i * WFI_LANES) passed[i] += half;
        left -= half;
    }
#pragma unroll
    for (int i = 0; i < WFI_EACH; i++) {
        uint64_t k = low + passed[i];
        int64_t shift = e.shift[k];
        bool at_edit = k > low && stands(k - 1) == first + (uint64_t)i * WFI_LANES;
        put(i, shift, !(at_edit && shift < e.shift[k - 1]));
    }
}

template <class Stands, class Put>
__device__ static void wfi_move_chunk(const wfi_arc_edits &e, uint64_t low, uint64_t high, uint64_t begin,
                                      Stands stands, Put put) {
    if (low == high) {
        int64_t shift = e.shift[low];
#pragma unroll
        for (int i = 0; i < WFI_EACH; i++) put(i, shift, true);
    } else if (high - low <= WFI_LANES) {
        wfi_move_few(e, low, high, begin, stands, put);
    } else {
        wfi_move_many(e, low, high, begin, stands, put);
    }
}

template <class T>
__device__ static void wfi_move_arcs(const T *from, weft_eid arcs, const wfi_arc_edits &e, const uint32_t *first, T *to,
                                     uint64_t chunk) {
    weft_eid begin = chunk * WFI_CHUNK;
    unsigned lane = threadIdx.x % WFI_LANES, here = (unsigned)min(arcs - begin, (weft_eid)WFI_CHUNK);
    const T *mine = from + begin + lane;
    T arc[WFI_EACH], *place = to + begin + lane;
#pragma unroll
    for (int i = 0; i < WFI_EACH; i++)
        if (i * WFI_LANES + lane < here)
            arc[i] = __ldcs(mine + i * WFI_LANES); /* streaming load: no thread reads the
                                                                                 * arc again soon */
    wfi_move_chunk(e, first[chunk], first[chunk + 1], begin, wfi_edit_arc{e.at}, [&](int i, int64_t shift, bool stays) {
        if (stays && i * WFI_LANES + lane < here) place[i * WFI_LANES + shift] = arc[i];
    });
}

/* Offsets after the batch, including the end of the last row. */
__device__ static void wfi_move_offsets(const wfi_arc_changes &c, const wfi_arc_edits &e, const uint32_t *first,
                                        weft_eid *offsets, uint64_t chunk) {
    uint64_t begin = chunk * WFI_CHUNK;
    unsigned lane = threadIdx.x % WFI_LANES;
    weft_eid offset[WFI_EACH];
#pragma unroll
    for (int i = 0; i < WFI_EACH; i++) {
        uint64_t v = begin + (unsigned)i * WFI_LANES + lane;
        offset[i] = v < c.old_rows ? c.offsets[v] : c.old_arcs;
    }
    wfi_move_chunk(e, first[chunk], first[chunk + 1], begin, wfi_edit_offset{e.row}, [&](int i, int64_t shift, bool) {
        uint64_t v = begin + (unsigned)i * WFI_LANES + lane;
        if (v <= c.rows) offsets[v] = offset[i] + (uint64_t)shift;
    });
}

/* Offsets and arcs, one warp a chunk: offsets first. */
__global__ static void __launch_bounds__(WFI_MOVERS)
    wfi_move_rows(wfi_arc_changes c, wfi_arc_edits e, const uint32_t *of_arcs, const uint32_t *of_offsets,
                  weft_eid *offsets, weft_vid *targets) {
    uint64_t chunk = (blockIdx.x * (uint64_t)WFI_MOVERS + threadIdx.x) / WFI_LANES;
    uint64_t offset_chunks = wfi_chunks((uint64_t)c.rows + 1);
    if (chunk < offset_chunks)
        wfi_move_offsets(c, e, of_offsets, offsets, chunk);
    else if (chunk - offset_chunks < wfi_chunks(c.old_arcs))
        wfi_move_arcs(c.targets, c.old_arcs, e, of_arcs, targets, chunk - offset_chunks);
}

template <class T>
__global__ static void __launch_bounds__(WFI_MOVERS)
    wfi_move_weights(const T *from, weft_eid arcs, wfi_arc_edits e, const uint32_t *of_arcs, T *to) {
    uint64_t chunk = (blockIdx.x * (uint64_t)WFI_MOVERS + threadIdx.x) / WFI_LANES;
    if (chunk < wfi_chunks(arcs)) wfi_move_arcs(from, arcs, e, of_arcs, to, chunk);
}

#endif
