/* The GPU's triangles, behind a door without CUDA types. */
#ifndef WFI_TRIANGLES_CUDA_H
#define WFI_TRIANGLES_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes on the GPU at the peak, the graph's copy and its oriented view included if they are not there yet. */
uint64_t wfi_triangles_cuda_bytes(const weft_ctx *ctx, const weft_graph *g);

/* corners by vertex; *total = triangles of the graph.  n is not 0. */
weft_status wfi_triangles_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t *corners, uint64_t *total);

#ifdef __cplusplus
}
#endif
#endif
