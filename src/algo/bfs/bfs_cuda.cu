/* bfs, GPU: the run, with the answer of bfs.c.  One search is in engines/bfs; here are searches from many sources: for
 * each the number of vertices reached, the depth, and the sum of the levels.
 * Method: bit-parallel [1].  64 sources make a batch, and a vertex has a word for the batch, a bit for each source: an
 * arc that several searches would follow in the same level is followed once.  A level is four steps:
 *   expand   the frontier's words go along its arcs into `next`: pushed by an atomic or, or, if the frontier has many
 *   of the arcs, pulled along incoming arcs until no live search can add a bit;
 *   clear    the frontier's words;
 *   settle   the new bits of `next` (next and not seen) become seen, and the new frontier; they are counted by
 *   source;
 *   count    on the host, which also polls.
 * Only words are or-ed and bits counted, so neither order nor direction changes a figure.
 * Encoding: between levels `next` is 0 everywhere, and `front` is 0 except in the frontier, whose vertices stand in the
 * queues of engines/bfs (state.cuh), in every level from their beginnings on.  Vertices touched by a push are listed in
 * the memory of that search's levels.
 * [1] Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo, "The More the Merrier: Efficient Multi-Source
 *     Graph Traversal", PVLDB 8(4), 2014. */
#include "algo/bfs/bfs.h"
#include "cuda/buffers.cuh"
#include "cuda/warp.cuh"
#include "engines/bfs/push.cuh"
#include "engines/bfs/state.cuh"

#include <cooperative_groups.h>
#include <stdio.h>

namespace groups = cooperative_groups;

enum {
    BATCH = 64,   /* sources: the bits of a word */
    BLOCK = 256,  /* threads */
    LOOKED = 8,   /* arcs that a lane pulls along by itself; the warp takes the rest of the row */
    TOGETHER = 4, /* arcs of a lane between two reductions over the warp */
    PULL_PART = 8 /* pull if the frontier has more than this part of all arcs */
};

typedef unsigned long long word;

/* The counts of one level; cleared before it. */
struct level_counts {
    bfs_counts c;      /* the new frontier */
    word found[BATCH]; /* vertices new to each source */
    unsigned touched;  /* length of the list */
};

namespace {

/* On the GPU. */
struct many_arrays {
    word *seen, *front, *next; /* n each */
    level_counts *counted;
};

struct batch {
    word *seen, *front, *next;
    weft_vid *list; /* n entries */
    level_counts *counted;
};

struct starts {
    weft_vid v[BATCH];
};

} // namespace

/* Lists v for each calling lane; any lanes of a warp may call it together. */
__device__ static void note(const batch &b, weft_vid v) {
    groups::coalesced_group here = groups::coalesced_threads();
    unsigned base = 0;
    if (here.thread_rank() == 0) base = atomicAdd(&b.counted->touched, here.size());
    b.list[here.shfl(base, 0) + here.thread_rank()] = v;
}

/* The first to add a bit to v in this level lists it.  A stale read of `next` costs an atomic, no more. */
__device__ static void bring(const batch &b, weft_vid v, word bits) {
    bits &= ~b.seen[v];
    if (!bits || !(bits & ~__ldcg(&b.next[v]))) return;
    if (!atomicOr(&b.next[v], bits)) note(b, v);
}

/* Level 0: each source's own bit, not yet seen; a vertex may be the source of several searches. */
__global__ static void begin_many(batch b, starts s, unsigned count) {
    if (threadIdx.x < count) bring(b, s.v[threadIdx.x], (word)1 << threadIdx.x);
}

