/* The GPU's search, behind a door without CUDA types. */
#ifndef WFI_SSSP_CUDA_H
#define WFI_SSSP_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* below: rows of the arcs shorter than this are made and kept, or 0: no such rows.  It depends on the graph alone, and delta is no larger.
 * share: of such arcs. */
typedef struct wfi_sssp_how {
    weft_vid source;
    double delta, below, share;
} wfi_sssp_how;

/* Bytes on the GPU at the peak, the graph's copy included if it is not there yet.  A search of whole weights may have to be repeated with
 * doubles, which take more. */
uint64_t wfi_sssp_cuda_bytes(const weft_graph *g, const wfi_sssp_how *how, bool doubles);

/* Distances, parents by the rule in parents.c, how many vertices were reached, and the largest distance among them. */
weft_status wfi_sssp_cuda(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_how *how, double *distance,
                          weft_vid *parent, uint64_t *reached, double *farthest);

#ifdef __cplusplus
}
#endif
#endif
