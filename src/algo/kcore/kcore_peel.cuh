/* Peeling, as one cooperative kernel: waves of vertices that fall to k, and between levels a scan for the next ones.
 * Encoding: core[v] holds the neighbours left and never falls below the k at which v was taken; a count that falls
 * below it is restored, so that in the end it is the core number.  Every vertex is queued once: queue[] holds vertices
 * with short rows from the front and vertices with long rows from the back, and a wave is a range of either.  left[]
 * lists the remaining vertices, compacted by each scan.  Between barriers three sets of counters take turns: one
 * counts, one is read, one is cleared. */
#ifndef WFI_KCORE_PEEL_CUH
#define WFI_KCORE_PEEL_CUH

#include "core/search.h"
#include "cuda/grid.cuh"
#include "cuda/mirror.cuh"
#include "cuda/warp.cuh"

#include <cooperative_groups.h>

namespace kcore {

namespace groups = cooperative_groups;

enum {
    WARP = 32,
    THREADS = 512, /* threads of a block; one block on each multiprocessor: more warps wait longer for each other than
                    * they save */
    TURNS = 3,
    LONG = 1024,      /* a longer row is shared by the warps of all blocks */
    PIECE = 512,      /* arcs that one of them takes */
    CELLS = 8,        /* entries of left[] that a lane scans before its warp writes */
    ROOM = 64,        /* capacity of a warp's stack */
    AT_ONCE = 8,      /* concurrent loads of a lane */
    MOST_WAVES = 4096 /* then the host polls */
};

struct kcore_counters {
    unsigned found, long_ones, left;
    unsigned lowest; /* count of the vertices left */
};

/* The state of the peeling; between kernels it lies in global memory, in a kernel every thread has a copy. */
struct kcore_state {
    unsigned head, tail, long_head, long_tail; /* the wave */
    unsigned k, before;                        /* the level, and the last one that had vertices */
    unsigned left, side, turn;
    unsigned degeneracy, done;
};

/* The fields of a view that the kernel needs.  All others would be copied to local memory, because its rows are chosen
 * at run time. */
struct kcore_rows {
    const weft_eid *offsets;
    const weft_vid *targets;
};

struct kcore_peel {
    kcore_rows out, in; /* in: of a directed graph */
    weft_vid n;
    bool simple; /* no arc repeats another */
    uint32_t *core;
    weft_vid *queue, *left[2];
    kcore_counters *turns;
    kcore_state *at;
    long long patience; /* clock cycles for which a warp continues with its own stack */
};

__device__ static inline unsigned this_lane(void) { return threadIdx.x % WARP; }

__device__ static inline bool row_has(const kcore_rows &rows, weft_vid v, weft_vid u) {
    weft_eid end = rows.offsets[v + 1];
    return wfi_place_of(rows.targets, rows.offsets[v], end, u) < end;
}

/* True if this arc of v repeats another: the one before it, or if it is incoming, an outgoing one. */
__device__ static inline bool repeats(bool incoming, const kcore_rows &out, weft_vid v, const weft_vid *row,
                                      const weft_vid *arc) {
    return (arc > row && arc[-1] == *arc) || (incoming && row_has(out, v, *arc));
}

/* --- a wave -------------------------------------------------------------------------- */

template <bool BOTH> __device__ static weft_eid length_of(const kcore_peel &p, weft_vid v) {
    weft_eid length = p.out.offsets[v + 1] - p.out.offsets[v];
    return BOTH ? length + (p.in.offsets[v + 1] - p.in.offsets[v]) : length;
}

/* The vertices that a warp took and will process by itself, in shared memory. */
struct stack {
    weft_vid *at; /* ROOM entries */
    unsigned *size;
};

/* A wave, for a warp. */
struct wave {
    const kcore_peel &p;
    const kcore_state &s;
    kcore_counters *c;
    stack own;
};

__device__ static inline void queue_up(const wave &w, weft_vid v) {
    groups::coalesced_group with = groups::coalesced_threads();
    unsigned at = 0;
    if (with.thread_rank() == 0) at = atomicAdd(&w.c->found, with.size());
    w.p.queue[w.s.tail + with.shfl(at, 0) + with.thread_rank()] = v;
}

__device__ static inline void push(const wave &w, weft_vid v, weft_eid length) {
    if (length > LONG) {
        w.p.queue[w.p.n - 1 - (w.s.long_tail + atomicAdd(&w.c->long_ones, 1u))] = v;
        return;
    }
    unsigned at = w.own.at ? atomicAdd(w.own.size, 1u) : ROOM;
    if (at < ROOM)
        w.own.at[at] = v;
    else
        queue_up(w, v);
}

/* Each of the neighbours u[] (NO_VERTEX: none) loses one; if it reaches k it is taken.  Step by step for all of them,
 * so that a lane's loads overlap; the length of a row is loaded if its vertex is likely to be taken. */
template <bool BOTH> __device__ static inline void lower(const wave &w, const weft_vid u[AT_ONCE]) {
    unsigned count[AT_ONCE];
    weft_eid length[AT_ONCE];
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) count[i] = u[i] == WEFT_NO_VERTEX ? 0 : __ldcg(&w.p.core[u[i]]);
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) length[i] = count[i] == w.s.k + 1 ? length_of<BOTH>(w.p, u[i]) : 0;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) count[i] = count[i] > w.s.k ? atomicSub(&w.p.core[u[i]], 1u) : ~0u;
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        if (count[i] == w.s.k + 1) push(w, u[i], length[i] ? length[i] : length_of<BOTH>(w.p, u[i]));
        if (count[i] <= w.s.k) atomicAdd(&w.p.core[u[i]], 1u);
    }
}

