/* Multi-source breadth-first search by hops on the GPU (CPU cores: msbfs.h; state: state.cuh).
 * Method: all levels of all batches in one cooperative kernel, with a barrier of the grid between them; the host only
 * checks now and then whether to stop.  A level goes in the cheaper of two directions [1].  Pull: each item that some
 * source has not reached scans its row backwards (lines.cuh) until it has all missing bits, and its bits are final at
 * once.  Push: each item of the level gives its bits to its neighbours by atomic or's; the items that got any are
 * finished after a barrier.
 * A listener receives the new bits; it has
 *   void start()                                by all threads of the kernel, once
 *   void begin(const state &, uint64_t first)   a batch begins
 *   void level(unsigned distance)
 *   void fresh(uint64_t item, uint32_t bits)    by a warp
 *   void over(unsigned round)                   by a block, when it has reported all of a level
 *   void after(unsigned round)                  by all threads, when all blocks have
 *   void end(const state &, uint64_t first)     a batch ends
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#ifndef WFI_MSBFS_SEARCH_CUH
#define WFI_MSBFS_SEARCH_CUH

#include "cuda/buffers.cuh"
#include "engines/msbfs/state.cuh"

#include <cooperative_groups.h>

namespace msbfs {

enum {
    LOOK = 8,         /* lines loaded at once, before the test whether the item has all bits */
    GIVE = 4,         /* the same of a push */
    GIVING_DEARER = 4 /* the cost of an arc pushed, relative to an arc pulled */
};
/* Bytes read per launch (about 15 ms), and the least that a level counts for (30 us). */
static const uint64_t BUDGET = (uint64_t)1 << 35, A_LEVEL = (uint64_t)1 << 26;

/* --- pull ------------------------------------------------------------------------------ */

template <class L> struct puller {
    static const int WORDS = 1;
    const state &s;
    const level &v;
    L &listener;
    const uint32_t *now;
    uint32_t *next;
    level_tally t;
    const uint32_t *lines_of_group;
    uint32_t seen, lacks, came;

    __device__ bool wants(uint64_t item) const { return s.mark[item] != CLEAN; }
    __device__ bool begin(uint64_t item, weft_vid) {
        uint32_t mark = s.mark[item];
        __syncwarp();
        if (mark < CLOSED) return true;
        next[item * WARP + lane_of()] = 0;
        if (lane_of() == 0) s.mark[item] = mark + 1;
        return false;
    }
    __device__ void load(uint64_t item, weft_vid vertex) {
        uint64_t before = item - vertex;
        lines_of_group = now + before * WARP + lane_of();
        seen = s.seen[item * WARP + lane_of()];
        lacks = all_of(s, v.first, before ? before / s.n : 0) & ~seen;
        came = 0;
    }
    __device__ bool take(weft_vid target, unsigned count) {
        for (unsigned k = 0; k < count; k += LOOK) {
            uint32_t bits[LOOK];
#pragma unroll
            for (unsigned j = 0; j < LOOK; j++) {
                weft_vid u = __shfl_sync(~0u, target, (int)((k + j) % WARP));
                bits[j] = k + j < count ? lines_of_group[(size_t)u * WARP] : 0;
            }
#pragma unroll
            for (unsigned j = 0; j < LOOK; j++) came |= bits[j];
            if (!__any_sync(~0u, (lacks & ~came) != 0)) return true;
        }
        return false;
    }
    __device__ uint32_t &word(int) { return came; }
    __device__ static uint32_t join(uint32_t a, uint32_t b) { return a | b; }
    __device__ void end(uint64_t item, weft_vid) { add_bits(s, listener, item, seen, lacks, came, next, &t); }
};

template <class L> __device__ static void pull(const state &s, const level &v, L &listener, counts *c) {
    puller<L> visit = {s, v, listener, here(s, v), beyond(s, v), {0, 0, 0}, nullptr, 0, 0, 0};
    lines::layout look = s.look;
    look.items = items_of(s, v.first);
    look.long_count = *s.long_count;
    lines::visit_rows(visit, look, &c->turn);
    hand_in(visit.t, c);
}

