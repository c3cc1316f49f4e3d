/* Peeling by rows, GPU.  Needs: a directed graph's rows; loops and parallel arcs may be there.
 * Method: the arcs into each vertex are counted, or are at hand as row lengths of the transpose.  Then all levels in one cooperative
 * kernel: the arcs out of a level are struck, and whoever has none left is the next level.  The whole grid shares a wide level, with a
 * barrier of the grid after it; a narrow one is for one block by itself, which goes on level after level with its own
 * barrier and its queue in shared memory as long as they stay narrow.
 * Encoding: a queue of arcs, not of vertices: an entry says where up to WFI_PIECE arcs of a row begin (from bit LENGTH on) and how
 * many they are, so that nothing but the targets has to be looked up when they are struck, long rows come apart, and sinks need no
 * entry.  A warp takes up to 32 entries and lays their arcs end to end, so that lanes have equally many.  Blocks gather what they
 * find in shared memory and ask for room in the queue once a level.  Three sets of counters take turns, so that one can be
 * cleared while one is read and one counts. */
#include "cuda/kahn.cuh"
#include "cuda/walk.cuh"

#include <cooperative_groups.h>
#include <stdlib.h>

namespace groups = cooperative_groups;

namespace {

typedef unsigned long long number;

enum {
    THREADS = 512,
    WARP = 32,
    WARPS = THREADS / WARP,
    SETS = 3,
    LENGTH = 11,      /* bits; WFI_PIECE has that many */
    ROOM = 2048,      /* entries that a block gathers */
    ALONE = 4096,     /* arcs of a level that one block takes by itself */
    LEVELS = 1 << 14, /* of a launch; then the host asks whether to go on */
    COUNT_THREADS = 256
};

struct counts {
    number entries, arcs; /* arcs: exact as long as they are few */
    unsigned taken;
};
enum { MUCH = 1 << 25 };

/* Between launches. */
struct progress {
    counts set[SETS];
    number from, to, arcs; /* the frontier's entries, and what they sum up to */
    unsigned frontier, peeled, depth, round;
    int begun, done, overflow;
};

struct peel {
    const weft_eid *offsets;
    const weft_vid *targets;
    weft_vid n;
    uint32_t *waiting, *level;
    number *queue;
    progress *p;
    unsigned alone;
};

/* What one thread took. */
struct tally {
    unsigned taken, arcs;
};

/* A row. */
struct span {
    weft_eid begin, end;
};

/* How many entries a block has gathered: what was asked for, and up to where there was room. */
struct filling {
    unsigned asked, end;
    __device__ unsigned size(void) const { return asked < end ? asked : end; }
    __device__ void clear(void) {
        asked = 0;
        end = ROOM;
    }
};

struct gathered {
    number *entry; /* ROOM places */
    filling *fill;
};

__device__ unsigned lane_of(void) { return threadIdx.x % WARP; }

__device__ unsigned sum_upto(unsigned mine) {
    for (int far = 1; far < WARP; far *= 2) {
        unsigned left = __shfl_up_sync(~0u, mine, far);
        if ((int)lane_of() >= far) mine += left;
    }
    return mine;
}

__device__ unsigned sum_of(unsigned mine) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, mine);
#else
    for (int far = WARP / 2; far; far /= 2) mine += __shfl_xor_sync(~0u, mine, far);
    return mine;
#endif
}

__device__ span row_of(const peel &w, weft_vid v) { return {w.offsets[v], w.offsets[v + 1]}; }

/* Each lane's vertex, if it has a ready one: its level, and its arcs into the block's queue; when there is no room, behind `tail` in
 * memory. */
__device__ void take(const peel &w, gathered to, bool ready, weft_vid v, span row, unsigned depth, number tail,
                     number *spilt, tally *t) {
    number arcs = ready ? row.end - row.begin : 0;
    if (ready) {
        __stcg(&w.level[v], depth);
        t->taken++;
        if (t->arcs < MUCH) t->arcs += arcs < MUCH ? (unsigned)arcs : MUCH;
    }
    unsigned wanted = (unsigned)((arcs + WFI_PIECE - 1) / WFI_PIECE), some = __ballot_sync(~0u, wanted > 0);
    unsigned before = (unsigned)__popc(some & ((1u << lane_of()) - 1)), total = (unsigned)__popc(some), base = 0;
    if (!total) return;
    if (__any_sync(~0u, wanted > 1)) {
        before = sum_upto(wanted);
        total = __shfl_sync(~0u, before, WARP - 1);
        before -= wanted;
    }
    if (lane_of() == 0) base = atomicAdd(&to.fill->asked, total);
    base = __shfl_sync(~0u, base, 0);
    number *place = to.entry + base;
    if (base + total > ROOM) {
        number at = 0;
        if (lane_of() == 0) {
            if (base < ROOM) to.fill->end = base; /* of all warps just the first without room */
            at = atomicAdd(spilt, (number)total);
        }
        place = w.queue + tail + __shfl_sync(~0u, at, 0);
    }
    place += before;
    for (unsigned i = 0; i < wanted; i++, row.begin += WFI_PIECE, arcs -= WFI_PIECE)
        place[i] = row.begin << LENGTH | (arcs < WFI_PIECE ? arcs : WFI_PIECE);
}