/* The row of v, which begins at arc `begin`. */
struct row_of {
    const kcore_rows &rows;
    bool incoming;
    weft_vid v;
    weft_eid begin;
};

/* The neighbour at an arc of the row; NO_VERTEX if it does not count. */
__device__ static inline weft_vid neighbour(const kcore_peel &p, const row_of &r, weft_eid e) {
    const weft_vid *targets = r.rows.targets;
    weft_vid u = targets[e];
    bool none = u == r.v || (!p.simple && repeats(r.incoming, p.out, r.v, targets + r.begin, targets + e));
    return none ? WEFT_NO_VERTEX : u;
}

/* Arcs from, from + apart, ... of a row. */
template <bool BOTH>
__device__ static inline void go_through(const wave &w, const row_of &r, weft_eid from, weft_eid end, unsigned apart) {
    for (; from < end; from += AT_ONCE * apart) {
        weft_vid u[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            weft_eid e = from + i * apart;
            u[i] = e < end ? neighbour(w.p, r, e) : WEFT_NO_VERTEX;
        }
        lower<BOTH>(w, u);
    }
}

/* A row for each lane that has one: their arcs are laid end to end, and lanes take them in turn, whatever their row. */
template <bool BOTH>
__device__ static void take_rows(const wave &w, const kcore_rows &rows, bool incoming, weft_vid v, bool mine) {
    weft_eid row = mine ? rows.offsets[v] : 0;
    unsigned length = mine ? (unsigned)(rows.offsets[v + 1] - row) : 0, upto = length;
    upto = wfi_warp_scan(upto);
    unsigned all = __shfl_sync(~0u, upto, WARP - 1), before = upto - length;
    for (unsigned base = 0; base < all; base += AT_ONCE * WARP) {
        weft_vid u[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            unsigned at = base + (unsigned)i * WARP + this_lane(), owner = 0;
#pragma unroll
            for (int step = WARP / 2; step; step /= 2)
                if (__shfl_sync(~0u, upto, (int)owner + step - 1) <= at) owner += (unsigned)step;
            weft_eid begin = __shfl_sync(~0u, row, (int)owner);
            weft_vid whose = __shfl_sync(~0u, v, (int)owner);
            unsigned skip = __shfl_sync(~0u, before, (int)owner);
            u[i] = at < all ? neighbour(w.p, {rows, incoming, whose, begin}, begin + (at - skip)) : WEFT_NO_VERTEX;
        }
        lower<BOTH>(w, u);
        __syncwarp();
    }
}

/* The long rows of the wave: warps take pieces of them in turn, counted through all rows; or, if there are enough rows,
 * whole rows. */
