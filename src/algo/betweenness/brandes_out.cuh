/* From sources on the GPU: a level on the way out.
 * Known: the vertices of the last level offer their lanes to their neighbours; who is offered any for the first time
 * enters the trail, and then adds up its counts.  Where levels are small a vertex offers its own lanes in the same
 * phase: deep graphs have thousands of levels, and each phase is a chain of accesses and a meeting of all blocks.
 * Open: every vertex that some lane has not reached adds up what the last level brings, and enters the trail if that is
 * anything.  Rows of more than a piece are added in pieces by all warps, and then put together. */
#ifndef WFI_BETWEENNESS_BRANDES_OUT_CUH
#define WFI_BETWEENNESS_BRANDES_OUT_CUH

#include "algo/betweenness/brandes_rows.cuh"

enum {
    OFFERED = 4, /* vertices that a thread offers lanes at once */
    SHORT = 8,   /* arcs of a row that a thread takes by itself */
    SMALL = 16   /* a level is small if fewer arcs than this part of the vertices are to be expected of it */
};

/* A batch as its group's threads see it. */
struct lane_search {
    const wfi_brandes_gpu &s;
    wfi_lane_batch_gpu b;
    word *times, *reached; /* in the block's memory; in the GPU's */

    __device__ wfi_lane_set *seen() const { return b.sets; }
    __device__ wfi_lane_set *front(word level) const { return b.sets + (1 + level % FRONTS) * s.set_stride; }
    __device__ unsigned misses(weft_vid v, const walk &w) const { return w.all & ~(unsigned)b.sets[v]; }
};

__device__ static inline unsigned length_of(const wfi_view &rows, weft_vid v) {
    weft_eid arcs = rows.offsets[v + 1] - rows.offsets[v];
    return arcs > PIECE ? PIECE + 1 : (unsigned)arcs;
}

/* v has come to its level with these lanes; so far it had `before`. */
__device__ static inline void arrive(const lane_search &a, const walk &w, weft_vid v, unsigned before, unsigned lanes,
                                     phase_part *t) {
    weft_eid in = a.s.in.offsets[v + 1] - a.s.in.offsets[v], out = a.s.out.offsets[v + 1] - a.s.out.offsets[v];
    a.seen()[v] = (wfi_lane_set)(before | lanes);
    t->ahead += out;
    if ((before | lanes) == w.all) t->closed += in + 1;
    if (out > PIECE) t->flags |= HUB_OUT;
    if (in > PIECE) t->flags |= HUB_IN;
}

/* The places in the trail of what the lanes of a warp have found. */
__device__ static inline word places(word *found, unsigned mine) {
    unsigned upto = wfi_warp_scan(mine);
    word base = 0;
    if (lane_of() == WARP - 1 && upto) base = atomicAdd(found, (word)upto);
    return __shfl_sync(~0u, base, WARP - 1) + upto - mine;
}

/* --- known ------------------------------------------------------------------------------------------------- */

/* What vertices offer: those of `level`, to the one behind it. */
struct offers {
    word level, base; /* base: where what is found begins in the trail */
    word *found;
};

/* Each lane of a warp offers `lanes` to those of its vertices whose bit is set in `there`.  Vertices of the level
 * itself may be about to enter `seen`. */
__device__ static void offer(const lane_search &a, const offers &o, const weft_vid *u, unsigned there, unsigned lanes) {
    unsigned fresh[OFFERED], had[OFFERED], first = 0;
    const wfi_lane_set *same = a.front(o.level);
    wfi_lane_set *next = a.front(o.level + 1);
#pragma unroll
    for (int k = 0; k < OFFERED; k++) fresh[k] = there >> k & 1 ? lanes & ~(unsigned)(a.seen()[u[k]] | same[u[k]]) : 0;
#pragma unroll
    for (int k = 0; k < OFFERED; k++) {
        had[k] = 1;
        if (!fresh[k]) continue;
        unsigned shift = u[k] % 2 * LANES;
        had[k] = atomicOr((unsigned *)next + u[k] / 2, fresh[k] << shift) >> shift & ((1u << LANES) - 1);
    }
#pragma unroll
    for (int k = 0; k < OFFERED; k++) first |= (unsigned)!had[k] << k;
    if (!__any_sync(~0u, first)) return;
    word at = o.base + places(o.found, (unsigned)__popc(first));
#pragma unroll
    for (int k = 0; k < OFFERED; k++)
        if (first >> k & 1) a.b.trail[at++] = u[k];
}

