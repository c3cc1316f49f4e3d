/* Old arcs and offsets moved to where a batch's edits put them (arc_changes.h): a merge path by chunks.  Needs: edits
 * in the order of their places.
 * Method: a warp has WFI_CHUNK consecutive items and loads all of them before it needs the first.  Where a chunk has no
 * edit its items move as one; of up to 32 edits each lane holds one and broadcasts it; where there are more, every lane
 * searches for all of its items at once, a step of all searches for each wait for memory.  The edits of a chunk are
 * found beforehand (find_chunks). */
#ifndef WFI_CUDA_ARC_MOVE_CUH
#define WFI_CUDA_ARC_MOVE_CUH

#include "core/search.h"
#include "cuda/arc_changes.h"
#include "cuda/gpu.cuh"

enum { WFI_MOVERS = 256, WFI_LANES = 32, WFI_EACH = 16, WFI_CHUNK = WFI_LANES * WFI_EACH };

__host__ __device__ static inline uint64_t wfi_chunks(uint64_t items) { return (items + WFI_CHUNK - 1) / WFI_CHUNK; }
/* Of warps that have a chunk each. */
static inline unsigned wfi_chunk_blocks(uint64_t chunks) {
    return (unsigned)((chunks * WFI_LANES + WFI_MOVERS - 1) / WFI_MOVERS);
}

/* Where an edit stands among what is moved: old arcs from it on go further, and so do offsets after its row's. */
struct wfi_edit_arc {
    const uint64_t *at;
    __device__ uint64_t operator()(uint64_t k) const { return at[k]; }
};
struct wfi_edit_offset {
    const weft_vid *row;
    __device__ uint64_t operator()(uint64_t k) const { return (uint64_t)row[k] + 1; }
};

/* Of each chunk of arcs, and of each chunk of offsets, its first edit, and behind the last chunk the first that is none
 * of theirs.  *total is the tally of all changes. */
__global__ static void wfi_find_chunks(wfi_arc_edits e, const uint64_t *total, uint64_t arc_chunks, uint32_t *of_arcs,
                                       uint64_t offset_chunks, uint32_t *of_offsets) {
    uint64_t i = wfi_thread(), edits = wfi_accumulator_edits(*total);
    if (i <= arc_chunks) {
        of_arcs[i] = (uint32_t)wfi_lower_bound_u64(e.at, 0, edits, i * WFI_CHUNK);
        return;
    }
    i -= arc_chunks + 1;
    if (i <= offset_chunks) of_offsets[i] = (uint32_t)wfi_lower_bound_u32(e.row, 0, edits, i ? i * WFI_CHUNK - 1 : 0);
}

/* put(i, shift, stays) for items i * WFI_LANES + lane of the chunk that begins at `begin`; edits low ... high - 1 stand
 * in it.  Not `stays`: an edit that makes the row shorter stands at this very item. */
template <class Stands, class Put>
__device__ static void wfi_move_few(const wfi_arc_edits &e, uint64_t low, uint64_t high, uint64_t begin, Stands stands,
                                    Put put) {
    const unsigned all = 0xffffffffu;
    unsigned lane = threadIdx.x % WFI_LANES, taken = 0,
             mine = all; /* this lane's edit: place << 1 | whether it deletes */
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
    /* Halves of the same size for all: no branch. */
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
        if (i * WFI_LANES + lane < here) arc[i] = __ldcs(mine + i * WFI_LANES); /* nobody reads them again soon */
    wfi_move_chunk(e, first[chunk], first[chunk + 1], begin, wfi_edit_arc{e.at}, [&](int i, int64_t shift, bool stays) {
        if (stays && i * WFI_LANES + lane < here) place[i * WFI_LANES + shift] = arc[i];
    });
}

/* Offsets after the batch, that of the end included. */
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

/* Both, a warp a chunk: offsets first. */
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
