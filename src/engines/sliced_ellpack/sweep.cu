/* See sweep.h.  Method: shares are first permuted to the order of the sources.  Then a block on each SM goes through
 * the blocks of sources, keeps the first shares of each in shared memory, and takes every gridDim-th of its units,
 * which its warps draw one by one.  A slice's rows are written, long rows are added to by integer atomics. */
#include "cuda/buffers.cuh"
#include "cuda/launch.cuh"
#include "engines/fixed_sums/fixed_sums.cuh"
#include "engines/sliced_ellpack/sell.cuh"
#include "engines/sliced_ellpack/sweep.h"

typedef unsigned long long word;

namespace {

enum { THREADS = 1024, PLAIN_THREADS = 256, MOST_BLOCKS = 1 << 14, AHEAD = 4, SECTOR = 32 };

struct sweep {
    const uint32_t *step, *row;
    const weft_vid *cells, *vertex;
    const void *weights;
    weft_weight_type type;
    wfi_sell_part at[WFI_MOST_PARTS];
    uint32_t begin[WFI_SELL_BLOCKS + 1]; /* units of each block of sources */
    wfi_sell_blocks blocks;
    weft_vid n;
    uint32_t parts, hubs;
    const double *share; /* a share for each source */
    word *sum;

    __device__ word *sum_of(uint32_t r) const { return sum + 2 * (size_t)vertex[r]; }
    __device__ uint32_t row_of_slot(uint32_t slot) const {
        uint32_t p = 0;
        while (p + 1 < parts && slot >= at[p + 1].slot) p++;
        return at[p].row + slot - at[p].slot;
    }
    __device__ uint32_t end_of_part(uint32_t r) const {
        uint32_t p = 0;
        while (r >= at[p].end) p++;
        return at[p].end;
    }
};

/* The shares of one block of sources that are in shared memory. */
struct nearest {
    const double *share;
    weft_vid first;
    uint32_t count;
    __device__ double of(const sweep &w, weft_vid u) const {
        return u - first < count ? share[u - first] : u != WFI_NO_SOURCE ? w.share[u] : 0;
    }
};

/* The sum of a lane's cells of a unit; those of the next steps are prefetched. */
template <bool WEIGHTED>
__device__ wfi_sum<double> add_steps(const sweep &w, const nearest &near, uint32_t begin, uint32_t end) {
    const size_t cell = (size_t)begin * WFI_LANES + threadIdx.x % WFI_LANES;
    const uint32_t steps = end - begin;
    wfi_sum<double> sum;
    weft_vid now[AHEAD], next[AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) now[i] = i < steps ? __ldcs(w.cells + cell + i * WFI_LANES) : WFI_NO_SOURCE;
    for (uint32_t k = 0; k < steps; k += AHEAD) {
        double got[AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) {
            uint32_t then = k + AHEAD + i;
            got[i] = near.of(w, now[i]);
            next[i] = then < steps ? __ldcs(w.cells + cell + (size_t)then * WFI_LANES) : WFI_NO_SOURCE;
        }
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) {
            if (WEIGHTED && k + i < steps)
                got[i] *= wfi_device_weight(w.weights, w.type, cell + (size_t)(k + i) * WFI_LANES);
            sum.add(got[i]);
            now[i] = next[i];
        }
    }
    return sum;
}

template <bool WEIGHTED> __device__ void take_unit(const sweep &w, const nearest &near, uint32_t unit) {
    const unsigned lane = threadIdx.x % WFI_LANES;
    uint32_t row = w.row[unit];
    wfi_sum<double> sum = add_steps<WEIGHTED>(w, near, w.step[unit], w.step[unit + 1]);
    if (!(row & WFI_LONG)) {
        if (row + lane < w.end_of_part(row)) sum.put(w.sum_of(row + lane));
    } else if (row & WFI_BUNDLE) {
        uint32_t slot = (row & ~(WFI_LONG | WFI_BUNDLE)) + lane;
        if (sum.any()) sum.add_to(w.sum_of(w.row_of_slot(slot)));
    } else {
        for (int far = WFI_LANES / 2; far; far /= 2) sum.add_lane(~0u, far);
        if (lane == 0) sum.add_to(w.sum_of(w.row_of_slot(row & ~WFI_LONG)));
    }
}

} // namespace

