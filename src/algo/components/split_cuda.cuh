/* The last part of strong components on the GPU: arcs among vertices of which nothing is known. */
#ifndef WFI_COMPONENTS_SPLIT_CUH
#define WFI_COMPONENTS_SPLIT_CUH

#include "algo/components/forest.cuh"

/* Joins in `label` what lies on a common cycle of the `count` arcs (from, to), whose ends are roots of trees.  The arcs are used
 * up.  ahead and back: scratch of n places. */
weft_status wfi_components_split_cuda(weft_ctx *ctx, weft_vid *label, uint2 *arcs, uint64_t count, uint32_t *ahead,
                                      uint32_t *back);

#endif
