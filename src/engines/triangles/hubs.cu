/* Triangles whose corners w < v are hubs: rows of a bit matrix of the hubs are and-ed, as in LOTUS [1].  For a row u
 * and each hub v in it, the bits that u and v share are the corners w.  Their number counts for u and v; each bit
 * counts for its w.
 * Method: a warp goes through its rows share by share of the columns.  A lane owns the same 128 columns throughout and
 * adds the bits to bit-sliced counters: digit p of 32 counters is one word.  Eight rows are first added among
 * themselves by carry-save adders [2], while the next four are loaded.  Counters are read out when they are full, or
 * when the share is done.
 * [1] Koohi Esfahani, Kilpatrick, Vandierendonck, "LOTUS: Locality Optimizing Triangle Counting", PPoPP 2022.
 * [2] Mula, Kurz, Lemire, "Faster Population Counts Using AVX2 Instructions", Computer Journal 61, 2018. */
#include "core/search.h"
#include "cuda/warp.cuh"
#include "engines/triangles/triangles_cuda.cuh"

#include <math.h>

namespace {

typedef unsigned long long count;

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP, TOGETHER = 4, EACH = 4 /* words of a lane */ };
enum { ALL_HUBS = 1 << 18 /* a row of bits fits into shared memory */ };
enum { PLANES = 11, FULL = (1 << PLANES) - 1 };

struct matrix {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *bits, *split;
    weft_vid hubs;
    uint32_t words;
    const weft_vid *rows; /* rows whose triangles are counted, and their number */
    unsigned listed;
    count *triangles_at;
};

/* A block makes each of its rows in shared memory. */
__global__ void __launch_bounds__(THREADS)
    set_bits(const weft_eid *offsets, const weft_vid *targets, weft_vid hubs, uint32_t words, uint32_t *bits) {
    extern __shared__ uint32_t row[];
    for (weft_vid v = blockIdx.x; v < hubs; v += gridDim.x) {
        for (uint32_t i = threadIdx.x; i < words; i += THREADS) row[i] = 0;
        __syncthreads();
        for (weft_eid e = offsets[v] + threadIdx.x; e < offsets[v + 1]; e += THREADS)
            atomicOr(&row[targets[e] / 32], 1u << targets[e] % 32);
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < words; i += THREADS) bits[(size_t)v * words + i] = row[i];
        __syncthreads();
    }
}

__global__ void __launch_bounds__(THREADS) split_rows(const weft_eid *offsets, const weft_vid *targets, weft_vid hubs,
                                                      const weft_vid *rows, unsigned end, uint32_t *split) {
    for (unsigned at = blockIdx.x * THREADS + threadIdx.x; at < end; at += gridDim.x * THREADS) {
        weft_eid begin = offsets[rows[at]];
        split[at] = (uint32_t)(wfi_lower_bound(targets, begin, offsets[rows[at] + 1], hubs) - begin);
    }
}

/* x + y + z = low + 2 * high, bit by bit. */
__device__ void add3(uint32_t x, uint32_t y, uint32_t z, uint32_t *low, uint32_t *high) {
    *low = x ^ y ^ z;
    *high = (x & y) | (z & (x | y));
}

/* The counters of the columns of one word: digit p of all of them is plane[p]. */
struct planes {
    uint32_t plane[PLANES];

    __device__ void clear() {
#pragma unroll
        for (int p = 0; p < PLANES; p++) plane[p] = 0;
    }

    /* Adds four bits to each column; returns the carry out of the second digit. */
    __device__ uint32_t add4(uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
        uint32_t a, b, carry;
        add3(plane[0], w, x, &plane[0], &a);
        add3(plane[0], y, z, &plane[0], &b);
        add3(plane[1], a, b, &plane[1], &carry);
        return carry;
    }

    /* Adds the carries of two calls of add4. */
    __device__ void add_carries(uint32_t a, uint32_t b) {
        uint32_t carry;
        add3(plane[2], a, b, &plane[2], &carry);
#pragma unroll
        for (int p = 3; p < PLANES; p++) {
            uint32_t more = plane[p] & carry;
            plane[p] ^= carry;
            carry = more;
        }
    }

