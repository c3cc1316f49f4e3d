/* A stream's use of the GPU's memory: a pure function of sizes.
 * A piece has 8 MiB (with less the host's threads do not keep the link busy, bench/NOTES.md), but the ring takes at
 * most half of the memory if homes could use it.  A piece below 256 KiB would take longer to request than to send. */
#include "cuda/stream.h"

enum { USUAL_PIECE = 1 << 21, LEAST_PIECE = 1 << 16, TINY_PIECE = 16, RING_SHARE = 2 };

static weft_eid most_piece = USUAL_PIECE;

void wfi_stream_set_piece(weft_eid arcs) { most_piece = arcs ? wfi_max_u64(arcs, TINY_PIECE) : USUAL_PIECE; }

/* For a graph hardly larger than such a piece, a sixteenth of the arcs. */
static weft_eid least_piece(weft_eid arcs) {
    weft_eid small = wfi_max_u64(TINY_PIECE, arcs / 16);
    return wfi_min_u64(most_piece, wfi_min_u64(LEAST_PIECE, small));
}

wfi_stream_size wfi_stream_fit(weft_eid arcs, uint64_t state, uint64_t available, bool keep) {
    uint64_t left = available - wfi_min_u64(available, state), least = least_piece(arcs);
    weft_eid piece = wfi_min_u64(most_piece, wfi_max_u64(arcs, 1));
    if (keep && available >= state && arcs <= left / sizeof(weft_vid)) {
        uint64_t pieces = (arcs + piece - 1) / piece;
        return (wfi_stream_size){piece, pieces, pieces, state + arcs * sizeof(weft_vid)};
    }
    uint64_t ring = WFI_STREAM_PLACES * sizeof(weft_vid); /* bytes for each arc of a piece */
    piece = wfi_max_u64(least, wfi_min_u64(wfi_min_u64(most_piece, arcs), left / (keep ? RING_SHARE : 1) / ring));
    if (available < state || left < ring * piece) return (wfi_stream_size){0, 0, 0, state + ring * least};
    uint64_t homes = keep ? (left - ring * piece) / (piece * sizeof(weft_vid)) : 0;
    return (wfi_stream_size){piece, (arcs + piece - 1) / piece, homes,
                             state + (ring + homes * sizeof(weft_vid)) * piece};
}
