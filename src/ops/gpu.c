/* See ops.h: between steps on a GPU.  Compiled where there is CUDA. */
#include "ops/gpu.h"
#include "cuda/transfer.h"
#include "ranks/device.h"
#include "shared/pull/takes.h"

/* o->sums serves as the place of the first weight that cannot be used. */
static weft_status row_weights(wfi_ops *o, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                               double *sum) {
    return wfi_row_sums_cuda(o->ctx, algorithm, g, rows, sum, o->sums);
}

static weft_status gather(wfi_ops *o, void *all, size_t each) {
    const wfi_spread *s = o->spread;
    return wfi_device_allgather_part(o->ctx, s, o->status, &s->part[0], (wfi_staged){all, o->here}, each);
}

const wfi_ops_gpu wfi_ops_on_gpu = {
    row_weights, gather, wfi_download, wfi_upload, wfi_ops_add_rows, wfi_ops_repeats_gpu, wfi_group_begin_gpu};
