/* See gpu.h. */
#include "cuda/stages.cuh"
#include "cuda/walk.cuh"
#include "ops/gpu.h"

enum { WARP = 32 };

namespace {

struct repeats_body {
    wfi_view rows;
    wfi_op_totals *to;
    __device__ bool wants(weft_vid) const { return true; }
    __device__ void take(weft_vid k, const weft_vid *arc) const {
        if (arc > rows.targets + (rows.offsets[k] - rows.base) && arc[-1] == *arc) to->count[0] = 1;
    }
    __device__ void alone(weft_vid k, const weft_vid *arc, unsigned count) const {
        for (unsigned i = 0; i < count; i++) take(k, arc + i);
    }
    __device__ void together(weft_vid k, const weft_vid *arc, unsigned count) const {
        for (unsigned i = threadIdx.x % WARP; i < count; i += WARP) take(k, arc + i);
    }
};

} // namespace

weft_status wfi_ops_repeats_gpu(wfi_ops *o, const wfi_view *rows, wfi_op_totals *to) {
    weft_ctx *ctx = o->ctx;
    weft_eid arcs = rows == o->out ? o->out_arcs : o->in_arcs;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(to, 0, sizeof *to, wfi_cuda_stream(ctx)));
    if (arcs)
        wfi_walk<weft_eid><<<wfi_walk_blocks(arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(ctx)>>>(
            rows->offsets, (const weft_vid *)NULL, (uint64_t)rows->count, rows->targets, rows->base, rows->base,
            rows->base + arcs, repeats_body{*rows, to});
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

weft_status wfi_ops_timed(wfi_ops *o, weft_status (*drive)(wfi_ops *o, void *state, struct wfi_job *job), void *state,
                          struct wfi_job *job) {
    wfi_kernel_scope stage(o->ctx, "iterations");
    return drive(o, state, job);
}