/* Arcs that lie in one piece, by a warp. */
__device__ static void offer_piece(const lane_search &a, const offers &o, const weft_vid *target, unsigned count,
                                   unsigned lanes) {
    for (unsigned from = 0; from < count; from += OFFERED * WARP) {
        weft_vid u[OFFERED];
        unsigned there = 0;
#pragma unroll
        for (int k = 0; k < OFFERED; k++) {
            unsigned i = from + k * WARP + lane_of();
            there |= (i < count ? 1u : 0u) << k;
            u[k] = i < count ? target[i] : 0;
        }
        offer(a, o, u, there, lanes);
    }
}

/* Rows of up to a piece: each thread of a warp has one, or none: its lanes are 0 then. */
__device__ static void offer_rows(const lane_search &a, const offers &o, weft_vid v, unsigned lanes) {
    unsigned length = lanes ? length_of(a.s.out, v) : 0;
    const weft_vid *row = a.s.out.targets + (lanes ? a.s.out.offsets[v] : 0);
    for (unsigned from = 0; __any_sync(~0u, length <= SHORT && from < length); from += OFFERED) {
        weft_vid u[OFFERED];
        unsigned there = 0;
#pragma unroll
        for (int k = 0; k < OFFERED; k++) {
            bool at = length <= SHORT && from + k < length;
            there |= (at ? 1u : 0u) << k;
            u[k] = at ? row[from + k] : 0;
        }
        offer(a, o, u, there, lanes);
    }
    for (unsigned left = __ballot_sync(~0u, length > SHORT && length <= PIECE); left; left &= left - 1) {
        int j = __ffs((int)left) - 1;
        const weft_vid *theirs = (const weft_vid *)__shfl_sync(~0u, (word)row, j);
        unsigned count = __shfl_sync(~0u, length, j), whose = __shfl_sync(~0u, lanes, j);
        offer_piece(a, o, theirs, count, whose);
    }
}

__device__ static void offer_hubs(const lane_search &a, const offers &o, const team &t) {
    for (unsigned p = t.warp(), pieces = a.s.out_hubs.count[1]; p < pieces; p += t.warps()) {
        uint2 piece = a.s.out_hubs.piece[p];
        unsigned lanes = a.front(o.level)[piece.x];
        if (!lanes) continue;
        weft_eid from = a.s.out.offsets[piece.x] + (weft_eid)piece.y * PIECE, end = a.s.out.offsets[piece.x + 1];
        offer_piece(a, o, a.s.out.targets + from, (unsigned)(end - from < PIECE ? end - from : PIECE), lanes);
    }
}

/* --- counts ------------------------------------------------------------------------------------------------ */

/* A thread's vertex, which has arcs to the last level in all of `lanes`. */
template <class N>
__device__ static void count_alone(const lane_search &a, const walk &w, weft_vid v, unsigned length, unsigned lanes,
                                   phase_part *t) {
    const weft_vid *row = a.s.in.targets + a.s.in.offsets[v];
    for (unsigned left = lanes; left; left &= left - 1) {
        unsigned l = (unsigned)__ffs((int)left) - 1;
        typename N::number sum =
            sum_alone<N>(a.b, row, length, a.front(w.depth), l, no_arcs::row<N>(nullptr, nullptr, N::of(0)));
        N::put(a.b, v, l, sum);
        if (N::beyond(sum)) t->flags |= BEYOND;
    }
}

/* A warp's; returns the lanes that got anything. */
template <class N>
__device__ static unsigned store_counts(const lane_search &a, weft_vid v, typename N::number sum, phase_part *t) {
    unsigned got = __ballot_sync(~0u, N::some(sum)) & ((1u << LANES) - 1);
    if (lane_of() < LANES && got >> lane_of() & 1) N::put(a.b, v, lane_of(), sum);
    if (N::beyond(sum)) t->flags |= BEYOND;
    return got;
}

template <class N>
__device__ static typename N::number sum_counts(const lane_search &a, const walk &w, weft_eid from, unsigned count,
                                                unsigned want) {
    return sum_together<N>(a.b, a.s.in.targets + from, count, a.front(w.depth), want,
                           no_arcs::row<N>(nullptr, nullptr, N::of(0)));
}