/* --- push ------------------------------------------------------------------------------ */

/* Lists a level that was found by pulling, and clears the lines of the next one. */
__device__ static void list_level(const state &s, const level &v, counts *c) {
    const uint32_t *now = here(s, v);
    uint4 *next = (uint4 *)beyond(s, v);
    uint64_t items = items_of(s, v.first), warps = (uint64_t)gridDim.x * WARPS;
    for (uint64_t from = (blockIdx.x * (uint64_t)WARPS + threadIdx.x / WARP) * WARP; from < items;
         from += warps * WARP) {
        unsigned members = 0;
        for (unsigned i = 0; i < WARP && from + i < items; i++)
            members |= (unsigned)__any_sync(~0u, now[(from + i) * WARP + lane_of()] != 0) << i;
        enter(s, listed(s, v), &c->listed, members >> lane_of() & 1, (uint32_t)(from + lane_of()));
    }
    for (uint64_t i = wfi_thread(); i < items * (WARP / 4); i += wfi_all_threads()) next[i] = make_uint4(0, 0, 0, 0);
}

/* Gives the bits to the lanes' targets; the first lane to reach a target lists it. */
__device__ static void give(const state &s, const level &v, counts *c, uint32_t bits, uint64_t before, weft_vid target,
                            bool mine) {
    uint32_t *next = beyond(s, v);
    uint64_t item = before + target;
    bool met = false;
    for (unsigned left = __ballot_sync(~0u, mine && s.mark[item] < CLOSED); left;) {
        uint32_t wanted[GIVE];
        uint64_t at[GIVE];
        int owner[GIVE];
#pragma unroll
        for (int j = 0; j < GIVE; j++) {
            owner[j] = left ? __ffs((int)left) - 1 : -1;
            left &= left - 1;
            at[j] = (before + __shfl_sync(~0u, target, owner[j] < 0 ? 0 : owner[j])) * WARP + lane_of();
            wanted[j] = owner[j] < 0 ? 0 : bits & ~s.seen[at[j]];
        }
#pragma unroll
        for (int j = 0; j < GIVE; j++) {
            if (wanted[j]) atomicOr(&next[at[j]], wanted[j]);
            if (__any_sync(~0u, wanted[j] != 0) && (int)lane_of() == owner[j]) met = true;
        }
    }
    bool first = met && atomicExch(&s.mark[item], v.distance) != v.distance;
    unsigned firsts = __ballot_sync(~0u, first), base = 0;
    if (!firsts) return;
    if (lane_of() == 0) base = atomicAdd(&c->met, (unsigned)__popc(firsts));
    base = __shfl_sync(~0u, base, 0) + (unsigned)__popc(firsts & ((1u << lane_of()) - 1));
    if (first) s.met[base] = (uint32_t)item;
}

__device__ static void push(const state &s, const level &v, counts *c) {
    uint64_t warp = blockIdx.x + threadIdx.x / WARP * (uint64_t)gridDim.x, warps = (uint64_t)gridDim.x * WARPS;
    for (uint64_t i = warp; i < v.entries; i += warps) {
        uint2 entry = listed(s, v)[i];
        weft_vid vertex = lines::vertex_of(entry.x, s.n);
        uint32_t bits = here(s, v)[(uint64_t)entry.x * WARP + lane_of()];
        weft_eid e = s.along.offsets[vertex] + (weft_eid)entry.y * PIECE, end = s.along.offsets[vertex + 1];
        if (e + PIECE < end) end = e + PIECE;
        for (; e < end; e += WARP) {
            bool mine = e + lane_of() < end;
            give(s, v, c, bits, entry.x - vertex, mine ? s.along.targets[e + lane_of()] : vertex, mine);
        }
    }
}