__global__ static void __launch_bounds__(BLOCK) push_many(bfs_state s, batch b, unsigned shorts, unsigned pieces) {
    for (uint64_t i = wfi_thread() / WARP; i < pieces; i += wfi_all_threads() / WARP) {
        uint2 piece = s.pieces[i];
        weft_eid begin = s.out.offsets[piece.x] + (weft_eid)piece.y * PIECE, end = s.out.offsets[piece.x + 1];
        if (begin + PIECE < end) end = begin + PIECE;
        word bits = b.front[piece.x];
        for (weft_eid e = begin + lane_of(); e < end; e += WARP) bring(b, s.out.targets[e], bits);
    }
    for (uint64_t i = wfi_thread(); i < shorts; i += wfi_all_threads()) {
        weft_vid u = s.shorts[i];
        word bits = b.front[u];
        for (weft_eid e = s.out.offsets[u], end = s.out.offsets[u + 1]; e < end; e++) bring(b, s.out.targets[e], bits);
    }
}

/* The whole warp pulls along the incoming arcs [e, end), until it has all of `wanted`. */
__device__ static word pull_together(const bfs_state &s, const batch &b, weft_eid e, weft_eid end, word wanted) {
    word got = 0;
    for (; e < end && wanted & ~got; e += TOGETHER * WARP) {
        word mine = 0;
#pragma unroll
        for (unsigned k = 0; k < TOGETHER; k++) {
            weft_eid at = e + k * WARP + lane_of();
            if (at < end) mine |= b.front[s.in.targets[at]];
        }
        got |= wfi_warp_or(mine);
    }
    return got;
}

/* live: the sources whose frontier is not empty.  Other bits cannot come, so they are not waited for. */
__global__ static void __launch_bounds__(BLOCK) pull_many(bfs_state s, batch b, word live) {
    for (uint64_t base = wfi_thread() / WARP * WARP; base < s.n; base += wfi_all_threads()) {
        uint64_t v = base + lane_of();
        word wanted = v < s.n ? live & ~b.seen[v] : 0, got = 0;
        weft_eid e = wanted ? s.in.offsets[v] : 0, end = wanted ? s.in.offsets[v + 1] : 0;
        for (int k = 0; k < LOOKED && e < end && wanted & ~got; k++, e++) got |= b.front[s.in.targets[e]];
        unsigned left = __ballot_sync(~0u, e < end && wanted & ~got);
        for (; left; left &= left - 1) {
            int owner = __ffs((int)left) - 1;
            word theirs = pull_together(s, b, __shfl_sync(~0u, e, owner), __shfl_sync(~0u, end, owner),
                                        __shfl_sync(~0u, wanted & ~got, owner));
            if ((int)lane_of() == owner) got |= theirs;
        }
        if (got & wanted) b.next[v] = got & wanted;
    }
}

__global__ static void __launch_bounds__(BLOCK) clear_front(bfs_state s, batch b, unsigned shorts, unsigned pieces) {
    for (uint64_t i = wfi_thread(); i < shorts; i += wfi_all_threads()) b.front[s.shorts[i]] = 0;
    for (uint64_t i = wfi_thread(); i < pieces; i += wfi_all_threads()) b.front[s.pieces[i].x] = 0;
}

/* Counts each bit in the warp's words: lane i gets the counts of bits i and i + 32. */
__device__ static void count_bits(word bits, unsigned *low, unsigned *high) {
#pragma unroll
    for (unsigned i = 0; i < WARP; i++) {
        unsigned of_low = __ballot_sync(~0u, bits >> i & 1), of_high = __ballot_sync(~0u, bits >> (i + WARP) & 1);
        if (lane_of() == i) {
            *low += (unsigned)__popc(of_low);
            *high += (unsigned)__popc(of_high);
        }
    }
}

