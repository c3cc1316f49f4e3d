/* The number of vertices of each degree, counted on the GPU (the same counts on the host: graph/degrees.h). */
#ifndef WFI_CUDA_DEGREE_COUNTS_CUH
#define WFI_CUDA_DEGREE_COUNTS_CUH

#include "core/workspace.h"
#include "cuda/buffers.cuh"
#include "graph/degrees.h"

struct wfi_degree_counting {
    unsigned long long *small;  /* counts->smalls counters */
    unsigned long long *large;  /* the large degrees; capacity for all vertices that can have one */
    unsigned long long *larges; /* their number */
};

/* Declares the arrays on the GPU; the host's counts are laid out. */
void wfi_degree_counting_lay_out(wfi_workspace *device, const wfi_degree_counts *counts, wfi_degree_counting *c);
/* Counts n degrees.  Asynchronous. */
weft_status wfi_degree_counting_run(weft_ctx *ctx, const unsigned long long *degree, weft_vid n,
                                    const wfi_degree_counts *counts, const wfi_degree_counting *c);
/* Downloads the counts. */
weft_status wfi_degree_counting_download(weft_ctx *ctx, const wfi_degree_counting *c, wfi_degree_counts *counts);

#endif
