/* Directed clustering sums over triangles, GPU.  Needs: the orientation with the arcs behind each edge, 1 or 2.
 * Method, by the length of the row of u.  Up to 32 entries: a warp; for each v in it the entries of the shorter of both
 * rows are looked up in the other by binary search.  Longer: a wedge check; a warp marks the row of u in shared memory,
 * reads the rows of all v in it, and tests for each w whether it is marked.  The sums of u and v are gathered in
 * registers; the sum of w is added at once, for the lowest ranks to counters in shared memory that the warps of a block
 * share.
 * Encoding: the lowest ranks have two bits, whether they are in the row and whether by arcs both ways; all others share
 * bits (a Bloom filter of one hash), and a hit is confirmed in the row itself. */
#include "algo/clustering/clustering.h"
#include "core/search.h"
#include "cuda/launch.cuh"
#include "cuda/warp.cuh"
#include "engines/triangles/triangles_cuda.cuh"

namespace {

typedef unsigned long long count;

enum { THREADS = 256, WARP = 32, ROWS_AT_ONCE = 1 << 16, AHEAD = 4, SHARED_MARKS = 1 << 14 };
#define NOBODY 0xffffffffu

struct view {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint8_t *arcs;
    bool fagiolo;
    count *sums; /* sums by rank */
};

/* The terms of a triangle at its corners, by the arcs on its sides. */
struct gain {
    unsigned u, v, w;
};

__device__ gain gain_of(bool fagiolo, unsigned uv, unsigned uw, unsigned vw) {
    unsigned product = uv * uw * vw;
    return fagiolo ? gain{product, product, product} : gain{vw, uw, uv};
}

/* --- short rows ------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS) add_short(view o, const weft_vid *rows, unsigned end, count *total) {
    unsigned lane = threadIdx.x % WARP;
    count triangles = 0;
    for (unsigned at = (blockIdx.x * THREADS + threadIdx.x) / WARP; at < end; at += gridDim.x * THREADS / WARP) {
        weft_vid u = rows[at];
        weft_eid begin = o.offsets[u], length = o.offsets[u + 1] - begin;
        count at_u = 0;
        for (weft_eid i = 1; i < length; i++) {
            weft_vid v = o.targets[begin + i];
            unsigned uv = o.arcs[begin + i];
            weft_eid other = o.offsets[v], other_length = o.offsets[v + 1] - other;
            bool mine = i <= other_length; /* only entries before v can be in its row */
            weft_eid walk = mine ? begin : other, steps = mine ? i : other_length;
            weft_eid look = mine ? other : begin, look_end = mine ? other + other_length : begin + i;
            count at_v = 0;
            for (weft_eid k = lane; k < steps; k += WARP) {
                weft_vid w = o.targets[walk + k];
                weft_eid place = wfi_place_of(o.targets, look, look_end, w);
                if (place == look_end) continue;
                unsigned here = o.arcs[walk + k], there = o.arcs[place];
                gain g = gain_of(o.fagiolo, uv, mine ? here : there, mine ? there : here);
                at_u += g.u;
                at_v += g.v;
                atomicAdd(&o.sums[w], (count)g.w);
                triangles++;
            }
            at_v = wfi_warp_sum(at_v);
            if (lane == 0 && at_v) atomicAdd(&o.sums[v], at_v);
        }
        at_u = wfi_warp_sum(at_u);
        if (lane == 0 && at_u) atomicAdd(&o.sums[u], at_u);
    }
    triangles = wfi_warp_sum(triangles);
    if (lane == 0 && triangles) atomicAdd(total, triangles);
}

/* --- long rows: a warp each, or several ------------------------------------------------------------ */

/* A block's division of its shared memory: a counter for each of the lowest ranks, then marks for each warp, two bits
 * for each of these ranks and SHARED_MARKS for all others. */
struct layout {
    unsigned threads;
    weft_vid own; /* ranks below this have marks and a counter of their own */
    __host__ __device__ unsigned mark_words() const { return (2 * own + SHARED_MARKS) / 32; }
    __host__ __device__ size_t bytes() const { return 4 * ((size_t)own + threads / 32 * mark_words()); }
};

/* The shared memory of a warp: marks of the lowest ranks, then their second bits, then the bits that the others
 * share. */
struct desk {
    uint32_t *marks;
    unsigned *counted;
    weft_vid own;
    __device__ unsigned bit_of(weft_vid w) const { return w < own ? w : 2 * own + w % SHARED_MARKS; }
    __device__ bool has(unsigned bit) const { return marks[bit / 32] >> bit % 32 & 1; }
    __device__ void set(unsigned bit) const { atomicOr(&marks[bit / 32], 1u << bit % 32); }
};

struct row_of {
    weft_vid u;
    weft_eid begin, end;
};

