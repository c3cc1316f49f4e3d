/* Triangles by the forward algorithm on the degree-ordered orientation, GPU: for each vertex u the joined pairs w < v
 * of its row.
 * Method, by the length of the row.  Up to 4 entries: a thread; up to 32: a warp; every pair is looked up, in the bit
 * matrix if v is a hub, else by binary search in the row of v.  Longer rows: pairs in which v is a hub by and-ing rows
 * of the matrix (hubs.cu), the others by a wedge check, together for all rows that contain the same v (middle.cu).
 * Latapy, "Main-memory Triangle Computations for Very Large (Sparse (Power-Law)) Graphs", TCS 407, 2008. */
#include "cuda/warp.cuh"
#include "engines/triangles/triangles_cuda.cuh"

namespace {

typedef unsigned long long count;

enum { THREADS = 256, WARP = 32 };

struct view {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *bits;
    weft_vid hubs;
    uint32_t words;
};

__device__ bool holds(const weft_vid *row, unsigned length, weft_vid w) {
    unsigned low = 0, high = length;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (row[mid] < w)
            low = mid + 1;
        else
            high = mid;
    }
    return low < length && row[low] == w;
}

/* --- short rows ---------------------------------------------------------------------------- */

__device__ bool joined(const view &o, weft_vid v, weft_vid w, weft_eid begin, unsigned length) {
    if (v < o.hubs) return o.bits[(size_t)v * o.words + w / 32] >> w % 32 & 1;
    return holds(o.targets + begin, length, w);
}

/* A thread for each row of up to WFI_TINY_ROW entries. */
__global__ void __launch_bounds__(THREADS) count_tiny(view o, const weft_vid *rows, unsigned end, count *triangles_at) {
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
        if (met[i]) atomicAdd(&triangles_at[v[i]], (count)met[i]);
    atomicAdd(&triangles_at[u], (count)total);
}

/* The higher place of pair p in the order 0-1, 0-2, 1-2, 0-3, ...; *lower = the lower place. */
__device__ unsigned higher_of(unsigned p, unsigned *lower) {
    unsigned i = (unsigned)((1 + sqrtf(1 + 8 * (float)p)) / 2); /* p is below 2^9: off by no more than one */
    if (i * (i - 1) / 2 > p) i--;
    *lower = p - i * (i - 1) / 2;
    return i;
}

/* A warp for each row of up to 32. */
__global__ void __launch_bounds__(THREADS) count_few(view o, const weft_vid *rows, unsigned end, count *triangles_at) {
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
    if (counted[threadIdx.x]) atomicAdd(&triangles_at[mine], (count)counted[threadIdx.x]);
    if (total && lane == 0) atomicAdd(&triangles_at[u], (count)total);
}

/* --- all rows -------------------------------------------------------------------------------- */

/* Rows at a time: few enough, by their mean length, that a request to stop is soon seen, and that a 32-bit counter
 * suffices for all their entries. */
unsigned rows_at_once(const wfi_oriented_rows *o, const wfi_hubs *h) {
    uint64_t launches = o->edges * (h->words / WFI_SHARE_WORDS) / ((uint64_t)1 << 29) + 1;
    return (unsigned)wfi_min_u64(o->many / launches + 1, UINT32_MAX / o->longest);
}

weft_status count_all_long(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_triangles_space *s,
                           count *triangles_at) {
    unsigned some = rows_at_once(o, &s->hubs);
    weft_status st = WEFT_OK;
    for (uint64_t done = 0; done < o->many && !st; done += some) {
        unsigned end = (unsigned)wfi_min_u64(o->many, done + some);
        st = wfi_hubs_count(ctx, o, &s->hubs, (unsigned)done, end, triangles_at);
        if (!st) st = wfi_cuda_sync(ctx);
        wfi_progress(ctx, "counting triangles", end, o->many);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st || s->hubs.hubs == o->n ? st : wfi_middles_count(ctx, o, &s->hubs, &s->middles, triangles_at);
}

void count_all_short(const weft_ctx *ctx, const wfi_oriented_rows *o, const view &v, count *triangles_at) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    if (o->tiny)
        count_tiny<<<wfi_grid(o->tiny, THREADS, ~0u), THREADS, 0, stream>>>(v, o->rows.data, o->tiny, triangles_at);
    if (o->few)
        count_few<<<wfi_grid((uint64_t)o->few * WARP, THREADS, ~0u), THREADS, 0, stream>>>(v, o->rows.data + o->tiny,
                                                                                           o->few, triangles_at);
}

} // namespace

void wfi_triangles_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t long_rows,
                           wfi_triangles_space *s) {
    if (!long_rows) return;
    wfi_hubs_lay_out(device, n, edges, long_rows, &s->hubs);
    if (s->hubs.hubs < n) wfi_middles_lay_out(device, n, edges, &s->middles);
}

weft_status wfi_count_triangles_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_triangles_space *s,
                                     unsigned long long *triangles_at) {
    const wfi_hubs *h = &s->hubs;
    weft_status st = WEFT_OK;
    wfi_kernel_scope stage(ctx, "iterations");
    wfi_progress(ctx, "counting triangles", 0, o->many);
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(triangles_at, 0, o->n * sizeof *triangles_at, wfi_cuda_stream(ctx)));
    if (o->many) st = wfi_hubs_make(ctx, o, &s->hubs);
    if (st) return st;
    count_all_short(ctx, o, {o->offsets.data, o->targets.data, h->bits, h->hubs, h->words}, triangles_at);
    st = wfi_cuda_sync(ctx);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    return st || !o->many ? st : count_all_long(ctx, o, s, triangles_at);
}
