/* mst, GPU: Boruvka's algorithm as on CPU cores (mst_cpu.c), light edges first [1].
 * Method: one kernel lists the wanted edges among all arcs; a cooperative kernel makes all rounds, with two barriers of
 * the grid each.  In a round a block compacts its chunks of the list in place and offers each edge by an atomic
 * minimum; then the edges that are a minimum are taken, and their trees joined.  The order of the list does not matter:
 * keys are unique, and so is the forest.  At the end the bits of the taken arcs become rows.
 * [1] Fallin, Gonzalez, Seo, Burtscher, "A High-Performance MST Implementation for GPUs", SC 2023. */
#include "algo/mst/mst.h"
#include "cuda/cub.cuh"
#include "cuda/launch.cuh"
#include "cuda/mirror.cuh"
#include "cuda/warp.cuh"
#include "engines/union_find/forest.cuh"
#include "weft/mst.h"

#include <cooperative_groups.h>
#include <cub/block/block_scan.cuh>
#include <stdio.h>

namespace {

/* PIECE: arcs, or edges of the list, of a block.  With more than MANY edges a launch makes one round only, so that a
 * request to stop is noticed in time. */
enum { THREADS = 256, EACH = 4, PIECE = THREADS * EACH, ROUNDS = 64, BITS = 32 };
const uint64_t MANY = (uint64_t)1 << 27;

typedef unsigned long long word;

__host__ __device__ uint64_t pieces_of(uint64_t things) { return (things + PIECE - 1) / PIECE; }

struct edge {
    weft_vid u, v; /* roots in the last round */
    word key;
};

struct notes {
    word edges;      /* length of the list */
    word offered[2]; /* edges offered in this round and in the next */
};

struct work {
    wfi_view out;
    weft_vid n;
    weft_eid arcs;
    bool directed, maximum, packed, light;
    wfi_mst_place last;
    weft_vid *parent;
    word *first[2], *order[2]; /* by root: key of its smallest edge; order of its weight, if keys lack it */
    uint32_t *taken;           /* a bit for each arc */
    edge *list;
    uint32_t *left; /* number of edges in each chunk of the list */
    weft_vid *row;  /* row of the first arc of each chunk; a last entry for the last row */
    notes *p;
};

/* --- the list ------------------------------------------------------------------------------- */

__device__ word order_of(const work &w, weft_eid arc) {
    return wfi_mst_order(w.out.type, w.out.weights, arc, w.maximum);
}

/* Targets or 32-bit weights of a thread's EACH consecutive arcs, in one load; the first index is a multiple of EACH. */
struct alignas(16) words {
    uint32_t at[EACH];
};

__device__ words fetch(const void *from, weft_eid e, weft_eid end) {
    const uint32_t *first = (const uint32_t *)from + e;
    words w = {};
    if (e + EACH <= end) return *(const words *)first;
    for (unsigned k = 0; k < EACH; k++)
        if (e + k < end) w.at[k] = first[k];
    return w;
}

struct larger {
    __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};

struct row_at {
    wfi_view out;
    weft_vid n;
    weft_eid arcs;
    weft_vid *row;

