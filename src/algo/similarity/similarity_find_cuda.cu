/* similarity, GPU: the most similar vertices of each vertex; given pairs; all edges by measures that do not follow from
 * triangles.  The host makes rows with each neighbour once, their lengths and weights (rows.c): the time is spent on
 * wedges.
 * Method: a block takes a vertex and counts visits in a table of its own: by hashing, with twice as many slots as
 * wedges, or by vertex, if there are more wedges than the hash tables can hold.  Visited vertices are compared with the
 * worst of the best so far; better ones are appended, and a full buffer is sorted and cut to the number of rows.  The
 * result does not depend on the order (core/best.h).
 * Of a pair, a warp looks up the neighbours of the shorter row in the longer.
 * Encoding: blocks with hash tables and blocks with tables by vertex are two grids; vertices with too many wedges for
 * the first are listed for the second.  Between two vertices all slots of a table are empty. */
#include "algo/similarity/similarity.h"
#include "core/best.h"
#include "core/search.h"
#include "cuda/buffers.cuh"
#include "cuda/launch.cuh"
#include "cuda/mirror.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"

#include <stdio.h>

namespace {

typedef unsigned long long word;

enum {
    SHORT_THREADS = 128,
    LONG_THREADS = 512,
    CAPACITY = 1024, /* capacity of the buffer between two cuts */
    SHORT_BLOCKS = 1056,
    LONG_BLOCKS = 264,
    SHORT_PLACES = 1 << 15
};
static_assert(WFI_SIMILAR_MOST_LISTED + LONG_THREADS <= CAPACITY, "after a cut each thread may put down one");

const weft_vid NONE = WEFT_NO_VERTEX;
const uint64_t LONG_BYTES = (uint64_t)1 << 32;   /* of all tables by vertex, unless a single one is larger */
const uint64_t BATCH_WEDGES = (uint64_t)1 << 31; /* between two polls for a request to stop: a tenth of a second */
const uint64_t BATCH_PAIRS = 1 << 22;

/* The tables of all blocks of a grid, one after the other. */
struct tables {
    weft_vid *visited; /* by hashing: the key of each slot; by vertex: list of visited vertices, in any order */
    uint32_t *common;
    wfi_fixed *sum; /* sums of weights; NULL: measures that count */
    uint64_t places;
    unsigned blocks;
};

struct counters {
    word next, longs, next_long;
};

struct arrays {
    weft_eid *offsets; /* rows, if they are not the graph's */
    weft_vid *targets;
    uint32_t *size;
    wfi_fixed *part;
    weft_vid *of; /* NULL: all vertices */
    uint64_t *at, *found;
    weft_vid *source, *target; /* source: of pairs */
    double *value;
    uint64_t *longs; /* sources whose table is by vertex */
    counters *count;
    tables by_hash, by_vertex;
};

uint64_t places_for(uint64_t wedges) {
    uint64_t places = 2;
    while (places < 2 * wedges) places *= 2;
    return places;
}

void lay_out_tables(wfi_workspace *device, bool weighs, uint64_t places, uint64_t blocks, tables *t) {
    t->places = places;
    t->blocks = (unsigned)blocks;
    wfi_array_within(device, &t->visited, places * blocks);
    wfi_array_within(device, &t->common, places * blocks);
    if (weighs) wfi_array_within(device, &t->sum, places * blocks);
}

void lay_out_best(wfi_workspace *device, const wfi_similar *s, const wfi_similar_best *b, arrays *a) {
    const weft_similarity_params *p = s->p;
    const bool weighs = wfi_similarity_weighs(p->measure);
    const uint64_t n = s->g->n, count = b->count, hashed = wfi_min_u64(places_for(n), SHORT_PLACES),
                   place = weighs ? 24 : 8;
    if (p->of) wfi_array(device, &a->of, count);
    wfi_array(device, &a->at, count + 1);
    wfi_array(device, &a->found, count);
    wfi_array_within(device, &a->target, b->most_rows);
    wfi_array_within(device, &a->value, b->most_rows);
    wfi_array(device, &a->count, 1);
    lay_out_tables(device, weighs, hashed, wfi_min_u64(count, SHORT_BLOCKS), &a->by_hash);
    if (2 * n <= hashed) return; /* all wedges of any vertex fit a hash table */
    wfi_array_within(device, &a->longs, count);
    uint64_t blocks = wfi_min_u64(wfi_min_u64(count, LONG_BLOCKS), LONG_BYTES / (place * n) + 1);
    lay_out_tables(device, weighs, n, blocks, &a->by_vertex);
}

void lay_out(wfi_workspace *device, const wfi_similarity *of, arrays *a) {
    const wfi_similar *s = &of->s;
    const weft_graph *g = s->g;
    *a = {};
    if (s->own) {
        wfi_array(device, &a->offsets, (uint64_t)g->n + 1);
        wfi_array_within(device, &a->targets, (g->directed ? 2 : 1) * g->arcs);
    }
    wfi_array(device, &a->size, g->n);
    if (wfi_similarity_weighs(s->p->measure)) wfi_array(device, &a->part, g->n);
    if (wfi_similar_method(s->p) == WFI_SIMILAR_BEST) {
        lay_out_best(device, s, &of->best, a);
        return;
    }
    wfi_array(device, &a->source, of->edges.rows.count);
    wfi_array(device, &a->target, of->edges.rows.count);
    wfi_array(device, &a->value, of->edges.rows.count);
}

/* The kernels' view of rows and parameters. */
struct rows {
    const weft_eid *offsets;
    const weft_vid *targets;
    uint64_t most; /* maximum degree of a neighbour that counts */
    int measure;
    bool unjoined;

