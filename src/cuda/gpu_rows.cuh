/* Rows on a GPU, as gpu_rows.h has them, from inside. */
#ifndef WFI_CUDA_GPU_ROWS_CUH
#define WFI_CUDA_GPU_ROWS_CUH

#include "cuda/buffers.cuh"
#include "cuda/gpu_rows.h"
#include "cuda/scratch.h"

struct wfi_gpu_rows {
    int users = 1; /* atomically */
    int index = 0; /* of the GPU */
    weft_vid n = 0;
    weft_eid arcs = 0;
    unsigned words = 0; /* of 32 bits that a weight has */
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<weft_vid> targets;
    wfi_buffer<uint32_t> weights; /* u32, the bits of f32, or two words for the bits of an f64 */
};

static inline wfi_view wfi_gpu_rows_view(const wfi_gpu_rows *r, weft_weight_type type) {
    return {r->offsets.data, r->targets.data, r->weights.data, 0, 0, r->n, r->n, type};
}

/* Such rows, with room for so many arcs, which are at least as many. */
weft_status wfi_gpu_rows_room(weft_ctx *ctx, weft_vid n, weft_eid arcs, unsigned words, weft_eid room,
                              wfi_gpu_rows **out);
/* Room for these arcs and for some that may come: as before, where there was room for `had`, if that will do. */
weft_eid wfi_gpu_rows_more(weft_eid arcs, weft_eid had);
/* Copies rows of a graph into them. */
weft_status wfi_gpu_rows_fill(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, wfi_gpu_rows *to);

/* What merging so many changes of arcs into so many rows and arcs takes on the GPU at most, besides the rows. */
static inline uint64_t wfi_merge_scratch(uint64_t changes, weft_vid rows, weft_eid arcs, unsigned words) {
    return (72 + 12 * (uint64_t)words) * changes + wfi_sort_scratch(changes) + wfi_scan_scratch(changes) +
           (rows + arcs) / 128 + 8192;
}

#endif
