/* The GPU's degrees, behind a door without CUDA types. */
#ifndef WFI_DEGREE_CUDA_H
#define WFI_DEGREE_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes on the GPU at the peak where the largest total degree is `most`, the graph's copy included if it is not there yet. */
uint64_t wfi_degree_cuda_bytes(const weft_graph *g, uint64_t most);

/* The three columns, and *histogram, a block of *max + 1 places: how many vertices have a total degree of 0 ... *max.  The caller frees it. */
weft_status wfi_degree_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t *in, uint64_t *out, uint64_t *total,
                            uint64_t **histogram, uint64_t *max);

#ifdef __cplusplus
}
#endif
#endif
