/* See gpu.h. */
#include "ops/gpu.h"
#include "cuda/stages.cuh"

weft_status wfi_ops_timed(wfi_ops *o, weft_status (*drive)(wfi_ops *o, void *state, struct wfi_job *job), void *state,
                          struct wfi_job *job) {
    wfi_kernel_scope stage(o->ctx, "iterations");
    return drive(o, state, job);
}