/* Strikes the arcs of entries[0 ... count - 1], shared among `warps` warps.  IN_BLOCK: the entries are in shared memory, and levels are
 * so narrow that waiting is all they cost: rows are asked for before it is known whether they are needed. */
template <bool IN_BLOCK>
__device__ tally strike(const peel &w, const number *entries, number count, gathered to, unsigned depth, number tail,
                        number *spilt, unsigned warp, unsigned warps) {
    enum { EACH = 4 }; /* arcs that a lane strikes at once */
    unsigned lane = lane_of();
    number each = (count + warps - 1) / warps;
    unsigned per = each < WARP ? (unsigned)each : WARP;
    tally t = {0, 0};
    for (number base = (number)warp * per; base < count; base += (number)warps * per) {
        number entry = 0;
        if (lane < per && base + lane < count) entry = IN_BLOCK ? entries[base + lane] : __ldcg(&entries[base + lane]);
        unsigned length = (unsigned)entry & (2 * WFI_PIECE - 1), upto = per > 1 ? sum_upto(length) : length;
        unsigned total = __shfl_sync(~0u, upto, per > 1 ? WARP - 1 : 0);
        number shift = (entry >> LENGTH) - (upto - length);
        for (unsigned at = 0; at < total; at += EACH * WARP) {
            weft_vid v[EACH];
            unsigned before[EACH];
            span row[EACH];
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                unsigned i = at + k * WARP + lane, who = 0;
                v[k] = WEFT_NO_VERTEX;
                if (at + k * WARP >= total) continue;
                for (unsigned step = per > 1 ? WARP / 2 : 0; step; step /= 2)
                    if (__shfl_sync(~0u, upto, (int)(who + step - 1)) <= i) who += step;
                number place = __shfl_sync(~0u, shift, (int)who) + i;
                if (i < total) v[k] = w.targets[place];
            }
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                before[k] = v[k] == WEFT_NO_VERTEX ? 0 : atomicSub(&w.waiting[v[k]], 1u);
                if (IN_BLOCK && v[k] != WEFT_NO_VERTEX) row[k] = row_of(w, v[k]);
            }
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                bool ready = before[k] == 1;
                if (!__any_sync(~0u, ready)) continue;
                if (!IN_BLOCK && ready) row[k] = row_of(w, v[k]);
                take(w, to, ready, v[k], row[k], depth, tail, spilt, &t);
            }
        }
    }
    return t;
}

/* A block's tallies into `c`, by the first lane of each warp. */
__device__ void add_up(tally t, counts *c) {
    if (!__any_sync(~0u, t.taken)) return;
    t.taken = sum_of(t.taken);
    t.arcs = sum_of(t.arcs);
    if (lane_of()) return;
    atomicAdd(&c->taken, t.taken);
    atomicAdd(&c->arcs, (number)t.arcs);
}

