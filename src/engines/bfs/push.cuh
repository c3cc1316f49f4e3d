/* A top-down level: the frontier's vertices offer themselves to their neighbours by an atomic minimum on the parent.
 * The minimum's old value tells whether the offer was the first, and the first offer queues the vertex.  The level
 * tells a vertex of this level (its parent may still fall) from a vertex of an earlier level (its parent is final); for
 * a vertex found a moment ago both answers are possible, and both are right. */
#ifndef WFI_BFS_PUSH_CUH
#define WFI_BFS_PUSH_CUH

#include "cuda/warp.cuh"
#include "engines/bfs/state.cuh"

/* Queues the vertices that the lanes found, behind `w`: of each lane the vertices v[k] whose bit k is set in `found`.
 * All loads are issued before the first value is used. */
template <int K>
__device__ static void queue(const bfs_state &s, const bfs_window &w, unsigned long long *queued, unsigned found,
                             const weft_vid *v, bfs_tally *t) {
    unsigned arcs_of[K];
    unsigned long long wanted = 0;
#pragma unroll
    for (int k = 0; k < K; k++)
        arcs_of[k] = found >> k & 1 ? (unsigned)(s.out.offsets[v[k] + 1] - s.out.offsets[v[k]]) : 0;
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (!(found >> k & 1)) continue;
        wanted += arcs_of[k] <= SHORT ? 1 : (unsigned long long)((arcs_of[k] + PIECE - 1) / PIECE) << 32;
        t->arcs += arcs_of[k];
    }
    t->found += (unsigned)__popc(found);
    unsigned long long upto = wanted, base = 0;
    upto = wfi_warp_scan(upto);
    if (lane_of() == WARP - 1) base = atomicAdd(queued, upto);
    base = __shfl_sync(~0u, base, WARP - 1) + upto - wanted;
    unsigned at = w.short_to + (unsigned)base, piece = w.piece_to + (unsigned)(base >> 32);
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (!(found >> k & 1)) continue;
        if (arcs_of[k] <= SHORT)
            s.shorts[at++] = v[k];
        else
            for (unsigned i = 0; i * PIECE < arcs_of[k]; i++) s.pieces[piece++] = make_uint2(v[k], i);
    }
}

/* u offers itself to up to K vertices, those whose bit is set in `there`.  Returns the bits of the vertices without an
 * earlier offer. */
template <int K>
__device__ static unsigned offer(const bfs_state &s, weft_vid u, const weft_vid *v, unsigned there, unsigned depth) {
    uint32_t level[K];
    weft_vid before[K];
    unsigned first = 0;
#pragma unroll
    for (int k = 0; k < K; k++) level[k] = there >> k & 1 ? __ldcg(&s.level[v[k]]) : 0;
#pragma unroll
    for (int k = 0; k < K; k++) before[k] = there >> k & 1 && level[k] >= depth ? atomicMin(&s.parent[v[k]], u) : 0;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (before[k] == WEFT_NO_VERTEX) {
            __stcg(&s.level[v[k]], depth);
            first |= 1u << k;
        }
    return first;
}

__device__ static inline bfs_tally push_level(const bfs_state &s, const bfs_window &w, unsigned long long *queued,
                                              unsigned depth, unsigned warp, unsigned warps) {
    unsigned lane = lane_of();
    bfs_tally t = {0, 0};
    for (unsigned i = w.piece_from + warp; i < w.piece_to; i += warps) {
        uint2 piece = __ldcg(&s.pieces[i]);
        weft_eid begin = s.out.offsets[piece.x] + (weft_eid)piece.y * PIECE, end = s.out.offsets[piece.x + 1];
        if (begin + PIECE < end) end = begin + PIECE;
        for (weft_eid e = begin + lane; e < end + lane; e += 4 * WARP) {
            weft_vid v[4];
            unsigned there = 0;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                there |= (e + k * WARP < end ? 1u : 0u) << k;
                v[k] = there >> k & 1 ? s.out.targets[e + k * WARP] : 0;
            }
            unsigned found = offer<4>(s, piece.x, v, there, depth);
            if (__any_sync(~0u, found)) queue<4>(s, w, queued, found, v, &t);
        }
    }
    for (unsigned i = w.short_from + warp * WARP; i < w.short_to; i += warps * WARP) {
        bool mine = i + lane < w.short_to;
        weft_vid u = mine ? __ldcg(&s.shorts[i + lane]) : 0, v[SHORT];
        weft_eid begin = mine ? s.out.offsets[u] : 0, end = mine ? s.out.offsets[u + 1] : 0;
        unsigned there = (1u << (end - begin)) - 1;
#pragma unroll
        for (int k = 0; k < SHORT; k++) v[k] = there >> k & 1 ? s.out.targets[begin + k] : 0;
        unsigned found = offer<SHORT>(s, u, v, there, depth);
        if (__any_sync(~0u, found)) queue<SHORT>(s, w, queued, found, v, &t);
    }
    return t;
}

#endif
