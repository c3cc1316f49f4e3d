/* toposort on the GPUs of ranks: the run of toposort_ranks.c, peeled by them (ranks/device_peel.c).  Positions, and a
 * cycle of the leftover, are found on the host. */
#include "algo/toposort/toposort.h"
#include "ranks/device_steps.h"

void wfi_toposort_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params,
                                  wfi_choice *choice) {
    wfi_device_peel d;
    wfi_device_peel_lay_out(&choice->space, &choice->device, spread, &d);
    wfi_toposort_plan_ranks(ctx, spread, params, choice);
}

weft_status wfi_toposort_ranks_cuda(wfi_job *job) {
    wfi_device_peel d = {.gpu = wfi_device_peel_steps};
    weft_status st = wfi_open_device(job);
    if (!st) wfi_device_peel_lay_out(job->space, job->device, job->spread, &d);
    return wfi_toposort_ranks_with(job, &d.gpu, st);
}
