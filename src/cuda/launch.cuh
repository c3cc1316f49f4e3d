/* Launching kernels: a function for each of many items, programmatic dependent launch, opting in to more shared
 * memory. */
#ifndef WFI_CUDA_LAUNCH_CUH
#define WFI_CUDA_LAUNCH_CUH

#include "cuda/gpu.cuh"
#include "graph/graph.h"

/* --- a function for each item: by a thread, or by the lanes of a warp ------------------------------------ */

enum { WFI_EACH_THREADS = 256, WFI_EACH_LANES = 32, WFI_EACH_BLOCKS = 1 << 14, WFI_EACH_BLOCKS_SUMMED = 1 << 11 };

template <class F> __global__ void __launch_bounds__(WFI_EACH_THREADS) wfi_each_kernel(uint64_t count, F f) {
    uint64_t all = wfi_all_threads();
    for (uint64_t i = wfi_thread(); i < count; i += all) f(i);
}

template <class F> __global__ void __launch_bounds__(WFI_EACH_THREADS) wfi_each_warp_kernel(uint64_t count, F f) {
    uint64_t all = wfi_all_threads() / WFI_EACH_LANES;
    unsigned lane = threadIdx.x % WFI_EACH_LANES;
    for (uint64_t i = wfi_thread() / WFI_EACH_LANES; i < count; i += all) f(i, lane, (unsigned)WFI_EACH_LANES);
}

template <class F> __global__ void __launch_bounds__(WFI_EACH_THREADS) wfi_each_sum_kernel(uint64_t count, F f) {
    uint64_t all = wfi_all_threads() / WFI_EACH_LANES;
    unsigned lane = threadIdx.x % WFI_EACH_LANES;
    typename F::total totals;
    for (uint64_t i = wfi_thread() / WFI_EACH_LANES; i < count; i += all) {
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

/* Raises *counter by one for each calling thread and returns its value before; the threads of a warp with the same
 * counter share one atomic addition. */
__device__ static inline uint64_t wfi_claim(uint64_t *counter) {
    unsigned peers = __match_any_sync(__activemask(), (unsigned long long)(uintptr_t)counter);
    unsigned lane = threadIdx.x % WFI_EACH_LANES;
    int leader = __ffs((int)peers) - 1;
    unsigned long long base = 0;
    if ((int)lane == leader) base = atomicAdd((unsigned long long *)counter, (unsigned long long)__popc(peers));
    return __shfl_sync(peers, base, leader) + (unsigned)__popc(peers & ((1u << lane) - 1));
}

/* Calls f(arc, target) for the arcs of row k, by the lanes of a warp. */
template <class F>
__device__ static inline void wfi_each_arc(const wfi_view &rows, uint64_t k, unsigned lane, unsigned lanes, F f) {
    weft_eid e = rows.offsets[k] - rows.base + lane, end = rows.offsets[k + 1] - rows.base;
    for (; e < end; e += lanes) f(e, rows.targets[e]);
}

/* Calls f(i) for i = 0 ... count-1, by threads, in any order. */
template <class F> static weft_status wfi_each(weft_ctx *ctx, uint64_t count, F f) {
    if (!count) return WEFT_OK;
    wfi_each_kernel<<<wfi_each_blocks(count, WFI_EACH_BLOCKS), WFI_EACH_THREADS, 0, wfi_cuda_stream(ctx)>>>(count, f);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* Calls f(i, lane, lanes) for i = 0 ... count-1, by all lanes of a warp. */
template <class F> static weft_status wfi_each_warp(weft_ctx *ctx, uint64_t count, F f) {
    if (!count) return WEFT_OK;
    unsigned blocks = wfi_each_blocks(count * WFI_EACH_LANES, WFI_EACH_BLOCKS);
    wfi_each_warp_kernel<<<blocks, WFI_EACH_THREADS, 0, wfi_cuda_stream(ctx)>>>(count, f);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* Sums: F has types sum (with add_lane) and total, and
 *  sum part(i, lane, lanes)       the lane's part of sum i
 *  void finish(i, sum, totals)    by one lane, with the sum of all lanes
 *  void hand_in(totals)           by one lane of each warp, at its end; `totals` starts as the constructor sets it */
template <class F> static weft_status wfi_each_sum(weft_ctx *ctx, uint64_t count, F f) {
    if (!count) return WEFT_OK;
    unsigned blocks = wfi_each_blocks(count * WFI_EACH_LANES, WFI_EACH_BLOCKS_SUMMED);
    wfi_each_sum_kernel<<<blocks, WFI_EACH_THREADS, 0, wfi_cuda_stream(ctx)>>>(count, f);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* --- programmatic dependent launch ----------------------------------------------------------------------- */

/* The next kernel is set up while the one before it still runs, and waits inside (programmatic dependent launch).  This
 * saves 1 to 2 us a kernel in runs of many small kernels.
 *
 *      __global__ void kernel(...) { wfi_after_previous(); ... }
 *      WFI_CUDA_OR_RETURN(wfi_launch_next(ctx, kernel, blocks, threads, arguments...));
 *
 * Needs a GPU, and code, of compute capability 9.0 or later; elsewhere it is a plain launch. */

/* Must precede every access of the kernel to memory: returns when the previous kernel is done and its writes are
 * visible. */
__device__ static inline void wfi_after_previous(void) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* True if the code that the driver picks for this GPU, the newest that is not too new for it, waits as above. */
static inline bool wfi_can_launch_ahead(const wfi_gpu *gpu) {
    const int built[] = {__CUDA_ARCH_LIST__};
    int picked = 0;
    for (int arch : built)
        if (arch <= gpu->arch && arch > picked) picked = arch;
    return picked >= 900;
}

template <class... Formal, class... Given>
static inline cudaError_t wfi_launch_next(const weft_ctx *ctx, void (*kernel)(Formal...), unsigned blocks,
                                          unsigned threads, Given... given) {
    cudaLaunchAttribute ahead = {};
    cudaLaunchConfig_t config = {};
    ahead.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    ahead.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = wfi_cuda_stream(ctx);
    config.attrs = &ahead;
    config.numAttrs = wfi_can_launch_ahead(wfi_gpu_of(ctx));
    return cudaLaunchKernelEx(&config, kernel, given...);
}

/* --- shared memory --------------------------------------------------------------------------------------- */

/* Lets a kernel use all shared memory that this GPU gives a block, however little the run needs: the attribute belongs
 * to the process, and another thread may be about to launch the same kernel with more.  *most: bytes that a launch may
 * use. */
static inline weft_status wfi_allow_shared_memory(weft_ctx *ctx, const void *kernel, size_t *most) {
    int bytes = wfi_gpu_of(ctx)->shared_memory;
    cudaFuncAttributes compiled;
    WFI_CUDA_OR_RETURN(cudaFuncGetAttributes(&compiled, kernel));
    bytes -= (int)compiled.sharedSizeBytes;
    WFI_CUDA_OR_RETURN(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    *most = (size_t)bytes;
    return WEFT_OK;
}

#endif
