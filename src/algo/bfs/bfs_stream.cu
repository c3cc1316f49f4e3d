/* Breadth-first search, GPU, of a graph whose arcs do not fit its memory.  The answer is bfs.c's.
 * Method: level by level.  Pushing, the frontier's rows are needed; pulling, which undirected graphs allow, those of the vertices
 * not reached: whichever have fewer arcs, for the link is what takes the time.  Rows with most of all arcs are streamed whole
 * (cuda/stream.cuh), and the kernel passes over the others in between; of fewer the host packs those that are not on the GPU.
 * Encoding: the frontier is the window [from, to) of a queue into which each vertex comes once.  Who is in the frontier, a
 * level tells: the smallest parent is found by an atomic minimum, so parts of a row may come in any order. */
#include "algo/bfs/bfs_stream.h"
#include "cuda/stream.cuh"
#include "cuda/walk.cuh"

#include <cooperative_groups.h>
#include <stdio.h>

namespace groups = cooperative_groups;

enum {
    THREADS = 256,
    MOST_BLOCKS = 1 << 12,
    WARP = 32,
    SHARERS = 32, /* warps that share a long row on the GPU */
    DENSE = 2,    /* rows with more than 1/DENSE of the arcs are streamed whole */
    FEW = 1024    /* a frontier of so many is known to the host, which lists the rows itself */
};

/* What a level leaves for the host: the queue's end; out-arcs of what was found, and the first of it; rows that must be sent. */
struct report {
    unsigned long long tail, arcs, listed;
    weft_vid first[FEW];
};

/* What both directions of the walk share. */
struct search {
    const weft_eid *offsets;
    uint32_t *level;
    weft_vid *parent, *queue, *list;
    report *c;
    weft_vid n;
    uint32_t depth; /* that the level under way gives out */

    __device__ void found(weft_vid v) const {
        groups::coalesced_group together = groups::coalesced_threads();
        unsigned long long place = 0;
        if (together.thread_rank() == 0) place = atomicAdd(&c->tail, (unsigned long long)together.size());
        queue[together.shfl(place, 0) + together.thread_rank()] = v;
    }
    /* u is in the frontier and has an arc to v. */
    __device__ void offer(weft_vid u, weft_vid v) const {
        uint32_t seen = __ldcg(&level[v]);
        if (seen < depth) return;
        if (seen == WEFT_UNREACHED && atomicCAS(&level[v], WEFT_UNREACHED, depth) == WEFT_UNREACHED) found(v);
        atomicMin(&parent[v], u);
    }
};

struct pushing : search {
    __device__ bool wants(weft_vid u) const { return __ldcg(&level[u]) == depth - 1; }
    __device__ void alone(weft_vid u, const weft_vid *target, unsigned count) const {
        for (unsigned k = 0; k < count; k++) offer(u, target[k]);
    }
    __device__ void together(weft_vid u, const weft_vid *target, unsigned count) const {
        for (unsigned k = threadIdx.x % WARP; k < count; k += WARP) offer(u, target[k]);
    }
};

/* Rows ascend: the first hit of a part of a row is its smallest. */
struct pulling : search {
    __device__ bool wants(weft_vid v) const { return __ldcg(&level[v]) >= depth; }
    __device__ void alone(weft_vid v, const weft_vid *source, unsigned count) const {
        unsigned k = 0;
        while (k < count && __ldcg(&level[source[k]]) != depth - 1) k++;
        if (k < count) offer(source[k], v);
    }
    __device__ void together(weft_vid v, const weft_vid *source, unsigned count) const {
        unsigned lane = threadIdx.x % WARP;
        for (unsigned k = 0; k < count; k += WARP) {
            bool hit = k + lane < count && __ldcg(&level[source[k + lane]]) == depth - 1;
            unsigned hits = __ballot_sync(~0u, hit);
            if (!hits) continue;
            if ((int)lane == __ffs((int)hits) - 1) offer(source[k + lane], v);
            return;
        }
    }
};

/* --- kernels ------------------------------------------------------------------------ */

__global__ static void begin_search(search s, weft_vid source) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < s.n; v += (uint64_t)gridDim.x * THREADS) {
        s.level[v] = v == source ? 0 : WEFT_UNREACHED;
        s.parent[v] = v == source ? source : WEFT_NO_VERTEX;
    }
    if (blockIdx.x || threadIdx.x) return;
    s.queue[0] = source;
    s.c->tail = 1;
}

/* Lists the rows with arcs beyond those that stay on the GPU: of the queue's window, or, of = NULL, of all that are not reached. */
__global__ static void list_rows(search s, const weft_vid *of, uint64_t count, weft_eid resident) {
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < count; i += (uint64_t)gridDim.x * THREADS) {
        weft_vid v = of ? of[i] : (weft_vid)i;
        weft_eid end = s.offsets[v + 1];
        if (end <= resident || end == s.offsets[v] || (!of && s.level[v] < s.depth)) continue;
        groups::coalesced_group together = groups::coalesced_threads();
        unsigned long long place = 0;
        if (together.thread_rank() == 0) place = atomicAdd(&s.c->listed, (unsigned long long)together.size());
        s.list[together.shfl(place, 0) + together.thread_rank()] = v;
    }
}

