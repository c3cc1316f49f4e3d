/* From sources on the GPU: a level on the way back, and the ends of paths. */
#ifndef WFI_BETWEENNESS_BRANDES_BACK_CUH
#define WFI_BETWEENNESS_BRANDES_BACK_CUH

#include "algo/betweenness/brandes_out.cuh"

/* The flag of a level whose vertices have long rows of outgoing arcs, beside where it begins in the trail. */
#define LEVEL_HUBS ((word)1 << 63)

__device__ static inline double is_target(const lane_search &a, weft_vid v) {
    return !a.s.targets || a.s.targets[v] ? 1 : 0;
}

/* --- dependencies ------------------------------------------------------------------------------------------ */

/* By a warp: v has `sum` of the shares of the next level.  Its count makes way for its share. */
template <class N>
__device__ static void depend(const lane_search &a, weft_vid v, unsigned lanes, typename N::number count,
                              typename N::number sum) {
    unsigned l = lane_of() % LANES;
    bool mine = lanes >> l & 1;
    typename N::number has = N::product(count, sum);
    wfi_wide_sum all = {0, 0};
    if (mine) all = wfi_wide_times(N::plain(has), a.times[l]);
    all = over_lanes(all);
    if (lane_of() == 0) add_wide(&a.s.at_vertex[v], all);
    if (mine && lane_of() < LANES) N::put(a.b, v, l, N::quotient(N::sum(N::of(is_target(a, v)), has), count));
}

/* By a thread, along the row as well. */
template <class N, class A>
__device__ static void depend_alone(const lane_search &a, const walk &w, weft_vid v, unsigned length, unsigned lanes) {
    weft_eid from = a.s.out.offsets[v];
    wfi_wide_sum all = {0, 0}, *arcs = a.s.at_arc ? a.s.at_arc + from : nullptr;
    for (unsigned left = lanes; left; left &= left - 1) {
        unsigned l = (unsigned)__ffs((int)left) - 1;
        typename N::number count = N::at(a.b, v, l);
        typename N::number sum = sum_alone<N>(a.b, a.s.out.targets + from, length, a.front(w.depth + 1), l,
                                              typename A::template row<N>(arcs, a.times, count));
        typename N::number has = N::product(count, sum);
        if (!w.depth) continue;
        wfi_wide_join(&all, wfi_wide_times(N::plain(has), a.times[l]));
        N::put(a.b, v, l, N::quotient(N::sum(N::of(is_target(a, v)), has), count));
    }
    if (w.depth) add_wide(&a.s.at_vertex[v], all);
}

template <class N> __device__ static typename N::number count_of(const lane_search &a, weft_vid v, unsigned lanes) {
    unsigned l = lane_of() % LANES;
    return lanes >> l & 1 ? N::at(a.b, v, l) : N::of(0);
}

/* By a warp, arcs that lie in one piece. */
template <class N, class A>
__device__ static typename N::number sum_shares(const lane_search &a, const walk &w, weft_eid from, weft_eid end,
                                                unsigned lanes, typename N::number count) {
    unsigned arcs = (unsigned)(end - from < PIECE ? end - from : PIECE);
    typename A::template row<N> row(a.s.at_arc ? a.s.at_arc + from : nullptr, a.times, count);
    return sum_together<N>(a.b, a.s.out.targets + from, arcs, a.front(w.depth + 1), lanes, row);
}

/* --- a level ----------------------------------------------------------------------------------------------- */

template <class N, class A> __device__ static void come_back(const lane_search &a, const walk &w, const team &t) {
    unsigned each = at_once(t, w.to - w.from), lane = lane_of();
    for (word i = w.from + (word)t.warp() * each; i < w.to; i += (word)t.warps() * each) {
        bool at = lane < each && i + lane < w.to;
        weft_vid v = at ? a.b.trail[i + lane] : 0;
        unsigned lanes = at ? a.b.lanes[i + lane] : 0, length = at ? length_of(a.s.out, v) : PIECE + 1;
        bool light = at && (unsigned)__popc(lanes) * length <= LIGHT;
        if (light) depend_alone<N, A>(a, w, v, length, lanes);
        for (unsigned left = __ballot_sync(~0u, !light && length <= PIECE); left; left &= left - 1) {
            int j = __ffs((int)left) - 1;
            weft_vid whose = __shfl_sync(~0u, v, j);
            unsigned theirs = __shfl_sync(~0u, lanes, j);
            typename N::number count = count_of<N>(a, whose, theirs);
            typename N::number sum =
                sum_shares<N, A>(a, w, a.s.out.offsets[whose], a.s.out.offsets[whose + 1], theirs, count);
            if (w.depth) depend<N>(a, whose, theirs, count, sum);
        }
    }
}

