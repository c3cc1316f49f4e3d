/* What stands behind ranks/device.h in a build without CUDA: no rank has a GPU, and no algorithm asks for more. */
#include "ranks/device.h"

#include <stdio.h>

weft_status wfi_device_open(weft_ctx *ctx, wfi_comm *comm) {
    (void)comm;
    return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA");
}

bool wfi_device_pick(weft_ctx *ctx, const wfi_comm *comm, char *why, size_t room) {
    (void)ctx;
    (void)comm;
    snprintf(why, room, "built without CUDA");
    return false;
}

weft_status wfi_device_each(weft_ctx *ctx, wfi_comm *comm, bool *each, char *why, size_t room) {
    *each = false;
    (void)wfi_device_pick(ctx, comm, why, room);
    return WEFT_OK;
}