/* Rows of up to a piece; each thread of a warp has one, and the lanes that it wants: those that it got, which are all
 * of them where they are known. */
template <class N>
__device__ static unsigned count_rows(const lane_search &a, const walk &w, weft_vid v, unsigned length, unsigned want,
                                      bool known, phase_part *t) {
    unsigned got = 0;
    bool heavy = want && length > SHORT && length <= PIECE;
    if (want && length <= SHORT) {
        const weft_vid *row = a.s.in.targets + a.s.in.offsets[v];
        if (known) got = want;
        for (unsigned i = 0; !known && i < length; i++) got |= a.front(w.depth)[row[i]] & want;
        heavy = (unsigned)__popc(got) * length > LIGHT;
        if (!heavy) count_alone<N>(a, w, v, length, got, t);
    }
    for (unsigned left = __ballot_sync(~0u, heavy); left; left &= left - 1) {
        int j = __ffs((int)left) - 1;
        weft_vid whose = __shfl_sync(~0u, v, j);
        unsigned count = __shfl_sync(~0u, length, j), wanted = __shfl_sync(~0u, want, j);
        unsigned come = store_counts<N>(a, whose, sum_counts<N>(a, w, a.s.in.offsets[whose], count, wanted), t);
        if (lane_of() == (unsigned)j) got = come;
    }
    return got;
}

/* What is done with the vertices of a level: those at first ... last - 1 of the trail, or, if it is open who belongs to
 * it, all vertices. */
struct visit {
    word level, first, last, base; /* base: where what is found begins in the trail */
    bool open, counts, offers;
};

/* One loop for all that is done: three would make kernels that are three times as large and slow to compile. */
template <class N>
__device__ static phase_part see_level(const lane_search &a, const walk &w, const visit &now, const team &t) {
    unsigned each = at_once(t, now.last - now.first), lane = lane_of();
    offers o = {now.level, now.base, t.found()};
    phase_part mine = {0, 0, 0};
    for (word i = now.first + (word)t.warp() * each; i < now.last; i += (word)t.warps() * each) {
        bool at = lane < each && i + lane < now.last;
        weft_vid v = !at ? 0 : now.open ? (weft_vid)(i + lane) : a.b.trail[i + lane];
        unsigned want = !at ? 0 : now.open ? a.misses(v, w) : a.front(now.level)[v];
        unsigned length = want ? length_of(a.s.in, v) : 0;
        if (now.offers) offer_rows(a, o, v, want);
        if (!now.counts || !__any_sync(~0u, length)) continue;
        unsigned got = count_rows<N>(a, w, v, length, length <= PIECE ? want : 0, !now.open, &mine);
        word place = now.open ? now.base + places(o.found, got != 0) : i + lane;
        if (!now.open) got = want;
        if (!got) continue;
        unsigned before = a.seen()[v];
        if (now.open) a.b.trail[place] = v;
        if (now.open) a.front(now.level)[v] = (wfi_lane_set)got;
        a.b.lanes[place] = (wfi_lane_set)got;
        arrive(a, w, v, before, got, &mine);
    }
    return mine;
}

/* --- hubs -------------------------------------------------------------------------------------------------- */

__device__ static inline unsigned wanted(const lane_search &a, const walk &w, weft_vid v, bool known) {
    return known ? a.front(w.depth + 1)[v] : a.misses(v, w);
}

template <class N> __device__ static void count_pieces(const lane_search &a, const walk &w, bool known, const team &t) {
    for (unsigned p = t.warp(), pieces = a.s.in_hubs.count[1]; p < pieces; p += t.warps()) {
        uint2 piece = a.s.in_hubs.piece[p];
        unsigned want = wanted(a, w, piece.x, known);
        if (!want) continue;
        weft_eid from = a.s.in.offsets[piece.x] + (weft_eid)piece.y * PIECE, end = a.s.in.offsets[piece.x + 1];
        typename N::number sum = sum_counts<N>(a, w, from, (unsigned)(end - from < PIECE ? end - from : PIECE), want);
        if (lane_of() < LANES) N::put_part(a.b, p, lane_of(), sum);
    }
}