/* The results of rows: triangles met, and the sums of the corners u and v.  For v, 32 bits suffice in a lane, and for
 * one row of v. */
struct met {
    count triangles, u;
    unsigned v;
};

/* Tests w, with the arcs between v and w, and adds the triangle that it closes. */
__device__ void take(const view &o, const desk &d, const row_of &row, weft_vid w, unsigned uv, unsigned vw, met *m) {
    unsigned bit = d.bit_of(w), uw = 0;
    if (!d.has(bit)) return;
    if (w < d.own) {
        uw = 1 + d.has(d.own + w);
    } else {
        weft_eid place = wfi_place_of(o.targets, row.begin, row.end, w);
        if (place == row.end) return;
        uw = o.arcs[place];
    }
    gain g = gain_of(o.fagiolo, uv, uw, vw);
    m->triangles++;
    m->u += g.u;
    m->v += g.v;
    if (w < d.own)
        atomicAdd(&d.counted[w], g.w);
    else
        atomicAdd(&o.sums[w], (count)g.w);
}

/* The rows of up to 32 v; each lane has the begin and length of one, and the arcs between u and it. */
struct rows_of {
    weft_eid begin;
    unsigned length, arcs, rows;
};

/* Some entries of row j: AHEAD for each lane, from `e` on. */
struct batch {
    unsigned j, left; /* entries of the row from e on */
    weft_eid e;
    weft_vid w[AHEAD];
    unsigned vw[AHEAD];

    __device__ bool last() const { return left <= AHEAD * WARP; }

    __device__ void fetch(const view &o) {
        unsigned lane = threadIdx.x % WARP;
#pragma unroll
        for (unsigned k = 0; k < AHEAD; k++) {
            bool there = lane + k * WARP < left;
            w[k] = there ? o.targets[e + lane + k * WARP] : NOBODY;
            vw[k] = there ? o.arcs[e + lane + k * WARP] : 0;
        }
    }

    /* The next batch: of the rest of the row, or of the next row. */
    __device__ batch next(const rows_of &r) const {
        bool over = last();
        batch n;
        n.j = j + over;
        weft_eid other = __shfl_sync(~0u, r.begin, (int)(j + 1) % WARP);
        unsigned other_length = __shfl_sync(~0u, r.length, (int)(j + 1) % WARP);
        n.e = over ? other : e + AHEAD * WARP;
        n.left = over ? other_length : left - AHEAD * WARP;
        return n;
    }
};

/* Returns the sum of this lane's v; all->v is undefined afterwards.  The next batch is loaded while one is examined. */
__device__ count add_rows(const view &o, const desk &d, const row_of &row, const rows_of &r, met *all) {
    count mine = 0;
    batch now;
    now.j = 0;
    now.e = __shfl_sync(~0u, r.begin, 0);
    now.left = __shfl_sync(~0u, r.length, 0);
    now.fetch(o);
    all->v = 0;
    while (now.j < r.rows) {
        batch then = now.next(r);
        if (then.j < r.rows) then.fetch(o);
        unsigned uv = __shfl_sync(~0u, r.arcs, (int)now.j);
#pragma unroll
        for (unsigned k = 0; k < AHEAD; k++) {
            if (k * WARP >= now.left) break;
            if (now.w[k] != NOBODY) take(o, d, row, now.w[k], uv, now.vw[k], all);
        }
        if (now.last()) {
            count sum = wfi_warp_sum((count)all->v);
            if (threadIdx.x % WARP == now.j) mine = sum;
            all->v = 0;
        }
        now = then;
    }
    return mine;
}

/* Entries from ... to-1 of the row of u as v. */
__device__ count add_segment(const view &o, const desk &d, const row_of &row, weft_eid from, weft_eid to) {
    unsigned lane = threadIdx.x % WARP;
    for (weft_eid i = row.begin + lane; i < to; i += WARP) {
        weft_vid w = o.targets[i];
        d.set(d.bit_of(w));
        if (w < d.own && o.arcs[i] == 2) d.set(d.own + w);
    }
    __syncwarp();
    met all = {0, 0, 0};
    for (weft_eid i = from; i < to; i += WARP) {
        bool there = i + lane < to;
        weft_vid v = o.targets[there ? i + lane : i];
        rows_of r = {o.offsets[v], 0, o.arcs[there ? i + lane : i], (unsigned)min(to - i, (weft_eid)WARP)};
        if (there) r.length = (unsigned)(o.offsets[v + 1] - r.begin);
        count at_v = add_rows(o, d, row, r, &all);
        if (at_v) atomicAdd(&o.sums[v], at_v);
    }
    count at_u = wfi_warp_sum(all.u);
    if (at_u && lane == 0) atomicAdd(&o.sums[row.u], at_u);
    __syncwarp();
    for (weft_eid i = row.begin + lane; i < to; i += WARP) {
        weft_vid w = o.targets[i];
        d.marks[d.bit_of(w) / 32] = 0;
        if (w < d.own) d.marks[(d.own + w) / 32] = 0;
    }
    __syncwarp();
    return all.triangles;
}