/* all: over every vertex; otherwise over the list. */
__global__ static void __launch_bounds__(THREADS) find_new_bits(bfs_state s, batch b, bool all) {
    __shared__ unsigned of_block[BATCH];
    const bfs_window none = {0, 0, 0, 0};
    bfs_tally t = {0, 0};
    unsigned low = 0, high = 0;
    uint64_t count = all ? s.n : b.counted->touched;
    if (threadIdx.x < BATCH) of_block[threadIdx.x] = 0;
    __syncthreads();
    for (uint64_t base = wfi_thread() / WARP * WARP; base < count; base += wfi_all_threads()) {
        uint64_t i = base + lane_of();
        weft_vid v = i >= count ? 0 : all ? (weft_vid)i : b.list[i];
        word came = i < count ? b.next[v] : 0, fresh = 0;
        if (came) {
            word seen = b.seen[v];
            fresh = came & ~seen;
            b.next[v] = 0;
            b.seen[v] = seen | fresh;
            b.front[v] = fresh;
        }
        if (!__any_sync(~0u, fresh != 0)) continue;
        count_bits(fresh, &low, &high);
        queue<1>(s, none, &b.counted->c.queued, fresh ? 1 : 0, &v, &t);
    }
    if (low) atomicAdd(&of_block[lane_of()], low);
    if (high) atomicAdd(&of_block[lane_of() + WARP], high);
    __syncthreads();
    if (threadIdx.x < BATCH && of_block[threadIdx.x])
        atomicAdd(&b.counted->found[threadIdx.x], (word)of_block[threadIdx.x]);
    block_add(t, &b.counted->c);
}

/* --- batches --------------------------------------------------------------------------------- */

static weft_status clear_counts(weft_ctx *ctx, const batch &b) {
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(b.counted, 0, sizeof *b.counted, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

static weft_status finish_level(weft_ctx *ctx, const bfs_state &s, const batch &b, bool all, level_counts *seen) {
    unsigned most = (unsigned)wfi_gpu_of(ctx)->sms * 2;
    find_new_bits<<<wfi_grid(s.n, THREADS, most), THREADS, 0, wfi_cuda_stream(ctx)>>>(s, b, all);
    return wfi_download(ctx, seen, b.counted, sizeof *seen);
}

static weft_status begin(weft_ctx *ctx, const bfs_state &s, const batch &b, const weft_vid *sources, unsigned count,
                         level_counts *seen) {
    starts from = {};
    for (unsigned i = 0; i < count; i++) from.v[i] = sources[i];
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(b.seen, 0, s.n * sizeof *b.seen, wfi_cuda_stream(ctx)));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(b.front, 0, s.n * sizeof *b.front, wfi_cuda_stream(ctx)));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(b.next, 0, s.n * sizeof *b.next, wfi_cuda_stream(ctx)));
    weft_status st = clear_counts(ctx, b);
    if (st) return st;
    begin_many<<<1, BATCH, 0, wfi_cuda_stream(ctx)>>>(b, from, count);
    return finish_level(ctx, s, b, false, seen);
}

/* seen: of the previous level, and then of this one. */
static weft_status go_on(weft_ctx *ctx, const bfs_state &s, const batch &b, level_counts *seen) {
    unsigned shorts = (unsigned)seen->c.queued, pieces = (unsigned)(seen->c.queued >> 32),
             most = (unsigned)wfi_gpu_of(ctx)->sms * 8;
    bool pull = seen->c.arcs > s.arcs / PULL_PART;
    word live = 0;
    for (unsigned i = 0; i < BATCH; i++) live |= (word)(seen->found[i] != 0) << i;
    weft_status st = clear_counts(ctx, b);
    if (st) return st;
    if (pull)
        pull_many<<<wfi_grid(s.n, BLOCK, most), BLOCK, 0, wfi_cuda_stream(ctx)>>>(s, b, live);
    else
        push_many<<<wfi_grid(shorts + (uint64_t)pieces * WARP, BLOCK, most), BLOCK, 0, wfi_cuda_stream(ctx)>>>(
            s, b, shorts, pieces);
    clear_front<<<wfi_grid(wfi_max_u64(shorts, pieces), BLOCK, most), BLOCK, 0, wfi_cuda_stream(ctx)>>>(s, b, shorts,
                                                                                                        pieces);
    return finish_level(ctx, s, b, pull, seen);
}