/* Out-arcs of what the level put behind `to`, and the first of it. */
__global__ static void look_back(search s, uint64_t to) {
    unsigned long long arcs = 0, tail = s.c->tail;
    for (uint64_t i = to + blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < tail; i += (uint64_t)gridDim.x * THREADS) {
        weft_vid v = s.queue[i];
        arcs += s.offsets[v + 1] - s.offsets[v];
        if (i - to < FEW) s.c->first[i - to] = v;
    }
    for (int far = WARP / 2; far; far /= 2) arcs += __shfl_down_sync(~0u, arcs, far);
    if (threadIdx.x % WARP == 0 && arcs) atomicAdd(&s.c->arcs, arcs);
}

/* --- one level ------------------------------------------------------------------------- */

struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    search s;
    wfi_stream stream;
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<uint32_t> level;
    wfi_buffer<weft_vid> parent, queue, list;
    wfi_buffer<report> c;
    report seen;
    weft_vid *listed; /* the host's list of rows to send */
    uint64_t *chunks;
    uint64_t from, to, distances; /* the sum of the levels so far */
};

template <class V> static weft_status sweep_all(run *r, V visit) {
    wfi_piece piece;
    weft_status st = WEFT_OK;
    for (r->stream.begin(false); !st && r->stream.next(&piece, &st);) {
        wfi_walk<weft_eid><<<wfi_walk_blocks(piece.end - piece.begin), WFI_WALK_THREADS, 0, wfi_cuda_stream()>>>(
            r->s.offsets, (const weft_vid *)NULL, (uint64_t)r->s.n, piece.targets, piece.begin, piece.begin, piece.end,
            visit);
        st = r->stream.done();
    }
    return st;
}

template <class V> static weft_status send_listed(run *r, V visit, uint64_t count) {
    wfi_pack pack;
    weft_status st = r->stream.pack_begin(r->g->out.offsets, r->listed, count, r->stream.resident(), r->chunks);
    while (!st && r->stream.pack_next(&pack, &st)) {
        wfi_walk<uint32_t><<<wfi_walk_blocks(pack.arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream()>>>(
            pack.start, pack.vertex, (uint64_t)pack.rows, pack.targets, 0u, 0u, pack.arcs, visit);
        st = r->stream.done();
    }
    return st;
}

/* The rows among list[0] ... list[count-1], or all vertices, that must be sent. */
static weft_status find_listed(run *r, const weft_vid *list, uint64_t count, uint64_t *found) {
    weft_ctx *ctx = r->ctx;
    const weft_eid *offsets = r->g->out.offsets;
    weft_eid resident = r->stream.resident();
    *found = 0;
    if (list && count <= FEW) {
        for (uint64_t i = 0; i < count; i++) {
            weft_vid v = r->seen.first[i];
            if (offsets[v + 1] > resident && offsets[v + 1] > offsets[v]) r->listed[(*found)++] = v;
        }
        return WEFT_OK;
    }
    list_rows<<<wfi_grid(count, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream()>>>(r->s, list, count, resident);
    weft_status st = wfi_download(ctx, found, &r->s.c->listed, sizeof *found);
    return st ? st : wfi_download(ctx, r->listed, r->s.list, *found * sizeof *r->listed);
}

template <class V> static weft_status take_listed(run *r, V visit, const weft_vid *list, uint64_t count) {
    weft_eid resident = r->stream.resident();
    uint64_t found;
    if (resident)
        wfi_walk_list<<<dim3(wfi_grid(count, WFI_WALK_THREADS, MOST_BLOCKS), SHARERS), WFI_WALK_THREADS, 0,
                        wfi_cuda_stream()>>>(r->s.offsets, list, count, r->stream.resident_targets(), resident, visit);
    if (resident == r->g->arcs) return WEFT_OK;
    weft_status st = find_listed(r, list, count, &found);
    return st ? st : send_listed(r, visit, found);
}

template <class V> static weft_status go(run *r, const weft_vid *list, uint64_t count, bool dense) {
    V visit;
    (search &)visit = r->s;
    return dense ? sweep_all(r, visit) : take_listed(r, visit, list, count);
}

/* *arcs, of the frontier, becomes that of the next. */
static weft_status take_level(run *r, uint64_t *arcs, uint64_t unseen) {
    weft_ctx *ctx = r->ctx;
    bool pull = !r->g->directed && unseen<*arcs, dense = (pull ? unseen : *arcs)> r->g->arcs / DENSE;
    r->s.depth++;
    WFI_CUDA(cudaMemsetAsync(&r->s.c->arcs, 0, 2 * sizeof r->s.c->arcs, wfi_cuda_stream()));
    weft_status st =
        pull ? go<pulling>(r, NULL, r->s.n, dense) : go<pushing>(r, r->s.queue + r->from, r->to - r->from, dense);
    if (st) return st;
    look_back<<<wfi_grid(r->s.n, THREADS, 256), THREADS, 0, wfi_cuda_stream()>>>(r->s, r->to);
    st = wfi_download(ctx, &r->seen, r->s.c, sizeof r->seen);
    r->from = r->to;
    r->to = r->seen.tail;
    *arcs = r->seen.arcs;
    return st;
}

/* --- the run ------------------------------------------------------------------------------ */

static weft_status search_from(run *r, weft_vid source, uint64_t max_depth) {
    weft_ctx *ctx = r->ctx;
    const weft_graph *g = r->g;
    uint64_t arcs = wfi_degree(&g->out, source), unseen = g->arcs - arcs;
    begin_search<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream()>>>(r->s, source);
    r->seen.first[0] = source;
    r->from = r->distances = 0;
    r->to = 1;
    r->s.depth = 0;
    while (r->to > r->from && r->s.depth < max_depth) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        weft_status st = take_level(r, &arcs, unseen);
        if (st) return st;
        unseen -= arcs;
        r->distances += (r->to - r->from) * r->s.depth;
        wfi_progress(ctx, "bfs", r->to, g->n);
    }
    return WEFT_OK;
}

/* The last level that was not empty. */
static uint64_t depth_of(const run *r) { return r->to > r->from ? r->s.depth : r->s.depth - 1; }

static uint64_t state_bytes(const weft_graph *g) {
    return sizeof(weft_eid) * ((uint64_t)g->n + 1) + 4 * sizeof(weft_vid) * (uint64_t)g->n + sizeof(report);
}

extern "C" bool wfi_bfs_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t room,
                                    wfi_choice *choice) {
    const char *sources = ((const weft_bfs_params *)params)->sources;
    uint64_t random = 0;
    (void)ctx;
    if (sources) wfi_bfs_random_count(NULL, sources, &random);
    wfi_stream_size fit = wfi_stream_fit(g->arcs, state_bytes(g), room, true);
    choice->method = g->directed ? "top-down, arcs streamed" : "direction-optimising, arcs streamed";
    snprintf(choice->reason, sizeof choice->reason,
             "too large for the GPU's memory: %.0f %% of the arcs stay there, of the others a level's are sent",
             fit.pieces ? 100 * (double)fit.homes / (double)fit.pieces : 0);
    choice->host_bytes = 12 * (uint64_t)g->n + sizeof(uint64_t) * wfi_pack_chunks(g->n) + BFS_SOURCE_BYTES * random;
    choice->device_bytes = fit.bytes;
    return true;
}

