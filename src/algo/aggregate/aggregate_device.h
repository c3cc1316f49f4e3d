/* The GPU's aggregate, behind a door without CUDA types. */
#ifndef WFI_AGGREGATE_DEVICE_H
#define WFI_AGGREGATE_DEVICE_H

#include "algo/aggregate/aggregate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns whose winners are held at once on the way back through a maximum. */
enum { WFI_AGGREGATE_CUDA_STRIP = 64 };

/* Bytes on the GPU at the peak, the graph's copy included if it is not there yet.  A result that stays there is made in its place, which
 * the plan counts. */
uint64_t wfi_aggregate_cuda_bytes(const weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p, bool stays);

/* The result's matrix, which is `out` on the host or stays on the GPU. */
weft_status wfi_aggregate_cuda(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p, void *out);

/* The same with all on the GPU, back through a maximum. */
weft_status wfi_aggregate_cuda_back_max(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p,
                                        const void *gradient, const void *forward, const uint8_t *joins, void *out);

#ifdef __cplusplus
}
#endif
#endif
