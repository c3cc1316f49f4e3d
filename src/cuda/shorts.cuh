/* Rows with only those arcs of a graph that are shorter than a bound, in their order.  For searches that settle what is near before
 * they look at what is far. */
#ifndef WFI_CUDA_SHORTS_CUH
#define WFI_CUDA_SHORTS_CUH

#include "cuda/buffers.cuh"
#include "graph/graph.h"

struct wfi_device_rows;

struct wfi_short_rows {
    bool there = false;    /* all of it */
    bool too_many = false; /* it was asked for, and is not made */
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<weft_vid> targets;
    wfi_buffer<uint32_t> weights; /* u32, or the bits of f32 */

    void clear() {
        offsets.give();
        targets.give();
        weights.give();
    }
};

/* From rows with weights of this type, which lie on the GPU.  If more than `most` arcs are so short, they are too_many. */
weft_status wfi_pick_short(weft_ctx *ctx, const wfi_device_rows &rows, weft_vid n, weft_eid arcs, weft_weight_type type,
                           double below, weft_eid most, wfi_short_rows *shorts);

#endif