    __device__ unsigned of(unsigned bit) const {
        unsigned sum = 0;
#pragma unroll
        for (int p = 0; p < PLANES; p++) sum |= (plane[p] >> bit & 1) << p;
        return sum;
    }
};

/* Adds this lane's counters to those of the block; they have counted *steps rows. */
__device__ void read_out(planes mine[EACH], unsigned *counted, unsigned lane, unsigned *steps) {
    if (!*steps) return;
    for (unsigned i = 0; i < 32; i++) {
        unsigned bit = (i + lane) % 32; /* each lane uses a bank of its own */
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            unsigned sum = mine[k].of(bit);
            if (sum) atomicAdd(&counted[(lane * EACH + k) * 32 + bit], sum);
        }
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) mine[k].clear();
    *steps = 0;
}

/* The part of a row that a warp needs for a share: its bits there, and the first entry that may have bits there. */
struct part {
    uint4 bits;
    unsigned from;
};

__device__ part part_of(const weft_vid *row, unsigned hubs, weft_vid column, uint32_t *words) {
    unsigned lane = threadIdx.x % WARP;
    part p = {make_uint4(0, 0, 0, 0), 0};
    ((uint4 *)words)[lane] = p.bits;
    __syncwarp();
    for (unsigned at = 0; at < hubs; at += WARP) {
        weft_vid w = at + lane < hubs ? row[at + lane] : ~0u;
        if (w >= column && w < column + WFI_SHARE_BITS) atomicOr(&words[(w - column) / 32], 1u << w % 32);
        p.from += (unsigned)__popc(__ballot_sync(~0u, w <= column));
        if (__any_sync(~0u, w >= column + WFI_SHARE_BITS)) break;
    }
    __syncwarp();
    p.bits = ((uint4 *)words)[lane];
    __syncwarp();
    return p;
}

/* This lane's words of the rows of TOGETHER hubs, the v of lanes first ...  Columns from v on are empty. */
__device__ void fetch(const matrix &m, const uint32_t *here, weft_vid first_column, weft_vid v, unsigned first,
                      uint4 to[TOGETHER]) {
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
        weft_vid hub = __shfl_sync(~0u, v, (int)first + k);
        to[k] = make_uint4(0, 0, 0, 0);
        if (first_column < hub) to[k] = *(const uint4 *)(here + (size_t)hub * m.words);
    }
}

/* Keeps the bits that the row has, too: adds them to the counters, and returns their numbers in *met of the lanes first
 * ... */
__device__ uint4 take(const uint4 joined[TOGETHER], const uint4 &bits, unsigned first, planes mine[EACH],
                      unsigned *met) {
    uint4 x[TOGETHER];
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
        x[k] = make_uint4(joined[k].x & bits.x, joined[k].y & bits.y, joined[k].z & bits.z, joined[k].w & bits.w);
        unsigned sum = wfi_warp_sum((unsigned)(__popc(x[k].x) + __popc(x[k].y) + __popc(x[k].z) + __popc(x[k].w)));
        if (threadIdx.x % WARP == first + (unsigned)k) *met = sum;
    }
    return make_uint4(mine[0].add4(x[0].x, x[1].x, x[2].x, x[3].x), mine[1].add4(x[0].y, x[1].y, x[2].y, x[3].y),
                      mine[2].add4(x[0].z, x[1].z, x[2].z, x[3].z), mine[3].add4(x[0].w, x[1].w, x[2].w, x[3].w));
}