/* The segments into which a long row is cut for several warps: entries of each, and their number. */
struct segments {
    unsigned length, count;
};

struct long_rows {
    const weft_vid *rows;
    unsigned end;
    segments cut;
};

/* A counter of a block grows by at most 8 for each pair of all rows, and all pairs fit (long_rows_at_once). */
__global__ void __launch_bounds__(768, 1) add_long(view o, layout shape, long_rows list, count *total) {
    extern __shared__ uint32_t shared[];
    unsigned warps = shape.threads / WARP, warp = threadIdx.x / WARP;
    desk d = {shared + shape.own + warp * shape.mark_words(), shared, shape.own};
    count triangles = 0;
    for (unsigned i = threadIdx.x; i < shape.bytes() / 4; i += shape.threads) shared[i] = 0;
    __syncthreads();
    for (uint64_t item = blockIdx.x * warps + warp; item < (uint64_t)list.end * list.cut.count;
         item += gridDim.x * warps) {
        weft_vid u = list.rows[item / list.cut.count];
        row_of row = {u, o.offsets[u], o.offsets[u + 1]};
        weft_eid from = row.begin + item % list.cut.count * list.cut.length;
        if (from < row.end) triangles += add_segment(o, d, row, from, min(row.end, from + list.cut.length));
    }
    triangles = wfi_warp_sum(triangles);
    if (triangles && threadIdx.x % WARP == 0) atomicAdd(total, triangles);
    __syncthreads();
    for (weft_vid w = threadIdx.x; w < shape.own; w += shape.threads)
        if (shared[w]) atomicAdd(&o.sums[w], (count)shared[w]);
}

segments cut_long_rows(const wfi_oriented_rows *o) {
    enum { SHORTEST = 512, MOST = 8 };
    unsigned length = (unsigned)wfi_max_u64(SHORTEST, (o->longest + MOST - 1) / MOST);
    return {length, (o->longest + length - 1) / length};
}

/* Few enough that a request to stop is soon seen: a row takes its length squared at most. */
unsigned long_rows_at_once(const wfi_oriented_rows *o) {
    enum { AT_LEAST = 1 << 9 };
    uint64_t rows = ((uint64_t)1 << 34) / ((uint64_t)o->longest * o->longest + 1);
    return (unsigned)wfi_min_u64(wfi_max_u64(rows, AT_LEAST), o->many);
}

/* The layout with the most useful shared memory that the GPU has, and the number of blocks that then run at once. */
weft_status choose_layout(weft_ctx *ctx, layout *shape, unsigned *blocks) {
    layout large = {768, 1 << 14}, small = {256, 1 << 11};
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    size_t available = 0;
    weft_status st = wfi_allow_shared_memory(ctx, (const void *)add_long, &available);
    if (st) return st;
    *shape = available >= large.bytes() ? large : small;
    WFI_CUDA_OR_RETURN(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, add_long, (int)shape->threads, shape->bytes()));
    *blocks = (unsigned)(sms * fit);
    return WEFT_OK;
}

/* After a batch; `done` of all rows. */
weft_status between(weft_ctx *ctx, unsigned done, unsigned all) {
    weft_status st = wfi_cuda_sync(ctx);
    wfi_progress(ctx, "counting triangles", done, all);
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

} // namespace

weft_status wfi_clustering_sums_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, bool fagiolo, unsigned long long *sums,
                                     unsigned long long *total) {
    view v = {o->offsets.data, o->targets.data, o->arcs.data, fagiolo, sums};
    unsigned few = o->tiny + o->few, all = few + o->many, blocks = 0, some;
    layout shape;
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = choose_layout(ctx, &shape, &blocks);
    for (unsigned done = 0; done < few && !st; done += some) {
        some = (unsigned)wfi_min_u64(few - done, ROWS_AT_ONCE);
        add_short<<<wfi_grid((uint64_t)some * WARP, THREADS, 1 << 16), THREADS, 0, wfi_cuda_stream(ctx)>>>(
            v, o->rows.data + done, some, total);
        st = between(ctx, done + some, all);
    }
    for (unsigned done = few; done < all && !st; done += some) {
        some = (unsigned)wfi_min_u64(all - done, long_rows_at_once(o));
        long_rows list = {o->rows.data + done, some, cut_long_rows(o)};
        add_long<<<wfi_grid((uint64_t)some * list.cut.count, shape.threads / WARP, blocks), shape.threads,
                   shape.bytes(), wfi_cuda_stream(ctx)>>>(v, shape, list, total);
        st = between(ctx, done + some, all);
    }
    return st;
}
