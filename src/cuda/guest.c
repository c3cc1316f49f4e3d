/* What a caller decides about the GPU.  Nothing here touches the driver unless the context has used it. */
#include "core/guest.h"
#include "cuda/device.h"

weft_status weft_ctx_set_gpu(weft_ctx *ctx, int index) {
    WFI_BEGIN(ctx);
    if (index < 0) return wfi_fail(ctx, WEFT_EINVAL, "GPUs are counted from 0, there is no GPU %d", index);
    wfi_guest *guest = wfi_ctx_guest(ctx);
    if (index == guest->index) return WEFT_OK;
    wfi_ctx_part_gpu(ctx);
    guest->index = index;
    guest->stream = NULL; /* it belonged to the other one */
    return WEFT_OK;
}

weft_status weft_ctx_set_stream(weft_ctx *ctx, void *cuda_stream) {
    WFI_BEGIN(ctx);
    wfi_ctx_guest(ctx)->stream = cuda_stream;
    return wfi_cuda_use_stream(ctx);
}

weft_status weft_ctx_trim_device(weft_ctx *ctx) {
    WFI_BEGIN(ctx);
    return wfi_cuda_trim(ctx);
}
