/* See ops.h: between steps on a GPU.  Compiled where there is CUDA. */
#include "ops/gpu.h"
#include "cuda/transfer.h"
#include "ranks/device.h"

static weft_status gather(wfi_ops *o, void *all, size_t each) {
    const wfi_spread *s = o->spread;
    return wfi_device_allgather_part(o->ctx, s, o->status, &s->part[0], (wfi_staged){all, o->here}, each);
}

const wfi_ops_gpu wfi_ops_on_gpu = {wfi_ops_row_weights_gpu, gather, wfi_download, wfi_upload};