/* Finishes the items that got any bits; clears the lines of the level. */
template <class L>
__device__ static void finish_met(const state &s, const level &v, L &listener, counts *c, unsigned met) {
    uint64_t warp = blockIdx.x + threadIdx.x / WARP * (uint64_t)gridDim.x, warps = (uint64_t)gridDim.x * WARPS;
    unsigned unit = (unsigned)(met / warps) + 1;
    if (unit > WARP) unit = WARP;
    uint32_t *next = beyond(s, v);
    level_tally t = {0, 0, 0};
    for (uint64_t from = warp * unit; from < met; from += warps * unit) {
        unsigned members = 0;
        for (unsigned i = 0; i < unit && from + i < met; i++) {
            uint64_t item = s.met[from + i], found = t.found;
            uint64_t before = item - lines::vertex_of(item, s.n);
            uint32_t seen = s.seen[item * WARP + lane_of()], came = next[item * WARP + lane_of()];
            uint32_t lacks = all_of(s, v.first, before ? before / s.n : 0) & ~seen;
            add_bits(s, listener, item, seen, lacks, came, next, &t);
            members |= (unsigned)(t.found != found) << i;
        }
        bool mine = members >> lane_of() & 1;
        enter(s, listed_next(s, v), &c->entries, mine, mine ? s.met[from + lane_of()] : 0);
    }
    for (uint64_t i = warp; i < v.entries; i += warps) {
        uint2 entry = listed(s, v)[i];
        if (!entry.y) here(s, v)[(uint64_t)entry.x * WARP + lane_of()] = 0;
    }
    hand_in(t, c);
}

/* --- batches ------------------------------------------------------------------------------- */

__device__ static void clear_batch(const state &s, const level &v) {
    uint64_t items = items_of(s, v.first);
    uint4 none = make_uint4(0, 0, 0, 0), *part[3] = {(uint4 *)s.seen, (uint4 *)s.line[0], (uint4 *)s.line[1]};
    for (int k = 0; k < 3; k++)
        for (uint64_t i = wfi_thread(); i < items * (WARP / 4); i += wfi_all_threads()) part[k][i] = none;
    for (uint64_t i = wfi_thread(); i < items; i += wfi_all_threads()) s.mark[i] = 0;
}

/* Each source has its own bit, at distance 0. */
__device__ static void put_sources(const state &s, const level &v, counts *c) {
    uint64_t lanes = lanes_of(s, v.first), warps = wfi_all_threads() / WARP * WARP;
    level_tally t = {0, 0, 0};
    for (uint64_t from = wfi_thread() / WARP * WARP; from < lanes; from += warps) {
        uint64_t i = from + lane_of();
        bool mine = i < lanes;
        weft_vid source = mine ? s.order[v.first + i] : 0;
        uint64_t item = i / LANES * s.n + source, at = item * WARP + i % LANES / 32;
        if (mine) s.seen[at] = here(s, v)[at] = 1u << i % 32;
        enter(s, listed(s, v), &c->entries, mine, (uint32_t)item);
        t.ahead += wfi_warp_sum(mine ? length(s.along, source) : 0);
        t.found += (unsigned)__popc(__ballot_sync(~0u, mine));
    }
    hand_in(t, c);
}

/* Makes the counts of this round the next level. */
__device__ static void turn(const state &s, level *v, const counts &c, bool listed) {
    if (wfi_thread() == 0) {
        counts none = {};
        s.p->set[(v->round + 2) % SETS] = none;
    }
    v->round++;
    v->found = c.found;
    v->ahead = c.ahead;
    v->open -= c.closed;
    v->entries = c.entries;
    v->listed = listed;
}

