/* Truss numbers by peeling, GPU: the levels and rounds of truss_peel.c in one cooperative kernel, which returns from
 * time to time so that a run can be stopped.
 * Method: a level compacts the list of remaining edges, and takes those of the least support; a round visits the
 * triangles of the edges being removed.  The neighbours of their shorter rows are looked up in the longer ones, one
 * lane each: a warp takes the neighbours of several edges, or several warps those of one, depending on the number of
 * edges.  When half of the edges are removed, rows are compacted.
 * Encoding: rows have both ends of each edge, neighbours and edges in separate arrays, neighbours ascending.  Of three
 * counters one counts, one is read, one is cleared. */
#ifndef WFI_TRUSS_PEEL_CUH
#define WFI_TRUSS_PEEL_CUH

#include "core/search.h"
#include "cuda/launch.cuh"
#include "cuda/warp.cuh"

#include <cooperative_groups.h>
#include <cub/block/block_scan.cuh>

namespace truss {

namespace groups = cooperative_groups;

enum { WARP = 32, THREADS = 512, EACH = 4, PIECE = THREADS * EACH, TURNS = 3 };
enum { ALIVE, REMOVING, REMOVED };
const long long PATIENCE = 50000000; /* clock cycles, some 30 ms */

/* The state of peeling; every thread of a kernel has a copy. */
struct peel_stand {
    uint32_t left, listed; /* edges not removed; their number when rows were last compacted */
    uint32_t now, level;   /* now: number of edges being removed */
    uint32_t turn, side, scans;
    uint32_t done;
};

struct counters {
    uint64_t listed[TURNS];
    uint32_t least[2];
    uint32_t pause;
};

struct peeling {
    weft_vid n;
    uint32_t edges, k;
    const weft_vid *targets; /* of the view: the end of each edge with the smaller position */
    weft_vid *from;          /* the other end */
    uint64_t *start;         /* n + 1 */
    uint32_t *length;        /* n */
    weft_vid *near;
    uint32_t *edge;
    uint32_t *support, *alive, *list[2];
    uint32_t *piece; /* entries left in each chunk of the list of edges */
    uint8_t *state;
    counters *count;
    peel_stand *at;
};

/* --- a round --------------------------------------------------------------------------------- */

/* An edge being removed: its shorter row, and the other. */
struct ends {
    uint32_t edge, length, other_length;
    uint64_t row, other;
};

__device__ static inline ends ends_of(const peeling &p, uint32_t e) {
    weft_vid u = p.from[e], v = p.targets[e];
    uint32_t a = p.length[u], b = p.length[v];
    if (a <= b) return ends{e, a, b, p.start[u], p.start[v]};
    return ends{e, b, a, p.start[v], p.start[u]};
}

__device__ static inline bool passed_over(const peeling &p, uint32_t other, uint32_t e) {
    uint8_t state = p.state[other];
    return state == REMOVED || (state == REMOVING && other < e);
}

__device__ static inline void decrement(const peeling &p, const peel_stand &s, uint32_t edge, uint64_t *found) {
    if (p.state[edge] != ALIVE) return;
    if (atomicSub(&p.support[edge], 1u) == s.level + 1) p.list[!s.side][wfi_claim(found)] = edge;
}

/* Neighbour i of the shorter row: does it complete a triangle? */
__device__ static inline void look(const peeling &p, const peel_stand &s, const ends &x, uint32_t i, uint64_t *found) {
    uint32_t one = p.edge[x.row + i];
    if (one == x.edge || passed_over(p, one, x.edge)) return;
    uint64_t end = x.other + x.other_length, place = wfi_place_of(p.near, x.other, end, p.near[x.row + i]);
    if (place == end) return;
    uint32_t other = p.edge[place];
    if (passed_over(p, other, x.edge)) return;
    decrement(p, s, one, found);
    decrement(p, s, other, found);
}

/* A warp takes several edges: a lane for each edge first, then the lanes divide the neighbours of all of them. */
__device__ static inline void take_several(const peeling &p, const peel_stand &s, uint64_t first, uint32_t several,
                                           unsigned lane, uint64_t *found) {
    bool mine = lane < several && first + lane < s.now;
    ends x = mine ? ends_of(p, p.list[s.side][first + lane]) : ends{0, 0, 0, 0, 0};
    uint32_t upto = wfi_warp_scan(x.length), all = __shfl_sync(~0u, upto, WARP - 1), before = upto - x.length;
    for (uint32_t base = 0; base < all; base += WARP) {
        uint32_t item = base + lane;
        int owner = 0;
#pragma unroll
        for (int step = WARP / 2; step; step /= 2)
            if (__shfl_sync(~0u, before, owner + step) <= item) owner += step;
        ends y = {__shfl_sync(~0u, x.edge, owner), __shfl_sync(~0u, x.length, owner),
                  __shfl_sync(~0u, x.other_length, owner), __shfl_sync(~0u, x.row, owner),
                  __shfl_sync(~0u, x.other, owner)};
        uint32_t i = item - __shfl_sync(~0u, before, owner);
        if (item < all) look(p, s, y, i, found);
        __syncwarp();
    }
}

__device__ static inline void make_round(const peeling &p, const peel_stand &s, uint64_t *found) {
    unsigned lane = threadIdx.x % WARP;
    uint64_t warp = wfi_thread() / WARP, warps = wfi_all_threads() / WARP;
    if (s.now >= warps) {
        uint64_t share = (s.now + warps - 1) / warps;
        uint32_t several = share < WARP ? (uint32_t)share : WARP;
        for (uint64_t first = warp * several; first < s.now; first += warps * several)
            take_several(p, s, first, several, lane, found);
        return;
    }
    uint64_t parts = warps / s.now, which = warp / parts;
    if (which >= s.now) return;
    ends x = ends_of(p, p.list[s.side][which]);
    for (uint64_t i = warp % parts * WARP + lane; i < x.length; i += parts * WARP) look(p, s, x, (uint32_t)i, found);
}

/* Marks this wave removed; queued edges form the next. */
__device__ static inline void advance_wave(const peeling &p, const peel_stand &s, uint64_t found) {
    for (uint64_t i = wfi_thread(); i < s.now; i += wfi_all_threads()) p.state[p.list[s.side][i]] = REMOVED;
    for (uint64_t i = wfi_thread(); i < found; i += wfi_all_threads()) {
        uint32_t edge = p.list[!s.side][i];
        p.state[edge] = REMOVING;
        p.support[edge] = s.level;
    }
}

__device__ static inline void close_up_rows(const peeling &p) {
    unsigned lane = threadIdx.x % WARP;
    for (uint64_t r = wfi_thread() / WARP; r < p.n; r += wfi_all_threads() / WARP) {
        uint64_t row = p.start[r];
        uint32_t length = p.length[r], kept = 0;
        for (uint32_t base = 0; base < length; base += WARP) {
            uint32_t i = base + lane, edge = i < length ? p.edge[row + i] : 0;
            weft_vid near = i < length ? p.near[row + i] : 0;
            bool stays = i < length && p.state[edge] != REMOVED;
            unsigned all = __ballot_sync(~0u, stays);
            __syncwarp(); /* all lanes have read their entries */
            if (stays) {
                uint64_t to = row + kept + (unsigned)__popc(all & ((1u << lane) - 1));
                p.edge[to] = edge;
                p.near[to] = near;
            }
            kept += (unsigned)__popc(all);
            __syncwarp();
        }
        if (lane == 0) p.length[r] = kept;
    }
}

/* --- a level --------------------------------------------------------------------------------- */

/* Compacts the list of edges; finds the least support among them. */
__device__ static inline void compact_list(const peeling &p, uint32_t *least) {
    typedef cub::BlockScan<uint32_t, THREADS> scan;
    __shared__ typename scan::TempStorage scratch;
    uint32_t lowest = ~0u;
    for (uint64_t k = blockIdx.x; k * PIECE < p.edges; k += gridDim.x) {
        uint32_t have = p.piece[k], mine[EACH], kept = 0, before, all, *list = p.alive + k * PIECE;
        bool stays[EACH];
        if (!have) continue;
#pragma unroll
        for (unsigned j = 0; j < EACH; j++) {
            unsigned i = threadIdx.x * EACH + j;
            mine[j] = i < have ? list[i] : 0;
            stays[j] = i < have && p.state[mine[j]] == ALIVE;
            if (stays[j]) lowest = min(lowest, p.support[mine[j]]);
            kept += stays[j];
        }
        scan(scratch).ExclusiveSum(kept, before, all);
        __syncthreads();
#pragma unroll
        for (unsigned j = 0; j < EACH; j++)
            if (stays[j]) list[before++] = mine[j];
        if (threadIdx.x == 0) p.piece[k] = all;
    }
    lowest = wfi_warp_min(lowest);
    if (threadIdx.x % WARP == 0 && lowest != ~0u) atomicMin(least, lowest);
}

__device__ static inline void collect(const peeling &p, const peel_stand &s, uint64_t *found) {
    for (uint64_t k = blockIdx.x; k * PIECE < p.edges; k += gridDim.x) {
        uint32_t have = p.piece[k];
        for (uint32_t i = threadIdx.x; i < have; i += THREADS) {
            uint32_t edge = p.alive[k * PIECE + i];
            if (p.support[edge] > s.level) continue;
            p.list[s.side][wfi_claim(found)] = edge;
            p.state[edge] = REMOVING;
            p.support[edge] = s.level;
        }
    }
}

/* Selects the next edges to remove: none if none is left, or if the rest belong to the k-truss. */
__device__ static inline void begin_level(const peeling &p, peel_stand *s) {
    groups::grid_group grid = groups::this_grid();
    uint32_t mine = s->scans % 2;
    if (p.k && s->scans) return;
    compact_list(p, &p.count->least[mine]);
    grid.sync();
    s->level = p.k ? p.k - 3 : __ldcg(&p.count->least[mine]);
    if (grid.thread_rank() == 0) p.count->least[!mine] = ~0u;
    collect(p, *s, &p.count->listed[s->turn]);
    grid.sync();
    s->now = (uint32_t)__ldcg(&p.count->listed[s->turn]);
    s->scans++;
}

/* Cooperative. */
__global__ static void __launch_bounds__(THREADS, 2) peel_all(peeling p) {
    groups::grid_group grid = groups::this_grid();
    peel_stand s = *p.at;
    long long began = clock64();
    bool pause = false;
    grid.sync();
    while (!s.done && !pause) {
        if (!s.now && s.left) begin_level(p, &s);
        if (!s.now) {
            s.done = 1;
            break;
        }
        uint32_t next = (s.turn + 1) % TURNS;
        make_round(p, s, &p.count->listed[next]);
        grid.sync();
        uint64_t found = __ldcg(&p.count->listed[next]);
        advance_wave(p, s, found);
        if (grid.thread_rank() == 0) {
            p.count->listed[(next + 1) % TURNS] = 0;
            p.count->pause = clock64() - began > PATIENCE;
        }
        grid.sync();
        s.left -= s.now;
        s.now = (uint32_t)found;
        s.turn = next;
        s.side = !s.side;
        pause = __ldcg(&p.count->pause);
        if (s.left >= s.listed / 2) continue;
        close_up_rows(p);
        s.listed = s.left;
        grid.sync();
    }
    if (grid.thread_rank() == 0) *p.at = s;
}

} // namespace truss

#endif
