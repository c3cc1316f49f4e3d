/* What stands behind cuda/device.h and cuda/stream.h in a build without CUDA: no GPU, and the reason. */
#include "cuda/device.h"
#include "cuda/stream.h"

#include <stdio.h>

int wfi_cuda_devices(char *reason, size_t room) {
    snprintf(reason, room, "built without CUDA");
    return 0;
}

weft_status wfi_cuda_ready(weft_ctx *ctx) { return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA"); }

weft_status wfi_cuda_describe(weft_ctx *ctx, weft_machine *machine, int measure) {
    (void)machine;
    (void)measure;
    return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA");
}

uint64_t wfi_device_room(const weft_ctx *ctx, uint64_t wanted) {
    (void)wanted;
    return wfi_device_memory_left(ctx);
}
