/* How data are to travel between GPUs, as the environment says; in a build without CUDA too, so that a word which
 * nobody knows is refused there. */
#include "ranks/device.h"

#include <stdlib.h>
#include <string.h>

weft_status wfi_device_way(weft_ctx *ctx, bool *nccl, bool *staged) {
    const char *text = getenv("WEFT_DEVICE_TRANSPORT");
    *nccl = text && !strcmp(text, "nccl");
    *staged = text && !strcmp(text, "staged");
    if (!text || !*text || *nccl || *staged) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "WEFT_DEVICE_TRANSPORT is \"%.40s\", and not nccl or staged", text);
}
