/* See ops.h: between steps on a GPU.  Compiled where there is CUDA. */
#include "ops/gpu.h"
#include "cuda/transfer.h"
#include "engines/fixed_sums/takes.h"
#include "ranks/device.h"

/* o->sums serves as the place of the first weight that cannot be used. */
static weft_status row_weights(wfi_ops *o, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                               double *sum) {
    return wfi_row_sums_cuda(o->ctx, algorithm, g, rows, sum, o->sums);
}

static weft_status gather(wfi_ops *o, void *all, size_t each) {
    const wfi_spread *s = o->spread;
    return wfi_device_allgather_part(o->ctx, s, o->status, &s->part[0], (wfi_staged){all, o->here}, each);
}

static weft_status gather_bytes(wfi_ops *o, void *all, const uint64_t *start) {
    return wfi_device_allgather(o->ctx, o->status, (wfi_staged){all, o->here}, start);
}

const wfi_ops_gpu wfi_ops_on_gpu = {.row_weights = row_weights,
                                    .gather = gather,
                                    .read = wfi_download,
                                    .write = wfi_upload,
                                    .add_rows = wfi_ops_add_rows,
                                    .gather_bytes = gather_bytes,
                                    .fill = wfi_device_fill,
                                    .count = wfi_device_count,
                                    .messages = wfi_device_messages_begin,
                                    .deliver = wfi_device_messages_deliver,
                                    .repeats = wfi_ops_repeats_gpu,
                                    .group_begin = wfi_group_begin_gpu};