template <class N, class A>
__device__ static void come_back_pieces(const lane_search &a, const walk &w, const team &t) {
    for (unsigned p = t.warp(), pieces = a.s.out_hubs.count[1]; p < pieces; p += t.warps()) {
        uint2 piece = a.s.out_hubs.piece[p];
        unsigned lanes = a.front(w.depth)[piece.x];
        if (!lanes) continue;
        weft_eid from = a.s.out.offsets[piece.x] + (weft_eid)piece.y * PIECE;
        typename N::number count = count_of<N>(a, piece.x, lanes);
        typename N::number sum = sum_shares<N, A>(a, w, from, a.s.out.offsets[piece.x + 1], lanes, count);
        if (lane_of() < LANES) N::put_part(a.b, p, lane_of(), sum);
    }
}

template <class N> __device__ static void come_back_hubs(const lane_search &a, const walk &w, const team &t) {
    for (unsigned k = t.warp(), hubs = a.s.out_hubs.count[0]; k < hubs; k += t.warps()) {
        weft_vid v = a.s.out_hubs.vertex[k];
        unsigned lanes = a.front(w.depth)[v];
        if (!lanes) continue;
        typename N::number sum = sum_parts<N>(a.b, a.s.out_hubs.first[k], pieces_of(a.s.out, v));
        depend<N>(a, v, lanes, count_of<N>(a, v, lanes), sum);
    }
}

__device__ static inline void enter(const lane_search &a, const team &t, word level, word from, word to) {
    for (word i = from + t.beside(); i < to; i += t.threads()) a.front(level)[a.b.trail[i]] = a.b.lanes[i];
}

/* A level, of which the lanes are there; those of the next nearer one come.  The sources' is for arcs. */
template <class N, class A> __device__ static bool go_back(const lane_search &a, walk &w, team &t) {
    word lower = w.depth > 1 ? a.b.level[w.depth - 2] & ~LEVEL_HUBS : 0;
    bool hubs = (a.b.level[w.depth] & LEVEL_HUBS) != 0, last = !w.depth || (w.depth == 1 && !a.s.at_arc);
    come_back<N, A>(a, w, t);
    if (hubs) come_back_pieces<N, A>(a, w, t);
    if (w.depth) enter(a, t, w.depth - 1, w.below, w.from);
    leave(a, t, w.depth + 2, w.above, w.beyond);
    unsigned flags = meet(t, {0, 0, 0}).flags;
    if (hubs && w.depth) {
        come_back_hubs<N>(a, w, t);
        flags |= meet(t, {0, 0, 0}).flags;
    }
    if (last) {
        w.phase = ENDS;
    } else {
        w.depth--;
        w.beyond = w.above;
        w.above = w.to;
        w.to = w.from;
        w.from = w.below;
        w.below = lower;
    }
    return flags & STOP;
}

/* --- ends of paths ----------------------------------------------------------------------------------------- */

__device__ static inline void add_whole(wfi_wide_sum *to, word x) { atomicAdd((word *)&to->whole, x); }

/* Each vertex is an end of the paths to it; how many vertices each lane has reached. */
__device__ static void count_ends(const lane_search &a, word end, unsigned sources, const team &t) {
    word reached = 0, first = sources + (word)t.warp() * WARP;
    for (word i = first; i < end; i += t.threads()) {
        bool at = i + lane_of() < end;
        unsigned lanes = at ? a.b.lanes[i + lane_of()] : 0;
        for (unsigned l = 0; l < LANES; l++) {
            unsigned all = __ballot_sync(~0u, lanes >> l & 1);
            if (lane_of() == l) reached += (word)__popc(all);
        }
        if (at) add_whole(&a.s.at_vertex[a.b.trail[i + lane_of()]], (word)__popc(lanes));
    }
    if (lane_of() < LANES && reached) atomicAdd(&a.reached[lane_of()], reached);
}

/* Of a batch that has come back. */
__device__ static bool end_batch(const lane_search &a, walk &w, team &t) {
    unsigned flags = 0;
    if (a.s.ends && !a.s.folds.below) {
        count_ends(a, w.open, w.lanes, t);
        flags = meet(t, {0, 0, 0}).flags;
        if (t.thread() < w.lanes)
            add_whole(&a.s.at_vertex[a.s.sources[w.batch * LANES + t.thread()]], __ldcg(&a.reached[t.thread()]));
    }
    w.phase = TAKE;
    return flags & STOP;
}

#endif
