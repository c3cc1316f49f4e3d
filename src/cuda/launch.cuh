/* Kernels that follow each other closely: the next one is set up while the one before it still runs, and waits inside
 * (programmatic dependent launch).  That saves some 1 to 2 us a kernel where there are many small ones.
 *
 *     __global__ void kernel(...) { wfi_after_previous(); ... }
 *     WFI_CUDA(wfi_launch_next(ctx, kernel, blocks, threads, arguments...));
 *
 * Needs a GPU, and code, of compute capability 9.0 or later; elsewhere it is a plain launch. */
#ifndef WFI_CUDA_LAUNCH_CUH
#define WFI_CUDA_LAUNCH_CUH

#include "cuda/stages.cuh"

/* Before the kernel reads or writes anything in memory: returns when the one before it is done, and what it wrote is
 * there. */
__device__ static inline void wfi_after_previous(void) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Whether the code that the driver picks for this GPU, the newest that is not too new for it, waits as above. */
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

#endif
