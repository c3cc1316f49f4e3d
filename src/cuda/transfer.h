/* Steps on the GPU for drivers in C, of runs that ranks share (ranks/device.h): copies.
 * All of it in the order of the context's stream, between wfi_cuda_enter and wfi_cuda_leave.  Nothing is done for 0
 * bytes, whose arrays may be NULL. */
#ifndef WFI_CUDA_TRANSFER_H
#define WFI_CUDA_TRANSFER_H

#include "graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Between host and GPU through pinned memory, in pieces, so that the link runs at its speed whatever memory the host's
 * side is.  wfi_upload returns when `from` may be changed; wfi_download when `to` is there. */
weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes);
weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes);
/* From one array on the GPU to another, which do not overlap; and a byte into all of one. */
weft_status wfi_device_copy(weft_ctx *ctx, void *to, const void *from, size_t bytes);
weft_status wfi_device_fill(weft_ctx *ctx, void *to, int byte, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
