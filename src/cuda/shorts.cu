/* shorts.cuh: a bit for each arc, 32 to a word; how many are set before each word says where its arcs go, and where each row begins.
 * Arcs are read in their order whatever the rows look like.  While it is made: 12 bytes for 32 arcs. */
#include "cuda/mirror.cuh"
#include "cuda/scan.cuh"
#include "cuda/shorts.cuh"

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

__device__ static double weight_of(uint32_t bits, weft_weight_type type) {
    return type == WEFT_WEIGHT_F32 ? (double)__uint_as_float(bits) : (double)bits;
}

__device__ static uint64_t this_warp(void) { return (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WARP; }
__device__ static uint64_t all_warps(void) { return (uint64_t)gridDim.x * blockDim.x / WARP; }

/* before[words] = 0: it becomes the sum of all. */
__global__ static void mark_short(const uint32_t *weights, weft_eid arcs, weft_weight_type type, double below,
                                  uint64_t words, uint32_t *bits, weft_eid *before) {
    uint32_t lane = threadIdx.x % WARP;
    for (uint64_t word = this_warp(); word <= words; word += all_warps()) {
        weft_eid e = word * WARP + lane;
        uint32_t set = __ballot_sync(~0u, e < arcs && weight_of(__ldg(&weights[e < arcs ? e : 0]), type) < below);
        if (lane) continue;
        bits[word] = set;
        before[word] = (weft_eid)__popc(set);
    }
}

__device__ static weft_eid place_of(const uint32_t *bits, const weft_eid *before, weft_eid e) {
    return before[e / WARP] + (weft_eid)__popc(bits[e / WARP] & ((1u << e % WARP) - 1));
}

__global__ static void copy_short(const weft_vid *targets, const uint32_t *weights, uint64_t words,
                                  const uint32_t *bits, const weft_eid *before, weft_vid *short_targets,
                                  uint32_t *short_weights) {
    uint32_t lane = threadIdx.x % WARP;
    for (uint64_t word = this_warp(); word < words; word += all_warps()) {
        if (!(bits[word] >> lane & 1)) continue;
        weft_eid e = word * WARP + lane, to = place_of(bits, before, e);
        short_targets[to] = targets[e];
        short_weights[to] = weights[e];
    }
}

__global__ static void begin_short(const weft_eid *offsets, weft_vid n, const uint32_t *bits, const weft_eid *before,
                                   weft_eid *short_offsets) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v <= n; v += (uint64_t)gridDim.x * blockDim.x)
        short_offsets[v] = place_of(bits, before, offsets[v]);
}

weft_status wfi_pick_short(weft_ctx *ctx, const wfi_device_rows &rows, weft_vid n, weft_eid arcs, weft_weight_type type,
                           double below, weft_eid most, wfi_short_rows *shorts) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    uint64_t words = (arcs + WARP - 1) / WARP;
    unsigned blocks = wfi_grid((words + 1) * WARP, THREADS, MOST_BLOCKS);
    wfi_buffer<uint32_t> bits;
    wfi_buffer<weft_eid> before;
    weft_eid count = 0;
    weft_status st = bits.take(ctx, words + 1);
    if (!st) st = before.take(ctx, words + 1);
    if (!st) st = shorts->offsets.take(ctx, (size_t)n + 1);
    if (st) return st;
    mark_short<<<blocks, THREADS, 0, stream>>>(rows.weights, arcs, type, below, words, bits.data, before.data);
    st = wfi_add_up(ctx, before.data, words + 1);
    if (!st) st = wfi_download(ctx, &count, before.data + words, sizeof count);
    shorts->too_many = !st && count > most;
    if (shorts->too_many) return WEFT_OK;
    if (!st) st = shorts->targets.take(ctx, count);
    if (!st) st = shorts->weights.take(ctx, count);
    if (st) return st;
    copy_short<<<blocks, THREADS, 0, stream>>>(rows.targets, rows.weights, words, bits.data, before.data,
                                               shorts->targets.data, shorts->weights.data);
    begin_short<<<wfi_grid((uint64_t)n + 1, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
        rows.offsets, n, bits.data, before.data, shorts->offsets.data);
    WFI_CUDA(cudaGetLastError());
    st = wfi_cuda_sync(ctx);
    shorts->there = st == WEFT_OK;
    return st;
}
