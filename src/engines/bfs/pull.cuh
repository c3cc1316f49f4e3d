/* A bottom-up level: an unvisited vertex scans its incoming row, which ascends, for the first neighbour in the
 * frontier.  The first such level goes over all vertices and lists those that stay unvisited and have incoming arcs;
 * later levels go over the list.  A lane scans the rows of several vertices at once, to hide latency; if it finds
 * nothing among the first arcs, eight lanes scan the rest of the row. */
#ifndef WFI_BFS_PULL_CUH
#define WFI_BFS_PULL_CUH

#include "cuda/grid.cuh"
#include "engines/bfs/push.cuh"

#include <cooperative_groups.h>

enum {
    ABREAST = 4, /* vertices whose rows a lane scans at once */
    LOOK = 8,    /* arcs that a lane scans, two at a time */
    GROUP = 8,   /* lanes that scan the rest of one row */
    KEPT = 256   /* open vertices that a warp keeps before it lists them */
};

/* The open vertices that a warp has met but not listed. */
struct leftovers {
    weft_vid v[KEPT];
};

__device__ static bool in_front(const uint32_t *front, weft_vid u) { return front[u / WARP] >> (u % WARP) & 1; }

/* The rest of the rows whose first LOOK arcs had no hit; `left` are the lanes that own these rows, from e on, of
 * `length` arcs.  Four rows at a time, 16 arcs of each. */
__device__ static weft_vid look_together(const bfs_state &s, const uint32_t *front, unsigned left, weft_eid e,
                                         uint32_t length, weft_vid hit) {
    unsigned lane = lane_of(), group = lane / GROUP, member = lane % GROUP;
    while (left) {
        unsigned rest = left;
        for (unsigned i = 0; i < group; i++) rest &= rest - 1;
        int owner = rest ? __ffs((int)rest) - 1 : 0;
        for (int i = 0; i < WARP / GROUP; i++) left &= left - 1;
        weft_eid at = __shfl_sync(~0u, e, owner);
        uint32_t end = __shfl_sync(~0u, length, owner), from = LOOK;
        weft_vid first = WEFT_NO_VERTEX;
        if (!rest) end = 0;
        while (__any_sync(~0u, from < end)) {
            bool near = from + member < end, far = from + GROUP + member < end;
            weft_vid u = near ? s.in.targets[at + from + member] : 0;
            weft_vid v = far ? s.in.targets[at + from + GROUP + member] : 0;
            bool a = near && in_front(front, u), b = far && in_front(front, v);
            unsigned shift = group * GROUP, mask = (1u << GROUP) - 1;
            unsigned hits = __ballot_sync(~0u, a) >> shift & mask, more = __ballot_sync(~0u, b) >> shift & mask;
            weft_vid of_near = __shfl_sync(~0u, u, (int)shift + (hits ? __ffs((int)hits) - 1 : 0));
            weft_vid of_far = __shfl_sync(~0u, v, (int)shift + (more ? __ffs((int)more) - 1 : 0));
            if (hits | more) {
                first = hits ? of_near : of_far;
                end = 0;
            }
            from += 2 * GROUP;
        }
        for (int i = 0; i < WARP / GROUP; i++) {
            weft_vid theirs = __shfl_sync(~0u, first, i * GROUP);
            int whose = __shfl_sync(~0u, rest ? owner : -1, i * GROUP);
            if (whose == (int)lane) hit = theirs;
        }
    }
    return hit;
}

/* The smallest neighbours in the frontier of the lane's K vertices; a length of 0 stands for a vertex that does not
 * search. */
