/* How many triangles each vertex is a corner of, in the oriented view on the GPU: what triangles and clustering
 * share. */
#ifndef WFI_TRIANGLES_CUDA_CUH
#define WFI_TRIANGLES_CUDA_CUH

#include "shared/triangles/middle.cuh"

/* What long rows need; short ones alone do well without. */
struct wfi_triangles_space {
    wfi_hubs hubs;
    wfi_middles middles;
};

/* Of a view with so many edges and long rows, or for a plan with no more. */
void wfi_triangles_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t long_rows,
                           wfi_triangles_space *s);

/* corners[r] = triangles that the vertex of rank r is in; n places on the GPU, filled here.  A stage of its own. */
weft_status wfi_count_triangles_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_triangles_space *s,
                                     unsigned long long *corners);

#endif