    __device__ uint64_t degree(weft_vid v) const { return offsets[(size_t)v + 1] - offsets[v]; }
    __device__ bool counts(weft_vid v) const { return degree(v) <= most; }
    __device__ bool joins(weft_vid u, weft_vid v) const {
        weft_eid end = offsets[(size_t)u + 1], at = wfi_lower_bound_u32(targets, offsets[u], end, v);
        return at < end && targets[at] == v;
    }
};

/* --- visits ------------------------------------------------------------------------------------- */

__device__ uint32_t place_of(weft_vid v, uint32_t mask) {
    uint32_t x = v * 0x9e3779b1u;
    return (x ^ x >> 15) & mask;
}

/* The table of this block. */
struct table {
    weft_vid *visited;
    uint32_t *common;
    wfi_fixed *sum;
    uint32_t mask; /* slots in use less 1, by hashing */

    __device__ table(const tables &t, uint64_t wedges) {
        const uint64_t base = blockIdx.x * t.places;
        visited = t.visited + base;
        common = t.common + base;
        sum = t.sum ? t.sum + base : NULL;
        uint32_t places = 2;
        while (places < 2 * wedges && places < t.places) places *= 2;
        mask = places - 1;
    }

    /* The slot of v, inserted if new.  A free slot exists: there are twice as many slots as keys. */
    __device__ uint32_t find(weft_vid v) const {
        for (uint32_t at = place_of(v, mask);; at = (at + 1) & mask) {
            weft_vid there = __ldcg(&visited[at]);
            if (there == NONE) there = atomicCAS(&visited[at], NONE, v);
            if (there == NONE || there == v) return at;
        }
    }
    /* listed: number of visited vertices, in shared memory; NULL: the table is hashed. */
    __device__ void visit(weft_vid v, const wfi_fixed *part, unsigned *listed) const {
        const uint32_t at = listed ? v : find(v), before = atomicAdd(&common[at], 1u);
        if (listed && !before) visited[atomicAdd(listed, 1u)] = v;
        if (!part) return;
        atomicAdd((word *)&sum[at].whole, (word)part->whole);
        if (part->rest) atomicAdd((word *)&sum[at].rest, (word)part->rest);
    }
    /* Removes entry i of `visited`; returns its vertex, or NONE. */
    __device__ weft_vid take(uint64_t i, bool hashed, wfi_fixed *shared) const {
        const weft_vid v = __ldcg(&visited[i]);
        if (v == NONE) return NONE;
        const uint64_t at = hashed ? i : v;
        *shared = {__ldcg(&common[at]), 0};
        if (sum) *shared = {__ldcg(&sum[at].whole), __ldcg(&sum[at].rest)};
        common[at] = 0;
        if (sum) sum[at] = {0, 0};
        if (hashed) visited[i] = NONE;
        return v;
    }
};

/* --- best vertices -------------------------------------------------------------------------------- */

/* The buffer of the best so far, in shared memory. */
struct best_so_far {
    double value[CAPACITY];
    weft_vid vertex[CAPACITY];
    unsigned filled;
    bool full; /* the maximum number of rows is reached; the worst of them is `worst` */
    double worst_value;
    weft_vid worst;

