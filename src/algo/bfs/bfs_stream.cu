/* Breadth-first search, GPU, of a graph whose arcs do not fit its memory.  The answer is that of bfs.c.
 * Method: level by level.  A push needs the frontier's rows; a pull, which undirected graphs allow, the rows of the
 * vertices not reached.  The direction with fewer arcs is taken, because the link takes most of the time.  The host
 * packs just these rows (cuda/stream.cuh), so that a directed search sends the row of each reached vertex once.  A
 * level that pulls sends the first few arcs of its many rows before the rest: the frontier has more arcs than all
 * unreached vertices, so most of them meet it there and need no more.  The GPU names a few rows, or marks many in a
 * bitmap with the number of arcs of each chunk, so that the host's threads need not count.
 * Encoding: the frontier is the window [from, to) of a queue that each vertex enters once; the level tells whether a
 * vertex is in the frontier.  The smallest parent is found by an atomic minimum, so parts of a row may come in any
 * order. */
#include "algo/bfs/bfs.h"
#include "cuda/stream.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"

#include <cooperative_groups.h>
#include <stdio.h>

namespace groups = cooperative_groups;

enum {
    THREADS = 256,
    MOST_BLOCKS = 1 << 12,
    WARP = 32,
    LOOKERS = 2, /* blocks of an SM in look_back */
    FEW = 8192,  /* a frontier up to this size is listed for the host, a larger one marked in bits */
    CHUNK = WFI_BITS_CHUNK,
    SMALL = 1 << 18, /* arcs of a pack that is walked in short spans */
    FIRST = 4,       /* arcs of a row that are sent first ... */
    MANY = 1 << 19   /* ... if there are at least this many arcs in all */
};

/* Of each row the arcs from `skip` on, up to `most`. */
struct part {
    uint64_t skip, most;
};
static const part WHOLE = {0, UINT64_MAX};

/* The results of a level for the host, in memory of the host: the queue's end; the out-arcs of the new vertices, and
 * the first of these. */
struct report {
    unsigned long long tail, arcs;
    weft_vid first[FEW];
};
static_assert(sizeof(report) <= WFI_STREAM_NOTE, "the note is too small");

struct counters {
    unsigned long long tail, arcs;
    unsigned blocks; /* blocks of look_back that are done */
};

/* The state that both directions of the walk share. */
struct search {
    const weft_eid *offsets;
    uint32_t *level;
    weft_vid *parent, *queue;
    counters *c;
    weft_vid n;
    uint32_t depth; /* level of the vertices that are being found */

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
    s.c->arcs = s.c->blocks = 0;
}

/* The number of arcs of the vertex's row to send.  A vertex found by its first arcs has its smallest parent: rows
 * ascend. */
template <class V> __device__ static uint64_t wanted_arcs(const V &visit, weft_vid v, part p) {
    if (!visit.wants(v) || (p.skip && __ldcg(&visit.level[v]) != WEFT_UNREACHED)) return 0;
    uint64_t length = visit.offsets[v + 1] - visit.offsets[v];
    return length > p.skip ? min((unsigned long long)(length - p.skip), (unsigned long long)p.most) : 0;
}

/* Marks the rows that the level needs, and for each chunk of vertices counts these rows and their arcs.  A warp takes a
 * chunk. */