/* What the block has gathered goes to the queue behind `tail`; its own counters are clear again. */
__device__ void hand_over(const peel &w, gathered from, counts *mine, number tail, counts *c) {
    __shared__ number base;
    __syncthreads();
    unsigned size = from.fill->size();
    if (threadIdx.x == 0) {
        base = size ? atomicAdd(&c->entries, (number)size) : 0;
        if (mine->taken) atomicAdd(&c->taken, mine->taken);
        if (mine->arcs) atomicAdd(&c->arcs, mine->arcs);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < size; i += THREADS) __stcg(&w.queue[tail + base + i], from.entry[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        from.fill->clear();
        *mine = {0, 0, 0};
    }
    __syncthreads();
}

/* One block, level after level, as long as they are narrow.  What it did stands in p for the others. */
__device__ void go_alone(const peel &w, number (*entry)[ROOM], number from, number to, unsigned depth, unsigned peeled,
                         unsigned last) {
    __shared__ counts set[SETS];
    __shared__ filling fill[SETS];
    if (threadIdx.x < SETS) {
        set[threadIdx.x] = {0, 0, 0};
        fill[threadIdx.x].clear();
    }
    __syncthreads();
    unsigned side = 0, turn = 0, frontier, size, warp = threadIdx.x / WARP;
    tally t =
        strike<false>(w, w.queue + from, to - from, {entry[0], &fill[0]}, ++depth, to, &set[0].entries, warp, WARPS);
    for (;;) {
        add_up(t, &set[turn]);
        __syncthreads();
        frontier = set[turn].taken;
        size = fill[turn].size();
        peeled += frontier;
        if (!frontier || set[turn].arcs > w.alone || set[turn].entries || depth >= last) break;
        unsigned next = (turn + 1) % SETS, third = (turn + 2) % SETS;
        if (threadIdx.x == 0) {
            set[third] = {0, 0, 0};
            fill[third].clear();
        }
        t = strike<true>(w, entry[side], size, {entry[side ^ 1], &fill[next]}, ++depth, to, &set[next].entries, warp,
                         WARPS);
        side ^= 1;
        turn = next;
    }
    number spilt = set[turn].entries;
    for (unsigned i = threadIdx.x; i < size; i += THREADS) __stcg(&w.queue[to + spilt + i], entry[side][i]);
    if (threadIdx.x) return;
    progress *p = w.p;
    p->from = to;
    p->to = to + spilt + size;
    p->arcs = set[turn].arcs;
    p->frontier = frontier;
    p->peeled = peeled;
    p->depth = depth;
}

/* The vertices that nothing points at are level 0. */
__device__ void take_sources(const peel &w, gathered to, counts *mine, counts *c) {
    for (number base = (number)blockIdx.x * THREADS; base < w.n; base += (number)gridDim.x * THREADS) {
        number v = base + threadIdx.x;
        bool there = v < w.n, ready = there && !w.waiting[v];
        tally t = {0, 0};
        if (there && !ready) w.level[v] = WEFT_UNREACHED;
        if (__any_sync(~0u, ready))
            take(w, to, ready, (weft_vid)v, ready ? row_of(w, (weft_vid)v) : span{0, 0}, 0, 0, &c->entries, &t);
        add_up(t, mine);
        if (__syncthreads_or(threadIdx.x == 0 && to.fill->asked > ROOM / 2)) hand_over(w, to, mine, 0, c);
    }
    hand_over(w, to, mine, 0, c);
}

__global__ void __launch_bounds__(THREADS, 1) peel_kernel(peel w) {
    __shared__ number entry[2][ROOM];
    __shared__ counts mine;
    __shared__ filling fill;
    groups::grid_group grid = groups::this_grid();
    progress *p = w.p;
    gathered to_block = {entry[0], &fill};
    number from = __ldcg(&p->from), to = __ldcg(&p->to), arcs = __ldcg(&p->arcs);
    unsigned frontier = __ldcg(&p->frontier), peeled = __ldcg(&p->peeled), depth = __ldcg(&p->depth);
    unsigned round = __ldcg(&p->round), last = depth + LEVELS;
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * WARPS;
    if (threadIdx.x == 0) {
        mine = {0, 0, 0};
        fill.clear();
    }
    __syncthreads();
    if (!__ldcg(&p->begun)) {
        take_sources(w, to_block, &mine, &p->set[0]);
        grid.sync();
        to = __ldcg(&p->set[0].entries);
        arcs = __ldcg(&p->set[0].arcs);
        peeled = frontier = __ldcg(&p->set[0].taken);
    }
    while (from < to && depth < last) {
        if (arcs <= w.alone) {
            if (blockIdx.x == 0) go_alone(w, entry, from, to, depth, peeled, last);
            grid.sync();
            from = __ldcg(&p->from);
            to = __ldcg(&p->to);
            arcs = __ldcg(&p->arcs);
            frontier = __ldcg(&p->frontier);
            peeled = __ldcg(&p->peeled);
            depth = __ldcg(&p->depth);
            continue;
        }
        counts *c = &p->set[++round % SETS];
        tally t = strike<false>(w, w.queue + from, to - from, to_block, ++depth, to, &c->entries, warp, warps);
        add_up(t, &mine);
        hand_over(w, to_block, &mine, to, c);
        grid.sync();
        from = to;
        to += __ldcg(&c->entries);
        arcs = __ldcg(&c->arcs);
        frontier = __ldcg(&c->taken);
        peeled += frontier;
        if (grid.thread_rank() == 0) p->set[(round + 2) % SETS] = {0, 0, 0};
    }
    if (grid.thread_rank()) return;
    p->from = from;
    p->to = to;
    p->arcs = arcs;
    p->frontier = frontier;
    p->peeled = peeled;
    p->depth = depth;
    p->round = round;
    p->begun = 1;
    p->done = from >= to;
}

/* --- arcs into each vertex ------------------------------------------------------------------ */

__global__ void count_in(const weft_vid *targets, weft_eid arcs, uint32_t *count, int *overflow) {
    for (weft_eid e = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; e < arcs; e += (weft_eid)gridDim.x * blockDim.x)
        if (!overflow)
            atomicAdd(&count[targets[e]], 1u);
        else if (atomicAdd(&count[targets[e]], 1u) == UINT32_MAX)
            *overflow = 1;
}

__global__ void lengths_of(const weft_eid *offsets, weft_vid n, uint32_t *length, int *overflow) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_eid arcs = offsets[v + 1] - offsets[v];
        length[v] = (uint32_t)arcs;
        if (arcs > UINT32_MAX) *overflow = 1;
    }
}

