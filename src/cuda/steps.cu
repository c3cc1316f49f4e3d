/* See steps.h. */
#include "cuda/buffers.cuh"
#include "cuda/steps.h"

weft_status wfi_gpu_send(weft_ctx *ctx, void *there, const void *here, size_t bytes) {
    return bytes ? wfi_upload(ctx, there, here, bytes) : WEFT_OK;
}

weft_status wfi_gpu_bring(weft_ctx *ctx, void *here, const void *there, size_t bytes) {
    return bytes ? wfi_download(ctx, here, there, bytes) : WEFT_OK;
}

weft_status wfi_gpu_copy(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    if (bytes) WFI_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

weft_status wfi_gpu_fill(weft_ctx *ctx, void *there, int byte, size_t bytes) {
    if (bytes) WFI_CUDA(cudaMemsetAsync(there, byte, bytes, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}