template <bool WEIGHTED>
__global__ static void __launch_bounds__(THREADS, 1) sweep_units(const __grid_constant__ sweep w) {
    extern __shared__ __align__(16) double hub[];
    __shared__ unsigned ticket;
    for (uint32_t b = 0; b < w.blocks.all; b++) {
        bool far = b >= w.blocks.near;
        weft_vid first = b * WFI_BLOCK;
        uint32_t count = far || first >= w.n ? 0 : min(min(w.hubs, (uint32_t)WFI_BLOCK), w.n - first);
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < count; i += THREADS) hub[i] = w.share[first + i];
        if (threadIdx.x == 0) ticket = 0;
        __syncthreads();
        for (;;) {
            unsigned drawn = threadIdx.x % WFI_LANES == 0 ? atomicAdd(&ticket, 1u) : 0;
            uint64_t unit = w.begin[b] + blockIdx.x + (uint64_t)__shfl_sync(~0u, drawn, 0) * gridDim.x;
            if (unit >= w.begin[b + 1]) break;
            take_unit<WEIGHTED>(w, {hub, first, count}, (uint32_t)unit);
        }
    }
}

__global__ static void move_shares(const double *share, const weft_vid *vertex, const weft_vid *source, weft_vid n,
                                   double *moved) {
    for (uint64_t row = wfi_thread(); row < n; row += wfi_all_threads()) moved[source[row]] = share[vertex[row]];
}

extern "C" weft_status wfi_sweep_layout(weft_ctx *ctx, const weft_graph *g, bool weighted, const wfi_sell **layout) {
    return wfi_sell_of(ctx, g, wfi_sell_part_size(g->n), weighted, layout);
}

extern "C" void wfi_sweep_declare(wfi_workspace *device, const weft_graph *g, bool weighted) {
    wfi_sell_declare(device, g, wfi_sell_part_size(g->n), weighted);
}

template <bool WEIGHTED> static weft_status launch(weft_ctx *ctx, const wfi_sell *r, sweep w) {
    size_t most = 0;
    weft_eid cells = (weft_eid)w.begin[r->blocks.all] * WFI_LANES;
    unsigned blocks = wfi_grid(cells, THREADS, (unsigned)wfi_gpu_of(ctx)->sms);
    weft_status st = wfi_allow_shared_memory(ctx, (const void *)sweep_units<WEIGHTED>, &most);
    if (st) return st;
    /* The other shares are left to the cache.  Filling reads a sector of the second cache for a few shares in each
     * block, and a hit saves one. */
    w.hubs = (uint32_t)wfi_min_u64(most / 8 * 5 / sizeof(double), r->n - r->sinks);
    if (r->busy_arcs < (uint64_t)blocks * WFI_BLOCK * sizeof(double) / SECTOR) w.hubs = 0;
    sweep_units<WEIGHTED><<<blocks, THREADS, w.hubs * sizeof(double), wfi_cuda_stream(ctx)>>>(w);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

extern "C" weft_status wfi_sweep(weft_ctx *ctx, const wfi_sell *r, bool weighted, weft_weight_type type,
                                 const double *share, double *moved, uint64_t *sum) {
    if (!r->n) return WEFT_OK;
    sweep w = {};
    w.step = r->step.data;
    w.row = r->row.data;
    w.cells = r->cells.data;
    w.vertex = r->vertex.data;
    w.weights = r->weights.data;
    w.type = type;
    memcpy(w.at, r->at, sizeof w.at);
    for (uint32_t b = 0; b < r->blocks.all; b++) {
        w.begin[b] = r->unit[b][0];
        w.begin[b + 1] = r->unit[b][r->parts];
    }
    w.blocks = r->blocks;
    w.n = r->n;
    w.parts = r->parts;
    w.share = moved;
    w.sum = (word *)sum;
    move_shares<<<wfi_grid(r->n, PLAIN_THREADS, MOST_BLOCKS), PLAIN_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        share, r->vertex.data, r->source.data, r->n, moved);
    return weighted ? launch<true>(ctx, r, w) : launch<false>(ctx, r, w);
}
