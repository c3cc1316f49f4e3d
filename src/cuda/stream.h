/* What C code may know of streaming (stream.cuh): whether it is needed, and the size of its pieces, which tests make small so that little
 * graphs are streamed in several. */
#ifndef WFI_CUDA_STREAM_H
#define WFI_CUDA_STREAM_H

#include "core/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that a run may take on the GPU: what the limit leaves; without a limit what is free there, asked only if `wanted` bytes might
 * not be. */
uint64_t wfi_device_room(const weft_ctx *ctx, uint64_t wanted);

/* Arcs of a piece at most; 0 = the usual number.  Plans and runs that begin later heed it. */
void wfi_stream_set_piece(weft_eid arcs);

#ifdef __cplusplus
}
#endif
#endif
