/* How many triangles each vertex is a corner of, in the oriented view on the GPU: what triangles and clustering share. */
#ifndef WFI_CUDA_TRIANGLES_CUH
#define WFI_CUDA_TRIANGLES_CUH

#include "cuda/oriented.cuh"

/* corners[r] = triangles that the vertex of rank r is in; n places on the GPU, filled here.  A stage of its own. */
weft_status wfi_count_triangles_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, unsigned long long *corners);

/* Bytes on the GPU that the count takes beside its arguments, on a view of n vertices and so many edges. */
uint64_t wfi_count_triangles_cuda_bytes(uint64_t n, uint64_t edges);

#endif
