/* The description of the machine, and a caller's choices about its GPU.
 * weft_machine_describe: the CPU's part comes from core, the GPU's from device.h.  A GPU that fails during the
 * description is a finding about the machine and not a failure of the call: the description has no GPU, and the
 * reason. */
#include "core/machine.h"
#include "core/gpu_binding.h"
#include "cuda/device.h"
#include "weft/machine.h"

#include <stdio.h>
#include <string.h>

/* Clears the GPU's fields. */
static void forget_gpu(weft_machine *machine) {
    size_t from = offsetof(weft_machine, gpus);
    memset((char *)machine + from, 0, sizeof *machine - from);
}

static weft_status describe_gpu(weft_ctx *ctx, int measure, weft_machine *machine) {
    if (wfi_device(ctx) == WEFT_DEVICE_CPU) {
        snprintf(machine->gpu_reason, sizeof machine->gpu_reason, "not examined: the device is set to cpu");
        return WEFT_OK;
    }
    machine->gpus = wfi_cuda_devices(machine->gpu_reason, sizeof machine->gpu_reason);
    if (!machine->gpus) return WEFT_OK;
    weft_status st = wfi_cuda_describe(ctx, machine, measure);
    if (st != WEFT_EDEVICE && st != WEFT_ENOMEM) return st;
    char reason[sizeof machine->gpu_reason];
    snprintf(reason, sizeof reason, "%.100s%s%.150s", machine->gpu, *machine->gpu ? ": " : "", weft_ctx_message(ctx));
    forget_gpu(machine);
    memcpy(machine->gpu_reason, reason, sizeof reason);
    return WEFT_OK;
}

void weft_device_begin(void) { wfi_cuda_startup_begin(); }
void weft_device_settle(void) { wfi_cuda_startup_wait(); }

weft_status weft_machine_describe(weft_ctx *ctx, int measure, weft_machine *out) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    weft_status st = wfi_sized_check(ctx, "weft_machine", out);
    if (st) return st;
    weft_machine machine = {.size = sizeof machine};
    wfi_machine_look_up(&machine);
    if (measure) st = wfi_machine_measure(ctx, &machine);
    if (!st) st = describe_gpu(ctx, measure, &machine);
    return st ? st : wfi_sized_out(ctx, "weft_machine", &machine, sizeof machine, out);
}

/* --- choices: nothing here touches the driver unless the context has used it --- */

weft_status weft_ctx_set_gpu(weft_ctx *ctx, int index) {
    WFI_BEGIN_OR_RETURN(ctx);
    if (index < 0) return wfi_fail(ctx, WEFT_EINVAL, "GPUs are counted from 0, there is no GPU %d", index);
    wfi_gpu_binding *binding = wfi_ctx_gpu_binding(ctx);
    if (index == binding->index) return WEFT_OK;
    wfi_ctx_detach_gpu(ctx);
    binding->index = index;
    binding->stream = NULL; /* the stream belonged to the previous GPU */
    return WEFT_OK;
}

weft_status weft_ctx_set_stream(weft_ctx *ctx, void *cuda_stream) {
    WFI_BEGIN_OR_RETURN(ctx);
    wfi_ctx_gpu_binding(ctx)->stream = cuda_stream;
    return wfi_cuda_use_stream(ctx);
}

weft_status weft_ctx_trim_device(weft_ctx *ctx) {
    WFI_BEGIN_OR_RETURN(ctx);
    return wfi_cuda_trim(ctx);
}