/* Counts the warp's rows of the list, in one share of the columns. */
__device__ void count_share(const matrix &m, weft_vid column, uint32_t *words, unsigned *counted) {
    unsigned lane = threadIdx.x % WARP, steps = 0;
    planes mine[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) mine[k].clear();
    weft_vid first_column = column + lane * EACH * 32;
    const uint32_t *here = m.bits + first_column / 32;
    for (unsigned at = blockIdx.x * WARPS + threadIdx.x / WARP; at < m.listed; at += gridDim.x * WARPS) {
        weft_vid u = m.rows[at];
        const weft_vid *row = m.targets + m.offsets[u];
        unsigned hubs = m.split[at], total = 0;
        part p = part_of(row, hubs, column, words);
        if (!__any_sync(~0u, p.bits.x | p.bits.y | p.bits.z | p.bits.w)) continue;
        for (unsigned i = p.from; i < hubs; i += WARP) {
            weft_vid v = i + lane < hubs ? row[i + lane] : 0; /* hub 0 has empty columns only */
            unsigned left = min(hubs - i, (unsigned)WARP), met = 0;
            uint4 even[TOGETHER], odd[TOGETHER];
            fetch(m, here, first_column, v, 0, even);
            for (unsigned j = 0; j < left; j += 2 * TOGETHER) { /* one batch is counted while the next is loaded */
                fetch(m, here, first_column, v, j + TOGETHER, odd);
                uint4 a = take(even, p.bits, j, mine, &met);
                if (j + 2 * TOGETHER < left) fetch(m, here, first_column, v, j + 2 * TOGETHER, even);
                uint4 b = take(odd, p.bits, j + TOGETHER, mine, &met);
                mine[0].add_carries(a.x, b.x);
                mine[1].add_carries(a.y, b.y);
                mine[2].add_carries(a.z, b.z);
                mine[3].add_carries(a.w, b.w);
            }
            steps += WARP;
            total += met;
            if (met) atomicAdd(&m.triangles_at[v], (count)met);
            if (steps > FULL - WARP) read_out(mine, counted, lane, &steps);
        }
        total = wfi_warp_sum(total);
        if (total && lane == 0) atomicAdd(&m.triangles_at[u], (count)total);
    }
    read_out(mine, counted, lane, &steps);
}

__global__ void __launch_bounds__(THREADS, 2) count_hubs(matrix m) {
    __shared__ unsigned counted[WFI_SHARE_BITS];
    __shared__ __align__(16) uint32_t words[WARPS][WFI_SHARE_WORDS];
    for (unsigned i = threadIdx.x; i < WFI_SHARE_BITS; i += THREADS) counted[i] = 0;
    for (weft_vid column = 0; column < m.hubs; column += WFI_SHARE_BITS) {
        __syncthreads();
        count_share(m, column, words[threadIdx.x / WARP], counted);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < WFI_SHARE_BITS; i += THREADS) {
            if (counted[i]) atomicAdd(&m.triangles_at[column + i], (count)counted[i]);
            counted[i] = 0;
        }
    }
}

uint32_t words_for(uint64_t hubs) { return (uint32_t)((hubs + WFI_SHARE_BITS - 1) / WFI_SHARE_BITS * WFI_SHARE_WORDS); }

} // namespace

weft_vid wfi_hubs_for(uint64_t n, uint64_t edges) {
    if (n <= ALL_HUBS && n * n <= 32 * edges) return (weft_vid)n;
    uint64_t hubs = (uint64_t)sqrt(16.0 * (double)edges);
    return (weft_vid)wfi_min_u64(wfi_min_u64(hubs, WFI_MOST_HUBS), n);
}

void wfi_hubs_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t long_rows, wfi_hubs *h) {
    h->hubs = wfi_hubs_for(n, edges);
    h->words = words_for(h->hubs);
    wfi_array_within(device, &h->bits, (uint64_t)h->hubs * h->words);
    wfi_array_within(device, &h->split, long_rows);
}

weft_status wfi_hubs_make(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_hubs *h) {
    split_rows<<<wfi_grid(o->many, THREADS, 1 << 12), THREADS, 0, wfi_cuda_stream(ctx)>>>(
        o->offsets.data, o->targets.data, h->hubs, o->rows.data + o->tiny + o->few, o->many, h->split);
    set_bits<<<wfi_grid(h->hubs, 1, 1 << 14), THREADS, h->words * sizeof(uint32_t), wfi_cuda_stream(ctx)>>>(
        o->offsets.data, o->targets.data, h->hubs, h->words, h->bits);
    return WEFT_OK;
}

weft_status wfi_hubs_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, uint32_t first, uint32_t end,
                           unsigned long long *triangles_at) {
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    matrix m = {o->offsets.data,
                o->targets.data,
                h->bits,
                h->split + first,
                h->hubs,
                h->words,
                o->rows.data + o->tiny + o->few + first,
                end - first,
                triangles_at};
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, count_hubs, THREADS, 0));
    count_hubs<<<wfi_grid(end - first, WARPS, (unsigned)(sms * fit)), THREADS, 0, wfi_cuda_stream(ctx)>>>(m);
    return WEFT_OK;
}
