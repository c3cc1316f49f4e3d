/* cycle on the GPUs of ranks: the run of cycle_ranks.c, peeled by them (ranks/device_peel.c).  A loop, whether ids are
 * an order, and the cycle of a leftover are found on the host. */
#include "algo/cycle/cycle.h"
#include "ranks/device_steps.h"

void wfi_cycle_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_device_peel d;
    wfi_device_peel_lay_out(&choice->space, &choice->device, spread, &d);
    wfi_cycle_plan_ranks(ctx, spread, params, choice);
}

weft_status wfi_cycle_ranks_cuda(wfi_job *job) {
    wfi_device_peel d = {.gpu = wfi_device_peel_steps};
    weft_status st = wfi_open_device(job);
    if (!st) wfi_device_peel_lay_out(job->space, job->device, job->spread, &d);
    return wfi_cycle_ranks_with(job, &d.gpu, st);
}
