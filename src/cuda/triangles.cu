/* Triangles in the oriented view, from their corner u of highest rank: pairs w < v in its row that are joined.
 * Method.  Rows of up to 32 entries: a lane for each, and every pair is looked up, in the bit matrix when v is a hub, else by
 * bisection in the row of v.  Longer rows: pairs of which v is a hub by whole rows of the matrix (hubs.cu).  For the others a warp marks
 * the row of u in shared memory and goes through the rows of all v in it that are no hubs, asking for each w whether it is marked.
 * Encoding: the lowest ranks have a bit of their own among the marks, and a counter that the warps of a block share until its work is done; all
 * other ranks share bits, and what such a bit says is confirmed in the row itself. */
#include "cuda/triangles.cuh"
#include "cuda/hubs.cuh"

namespace {

typedef unsigned long long count;

enum { THREADS = 256, WARP = 32, ROWS_AT_LEAST = 1 << 13, SHARED_BITS = 1 << 14 };
enum { SEGMENT = 256, SEGMENTS = 8 };

struct view {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *bits;
    weft_vid hubs;
    uint32_t words;
};

/* How a block of the kernel for long rows divides its shared memory. */
struct layout {
    unsigned threads;
    weft_vid own; /* ranks below have a bit and a counter of their own */
    __host__ __device__ unsigned mark_words() const { return (own + SHARED_BITS) / 32; }
    __host__ __device__ size_t bytes() const { return 4 * ((size_t)own + threads / WARP * mark_words()); }
};

__device__ unsigned sum_of_warp(unsigned x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, x);
#else
    for (int far = WARP / 2; far; far /= 2) x += __shfl_xor_sync(~0u, x, far);
    return x;
#endif
}

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

/* --- short rows: SIDE lanes each -------------------------------------------------------------- */

__device__ bool joined(const view &o, weft_vid v, weft_vid w, weft_eid begin, unsigned length) {
    if (v < o.hubs) return o.bits[(size_t)v * o.words + w / 32] >> w % 32 & 1;
    return holds(o.targets + begin, length, w);
}

template <int SIDE>
__global__ void __launch_bounds__(THREADS) count_short(view o, const weft_vid *rows, unsigned end, count *corners) {
    unsigned at = (unsigned)((blockIdx.x * (uint64_t)THREADS + threadIdx.x) / SIDE), lane = threadIdx.x % SIDE;
    unsigned group = SIDE == WARP ? ~0u : ((1u << SIDE % WARP) - 1) << (threadIdx.x % WARP - lane);
    weft_vid u = at < end ? rows[at] : 0, mine = 0;
    weft_eid begin = at < end ? o.offsets[u] : 0, mine_begin = 0;
    unsigned length = at < end ? (unsigned)(o.offsets[u + 1] - begin) : 0, met = 0, total = 0, mine_length = 0;
    if (lane < length) {
        mine = o.targets[begin + lane];
        mine_begin = o.offsets[mine];
        mine_length = (unsigned)(o.offsets[mine + 1] - mine_begin);
    }
    for (unsigned i = 1; __any_sync(~0u, i < length); i++) {
        weft_vid v = __shfl_sync(~0u, mine, (int)i, SIDE);
        weft_eid row = __shfl_sync(~0u, mine_begin, (int)i, SIDE);
        unsigned row_length = __shfl_sync(~0u, mine_length, (int)i, SIDE);
        bool hit = i < length && lane < i && joined(o, v, mine, row, row_length);
        unsigned with = (unsigned)__popc(__ballot_sync(~0u, hit) & group);
        met += hit + (lane == i ? with : 0);
        total += with;
    }
    if (met) atomicAdd(&corners[mine], (count)met);
    if (total && lane == 0) atomicAdd(&corners[u], (count)total);
}

/* --- long rows: a warp each, or several ------------------------------------------------------------ */

/* What a warp has at hand. */
struct desk {
    uint32_t *marks;
    unsigned *counted;
    weft_vid own;
    __device__ unsigned bit_of(weft_vid w) const { return w < own ? w : own + w % SHARED_BITS; }
};

/* The entries of the row of v that are marked. */
__device__ unsigned probe_row(const view &o, const desk &d, const weft_vid *row, unsigned length, weft_vid v, count *corners) {
    unsigned met = 0;
    weft_eid end = o.offsets[v + 1];
#pragma unroll 4
    for (weft_eid e = o.offsets[v] + threadIdx.x % WARP; e < end; e += WARP) {
        weft_vid w = o.targets[e];
        unsigned bit = d.bit_of(w);
        if (!(d.marks[bit / 32] >> bit % 32 & 1)) continue;
        if (w < d.own)
            atomicAdd(&d.counted[w], 1u);
        else if (holds(row, length, w))
            atomicAdd(&corners[w], (count)1);
        else
            continue;
        met++;
    }
    return sum_of_warp(met);
}

/* Entries from ... to-1 of the row of u as v. */
__device__ void count_segment(const view &o, const desk &d, weft_vid u, const weft_vid *row, unsigned length, unsigned from,
                              unsigned to, count *corners) {
    unsigned lane = threadIdx.x % WARP;
    for (unsigned i = lane; i < to; i += WARP) atomicOr(&d.marks[d.bit_of(row[i]) / 32], 1u << d.bit_of(row[i]) % 32);
    __syncwarp();
    count total = 0;
    for (unsigned i = from; i < to; i++) {
        weft_vid v = row[i];
        unsigned met = probe_row(o, d, row, length, v, corners);
        total += met;
        if (met && lane == 0) atomicAdd(&corners[v], (count)met);
    }
    if (total && lane == 0) atomicAdd(&corners[u], total);
    __syncwarp();
    for (unsigned i = lane; i < to; i += WARP) d.marks[d.bit_of(row[i]) / 32] = 0;
    __syncwarp();
}