__device__ static inline unsigned pieces_of(const wfi_view &rows, weft_vid v) {
    return (unsigned)((rows.offsets[v + 1] - rows.offsets[v] + PIECE - 1) / PIECE);
}

/* base: where entries of this phase begin in the trail. */
template <class N>
__device__ static phase_part count_hubs(const lane_search &a, const walk &w, bool known, word base, const team &t) {
    phase_part mine = {0, 0, 0};
    for (unsigned k = t.warp(), hubs = a.s.in_hubs.count[0]; k < hubs; k += t.warps()) {
        weft_vid v = a.s.in_hubs.vertex[k];
        unsigned want = wanted(a, w, v, known);
        if (!want) continue;
        typename N::number sum = sum_parts<N>(a.b, a.s.in_hubs.first[k], pieces_of(a.s.in, v));
        unsigned got = store_counts<N>(a, v, sum, &mine);
        if (known || !got || lane_of()) continue;
        word place = base + atomicAdd(t.found(), 1ull);
        a.b.trail[place] = v;
        a.b.lanes[place] = a.front(w.depth + 1)[v] = (wfi_lane_set)got;
        arrive(a, w, v, w.all & ~want, got, &mine);
    }
    return mine;
}

/* --- a level ----------------------------------------------------------------------------------------------- */

__device__ static inline void leave(const lane_search &a, const team &t, word level, word from, word to) {
    for (word i = from + t.beside(); i < to; i += t.threads()) a.front(level)[a.b.trail[i]] = 0;
}

/* So few vertices that the arcs which leave them will not make a level for open vertices. */
__device__ static inline bool is_small(const lane_search &a, word vertices) {
    return vertices * (a.s.arcs / a.s.n + 1) <= a.s.n / SMALL;
}

/* Goes on to the next level; w is that of the last one.  `open`: by the vertices that are open. */
template <class N> __device__ static bool go_out(const lane_search &a, walk &w, team &t, bool open) {
    visit now = {w.depth, w.from, w.to, w.to, open, false, true};
    word found = w.offered, next = 0;
    phase_sums seen;
    if (w.depth) leave(a, t, w.depth - 1, w.below, w.from);
    do {
        if (open) {
            now = {w.depth + 1, 0, a.s.n, w.to, true, true, false};
        } else if (found != UNKNOWN) {
            now = {w.depth + 1, w.to, w.to + found, w.to + found, false, true, is_small(a, found)};
        } else if (w.hubs & HUB_OUT) {
            offer_hubs(a, offers{w.depth, w.to, t.found()}, t);
        }
        seen = meet(t, see_level<N>(a, w, now, t));
        if (now.counts && !open)
            next = seen.found;
        else
            found = seen.found;
    } while (!now.counts);
    bool on = now.offers;
    word ahead = seen.ahead, closed = seen.closed;
    unsigned flags = seen.flags;
    if (on && flags & HUB_OUT) {
        offer_hubs(a, offers{w.depth + 1, w.to + found + next, t.found()}, t);
        seen = meet(t, {0, 0, 0});
        next += seen.found;
        flags |= seen.flags;
    }
    if (open ? a.s.in_hubs.count[0] > 0 : (flags & HUB_IN) != 0) {
        count_pieces<N>(a, w, !open, t);
        flags |= meet(t, {0, 0, 0}).flags;
        seen = meet(t, count_hubs<N>(a, w, !open, w.to + found, t));
        if (open) found += seen.found;
        ahead += seen.ahead;
        closed += seen.closed;
        flags |= seen.flags;
    }
    if (!found) {
        w.phase = BACK;
        w.above = w.beyond = w.open = w.to;
        return flags & STOP;
    }
    w.depth++;
    w.below = w.from;
    w.from = w.to;
    w.to += found;
    w.offered = on ? next : UNKNOWN;
    w.ahead = ahead;
    w.open -= closed;
    w.hubs = flags & (HUB_OUT | HUB_IN);
    if (t.first()) a.b.level[w.depth] = w.from | (word)(w.hubs & HUB_OUT) << 63;
    if (!N::FAR && flags & BEYOND) {
        w.phase = TURN;
        if (t.first()) a.s.control->far = 1;
    }
    return flags & STOP || w.depth >= t.deepest;
}

#endif