template <bool BOTH>
__device__ static void take_long(const wave &w, const kcore_rows &rows, bool incoming, unsigned warp, unsigned warps) {
    unsigned count = w.s.long_tail - w.s.long_head;
    if (count >= warps) {
        for (unsigned i = warp; i < count; i += warps) {
            weft_vid v = __ldcg(&w.p.queue[w.p.n - 1 - (w.s.long_head + i)]);
            weft_eid row = rows.offsets[v];
            go_through<BOTH>(w, {rows, incoming, v, row}, row + this_lane(), rows.offsets[v + 1], WARP);
            __syncwarp();
        }
        return;
    }
    weft_eid next = warp; /* this warp's next piece, counted from the current row's first */
    for (unsigned base = w.s.long_head; base < w.s.long_tail; base += WARP) {
        bool mine = base + this_lane() < w.s.long_tail;
        weft_vid v = mine ? __ldcg(&w.p.queue[w.p.n - 1 - (base + this_lane())]) : 0;
        weft_eid e = mine ? rows.offsets[v] : 0, end = mine ? rows.offsets[v + 1] : 0;
        unsigned here = w.s.long_tail - base < WARP ? w.s.long_tail - base : WARP;
        for (unsigned i = 0; i < here; i++) {
            weft_eid row = __shfl_sync(~0u, e, (int)i), to = __shfl_sync(~0u, end, (int)i);
            weft_vid whose = __shfl_sync(~0u, v, (int)i);
            weft_eid pieces = (to - row + PIECE - 1) / PIECE;
            for (; next < pieces; next += warps) {
                weft_eid from = row + next * PIECE, stop = to - from < PIECE ? to : from + PIECE;
                go_through<BOTH>(w, {rows, incoming, whose, row}, from + this_lane(), stop, WARP);
                __syncwarp();
            }
            next -= pieces;
        }
    }
}

template <bool BOTH> __device__ static inline void take_both(const wave &w, weft_vid v, bool mine) {
    take_rows<BOTH>(w, w.p.out, false, v, mine);
    if (BOTH) take_rows<BOTH>(w, w.p.in, true, v, mine);
}

/* Each warp drains its own stack, new vertices included, for a limited time; the rest is queued for the next wave. */
template <bool BOTH> __device__ static void follow(const wave &w, long long begin) {
    for (;;) {
        __syncwarp();
        unsigned size = *w.own.size < ROOM ? *w.own.size : ROOM, taken = size < WARP ? size : WARP;
        if (!size) return;
        bool mine = this_lane() < taken;
        weft_vid v = mine ? w.own.at[size - 1 - this_lane()] : 0;
        __syncwarp();
        if (this_lane() == 0) *w.own.size = size - taken;
        __syncwarp();
        if (__any_sync(~0u, clock64() - begin > w.p.patience)) {
            if (mine) queue_up(w, v);
        } else {
            take_both<BOTH>(w, v, mine);
        }
    }
}

/* If there are fewer rows than warps, several warps take a row. */
template <bool BOTH> __device__ static void take_thin(const wave &w, unsigned warp, unsigned warps) {
    unsigned size = w.s.tail - w.s.head, with = warps / size, which = warp / with;
    if (which >= size) return;
    weft_vid v = __ldcg(&w.p.queue[w.s.head + which]);
    unsigned first = warp % with * WARP + this_lane();
    weft_eid row = w.p.out.offsets[v];
    go_through<BOTH>(w, {w.p.out, false, v, row}, row + first, w.p.out.offsets[v + 1], with * WARP);
    if (!BOTH) return;
    row = w.p.in.offsets[v];
    go_through<BOTH>(w, {w.p.in, true, v, row}, row + first, w.p.in.offsets[v + 1], with * WARP);
}

template <bool BOTH> __device__ static void take_wave(const wave &w, unsigned warp, unsigned warps) {
    long long begin = clock64();
    unsigned size = w.s.tail - w.s.head, each = (size + warps - 1) / warps;
    if (each > WARP) each = WARP;
    if (this_lane() == 0) *w.own.size = 0;
    __syncwarp();
    take_long<BOTH>(w, w.p.out, false, warp, warps);
    if (BOTH) take_long<BOTH>(w, w.p.in, true, warp, warps);
    if (size && size < warps)
        take_thin<BOTH>(w, warp, warps);
    else
        for (uint64_t base = w.s.head + (uint64_t)warp * each; base < w.s.tail; base += (uint64_t)warps * each) {
            bool mine = this_lane() < each && base + this_lane() < w.s.tail;
            take_both<BOTH>(w, mine ? __ldcg(&w.p.queue[base + this_lane()]) : 0, mine);
        }
    follow<BOTH>(w, begin);
}