    __device__ bool before(unsigned i, unsigned j) const {
        return wfi_precedes(value[i], vertex[i], value[j], vertex[j]);
    }
    __device__ void exchange(unsigned i, unsigned j) {
        double x = value[i];
        weft_vid v = vertex[i];
        value[i] = value[j];
        vertex[i] = vertex[j];
        value[j] = x;
        vertex[j] = v;
    }
    __device__ bool wants(double x, weft_vid v) const { return !full || wfi_precedes(x, v, worst_value, worst); }
    /* Appends; returns the new length. */
    __device__ unsigned put(double x, weft_vid v) {
        unsigned at = atomicAdd(&filled, 1u);
        value[at] = x;
        vertex[at] = v;
        return at + 1;
    }
};

/* Sorts the buffer and cuts it to `most` entries, by all threads of the block (bitonic sort). */
template <int THREADS> __device__ void cut(best_so_far *b, unsigned most) {
    const unsigned filled = b->filled;
    unsigned places = 1;
    while (places < filled) places *= 2;
    for (unsigned i = filled + threadIdx.x; i < places; i += THREADS) {
        b->value[i] = -1; /* after all possible entries */
        b->vertex[i] = NONE;
    }
    __syncthreads();
    for (unsigned run = 2; run <= places; run *= 2)
        for (unsigned far = run / 2; far; far /= 2) {
            for (unsigned i = threadIdx.x; i < places; i += THREADS) {
                unsigned j = i ^ far;
                bool falls = (i & run) == 0;
                if (j > i && b->before(j, i) == falls) b->exchange(i, j);
            }
            __syncthreads();
        }
    if (threadIdx.x == 0) {
        b->filled = filled < most ? filled : most;
        b->full = filled >= most;
        b->worst_value = b->value[most - 1 < filled ? most - 1 : 0];
        b->worst = b->vertex[most - 1 < filled ? most - 1 : 0];
    }
    __syncthreads();
}

/* --- one vertex, by a block ------------------------------------------------------------------------ */

template <int THREADS> __device__ word sum_of_block(word mine) {
    __shared__ word all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    mine = wfi_warp_sum(mine);
    if (threadIdx.x % WFI_EACH_LANES == 0 && mine) atomicAdd(&all, mine);
    __syncthreads();
    word sum = all;
    __syncthreads();
    return sum;
}

template <int THREADS> __device__ word wedges_of(const rows &r, weft_vid u) {
    word wedges = 0;
    for (weft_eid e = r.offsets[u] + threadIdx.x; e < r.offsets[(size_t)u + 1]; e += THREADS) {
        uint64_t degree = r.degree(r.targets[e]);
        wedges += degree <= r.most ? degree - 1 : 0;
    }
    return sum_of_block<THREADS>(wedges);
}

/* Visits the wedges of u.  listed: see table. */
template <int THREADS>
__device__ void collect(const rows &r, const arrays &a, const table &t, weft_vid u, unsigned *listed) {
    const wfi_fixed *part = a.part;
    const weft_eid end = r.offsets[(size_t)u + 1];
    for (weft_eid base = r.offsets[u]; base < end; base += THREADS) {
        bool there = base + threadIdx.x < end;
        weft_vid w = there ? r.targets[base + threadIdx.x] : 0;
        there = there && r.counts(w);
        weft_eid from = there ? r.offsets[w] : 0, to = there ? r.offsets[(size_t)w + 1] : 0;
        wfi_expand_rows<THREADS>(r.targets, w, from, to, [=](weft_vid over, weft_vid v) {
            if (v != u) t.visit(v, part ? &part[over] : NULL, listed);
        });
    }
    __syncthreads();
}

/* Offers the vertices in the first `visited` slots of the table. */
template <int THREADS>
__device__ void choose(const rows &r, const arrays &a, const table &t, weft_vid u, uint64_t visited, bool hashed,
                       unsigned most, best_so_far *b) {
    for (uint64_t base = 0; base < visited; base += THREADS) {
        wfi_fixed shared = {0, 0};
        unsigned filled = 0;
        weft_vid v = base + threadIdx.x < visited ? t.take(base + threadIdx.x, hashed, &shared) : NONE;
        if (v != NONE) {
            double x = wfi_similarity_of(r.measure, shared, a.size[u], a.size[v]);
            if (b->wants(x, v) && !(r.unjoined && r.joins(u, v))) filled = b->put(x, v);
        }
        if (__syncthreads_or(filled > CAPACITY - THREADS)) cut<THREADS>(b, most);
    }
    cut<THREADS>(b, most);
}

/* Finds the rows of source number i, vertex u.  by_vertex: the table is not hashed. */
template <int THREADS>
__device__ void find_one(const rows &r, const arrays &a, uint64_t i, weft_vid u, const table &t, bool by_vertex) {
    __shared__ best_so_far best;
    __shared__ unsigned listed;
    const uint64_t at = a.at[i];
    if (threadIdx.x == 0) {
        best.filled = listed = 0;
        best.full = false;
    }
    __syncthreads();
    collect<THREADS>(r, a, t, u, by_vertex ? &listed : NULL);
    choose<THREADS>(r, a, t, u, by_vertex ? listed : (uint64_t)t.mask + 1, !by_vertex, (unsigned)(a.at[i + 1] - at),
                    &best);
    for (unsigned k = threadIdx.x; k < best.filled; k += THREADS) {
        a.target[at + k] = best.vertex[k];
        a.value[at + k] = best.value[k];
    }
    if (threadIdx.x == 0) a.found[i] = best.filled;
    __syncthreads();
}

/* The next value of a counter, for all threads of a block. */
__device__ uint64_t next_of(word *counter) {
    __shared__ word next;
    if (threadIdx.x == 0) next = atomicAdd(counter, (word)1);
    __syncthreads();
    uint64_t mine = next;
    __syncthreads();
    return mine;
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS) find_short(rows r, arrays a, uint64_t first, uint64_t end) {
    for (uint64_t i; (i = first + next_of(&a.count->next)) < end;) {
        weft_vid u = a.of ? a.of[i] : (weft_vid)i;
        if (a.at[i] == a.at[i + 1]) {
            if (threadIdx.x == 0) a.found[i] = 0;
            continue;
        }
        word wedges = wedges_of<THREADS>(r, u);
        if (a.longs && 2 * wedges > a.by_hash.places) {
            if (threadIdx.x == 0) a.longs[atomicAdd(&a.count->longs, (word)1)] = i;
            continue;
        }
        find_one<THREADS>(r, a, i, u, table(a.by_hash, wedges), false);
    }
}

template <int THREADS> __global__ void __launch_bounds__(THREADS) find_long(rows r, arrays a) {
    for (uint64_t k; (k = next_of(&a.count->next_long)) < a.count->longs;) {
        uint64_t i = a.longs[k];
        find_one<THREADS>(r, a, i, a.of ? a.of[i] : (weft_vid)i, table(a.by_vertex, 0), true);
    }
}

/* --- the run ---------------------------------------------------------------------------------------- */

weft_status clear(weft_ctx *ctx, const tables &t) {
    const size_t places = (size_t)t.places * t.blocks;
    weft_status st = wfi_device_fill(ctx, t.visited, 0xff, places * sizeof *t.visited);
    if (!st) st = wfi_zero(ctx, t.common, places);
    return !st && t.sum ? wfi_zero(ctx, t.sum, places) : st;
}

weft_status search_some(weft_ctx *ctx, const rows &r, const arrays &a, uint64_t first, uint64_t end) {
    weft_status st = wfi_zero(ctx, a.count, 1);
    if (st) return st;
    find_short<SHORT_THREADS><<<a.by_hash.blocks, SHORT_THREADS, 0, wfi_cuda_stream(ctx)>>>(r, a, first, end);
    if (a.longs) find_long<LONG_THREADS><<<a.by_vertex.blocks, LONG_THREADS, 0, wfi_cuda_stream(ctx)>>>(r, a);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* b->found: the wedges of each source, on the host. */
weft_status search_all(weft_ctx *ctx, const rows &r, const arrays &a, const wfi_similar_best *b) {
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = clear(ctx, a.by_hash);
    if (!st && a.longs) st = clear(ctx, a.by_vertex);
    for (uint64_t first = 0, end; first < b->count && !st; first = end) {
        uint64_t wedges = 0;
        for (end = first; end < b->count && wedges < BATCH_WEDGES; end++) wedges += b->found[end];
        wfi_progress(ctx, "finding similar vertices", first, b->count);
        st = search_some(ctx, r, a, first, end);
        if (!st) st = wfi_cuda_sync(ctx);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st;
}

weft_status find_best(weft_ctx *ctx, const rows &r, const arrays &a, const weft_similarity_params *p,
                      const wfi_similar_best *b) {
    const uint64_t count = b->at[b->count];
    weft_status st = p->of ? wfi_upload(ctx, a.of, p->of, b->count * sizeof *a.of) : WEFT_OK;
    if (!st) st = wfi_upload(ctx, a.at, b->at, (b->count + 1) * sizeof *a.at);
    if (!st) st = search_all(ctx, r, a, b);
    const wfi_copy all[] = {{b->found, a.found, b->count * sizeof *a.found, false},
                            {b->target, a.target, count * sizeof *a.target, false},
                            {b->value, a.value, count * sizeof *a.value, false}};
    return st ? st : wfi_download_all(ctx, all, 3);
}

struct value_pair {
    rows r;
    arrays a;
    uint64_t first;

    __device__ void operator()(uint64_t k, unsigned lane, unsigned lanes) const {
        const uint64_t i = first + k;
        weft_vid u = a.source[i], v = a.target[i], few = r.degree(u) > r.degree(v) ? v : u, many = few == u ? v : u;
        wfi_fixed common = {0, 0};
        weft_eid end = u == v ? 0 : r.offsets[(size_t)few + 1];
        for (weft_eid e = r.offsets[few] + lane; e < end; e += lanes) {
            weft_vid w = r.targets[e];
            if (!r.counts(w) || !r.joins(many, w)) continue;
            common.whole += a.part ? a.part[w].whole : 1;
            common.rest += a.part ? a.part[w].rest : 0;
        }
        common = {wfi_warp_sum(common.whole), wfi_warp_sum(common.rest)};
        if (lane == 0) a.value[i] = u == v ? 0 : wfi_similarity_of(r.measure, common, a.size[u], a.size[v]);
    }
};

weft_status find_pairs(weft_ctx *ctx, const rows &r, const arrays &a, const wfi_similar_edges *e) {
    const uint64_t count = e->rows.count;
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = wfi_upload(ctx, a.source, e->rows.source, count * sizeof *a.source);
    if (!st) st = wfi_upload(ctx, a.target, e->rows.target, count * sizeof *a.target);
    for (uint64_t first = 0; first < count && !st; first += BATCH_PAIRS) {
        wfi_progress(ctx, "comparing pairs", first, count);
        st = wfi_each_warp(ctx, wfi_min_u64(count - first, BATCH_PAIRS), value_pair{r, a, first});
        if (!st) st = wfi_cuda_sync(ctx);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st ? st : wfi_download(ctx, e->value, a.value, count * sizeof *a.value);
}

weft_status bring_rows(weft_ctx *ctx, const wfi_similar *s, const arrays &a) {
    const size_t n = s->g->n;
    weft_status st = s->own ? wfi_upload(ctx, a.offsets, s->offsets, (n + 1) * sizeof *a.offsets) : WEFT_OK;
    if (!st && s->own) st = wfi_upload(ctx, a.targets, s->targets, s->offsets[n] * sizeof *a.targets);
    if (!st) st = wfi_upload(ctx, a.size, s->size, n * sizeof *a.size);
    return !st && s->part ? wfi_upload(ctx, a.part, s->part, n * sizeof *a.part) : st;
}

weft_status find(wfi_job *job, wfi_similarity *of) {
    weft_ctx *ctx = job->ctx;
    const wfi_similar *s = &of->s;
    const bool best = wfi_similar_method(s->p) == WFI_SIMILAR_BEST;
    wfi_view mirrored = {};
    arrays a;
    weft_status st = s->g->n && !s->own ? wfi_mirror_out(ctx, s->g, &mirrored) : WEFT_OK;
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, of, &a);
    st = job->device->status;
    if (!st) st = bring_rows(ctx, s, a);
    if (st || !(best ? of->best.count : of->edges.rows.count)) return st;
    const rows r = {s->own ? a.offsets : mirrored.offsets, s->own ? a.targets : mirrored.targets, s->most,
                    s->p->measure, s->p->unjoined != 0};
    return best ? find_best(ctx, r, a, s->p, &of->best) : find_pairs(ctx, r, a, &of->edges);
}

} // namespace

extern "C" void wfi_similarity_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                         wfi_choice *choice) {
    const weft_similarity_params *p = (const weft_similarity_params *)params;
    if (wfi_similar_by_triangles(p)) {
        wfi_similarity_plan_triangles_cuda(g, choice);
        return;
    }
    wfi_similarity of;
    arrays a;
    wfi_similarity_plan(ctx, g, params, true, choice, &of);
    if (g->n && !of.s.own) wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS);
    lay_out(&choice->device, &of, &a);
}

extern "C" weft_status wfi_similarity_cuda(wfi_job *job) {
    return job->choice->method == WFI_SIMILAR_TRIANGLES ? wfi_similarity_triangles_cuda(job)
                                                        : wfi_similarity_run(job, true, find);
}
