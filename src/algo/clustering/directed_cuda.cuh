/* Sums over the triangles of a directed graph on the GPU: what clustering_directed.c does on CPU cores. */
#ifndef WFI_CLUSTERING_DIRECTED_CUH
#define WFI_CLUSTERING_DIRECTED_CUH

#include "shared/triangles/triangles_cuda.cuh"

/* sums[r], n places on the GPU that hold 0: over the triangles of the vertex of rank r, the arcs between its two other
 * corners, or (fagiolo) the product of the numbers of arcs on the three sides.  *total, there too, grows by the
 * triangles.  Needs o->arcs.  A stage of its own. */
weft_status wfi_clustering_sums_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, bool fagiolo, unsigned long long *sums,
                                     unsigned long long *total);

#endif
