/* The GPU's clustering, behind a door without CUDA types. */
#ifndef WFI_CLUSTERING_CUDA_H
#define WFI_CLUSTERING_CUDA_H

#include "algo/clustering/clustering.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes on the GPU at the peak, the graph's copy and its oriented view included if they are not there yet. */
uint64_t wfi_clustering_cuda_bytes(const weft_ctx *ctx, const weft_graph *g);

/* The coefficients by vertex, and what the scalars come from.  n is not 0. */
weft_status wfi_clustering_cuda(weft_ctx *ctx, const weft_graph *g, weft_directed_mode mode, double *coefficients,
                                wfi_clustering_totals *totals);

#ifdef __cplusplus
}
#endif
#endif