    __device__ void operator()(uint64_t p) const {
        weft_vid low = 0, high = n - 1;
        weft_eid e = p * PIECE < arcs ? p * PIECE : arcs - 1;
        WFI_BISECT(low, high, middle, out.offsets[(size_t)middle + 1] <= e);
        row[p] = low;
    }
};

/* The rows of this thread's arcs, relative to the row of the chunk's first arc.  The first arc of a row is marked with
 * its row; a running maximum of marks gives the row of every arc. */
__device__ void find_rows(const work &w, uint64_t p, uint32_t (&row)[EACH]) {
    typedef cub::BlockScan<uint32_t, THREADS> scan;
    __shared__ typename scan::TempStorage scratch;
    __shared__ uint32_t mark[PIECE];
    weft_eid piece = p * PIECE;
    weft_vid low = w.row[p], high = w.row[p + 1];
    for (unsigned i = threadIdx.x; i < PIECE; i += THREADS) mark[i] = 0;
    __syncthreads();
    for (uint64_t r = (uint64_t)low + 1 + threadIdx.x; r <= high; r += THREADS) {
        weft_eid at = w.out.offsets[r] - piece;
        if (at < PIECE) atomicMax(&mark[at], (uint32_t)(r - low));
    }
    __syncthreads();
    uint32_t most = 0, before;
    for (unsigned k = 0; k < EACH; k++) row[k] = most = larger()(most, mark[threadIdx.x * EACH + k]);
    scan(scratch).ExclusiveScan(most, before, 0u, larger());
    for (unsigned k = 0; k < EACH; k++) row[k] = larger()(row[k], before);
}

/* Reserves `mine` elements for this thread by one addition to *from for the whole block; returns the thread's begin. */
__device__ word reserve(word *from, uint32_t mine) {
    typedef cub::BlockScan<uint32_t, THREADS> scan;
    __shared__ typename scan::TempStorage scratch;
    __shared__ word base;
    uint32_t before, all;
    scan(scratch).ExclusiveSum(mine, before, all);
    if (threadIdx.x == 0 && all) base = atomicAdd(from, (word)all);
    __syncthreads();
    return base + before;
}

/* Does arc e from u to v enter the list?  After the light edges every vertex is a child of its root. */
__device__ bool wanted(const work &w, weft_vid u, weft_vid v, weft_eid e, word order) {
    if (w.directed ? v == u : v <= u) return false;
    bool light = wfi_mst_light(w.last, order, e);
    return w.light ? light : !light && w.parent[u] != w.parent[v];
}

__global__ void __launch_bounds__(THREADS, 6) list_edges(work w) {
    uint64_t pieces = pieces_of(w.arcs);
    bool narrow = w.out.type == WEFT_WEIGHT_U32 || w.out.type == WEFT_WEIGHT_F32;
    for (uint64_t p = blockIdx.x; p < pieces; p += gridDim.x) {
        weft_eid piece = p * PIECE, end = piece + PIECE < w.arcs ? piece + PIECE : w.arcs;
        weft_eid first = piece + threadIdx.x * EACH;
        words to = fetch(w.out.targets, first, end), weight = {};
        if (narrow) weight = fetch(w.out.weights, first, end);
        weft_vid low = w.row[p];
        uint32_t row[EACH], mine = 0;
        word order[EACH];
        bool take[EACH];
        find_rows(w, p, row);
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            bool there = first + k < end;
            order[k] = narrow ? wfi_mst_order(w.out.type, weight.at, k, w.maximum) : there ? order_of(w, first + k) : 0;
            take[k] = there && wanted(w, low + row[k], to.at[k], first + k, order[k]);
            mine += take[k];
        }
        word at = reserve(&w.p->edges, mine);
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            weft_eid e = first + k;
            if (take[k]) w.list[at++] = edge{low + row[k], to.at[k], w.packed ? order[k] << 32 | e : (word)e};
        }
        __syncthreads();
    }
}

struct fill_pieces {
    work w;

    __device__ void operator()(uint64_t p) const {
        word edges = w.p->edges, begin = p * PIECE;
        w.left[p] = (uint32_t)(edges <= begin ? 0 : edges - begin < PIECE ? edges - begin : PIECE);
    }
};

/* --- rounds --------------------------------------------------------------------------------- */

/* Atomic minimum at place[root]; called by all lanes.  Most values are too large: a read that bypasses the L1 cache
 * saves the atomic.  Of several lanes with the same root, as for a large tree, one lane acts for all. */
__device__ void lower(word *place, weft_vid root, word value, bool wants) {
    wants = wants && value < __ldcg(&place[root]);
    unsigned left = __ballot_sync(~0u, wants);
    if (!left) return;
    int leader = __ffs((int)left) - 1;
    weft_vid led = __shfl_sync(~0u, root, leader); /* executed by all lanes; && would leave some out */
    bool same = wants && root == led;
    unsigned group = __ballot_sync(~0u, same);
    if (group & (group - 1)) {
        word least = wfi_warp_min(same ? value : (word)UINT64_MAX);
        wants = wants && (!same || (int)(threadIdx.x % 32) == leader);
        if (same) value = least;
    }
    if (wants) atomicMin(&place[root], value);
}

