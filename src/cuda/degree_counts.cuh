/* How many vertices have which degree, counted on the GPU as graph/degrees.h counts it on the host. */
#ifndef WFI_CUDA_DEGREE_COUNTS_CUH
#define WFI_CUDA_DEGREE_COUNTS_CUH

#include "core/workspace.h"
#include "cuda/buffers.cuh"
#include "graph/degrees.h"

struct wfi_degree_counting {
    unsigned long long *small;  /* counts->smalls */
    unsigned long long *large;  /* a place for each vertex that can have so large a degree */
    unsigned long long *larges; /* how many have */
};

/* Beside the host's counts, which are laid out. */
void wfi_degree_counting_lay_out(wfi_workspace *device, const wfi_degree_counts *counts, wfi_degree_counting *c);
/* Of n degrees.  Asynchronous. */
weft_status wfi_degree_counting_run(weft_ctx *ctx, const unsigned long long *degree, weft_vid n,
                                    const wfi_degree_counts *counts, const wfi_degree_counting *c);
/* To the host. */
weft_status wfi_degree_counting_bring(weft_ctx *ctx, const wfi_degree_counting *c, wfi_degree_counts *counts);

#endif