weft_status count_arcs_in(weft_ctx *ctx, const weft_graph *g, const peel &w) {
    cudaStream_t stream = wfi_cuda_stream();
    bool counted = wfi_mirror_in_cost(g).kept > 0;
    wfi_device_rows in = {};
    weft_status st = counted ? WEFT_OK : wfi_mirror_in(ctx, g, &in);
    if (st) return st;
    if (counted) {
        WFI_CUDA(cudaMemsetAsync(w.waiting, 0, g->n * sizeof *w.waiting, stream));
        count_in<<<wfi_grid(g->arcs, COUNT_THREADS, 1 << 14), COUNT_THREADS, 0, stream>>>(
            w.targets, g->arcs, w.waiting, g->arcs > UINT32_MAX ? &w.p->overflow : NULL);
    } else {
        lengths_of<<<wfi_grid(g->n, COUNT_THREADS, 1 << 14), COUNT_THREADS, 0, stream>>>(in.offsets, g->n, w.waiting,
                                                                                         &w.p->overflow);
    }
    return WEFT_OK;
}

} // namespace

weft_status wfi_peel_rows(weft_ctx *ctx, const weft_graph *g, const wfi_device_rows *out, wfi_row_peel *room,
                          uint32_t *level, wfi_peeled *peeled) {
    int sms = 0;
    wfi_buffer<progress> state;
    progress seen = {};
    weft_status st = state.take_zeroed(ctx, 1);
    if (!st) st = room->waiting.take(ctx, g->n);
    if (!st) st = room->queue.take(ctx, g->n + g->arcs / WFI_PIECE);
    if (st) return st;
    peel w = {out->offsets, out->targets, g->n, room->waiting.data, level, room->queue.data, state.data,
              getenv("KAHN_ALONE") ? (unsigned)atoi(getenv("KAHN_ALONE")) : (unsigned)ALONE};
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    wfi_kernel_scope stage(ctx, "iterations");
    st = count_arcs_in(ctx, g, w);
    while (!st && !seen.done) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        void *args[] = {&w};
        WFI_CUDA(cudaLaunchCooperativeKernel((void *)peel_kernel, dim3((unsigned)sms), dim3(THREADS), args, 0,
                                             wfi_cuda_stream()));
        st = wfi_download(ctx, &seen, state.data, sizeof seen);
        wfi_progress(ctx, "peel", seen.peeled, g->n);
    }
    if (!st && seen.overflow)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "a vertex has 2^32 or more arcs into it; drop the parallel ones");
    peeled->acyclic = seen.peeled == g->n;
    /* The last level may have arcs only into what stays. */
    peeled->levels = seen.depth + (seen.frontier > 0);
    return st;
}

/* --- the leftover ---------------------------------------------------------------------------- */

namespace {

struct pointing {
    const uint32_t *level;
    weft_vid *before;
    __device__ bool wants(weft_vid v) const { return level[v] == WEFT_UNREACHED; }
    __device__ void point(weft_vid at, weft_vid v) const {
        if (__ldcg(&before[at]) > v) atomicMin(&before[at], v);
    }
    __device__ void alone(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned i = 0; i < count; i++) point(target[i], v);
    }
    __device__ void together(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned i = threadIdx.x % WARP; i < count; i += WARP) point(target[i], v);
    }
};

} // namespace

weft_status wfi_point_back_rows(weft_ctx *ctx, const weft_graph *g, const wfi_device_rows *out, const uint32_t *level,
                                weft_vid *before) {
    wfi_kernel_scope stage(ctx, "iterations");
    pointing visit = {level, before};
    WFI_CUDA(cudaMemsetAsync(before, 0xff, g->n * sizeof *before, wfi_cuda_stream()));
    wfi_walk<weft_eid, pointing><<<wfi_walk_blocks(g->arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream()>>>(
        out->offsets, NULL, g->n, out->targets, (weft_eid)0, (weft_eid)0, g->arcs, visit);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}