/* Rows 0 ... end-1 of the list.  A counter of a block grows by at most the pairs of all of them, and those fit (rows_at_once). */
__global__ void __launch_bounds__(1024, 1) count_long(view o, layout shape, const weft_vid *rows, unsigned end, unsigned segment, count *corners) {
    extern __shared__ uint32_t shared[];
    unsigned warps = shape.threads / WARP, warp = threadIdx.x / WARP;
    desk d = {shared + shape.own + warp * shape.mark_words(), shared, shape.own};
    for (unsigned i = threadIdx.x; i < shape.bytes() / 4; i += shape.threads) shared[i] = 0;
    __syncthreads();
    for (uint64_t item = blockIdx.x * warps + warp; item < (uint64_t)end * SEGMENTS; item += gridDim.x * warps) {
        weft_vid u = rows[item / SEGMENTS];
        const weft_vid *row = o.targets + o.offsets[u];
        unsigned length = (unsigned)(o.offsets[u + 1] - o.offsets[u]);
        unsigned hubs = row[length - 1] < o.hubs ? length : place_in(row, length, o.hubs);
        unsigned from = hubs + (unsigned)(item % SEGMENTS) * segment;
        if (from < length) count_segment(o, d, u, row, length, from, min(length, from + segment), corners);
    }
    __syncthreads();
    for (weft_vid w = threadIdx.x; w < shape.own; w += shape.threads)
        if (shared[w]) atomicAdd(&corners[w], (count)shared[w]);
}

/* So many rows at a time that a request to stop is soon seen. */
unsigned rows_at_once(const wfi_oriented_rows *o) {
    uint64_t steps = (uint64_t)o->longest * o->longest + 1, rows = ((uint64_t)1 << 37) / steps;
    return (unsigned)wfi_min_u64(wfi_max_u64(rows, ROWS_AT_LEAST), o->many);
}

/* The most shared memory that helps, where there is so much. */
weft_status choose_layout(weft_ctx *ctx, layout *shape, unsigned *blocks) {
    const layout large = {1024, 1 << 14}, small = {256, 1 << 12};
    int sms = 0, room = 0, fit = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    WFI_CUDA(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    *shape = (size_t)room >= large.bytes() ? large : small;
    WFI_CUDA(cudaFuncSetAttribute(count_long, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape->bytes()));
    WFI_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, count_long, (int)shape->threads, shape->bytes()));
    *blocks = (unsigned)(sms * fit);
    return WEFT_OK;
}

weft_status count_all_long(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, const view &v, count *corners) {
    layout shape;
    unsigned blocks = 0, some = rows_at_once(o);
    unsigned segment = (unsigned)wfi_max_u64(SEGMENT, (o->longest + SEGMENTS - 1) / SEGMENTS);
    weft_status st = choose_layout(ctx, &shape, &blocks);
    for (unsigned done = 0; done < o->many && !st; done += some) {
        unsigned end = (unsigned)wfi_min_u64(o->many - done, some);
        st = wfi_hubs_count(ctx, o, h, done, done + end, corners);
        if (!st && h->hubs < o->n)
            count_long<<<wfi_grid((uint64_t)end * SEGMENTS, shape.threads / WARP, blocks), shape.threads, shape.bytes(),
                         wfi_cuda_stream()>>>(v, shape, o->rows.data + o->tiny + o->few + done, end, segment, corners);
        if (!st) st = wfi_cuda_sync(ctx);
        wfi_progress(ctx, "counting triangles", done + end, o->many);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st;
}

template <int SIDE> void count_all_short(const view &v, const weft_vid *rows, unsigned count_of, count *corners) {
    if (count_of)
        count_short<SIDE><<<(unsigned)(((uint64_t)count_of * SIDE + THREADS - 1) / THREADS), THREADS, 0, wfi_cuda_stream()>>>(
            v, rows, count_of, corners);
}

} // namespace

weft_status wfi_count_triangles_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, unsigned long long *corners) {
    wfi_hubs h;
    weft_status st = WEFT_OK;
    wfi_kernel_scope stage(ctx, "iterations");
    wfi_progress(ctx, "counting triangles", 0, o->many);
    WFI_CUDA(cudaMemsetAsync(corners, 0, o->n * sizeof *corners, wfi_cuda_stream()));
    if (o->many) st = wfi_hubs_make(ctx, o, &h); /* short rows alone do well without */
    if (st) return st;
    view v = {o->offsets.data, o->targets.data, h.bits.data, h.hubs, h.words};
    count_all_short<WFI_TINY_ROW>(v, o->rows.data, o->tiny, corners);
    count_all_short<WFI_FEW_ROW>(v, o->rows.data + o->tiny, o->few, corners);
    st = wfi_cuda_sync(ctx);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    return st || !o->many ? st : count_all_long(ctx, o, &h, v, corners);
}

uint64_t wfi_count_triangles_cuda_bytes(uint64_t n, uint64_t edges) { return wfi_hubs_bytes(n, edges); }