/* The first `count` rows of the table. */
static weft_status search_batch(weft_ctx *ctx, const bfs_state &s, const batch &b, unsigned count, uint64_t max_depth,
                                const wfi_bfs_table &table) {
    level_counts seen;
    weft_status st = begin(ctx, s, b, table.source, count, &seen);
    for (unsigned i = 0; i < count; i++) table.reached[i] = table.distances[i] = 0;
    for (uint64_t depth = 0; !st; depth++) {
        for (unsigned i = 0; i < count; i++) {
            if (!seen.found[i]) continue;
            table.reached[i] += seen.found[i];
            table.distances[i] += seen.found[i] * depth;
            table.depth[i] = depth;
        }
        if (!seen.c.found || depth == max_depth) break;
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        st = go_on(ctx, s, b, &seen);
    }
    return st;
}

static void many_lay_out(wfi_workspace *device, weft_vid n, many_arrays *a) {
    wfi_array(device, &a->seen, n);
    wfi_array(device, &a->front, n);
    wfi_array(device, &a->next, n);
    wfi_array(device, &a->counted, 1);
}

/* Fills the table's rows for its `count` sources.  s: rows and arrays as for a search, which begins later; its queues
 * and levels are used as scratch. */
static weft_status search_many(weft_ctx *ctx, const bfs_state &s, const many_arrays &a, size_t count,
                               uint64_t max_depth, const wfi_bfs_table *table) {
    batch b = {a.seen, a.front, a.next, s.level, a.counted};
    weft_status st = WEFT_OK;
    for (size_t first = 0; !st && first < count; first += BATCH) {
        wfi_progress(ctx, "bfs, all sources", first, count);
        wfi_bfs_table rows = {table->source + first, table->reached + first, table->depth + first,
                              table->distances + first};
        st = search_batch(ctx, s, b, (unsigned)wfi_min_u64(BATCH, count - first), max_depth, rows);
    }
    return st;
}

/* --- the run --------------------------------------------------------------------------------- */

static void lay_out(wfi_workspace *device, const weft_graph *g, bool many, bfs_state *s, many_arrays *m) {
    wfi_bfs_search_lay_out(device, g, s);
    if (many) many_lay_out(device, g->n, m);
}

extern "C" weft_status wfi_bfs_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    bfs_state s = {};
    wfi_bfs_reach reach = {};
    wfi_bfs_job b = {};
    many_arrays m = {};
    weft_status st = wfi_bfs_job_begin(job, &b);
    if (st || !b.count) return st ? st : wfi_bfs_job_end(job, 0, 0);
    st = wfi_mirror_out(ctx, g, &s.out);
    if (!st) st = wfi_mirror_in(ctx, g, &s.in);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, b.many, &s, &m);
    st = job->device->status;
    if (st) return st;
    s.max_depth = (unsigned)wfi_min_u64(b.max_depth, WEFT_UNREACHED - 1);
    if (b.many) st = search_many(ctx, s, m, b.count, b.max_depth, &b.table);
    if (!st)
        st = wfi_bfs_search(ctx, &s, b.sources[b.count - 1], "bfs", &reach); /* the columns are those of the last
                                                                                   * source */
    wfi_copy column[] = {{b.level, s.level, g->n * sizeof *b.level}, {b.parent, s.parent, g->n * sizeof *b.parent}};
    if (!st) wfi_narrow(ctx, &column[0], reach.depth, s.shorts);
    if (!st) st = wfi_deliver_all(ctx, column, b.parent ? 2 : 1);
    return st ? st : wfi_bfs_job_end(job, reach.reached, reach.depth);
}

extern "C" void wfi_bfs_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_bfs_params *p = (const weft_bfs_params *)params;
    bfs_state s = {};
    many_arrays m;
    wfi_bfs_job b;
    (void)ctx;
    choice->method = WFI_BFS_ON_GPU;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "the incoming rows are built on the GPU if they are not available"
                         : "undirected: the rows serve both directions");
    wfi_bfs_columns(&choice->space, g->n, p, &b);
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    lay_out(&choice->device, g, p->each, &s, &m);
}
