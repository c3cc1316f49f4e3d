/* Result columns that stay on the GPU: what wfi_deliver asks before it brings one to the host. */
#ifndef WFI_CUDA_RESIDENT_CUH
#define WFI_CUDA_RESIDENT_CUH

#include "core/context.h"
#include "cuda/buffers.cuh"

/* For results that are large beside all else: the column's memory there, to be filled before the run ends; NULL when it
 * is to be brought to the host. */
weft_status wfi_resident_room(weft_ctx *ctx, const void *column, size_t bytes, void **room);

#endif