/* Replaces ends by roots, removes edges within a tree, and offers the others as minima of their trees. */
__device__ unsigned offer(const work &w, uint64_t p, unsigned turn) {
    typedef cub::BlockScan<uint32_t, THREADS> scan;
    __shared__ typename scan::TempStorage scratch;
    uint32_t have = w.left[p], kept = 0, before, all;
    edge *list = w.list + p * PIECE, mine[EACH];
    word **place = const_cast<word **>(w.packed ? w.first : w.order);
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        unsigned i = k * THREADS + threadIdx.x;
        mine[k].u = mine[k].v = 0;
        if (i < have) mine[k] = list[i];
    }
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        word by = 0;
        if (mine[k].u != mine[k].v) {
            mine[k].u = wfi_root_of(w.parent, mine[k].u);
            mine[k].v = wfi_root_of(w.parent, mine[k].v);
            by = w.packed ? mine[k].key : order_of(w, mine[k].key);
        }
        bool wants = mine[k].u != mine[k].v;
        lower(place[turn], mine[k].u, by, wants);
        lower(place[turn], mine[k].v, by, wants);
        kept += wants;
    }
    scan(scratch).ExclusiveSum(kept, before, all); /* after this barrier all threads have read the chunk */
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        if (mine[k].u != mine[k].v) list[before++] = mine[k];
    if (threadIdx.x == 0) w.left[p] = all;
    return all;
}

/* Keys without weight: the smallest arc among the edges of smallest weight. */
__device__ void offer_first(const work &w, uint64_t p, unsigned turn) {
    const edge *list = w.list + p * PIECE;
    uint32_t have = w.left[p];
    for (uint32_t base = 0; base < have; base += THREADS) {
        bool there = base + threadIdx.x < have;
        edge e = there ? list[base + threadIdx.x] : edge{0, 0, 0};
        word order = there ? order_of(w, e.key) : 0;
        lower(w.first[turn], e.u, e.key, there && order == w.order[turn][e.u]);
        lower(w.first[turn], e.v, e.key, there && order == w.order[turn][e.v]);
    }
}

__device__ void clear(const work &w, unsigned turn, weft_vid root) {
    w.first[turn][root] = UINT64_MAX;
    if (!w.packed) w.order[turn][root] = UINT64_MAX;
}

__device__ void join(const work &w, uint64_t p, unsigned turn) {
    const edge *list = w.list + p * PIECE;
    for (uint32_t i = threadIdx.x, have = w.left[p]; i < have; i += THREADS) {
        edge e = list[i];
        bool of_u = w.first[turn][e.u] == e.key, of_v = w.first[turn][e.v] == e.key;
        if (of_u) clear(w, !turn, e.u); /* only for the one edge that is the minimum there */
        if (of_v) clear(w, !turn, e.v);
        if (!of_u && !of_v) continue;
        weft_eid arc = w.packed ? (uint32_t)e.key : e.key;
        atomicOr(&w.taken[arc / BITS], 1u << (arc % BITS));
        wfi_join(w.parent, e.u, e.v);
    }
}

/* Cooperative.  Rounds `round` to end - 1, or until no edge is offered. */
__global__ void __launch_bounds__(THREADS, 5) make_rounds(work w, unsigned round, unsigned end) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    uint64_t pieces = pieces_of(w.p->edges);
    for (; round < end; round++) {
        unsigned turn = round % 2, offered = 0;
        for (uint64_t p = blockIdx.x; p < pieces; p += gridDim.x)
            if (w.left[p]) offered += offer(w, p, turn);
        if (threadIdx.x == 0 && offered) atomicAdd(&w.p->offered[turn], (word)offered);
        grid.sync();
        if (!__ldcg(&w.p->offered[turn])) return;
        if (!w.packed) {
            for (uint64_t p = blockIdx.x; p < pieces; p += gridDim.x) offer_first(w, p, turn);
            grid.sync();
        }
        if (grid.thread_rank() == 0) w.p->offered[!turn] = 0;
        for (uint64_t p = blockIdx.x; p < pieces; p += gridDim.x) join(w, p, turn);
        grid.sync();
    }
}