template <int K>
__device__ static void look(const bfs_state &s, const uint32_t *front, const weft_eid *e, const uint32_t *length,
                            weft_vid *hit) {
#pragma unroll
    for (int k = 0; k < K; k++) hit[k] = WEFT_NO_VERTEX;
    for (uint32_t i = 0; i < LOOK; i += 2) {
        weft_vid u[K], v[K];
        bool looking = false;
#pragma unroll
        for (int k = 0; k < K; k++) {
            bool on = hit[k] == WEFT_NO_VERTEX;
            u[k] = on && i < length[k] ? s.in.targets[e[k] + i] : WEFT_NO_VERTEX;
            v[k] = on && i + 1 < length[k] ? s.in.targets[e[k] + i + 1] : WEFT_NO_VERTEX;
            looking |= u[k] != WEFT_NO_VERTEX;
        }
        if (!__any_sync(~0u, looking)) break;
        bool a[K], b[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            a[k] = u[k] != WEFT_NO_VERTEX && in_front(front, u[k]);
            b[k] = v[k] != WEFT_NO_VERTEX && in_front(front, v[k]);
        }
#pragma unroll
        for (int k = 0; k < K; k++)
            if (a[k] || b[k]) hit[k] = a[k] ? u[k] : v[k];
    }
#pragma unroll
    for (int k = 0; k < K; k++) {
        unsigned left = __ballot_sync(~0u, hit[k] == WEFT_NO_VERTEX && length[k] > LOOK);
        if (left) hit[k] = look_together(s, front, left, e[k], length[k], hit[k]);
    }
}

__device__ static void finish_vertex(const bfs_state &s, weft_vid v, weft_vid parent, unsigned depth, bfs_tally *t) {
    s.level[v] = depth;
    s.parent[v] = parent;
    t->found++;
    t->arcs += s.out.offsets[v + 1] - s.out.offsets[v];
}

/* Moves the first `count` vertices that the warp keeps to the list. */
__device__ static void list(const bfs_state &s, const leftovers *kept, unsigned count) {
    unsigned base = 0;
    if (lane_of() == 0) base = atomicAdd(&s.p->open, count);
    base = __shfl_sync(~0u, base, 0);
    for (unsigned i = lane_of(); i < count; i += WARP) s.shorts[s.n - 1 - (base + i)] = kept->v[i];
    __syncwarp();
}

/* A level over all vertices.  bits: the frontier, and the next one, every word of which is written. */
__device__ static bfs_tally pull_all(const bfs_state &s, uint32_t *const *bits, unsigned depth, unsigned warp,
                                     unsigned warps) {
    const uint32_t *front = bits[0];
    uint32_t *next = bits[1];
    __shared__ leftovers of_warp[WARPS];
    leftovers *kept = &of_warp[threadIdx.x / WARP];
    unsigned lane = lane_of(), waiting = 0;
    bfs_tally t = {0, 0};
    for (uint64_t base = (uint64_t)warp * WARP * ABREAST; base < s.n; base += (uint64_t)warps * WARP * ABREAST) {
        weft_eid e[ABREAST];
        uint32_t length[ABREAST], level[ABREAST];
        weft_vid hit[ABREAST];
#pragma unroll
        for (int k = 0; k < ABREAST; k++) {
            uint64_t v = base + k * WARP + lane;
            level[k] = v < s.n ? __ldcg(&s.level[v]) : 0;
            e[k] = v < s.n ? s.in.offsets[v] : 0;
            length[k] = v < s.n ? (uint32_t)(s.in.offsets[v + 1] - e[k]) : 0;
        }
#pragma unroll
        for (int k = 0; k < ABREAST; k++)
            if (level[k] != WEFT_UNREACHED) length[k] = 0;
        look<ABREAST>(s, front, e, length, hit);
#pragma unroll
        for (int k = 0; k < ABREAST; k++) {
            weft_vid v = (weft_vid)(base + k * WARP + lane);
            bool found = hit[k] != WEFT_NO_VERTEX, open = length[k] && !found;
            unsigned word = __ballot_sync(~0u, found), still = __ballot_sync(~0u, open);
            if (found) finish_vertex(s, v, hit[k], depth, &t);
            if (lane == 0 && base + k * WARP < s.n) next[base / WARP + k] = word;
            if (open) kept->v[waiting + __popc(still & ((1u << lane) - 1))] = v;
            waiting += (unsigned)__popc(still);
        }
        __syncwarp();
        if (waiting > KEPT - WARP * ABREAST) {
            list(s, kept, waiting);
            waiting = 0;
        }
    }
    if (waiting) list(s, kept, waiting);
    return t;
}