static weft_status take_arrays(run *r, uint64_t room) {
    weft_ctx *ctx = r->ctx;
    const weft_graph *g = r->g;
    size_t n = g->n;
    weft_status st = r->offsets.take(ctx, n + 1);
    if (!st) st = r->level.take(ctx, n);
    if (!st) st = r->parent.take(ctx, n);
    if (!st) st = r->queue.take(ctx, n);
    if (!st) st = r->list.take(ctx, n);
    if (!st) st = r->c.take(ctx, 1);
    if (!st) st = wfi_upload(ctx, r->offsets.data, g->out.offsets, (n + 1) * sizeof(weft_eid));
    if (!st)
        st = r->stream.open(ctx, g->out.targets, g->arcs, WFI_HOMES_FIRST,
                            wfi_stream_fit(g->arcs, state_bytes(g), room, true));
    if (!st) st = r->stream.load_homes();
    r->listed = (weft_vid *)wfi_take(ctx, n, sizeof *r->listed);
    r->chunks = (uint64_t *)wfi_take(ctx, wfi_pack_chunks(n), sizeof *r->chunks);
    if (!st && (!r->listed || !r->chunks)) st = WEFT_ENOMEM;
    r->s = {r->offsets.data, r->level.data, r->parent.data, r->queue.data, r->list.data, r->c.data, g->n, 0};
    return st;
}

extern "C" weft_status wfi_bfs_search_stream(weft_ctx *ctx, const weft_graph *g, uint64_t room, const weft_vid *sources,
                                             size_t count, uint64_t max_depth, wfi_bfs_found *found,
                                             const wfi_bfs_table *table) {
    run r = {};
    r.ctx = ctx;
    r.g = g;
    weft_status st = take_arrays(&r, room);
    for (size_t i = 0; !st && i < count; i++) {
        st = search_from(&r, sources[i], max_depth);
        if (st || !table) continue;
        table->reached[i] = r.to;
        table->depth[i] = depth_of(&r);
        table->distances[i] = r.distances;
    }
    if (!st) st = wfi_download(ctx, found->level, r.s.level, g->n * sizeof *found->level);
    if (!st) st = wfi_download(ctx, found->parent, r.s.parent, g->n * sizeof *found->parent);
    found->reached = r.to;
    found->depth = depth_of(&r);
    wfi_free(r.listed);
    wfi_free(r.chunks);
    return st;
}