template <class V> __global__ void mark_rows(V visit, part p, uint32_t *bits, uint64_t *chunk) {
    unsigned lane = threadIdx.x % WARP;
    uint64_t warp = (blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WARP, warps = (uint64_t)gridDim.x * THREADS / WARP;
    for (uint64_t c = warp; c * CHUNK < visit.n; c += warps) {
        uint32_t word = 0;
        unsigned long long arcs = 0, rows = 0;
        for (unsigned k = 0; k < CHUNK / WARP; k++) {
            uint64_t v = c * CHUNK + k * WARP + lane;
            uint64_t length = v < visit.n ? wanted_arcs(visit, (weft_vid)v, p) : 0;
            unsigned marked = __ballot_sync(~0u, length != 0);
            if (lane == k) word = marked;
            rows += (unsigned)__popc(marked);
            arcs += length;
        }
        arcs = wfi_warp_sum(arcs);
        bits[c * (CHUNK / WARP) + lane] = word;
        if (lane) continue;
        chunk[2 * c] = arcs;
        chunk[2 * c + 1] = rows;
    }
}
static_assert(CHUNK == WARP * WARP, "a lane keeps a word of the chunk");

/* Writes the level's results from queue position `to` on into `note`.  The last block to finish knows the sum. */
__global__ static void look_back(search s, uint64_t to, report *note) {
    unsigned long long arcs = 0, tail = s.c->tail;
    for (uint64_t i = to + blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < tail; i += (uint64_t)gridDim.x * THREADS) {
        weft_vid v = s.queue[i];
        arcs += s.offsets[v + 1] - s.offsets[v];
        if (i - to < FEW) note->first[i - to] = v;
    }
    arcs = wfi_warp_sum(arcs);
    if (threadIdx.x % WARP == 0 && arcs) atomicAdd(&s.c->arcs, arcs);
    __threadfence();
    __syncthreads();
    if (threadIdx.x || atomicAdd(&s.c->blocks, 1u) != gridDim.x - 1) return;
    note->tail = tail;
    note->arcs = atomicExch(&s.c->arcs, 0ull);
    s.c->blocks = 0;
}

/* --- one level ------------------------------------------------------------------------- */

struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    search s;
    wfi_stream stream;
    weft_eid *offsets;
    uint64_t *marks;  /* bits, then the counts of the chunks */
    uint64_t *marked; /* the same on the host */
    uint64_t few[2 * (FEW / WFI_LIST_CHUNK + 2)];
    uint64_t from, to, distances; /* the sum of the levels so far */
};

static uint64_t bit_words(const weft_graph *g) { return wfi_chunks(g->n, CHUNK) * (CHUNK / 64); }
static uint64_t mark_words(const weft_graph *g) { return bit_words(g) + wfi_chunk_words(g->n, CHUNK); }

template <class V> static weft_status send_rows(run *r, V visit, wfi_wanted wanted) {
    wfi_pack pack;
    cudaStream_t stream = wfi_cuda_stream(r->ctx);
    weft_status st = WEFT_OK;
    r->stream.pack_begin(r->g->out.offsets, wanted);
    while (!st && r->stream.pack_next(&pack, &st)) {
        if (pack.arcs < SMALL)
            wfi_walk<uint32_t, WFI_WALK_FEW><<<wfi_walk_blocks(pack.arcs, WFI_WALK_FEW), WFI_WALK_THREADS, 0, stream>>>(
                pack.start, pack.vertex, (uint64_t)pack.rows, pack.targets, 0u, 0u, pack.arcs, visit);
        else
            wfi_walk<uint32_t><<<wfi_walk_blocks(pack.arcs), WFI_WALK_THREADS, 0, stream>>>(
                pack.start, pack.vertex, (uint64_t)pack.rows, pack.targets, 0u, 0u, pack.arcs, visit);
        st = r->stream.done();
    }
    return st;
}

template <class V> static weft_status send_marked(run *r, V visit, part p) {
    weft_vid n = r->s.n;
    mark_rows<V><<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(r->ctx)>>>(
        visit, p, (uint32_t *)r->marks, r->marks + bit_words(r->g));
    size_t words = mark_words(r->g) - 2; /* the host makes the final pair of sums */
    weft_status st = wfi_download(r->ctx, r->marked, r->marks, words * sizeof *r->marked);
    return st ? st : send_rows(r, visit, {NULL, r->marked, n, r->marked + bit_words(r->g), p.skip, p.most});
}

static weft_status push(run *r, const report *seen) {
    pushing visit;
    (search &)visit = r->s;
    if (r->to - r->from > FEW) return send_marked(r, visit, WHOLE);
    weft_vid rows[FEW];
    uint64_t count = 0;
    for (uint64_t i = 0; i < r->to - r->from; i++)
        if (wfi_degree(&r->g->out, seen->first[i])) rows[count++] = seen->first[i];
    return send_rows(r, visit, {rows, NULL, count, r->few, WHOLE.skip, WHOLE.most});
}

static weft_status pull(run *r, uint64_t unseen) {
    pulling visit;
    (search &)visit = r->s;
    if (unseen < MANY) return send_marked(r, visit, WHOLE);
    weft_status st = send_marked(r, visit, {0, FIRST});
    return st ? st : send_marked(r, visit, {FIRST, UINT64_MAX});
}