/* A level over the `open` vertices of the list.  The next frontier is clear before. */
__device__ static bfs_tally pull_listed(const bfs_state &s, uint32_t *const *bits, unsigned open, unsigned depth,
                                        unsigned warp, unsigned warps) {
    const uint32_t *front = bits[0];
    uint32_t *next = bits[1];
    enum { TWO = 2 };
    bfs_tally t = {0, 0};
    for (uint64_t base = (uint64_t)warp * WARP * TWO; base < open; base += (uint64_t)warps * WARP * TWO) {
        weft_vid v[TWO], hit[TWO];
        weft_eid e[TWO];
        uint32_t length[TWO], level[TWO];
#pragma unroll
        for (int k = 0; k < TWO; k++) {
            uint64_t i = base + k * WARP + lane_of();
            v[k] = i < open ? __ldcg(&s.shorts[s.n - 1 - i]) : WEFT_NO_VERTEX;
        }
#pragma unroll
        for (int k = 0; k < TWO; k++) {
            bool there = v[k] != WEFT_NO_VERTEX;
            level[k] = there ? __ldcg(&s.level[v[k]]) : 0;
            e[k] = there ? s.in.offsets[v[k]] : 0;
            length[k] = there ? (uint32_t)(s.in.offsets[v[k] + 1] - e[k]) : 0;
        }
#pragma unroll
        for (int k = 0; k < TWO; k++)
            if (level[k] != WEFT_UNREACHED) length[k] = 0;
        look<TWO>(s, front, e, length, hit);
#pragma unroll
        for (int k = 0; k < TWO; k++)
            if (hit[k] != WEFT_NO_VERTEX) {
                finish_vertex(s, v[k], hit[k], depth, &t);
                atomicOr(&next[v[k] / WARP], 1u << v[k] % WARP);
            }
    }
    return t;
}

/* --- from queue to bitmap and back ------------------------------------------------------ */

__device__ static void clear_bits(const bfs_state &s, uint32_t *bits) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (uint64_t i = grid.thread_rank(); i < ((uint64_t)s.n + WARP - 1) / WARP; i += grid.size()) bits[i] = 0;
}

/* Sets the bits of the queued frontier. */
__device__ static void bits_from_queue(const bfs_state &s, const bfs_window &w, uint32_t *front) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    clear_bits(s, front);
    if (grid.thread_rank() == 0) s.p->open = 0;
    grid.sync();
    for (uint64_t i = w.short_from + grid.thread_rank(); i < w.short_to; i += grid.size()) {
        weft_vid v = __ldcg(&s.shorts[i]);
        atomicOr(&front[v / WARP], 1u << v % WARP);
    }
    for (uint64_t i = w.piece_from + grid.thread_rank(); i < w.piece_to; i += grid.size()) {
        uint2 piece = __ldcg(&s.pieces[i]);
        if (piece.y == 0) atomicOr(&front[piece.x / WARP], 1u << piece.x % WARP);
    }
    grid.sync();
}

/* Queues the frontier behind `w`, which becomes its window. */
__device__ static void queue_from_bits(const bfs_state &s, const uint32_t *front, bfs_window *w, unsigned warp,
                                       unsigned warps) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned long long *queued = &s.p->turned.queued;
    uint64_t words = ((uint64_t)s.n + WARP - 1) / WARP;
    bfs_tally t = {0, 0};
    for (uint64_t base = (uint64_t)warp * WARP; base < words; base += (uint64_t)warps * WARP) {
        uint32_t mine = base + lane_of() < words ? front[base + lane_of()] : 0;
        for (unsigned some = __ballot_sync(~0u, mine != 0); some; some &= some - 1) {
            int owner = __ffs((int)some) - 1;
            uint32_t bits = __shfl_sync(~0u, mine, owner);
            weft_vid v = (weft_vid)((base + (unsigned)owner) * WARP + lane_of());
            queue<1>(s, *w, queued, bits >> lane_of() & 1, &v, &t);
        }
    }
    advance(w, wfi_sync_and_broadcast(queued));
    grid.sync();
    if (grid.thread_rank() == 0) *queued = 0;
}

#endif
