/* CUDA errors as sentences.  Device code writes
 *
 *     WFI_CUDA(cudaMalloc(&block, bytes));
 *
 * in functions that have a weft_ctx *ctx: a failure returns from the function with the message set.  What must be
 * released then is owned by the caller, who frees it whatever the status. */
#ifndef WFI_CUDA_CHECK_CUH
#define WFI_CUDA_CHECK_CUH

#include "cuda/gpu.cuh"

#include <cuda_runtime.h>

/* `call` may be followed by its arguments, which are left out of the message.  WEFT_ENOMEM when the GPU is out of
 * memory, else WEFT_EDEVICE. */
weft_status wfi_cuda_fail(weft_ctx *ctx, const char *call, cudaError_t error);

/* What a test has in store for this call (wfi_cuda_trouble), else success. */
cudaError_t wfi_cuda_troubled(void);

#define WFI_CUDA(call)                                                       \
    do {                                                                     \
        cudaError_t error_ = wfi_cuda_troubled();                            \
        if (error_ == cudaSuccess) error_ = (call);                          \
        if (error_ != cudaSuccess) return wfi_cuda_fail(ctx, #call, error_); \
    } while (0)

/* Makes the driver's context of the GPU if it is not there.  *ms = what the driver's start and the context took when
 * they were made, however long ago. */
weft_status wfi_cuda_start(weft_ctx *ctx, double *ms);

/* ceilings.cu: copy, read, gather, launch, barrier, upload and download.  The context is there. */
weft_status wfi_cuda_measure(weft_ctx *ctx, weft_machine *machine);

#endif
