/* What C code may know of streaming (stream.cuh): the size of its pieces, which tests make small so that little graphs are
 * streamed in several. */
#ifndef WFI_CUDA_STREAM_H
#define WFI_CUDA_STREAM_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arcs of a piece at most; 0 = the usual number.  Plans and runs that begin later heed it. */
void wfi_stream_set_piece(weft_eid arcs);

#ifdef __cplusplus
}
#endif
#endif
