/* Triangles in the oriented view, from their corner u of highest rank: pairs w < v in its row that are joined.
 * Method.  Rows of up to 4 entries are a thread's, those of up to 32 a warp's: every pair is looked up, in the bit matrix when v is
 * a hub, else by bisection in the row of v.  Longer rows: pairs of which v is a hub by whole rows of the matrix (hubs.cu).  For the others a warp marks
 * the row of u in shared memory and goes through the rows of all v in it that are no hubs, asking for each w whether it is marked.
 * Encoding: the lowest ranks have a bit of their own among the marks, and a counter that the warps of a block share until its work is done; all
 * other ranks share bits, and what such a bit says is confirmed in the row itself. */
#include "cuda/warp.cuh"
#include "shared/triangles/hubs.cuh"
#include "shared/triangles/triangles_cuda.cuh"

namespace {

typedef unsigned long long count;

enum { THREADS = 256, WARP = 32, AHEAD = 4 };
#define NOBODY 0xffffffffu

struct view {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *bits;
    weft_vid hubs;
    uint32_t words;
};

typedef wfi_mark_layout<1> layout;

/* The first place whose entry is w or more. */
__device__ unsigned place_in(const weft_vid *row, unsigned length, weft_vid w) {
    unsigned low = 0, high = length;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (row[mid] < w)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

__device__ bool holds(const weft_vid *row, unsigned length, weft_vid w) {
    unsigned place = place_in(row, length, w);
    return place < length && row[place] == w;
}

/* --- short rows ---------------------------------------------------------------------------- */

__device__ bool joined(const view &o, weft_vid v, weft_vid w, weft_eid begin, unsigned length) {
    if (v < o.hubs) return o.bits[(size_t)v * o.words + w / 32] >> w % 32 & 1;
    return holds(o.targets + begin, length, w);
}

/* A thread for each row of up to WFI_TINY_ROW entries. */
__global__ void __launch_bounds__(THREADS) count_tiny(view o, const weft_vid *rows, unsigned end, count *corners) {
    unsigned at = blockIdx.x * THREADS + threadIdx.x, met[WFI_TINY_ROW] = {}, lengths[WFI_TINY_ROW], total = 0;
    if (at >= end) return;
    weft_vid u = rows[at], v[WFI_TINY_ROW];
    weft_eid begin = o.offsets[u], begins[WFI_TINY_ROW];
    unsigned length = (unsigned)(o.offsets[u + 1] - begin);
#pragma unroll
    for (unsigned i = 0; i < WFI_TINY_ROW; i++) {
        v[i] = i < length ? o.targets[begin + i] : 0;
        begins[i] = o.offsets[v[i]];
        lengths[i] = i < length ? (unsigned)(o.offsets[v[i] + 1] - begins[i]) : 0;
    }
#pragma unroll
    for (unsigned i = 1; i < WFI_TINY_ROW; i++)
#pragma unroll
        for (unsigned j = 0; j < i; j++) {
            unsigned hit = i < length && joined(o, v[i], v[j], begins[i], lengths[i]);
            met[i] += hit;
            met[j] += hit;
            total += hit;
        }
    if (!total) return;
#pragma unroll
    for (unsigned i = 0; i < WFI_TINY_ROW; i++)
        if (met[i]) atomicAdd(&corners[v[i]], (count)met[i]);
    atomicAdd(&corners[u], (count)total);
}

/* Pair p of 0-1, 0-2, 1-2, 0-3, ...: its higher place; that of the lower is what is left of p. */
__device__ unsigned higher_of(unsigned p, unsigned *lower) {
    unsigned i = (unsigned)((1 + sqrtf(1 + 8 * (float)p)) / 2); /* p is below 2^9: off by no more than one */
    if (i * (i - 1) / 2 > p) i--;
    *lower = p - i * (i - 1) / 2;
    return i;
}

/* A warp for each row of up to 32. */
__global__ void __launch_bounds__(THREADS) count_few(view o, const weft_vid *rows, unsigned end, count *corners) {
    __shared__ unsigned counted[THREADS];
    unsigned at = (unsigned)((blockIdx.x * (uint64_t)THREADS + threadIdx.x) / WARP), lane = threadIdx.x % WARP;
    unsigned *mine_counted = counted + (threadIdx.x - lane);
    if (at >= end) return;
    weft_vid u = rows[at], mine = 0;
    weft_eid begin = o.offsets[u], mine_begin = 0;
    unsigned length = (unsigned)(o.offsets[u + 1] - begin), pairs = length * (length - 1) / 2, total = 0,
             mine_length = 0;
    if (lane < length) {
        mine = o.targets[begin + lane];
        mine_begin = o.offsets[mine];
        mine_length = (unsigned)(o.offsets[mine + 1] - mine_begin);
    }
    counted[threadIdx.x] = 0;
    __syncwarp();
    for (unsigned p = lane; p - lane < pairs; p += WARP) {
        unsigned j = 0, i = p < pairs ? higher_of(p, &j) : 0;
        weft_vid v = __shfl_sync(~0u, mine, (int)i), w = __shfl_sync(~0u, mine, (int)j);
        weft_eid row = __shfl_sync(~0u, mine_begin, (int)i);
        unsigned row_length = __shfl_sync(~0u, mine_length, (int)i);
        bool hit = p < pairs && joined(o, v, w, row, row_length);
        if (hit) {
            atomicAdd(&mine_counted[i], 1u);
            atomicAdd(&mine_counted[j], 1u);
        }
        total += (unsigned)__popc(__ballot_sync(~0u, hit));
    }
    __syncwarp();
    if (counted[threadIdx.x]) atomicAdd(&corners[mine], (count)counted[threadIdx.x]);
    if (total && lane == 0) atomicAdd(&corners[u], (count)total);
}

/* --- long rows: a warp each, or several ------------------------------------------------------------ */

/* What a warp has at hand. */
struct desk {
    uint32_t *marks;
    unsigned *counted;
    weft_vid own;
    __device__ unsigned bit_of(weft_vid w) const { return w < own ? w : own + w % WFI_SHARED_MARKS; }
};

/* Is w in the row?  Then it is counted. */
__device__ bool take(const desk &d, const weft_vid *row, unsigned length, weft_vid w, count *corners) {
    unsigned bit = d.bit_of(w);
    if (!(d.marks[bit / 32] >> bit % 32 & 1)) return false;
    if (w < d.own)
        atomicAdd(&d.counted[w], 1u);
    else if (holds(row, length, w))
        atomicAdd(&corners[w], (count)1);
    else
        return false;
    return true;
}

/* Some entries of the row of the v that lane `j` has: AHEAD for each lane, from `e` on. */
struct batch {
    unsigned j, left; /* entries of the row from e on */
    weft_eid e;
    weft_vid w[AHEAD];

    __device__ bool last() const { return left <= AHEAD * WARP; }

    __device__ void fetch(const view &o) {
        unsigned lane = threadIdx.x % WARP;
        const weft_vid *from = o.targets + e + lane;
#pragma unroll
        for (unsigned k = 0; k < AHEAD; k++) w[k] = lane + k * WARP < left ? from[k * WARP] : NOBODY;
    }

    /* The one behind it: the rest of the row, or the next row. */
    __device__ batch next(weft_eid begin, unsigned length) const {
        bool over = last();
        batch n;
        n.j = j + over;
        weft_eid other = __shfl_sync(~0u, begin, (int)(j + 1) % WARP);
        unsigned other_length = __shfl_sync(~0u, length, (int)(j + 1) % WARP);
        n.e = over ? other : e + AHEAD * WARP;
        n.left = over ? other_length : left - AHEAD * WARP;
        return n;
    }
};

/* Up to 32 rows, a lane having the place of each: how many of its entries are marked.  While a batch is looked at, the next is on its way. */
__device__ unsigned probe_rows(const view &o, const desk &d, const weft_vid *row, unsigned length, weft_eid begin,
                               unsigned begin_length, unsigned rows, count *corners) {
    unsigned lane = threadIdx.x % WARP, met = 0, mine = 0;
    batch now;
    now.j = 0;
    now.e = __shfl_sync(~0u, begin, 0);
    now.left = __shfl_sync(~0u, begin_length, 0);
    now.fetch(o);
    while (now.j < rows) {
        batch then = now.next(begin, begin_length);
        if (then.j < rows) then.fetch(o);
#pragma unroll
        for (unsigned k = 0; k < AHEAD; k++) {
            if (k * WARP >= now.left) break;
            if (now.w[k] != NOBODY) met += take(d, row, length, now.w[k], corners);
        }
        if (now.last()) {
            unsigned sum = wfi_warp_sum(met);
            if (lane == now.j) mine = sum;
            met = 0;
        }
        now = then;
    }
    return mine;
}

/* Entries from ... to-1 of the row of u as v. */
__device__ void count_segment(const view &o, const desk &d, weft_vid u, const weft_vid *row, unsigned length,
                              unsigned from, unsigned to, count *corners) {
    unsigned lane = threadIdx.x % WARP;
    for (unsigned i = lane; i < to; i += WARP) atomicOr(&d.marks[d.bit_of(row[i]) / 32], 1u << d.bit_of(row[i]) % 32);
    __syncwarp();
    count total = 0;
    for (unsigned i = from; i < to; i += WARP) {
        unsigned left = min(to - i, (unsigned)WARP);
        weft_vid v = row[lane < left ? i + lane : i];
        weft_eid begin = o.offsets[v];
        unsigned v_length = lane < left ? (unsigned)(o.offsets[v + 1] - begin) : 0;
        unsigned met = probe_rows(o, d, row, length, begin, v_length, left, corners);
        total += met;
        if (met) atomicAdd(&corners[v], (count)met);
    }
    total = wfi_warp_sum(total);
    if (total && lane == 0) atomicAdd(&corners[u], total);
    __syncwarp();
    for (unsigned i = lane; i < to; i += WARP) d.marks[d.bit_of(row[i]) / 32] = 0;
    __syncwarp();
}

struct long_rows {
    const weft_vid *rows;
    const uint32_t *split; /* entries before are hubs: of no concern here */
    unsigned end;
    wfi_segments cut;
};

/* A counter of a block grows by at most the pairs of all rows, and those fit (wfi_long_rows_at_once). */
__global__ void __launch_bounds__(1024, 1) count_long(view o, layout shape, long_rows list, count *corners) {
    extern __shared__ uint32_t shared[];
    unsigned warps = shape.threads / WARP, warp = threadIdx.x / WARP;
    desk d = {shared + shape.own + warp * shape.mark_words(), shared, shape.own};
    for (unsigned i = threadIdx.x; i < shape.bytes() / 4; i += shape.threads) shared[i] = 0;
    __syncthreads();
    for (uint64_t item = blockIdx.x * warps + warp; item < (uint64_t)list.end * list.cut.count;
         item += gridDim.x * warps) {
        unsigned at = (unsigned)(item / list.cut.count);
        weft_vid u = list.rows[at];
        weft_eid begin = o.offsets[u];
        unsigned length = (unsigned)(o.offsets[u + 1] - begin);
        unsigned from = list.split[at] + (unsigned)(item % list.cut.count) * list.cut.length;
        if (from < length)
            count_segment(o, d, u, o.targets + begin, length, from, min(length, from + list.cut.length), corners);
    }
    __syncthreads();
    for (weft_vid w = threadIdx.x; w < shape.own; w += shape.threads)
        if (shared[w]) atomicAdd(&corners[w], (count)shared[w]);
}

weft_status count_all_long(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, const view &v,
                           count *corners) {
    layout shape;
    unsigned blocks = 0, some = wfi_long_rows_at_once(o, (uint64_t)1 << 37);
    long_rows list = {NULL, NULL, 0, wfi_cut_long_rows(o)};
    weft_status st = wfi_choose_layout(ctx, (const void *)count_long, {1024, 1 << 14}, {256, 1 << 12}, &shape, &blocks);
    for (unsigned done = 0; done < o->many && !st; done += some) {
        list.end = (unsigned)wfi_min_u64(o->many - done, some);
        list.rows = o->rows.data + o->tiny + o->few + done;
        list.split = h->split + done;
        st = wfi_hubs_count(ctx, o, h, done, done + list.end, corners);
        if (!st && h->hubs < o->n)
            count_long<<<wfi_grid((uint64_t)list.end * list.cut.count, shape.threads / WARP, blocks), shape.threads,
                         shape.bytes(), wfi_cuda_stream(ctx)>>>(v, shape, list, corners);
        if (!st) st = wfi_cuda_sync(ctx);
        wfi_progress(ctx, "counting triangles", done + list.end, o->many);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st;
}

void count_all_short(const weft_ctx *ctx, const wfi_oriented_rows *o, const view &v, count *corners) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    if (o->tiny) count_tiny<<<wfi_grid(o->tiny, THREADS, ~0u), THREADS, 0, stream>>>(v, o->rows.data, o->tiny, corners);
    if (o->few)
        count_few<<<wfi_grid((uint64_t)o->few * WARP, THREADS, ~0u), THREADS, 0, stream>>>(v, o->rows.data + o->tiny,
                                                                                           o->few, corners);
}

} // namespace

weft_status wfi_count_triangles_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_hubs *h,
                                     unsigned long long *corners) {
    weft_status st = WEFT_OK;
    wfi_kernel_scope stage(ctx, "iterations");
    wfi_progress(ctx, "counting triangles", 0, o->many);
    WFI_CUDA(cudaMemsetAsync(corners, 0, o->n * sizeof *corners, wfi_cuda_stream(ctx)));
    if (o->many) st = wfi_hubs_make(ctx, o, h);
    if (st) return st;
    view v = {o->offsets.data, o->targets.data, h->bits, h->hubs, h->words};
    count_all_short(ctx, o, v, corners);
    st = wfi_cuda_sync(ctx);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    return st || !o->many ? st : count_all_long(ctx, o, h, v, corners);
}

/* --- long rows, for all who mark them ------------------------------------------------------------------ */

unsigned wfi_long_rows_at_once(const wfi_oriented_rows *o, uint64_t steps) {
    enum { AT_LEAST = 1 << 9 };
    uint64_t rows = steps / ((uint64_t)o->longest * o->longest + 1);
    return (unsigned)wfi_min_u64(wfi_max_u64(rows, AT_LEAST), o->many);
}

wfi_segments wfi_cut_long_rows(const wfi_oriented_rows *o) {
    enum { SHORTEST = 512, MOST = 8 };
    unsigned length = (unsigned)wfi_max_u64(SHORTEST, (o->longest + MOST - 1) / MOST);
    return {length, (o->longest + length - 1) / length};
}
