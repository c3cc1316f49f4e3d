/* ranks/device.h in a build without CUDA: no rank has a GPU, and no algorithm calls the other functions. */
#include "ranks/device.h"

#include <stdio.h>

weft_status wfi_device_open(weft_ctx *ctx) { return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA"); }

bool wfi_device_pick(weft_ctx *ctx, char *why, size_t size) {
    (void)ctx;
    snprintf(why, size, "built without CUDA");
    return false;
}

weft_status wfi_device_one_each(weft_ctx *ctx, bool *each, char *why, size_t size) {
    *each = false;
    (void)wfi_device_pick(ctx, why, size);
    return WEFT_OK;
}
