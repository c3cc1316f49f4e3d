/* Result columns that stay on the GPU: what transfer.cu asks before it brings something to the host. */
#ifndef WFI_CUDA_STAYS_CUH
#define WFI_CUDA_STAYS_CUH

#include "core/stays.h"
#include "cuda/buffers.cuh"

/* *stays: `to` is a column that is wanted on the GPU; it has been copied aside there, and nothing needs to be brought. */
weft_status wfi_stay_instead(weft_ctx *ctx, const void *to, const void *from, size_t bytes, bool *stays);

/* For results that are large beside all else: the column's memory there, to be filled before the run ends; NULL when it is to be
 * brought to the host. */
weft_status wfi_stay_room(weft_ctx *ctx, const void *column, size_t bytes, void **room);

#endif
