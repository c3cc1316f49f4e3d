/* clustering on the GPUs of ranks: the run of clustering_ranks.c, with triangles that they look for
 * (ranks/device_triangles.c). */
#include "algo/clustering/clustering.h"
#include "ranks/device_steps.h"

void wfi_clustering_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params,
                                    wfi_choice *choice) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = &choice->device};
    wfi_clustering_plan_ranks_with(ctx, spread, params, choice, &d.gpu);
}

weft_status wfi_clustering_ranks_cuda(wfi_job *job) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = job->device, .status = wfi_open_device(job)};
    return wfi_clustering_run_ranks_with(job, &d.gpu);
}