/* Clears the minima: before the first round, and between the light edges and the others. */
struct begin_at {
    work w;
    bool alone;

    __device__ void operator()(uint64_t v) const {
        if (alone)
            w.parent[v] = (weft_vid)v;
        else
            wfi_compress_path(w.parent, (weft_vid)v);
        clear(w, 0, (weft_vid)v);
        clear(w, 1, (weft_vid)v);
    }
};

weft_status launch_rounds(weft_ctx *ctx, const work *w, unsigned round, unsigned end) {
    int fit = 0;
    work copy = *w;
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, make_rounds, THREADS, 0));
    void *args[] = {&copy, &round, &end};
    unsigned blocks = wfi_grid(w->arcs, PIECE, (unsigned)(wfi_gpu_of(ctx)->sms * fit));
    WFI_CUDA_OR_RETURN(
        cudaLaunchCooperativeKernel((void *)make_rounds, dim3(blocks), dim3(THREADS), args, 0, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* Rounds, one per launch, for a graph of more than MANY edges. */
weft_status make_long_rounds(weft_ctx *ctx, const work *w) {
    notes now;
    unsigned round = 0;
    weft_status st;
    do {
        st = launch_rounds(ctx, w, round, round + 1);
        if (!st) st = wfi_download(ctx, &now, w->p, sizeof now);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    } while (!st && now.offered[round++ % 2]);
    return st;
}

/* Rounds over the edges that w selects, until no edge connects two trees. */
weft_status join_by_edges(weft_ctx *ctx, const weft_graph *g, const work *w) {
    unsigned blocks = wfi_grid(w->arcs, PIECE, 1 << 20);
    weft_status st = wfi_zero(ctx, w->p, 1);
    if (!st) st = wfi_each(ctx, w->n, begin_at{*w, w->light});
    if (st) return st;
    list_edges<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(*w);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_each(ctx, pieces_of(g->edges), fill_pieces{*w});
    if (st) return st;
    return g->edges > MANY ? make_long_rounds(ctx, w) : launch_rounds(ctx, w, 0, ROUNDS);
}

/* --- rows ----------------------------------------------------------------------------------- */

struct forest_rows {
    uint32_t *before; /* number of taken edges before each word of `taken` */
    char *scratch;
    weft_vid *source, *target;
    double *weight;
};

struct count_bits {
    const uint32_t *taken;
    uint64_t words;
    uint32_t *count;

    __device__ void operator()(uint64_t i) const { count[i] = i < words ? (uint32_t)__popc(taken[i]) : 0; }
};

/* Lists the taken arcs, half a word for each thread.  Rows of neighbouring arcs are close: the search for the next row
 * goes on from the last in growing steps. */
struct list_taken {
    enum { PARTS = 2, PART = BITS / PARTS };
    wfi_view out;
    const weft_vid *row;
    const uint32_t *taken;
    forest_rows to;

    __device__ void operator()(uint64_t p) const {
        uint64_t word = p / PARTS;
        unsigned from = (unsigned)(p % PARTS) * PART;
        uint32_t all = taken[word], bits = all >> from & ((1u << PART) - 1);
        if (!bits) return;
        uint32_t at = to.before[word] + (uint32_t)__popc(all & ((1u << from) - 1));
        uint64_t piece = word * BITS / PIECE;
        weft_vid low = row[piece], high = row[piece + 1], last = high;
        for (; bits; bits &= bits - 1, at++) {
            weft_eid e = word * BITS + from + (unsigned)__ffs((int)bits) - 1;
            WFI_BISECT(low, high, middle, out.offsets[(size_t)middle + 1] <= e);
            to.source[at] = low;
            to.target[at] = out.targets[e];
            to.weight[at] = wfi_weight_at(out.type, out.weights, e);
            for (uint32_t far = 1; high < last && out.offsets[(size_t)high + 1] <= e + PART; far *= 2)
                high = last - high < far ? last : high + far;
        }
    }
};

uint64_t words_of(weft_eid arcs) { return (arcs + BITS - 1) / BITS; }

void lay_out(wfi_workspace *device, const weft_graph *g, work *w, forest_rows *r) {
    w->n = g->n;
    w->arcs = g->arcs;
    w->directed = g->directed;
    w->packed = wfi_mst_packed(g);
    wfi_array(device, &w->parent, g->n);
    wfi_array(device, &w->taken, words_of(g->arcs));
    wfi_array(device, &w->p, 1);
    wfi_array(device, &w->row, pieces_of(g->arcs) + 1);
    uint64_t searching = wfi_mark(device);
    for (int i = 0; i < 2; i++) wfi_array(device, &w->first[i], g->n);
    for (int i = 0; i < 2; i++) wfi_array(device, &w->order[i], w->packed ? 0 : g->n);
    wfi_array(device, &w->left, pieces_of(g->edges));
    wfi_array_within(device, &w->list, g->edges);
    wfi_rewind(device, searching);
    wfi_array(device, &r->before, words_of(g->arcs) + 1);
    wfi_array_within(device, &r->scratch, wfi_cub_scan_bytes(words_of(g->arcs) + 1));
    wfi_array_within(device, &r->source, g->n);
    wfi_array_within(device, &r->target, g->n);
    wfi_array_within(device, &r->weight, g->n);
}

weft_status place_rows(weft_ctx *ctx, const work *w, const forest_rows *r) {
    uint64_t words = words_of(w->arcs);
    size_t bytes = (size_t)wfi_cub_scan_bytes(words + 1);
    weft_status st = wfi_each(ctx, words + 1, count_bits{w->taken, words, r->before});
    if (st) return st;
    WFI_CUDA_OR_RETURN(cub::DeviceScan::ExclusiveSum(r->scratch, bytes, r->before, r->before, (int64_t)words + 1,
                                                     wfi_cuda_stream(ctx)));
    return wfi_each(ctx, words * list_taken::PARTS, list_taken{w->out, w->row, w->taken, *r});
}

weft_status tell(wfi_job *job, const forest_rows *r, uint64_t count) {
    weft_ctx *ctx = job->ctx;
    wfi_mst_rows to;
    weft_status st = wfi_mst_rows_grow(job->space, count, &to);
    wfi_copy column[] = {{to.source, r->source, count * sizeof *r->source},
                         {to.target, r->target, count * sizeof *r->target},
                         {to.weight, r->weight, count * sizeof *r->weight}};
    if (!st) st = wfi_download_all(ctx, column, WFI_LENGTH(column));
    return st ? st : wfi_mst_end(job, &to, count);
}

} // namespace

extern "C" weft_status wfi_mst_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    work w = {};
    forest_rows r = {};
    uint32_t count = 0;
    if (!g->edges) {
        wfi_mst_rows none;
        weft_status st = wfi_mst_rows_grow(job->space, 0, &none);
        return st ? st : wfi_mst_end(job, &none, 0);
    }
    weft_status st = wfi_mirror_out(ctx, g, &w.out);
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, &w, &r);
    if (!st) st = job->device->status;
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (st) return st;
    w.maximum = ((const weft_mst_params *)job->params)->maximum;
    w.last = *WFI_DECIDED(wfi_mst_place, job->choice);
    w.light = true;
    {
        wfi_kernel_scope stage(ctx, "iterations");
        st = wfi_zero(ctx, w.taken, words_of(g->arcs));
        if (!st) st = wfi_each(ctx, pieces_of(g->arcs) + 1, row_at{w.out, w.n, w.arcs, w.row});
        if (!st) st = join_by_edges(ctx, g, &w);
        w.light = false;
        if (!st && w.last.order != UINT64_MAX) st = join_by_edges(ctx, g, &w);
        if (!st) st = place_rows(ctx, &w, &r);
    }
    if (!st) st = wfi_download(ctx, &count, r.before + words_of(g->arcs), sizeof count);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    return st ? st : tell(job, &r, count);
}

extern "C" void wfi_mst_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    work w = {};
    forest_rows r = {};
    (void)ctx;
    wfi_mst_describe_plan(g, params, choice);
    wfi_mst_rows_lay_out(&choice->space, g);
    if (!g->edges) return;
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS);
    lay_out(&choice->device, g, &w, &r);
}