/* --- the next level ------------------------------------------------------------------ */

/* Queues the vertices with count k, drops them and those of earlier levels from the list, and finds the lowest count of
 * the others. */
template <bool BOTH>
__device__ static void scan(const kcore_peel &p, const kcore_state &s, kcore_counters *c, unsigned warp,
                            unsigned warps) {
    const weft_vid *from = s.side == 0 ? p.left[1] : p.left[0];
    weft_vid *to = s.side == 0 ? p.left[0] : p.left[1];
    bool all = s.left == p.n; /* no vertex is listed yet, or none was dropped */
    unsigned lowest = ~0u;
    for (uint64_t base = (uint64_t)warp * WARP * CELLS; base < s.left; base += (uint64_t)warps * WARP * CELLS) {
        weft_vid v[CELLS];
        unsigned keep[CELLS], kept = 0;
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            uint64_t at = base + (unsigned)i * WARP + this_lane();
            v[i] = at >= s.left ? WEFT_NO_VERTEX : all ? (weft_vid)at : __ldcg(&from[at]);
        }
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            unsigned count = v[i] == WEFT_NO_VERTEX ? 0 : __ldcg(&p.core[v[i]]);
            if (count > s.before && count <= s.k) push({p, s, c, {NULL, NULL}}, v[i], length_of<BOTH>(p, v[i]));
            if (count > s.k && count < lowest) lowest = count;
            __syncwarp();
            keep[i] = __ballot_sync(~0u, count > s.k);
            kept += (unsigned)__popc(keep[i]);
        }
        unsigned at = 0;
        if (this_lane() == 0 && kept) at = atomicAdd(&c->left, kept);
        at = __shfl_sync(~0u, at, 0);
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            if (keep[i] >> this_lane() & 1) to[at + (unsigned)__popc(keep[i] & ((1u << this_lane()) - 1))] = v[i];
            at += (unsigned)__popc(keep[i]);
        }
    }
    lowest = wfi_warp_min(lowest);
    if (this_lane() == 0 && lowest < __ldcg(&c->lowest)) atomicMin(&c->lowest, lowest);
}

/* The counters of this turn, after all blocks have added to them. */
__device__ static inline kcore_counters turn_over(const kcore_peel &p, kcore_state *s) {
    kcore_counters seen = wfi_sync_and_broadcast(&p.turns[s->turn % TURNS]);
    if (blockIdx.x == 0 && threadIdx.x == 0) p.turns[(s->turn + 2) % TURNS] = {0, 0, 0, ~0u};
    s->turn++;
    return seen;
}

template <bool BOTH> __global__ static void __launch_bounds__(THREADS, 1) peel_kernel(kcore_peel p) {
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * (THREADS / WARP);
    kcore_state s = *p.at;
    __shared__ weft_vid stacks[THREADS / WARP][ROOM];
    __shared__ unsigned sizes[THREADS / WARP];
    stack own = {stacks[threadIdx.x / WARP], &sizes[threadIdx.x / WARP]};
    for (unsigned waves = 0; waves < MOST_WAVES && !s.done; waves++) {
        bool between = s.head == s.tail && s.long_head == s.long_tail;
        kcore_counters *c = &p.turns[s.turn % TURNS];
        if (between)
            scan<BOTH>(p, s, c, warp, warps);
        else
            take_wave<BOTH>({p, s, c, own}, warp, warps);
        kcore_counters seen = turn_over(p, &s);
        bool some = seen.found || seen.long_ones;
        s.head = s.tail;
        s.tail += seen.found;
        s.long_head = s.long_tail;
        s.long_tail += seen.long_ones;
        if (between) {
            s.left = seen.left;
            s.side ^= 1;
            if (some)
                s.degeneracy = s.k;
            else if (seen.lowest == ~0u)
                s.done = 1;
            else
                s.k = seen.lowest;
        } else if (!some) {
            s.before = s.k++;
        }
    }
    groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *p.at = s;
}

} // namespace kcore

#endif