/* *arcs: of the frontier, and then of the next one. */
static weft_status take_level(run *r, uint64_t *arcs, uint64_t unseen) {
    weft_ctx *ctx = r->ctx;
    report *seen = (report *)r->stream.note();
    r->s.depth++;
    weft_status st = !r->g->directed && unseen < *arcs ? pull(r, unseen) : push(r, seen);
    if (st) return st;
    look_back<<<(unsigned)(LOOKERS * wfi_gpu_of(ctx)->sms), THREADS, 0, wfi_cuda_stream(ctx)>>>(r->s, r->to, seen);
    st = wfi_cuda_sync(ctx);
    if (st) return st;
    r->from = r->to;
    r->to = seen->tail;
    *arcs = seen->arcs;
    return WEFT_OK;
}

/* --- the run ------------------------------------------------------------------------------ */

static weft_status search_from(run *r, weft_vid source, uint64_t max_depth) {
    weft_ctx *ctx = r->ctx;
    const weft_graph *g = r->g;
    uint64_t arcs = wfi_degree(&g->out, source), unseen = g->arcs - arcs;
    begin_search<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(r->s, source);
    ((report *)r->stream.note())->first[0] = source;
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

static void lay_out(wfi_workspace *space, wfi_workspace *device, const weft_graph *g, run *r) {
    wfi_array(device, &r->offsets, (uint64_t)g->n + 1);
    wfi_array(device, &r->s.level, g->n);
    wfi_array(device, &r->s.parent, g->n);
    wfi_array(device, &r->s.queue, g->n);
    wfi_array(device, &r->marks, mark_words(g));
    wfi_array(device, &r->s.c, 1);
    wfi_array(space, &r->marked, mark_words(g));
}

extern "C" bool wfi_bfs_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t available,
                                    wfi_choice *choice) {
    run r = {};
    wfi_bfs_job b;
    (void)ctx;
    choice->method = g->directed ? WFI_BFS_TOP_DOWN_STREAMED : WFI_BFS_BOTH_WAYS_STREAMED;
    snprintf(choice->reason, sizeof choice->reason,
             "too large for the GPU's memory: the rows that a level needs are packed and sent");
    wfi_bfs_columns(&choice->space, g->n, (const weft_bfs_params *)params, &b);
    lay_out(&choice->space, &choice->device, g, &r);
    /* a search reads each row at most once, so no piece needs a home */
    choice->stream = wfi_stream_fit(g->arcs, choice->device.at + WFI_STREAM_PADDING, available, false);
    r.stream.lay_out(&choice->device, g->arcs, choice->stream);
    return true;
}

static weft_status search_all(run *r, const weft_vid *sources, size_t count, uint64_t max_depth,
                              const wfi_bfs_table *table) {
    wfi_kernel_scope stage(r->ctx, "iterations");
    weft_status st = r->stream.bring(r->offsets, r->g->out.offsets, ((size_t)r->g->n + 1) * sizeof *r->g->out.offsets);
    for (size_t i = 0; !st && i < count; i++) {
        st = search_from(r, sources[i], max_depth);
        if (st || !table) continue;
        table->reached[i] = r->to;
        table->depth[i] = depth_of(r);
        table->distances[i] = r->distances;
    }
    stage.bytes = r->stream.bytes;
    return st;
}

extern "C" weft_status wfi_bfs_stream(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    wfi_bfs_job b = {};
    run r = {};
    r.ctx = ctx;
    r.g = g;
    weft_status st = wfi_bfs_job_begin(job, &b);
    if (st || !b.count) return st ? st : wfi_bfs_job_end(job, 0, 0);
    st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->space, job->device, g, &r);
    r.stream.lay_out(job->device, g->arcs, job->choice->stream);
    r.s.offsets = r.offsets;
    r.s.n = g->n;
    st = job->device->status ? job->device->status : job->space->status;
    if (!st) st = r.stream.open(ctx, g->out.targets, g->arcs, job->choice->stream);
    if (!st)
        r.stream.with_threads(wfi_threads(ctx),
                              [&] { st = search_all(&r, b.sources, b.count, b.max_depth, b.many ? &b.table : NULL); });
    wfi_copy column[] = {{b.level, r.s.level, g->n * sizeof *b.level}, {b.parent, r.s.parent, g->n * sizeof *b.parent}};
    if (!st) wfi_narrow(ctx, &column[0], depth_of(&r), r.s.queue);
    if (!st) st = wfi_deliver_all(ctx, column, b.parent ? 2 : 1);
    return st ? st : wfi_bfs_job_end(job, r.to, depth_of(&r));
}
