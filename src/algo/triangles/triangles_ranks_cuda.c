/* triangles on the GPUs of ranks: the run of triangles_cpu.c, with triangles that they look for
 * (ranks/device_triangles.c). */
#include "algo/triangles/triangles.h"
#include "ranks/device_steps.h"

void wfi_triangles_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params,
                                   wfi_choice *choice) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = &choice->device};
    (void)params;
    wfi_triangles_plan_ranks_with(ctx, spread, choice, &d.gpu);
}

weft_status wfi_triangles_ranks_cuda(wfi_job *job) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = job->device, .status = wfi_open_device(job)};
    return wfi_triangles_run_ranks_with(job, &d.gpu);
}
