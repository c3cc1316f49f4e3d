/* Streaming for C code (stream.cuh): whether it is needed, and its use of the GPU's memory. */
#ifndef WFI_CUDA_STREAM_H
#define WFI_CUDA_STREAM_H

#include "core/core.h"

WFI_C_BEGIN

/* Bytes that a run may use on the GPU: the limit's rest; without a limit the GPU's free memory, which is asked for only
 * if `wanted` bytes might not be free. */
uint64_t wfi_device_available(const weft_ctx *ctx, uint64_t wanted);

/* Arcs are cut into pieces.  Some have a home on the GPU and stay there; the others come through a ring of places. */
enum { WFI_STREAM_PLACES = 4 };

typedef struct wfi_stream_size {
    weft_eid piece;         /* arcs; 0 = no size fits */
    uint64_t pieces, homes; /* numbers of pieces, and of pieces with a home; no ring if all have homes */
    uint64_t bytes;         /* memory on the GPU: `state`, homes and ring */
} wfi_stream_size;

/* The best use of `available` bytes on the GPU, `state` of which are for other arrays.  keep: arcs are read more than
 * once, so that as many pieces as possible get homes.  If even the smallest stream does not fit, piece is 0 and bytes
 * its size. */
wfi_stream_size wfi_stream_fit(weft_eid arcs, uint64_t state, uint64_t available, bool keep);

/* The bytes that aligning the stream's arrays may add to the arrays that are laid out before them (`state`). */
enum { WFI_STREAM_PADDING = 1 << 10 };

/* The largest number of arcs of a piece; 0 = the default.  Tests make pieces small, so that small graphs are streamed
 * in several.  Applies to later plans and runs. */
void wfi_stream_set_piece(weft_eid arcs);

WFI_C_END
#endif
