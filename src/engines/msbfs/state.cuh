/* Multi-source breadth-first search on the GPU: its state, and the functions that the files of engines/msbfs share
 * there.
 * Encoding: 1,024 sources form a group, and a vertex has a line of 1,024 bits for each group, a word for each lane of a
 * warp.  In small graphs several groups run at the same time, and an item is a vertex in one of them: group * n + v.
 * The items of a level are listed as entries, a piece of a row each, once a push needs them; their bits are always in
 * `now`.  Three sets of counters take turns: one is cleared, one read, one counts. */
#ifndef WFI_MSBFS_STATE_CUH
#define WFI_MSBFS_STATE_CUH

#include "cuda/warp.cuh"
#include "engines/msbfs/lines.cuh"

namespace msbfs {

using lines::lane_of;
using lines::THREADS;
using lines::WARP;
using lines::WARPS;

enum {
    LANES = 1024, /* sources of a group */
    PIECE = 512,  /* arcs of an entry */
    SETS = 3,
    SIDE_BY_SIDE = 1 << 17 /* items, if one group has fewer: they fill the GPU, and lie in its cache */
};

/* Marks of items; smaller values are the last level in which a step met the item.  A closed item's two lines are
 * cleared in the two pulling levels after it closed. */
static const uint32_t CLOSED = ~0u - 2, CLEAN = ~0u;

struct counts {
    unsigned long long ahead, closed; /* arcs out of the level's items; arcs into items that closed */
    unsigned long long found;
    unsigned met, entries, listed; /* lengths of the lists */
    unsigned unused;
    lines::turns turn;
};

/* A level, as every thread of the grid sees it; between launches in memory. */
struct level {
    unsigned long long first;              /* sources before it are done */
    unsigned long long found, ahead, open; /* open: arcs into items that some source has not reached */
    unsigned distance, entries, round;     /* distance 0: the batch has not begun */
    unsigned list, now;                    /* the current of the two lists, and of the two lines */
    unsigned listed;                       /* true if its items are in the list */
    unsigned done, unused;
};

struct progress {
    counts set[SETS];
    level at;
};

struct state {
    lines::layout look; /* rows for pulling */
    wfi_view along;
    weft_vid n;
    unsigned groups; /* simultaneous, at most */
    uint64_t count;  /* sources */
    weft_vid *order;
    uint32_t *seen, *line[2]; /* before this level; at it and at the next one */
    uint32_t *mark, *met;     /* met: items, each once */
    uint2 *entry[2];          /* item, number of the piece in its row */
    weft_vid *longs;
    unsigned *long_count;
    progress *p;
};

/* The counts of one lane of a warp in a level. */
struct level_tally {
    unsigned long long ahead, closed, found;
};

/* The sources and the items of the batch that begins at `first`. */
__device__ static inline uint64_t lanes_of(const state &s, uint64_t first) {
    uint64_t most = (uint64_t)s.groups * LANES;
    return s.count - first < most ? s.count - first : most;
}
__device__ static inline uint64_t items_of(const state &s, uint64_t first) {
    return (lanes_of(s, first) + LANES - 1) / LANES * s.n;
}

/* The lines of a level and of the next one, and their lists.  Not indexed: an indexed parameter would be copied to
 * local memory. */
__device__ static inline uint32_t *here(const state &s, const level &v) { return v.now ? s.line[1] : s.line[0]; }
__device__ static inline uint32_t *beyond(const state &s, const level &v) { return v.now ? s.line[0] : s.line[1]; }
__device__ static inline uint2 *listed(const state &s, const level &v) { return v.list ? s.entry[1] : s.entry[0]; }
__device__ static inline uint2 *listed_next(const state &s, const level &v) { return v.list ? s.entry[0] : s.entry[1]; }

/* The bits of all sources of a group, in this lane's word. */
__device__ static inline uint32_t all_of(const state &s, uint64_t first, uint64_t group) {
    uint64_t end = lanes_of(s, first), begin = group * LANES + lane_of() * 32;
    return end >= begin + 32 ? ~0u : end <= begin ? 0 : (1u << (end - begin)) - 1;
}

__device__ static inline uint64_t length(const wfi_view &rows, weft_vid v) {
    return rows.offsets[v + 1] - rows.offsets[v];
}

/* Lists every lane's item, if it has one.  All lanes of a warp must call it. */
__device__ static inline void enter(const state &s, uint2 *list, unsigned *used, bool mine, uint32_t item) {
    unsigned pieces = mine ? 1 + (unsigned)(length(s.along, lines::vertex_of(item, s.n)) / PIECE) : 0;
    unsigned upto = wfi_warp_scan(pieces), base = 0;
    if (lane_of() == WARP - 1 && upto) base = atomicAdd(used, upto);
    base = __shfl_sync(~0u, base, WARP - 1) + upto - pieces;
    for (unsigned i = 0; i < pieces; i++) list[base + i] = make_uint2(item, i);
}

/* Adds the arrived bits to the item; the new ones are its bits of the next level.  By a warp. */
template <class L>
__device__ static inline void add_bits(const state &s, L &listener, uint64_t item, uint32_t seen, uint32_t lacks,
                                       uint32_t came, uint32_t *next, level_tally *t) {
    uint32_t fresh = came & lacks;
    weft_vid vertex = lines::vertex_of(item, s.n);
    next[item * WARP + lane_of()] = fresh;
    bool any = __any_sync(~0u, fresh != 0), open = __any_sync(~0u, (lacks & ~fresh) != 0);
    uint64_t behind = length(s.look.rows, vertex);
    if (any) {
        s.seen[item * WARP + lane_of()] = seen | fresh;
        t->ahead += length(s.along, vertex);
        t->found++;
        listener.fresh(item, fresh);
    }
    if (open && behind) return;
    t->closed += behind + 1;
    if (lane_of() == 0) s.mark[item] = CLOSED;
}

/* Adds the tallies of a block's warps, lane 0 of each.  All threads of the block must call it. */
__device__ static inline void hand_in(const level_tally &t, counts *c) {
    __shared__ unsigned long long sum[3];
    if (threadIdx.x < 3) sum[threadIdx.x] = 0;
    __syncthreads();
    if (lane_of() == 0 && (t.found || t.closed)) {
        atomicAdd(&sum[0], t.ahead);
        atomicAdd(&sum[1], t.closed);
        atomicAdd(&sum[2], t.found);
    }
    __syncthreads();
    unsigned long long *to[3] = {&c->ahead, &c->closed, &c->found};
    if (threadIdx.x < 3 && sum[threadIdx.x]) atomicAdd(to[threadIdx.x], sum[threadIdx.x]);
}

} // namespace msbfs

#endif