template <class L> __global__ void __launch_bounds__(THREADS, 2) search_kernel(const state s, L listener) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    level v = s.p->at;
    uint64_t spent = 0;
    listener.start();
    while (spent < BUDGET) {
        counts *c = &s.p->set[v.round % SETS];
        if (v.distance && (!v.found || !v.ahead || !v.open)) {
            listener.end(s, v.first);
            v.first += lanes_of(s, v.first);
            v.distance = 0;
        }
        if (!v.distance) {
            if (v.first >= s.count) break;
            clear_batch(s, v);
            listener.begin(s, v.first);
            grid.sync();
            put_sources(s, v, c);
            v.open = (s.look.rows.offsets[s.n] + s.n) * (items_of(s, v.first) / s.n);
            turn(s, &v, wfi_sync_and_broadcast(c), true);
            v.distance = 1;
            spent += A_LEVEL + items_of(s, v.first) * 3 * WARP;
            continue;
        }
        bool pulls = v.ahead * GIVING_DEARER >= v.open;
        listener.level(v.distance);
        if (!pulls && !v.listed) {
            list_level(s, v, c);
            grid.sync();
            v.entries = wfi_broadcast(&c->listed);
        }
        if (pulls) {
            pull(s, v, listener, c);
        } else {
            push(s, v, c);
            unsigned met = wfi_sync_and_broadcast(&c->met);
            finish_met(s, v, listener, c, met);
            v.list ^= 1;
        }
        listener.over(v.round);
        spent += A_LEVEL + (pulls ? v.open * WARP * 4 : v.ahead * 2 * WARP * 4);
        unsigned round = v.round;
        turn(s, &v, wfi_sync_and_broadcast(c), !pulls);
        listener.after(round);
        v.now ^= 1;
        v.distance++;
    }
    grid.sync();
    v.done = v.first >= s.count;
    if (wfi_thread() == 0) s.p->at = v;
}

/* --- from the host --------------------------------------------------------------------------- */

static inline unsigned groups_for(uint64_t n, uint64_t sources) {
    uint64_t groups = (sources + LANES - 1) / LANES, most = n ? SIDE_BY_SIDE / n : 1;
    return (unsigned)(most < 1 || groups < 1 ? 1 : groups < most ? groups : most);
}

/* arcs: of the rows along and back, which will be on the GPU. */
static inline void lay_out(wfi_workspace *device, weft_vid n, weft_eid arcs, uint64_t sources, unsigned groups,
                           state *s) {
    uint64_t items = (uint64_t)n * groups;
    s->n = n;
    s->groups = groups;
    wfi_array_within(device, &s->order, sources);
    wfi_array_within(device, &s->seen, items * WARP);
    for (size_t i = 0; i < 2; i++) wfi_array_within(device, &s->line[i], items * WARP);
    wfi_array_within(device, &s->mark, items);
    wfi_array_within(device, &s->met, items);
    for (size_t i = 0; i < 2; i++) wfi_array_within(device, &s->entry[i], items + arcs / PIECE * groups);
    wfi_array_within(device, &s->longs, lines::most_long(arcs));
    wfi_array(device, &s->long_count, 1);
    wfi_array(device, &s->p, 1);
}

/* Searches from order[0 ... count - 1], distinct vertices, in the host's memory.  s: laid out.  name: for progress. */
template <class L>
static weft_status run(weft_ctx *ctx, state *s, const wfi_view *along, const wfi_view *back, const weft_vid *order,
                       uint64_t count, const char *name, const L &listener) {
    int fit = 0;
    const void *kernel = (const void *)search_kernel<L>;
    L heard = listener;
    void *args[] = {s, &heard};
    level at = {};
    s->along = *along;
    s->count = count;
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, THREADS, 0));
    unsigned most = (unsigned)(wfi_gpu_of(ctx)->sms * fit);
    uint64_t items = (uint64_t)s->n * s->groups;
    unsigned blocks = wfi_grid(items, WARPS, most);
    s->look = {*back, items, s->n, s->longs, 0, lines::unit_for(items, blocks)};
    weft_status st = wfi_upload(ctx, s->order, order, count * sizeof *order);
    if (!st) st = wfi_zero(ctx, s->p, 1);
    if (!st) st = wfi_zero(ctx, s->long_count, 1);
    if (st) return st;
    lines::list_long<<<wfi_grid(s->n, 256, 4096), 256, 0, wfi_cuda_stream(ctx)>>>(*back, s->n, s->longs, s->long_count);
    while (!at.done) {
        wfi_progress(ctx, name, at.first, count);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        WFI_CUDA_OR_RETURN(
            cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(THREADS), args, 0, wfi_cuda_stream(ctx)));
        st = wfi_download(ctx, &at, &s->p->at, sizeof at);
        if (st) return st;
    }
    wfi_progress(ctx, name, count, count);
    return WEFT_OK;
}

} // namespace msbfs

#endif
