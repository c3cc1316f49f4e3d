/* near.h on the GPU: by hops, exact or estimated.  Values have the same bits.  What lies on the host and there is
 * declared by the first of each two functions; the second walks the same lists, in the plan's arenas, and fills
 * t->value, which stays on the GPU if the caller wants that, but for t->first.  along and back: t's rows on the GPU. */
#ifndef WFI_CLOSENESS_NEAR_CUDA_H
#define WFI_CLOSENESS_NEAR_CUDA_H

#include "algo/closeness/values.h"
#include "cuda/transfer.h"

WFI_C_BEGIN

void wfi_closeness_hops_space_cuda(wfi_workspace *space, wfi_workspace *device, const wfi_closeness *t);
weft_status wfi_closeness_by_hops_cuda(weft_ctx *ctx, const wfi_closeness *t, const wfi_view *along,
                                       const wfi_view *back, wfi_workspace *space, wfi_workspace *device);

void wfi_closeness_balls_space_cuda(wfi_workspace *space, wfi_workspace *device, const wfi_closeness *t,
                                    uint64_t registers);
weft_status wfi_closeness_by_balls_cuda(weft_ctx *ctx, const wfi_closeness *t, const wfi_view *back, uint64_t registers,
                                        wfi_workspace *space, wfi_workspace *device);

/* The values, n of them.  With `first` the host looks at all of them once more. */
static inline weft_status wfi_closeness_deliver(weft_ctx *ctx, const wfi_closeness *t, const double *from) {
    wfi_copy column = {t->value, from, t->g->n * sizeof *t->value, false};
    return t->first ? wfi_download(ctx, column.to, column.from, column.bytes) : wfi_deliver_all(ctx, &column, 1);
}

WFI_C_END
#endif
