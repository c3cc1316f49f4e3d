/* What C code may know of streaming (stream.cuh): whether it is needed, and how the GPU's memory is used then. */
#ifndef WFI_CUDA_STREAM_H
#define WFI_CUDA_STREAM_H

#include "core/core.h"

WFI_C_BEGIN

/* Bytes that a run may take on the GPU: what the limit leaves; without a limit what is free there, asked only if
 * `wanted` bytes might not be. */
uint64_t wfi_device_room(const weft_ctx *ctx, uint64_t wanted);

/* Arcs are cut into pieces.  Some have a home on the GPU, where they stay; the others come through a ring of places. */
enum { WFI_STREAM_PLACES = 4 };

typedef struct wfi_stream_size {
    weft_eid piece;         /* arcs; 0 = no size fits */
    uint64_t pieces, homes; /* so many, and so many of them with a home; when all have one there is no ring */
    uint64_t bytes;         /* on the GPU: `state`, homes and ring */
} wfi_stream_size;

/* The best use of `room` bytes on the GPU, of which `state` are for other things.  keep: arcs are read more than once,
 * so as many as can get homes.  When even the least does not fit, piece is 0 and bytes what the least would take. */
wfi_stream_size wfi_stream_fit(weft_eid arcs, uint64_t state, uint64_t room, bool keep);

/* What arrays that are laid out already take of the room, as `state`, with what aligning the stream's own may add. */
enum { WFI_STREAM_PADDING = 1 << 10 };

/* Arcs of a piece at most; 0 = the usual number.  Tests make pieces small, so that little graphs are streamed in
 * several.  Plans and runs that begin later heed it. */
void wfi_stream_set_piece(weft_eid arcs);

WFI_C_END
#endif
