/* Opting in to more dynamic shared memory than every kernel may have without asking. */
#ifndef WFI_CUDA_SHARED_MEMORY_CUH
#define WFI_CUDA_SHARED_MEMORY_CUH

#include "cuda/check.cuh"

/* Lets a kernel have as much as this GPU gives a block, however little the run needs: the attribute is the process's,
 * and another thread may be about to launch the same kernel with more.  *most: bytes that a launch may ask for. */
static inline weft_status wfi_allow_shared_memory(weft_ctx *ctx, const void *kernel, size_t *most) {
    int room = wfi_gpu_of(ctx)->shared_memory;
    cudaFuncAttributes compiled;
    WFI_CUDA(cudaFuncGetAttributes(&compiled, kernel));
    room -= (int)compiled.sharedSizeBytes;
    WFI_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    *most = (size_t)room;
    return WEFT_OK;
}

#endif
