/* Pinned memory of the host. */
#ifndef WFI_CUDA_PINNED_CUH
#define WFI_CUDA_PINNED_CUH

#include "cuda/check.cuh"

/* Uninitialised; given back by wfi_pinned_free, which takes NULL too. */
weft_status wfi_pinned_new(weft_ctx *ctx, size_t bytes, void **pinned);
void wfi_pinned_free(void *pinned);

#endif
