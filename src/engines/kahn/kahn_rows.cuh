/* One level of Kahn's algorithm by rows: decrementing along the arcs of a frontier (kahn_rows.cu, kahn_narrow.cuh).
 * Encoding: a queue of arcs, not of vertices: an entry is the first arc of up to WFI_KAHN_PIECE arcs of a row (from bit
 * LENGTH on) and their number.  So only targets are looked up, long rows are split, and sinks need no entry.  If both
 * ends are peeled at once (BOTH), entries of incoming rows have the bit BACK and stand in the same queue.  A warp takes
 * up to 32 entries and lays their arcs end to end, so that lanes have equal work.  Blocks gather new entries in shared
 * memory. */
#ifndef WFI_KAHN_KAHN_ROWS_CUH
#define WFI_KAHN_KAHN_ROWS_CUH

#include "cuda/warp.cuh"
#include "engines/kahn/kahn_cuda.cuh"

namespace {

typedef unsigned long long number;

enum {
    THREADS = 512,
    WARP = 32,
    WARPS = THREADS / WARP,
    SETS = 3,
    LENGTH = 11,      /* bits; WFI_KAHN_PIECE fits */
    ROOM = 2048,      /* entries that a block gathers */
    ALONE = 1024,     /* arcs of a level that one block takes by itself */
    TOGETHER = 32768, /* arcs of a level that a cluster of blocks takes */
    CLUSTER = 8       /* blocks */
};

const number BACK = 1ull << 63;

struct kahn_counts {
    number entries, arcs; /* arcs: exact as long as they are few */
    unsigned taken;       /* vertices taken; with both ends: taken for the first time */
};
enum { MUCH = 1 << 25 };

/* The state of the peeling, the same in every thread of the grid. */
struct kahn_state {
    number from, to, arcs; /* the frontier's entries, and their arcs */
    unsigned frontier, peeled, depth;
    unsigned round; /* levels by the whole grid: it selects the set of counters */
};

struct kahn_progress {
    kahn_counts set[SETS];
    kahn_state at; /* between launches */
    /* The state that a block or a cluster left to the others; alternating, because one may still be read when the next
     * is left. */
    kahn_state narrow[2];
    number spilt; /* entries of a cluster that did not fit its shared memory */
    int begun, done, overflow;
};

struct kahn_peel {
    wfi_view out, in; /* in, waiting_out and mark: only with both ends */
    weft_vid n;
    uint32_t *waiting_in, *waiting_out; /* remaining arcs into and out of each vertex */
    uint32_t *level, *mark;             /* mark: the number of ends that have taken the vertex */
    number *queue;
    kahn_progress *p;
    unsigned alone, together; /* arcs of a level up to which one block, or a cluster, takes it; together may be 0 */
};

/* The vertices that one thread took, and their arcs. */
struct kahn_tally {
    unsigned taken, arcs;
};

struct kahn_row {
    weft_eid begin, end;
};

/* The number of gathered entries of a block: requested, and the end of those that fit. */
struct filling {
    unsigned asked, end;
    __device__ unsigned size(void) const { return asked < end ? asked : end; }
    __device__ void clear(void) {
        asked = 0;
        end = ROOM;
    }
};

struct gathered {
    number *entry; /* ROOM entries */
    filling *fill;
};

__device__ unsigned lane_of(void) { return threadIdx.x % WARP; }

/* The arcs to remove when v is taken from one end. */
__device__ kahn_row row_of(const kahn_peel &w, weft_vid v, bool back) {
    const weft_eid *offsets = back ? w.in.offsets : w.out.offsets;
    return {offsets[v], offsets[v + 1]};
}

/* The next level, and the destination of its entries: the block; entries that do not fit go behind `tail` in memory. */
struct kahn_level {
    gathered to;
    unsigned depth;
    number tail, *spilt;
};

/* A vertex that may be ready, and its row. */
struct kahn_vertex {
    bool ready, back; /* back: from the sinks' end */
    weft_vid v;
    kahn_row row;
};

/* Takes each lane's vertex, if it is ready: sets its level and queues its arcs. */
template <bool BOTH> __device__ void take(const kahn_peel &w, const kahn_level &l, kahn_vertex x, kahn_tally *t) {
    kahn_row row = x.row;
    number arcs = x.ready ? row.end - row.begin : 0;
    if (x.ready) {
        if (!BOTH || !x.back) __stcg(&w.level[x.v], l.depth);
        if (!BOTH || !atomicAdd(&w.mark[x.v], 1u)) t->taken++;
        if (t->arcs < MUCH) t->arcs += arcs < MUCH ? (unsigned)arcs : MUCH;
    }
    unsigned wanted = (unsigned)((arcs + WFI_KAHN_PIECE - 1) / WFI_KAHN_PIECE), some = __ballot_sync(~0u, wanted > 0);
    unsigned before = (unsigned)__popc(some & ((1u << lane_of()) - 1)), total = (unsigned)__popc(some), base = 0;
    if (!total) return;
    if (__any_sync(~0u, wanted > 1)) {
        before = wfi_warp_scan(wanted);
        total = __shfl_sync(~0u, before, WARP - 1);
        before -= wanted;
    }
    if (lane_of() == 0) base = atomicAdd(&l.to.fill->asked, total);
    base = __shfl_sync(~0u, base, 0);
    number *place = l.to.entry + base;
    if (base + total > ROOM) {
        number at = 0;
        if (lane_of() == 0) {
            if (base < ROOM) l.to.fill->end = base; /* of all warps only the first whose entries do not fit */
            at = atomicAdd(l.spilt, (number)total);
        }
        place = w.queue + l.tail + __shfl_sync(~0u, at, 0);
    }
    place += before;
    for (unsigned i = 0; i < wanted; i++, row.begin += WFI_KAHN_PIECE, arcs -= WFI_KAHN_PIECE)
        place[i] = (x.back ? BACK : 0) | row.begin << LENGTH | (arcs < WFI_KAHN_PIECE ? arcs : WFI_KAHN_PIECE);
}

/* Sources of entries: the queue in memory, or this block's. */
struct from_memory {
    const number *entry;
    __device__ number operator()(bool there, number i) const { return there ? __ldcg(&entry[i]) : 0; }
};
struct from_block {
    const number *entry;
    __device__ number operator()(bool there, number i) const { return there ? entry[i] : 0; }
};

/* Removes the arcs of `count` entries, shared among `warps` warps.  NARROW: levels so narrow that latency is their
 * whole cost: rows are loaded before it is known whether they are needed. */
template <bool BOTH, bool NARROW, class Entries>
__device__ kahn_tally remove_arcs(const kahn_peel &w, Entries entries, number count, const kahn_level &level,
                                  unsigned warp, unsigned warps) {
    enum { EACH = 4 }; /* arcs that a lane removes at once */
    unsigned lane = lane_of();
    number each = (count + warps - 1) / warps;
    unsigned per = each < WARP ? (unsigned)each : WARP;
    kahn_tally t = {0, 0};
    for (number base = (number)warp * per; base < count; base += (number)warps * per) {
        number entry = entries(lane < per && base + lane < count, base + lane);
        unsigned length = (unsigned)entry & (2 * WFI_KAHN_PIECE - 1), upto = per > 1 ? wfi_warp_scan(length) : length;
        unsigned total = __shfl_sync(~0u, upto, per > 1 ? WARP - 1 : 0);
        number shift = ((entry & ~BACK) >> LENGTH) - (upto - length);
        unsigned backs = BOTH ? __ballot_sync(~0u, (entry & BACK) != 0) : 0;
        for (unsigned at = 0; at < total; at += EACH * WARP) {
            weft_vid v[EACH];
            unsigned before[EACH];
            bool back[EACH];
            kahn_row row[EACH];
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                unsigned i = at + k * WARP + lane, owner = 0;
                v[k] = WEFT_NO_VERTEX;
                back[k] = false;
                if (at + k * WARP >= total) continue;
                for (unsigned step = per > 1 ? WARP / 2 : 0; step; step /= 2)
                    if (__shfl_sync(~0u, upto, (int)(owner + step - 1)) <= i) owner += step;
                number place = __shfl_sync(~0u, shift, (int)owner) + i;
                back[k] = backs >> owner & 1;
                if (i < total) v[k] = (back[k] ? w.in.targets : w.out.targets)[place];
            }
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                uint32_t *waiting = back[k] ? w.waiting_out : w.waiting_in;
                before[k] = v[k] == WEFT_NO_VERTEX ? 0 : atomicSub(&waiting[v[k]], 1u);
                if (NARROW && v[k] != WEFT_NO_VERTEX) row[k] = row_of(w, v[k], back[k]);
            }
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                bool ready = before[k] == 1;
                if (!__any_sync(~0u, ready)) continue;
                if (!NARROW && ready) row[k] = row_of(w, v[k], back[k]);
                take<BOTH>(w, level, {ready, back[k], v[k], row[k]}, &t);
            }
        }
    }
    return t;
}

/* Adds a block's tallies to `c`, by the first lane of each warp. */
__device__ void block_add(kahn_tally t, kahn_counts *c) {
    if (!__any_sync(~0u, t.taken || t.arcs)) return;
    t.taken = wfi_warp_sum(t.taken);
    t.arcs = wfi_warp_sum(t.arcs);
    if (lane_of()) return;
    atomicAdd(&c->taken, t.taken);
    atomicAdd(&c->arcs, (number)t.arcs);
}

} // namespace

#endif
