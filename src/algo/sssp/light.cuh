/* The light edges of delta-stepping as rows of their own: those arcs of a graph that weigh less than a bound, in their
 * order.  For searches that settle a bucket by light edges before they relax heavy ones. */
#ifndef WFI_SSSP_LIGHT_CUH
#define WFI_SSSP_LIGHT_CUH

#include "cuda/mirror.cuh"

struct wfi_light_rows {
    bool there = false;    /* all of it */
    bool too_many = false; /* it was asked for, and is not made */
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<weft_vid> targets;
    wfi_buffer<uint32_t> weights; /* as in the rows */

    void clear() {
        offsets.give();
        targets.give();
        weights.give();
    }
};

/* From rows with weights, which lie on the GPU.  If more than `most` arcs are light, they are too_many. */
weft_status wfi_pick_light(weft_ctx *ctx, const wfi_view &rows, weft_eid arcs, double below, weft_eid most,
                           wfi_light_rows *light);

/* Those of the graph's mirror, made on first use; `below` has to be the same for every call with a graph.  The rows are
 * there then.  *light = NULL: they are a larger share of the arcs than was planned with, by more than a plan may
 * miss. */
weft_status wfi_light_of(weft_ctx *ctx, const weft_graph *g, double below, double share, const wfi_light_rows **light);
/* Declared, without the rows, if they are not there yet.  share: of the arcs that are light. */
void wfi_light_declare(wfi_workspace *device, const weft_graph *g, double share);

#endif
