/* Plain kernels for what is done to each of many: by a thread, or by the lanes of a warp. */
#ifndef WFI_CUDA_EACH_CUH
#define WFI_CUDA_EACH_CUH

#include "cuda/check.cuh"

enum { WFI_EACH_THREADS = 256, WFI_EACH_LANES = 32, WFI_EACH_BLOCKS = 1 << 14, WFI_EACH_BLOCKS_SUMMED = 1 << 11 };

template <class F> __global__ void __launch_bounds__(WFI_EACH_THREADS) wfi_each_kernel(uint64_t count, F f) {
    uint64_t all = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < count; i += all) f(i);
}

template <class F> __global__ void __launch_bounds__(WFI_EACH_THREADS) wfi_each_warp_kernel(uint64_t count, F f) {
    uint64_t all = (uint64_t)gridDim.x * blockDim.x / WFI_EACH_LANES;
    unsigned lane = threadIdx.x % WFI_EACH_LANES;
    for (uint64_t i = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WFI_EACH_LANES; i < count; i += all)
        f(i, lane, (unsigned)WFI_EACH_LANES);
}

template <class F> __global__ void __launch_bounds__(WFI_EACH_THREADS) wfi_each_sum_kernel(uint64_t count, F f) {
    uint64_t all = (uint64_t)gridDim.x * blockDim.x / WFI_EACH_LANES;
    unsigned lane = threadIdx.x % WFI_EACH_LANES;
    typename F::total totals;
    for (uint64_t i = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WFI_EACH_LANES; i < count; i += all) {
        typename F::sum sum = f.part(i, lane, (unsigned)WFI_EACH_LANES);
        for (int far = WFI_EACH_LANES / 2; far; far /= 2) sum.add_lane(~0u, far);
        if (lane == 0) f.finish(i, sum, totals);
    }
    if (lane == 0) f.hand_in(totals);
}

static inline unsigned wfi_each_blocks(uint64_t threads, unsigned most) {
    uint64_t blocks = (threads + WFI_EACH_THREADS - 1) / WFI_EACH_THREADS;
    return (unsigned)(blocks < most ? blocks : most);
}

/* *counter before it was raised by one: the threads of a warp that raise the same one do it together. */
__device__ static inline uint64_t wfi_claim(uint64_t *counter) {
    unsigned peers = __match_any_sync(__activemask(), (unsigned long long)(uintptr_t)counter);
    unsigned lane = threadIdx.x % WFI_EACH_LANES;
    int leader = __ffs((int)peers) - 1;
    unsigned long long base = 0;
    if ((int)lane == leader) base = atomicAdd((unsigned long long *)counter, (unsigned long long)__popc(peers));
    return __shfl_sync(peers, base, leader) + (unsigned)__popc(peers & ((1u << lane) - 1));
}

/* f(i) for i = 0 ... count-1, by threads, in any order. */
template <class F> static weft_status wfi_each(weft_ctx *ctx, uint64_t count, F f) {
    if (!count) return WEFT_OK;
    wfi_each_kernel<<<wfi_each_blocks(count, WFI_EACH_BLOCKS), WFI_EACH_THREADS, 0, wfi_cuda_stream(ctx)>>>(count, f);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

/* f(i, lane, lanes), by all lanes of a warp. */
template <class F> static weft_status wfi_each_warp(weft_ctx *ctx, uint64_t count, F f) {
    if (!count) return WEFT_OK;
    unsigned blocks = wfi_each_blocks(count * WFI_EACH_LANES, WFI_EACH_BLOCKS);
    wfi_each_warp_kernel<<<blocks, WFI_EACH_THREADS, 0, wfi_cuda_stream(ctx)>>>(count, f);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

/* Sums: F has types sum (with add_lane) and total, and
 *     sum part(i, lane, lanes)      what a lane has of sum i
 *     void finish(i, sum, totals)   by one lane, with what all have
 *     void hand_in(totals)          by one lane of each warp, at its end: totals begin as their constructor makes
 * them */
template <class F> static weft_status wfi_each_sum(weft_ctx *ctx, uint64_t count, F f) {
    if (!count) return WEFT_OK;
    unsigned blocks = wfi_each_blocks(count * WFI_EACH_LANES, WFI_EACH_BLOCKS_SUMMED);
    wfi_each_sum_kernel<<<blocks, WFI_EACH_THREADS, 0, wfi_cuda_stream(ctx)>>>(count, f);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

#endif
