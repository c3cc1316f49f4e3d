/* What a graph's mirror holds, on one GPU: for the files that make its parts, mirror.cu (rows, and the layout for sweeps) and views.cu. */
#ifndef WFI_CUDA_MIRROR_STATE_CUH
#define WFI_CUDA_MIRROR_STATE_CUH

#include "cuda/mirror.cuh"
#include "cuda/oriented.cuh"
#include "cuda/shorts.cuh"

struct wfi_mirror {
    int index; /* of the GPU */
    wfi_buffer<weft_eid> out_offsets, in_offsets;
    wfi_buffer<weft_vid> out_targets, in_targets;
    wfi_buffer<uint32_t> out_weights, in_weights;
    bool out_there = false, in_there = false, oriented_there = false;
    /* Without weights, and with them.  Two, so that neither is ever made anew: another thread may be reading it. */
    bool ranked_there[2] = {false, false};
    wfi_ranked ranked[2];
    wfi_oriented_rows oriented;
    wfi_pieces out_pieces, in_pieces;
    wfi_short_rows shorts;
};

/* With the graph's lock held: its mirror, and rows that must be there.  What is made is complete when the lock is given up: contexts have
 * streams of their own, and another may read it next. */
weft_status wfi_mirror_of(weft_ctx *ctx, weft_graph *g, wfi_mirror **m);
weft_status wfi_mirror_need_out(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m);
weft_status wfi_mirror_need_in(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m);

#endif
